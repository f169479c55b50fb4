//! Refactorings at the cursor or for a selection. They preserve the catalog: `tests/catalogs` compiles real
//! classes before and after each kind.
//!
//! Each kind checks what could change the result and is not offered then. The edited text must parse without
//! errors.

mod conditionals;
mod context;
mod expressions;
mod extract_definition;
mod extract_variable;
mod includes;
mod inline_variable;
mod quotes;

use project::{Db, File};
use syntax::{Language, TextRange};

use self::context::AssistContext;
pub(crate) use self::context::apply;
use crate::code_action::CodeAction;

/// Returns the refactorings for a range of a manifest or plan without syntax errors.
pub fn assists(db: &dyn Db, file: File, range: TextRange) -> Vec<CodeAction> {
    let parse = project::parse(db, file);
    if parse.language() == Language::Epp || !parse.errors().is_empty() {
        return Vec::new();
    }
    let root = parse.syntax();
    let range = trimmed(parse.text(), range);
    let ctx = AssistContext { db, file, parse, root, range };
    let mut actions = Vec::new();
    actions.extend(extract_variable::extract_variable(&ctx));
    actions.extend(extract_definition::extract_definition(&ctx));
    actions.extend(inline_variable::inline_variable(&ctx));
    actions.extend(conditionals::rewrites(&ctx));
    actions.extend(includes::rewrites(&ctx));
    actions.extend(quotes::rewrites(&ctx));
    actions
}

/// Returns a range without the whitespace at its ends.
fn trimmed(text: &str, range: TextRange) -> TextRange {
    let Some(selected) = text.get(range.as_range()) else { return TextRange::empty(range.start) };
    let body = selected.trim();
    if body.is_empty() {
        return TextRange::empty(range.start);
    }
    let start = range.start + (selected.len() - selected.trim_start().len()) as u32;
    TextRange::new(start, start + body.len() as u32)
}
