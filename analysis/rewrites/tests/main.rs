//! Tests of the rewrites.

mod epp;
mod params;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

use rewrites::ModuleTexts;

/// Returns the module `m` with the files of a fixture (`//- PATH`).
fn module(fixture: &str) -> ModuleTexts {
    let mut files: BTreeMap<String, Arc<str>> = BTreeMap::new();
    for part in fixture.split("//- ").skip(1) {
        let (path, text) = part.split_once('\n').expect("a path");
        files.insert(path.to_owned(), text.into());
    }
    ModuleTexts { name: "m".to_owned(), files }
}

/// Formats texts as a fixture.
fn fixture(files: &BTreeMap<String, Option<String>>) -> String {
    let mut out = String::new();
    for (path, text) in files {
        let _ = match text {
            Some(text) => write!(out, "//- {path}\n{text}"),
            None => writeln!(out, "//- {path} is deleted"),
        };
    }
    out
}
