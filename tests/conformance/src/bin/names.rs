//! Checks that every name of a corpus resolves to its definition, and that renames are safe there.
//!
//!     cargo run -p conformance --bin names -- CORPUS [--list KIND]
//!     cargo run -p conformance --bin names -- CORPUS --renames COUNT
//!
//! The first command looks up the definition of every use of a class, defined type, type alias,
//! function, resource type, attribute, and variable in the modules of a folder. A name of Puppet
//! itself has a meaning without a location; a name of a module that the folder does not contain is
//! counted separately. `--list` prints the unresolved uses of a kind.
//!
//! The second command renames random definitions to random names, looks for new findings in all
//! files that contain the old name or the new one, renames them back, and compares all contents
//! with the originals.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use conformance::workspace::{Random, Workspace, option, run_on_deep_stack};
use hir::{Access, AttributeOwner, NameUse, NameUseKind, VariableBinding};
use ide::{
    Analysis, AnalysisHost, ChangeBatch, DiskState, FileId, FilePath, NameKnowledge, ReferenceAccess,
    SourceChange,
};
use syntax::Language;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(folder) = arguments.first().filter(|it| !it.starts_with("--")).map(PathBuf::from) else {
        eprintln!("usage: names CORPUS [--list KIND] [--renames COUNT]");
        return ExitCode::FAILURE;
    };
    let list = option(&arguments, "--list");
    let renames: Option<usize> = option(&arguments, "--renames").and_then(|it| it.parse().ok());
    run_on_deep_stack(move || match renames {
        Some(count) => Renaming::new(Corpus::load(&folder)).run(count),
        None => definitions(&Corpus::load(&folder), list.as_deref()),
    })
}

/// Folder of modules, as an analysis and as file contents.
struct Corpus {
    host: AnalysisHost,
    texts: BTreeMap<FilePath, Arc<str>>,
    /// Names of the module folders.
    modules: BTreeSet<String>,
}

impl Corpus {
    fn load(folder: &Path) -> Corpus {
        let Workspace { host, texts } = Workspace::load(folder);
        let names = std::fs::read_dir(folder).into_iter().flatten().flatten();
        let modules = names.map(|it| it.file_name().to_string_lossy().replace('-', "_")).collect();
        Corpus { host, texts, modules }
    }

    /// Returns the manifests and templates that Puppet loads, with the names in them.
    fn names(&self) -> impl Iterator<Item = (&FilePath, &Arc<str>, Vec<NameUse>)> {
        let is_loaded = |path: &FilePath| {
            let path = path.as_str();
            let folders = ["/manifests/", "/functions/", "/types/", "/templates/", "/plans/"];
            folders.iter().any(|it| path.contains(it))
                && !["/spec/", "/examples/", "/tests/", "/files/"].iter().any(|it| path.contains(it))
        };
        self.texts.iter().filter(move |(path, _)| is_loaded(path)).filter_map(|(path, text)| {
            Some((path, text, hir::name_uses(&syntax::parse(text, language_of(path)?))))
        })
    }
}

/// Returns the kind under which a name is counted, if any.
fn kind_of(name_use: &NameUse) -> Option<&'static str> {
    Some(match &name_use.kind {
        NameUseKind::Class => "class",
        NameUseKind::DefinedType => "defined type",
        NameUseKind::ResourceType => "resource type",
        NameUseKind::Type => "data type",
        NameUseKind::Function => "function",
        NameUseKind::Variable(VariableBinding::Local { .. }) => "local variable",
        NameUseKind::Variable(VariableBinding::Free) => "free variable",
        NameUseKind::Variable(VariableBinding::Qualified { .. }) => "qualified variable",
        NameUseKind::Attribute(_) => "attribute",
        _ => return None,
    })
}

/// Returns the module to which a name belongs.
fn module_of(name_use: &NameUse) -> Option<&str> {
    let qualified = match &name_use.kind {
        NameUseKind::Variable(VariableBinding::Qualified { scope }) => scope,
        NameUseKind::Attribute(AttributeOwner::Class(owner) | AttributeOwner::ResourceType(owner)) => owner,
        _ => &name_use.name,
    };
    qualified.split("::").next().filter(|it| !it.is_empty())
}

#[derive(Default)]
struct Counts {
    place: usize,
    meaning: usize,
    foreign: usize,
    nothing: usize,
}

