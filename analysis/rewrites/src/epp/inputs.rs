//! Inputs of templates.

use crate::epp::scope::Known;
use crate::epp::shapes::ValueShape;

/// Way in which a template reads a variable of Puppet.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum InputRead {
    /// `@name`
    Variable(String),
    /// `scope['m::name']`, with a qualified name.
    Qualified(String),
}

impl InputRead {
    pub(super) fn of_scope(name: &str) -> InputRead {
        if name.contains("::") {
            InputRead::Qualified(name.to_owned())
        } else {
            InputRead::Variable(name.to_owned())
        }
    }
}

/// Variable of Puppet that a template reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateInput {
    /// Name of the parameter of the EPP template.
    pub name: String,
    pub read: InputRead,
}

/// Type of an input.
#[derive(Clone, Debug)]
pub struct InputType {
    /// Type in Puppet's notation.
    pub(super) text: String,
    pub(super) known: Known,
}

impl InputType {
    pub fn new(input: &TemplateInput, text: String, shape: ValueShape) -> InputType {
        InputType { text, known: Known { name: input.name.clone(), shape } }
    }
}
