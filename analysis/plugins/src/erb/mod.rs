//! ERB templates, read and never run: what their Ruby code says, as a tree of our own.
//!
//! A template becomes one Ruby program as Ruby's own ERB makes it (trim mode `-`, which is Puppet's): what it writes are
//! expressions of that program. Code that is beyond this tree is [`ExpressionKind::Unsupported`].

mod script;
mod uses;

use smol_str::SmolStr;
use syntax::TextRange;

pub use uses::{VariableUse, VariableUseKind};

pub(crate) use script::{OUTPUT, Script};

use crate::code::{self, RubyExpression};
use crate::ruby::{is_hostile, on_stack_for};

/// Templates with more code are not read.
const LENGTH_LIMIT: usize = 1 << 18;

/// A template that was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ErbTemplate {
    /// The pieces of text between the tags, by the number in [`crate::code::RubyExpressionKind::Text`].
    pub texts: Vec<SmolStr>,
    pub program: Vec<RubyExpression>,
    /// Where instance variables (Puppet's variables) are read or set, in the order of the text.
    pub uses: Vec<VariableUse>,
    /// What Ruby would not read: why, and where.
    pub finding: Option<TemplateFinding>,
}

/// Why the code of a template is no Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateFinding {
    pub message: String,
    pub range: TextRange,
}

/// What a template says. Ranges are those of `text`. A text that is too large gives a program that is not supported.
pub fn read(text: &str) -> ErbTemplate {
    let script = Script::new(text);
    if script.text.len() > LENGTH_LIMIT || script.is_odd || is_hostile(&script.text) {
        return unreadable();
    }
    on_stack_for(script.text.len(), || follow(script)).unwrap_or_else(unreadable)
}

fn unreadable() -> ErbTemplate {
    let everything = code::unsupported("a template that cannot be read");
    ErbTemplate { program: vec![everything], ..ErbTemplate::default() }
}

fn follow(script: Script) -> ErbTemplate {
    let parsed = ruby_prism::parse(script.text.as_bytes());
    if let Some(error) = parsed.errors().next() {
        let location = error.location();
        let range = script.range(location.start() as usize, location.end() as usize);
        let message = String::from_utf8_lossy(error.message()).into_owned();
        let finding = TemplateFinding { message, range };
        return ErbTemplate { finding: Some(finding), texts: script.texts, ..unreadable() };
    }
    let node = parsed.node();
    let program = code::template_program(&node, &script);
    let uses = uses::collect(&node, &script);
    ErbTemplate { texts: script.texts, program, uses, finding: None }
}

#[cfg(test)]
mod tests;
