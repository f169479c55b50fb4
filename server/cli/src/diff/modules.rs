//! Modules that a `Puppetfile` installs: Git knows what is written there, not what was installed.

use std::collections::{BTreeMap, BTreeSet};

use ide::{Analysis, EnvironmentId};

use super::base::BaseRevision;

/// Tells which modules were others, although what is installed now counts for both sides.
pub(super) fn note_changes(
    base: &BaseRevision,
    (old, old_environment): (&Analysis, EnvironmentId),
    (new, environment): (&Analysis, EnvironmentId),
) -> anyhow::Result<()> {
    let was: BTreeMap<String, String> = old.puppetfile_modules(old_environment)?.into_iter().collect();
    let is: BTreeMap<String, String> = new.puppetfile_modules(environment)?.into_iter().collect();
    let installed: BTreeMap<String, ide::FilePath> = new.modules(environment).into_iter().collect();
    let names: BTreeSet<&String> = was.keys().chain(is.keys()).collect();
    for name in names {
        let (before, after) = (was.get(name), is.get(name));
        let root = installed.get(name);
        // What Git tracks, or what the user named, is known as it was.
        if before == after || root.is_some_and(|root| base.knows_below(root)) {
            continue;
        }
        let change = match (before, after) {
            (Some(before), Some(after)) => format!("was {before} and is {after}"),
            (Some(before), None) => format!("was {before} and is not listed any more"),
            (None, Some(after)) => format!("is new, {after}"),
            (None, None) => continue,
        };
        let consequence = match root {
            Some(_) => "what is installed counts for both sides (--base-modulepath-dir names what was)",
            None => "it is not installed, so what uses it is not known",
        };
        base.note(format!("the module `{name}` of the Puppetfile {change}: {consequence}"));
    }
    Ok(())
}
