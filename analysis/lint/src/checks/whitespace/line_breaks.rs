//! Empty lines: two in a row, at the beginning and at the end of the file.

use crate::manifest::Manifest;
use crate::report::{Edit, Report};
use crate::token::{Kind, Token};

/// `manifest_whitespace_two_empty_lines`
pub(crate) fn two_empty(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let mut in_a_row = 0;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            Kind::Newline => {
                in_a_row += 1;
                if in_a_row > 2 {
                    remove(manifest, at, "there are two empty lines in a row", report);
                }
            }
            Kind::Whitespace | Kind::Indent => {}
            _ => in_a_row = 0,
        }
    }
}

/// `manifest_whitespace_newline_beginning_of_file`
pub(crate) fn at_beginning(manifest: &Manifest, report: &mut Report) {
    for at in manifest.tokens.indexes().take_while(|&it| manifest.tokens.kind(it) == Kind::Newline) {
        remove(manifest, at, "the file begins with an empty line", report);
    }
}

/// `manifest_whitespace_missing_newline_end_of_file`
pub(crate) fn missing_at_end(manifest: &Manifest, report: &mut Report) {
    let Some(last) = manifest.tokens.indexes().last() else { return };
    let Token { kind, end, .. } = *manifest.tokens.get(last);
    if kind != Kind::Newline {
        report.at(last, "the last line has no end").fix([Edit::insert(end, "\n")]);
    }
}

/// `manifest_whitespace_double_newline_end_of_file`
pub(crate) fn double_at_end(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    let is_newline = |it: &usize| tokens.kind(*it) == Kind::Newline;
    let at_end = tokens.indexes().rev().take_while(is_newline).count();
    for at in tokens.indexes().rev().take(at_end.saturating_sub(1)) {
        remove(manifest, at, "the file ends with an empty line", report);
    }
}

fn remove(manifest: &Manifest, newline: usize, message: &str, report: &mut Report) {
    let Token { start, end, .. } = *manifest.tokens.get(newline);
    report.at(newline, message).fix([Edit::remove(start, end)]);
}
