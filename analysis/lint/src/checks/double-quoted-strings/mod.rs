//! `double_quoted_strings`: double quotes around a string that does not need them.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for string in tokens.of(TokenKind::DoubleQuoted) {
        if !needs_double_quotes(tokens.value(string), tokens.get(string).column) {
            report
                .at(string, "double-quoted string without variables or escapes")
                .fix(quoted(manifest, string));
        }
    }
}

/// Returns true if the string contains an escape, a quote, a line break, or something that puppet-lint takes
/// for a line break: spaces up to the column of the string.
fn needs_double_quotes(value: &str, column: u32) -> bool {
    let escapes = ["\\$", "\\\"", "\\'", "'", "\r", "\t", "\\t", "\\s", "\n", "\\n", "\\\\"];
    let has_long_run = || value.split(|it| it != ' ').any(|spaces| spaces.len() >= column as usize);
    escapes.iter().any(|it| value.contains(it)) || has_long_run()
}
