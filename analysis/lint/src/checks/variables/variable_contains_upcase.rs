//! `variable_contains_upcase`: a capital letter in a variable's name. Mending it renames the variable where it stands, a
//! parameter too.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::strings::without_accesses;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for variable in tokens.indexes().filter(|&it| tokens.kind(it).is_variable()) {
        let value = tokens.value(variable);
        if without_accesses(value).contains(|it: char| it.is_ascii_uppercase()) {
            let token = *tokens.get(variable);
            report.at(variable, "there is a capital letter in the variable's name").fix([Edit::replace(
                token.value_start,
                token.value_end,
                value.to_lowercase(),
            )]);
        }
    }
}
