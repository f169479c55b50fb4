//! `variable_contains_upcase`: an uppercase letter in a variable's name. The fix renames the variable at this
//! location only, even if it is a parameter.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::strings::without_accesses;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        let value = tokens.value(variable);
        if without_accesses(value).contains(|it: char| it.is_ascii_uppercase()) {
            let token = *tokens.get(variable);
            report.at(variable, "variable contains an uppercase letter").fix([Edit::replace(
                token.value_start,
                token.value_end,
                value.to_lowercase(),
            )]);
        }
    }
}
