//! Checks for empty lines: two in a row, at the beginning and at the end of the file.

use crate::manifest::Manifest;
use crate::report::{CheckReport, Edit};
use crate::token::{StyleToken, TokenKind};

/// `manifest_whitespace_two_empty_lines`
pub(crate) fn two_empty(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let mut in_a_row = 0;
    for at in tokens.indexes() {
        match tokens.kind(at) {
            TokenKind::Newline => {
                in_a_row += 1;
                if in_a_row > 2 {
                    remove(manifest, at, "two consecutive empty lines", report);
                }
            }
            TokenKind::Whitespace | TokenKind::Indent => {}
            _ => in_a_row = 0,
        }
    }
}

/// `manifest_whitespace_newline_beginning_of_file`
pub(crate) fn at_beginning(manifest: &Manifest, report: &mut CheckReport) {
    for at in manifest.tokens.indexes().take_while(|&it| manifest.tokens.kind(it) == TokenKind::Newline) {
        remove(manifest, at, "empty line at the beginning of the file", report);
    }
}

/// `manifest_whitespace_missing_newline_end_of_file`
pub(crate) fn missing_at_end(manifest: &Manifest, report: &mut CheckReport) {
    let Some(last) = manifest.tokens.indexes().last() else { return };
    let StyleToken { kind, end, .. } = *manifest.tokens.get(last);
    if kind != TokenKind::Newline {
        report.at(last, "missing line break at the end of the file").fix([Edit::insert(end, "\n")]);
    }
}

/// `manifest_whitespace_double_newline_end_of_file`
pub(crate) fn double_at_end(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    let is_newline = |it: &usize| tokens.kind(*it) == TokenKind::Newline;
    let at_end = tokens.indexes().rev().take_while(is_newline).count();
    for at in tokens.indexes().rev().take(at_end.saturating_sub(1)) {
        remove(manifest, at, "empty line at the end of the file", report);
    }
}

fn remove(manifest: &Manifest, newline: usize, message: &str, report: &mut CheckReport) {
    let StyleToken { start, end, .. } = *manifest.tokens.get(newline);
    report.at(newline, message).fix([Edit::remove(start, end)]);
}
