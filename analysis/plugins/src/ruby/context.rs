//! Stack of definitions under construction.

use smol_str::SmolStr;

use super::attributes::AttributeDraft;
use super::functions::FunctionDraft;
use super::resource_types::TypeDraft;
use crate::{DataType, TitlePatterns, WrittenSignature};

/// Definition under construction, or a body in which `self` is not relevant.
pub(super) enum DefinitionContext<'pr> {
    Module,
    Function(FunctionDraft<'pr>),
    Dispatch { signature: WrittenSignature, is_incomplete: bool },
    LocalTypes { types: Vec<(SmolStr, SmolStr)>, is_incomplete: bool },
    Type(TypeDraft),
    Attribute(AttributeDraft),
    DataType(DataType),
}

impl DefinitionContext<'_> {
    /// Marks the definition as incomplete.
    pub(super) fn open(&mut self) {
        match self {
            DefinitionContext::Module | DefinitionContext::DataType(_) => {}
            DefinitionContext::Function(draft) => draft.function.is_incomplete = true,
            DefinitionContext::Dispatch { is_incomplete, .. }
            | DefinitionContext::LocalTypes { is_incomplete, .. } => *is_incomplete = true,
            DefinitionContext::Type(draft) => draft.resource_type.is_incomplete = true,
            DefinitionContext::Attribute(draft) => draft.is_uncertain = true,
        }
    }

    /// Records a method definition. `is_singleton` is true for methods of the class itself.
    pub(super) fn define_method(&mut self, name: &str, is_singleton: bool) {
        match self {
            DefinitionContext::Type(draft) if is_singleton && name == "title_patterns" => {
                draft.resource_type.title_patterns = TitlePatterns::Unknown;
            }
            DefinitionContext::Attribute(draft) if !is_singleton => draft.define_method(name),
            _ => {}
        }
    }
}
