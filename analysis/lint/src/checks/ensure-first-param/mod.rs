//! `ensure_first_param`: `ensure` that is not the first attribute.

use crate::manifest::{Manifest, ResourceSpan};
use crate::report::{CheckReport, Edit};
use crate::token::TokenKind;

pub(crate) fn check(manifest: &Manifest, report: &mut CheckReport) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources().iter().filter(|it| tokens.kind(it.type_name) != TokenKind::Class) {
        let index = resource.attributes.iter().position(|&it| tokens.value(it) == "ensure");
        if let Some(index) = index.filter(|&it| it > 0) {
            let ensure = resource.attributes[index];
            let edits = swap(manifest, resource, ensure);
            report.at(ensure, "`ensure` is not the first attribute").fix(edits.into_iter().flatten());
        }
    }
}

/// Returns the edits that swap `ensure` with the first attribute.
fn swap(manifest: &Manifest, resource: &ResourceSpan, ensure: usize) -> Option<[Edit; 2]> {
    let tokens = &manifest.tokens;
    let first = *resource.attributes.first()?;
    let first_end = tokens.next_of(first, &[TokenKind::Comma]).filter(|&it| it < ensure)?;
    let ensure_end = tokens.next_of(ensure, &[TokenKind::Comma, TokenKind::Semicolon])?;
    let text = |from: usize, to: usize| (tokens.get(from).start, tokens.get(to).start);
    let (first, ensure) = (text(first, first_end), text(ensure, ensure_end));
    let source = |(start, end): (u32, u32)| manifest.text[start as usize..end as usize].to_owned();
    Some([Edit::replace(first.0, first.1, source(ensure)), Edit::replace(ensure.0, ensure.1, source(first))])
}
