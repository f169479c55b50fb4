//! `file_mode`: a mode that is neither four octal digits nor symbolic.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in
        manifest.resources().iter().filter(|it| matches!(tokens.value(it.type_name), "file" | "concat"))
    {
        for &mode in resource.attributes.iter().filter(|&&it| tokens.value(it) == "mode") {
            let Some(value) = manifest.value_of(mode) else { continue };
            let is_open = matches!(
                tokens.kind(value),
                TokenKind::Variable | TokenKind::Undef | TokenKind::FunctionName
            );
            let text = tokens.value(value);
            if is_open || is_octal(text, 4) || is_symbolic(text) {
                break;
            }
            let token = *tokens.get(value);
            let finding = report.at(value, "mode is neither four octal digits nor symbolic");
            if is_octal(text, 3) {
                finding.fix([Edit::replace(token.start, token.end, format!("'0{text}'"))]);
            }
        }
    }
}

fn is_octal(text: &str, digits: usize) -> bool {
    text.len() == digits && text.bytes().all(|it| (b'0'..=b'7').contains(&it))
}

/// Returns true for clauses such as `u=rwx,go-w`.
fn is_symbolic(text: &str) -> bool {
    let is_clause = |clause: &str| {
        let rest = clause.trim_start_matches(['u', 'g', 'o', 'a']);
        rest.starts_with(['-', '=', '+']) && rest.chars().all(|it| "-=+rstwxXugo".contains(it))
    };
    text.split(',').all(is_clause)
}
