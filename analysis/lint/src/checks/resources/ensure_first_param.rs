//! `ensure_first_param`: `ensure` that is not the first attribute.

use crate::manifest::{Manifest, Resource};
use crate::report::{Edit, Report};
use crate::token::Kind;

pub(crate) fn check(manifest: &Manifest, report: &mut Report) {
    let tokens = &manifest.tokens;
    for resource in manifest.resources().iter().filter(|it| tokens.kind(it.type_name) != Kind::Class) {
        let place = resource.attributes.iter().position(|&it| tokens.value(it) == "ensure");
        if let Some(place) = place.filter(|&it| it > 0) {
            let ensure = resource.attributes[place];
            let edits = swap(manifest, resource, ensure);
            report.at(ensure, "`ensure` is not the first attribute").fix(edits.into_iter().flatten());
        }
    }
}

/// `ensure` and the first attribute change places.
fn swap(manifest: &Manifest, resource: &Resource, ensure: usize) -> Option<[Edit; 2]> {
    let tokens = &manifest.tokens;
    let first = *resource.attributes.first()?;
    let first_end = tokens.next_of(first, &[Kind::Comma]).filter(|&it| it < ensure)?;
    let ensure_end = tokens.next_of(ensure, &[Kind::Comma, Kind::Semicolon])?;
    let text = |from: usize, to: usize| (tokens.get(from).start, tokens.get(to).start);
    let (first, ensure) = (text(first, first_end), text(ensure, ensure_end));
    let source = |(start, end): (u32, u32)| manifest.text[start as usize..end as usize].to_owned();
    Some([Edit::replace(first.0, first.1, source(ensure)), Edit::replace(ensure.0, ensure.1, source(first))])
}
