//! Error recovery for texts that do not fit the grammar.
//!
//! Recovery runs only on texts that the plain grammar rejected. Only then does the formatting of the text
//! count, as far as it can be trusted ([`layout`]): each statement is parsed within the lines that its
//! indentation suggests, first with the plain grammar, and only a statement that does not fit is parsed with
//! recovery. The grammar calls into this module where it finds an error, and (through
//! [`Parser::recovering_and`](crate::parser::Parser::recovering_and)) where something may be missing before
//! an error is reached.
//!
//! One mistake yields one error: after an error, further errors are muted until something fits again.

pub(crate) mod blocks;
pub(crate) mod calls;
pub(crate) mod conditionals;
pub(crate) mod definitions;

pub(crate) mod indentation_stats;
pub(crate) mod layout;
pub(crate) mod lists;
mod lookahead;
pub(crate) mod repair;
pub(crate) mod resources;
pub(crate) mod statements;
pub(crate) mod strings;
pub(crate) mod titles;

use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*, TextRange};

pub(crate) use layout::Layout;

/// State of the recovering parser besides the tokens.
pub(crate) struct Recovery {
    pub(crate) layout: Layout,
    /// True while errors are suppressed, until input that fits has been parsed again.
    pub(crate) errors_muted: bool,
    /// Enclosing constructs, innermost last.
    inside: Vec<RecoveryContext>,
}

/// Construct being parsed, as far as it determines what may be missing.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RecoveryContext {
    /// Block of an `if`, `elsif` or `unless`, which may be followed by `else`.
    ConditionalBlock,
    /// Block of a `case` option, which may be followed by another option.
    OptionBlock,
    /// Any other block.
    Block,
    /// Condition or control expression of a `case`: a following brace does not belong to it.
    Condition,
    /// Comma-separated list, with the number of errors before it.
    List { errors: usize },
}

impl Recovery {
    pub(crate) fn new(layout: Layout) -> Recovery {
        Recovery { layout, errors_muted: false, inside: Vec::new() }
    }

    /// Creates the state for a position within `inside`, innermost last.
    pub(crate) fn within(layout: Layout, inside: Vec<RecoveryContext>) -> Recovery {
        Recovery { inside, ..Recovery::new(layout) }
    }

    /// Records that a token fits.
    ///
    /// Tokens that begin or end a construct unmute errors; a comma does so only if its list has had no errors
    /// so far.
    pub(crate) fn record_token(&mut self, kind: SyntaxKind, errors: usize) {
        match kind {
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE | R_PAREN
            | R_BRACK | R_BRACE | PIPE | INTERPOLATION_END | EPP_CLOSE_EXPR | SEMICOLON | COLON
            | COLLECT_END | EXPORTED_END => self.errors_muted = false,
            COMMA => match self.inside.last() {
                Some(RecoveryContext::List { errors: before }) if *before == errors => {
                    self.errors_muted = false
                }
                _ => {}
            },
            _ => {}
        }
    }
}

impl Parser<'_> {
    /// Runs `parse` within the construct `inside`.
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

    /// Runs `parse` within a comma-separated list.
    pub(crate) fn inside_list<T>(&mut self, parse: impl FnOnce(&mut Self) -> T) -> T {
        let errors = self.error_count();
        self.inside(RecoveryContext::List { errors }, parse)
    }

    /// Allows errors to be reported again.
    pub(crate) fn unmute_errors(&mut self) {
        if let Some(recovery) = self.recovery() {
            recovery.errors_muted = false;
        }
    }

    /// Returns true if line breaks and indentation indicate where constructs begin.
    pub(crate) fn trusts_lines(&self) -> bool {
        self.recovery_ref().is_some_and(|it| it.layout.is_known())
    }

    fn is_in_condition(&self) -> bool {
        self.recovery_ref().is_some_and(|it| it.inside.last() == Some(&RecoveryContext::Condition))
    }

    /// Returns true if `else` may follow the block being parsed.
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

    /// Returns true within an option of a `case`.
    fn is_in_case(&self) -> bool {
        self.recovery_ref().is_some_and(|it| it.inside.contains(&RecoveryContext::OptionBlock))
    }

    /// Returns true if the token `ahead` is the first on its line and lines can be trusted.
    pub(crate) fn is_first_on_line(&self, ahead: usize) -> bool {
        let (_, at, _) = self.tokens();
        self.recovery_ref().is_some_and(|it| it.layout.is_first_on_line(at + ahead))
    }

    /// Returns the indentation of the line that begins with the token `ahead`, if lines can be trusted.
    pub(crate) fn indentation(&self, ahead: usize) -> Option<u32> {
        let (_, at, _) = self.tokens();
        self.recovery_ref().and_then(|it| it.layout.indentation_before(at + ahead))
    }

    /// Returns true if the token `ahead` begins a line that is indented no deeper than the line of `open`.
    pub(crate) fn is_outside_of(&self, ahead: usize, open: TextRange) -> bool {
        let (_, at, _) = self.tokens();
        self.recovery_ref().is_some_and(|it| it.layout.is_outside_of(at + ahead, open))
    }
}
