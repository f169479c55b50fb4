//! What a run did not look at: modules that are missing, files that ignore files name, and what compiles leave open.

use std::path::Path;

use catalog_view::text::plural;
use codes::Code;
use ide::{Analysis, Cancelled, Diagnostic};

use crate::files::display_path;
use crate::report::UnseenPart;
use crate::report::secrets::SecretValues;
use crate::workspace;

/// What is told of files whose turn came when all the rest was too much already.
const UNEVALUATED: &str = "code was not evaluated, as all of it is too much work for one run";

/// What was not looked at for one file.
#[derive(Default)]
pub(super) struct UnseenOfFile {
    /// How many modules it is the first to miss.
    missing_modules: usize,
    /// Classes, nodes and files, each with what was not looked at for it.
    open: Vec<(String, Vec<String>)>,
}

impl UnseenOfFile {
    pub(super) fn new(
        analysis: &Analysis,
        path: &Path,
        found: &[Diagnostic],
        (is_evaluated, compiles): (bool, bool),
    ) -> Result<UnseenOfFile, Cancelled> {
        let missing_modules = found.iter().filter(|it| it.code == Code::MissingModule).count();
        let mut open = match workspace::file(analysis, path).filter(|_| compiles) {
            Some(file) => analysis.open_compiles(file)?,
            None => Vec::new(),
        };
        if !is_evaluated {
            open.push((display_path(path), vec![UNEVALUATED.to_owned()]));
        }
        Ok(UnseenOfFile { missing_modules, open })
    }

    pub(super) fn is_empty(&self) -> bool {
        self.missing_modules == 0 && self.open.is_empty()
    }

    /// Takes the values of secrets out of it.
    pub(super) fn mask(&mut self, values: &SecretValues) {
        self.open.iter_mut().flat_map(|(_, parts)| parts).for_each(|it| *it = values.masked(it));
    }
}

/// What was not looked at in a run.
#[derive(Default)]
pub(super) struct Unseen {
    missing_modules: usize,
    /// Files that ignore files name.
    passed_over: usize,
    /// What was not looked at, and in which classes and nodes.
    pub(super) open: Vec<(String, Vec<String>)>,
}

impl Unseen {
    pub(super) fn new(passed_over: usize) -> Unseen {
        Unseen { passed_over, ..Unseen::default() }
    }

    pub(super) fn add(&mut self, UnseenOfFile { missing_modules, open }: UnseenOfFile) {
        self.missing_modules += missing_modules;
        for (name, parts) in open {
            for part in parts {
                match self.open.iter_mut().find(|(known, _)| *known == part) {
                    Some((_, names)) => names.push(name.clone()),
                    None => self.open.push((part, vec![name.clone()])),
                }
            }
        }
    }

    /// Each thing, with the classes and nodes that it matters to.
    pub(super) fn parts(&self) -> Vec<UnseenPart> {
        let mut parts: Vec<UnseenPart> =
            self.open.iter().map(|(what, of)| UnseenPart { what: what.clone(), of: of.clone() }).collect();
        let mut add = |what: String| parts.push(UnseenPart { what, of: Vec::new() });
        if self.missing_modules > 0 {
            let modules = plural(self.missing_modules, "module", "modules");
            add(format!("{modules} missing: what is taken from there was not checked"));
        }
        if self.passed_over > 0 {
            let files = plural(self.passed_over, "file", "files");
            add(format!("{files} passed over: ignore files name them"));
        }
        parts
    }
}
