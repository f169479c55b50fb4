//! The recovering reading: what to do where a text does not fit the grammar.
//!
//! Only a text that the plain grammar has refused is read so. Then, and only then, the way the text is laid out counts, as far
//! as it can be trusted ([`layout`]): each statement is read within the lines that its indentation gives it, first plainly; and
//! only one that does not fit is taken apart. The grammar asks here where it finds an error, and (by
//! [`Parser::recovering_and`](crate::parser::Parser::recovering_and)) where something may be missing before it has come to one.
//!
//! One mistake gives one report: after an error nothing is reported until something fits again.

pub(crate) mod blocks;
pub(crate) mod calls;
pub(crate) mod conditionals;
pub(crate) mod definitions;

pub(crate) mod layout;
pub(crate) mod lists;
pub(crate) mod neatness;
pub(crate) mod repair;
pub(crate) mod resources;
pub(crate) mod statements;
pub(crate) mod strings;
pub(crate) mod titles;

use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*, TextRange};

pub(crate) use layout::Layout;

/// What the recovering reading knows beside the tokens.
pub(crate) struct Recovery {
    pub(crate) layout: Layout,
    /// Errors are held back until something has been read that fits again.
    pub(crate) quiet: bool,
    /// What is being read, the innermost last.
    inside: Vec<RecoveryContext>,
}

/// Something that is being read, as far as it matters to what may be missing in it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecoveryContext {
    /// The block of an `if`, `elsif` or `unless`: `else` may follow it.
    ConditionalBlock,
    /// The block of an option of a case: another option may follow it.
    OptionBlock,
    /// Any other block.
    Block,
    /// A condition, or what a case compares: braces behind it are not its.
    Condition,
    /// A list with commas, and how many errors there were before it.
    List { errors: usize },
}

impl Recovery {
    pub(crate) fn new(layout: Layout) -> Recovery {
        Recovery { layout, quiet: false, inside: Vec::new() }
    }

    /// Within blocks, the innermost last.
    pub(crate) fn within(layout: Layout, inside: Vec<RecoveryContext>) -> Recovery {
        Recovery { inside, ..Recovery::new(layout) }
    }

    /// A token has been read that fits: where something begins or ends, errors may be reported again; behind a comma only if
    /// the list had none so far.
    pub(crate) fn has_read(&mut self, kind: SyntaxKind, errors: usize) {
        match kind {
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE | R_PAREN
            | R_BRACK | R_BRACE | PIPE | INTERPOLATION_END | EPP_CLOSE_EXPR | SEMICOLON | COLON
            | COLLECT_END | EXPORTED_END => self.quiet = false,
            COMMA => match self.inside.last() {
                Some(RecoveryContext::List { errors: before }) if *before == errors => self.quiet = false,
                _ => {}
            },
            _ => {}
        }
    }
}

impl Parser<'_> {
    /// Runs `parse`, which reads what `inside` says.
    pub(crate) fn inside<T>(&mut self, inside: RecoveryContext, parse: impl FnOnce(&mut Self) -> T) -> T {
        if let Some(recovery) = self.recovery() {
            recovery.inside.push(inside);
        }
        let result = parse(self);
        if let Some(recovery) = self.recovery() {
            recovery.inside.pop();
        }
        result
    }

    /// The same for a list with commas.
    pub(crate) fn inside_list<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let errors = self.error_count();
        self.inside(RecoveryContext::List { errors }, parse)
    }

    /// What follows fits again: errors may be reported.
    pub(crate) fn speak(&mut self) {
        if let Some(recovery) = self.recovery() {
            recovery.quiet = false;
        }
    }

    /// Do the lines of the text say where something begins?
    pub(crate) fn trusts_lines(&self) -> bool {
        self.recovery_ref().is_some_and(|it| it.layout.is_known())
    }

    fn is_in_condition(&self) -> bool {
        self.recovery_ref().is_some_and(|it| it.inside.last() == Some(&RecoveryContext::Condition))
    }

    /// May `else` follow the block that is being read?
    fn is_in_conditional_block(&self) -> bool {
        let inside = self.recovery_ref().map_or(&[][..], |it| &it.inside);
        let is_block = |it: &&RecoveryContext| {
            matches!(
                it,
                RecoveryContext::Block | RecoveryContext::OptionBlock | RecoveryContext::ConditionalBlock
            )
        };
        inside.iter().rev().find(is_block) == Some(&RecoveryContext::ConditionalBlock)
    }

    /// Is there a case around what is being read?
    fn is_in_case(&self) -> bool {
        self.recovery_ref().is_some_and(|it| it.inside.contains(&RecoveryContext::OptionBlock))
    }

    /// Is the token `ahead` the first on its line, as far as lines can be trusted?
    pub(crate) fn is_first_on_line(&self, ahead: usize) -> bool {
        let (_, at, _) = self.tokens();
        self.recovery_ref().is_some_and(|it| it.layout.is_first_on_line(at + ahead))
    }

    /// How deep the line is indented that the token `ahead` is the first of, as far as lines can be trusted.
    pub(crate) fn indentation(&self, ahead: usize) -> Option<u32> {
        let (_, at, _) = self.tokens();
        self.recovery_ref().and_then(|it| it.layout.indentation_before(at + ahead))
    }

    /// Does the token `ahead` begin a line, no deeper than the line of `open`?
    pub(crate) fn is_outside_of(&self, ahead: usize, open: TextRange) -> bool {
        let (_, at, _) = self.tokens();
        self.recovery_ref().is_some_and(|it| it.layout.is_outside_of(at + ahead, open))
    }
}

/// How the depth of brackets changes with a token of this kind.
fn depth_behind(kind: SyntaxKind, depth: usize) -> usize {
    match kind {
        L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE
        | INTERPOLATION_START => depth + 1,
        R_PAREN | R_BRACK | R_BRACE | INTERPOLATION_END => depth.saturating_sub(1),
        _ => depth,
    }
}
