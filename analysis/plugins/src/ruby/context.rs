//! What is being defined while a file is followed.

use smol_str::SmolStr;

use super::attributes::AttributeDraft;
use super::functions::FunctionDraft;
use super::resource_types::TypeDraft;
use crate::{DataType, Signature, TitlePatterns};

/// A definition that is being made, or a body in which `self` is nothing of interest.
pub(super) enum Context<'pr> {
    Module,
    Function(FunctionDraft<'pr>),
    Dispatch { signature: Signature, is_open: bool },
    LocalTypes { types: Vec<(SmolStr, SmolStr)>, is_open: bool },
    Type(TypeDraft),
    Attribute(AttributeDraft),
    DataType(DataType),
}

impl Context<'_> {
    /// Something happens that cannot be told.
    pub(super) fn open(&mut self) {
        match self {
            Context::Module | Context::DataType(_) => {}
            Context::Function(draft) => draft.function.is_open = true,
            Context::Dispatch { is_open, .. } | Context::LocalTypes { is_open, .. } => *is_open = true,
            Context::Type(draft) => draft.resource_type.is_open = true,
            Context::Attribute(draft) => draft.is_uncertain = true,
        }
    }

    /// A method is defined; `is_singleton` when it is one of the class itself.
    pub(super) fn define_method(&mut self, name: &str, is_singleton: bool) {
        match self {
            Context::Type(draft) if is_singleton && name == "title_patterns" => {
                draft.resource_type.title_patterns = TitlePatterns::Unknown;
            }
            Context::Attribute(draft) if !is_singleton => draft.define_method(name),
            _ => {}
        }
    }
}
