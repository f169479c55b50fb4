//! Baseline of known findings, identified by rule and line contents, so that lines may move.

use std::collections::{BTreeMap, HashMap};
use std::path::Path;

use anyhow::Context;
use catalog_view::text::plural;
use ide::FilePath;
use serde::{Deserialize, Serialize};

use super::checked::Checked;
use crate::files::{self, display_path};
use crate::printed_diagnostic::PrintedDiagnostic;
use crate::terminal;

/// Number of occurrences of each finding, by file, rule and fingerprint.
#[derive(Serialize, Deserialize, Default, Debug)]
pub(super) struct Baseline {
    version: u32,
    files: BTreeMap<String, BTreeMap<String, BTreeMap<String, usize>>>,
    /// Folder that the paths are relative to.
    #[serde(skip)]
    folder: Option<FilePath>,
}

/// Version of the file format.
const VERSION: u32 = 1;

impl Baseline {
    /// Creates an empty baseline for a file.
    fn new(file: &Path) -> Baseline {
        Baseline { version: VERSION, files: BTreeMap::new(), folder: folder_of(file) }
    }

    pub(super) fn read(file: &Path) -> anyhow::Result<Baseline> {
        let text = files::read_named_text(file).map_err(|failure| anyhow::anyhow!("{failure}"))?;
        let name = || format!("`{}` is not a baseline", display_path(file));
        let baseline: Baseline = serde_json::from_str(&text).with_context(name)?;
        anyhow::ensure!(
            baseline.version == VERSION,
            "unsupported version of baseline `{}`",
            display_path(file)
        );
        Ok(Baseline { folder: folder_of(file), ..baseline })
    }

    fn write(&self, file: &Path) -> anyhow::Result<()> {
        let text = serde_json::to_string_pretty(self)? + "\n";
        files::write(file, text.as_bytes()).with_context(|| format!("cannot write `{}`", display_path(file)))
    }

    /// Adds the findings in a file.
    fn add(&mut self, path: &Path, found: &[PrintedDiagnostic]) {
        for diagnostic in found {
            let rules = self.files.entry(self.key(path)).or_default();
            let counts = rules.entry(diagnostic.code.to_string()).or_default();
            *counts.entry(diagnostic.fingerprint.clone()).or_default() += 1;
        }
    }

    /// Removes known findings.
    pub(super) fn without_known(
        &self,
        path: &Path,
        mut found: Vec<PrintedDiagnostic>,
    ) -> Vec<PrintedDiagnostic> {
        let Some(rules) = self.files.get(&self.key(path)) else { return found };
        let mut seen: HashMap<(codes::Code, String), usize> = HashMap::new();
        found.retain(|it| {
            let known = rules.get(it.code.as_str()).and_then(|counts| counts.get(&it.fingerprint));
            let count = seen.entry((it.code, it.fingerprint.clone())).or_default();
            *count += 1;
            known.is_none_or(|known| *count > *known)
        });
        found
    }

    /// Returns the key of a path: relative to the folder of the baseline if possible, independent of how
    /// either was written.
    fn key(&self, path: &Path) -> String {
        let whole = whole_path(path);
        let below =
            whole.as_ref().zip(self.folder.as_ref()).and_then(|(whole, folder)| whole.strip_prefix(folder));
        display_path(below.map_or(path, Path::new))
    }
}

/// Writes the findings in files to a baseline and prints their number.
pub(super) fn write(file: &Path, checked: &[Checked]) -> anyhow::Result<()> {
    let mut baseline = Baseline::new(file);
    checked.iter().for_each(|it| baseline.add(&it.path, &it.diagnostics));
    baseline.write(file)?;
    let findings = checked.iter().map(|it| it.diagnostics.len()).sum();
    let findings = plural(findings, "finding", "findings");
    terminal::print_to_stderr(&format!("wrote {findings} to `{}`\n", display_path(file)));
    Ok(())
}

fn folder_of(file: &Path) -> Option<FilePath> {
    whole_path(file)?.parent()
}

fn whole_path(path: &Path) -> Option<FilePath> {
    FilePath::from_native(std::path::absolute(path).ok()?.to_str()?)
}
