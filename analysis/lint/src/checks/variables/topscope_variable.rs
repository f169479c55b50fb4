//! `topscope_variable`: `$::module::name`, where `$module::name` says the same.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::strings::is_qualified_from_top;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    if manifest.definitions().is_empty() {
        return;
    }
    for variable in manifest.tokens.of(Kind::Variable) {
        let value = manifest.tokens.value(variable);
        if is_qualified_from_top(value) {
            let start = manifest.tokens.get(variable).value_start;
            report
                .at(variable, format!("`${}` says the same as `${value}`", &value[2..]))
                .fix([Edit::remove(start, start + 2)]);
        }
    }
}
