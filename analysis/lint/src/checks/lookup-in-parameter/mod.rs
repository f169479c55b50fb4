//! `lookup_in_parameter`: `lookup()` as the default of a parameter.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let mut depth: Option<i32> = None;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            TokenKind::Class | TokenKind::Define => {
                let name = tokens.next_code(at).filter(|&it| tokens.kind(it) == TokenKind::Name);
                if name.is_some_and(|it| tokens.next_code_kind(it) == Some(TokenKind::LeftParen)) {
                    depth = Some(0);
                }
            }
            TokenKind::LeftParen => depth = depth.map(|it| it + 1),
            TokenKind::RightParen => depth = depth.map(|it| it - 1).filter(|&it| it != 0),
            TokenKind::FunctionName if depth.is_some() && tokens.value(at) == "lookup" => {
                report.at(at, "`lookup` in the default of a parameter");
            }
            _ => {}
        }
    }
}
