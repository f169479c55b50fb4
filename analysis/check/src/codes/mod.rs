//! Codes that others find, by who finds them: a row each, and a page in `pages/`.

mod catalogs;
pub(crate) mod data;
mod evaluator;
mod metadata;
mod parser;
mod static_rules;
pub(crate) mod templates;

use crate::rule::{CodeRow, Rule};

/// All of them.
pub(crate) fn all() -> impl Iterator<Item = Rule> {
    let tables = [
        static_rules::CODES,
        evaluator::CODES,
        metadata::CODES,
        data::CODES,
        templates::CODES,
        catalogs::CODES,
    ];
    let parser = parser::CODES.iter().map(|row| row.rule(true));
    parser.chain(tables.into_iter().flatten().map(|row: &CodeRow| row.rule(false)))
}

/// Is this the code of a text that cannot be read as Puppet code?
pub(crate) fn is_syntax_error(code: &str) -> bool {
    parser::CODES.iter().any(|row| row.code == code)
}
