//! `double_quoted_strings`: double quotes where nothing needs them.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::quoted;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for string in tokens.of(Kind::DoubleQuoted) {
        if !needs_double_quotes(tokens.value(string), tokens.get(string).column) {
            report.at(string, "nothing in the string needs double quotes").fix(quoted(manifest, string));
        }
    }
}

/// What an escape or a quote stands in, or a line break, or what looks like one: blanks up to the column of the string.
fn needs_double_quotes(value: &str, column: u32) -> bool {
    let escapes = ["\\$", "\\\"", "\\'", "'", "\r", "\t", "\\t", "\\s", "\n", "\\n", "\\\\"];
    let has_blanks = || value.split(|it| it != ' ').any(|blanks| blanks.len() >= column as usize);
    escapes.iter().any(|it| value.contains(it)) || has_blanks()
}
