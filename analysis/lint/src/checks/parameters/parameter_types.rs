//! `parameter_types`: a parameter without a data type.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
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
                    if kind == Kind::Type || name.starts_with(|it: char| it.is_ascii_uppercase()) {
                        state = State::Type;
                    } else if kind == Kind::Variable {
                        report.at(at, format!("`{name}`, a parameter of `{owner}`, has no data type"));
                        state = State::Value;
                    }
                }
                State::Type if kind == Kind::Variable => state = State::Value,
                State::Type => {}
                State::Value => match kind {
                    Kind::LeftParen | Kind::LeftBrace | Kind::LeftBracket => depth += 1,
                    Kind::RightParen | Kind::RightBrace | Kind::RightBracket => depth = (depth - 1).max(0),
                    Kind::Comma if depth == 0 => state = State::Begin,
                    _ => {}
                },
            }
        }
    }
}

#[derive(Clone, Copy)]
enum State {
    /// Behind a comma.
    Begin,
    /// In a data type.
    Type,
    /// Behind the name.
    Value,
}
