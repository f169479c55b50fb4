//! `parameter_order`: a parameter that must be given behind one that need not.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for definition in manifest.definitions() {
        let mut depth = [0_i32; 2];
        let mut has_default = false;
        for at in definition.parameters.clone().unwrap_or_default() {
            match tokens.kind(at) {
                Kind::LeftParen => depth[0] += 1,
                Kind::RightParen => depth[0] = (depth[0] - 1).max(0),
                Kind::LeftBrace | Kind::LeftBracket => depth[1] += 1,
                Kind::RightBrace | Kind::RightBracket => depth[1] = (depth[1] - 1).max(0),
                Kind::Equal => has_default = true,
                Kind::Variable if depth == [0; 2] && has_default && is_required_parameter(manifest, at) => {
                    report.at(at, "a parameter that must be given stands behind one that need not");
                }
                _ => {}
            }
        }
    }
}

fn is_required_parameter(manifest: &Manifest, variable: usize) -> bool {
    let tokens = &manifest.tokens;
    let begins_one = matches!(
        tokens.previous_code_kind(variable),
        Some(Kind::LeftParen | Kind::Comma | Kind::Type | Kind::RightBracket | Kind::ClassRef)
    );
    begins_one && matches!(tokens.next_code_kind(variable), None | Some(Kind::Comma | Kind::RightParen))
}
