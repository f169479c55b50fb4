//! What is being defined while a file is followed.

use smol_str::SmolStr;

use super::attributes::AttributeDraft;
use super::functions::FunctionDraft;
use super::resource_types::TypeDraft;
use crate::{DataType, TitlePatterns, WrittenSignature};

/// A definition that is being made, or a body in which `self` is nothing of interest.
pub(super) enum DefinitionContext<'pr> {
    Module,
    Function(FunctionDraft<'pr>),
    Dispatch { signature: WrittenSignature, is_open: bool },
    LocalTypes { types: Vec<(SmolStr, SmolStr)>, is_open: bool },
    Type(TypeDraft),
    Attribute(AttributeDraft),
    DataType(DataType),
}

impl DefinitionContext<'_> {
    /// Something happens that cannot be told.
    pub(super) fn open(&mut self) {
        match self {
            DefinitionContext::Module | DefinitionContext::DataType(_) => {}
            DefinitionContext::Function(draft) => draft.function.is_open = true,
            DefinitionContext::Dispatch { is_open, .. } | DefinitionContext::LocalTypes { is_open, .. } => {
                *is_open = true
            }
            DefinitionContext::Type(draft) => draft.resource_type.is_open = true,
            DefinitionContext::Attribute(draft) => draft.is_uncertain = true,
        }
    }

    /// A method is defined; `is_singleton` when it is one of the class itself.
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
