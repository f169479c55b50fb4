//! `exec_idempotency`: a command that runs every time.

use crate::manifest::{Manifest, Resource};
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    for resource in manifest.resources().iter().filter(|it| manifest.tokens.value(it.type_name) == "exec") {
        if !has_condition(manifest, resource) {
            report.at(
                resource.colon,
                "the command runs every time: none of `onlyif`, `unless`, `creates`, `refreshonly`",
            );
        }
    }
}

fn has_condition(manifest: &Manifest, resource: &Resource) -> bool {
    let tokens = &manifest.tokens;
    let mut at = resource.colon;
    while let Some(name) = tokens.next_of(at, &[Kind::Name, Kind::Unless]).filter(|&it| it <= resource.end) {
        let is_condition = matches!(tokens.value(name), "onlyif" | "unless" | "creates" | "refreshonly");
        if is_condition && tokens.next_code_kind(name) == Some(Kind::FatArrow) {
            return true;
        }
        at = name;
    }
    false
}
