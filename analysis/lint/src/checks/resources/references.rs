//! References to resources: a blank before the title, a title without quotes, a title with a capital letter.

use crate::manifest::Manifest;
use crate::report::Report;
use crate::strings::quoted;
use crate::token::Kind;

/// `resource_reference_without_whitespace`: a blank between a type and `[`.
pub(crate) fn without_whitespace(manifest: &Manifest, report: &mut Report) {
    // puppet-lint tells it as often as there are resources; where there is none, not at all.
    if !manifest.resources().is_empty() {
        blank_before_title(manifest, Kind::ClassRef, report);
    }
}

/// `resource_reference_chain_without_whitespace`: the same behind a type of Puppet's own.
pub(crate) fn chain_without_whitespace(manifest: &Manifest, report: &mut Report) {
    blank_before_title(manifest, Kind::Type, report);
}

fn blank_before_title(manifest: &Manifest, kind: Kind, report: &mut Report) {
    let tokens = &manifest.tokens;
    for reference in tokens.of(kind) {
        let has_blank = tokens.kind_of(tokens.next(reference)) == Some(Kind::Whitespace);
        if has_blank && tokens.next_code_kind(reference) == Some(Kind::LeftBracket) {
            report.at(reference, "there is a blank between the type and `[`");
        }
    }
}

/// `resource_reference_with_unquoted_title`
pub(crate) fn with_unquoted_title(manifest: &Manifest, report: &mut Report) {
    for title in titles(manifest).filter(|&it| manifest.tokens.kind(it) == Kind::Name) {
        report.at(title, "the title in the reference has no quotes").fix(quoted(manifest, title));
    }
}

/// `resource_reference_without_title_capital`
pub(crate) fn without_title_capital(manifest: &Manifest, report: &mut Report) {
    for title in titles(manifest).filter(|&it| manifest.tokens.kind(it) == Kind::ClassRef) {
        report.at(title, "the title in the reference begins with a capital letter");
    }
}

/// The first token in the brackets of each reference that is the value of an attribute for relationships.
fn titles(manifest: &Manifest) -> impl Iterator<Item = usize> {
    let tokens = &manifest.tokens;
    manifest.resources().iter().flat_map(move |resource| {
        let names = resource.attributes.iter().enumerate().filter(move |(_, it)| {
            matches!(tokens.value(**it), "require" | "subscribe" | "notify" | "before" | "consume" | "export")
        });
        names.flat_map(move |(place, &name)| {
            let end = resource.attributes.get(place + 1).copied().unwrap_or(resource.end);
            (name..end).filter_map(move |at| {
                let is_reference = tokens.kind(at) == Kind::ClassRef
                    && tokens.kind_of(tokens.next(at)) == Some(Kind::LeftBracket);
                is_reference.then_some(at + 2).filter(|&it| it < tokens.len())
            })
        })
    })
}
