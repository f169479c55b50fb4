//! Changes of modules installed from a `Puppetfile`: Git tracks the file, but not the installed modules.

use std::collections::{BTreeMap, BTreeSet};

use ide::FilePath;

use crate::base::BaseRevision;

/// Notes the modules whose version changed although the installed one is used for both sides.
///
/// `was` and `is` are the names of modules with their versions, `installed` with their folders.
pub fn note_changes(
    base: &BaseRevision,
    was: Vec<(String, String)>,
    is: Vec<(String, String)>,
    installed: Vec<(String, FilePath)>,
) {
    let was: BTreeMap<String, String> = was.into_iter().collect();
    let is: BTreeMap<String, String> = is.into_iter().collect();
    let installed: BTreeMap<String, FilePath> = installed.into_iter().collect();
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    for name in names {
        let (before, after) = (was.get(name), is.get(name));
        let root = installed.get(name);
        // Previous contents are known if Git tracks the module or the user named it.
        if before == after || root.is_some_and(|root| base.knows_below(root)) {
            continue;
        }
        let change = match (before, after) {
            (Some(before), Some(after)) => format!("changed from {before} to {after}"),
            (Some(before), None) => format!("(was {before}) is no longer listed"),
            (None, Some(after)) => format!("({after}) is new"),
            (None, None) => continue,
        };
        let consequence = match root {
            Some(_) => "the installed version is used for both sides (see --base-modulepath-dir)",
            None => "it is not installed, so code that uses it is not compared",
        };
        base.note(format!("module `{name}` in the Puppetfile {change}: {consequence}"));
    }
}
