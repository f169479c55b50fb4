//! `lookup_in_parameter`: `lookup()` as the default of a parameter.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let mut depth: Option<i32> = None;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            Kind::Class | Kind::Define => {
                let name = tokens.next_code(at).filter(|&it| tokens.kind(it) == Kind::Name);
                if name.is_some_and(|it| tokens.next_code_kind(it) == Some(Kind::LeftParen)) {
                    depth = Some(0);
                }
            }
            Kind::LeftParen => depth = depth.map(|it| it + 1),
            Kind::RightParen => depth = depth.map(|it| it - 1).filter(|&it| it != 0),
            Kind::FunctionName if depth.is_some() && tokens.value(at) == "lookup" => {
                report.at(at, "the default of the parameter is looked up");
            }
            _ => {}
        }
    }
}
