//! Definitions under construction, independent of how Ruby code is evaluated.

mod attributes;
mod functions;
mod path;
mod resource_types;
mod text;
mod title_patterns;
mod values;

use smol_str::SmolStr;

pub use attributes::{AttributeDraft, is_validation_method, values_of_type};
pub use functions::{FunctionDraft, is_plain_base, legacy_signature};
pub use path::{complete, is_fact, mark_all_incomplete, reject_old_functions};
pub use resource_types::TypeDraft;
pub use text::{comment_before, dedent};
pub use title_patterns::title_pattern_of_groups;
pub use values::{DraftArguments, DraftValue};

use crate::{DataType, TitlePatterns, WrittenSignature};

/// Definition under construction, or a body in which `self` is not relevant.
#[derive(Debug)]
pub enum DefinitionContext {
    Module,
    Function(FunctionDraft),
    Dispatch { signature: WrittenSignature, is_incomplete: bool },
    LocalTypes { types: Vec<(SmolStr, SmolStr)>, is_incomplete: bool },
    Type(TypeDraft),
    Attribute(AttributeDraft),
    DataType(DataType),
}

impl DefinitionContext {
    /// Marks the definition as incomplete.
    pub fn open(&mut self) {
        match self {
            DefinitionContext::Module | DefinitionContext::DataType(_) => {}
            DefinitionContext::Function(draft) => draft.function.is_incomplete = true,
            DefinitionContext::Dispatch { is_incomplete, .. }
            | DefinitionContext::LocalTypes { is_incomplete, .. } => *is_incomplete = true,
            DefinitionContext::Type(draft) => draft.resource_type.is_incomplete = true,
            DefinitionContext::Attribute(draft) => draft.is_uncertain = true,
        }
    }

    /// Applies a call that changes nothing but this definition. Returns false for other methods. `conditions` is
    /// the number of unknown conditions around the call.
    pub fn call(&mut self, name: &str, arguments: &DraftArguments, conditions: u32) -> bool {
        match self {
            DefinitionContext::Module | DefinitionContext::Function(_) => false,
            DefinitionContext::Dispatch { signature, is_incomplete } => {
                *is_incomplete |= conditions > 0 || arguments.has_unknown;
                functions::call_in_dispatch(signature, name, arguments)
            }
            DefinitionContext::LocalTypes { types, is_incomplete } => {
                let text = arguments.value(0).string();
                match text.and_then(|text| text.split_once('=')) {
                    _ if name != "type" => return false,
                    Some((name, definition)) => {
                        types.push((SmolStr::new(name.trim()), SmolStr::new(definition.trim())));
                    }
                    None => *is_incomplete = true,
                }
                true
            }
            DefinitionContext::Type(draft) => draft.call(name, arguments),
            DefinitionContext::Attribute(draft) => draft.call(name, arguments, conditions),
            DefinitionContext::DataType(data_type) => {
                if let (Some(text), "interface") = (arguments.value(0).string(), name) {
                    data_type.interface = dedent(text);
                }
                // The other methods define the Ruby side of the values.
                matches!(name, "interface" | "load_file" | "implementation" | "implementation_class")
            }
        }
    }

    /// Records a method definition. `is_singleton` is true for methods of the class itself.
    pub fn define_method(&mut self, name: &str, is_singleton: bool) {
        match self {
            DefinitionContext::Type(draft) if is_singleton && name == "title_patterns" => {
                draft.resource_type.title_patterns = TitlePatterns::Unknown;
            }
            DefinitionContext::Attribute(draft) if !is_singleton => draft.define_method(name),
            _ => {}
        }
    }
}
