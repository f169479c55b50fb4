//! Makes fixes until nothing is left to fix, and puts a file in the place of another as a whole.

use std::collections::HashSet;
use std::io::{self, Write};
use std::path::Path;

use lint::Finding;

/// Fixes that touch each other are made one after the other, in so many rounds at most.
const MOST_ROUNDS: usize = 10;

/// A text after mending.
pub(super) struct Mended {
    pub(super) text: String,
    /// What was found in the text as it was and has been mended.
    pub(super) fixed: Vec<Finding>,
    /// What is found in the text as it is now.
    pub(super) left: Vec<Finding>,
}

/// Makes the fixes that `may` be made of what was `found` in a text. `again` looks into a text anew; `None` where Puppet would
/// not read that text: then the round that led to it is taken back.
pub(super) fn mend(
    text: &str,
    found: &[Finding],
    may: impl Fn(&Finding) -> bool,
    again: impl Fn(&str) -> Option<Vec<Finding>>,
) -> Mended {
    let can = |it: &&Finding| it.ignored.is_none() && !it.fix.is_empty() && may(it);
    let mut text = text.to_owned();
    let mut left = found.to_vec();
    for _ in 0..MOST_ROUNDS {
        let next = lint::apply(&text, left.iter().filter(can));
        if next == text {
            break;
        }
        let Some(found) = again(&next) else { break };
        text = next;
        left = found;
    }
    let unfixed: HashSet<&str> = left.iter().map(|it| it.check).collect();
    let is_gone = |it: &&Finding| it.ignored.is_none() && !unfixed.contains(it.check);
    let fixed = found.iter().filter(is_gone).cloned().collect();
    Mended { text, fixed, left }
}

/// Puts `text` in the place of what a file holds: all of it or nothing. Its permissions stay; a link stays one.
pub(super) fn write(path: &Path, text: &str) -> io::Result<()> {
    let target = path.canonicalize()?;
    let permissions = std::fs::metadata(&target)?.permissions();
    if permissions.readonly() {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let partial = target.with_file_name(format!(".{name}.{}.new", std::process::id()));
    let written = write_new(&partial, text, permissions).and_then(|()| std::fs::rename(&partial, &target));
    if written.is_err() {
        let _ = std::fs::remove_file(&partial);
    }
    written
}

fn write_new(path: &Path, text: &str, permissions: std::fs::Permissions) -> io::Result<()> {
    let mut file = std::fs::File::options().write(true).create_new(true).open(path)?;
    file.set_permissions(permissions)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()
}
