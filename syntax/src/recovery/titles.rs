//! Detection of resource titles.

use super::lookahead::{AheadToken, Lookahead};
use crate::grammar::resources::starts_attribute;
use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*};

/// Maximum number of tokens of a list that may be a title.
const MAX_TITLE_TOKENS: usize = 300;

/// Returns the position of the `:` after the title that begins at `ahead`; `None` if no title begins there.
pub(crate) fn colon_after_title(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    let end = match p.nth(ahead) {
        SQ_STRING | DQ_STRING | VARIABLE | DEFAULT_KW => ahead,
        DQ_START => end_of_string(p, ahead)?,
        LIST_START | L_BRACK => end_of_brackets(p, ahead)?,
        _ => return None,
    };
    (p.nth(end + 1) == COLON && p.nth(end + 2) != L_BRACE).then_some(end + 1)
}

/// Returns the last token of the string that begins at `ahead`.
pub(crate) fn end_of_string(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    let mut depth = 0usize;
    (ahead..ahead + MAX_TITLE_TOKENS).find(|at| {
        match p.nth(*at) {
            DQ_START => depth += 1,
            DQ_END => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Returns the closing token of the bracket at `ahead`.
pub(crate) fn end_of_brackets(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    let mut tokens = Lookahead::new(p, ahead..ahead + MAX_TITLE_TOKENS);
    tokens.find(|it| it.depth_after() == 0).map(|it| it.ahead)
}

/// Returns true if the braces that open here contain resource bodies, so that the resource type is missing
/// before them. In a hash, no attribute follows a `:`.
pub(crate) fn holds_resource_bodies(p: &Parser<'_>) -> bool {
    colon_after_title(p, 1).is_some_and(|colon| starts_attribute(p, colon + 1) && p.nth(colon + 1) != STAR)
}

/// Returns the position of the `:` after a title that has lost its bracket or has extra tokens, if attributes
/// follow the `:`.
pub(crate) fn colon_of_broken_title(p: &Parser<'_>) -> Option<usize> {
    for AheadToken { ahead, kind, .. } in Lookahead::new(p, 0..MAX_TITLE_TOKENS).filter(|it| it.depth == 0) {
        match kind {
            COLON => return follows_colon(p, ahead + 1).then_some(ahead),
            L_BRACE if ahead > 0 && p.text_of(ahead - 1) == "$" => {}
            L_BRACE | R_BRACE | FAT_ARROW | PLUS_ARROW | SEMICOLON | EQ => return None,
            kind if ends_search(kind) => return None,
            _ => {}
        }
    }
    None
}

fn ends_search(kind: SyntaxKind) -> bool {
    kind.is_keyword() && !matches!(kind, DEFAULT_KW | AND_KW | OR_KW | IN_KW)
}

/// Returns true if the token `ahead` can follow the `:` of a title.
fn follows_colon(p: &Parser<'_>, ahead: usize) -> bool {
    starts_attribute(p, ahead) || matches!(p.nth(ahead), R_BRACE | SEMICOLON)
}
