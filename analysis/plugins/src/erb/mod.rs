//! Syntax tree of ERB templates. The code is parsed and never executed.
//!
//! A template is converted to one Ruby program, as in Ruby's ERB with trim mode `-`, which Puppet uses:
//! expressions of that program write the output. Unsupported code is
//! [`RubyExpressionKind::Unsupported`](crate::code::RubyExpressionKind::Unsupported).

mod script;
mod uses;

use smol_str::SmolStr;
use syntax::TextRange;

pub use uses::{ScopeRead, VariableUse, VariableUseKind};

pub(crate) use script::{OUTPUT, Script};

use uses::TemplateUses;
pub(crate) use uses::variable_name;

use crate::code::{self, RubyExpression};
use crate::guard::{is_hostile, on_stack_for};
use crate::removed_api::{self, PuppetCall, RemovedApi, RubyUses};

/// Maximum length of a template's code, in bytes.
const LENGTH_LIMIT: usize = 1 << 18;

/// Parsed template.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct ErbTemplate {
    /// Literal parts between the tags, indexed by [`crate::code::RubyExpressionKind::Text`].
    pub texts: Vec<SmolStr>,
    pub program: Vec<RubyExpression>,
    /// Uses of instance variables (Puppet's variables), in source order.
    pub uses: Vec<VariableUse>,
    /// Reads of variables by name, in source order.
    pub scope_reads: Vec<ScopeRead>,
    /// Tests for variables by name (`has_variable?('x')`, `scope.to_hash['x']`), in source order.
    pub scope_tests: Vec<ScopeRead>,
    /// Reads of facts by name: `@facts['x']`, `scope['facts']['x']`.
    pub fact_reads: Vec<ScopeRead>,
    /// Calls of Puppet functions.
    pub calls: Vec<PuppetCall>,
    /// Uses of what newer versions of Ruby removed, in source order.
    pub removed: Vec<RemovedApi>,
    /// First syntax error of the code.
    pub finding: Option<TemplateFinding>,
}

/// Syntax error in the code of a template.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TemplateFinding {
    pub message: String,
    pub range: TextRange,
}

/// Parses a template. Ranges refer to `text`. A template that is too large gets a program of unsupported
/// code.
pub fn read(text: &str) -> ErbTemplate {
    let script = Script::new(text);
    if script.text.len() > LENGTH_LIMIT || script.has_magic_comment || is_hostile(&script.text) {
        return unreadable();
    }
    on_stack_for(script.text.len(), || follow(script)).unwrap_or_else(unreadable)
}

fn unreadable() -> ErbTemplate {
    let everything = code::unsupported("malformed template");
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
    let TemplateUses { uses, scope_reads, scope_tests } = uses::collect(&node, &script);
    let range = |start, end| script.range(start, end);
    let RubyUses { removed, fact_reads, calls, .. } = removed_api::collect(&node, &script.text, &range);
    let texts = script.texts;
    ErbTemplate { texts, program, uses, scope_reads, scope_tests, fact_reads, calls, removed, finding: None }
}

#[cfg(test)]
mod tests;
