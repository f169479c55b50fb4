//! Parts of a run that were not checked: missing modules, ignored files, and inconclusive compiles.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use catalog_view::open::installation;
use catalog_view::text::plural;
use codes::Code;
use ide::{Analysis, Cancelled, Diagnostic, SecretValues};

use crate::files::display_path;
use crate::report::{UnseenPart, open_lines};
use crate::workspace;

/// Reason for files that were not evaluated because the run had reached its limit.
const UNEVALUATED: &str = "code was not evaluated because the work limit of a run was reached";

/// Parts that were not checked for one file.
#[derive(Default)]
pub(super) struct UnseenOfFile {
    /// Missing modules that were first referenced in this file, each with the way to install it.
    missing_modules: Vec<(Option<String>, String)>,
    /// Classes, nodes and files, each with the parts that were not checked.
    open: Vec<(String, Vec<String>)>,
}

/// Depth to which a file was checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct LookedAt {
    pub(super) is_evaluated: bool,
    pub(super) compiles: bool,
}

impl UnseenOfFile {
    pub(super) fn new(
        analysis: &Analysis,
        path: &Path,
        found: &[Diagnostic],
        looked_at: LookedAt,
    ) -> Result<UnseenOfFile, Cancelled> {
        let missing_modules = found.iter().filter_map(missing_module).collect();
        let mut open = match workspace::file(analysis, path).filter(|_| looked_at.compiles) {
            Some(file) => analysis.inconclusive_compiles(file)?,
            None => Vec::new(),
        };
        if !looked_at.is_evaluated {
            open.push((display_path(path), vec![UNEVALUATED.to_owned()]));
        }
        Ok(UnseenOfFile { missing_modules, open })
    }

    /// Creates a list of the nodes of a fleet with what was not checked.
    pub(super) fn of_nodes(open: Vec<(String, Vec<String>)>) -> UnseenOfFile {
        UnseenOfFile { missing_modules: Vec::new(), open }
    }

    /// Adds the modules of a file that a snapshot of the Forge does not have.
    pub(super) fn add_unknown_modules(&mut self, path: &Path, modules: &[String]) {
        let part = |module: &String| format!("module `{module}` is not in the snapshot of the Forge");
        if !modules.is_empty() {
            self.open.push((display_path(path), modules.iter().map(part).collect()));
        }
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
    /// Missing modules by the way to install them.
    missing_modules: BTreeMap<Option<String>, BTreeSet<String>>,
    /// Number of files skipped because of ignore files.
    skipped_files: usize,
    /// Other things that were not looked at.
    pub(super) other: Vec<String>,
    /// Parts that were not checked, each with the affected classes and nodes.
    pub(super) open: Vec<(String, Vec<String>)>,
}

impl Unseen {
    pub(super) fn new(skipped_files: usize) -> Unseen {
        Unseen { skipped_files, ..Unseen::default() }
    }

    pub(super) fn add(&mut self, UnseenOfFile { missing_modules, open }: UnseenOfFile) {
        for (help, module) in missing_modules {
            self.missing_modules.entry(help).or_default().insert(module);
        }
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
        let open = self.open.iter().map(|(what, of)| UnseenPart { what: what.clone(), of: of.clone() });
        open.chain(self.skipped()).collect()
    }

    /// Describes the parts for readers: inconclusive ones by cause, unless `is_verbose`.
    pub(super) fn lines(&self, is_verbose: bool) -> Vec<String> {
        let mut lines = open_lines(&self.open, |_| None, is_verbose);
        lines.extend(self.skipped().iter().map(UnseenPart::line));
        lines
    }

    /// Returns what was not looked at: missing modules and ignored files.
    fn skipped(&self) -> Vec<UnseenPart> {
        let mut parts = Vec::new();
        let mut add = |what: String| parts.push(UnseenPart { what, of: Vec::new() });
        for (help, modules) in self.missing_modules.iter().rev() {
            add(missing_modules_line(modules, help.as_deref()));
        }
        self.other.iter().cloned().for_each(&mut add);
        if self.skipped_files > 0 {
            let files = plural(self.skipped_files, "file", "files");
            add(format!("{files} skipped because of ignore files"));
        }
        parts
    }
}

/// Returns the name of the module that a finding reports as missing, and the way to install it.
fn missing_module(diagnostic: &Diagnostic) -> Option<(Option<String>, String)> {
    let (problem, help) = codes::split_message(&diagnostic.message);
    let name = problem.split('`').nth(1).filter(|_| diagnostic.code == Code::MissingModule)?;
    let help = help.first().filter(|it| **it != ide::INSTALL_MODULE);
    Some((help.map(|it| (*it).to_owned()), name.to_owned()))
}

/// Maximum number of missing modules that are named.
const MAX_NAMED_MODULES: usize = 12;

/// Names the missing modules and the remedy.
fn missing_modules_line(modules: &BTreeSet<String>, help: Option<&str>) -> String {
    let named: Vec<String> = modules.iter().take(MAX_NAMED_MODULES).map(|it| format!("`{it}`")).collect();
    let others = match modules.len() - named.len() {
        0 => String::new(),
        count => format!(" and {}", plural(count, "other", "others")),
    };
    let (noun, pronoun) = if modules.len() == 1 { ("module", "it") } else { ("modules", "them") };
    let help = help.map_or_else(|| format!("install {pronoun}"), str::to_owned);
    format!(
        "{noun} {}{others} missing: references to {pronoun} were not checked; {}",
        named.join(", "),
        installation(&help, modules.len())
    )
}
