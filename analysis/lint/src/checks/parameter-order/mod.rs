//! `parameter_order`: a required parameter after an optional one.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let of_definitions = manifest.definitions().iter().filter_map(|it| it.parameters.clone());
    for parameters in of_definitions.chain(manifest.plan_parameters()) {
        let mut depth = [0_i32; 2];
        let mut has_default = false;
        for at in parameters {
            match tokens.kind(at) {
                TokenKind::LeftParen => depth[0] += 1,
                TokenKind::RightParen => depth[0] = (depth[0] - 1).max(0),
                TokenKind::LeftBrace | TokenKind::LeftBracket => depth[1] += 1,
                TokenKind::RightBrace | TokenKind::RightBracket => depth[1] = (depth[1] - 1).max(0),
                TokenKind::Equal => has_default = true,
                TokenKind::Variable
                    if depth == [0; 2] && has_default && is_required_parameter(manifest, at) =>
                {
                    report.at(at, "required parameter after an optional one");
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
        Some(
            TokenKind::LeftParen
                | TokenKind::Comma
                | TokenKind::Type
                | TokenKind::RightBracket
                | TokenKind::ClassRef
        )
    );
    begins_one
        && matches!(tokens.next_code_kind(variable), None | Some(TokenKind::Comma | TokenKind::RightParen))
}
