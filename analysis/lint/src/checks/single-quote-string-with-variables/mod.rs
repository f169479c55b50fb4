//! `single_quote_string_with_variables`: `${` in a string in which nothing is interpolated.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for string in tokens.of(TokenKind::SingleQuoted).filter(|&it| tokens.value(it).contains("${")) {
        let is_template = string >= 2 && {
            let function = tokens.value(string - 2);
            function.contains("inline_epp") || function.contains("inline_template")
        };
        if !is_template {
            report.at(string, "single-quoted string contains a variable");
        }
    }
}
