//! Queries of PuppetDB, in PQL or as JSON. Whatever is not understood is an error, never a query for less or more.

mod ast;
mod model;
mod pql;

pub use self::model::{Entity, Field, FieldKind, Filter, NumberOperator, PuppetDbQuery, SortKey};

impl PuppetDbQuery {
    /// Parses PQL, or JSON if the text begins with `[`.
    ///
    /// # Errors
    /// Fails with a reason if the query is malformed or not supported.
    pub fn parse(text: &str) -> Result<PuppetDbQuery, String> {
        if text.trim_start().starts_with('[') {
            let json = serde_json::from_str(text).map_err(|error| format!("malformed JSON: {error}"))?;
            ast::query(&json)
        } else {
            pql::query(text)
        }
    }
}
