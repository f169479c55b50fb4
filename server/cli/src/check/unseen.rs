//! Parts of a run that were not checked: missing modules, ignored files, and inconclusive compiles.

use std::collections::BTreeSet;
use std::path::Path;

use catalog_view::text::plural;
use codes::Code;
use ide::{Analysis, Cancelled, Diagnostic};

use crate::files::display_path;
use crate::report::UnseenPart;
use crate::report::secrets::SecretValues;
use crate::workspace;

/// Reason for files that were not evaluated because the run had reached its limit.
const UNEVALUATED: &str = "code was not evaluated because the work limit of a run was reached";

/// Parts that were not checked for one file.
#[derive(Default)]
pub(super) struct UnseenOfFile {
    /// Missing modules that were first referenced in this file.
    missing_modules: Vec<String>,
    /// Classes, nodes and files, each with the parts that were not checked.
    open: Vec<(String, Vec<String>)>,
}

impl UnseenOfFile {
    pub(super) fn new(
        analysis: &Analysis,
        path: &Path,
        found: &[Diagnostic],
        (is_evaluated, compiles): (bool, bool),
    ) -> Result<UnseenOfFile, Cancelled> {
        let missing_modules = found.iter().filter_map(missing_module).collect();
        let mut open = match workspace::file(analysis, path).filter(|_| compiles) {
            Some(file) => analysis.inconclusive_compiles(file)?,
            None => Vec::new(),
        };
        if !is_evaluated {
            open.push((display_path(path), vec![UNEVALUATED.to_owned()]));
        }
        Ok(UnseenOfFile { missing_modules, open })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.missing_modules.is_empty() && self.open.is_empty()
    }

    /// Masks secret values.
    pub(super) fn mask(&mut self, values: &SecretValues) {
        self.open.iter_mut().flat_map(|(_, parts)| parts).for_each(|it| *it = values.masked(it));
    }
}

/// Parts that were not checked in a run.
#[derive(Default)]
pub(super) struct Unseen {
    missing_modules: BTreeSet<String>,
    /// Number of files skipped because of ignore files.
    skipped_files: usize,
    /// Parts that were not checked, each with the affected classes and nodes.
    pub(super) open: Vec<(String, Vec<String>)>,
}

impl Unseen {
    pub(super) fn new(skipped_files: usize) -> Unseen {
        Unseen { skipped_files, ..Unseen::default() }
    }

    pub(super) fn add(&mut self, UnseenOfFile { missing_modules, open }: UnseenOfFile) {
        self.missing_modules.extend(missing_modules);
        for (name, parts) in open {
            for part in parts {
                match self.open.iter_mut().find(|(known, _)| *known == part) {
                    Some((_, names)) => names.push(name.clone()),
                    None => self.open.push((part, vec![name.clone()])),
                }
            }
        }
    }

    /// Returns each part with the affected classes and nodes.
    pub(super) fn parts(&self) -> Vec<UnseenPart> {
        let mut parts: Vec<UnseenPart> =
            self.open.iter().map(|(what, of)| UnseenPart { what: what.clone(), of: of.clone() }).collect();
        let mut add = |what: String| parts.push(UnseenPart { what, of: Vec::new() });
        if !self.missing_modules.is_empty() {
            add(missing_modules_line(&self.missing_modules));
        }
        if self.skipped_files > 0 {
            let files = plural(self.skipped_files, "file", "files");
            add(format!("{files} skipped because of ignore files"));
        }
        parts
    }
}

/// Returns the name of the module that a finding reports as missing.
fn missing_module(diagnostic: &Diagnostic) -> Option<String> {
    let name = diagnostic.message.split('`').nth(1).filter(|_| diagnostic.code == Code::MissingModule)?;
    Some(name.to_owned())
}

/// Maximum number of missing modules that are named.
const MAX_NAMED_MODULES: usize = 12;

/// Names the missing modules and the remedy.
fn missing_modules_line(modules: &BTreeSet<String>) -> String {
    let named: Vec<String> = modules.iter().take(MAX_NAMED_MODULES).map(|it| format!("`{it}`")).collect();
    let others = match modules.len() - named.len() {
        0 => String::new(),
        count => format!(" and {}", plural(count, "other", "others")),
    };
    let (noun, pronoun, possessive) =
        if modules.len() == 1 { ("module", "it", "its") } else { ("modules", "them", "their") };
    format!(
        "{noun} {}{others} missing: references to {pronoun} were not checked; install {pronoun} \
         (`r10k puppetfile install`), or add {possessive} folder with `--modulepath`",
        named.join(", ")
    )
}
