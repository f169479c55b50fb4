//! What one file alone shows: syntax errors, the static rules, and files that cannot be taken in.

use std::sync::Arc;

use project::{Contents, Db, File};
use syntax::validation::{ValidationSettings, validate};
use syntax::{Diagnostic, TextRange};

/// Syntax errors and the findings of the static rules, by position; one finding for a file that cannot be read.
#[salsa::tracked(returns(clone))]
pub fn syntax_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    if !project::file_kind(db, file).is_source() {
        return Arc::new([]);
    }
    let start = TextRange::empty(0);
    match file.contents(db) {
        Contents::Text(_) => {}
        Contents::Missing | Contents::Unread => return Arc::new([]),
        Contents::NotUtf8(Some(mark)) => {
            let message = format!("this file is {}", mark.complaint());
            return Arc::new([Diagnostic::error("byte-order-mark", start, message)]);
        }
        Contents::NotUtf8(None) => {
            let message = "this file is not valid UTF-8, so nothing in it is understood; save it as UTF-8";
            return Arc::new([Diagnostic::error("not-utf8", start, message)]);
        }
        Contents::Unreadable(why) => {
            let message = format!("this file cannot be read: {why}");
            return Arc::new([Diagnostic::error("unreadable-file", start, message)]);
        }
    }
    let parse = project::parse_once(db, file);
    let mut diagnostics = parse.errors().to_vec();
    if file.is_large(db) {
        let message = "this file is very large, so only its syntax and outline are worked out";
        diagnostics.push(Diagnostic::warning("large-file", start, message));
    } else {
        let strict =
            file.environments(db).first().map(|environment| environment.strict(db)).unwrap_or_default();
        let settings = ValidationSettings { strict, location: project::file_location(db, file).clone() };
        diagnostics.extend(validate(&parse, &settings));
    }
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end, it.severity));
    diagnostics.into()
}
