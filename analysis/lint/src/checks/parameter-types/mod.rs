//! `parameter_types`: a parameter without a data type.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for definition in manifest.definitions() {
        let owner = manifest.tokens.value(definition.name);
        let mut state = State::Begin;
        let mut depth = 0_i32;
        for at in definition.parameters.clone().unwrap_or_default() {
            let kind = manifest.tokens.kind(at);
            match state {
                _ if kind.is_formatting() => {}
                State::Begin => {
                    depth = 0;
                    let name = manifest.tokens.value(at);
                    if kind == TokenKind::Type || name.starts_with(|it: char| it.is_ascii_uppercase()) {
                        state = State::Type;
                    } else if kind == TokenKind::Variable {
                        report.at(at, format!("parameter `{name}` of `{owner}` has no data type"));
                        state = State::Value;
                    }
                }
                State::Type if kind == TokenKind::Variable => state = State::Value,
                State::Type => {}
                State::Value => match kind {
                    TokenKind::LeftParen | TokenKind::LeftBrace | TokenKind::LeftBracket => depth += 1,
                    TokenKind::RightParen | TokenKind::RightBrace | TokenKind::RightBracket => {
                        depth = (depth - 1).max(0)
                    }
                    TokenKind::Comma if depth == 0 => state = State::Begin,
                    _ => {}
                },
            }
        }
    }
}

#[derive(Clone, Copy)]
enum State {
    /// After a comma.
    Begin,
    /// In a data type.
    Type,
    /// After the name.
    Value,
}
