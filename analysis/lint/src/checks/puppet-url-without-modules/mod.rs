//! `puppet_url_without_modules`: a `puppet:` URL that does not refer to the files of a module.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let is_text = |it: &usize| {
        matches!(tokens.kind(*it), TokenKind::SingleQuoted | TokenKind::DoubleQuoted | TokenKind::StringStart)
    };
    for string in tokens.indexes().filter(is_text) {
        let value = tokens.value(string);
        let Some(rest) = value.strip_prefix("puppet://") else { continue };
        let path =
            rest.split_once('/').map(|(host, path)| (host.len(), path)).filter(|(_, path)| !path.is_empty());
        if path.is_some_and(|(_, path)| path.starts_with("modules/")) {
            continue;
        }
        let start = tokens.get(string).value_start;
        let finding = report.at(string, "`puppet:` URL without `modules/`");
        if let Some(slash) = rest.find('/') {
            finding.fix([Edit::insert(start + ("puppet://".len() + slash + 1) as u32, "modules/")]);
        }
    }
}