fn definitions(corpus: &Corpus, list: Option<&str>) -> bool {
    let analysis = corpus.host.analysis();
    let mut counts: BTreeMap<&'static str, Counts> = BTreeMap::new();
    for (path, text, uses) in corpus.names() {
        let Some(file) = analysis.file_id(path) else { continue };
        for name_use in uses {
            let Some(kind) = kind_of(&name_use) else { continue };
            let offset = name_use.range.start + u32::from(name_use.range.end > name_use.range.start + 1);
            let known = analysis.name_knowledge(file, offset).ok().flatten();
            let counts = counts.entry(kind).or_default();
            let is_qualified =
                name_use.name.contains("::") || !matches!(name_use.kind, NameUseKind::Function);
            let is_foreign =
                is_qualified && module_of(&name_use).is_some_and(|it| !corpus.modules.contains(it));
            match known {
                Some(NameKnowledge::Definition) => counts.place += 1,
                Some(NameKnowledge::Meaning) => counts.meaning += 1,
                _ if is_foreign && kind != "free variable" => counts.foreign += 1,
                _ => {
                    counts.nothing += 1;
                    if list == Some(kind) {
                        let line = text[..name_use.range.start as usize].matches('\n').count() + 1;
                        println!("    {}:{line}: {} {:?}", path.as_str(), name_use.name, name_use.kind);
                    }
                }
            }
        }
    }
    println!(
        "{:<20}{:>8}{:>9}{:>9}{:>10}{:>9}{:>9}",
        "name", "uses", "place", "Puppet's", "no module", "nothing", "found %"
    );
    let mut all = Counts::default();
    for (kind, counts) in &counts {
        row(kind, counts);
        all.place += counts.place;
        all.meaning += counts.meaning;
        all.foreign += counts.foreign;
        all.nothing += counts.nothing;
    }
    row("all", &all);
    all.nothing * 100 <= all.place + all.meaning
}

fn row(kind: &str, counts: &Counts) {
    let found = counts.place + counts.meaning;
    let all = found + counts.foreign + counts.nothing;
    let share = 100.0 * found as f64 / (found + counts.nothing).max(1) as f64;
    println!(
        "{kind:<20}{all:>8}{:>9}{:>9}{:>10}{:>9}{share:>9.2}",
        counts.place, counts.meaning, counts.foreign, counts.nothing
    );
}

/// Number of findings of a file for each code.
type Findings = BTreeMap<String, usize>;

struct Renaming {
    corpus: Corpus,
    random: Random,
    refusals: BTreeMap<String, usize>,
}

impl Renaming {
    fn new(corpus: Corpus) -> Renaming {
        Renaming { corpus, random: Random(0x2545_f491_4f6c_dd1d), refusals: BTreeMap::new() }
    }

    fn run(mut self, count: usize) -> bool {
        let mut samples: Vec<(FilePath, NameUse)> = Vec::new();
        for (path, _, uses) in self.corpus.names() {
            let made = uses.into_iter().filter(|it| {
                matches!(it.access, Access::Declaration | Access::Write)
                    && !matches!(it.kind, NameUseKind::Attribute(_) | NameUseKind::Title { .. })
            });
            samples.extend(made.map(|it| (path.clone(), it)));
        }
        // Renames as many definitions as variables, although there are more variables.
        let is_variable = |it: &(FilePath, NameUse)| matches!(it.1.kind, NameUseKind::Variable(_));
        let (mut variables, mut definitions): (Vec<_>, Vec<_>) = samples.into_iter().partition(is_variable);
        self.random.shuffle(&mut variables);
        self.random.shuffle(&mut definitions);
        let mut done = 0;
        let mut places = 0;
        let mut failures = 0;
        while done < count {
            let list = if done % 2 == 0 { &mut variables } else { &mut definitions };
            let Some((path, name_use)) = list.pop() else {
                println!("no more rename candidates after {done}");
                break;
            };
            match self.rename_and_restore(&path, &name_use, done) {
                Ok(Some(edits)) => {
                    done += 1;
                    places += edits;
                }
                Ok(None) => {}
                Err(failure) => {
                    done += 1;
                    failures += 1;
                    println!("{}: {} {failure}", path.as_str(), name_use.name);
                }
            }
        }
        println!("{done} renames there and back, {places} places; {failures} failed");
        for (reason, count) in &self.refusals {
            println!("{count:>6} rejected: {reason}");
        }
        failures == 0
    }

    /// Returns files with code that contain the last segment of a name, at most 40.
    fn files_with(&self, name: &str) -> Vec<FilePath> {
        let own = name.rsplit("::").next().unwrap_or_default().to_ascii_lowercase();
        let texts = self.corpus.texts.iter();
        let found = texts.filter(|(path, text)| is_code(path) && text.to_ascii_lowercase().contains(&own));
        found.map(|(path, _)| path.clone()).take(40).collect()
    }

