//! Syntax tree of Ruby code. The code is parsed and never executed.
//!
//! Unsupported code is [`RubyExpressionKind::Unsupported`].

mod assignments;
mod blocks;
mod literals;
mod lower;
mod tree;

use smol_str::SmolStr;
use syntax::TextRange;

pub use tree::{
    AssignTarget, BlockCode, Case, MethodDefinition, ModuleDefinition, OperatorKind, Rescue, RubyBlock,
    RubyBlockParameter, RubyExpression, RubyExpressionKind, RubyHashEntry, TextPart,
};

pub(crate) use lower::template_program;

use crate::ruby::{LENGTH_LIMIT, is_hostile, on_stack_for};

/// Parsed Ruby file.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RubyProgram {
    /// Path relative to the module's folder: `lib/puppet/functions/a/b.rb`.
    pub path: SmolStr,
    pub statements: Vec<RubyExpression>,
    /// Offsets of the line ends.
    lines: Vec<u32>,
}

impl RubyProgram {
    /// Returns the line number of an offset, from 1.
    pub fn line(&self, at: u32) -> u32 {
        self.lines.partition_point(|end| *end < at) as u32 + 1
    }
}

/// Parses a Ruby file. If it is too large or malformed, the result is a single unsupported expression.
pub fn read(path: &str, text: &str) -> RubyProgram {
    let lines =
        text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32).collect();
    let mut program = RubyProgram { path: path.into(), statements: Vec::new(), lines };
    let statements = if text.len() > LENGTH_LIMIT || is_hostile(text) {
        None
    } else {
        on_stack_for(text.len(), || follow(text)).flatten()
    };
    program.statements = statements.unwrap_or_else(|| vec![unsupported("malformed file")]);
    program
}

pub(crate) fn unsupported(what: &'static str) -> RubyExpression {
    RubyExpression { range: TextRange::default(), kind: Box::new(RubyExpressionKind::Unsupported(what)) }
}

fn follow(text: &str) -> Option<Vec<RubyExpression>> {
    let parsed = ruby_prism::parse(text.as_bytes());
    if parsed.errors().next().is_some() {
        return None;
    }
    Some(lower::file_program(&parsed.node(), text))
}
