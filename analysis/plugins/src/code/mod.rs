//! Ruby code as a tree of our own: what its expressions say, read and never run.
//!
//! What is beyond this tree is [`RubyExpressionKind::Unsupported`].

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

/// A Ruby file that was read.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct RubyProgram {
    /// Below the folder of its module: `lib/puppet/functions/a/b.rb`.
    pub path: SmolStr,
    pub statements: Vec<RubyExpression>,
    /// Where its lines end.
    lines: Vec<u32>,
}

impl RubyProgram {
    /// The line of a place, from 1.
    pub fn line(&self, at: u32) -> u32 {
        self.lines.partition_point(|end| *end < at) as u32 + 1
    }
}

/// What a Ruby file says. A text that is too large, or that Ruby would not read, gives a program that is not supported.
pub fn read(path: &str, text: &str) -> RubyProgram {
    let lines =
        text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at as u32).collect();
    let mut program = RubyProgram { path: path.into(), statements: Vec::new(), lines };
    let statements = if text.len() > LENGTH_LIMIT || is_hostile(text) {
        None
    } else {
        on_stack_for(text.len(), || follow(text)).flatten()
    };
    program.statements = statements.unwrap_or_else(|| vec![unsupported("a file that cannot be read")]);
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
