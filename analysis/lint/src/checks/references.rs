//! Checks for references to resources: a space before the title, a title without quotes, a title with an
//! uppercase letter.

use crate::manifest::Manifest;
use crate::report::CheckReport;
use crate::strings::quoted;
use crate::token::TokenKind;

/// `resource_reference_without_whitespace`: a space between a type and `[`.
pub(crate) fn without_whitespace(manifest: &Manifest, report: &mut CheckReport) {
    // puppet-lint reports this once per resource, and never in a file without resources.
    if !manifest.resources().is_empty() {
        blank_before_title(manifest, TokenKind::ClassRef, report);
    }
}

/// `resource_reference_chain_without_whitespace`: a space between a built-in type and `[`.
pub(crate) fn chain_without_whitespace(manifest: &Manifest, report: &mut CheckReport) {
    blank_before_title(manifest, TokenKind::Type, report);
}

fn blank_before_title(manifest: &Manifest, kind: TokenKind, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for reference in tokens.of(kind) {
        let has_blank = tokens.kind_of(tokens.next(reference)) == Some(TokenKind::Whitespace);
        if has_blank && tokens.next_code_kind(reference) == Some(TokenKind::LeftBracket) {
            report.at(reference, "whitespace between the type and `[`");
        }
    }
}

/// `resource_reference_with_unquoted_title`
pub(crate) fn with_unquoted_title(manifest: &Manifest, report: &mut CheckReport) {
    for title in titles(manifest).filter(|&it| manifest.tokens.kind(it) == TokenKind::Name) {
        report.at(title, "unquoted title in a reference").fix(quoted(manifest, title));
    }
}

/// `resource_reference_without_title_capital`
pub(crate) fn without_title_capital(manifest: &Manifest, report: &mut CheckReport) {
    for title in titles(manifest).filter(|&it| manifest.tokens.kind(it) == TokenKind::ClassRef) {
        report.at(title, "title in a reference begins with an uppercase letter");
    }
}

/// Returns the first token in the brackets of each reference that is the value of a relationship
/// metaparameter.
fn titles(manifest: &Manifest) -> impl Iterator<Item = usize> {
    let tokens = &manifest.tokens;
    manifest.resources().iter().flat_map(move |resource| {
        let names = resource.attributes.iter().enumerate().filter(move |(_, it)| {
            matches!(tokens.value(**it), "require" | "subscribe" | "notify" | "before" | "consume" | "export")
        });
        names.flat_map(move |(index, &name)| {
            let end = resource.attributes.get(index + 1).copied().unwrap_or(resource.end);
            (name..end).filter_map(move |at| {
                let is_reference = tokens.kind(at) == TokenKind::ClassRef
                    && tokens.kind_of(tokens.next(at)) == Some(TokenKind::LeftBracket);
                is_reference.then_some(at + 2).filter(|&it| it < tokens.len())
            })
        })
    })
}
