//! `version_comparison`: a version that is compared as a number.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for variable in tokens.of(Kind::Variable) {
        let name = tokens.value(variable);
        if !(name.ends_with("version") || name.ends_with("release")) {
            continue;
        }
        let Some(operator) = tokens.next_code(variable) else { continue };
        let other = tokens.next_code(operator);
        let compares = match tokens.kind(operator) {
            Kind::GreaterEqual | Kind::Greater | Kind::LessEqual | Kind::Less => true,
            Kind::EqualEqual | Kind::NotEqual => tokens.kind_of(other) == Some(Kind::Number),
            _ => false,
        };
        let Some(other) = other.filter(|_| compares) else { continue };
        let (left, right) = (*tokens.get(variable), *tokens.get(other));
        let value = tokens.value(other);
        report.at(variable, "a version is compared as a number").fix([
            Edit::insert(left.start, "versioncmp("),
            Edit::insert(left.end, format!(", '{value}')")),
            Edit::replace(right.start, right.end, "0"),
        ]);
    }
}
