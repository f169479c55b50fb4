//! Titles of resources, and what tells them from anything else.

use super::depth_behind;
use crate::grammar::resources::starts_attribute;
use crate::parser::Parser;
use crate::{SyntaxKind, SyntaxKind::*};

/// How far a list that may be a title is looked through.
const MAX_LENGTH: usize = 300;

/// Where the `:` behind a title stands that begins `ahead`; `None` if no title begins there.
pub(crate) fn colon_behind_title(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    let end = match p.nth(ahead) {
        SQ_STRING | DQ_STRING | VARIABLE | DEFAULT_KW => ahead,
        DQ_START => end_of_string(p, ahead)?,
        LIST_START | L_BRACK => end_of_brackets(p, ahead)?,
        _ => return None,
    };
    (p.nth(end + 1) == COLON && p.nth(end + 2) != L_BRACE).then_some(end + 1)
}

/// Where the string ends whose first token is `ahead`.
pub(crate) fn end_of_string(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    let mut depth = 0usize;
    (ahead..ahead + MAX_LENGTH).find(|at| {
        match p.nth(*at) {
            DQ_START => depth += 1,
            DQ_END => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// Where the brackets close that open `ahead`.
pub(crate) fn end_of_brackets(p: &Parser<'_>, ahead: usize) -> Option<usize> {
    let mut depth = 0;
    (ahead..ahead + MAX_LENGTH).find(|at| {
        depth = depth_behind(p.nth(*at), depth);
        depth == 0
    })
}

/// Does what stands in the braces that open here belong to a resource, so that its type is missing before them? In a hash
/// no attribute follows a `:`.
pub(crate) fn hold_bodies(p: &Parser<'_>) -> bool {
    colon_behind_title(p, 1).is_some_and(|colon| starts_attribute(p, colon + 1) && p.nth(colon + 1) != STAR)
}

/// The title has lost its bracket or has too much before its `:`: where that stands, if attributes follow it.
pub(crate) fn colon_of_broken_title(p: &Parser<'_>) -> Option<usize> {
    let mut depth = 0usize;
    for ahead in 0..MAX_LENGTH {
        match p.nth(ahead) {
            COLON if depth == 0 => return follows_colon(p, ahead + 1).then_some(ahead),
            L_BRACE if depth == 0 && ahead > 0 && p.text_of(ahead - 1) == "$" => depth = 1,
            EOF | L_BRACE | R_BRACE | FAT_ARROW | PLUS_ARROW | SEMICOLON | EQ if depth == 0 => return None,
            kind if depth == 0 && ends_search(kind) => return None,
            kind => depth = depth_behind(kind, depth),
        }
    }
    None
}

fn ends_search(kind: SyntaxKind) -> bool {
    kind.is_keyword() && !matches!(kind, DEFAULT_KW | AND_KW | OR_KW | IN_KW)
}

/// Can this stand behind the `:` of a title?
fn follows_colon(p: &Parser<'_>, ahead: usize) -> bool {
    starts_attribute(p, ahead) || matches!(p.nth(ahead), R_BRACE | SEMICOLON)
}
