//! Syntax tree of Ruby code. The code is parsed and never executed.
//!
//! Unsupported code is [`RubyExpressionKind::Unsupported`].

mod assignments;
mod blocks;
mod layout;
#[cfg(test)]
mod layout_tests;
mod literals;
mod lower;
mod tree;

use std::sync::Arc;

use ruby_prism::Visit;
use smol_str::SmolStr;
use syntax::TextRange;

pub use layout::is_same_code;
pub use tree::{
    AssignTarget, BlockCode, Case, MethodDefinition, ModuleDefinition, OperatorKind, Rescue, RubyBlock,
    RubyBlockParameter, RubyExpression, RubyExpressionKind, RubyHashEntry, TextPart,
};

pub(crate) use lower::template_program;

use crate::guard::{LENGTH_LIMIT, is_hostile, on_stack_for};

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

/// Plug-in file whose definitions are read, even if parts of it are malformed.
#[derive(Debug)]
pub struct ParsedFile {
    pub program: Arc<RubyProgram>,
    pub is_malformed: bool,
    /// Name of the first method that the file defines.
    pub first_method: Option<SmolStr>,
    /// True if the file calls `newfunction` with parentheses.
    pub calls_newfunction: bool,
}

/// Parses plug-in files and calls `work` with them, with a sufficient stack. Returns `None` if a file is too
/// large.
pub fn with_parsed_files<T: Send>(
    files: &[(&str, &str)],
    work: impl FnOnce(&[ParsedFile]) -> T + Send,
) -> Option<T> {
    if files.iter().any(|(_, text)| text.len() > LENGTH_LIMIT || is_hostile(text)) {
        return None;
    }
    let longest = files.iter().map(|(_, text)| text.len()).max().unwrap_or(0);
    on_stack_for(longest, || {
        let parsed: Vec<ParsedFile> = files.iter().map(|(path, text)| parsed_file(path, text)).collect();
        work(&parsed)
    })
}

fn parsed_file(path: &str, text: &str) -> ParsedFile {
    let parsed = ruby_prism::parse(text.as_bytes());
    let node = parsed.node();
    let mut outline = OutlineWalk::default();
    if path.contains("puppet/parser/functions/") {
        outline.visit(&node);
    }
    let statements = lower::file_program(&node, text, true);
    ParsedFile {
        program: Arc::new(RubyProgram { path: path.into(), statements, lines: Vec::new() }),
        is_malformed: parsed.is_failure(),
        first_method: outline.method,
        calls_newfunction: outline.calls_newfunction,
    }
}

/// Visitor for the constructs that Puppet looks for in the source of a version 3 function.
#[derive(Default)]
struct OutlineWalk {
    method: Option<SmolStr>,
    calls_newfunction: bool,
}

impl<'pr> Visit<'pr> for OutlineWalk {
    fn visit_def_node(&mut self, node: &ruby_prism::DefNode<'pr>) {
        self.method.get_or_insert_with(|| lower::name_text(&node.name()));
    }

    fn visit_call_node(&mut self, node: &ruby_prism::CallNode<'pr>) {
        self.calls_newfunction |= node.name().as_slice() == b"newfunction" && node.opening_loc().is_some();
        ruby_prism::visit_call_node(self, node);
    }
}

pub(crate) fn unsupported(what: &'static str) -> RubyExpression {
    RubyExpression { range: TextRange::default(), kind: Box::new(RubyExpressionKind::Unsupported(what)) }
}

fn follow(text: &str) -> Option<Vec<RubyExpression>> {
    let parsed = ruby_prism::parse(text.as_bytes());
    if parsed.errors().next().is_some() {
        return None;
    }
    Some(lower::file_program(&parsed.node(), text, false))
}
