//! `version_comparison`: a version that is compared as a number.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.of(TokenKind::Variable) {
        let name = tokens.value(variable);
        if !(name.ends_with("version") || name.ends_with("release")) {
            continue;
        }
        let Some(operator) = tokens.next_code(variable) else { continue };
        let other = tokens.next_code(operator);
        let compares = match tokens.kind(operator) {
            TokenKind::GreaterEqual | TokenKind::Greater | TokenKind::LessEqual | TokenKind::Less => true,
            TokenKind::EqualEqual | TokenKind::NotEqual => tokens.kind_of(other) == Some(TokenKind::Number),
            _ => false,
        };
        let Some(other) = other.filter(|_| compares) else { continue };
        let (left, right) = (*tokens.get(variable), *tokens.get(other));
        let value = tokens.value(other);
        let finding = report.at(variable, "version compared as a number");
        if !matches!(
            tokens.kind(other),
            TokenKind::Number | TokenKind::DoubleQuoted | TokenKind::SingleQuoted
        ) {
            continue;
        }
        finding.fix([
            Edit::insert(left.start, "versioncmp("),
            Edit::insert(left.end, format!(", '{value}')")),
            Edit::replace(right.start, right.end, "0"),
        ]);
    }
}
