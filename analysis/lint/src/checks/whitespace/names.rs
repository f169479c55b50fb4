//! The blanks around the name of a class or defined type.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::Kind;

/// `manifest_whitespace_class_name_single_space_before`
pub(crate) fn before(manifest: &Manifest, report: &mut Report) {
    for definition in manifest.definitions() {
        single_space_behind(manifest, definition.keyword, "there is not one blank before the name", report);
    }
}

/// `manifest_whitespace_inherits_name_single_space_before`
pub(crate) fn before_inherited(manifest: &Manifest, report: &mut Report) {
    for inherits in manifest.tokens.of(Kind::Inherits) {
        single_space_behind(manifest, inherits, "there is not one blank before the inherited class", report);
    }
}

fn single_space_behind(manifest: &Manifest, keyword: usize, message: &str, report: &mut Report) {
    let tokens = &manifest.tokens;
    let Some(name) = name_behind(manifest, keyword) else { return };
    let Some(next) = tokens.next(keyword) else { return };
    if name == keyword + 2 && tokens.is_single_space(next) {
        return;
    }
    let token = *tokens.get(next);
    let finding = report.at(next, message);
    if token.kind == Kind::Whitespace {
        finding.fix([Edit::replace(token.start, token.end, " ")]);
    }
}

/// `manifest_whitespace_class_name_single_space_after`
pub(crate) fn after(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for definition in manifest.definitions() {
        let Some(name) = name_behind(manifest, definition.keyword) else { continue };
        let Some(next) = tokens.next_solid(name) else { continue };
        if next == name + 2 && tokens.is_single_space(name + 1) {
            continue;
        }
        let (end, start) = (tokens.get(name).end, tokens.get(next).start);
        report.at(name, "there is not one blank behind the name").fix([Edit::replace(end, start, " ")]);
    }
}

/// The name that follows a keyword, comments between them aside.
fn name_behind(manifest: &Manifest, keyword: usize) -> Option<usize> {
    let tokens = &manifest.tokens;
    tokens.next_code(keyword).filter(|&it| matches!(tokens.kind(it), Kind::Name | Kind::FunctionName))
}
