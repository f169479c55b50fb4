//! `exec_idempotency`: a command that runs every time.

use crate::manifest::{Manifest, ResourceSpan};
use crate::report::CheckReport;
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    for resource in manifest.resources().iter().filter(|it| manifest.tokens.value(it.type_name) == "exec") {
        if !has_condition(manifest, resource) {
            report.at(resource.colon, "`exec` without `onlyif`, `unless`, `creates` or `refreshonly`");
        }
    }
}

fn has_condition(manifest: &Manifest, resource: &ResourceSpan) -> bool {
    let tokens = &manifest.tokens;
    let mut at = resource.colon;
    while let Some(name) =
        tokens.next_of(at, &[TokenKind::Name, TokenKind::Unless]).filter(|&it| it <= resource.end)
    {
        let is_condition = matches!(tokens.value(name), "onlyif" | "unless" | "creates" | "refreshonly");
        if is_condition && tokens.next_code_kind(name) == Some(TokenKind::FatArrow) {
            return true;
        }
        at = name;
    }
    false
}
