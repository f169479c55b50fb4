//! `topscope_variable`: `$::module::name`, which is equivalent to `$module::name`.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::strings::is_qualified_from_top;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    if manifest.definitions().is_empty() {
        return;
    }
    for variable in manifest.tokens.of(TokenKind::Variable) {
        let value = manifest.tokens.value(variable);
        if is_qualified_from_top(value) {
            let start = manifest.tokens.get(variable).value_start;
            report
                .at(variable, format!("top-scope variable; use `${}`", &value[2..]))
                .fix([Edit::remove(start, start + 2)]);
        }
    }
}
