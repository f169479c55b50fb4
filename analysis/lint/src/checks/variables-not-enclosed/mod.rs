//! `variables_not_enclosed`: a variable in a string without braces.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.of(TokenKind::UnenclosedVariable) {
        let token = *tokens.get(variable);
        let name = tokens.value(variable);
        let dash = name.find('-');
        let end = token.value_start + dash.unwrap_or(name.len()) as u32;
        let rest = &manifest.text[end as usize..];
        let accesses = if dash.is_none() { &rest[..accesses(rest) as usize] } else { "" };
        let message = if accesses.is_empty() {
            "variable not enclosed in braces".to_owned()
        } else {
            format!("variable not enclosed in braces, so `{accesses}` is literal text")
        };
        let finding = report.at(variable, message);
        let end = end + accesses.len() as u32;
        finding.fix([Edit::insert(token.value_start, "{"), Edit::insert(end, "}")]);
        // In braces, the brackets become an access.
        finding.is_unsafe = !accesses.is_empty();
    }
}

/// Returns the length in bytes of the accesses at the beginning of `text`; 0 if one of them is empty, because
/// that is no access.
fn accesses(text: &str) -> u32 {
    if text.starts_with("[]") {
        return 0;
    }
    let mut depth = 0;
    for (at, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' if depth > 0 => depth -= 1,
            '\n' | '"' => return 0,
            _ => {}
        }
        if depth == 0 {
            let end = at + character.len_utf8();
            match character {
                ']' if !text[end..].starts_with('[') => return end as u32,
                ']' => {}
                _ => return 0,
            }
        }
    }
    0
}