    /// Renames one definition and renames it back. Returns the number of changed locations; `None`
    /// if the rename is rejected.
    fn rename_and_restore(
        &mut self,
        path: &FilePath,
        name_use: &NameUse,
        number: usize,
    ) -> Result<Option<usize>, String> {
        let analysis = self.corpus.host.analysis();
        let Some(file) = analysis.file_id(path) else { return Ok(None) };
        let offset = name_use.range.start;
        let target = match analysis.prepare_rename(file, offset).map_err(|it| it.to_string())? {
            Ok(target) => target,
            Err(refusal) => return Ok(self.rejected(refusal)),
        };
        let old_name = target.name;
        let new_name = new_name(&name_use.kind, &old_name, number);
        let change = match analysis.rename(file, offset, &new_name).map_err(|it| it.to_string())? {
            Ok(change) => change,
            Err(refusal) => return Ok(self.rejected(refusal)),
        };
        drop(analysis);
        let before = self.corpus.texts.clone();
        let watched = self.files_with(&old_name);
        let old_findings = self.findings(watched.iter());
        let edits = change.edits.iter().map(|(_, edits)| edits.len()).sum();
        let moves = self.apply(&change);
        let moved = |path: &FilePath| moves.get(path).unwrap_or(path).clone();
        let new_paths: Vec<FilePath> = watched.iter().map(moved).collect();
        let new_findings = self.findings(new_paths.iter());
        let mut problem = None;
        let mut unused = Vec::new();
        for (path, found) in &new_findings {
            let old_path = watched.iter().find(|it| moved(it) == *path).unwrap_or(path);
            let old = old_findings.get(old_path).cloned().unwrap_or_default();
            for (code, count) in found {
                if *count > old.get(code).copied().unwrap_or(0) && code.starts_with("unused-") {
                    unused.push((old_path.clone(), path.clone()));
                } else if *count > old.get(code).copied().unwrap_or(0) {
                    problem = Some(format!("causes a new finding in {}: {code}", path.as_str()));
                }
            }
        }
        let unused: Vec<_> = unused.into_iter().map(|(old, new)| (old, self.unused_names(&new))).collect();
        // The first edit of the original file gives the current location.
        match self.rename_back(&moved(path), &change, file, &old_name, offset) {
            Err(failure) => {
                self.restore(&before);
                return Err(failure);
            }
            Ok(Ok(change)) => {
                self.apply(&change);
                if self.corpus.texts != before {
                    self.restore(&before);
                    return Err("is not restored exactly".to_owned());
                }
            }
            // A name that was shadowed before is not shadowed again.
            Ok(Err(refusal)) => {
                self.restore(&before);
                self.rejected(ide::RenameRefusal(format!("(the way back) {}", refusal.0)));
            }
        }
        // An unread variable is not reported as long as other files contain its name.
        for (path, names) in unused {
            let was_used = names.iter().find(|name| !self.is_unused(&path, name));
            problem =
                problem.or(was_used.map(|name| format!("is no longer used: {name} in {}", path.as_str())));
        }
        match problem {
            Some(problem) => Err(problem),
            None => Ok(Some(edits)),
        }
    }

    fn rename_back(
        &self,
        path: &FilePath,
        change: &SourceChange,
        file: FileId,
        old_name: &str,
        offset: u32,
    ) -> Result<Result<SourceChange, ide::RenameRefusal>, String> {
        let edits = change.edits.iter().find(|(it, _)| *it == file).map(|(_, edits)| &edits[..]);
        let shift: i64 = edits
            .unwrap_or_default()
            .iter()
            .filter(|it| it.range.start < offset)
            .map(|it| it.text.len() as i64 - i64::from(it.range.end - it.range.start))
            .sum();
        let analysis = self.corpus.host.analysis();
        let Some(file) = analysis.file_id(path) else { return Err("is gone".to_owned()) };
        let offset = (i64::from(offset) + shift) as u32;
        analysis.rename(file, offset, old_name).map_err(|it| it.to_string())
    }

    /// Returns the variables of a file that are reported as unused.
    fn unused_names(&self, path: &FilePath) -> Vec<String> {
        let analysis = self.corpus.host.analysis();
        let found = analysis.file_id(path).and_then(|file| analysis.all_diagnostics(file).ok());
        let text = self.corpus.texts.get(path).map_or("", |it| it);
        let unused = found
            .iter()
            .flatten()
            .filter(|it| matches!(it.code, codes::Code::UnusedParameter | codes::Code::UnusedVariable));
        unused.filter_map(|it| text.get(it.range.as_range())).map(|it| it.replace('$', "")).collect()
    }

