//! Parameters of a class or defined type: name, data type, default.

use std::ops::Range;

use crate::manifest::{ClassLike, Manifest};
use crate::token::TokenKind;

/// Parameter: the token of its name, and the tokens of its data type and default, which may be empty.
pub(crate) struct ParameterTokens {
    pub(crate) name: usize,
    pub(crate) data_type: Range<usize>,
    pub(crate) default: Range<usize>,
}

impl ParameterTokens {
    /// Returns true if the data type begins with a built-in type that `accepts` returns true for.
    pub(crate) fn has_type(&self, manifest: &Manifest, accepts: impl Fn(&str) -> bool) -> bool {
        !self.data_type.is_empty()
            && manifest.tokens.kind(self.data_type.start) == TokenKind::Type
            && accepts(manifest.tokens.value(self.data_type.start))
    }

    /// Returns true if there is a default without calls whose first token is one that `accepts` returns true
    /// for.
    pub(crate) fn has_plain_default(&self, manifest: &Manifest, accepts: impl Fn(TokenKind) -> bool) -> bool {
        let calls = |it: usize| matches!(manifest.tokens.kind(it), TokenKind::Dot | TokenKind::LeftParen);
        !self.default.is_empty()
            && !self.default.clone().any(calls)
            && accepts(manifest.tokens.kind(self.default.start))
    }
}

pub(crate) fn parameters(manifest: &Manifest, definition: &ClassLike) -> Vec<ParameterTokens> {
    let tokens = &manifest.tokens;
    let Some(range) = definition.parameters.clone() else { return Vec::new() };
    let mut found = Vec::new();
    let mut begin = range.start;
    let mut depth = 0_i32;
    for at in range.clone() {
        match tokens.kind(at) {
            TokenKind::LeftParen | TokenKind::LeftBracket | TokenKind::LeftBrace => depth += 1,
            TokenKind::RightParen | TokenKind::RightBracket | TokenKind::RightBrace => depth -= 1,
            TokenKind::Comma if depth <= 0 => {
                found.extend(parameter(manifest, begin..at));
                begin = at + 1;
            }
            _ => {}
        }
    }
    found.extend(parameter(manifest, begin..range.end));
    found
}

/// Parses the parameter in `range`, which extends from comma to comma.
fn parameter(manifest: &Manifest, range: Range<usize>) -> Option<ParameterTokens> {
    let tokens = &manifest.tokens;
    let is_code = |it: &usize| !tokens.kind(*it).is_formatting();
    let name = range.clone().find(|&it| tokens.kind(it) == TokenKind::Variable)?;
    let first = range.clone().find(is_code)?;
    let equal = (name..range.end).find(|&it| tokens.kind(it) == TokenKind::Equal);
    let default = match equal.and_then(|equal| (equal + 1..range.end).find(is_code)) {
        Some(start) => start..(start..range.end).rev().find(is_code).map_or(start, |last| last + 1),
        None => 0..0,
    };
    Some(ParameterTokens { name, data_type: first..name, default })
}
