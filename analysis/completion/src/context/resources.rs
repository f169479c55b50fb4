//! Resource whose attributes are at the cursor.

use hir::ReferenceKind;
use syntax::{SyntaxKind::*, SyntaxNode, SyntaxToken};

use super::position::ResourceAtCursor;
use super::walk::{BracketLevel, BracketStep};

/// Returns the resource whose attributes are being written at an offset, the attribute at the offset, and the
/// offset of the opening brace.
pub fn resource_around(root: &SyntaxNode, offset: u32) -> Option<(ResourceAtCursor, Option<String>, u32)> {
    let inside =
        root.tokens_at(offset).find(|it| it.text_range().start < offset && offset < it.text_range().end);
    let start = inside.filter(|it| !it.kind().is_trivia()).map_or(offset, |it| it.text_range().start);
    let mut level = BracketLevel::before(root, start);
    loop {
        let opener = level.opener.clone()?;
        let parent = opener.parent()?;
        match (opener.kind(), parent.kind()) {
            (L_BRACE, BLOCK | CLASS_DEFINITION | CASE_EXPR) | (PIPE, _) => return None,
            (
                L_BRACE,
                RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | COLLECT_EXPR | UNTITLED_RESOURCE,
            ) => {
                let resource = resource_of(&level, &opener)?;
                let is_body = matches!(parent.kind(), RESOURCE_EXPR | UNTITLED_RESOURCE);
                let own = level.until(&[SEMICOLON]);
                if is_body && !own.iter().any(|step| matches!(step.kind(), COLON | FAT_ARROW)) {
                    return None;
                }
                let pair = level.until(&[COMMA, SEMICOLON, COLON]);
                let name = pair.last().filter(|it| !matches!(it, BracketStep::Group { .. }));
                let name = name.map(|it| it.last().text().to_owned());
                let word = root.tokens_at(offset).find(|it| it.text_range().start < offset);
                let name = name.or_else(|| Some(word.filter(|it| it.kind() == NAME)?.text().to_owned()));
                return Some((resource, name, opener.text_range().start));
            }
            _ => level = level.outer()?,
        }
    }
}

/// Returns the resource described by the braces that `opener` opens, with the title of the body before the
/// cursor.
pub(super) fn resource_of(level: &BracketLevel, opener: &SyntaxToken) -> Option<ResourceAtCursor> {
    let outer = BracketLevel::before_token(opener);
    let name = outer.steps.iter().find(|step| !matches!(step, BracketStep::Group { .. }))?;
    let BracketStep::Token(name) = name else { return None };
    match name.kind() {
        CLASS_KW => {
            let own = level.until(&[SEMICOLON]);
            let colon = own.iter().position(|step| step.is(COLON));
            let title = colon.and_then(|at| own.get(at + 1)).map(|step| unquoted(step.last().text()));
            Some(ResourceAtCursor::Class(
                title.unwrap_or_default().trim_start_matches("::").to_ascii_lowercase(),
            ))
        }
        NAME | CLASSREF => {
            let name = name.text().trim_start_matches("::").to_ascii_lowercase();
            if ReferenceKind::is_class(&name) {
                // `Class['x'] { }`
                let title = outer.steps.first().and_then(|step| match step {
                    BracketStep::Group { close, .. } => close.prev_token(),
                    BracketStep::Token(_) => None,
                });
                return Some(ResourceAtCursor::Class(unquoted(title?.text()).to_ascii_lowercase()));
            }
            Some(ResourceAtCursor::OfType(name))
        }
        _ => None,
    }
}

pub(crate) fn unquoted(text: &str) -> &str {
    let inner = text.strip_prefix(['\'', '"']).unwrap_or(text);
    inner.strip_suffix(['\'', '"']).unwrap_or(inner)
}