    /// Returns true if one of the variables with this name that a file sets is never read, or if
    /// the file sets none.
    fn is_unused(&self, path: &FilePath, name: &str) -> bool {
        let analysis = self.corpus.host.analysis();
        let (Some(file), Some(text)) = (analysis.file_id(path), self.corpus.texts.get(path)) else {
            return true;
        };
        let Some(language) = language_of(path) else { return true };
        let uses = hir::name_uses(&syntax::parse(text, language));
        let is_made = |it: &&NameUse| {
            it.name == name
                && matches!(it.kind, NameUseKind::Variable(_))
                && matches!(it.access, Access::Declaration | Access::Write)
        };
        let mut made = uses.iter().filter(is_made).peekable();
        made.peek().is_none()
            || made.any(|it| {
                let references = analysis.references(file, it.range.start, true).unwrap_or_default();
                references.iter().flatten().all(|it| it.access != ReferenceAccess::Read)
            })
    }

    fn rejected(&mut self, refusal: ide::RenameRefusal) -> Option<usize> {
        let words = refusal.0.split_whitespace().map(|it| if it.contains(['`', '/']) { "…" } else { it });
        *self.refusals.entry(words.collect::<Vec<_>>().join(" ")).or_default() += 1;
        None
    }

    /// Applies a change to the file contents and the analysis. Returns the new paths of moved
    /// files.
    fn apply(&mut self, change: &SourceChange) -> BTreeMap<FilePath, FilePath> {
        let analysis = self.corpus.host.analysis();
        let mut disk = Vec::new();
        for (file, edits) in &change.edits {
            let path = analysis.path(*file);
            let mut text = self.corpus.texts.get(&path).map(|it| it.to_string()).unwrap_or_default();
            for edit in edits.iter().rev() {
                text.replace_range(edit.range.as_range(), &edit.text);
            }
            let text: Arc<str> = text.into();
            self.corpus.texts.insert(path.clone(), text.clone());
            disk.push((path, DiskState::Text(text)));
        }
        let mut moves = BTreeMap::new();
        for (file, to) in &change.moves {
            let from = analysis.path(*file);
            if let Some(text) = self.corpus.texts.remove(&from) {
                disk.push((from.clone(), DiskState::Missing));
                disk.push((to.clone(), DiskState::Text(text.clone())));
                self.corpus.texts.insert(to.clone(), text);
            }
            moves.insert(from, to.clone());
        }
        drop(analysis);
        self.corpus.host.apply(ChangeBatch { disk, ..ChangeBatch::default() });
        moves
    }

    /// Restores all contents after a failure.
    fn restore(&mut self, texts: &BTreeMap<FilePath, Arc<str>>) {
        let gone = self.corpus.texts.keys().filter(|it| !texts.contains_key(*it));
        let gone = gone.map(|it| (it.clone(), DiskState::Missing));
        let changed = texts.iter().filter(|(path, text)| self.corpus.texts.get(*path) != Some(*text));
        let changed = changed.map(|(path, text)| (path.clone(), DiskState::Text(text.clone())));
        let disk = gone.chain(changed).collect();
        self.corpus.host.apply(ChangeBatch { disk, ..ChangeBatch::default() });
        self.corpus.texts = texts.clone();
    }

    fn findings<'p>(&self, paths: impl Iterator<Item = &'p FilePath>) -> BTreeMap<FilePath, Findings> {
        let analysis = self.corpus.host.analysis();
        paths
            .filter_map(|path| Some((path.clone(), findings_of(&analysis, analysis.file_id(path)?))))
            .collect()
    }
}

/// Returns an unused name of the same kind and in the same namespace.
fn new_name(kind: &NameUseKind, old_name: &str, number: usize) -> String {
    match (kind, old_name.rsplit_once("::")) {
        (NameUseKind::Type, Some((namespace, _))) => format!("{namespace}::Zz{number}"),
        (NameUseKind::Variable(_), _) => format!("zz{number}"),
        (_, Some((namespace, _))) => format!("{namespace}::zz{number}"),
        (_, None) => format!("zz{number}"),
    }
}

fn findings_of(analysis: &Analysis, file: FileId) -> Findings {
    let mut findings = Findings::new();
    for found in analysis.all_diagnostics(file).unwrap_or_default() {
        *findings.entry(found.code.to_string()).or_default() += 1;
    }
    findings
}

/// Returns the language of a manifest or template.
fn language_of(path: &FilePath) -> Option<Language> {
    match path.extension()? {
        "pp" if path.as_str().contains("/plans/") => Some(Language::Plan),
        "pp" => Some(Language::Manifest),
        "epp" => Some(Language::Epp),
        _ => None,
    }
}

fn is_code(path: &FilePath) -> bool {
    matches!(path.extension(), Some("pp" | "epp")) && !path.as_str().contains("/spec/")
}
