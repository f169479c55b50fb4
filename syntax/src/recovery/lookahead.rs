//! Search in the tokens ahead of the parser.

use std::ops::Range;

use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*};

/// Maximum number of tokens of most searches.
pub(super) const MAX_LOOKAHEAD: usize = 200;

/// Tokens that open a bracket.
pub(super) const OPENERS: [SyntaxKind; 7] =
    [L_PAREN, LINE_START_PAREN, L_BRACK, LIST_START, L_BRACE, SELECTOR_BRACE, INTERPOLATION_START];
/// Tokens that close a bracket.
pub(super) const CLOSERS: [SyntaxKind; 4] = [R_PAREN, R_BRACK, R_BRACE, INTERPOLATION_END];
/// Keywords of definitions.
pub(super) const DEFINITION_KEYWORDS: [SyntaxKind; 5] = [CLASS_KW, DEFINE_KW, NODE_KW, FUNCTION_KW, PLAN_KW];
/// Keywords of conditional statements.
pub(super) const CONDITIONAL_KEYWORDS: [SyntaxKind; 3] = [IF_KW, UNLESS_KW, CASE_KW];

/// Iterator over the tokens ahead of the parser, without the end of the file.
pub(super) struct Lookahead<'p, 'l> {
    parser: &'p Parser<'l>,
    tokens: Range<usize>,
    depth: usize,
}

/// Token ahead of the parser.
#[derive(Clone, Copy)]
pub(super) struct AheadToken {
    /// Distance from the current token.
    pub(super) ahead: usize,
    pub(super) kind: SyntaxKind,
    /// Number of brackets that the search has entered before the token.
    pub(super) depth: usize,
}

impl<'p, 'l> Lookahead<'p, 'l> {
    /// Searches the tokens at these distances from the current one.
    pub(super) fn new(parser: &'p Parser<'l>, tokens: Range<usize>) -> Lookahead<'p, 'l> {
        Lookahead { parser, tokens, depth: 0 }
    }

    /// Searches the rest of the current line.
    pub(super) fn on_this_line(parser: &'p Parser<'l>) -> impl Iterator<Item = AheadToken> + use<'p, 'l> {
        let tokens = Lookahead::new(parser, 0..MAX_LOOKAHEAD);
        tokens.take_while(|it| it.ahead == 0 || !parser.line_break_before(it.ahead))
    }
}

impl Iterator for Lookahead<'_, '_> {
    type Item = AheadToken;

    fn next(&mut self) -> Option<AheadToken> {
        let ahead = self.tokens.next()?;
        let kind = self.parser.nth(ahead);
        let token = AheadToken { ahead, kind, depth: self.depth };
        self.depth = token.depth_after();
        (kind != EOF).then_some(token)
    }
}

impl AheadToken {
    /// Returns the number of brackets that the search has entered after the token.
    pub(super) fn depth_after(self) -> usize {
        depth_after(self.kind, self.depth)
    }
}

/// Returns the bracket depth after a token of this kind.
pub(super) fn depth_after(kind: SyntaxKind, depth: usize) -> usize {
    if OPENERS.contains(&kind) {
        depth + 1
    } else if CLOSERS.contains(&kind) {
        depth.saturating_sub(1)
    } else {
        depth
    }
}
