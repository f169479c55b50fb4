//! What follows from one file alone.

use std::sync::Arc;

use syntax::validation::FileLocation;
use syntax::{Language, LineMap, Parse};

use crate::{Contents, Db, File, FilePlace};

/// The text of a file; `None` where it has none that can be read.
pub fn text(db: &dyn Db, file: File) -> Option<Arc<str>> {
    file.contents(db).text().cloned()
}

/// The language a file is written in, by its name and place.
#[salsa::tracked(returns(copy))]
pub fn language(db: &dyn Db, file: File) -> Language {
    if file.path(db).extension() == Some("epp") {
        return Language::Epp;
    }
    let is_plan = match file.place(db) {
        FilePlace::Module { relative, .. } => relative.starts_with("plans/"),
        FilePlace::Loose | FilePlace::MainManifest => false,
    };
    let tasks = || file.environments(db).first().is_some_and(|environment| environment.tasks(db));
    if is_plan || tasks() { Language::Plan } else { Language::Manifest }
}

/// The tree of a file, kept for the files used last. A file that cannot be read is an empty text.
#[salsa::tracked(returns(clone), no_eq, lru = 64)]
pub fn parse(db: &dyn Db, file: File) -> Parse {
    parse_text(db, file)
}

/// The tree of a file for one use: kept if the file is open, else made and given away.
pub fn parse_once(db: &dyn Db, file: File) -> Parse {
    if file.is_open(db) { parse(db, file) } else { parse_text(db, file) }
}

fn parse_text(db: &dyn Db, file: File) -> Parse {
    let text = file.contents(db).text().map(|text| &**text);
    syntax::parse(text.unwrap_or_default(), language(db, file))
}

/// Where the lines of a file begin.
#[salsa::tracked(returns(clone), lru = 64)]
pub fn line_map(db: &dyn Db, file: File) -> Arc<LineMap> {
    Arc::new(match file.contents(db) {
        Contents::Text(text) => LineMap::new(text),
        Contents::NotUtf8 | Contents::Unreadable(_) | Contents::Missing => LineMap::new(""),
    })
}

/// What may be defined in a file, as far as its place tells for certain.
pub fn file_location(db: &dyn Db, file: File) -> FileLocation {
    let _ = (db, file);
    FileLocation::Free
}
