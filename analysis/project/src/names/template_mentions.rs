//! Index of the files that mention a module's templates. It is computed per file and per environment instead
//! of per template.

use memchr::memmem;
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use crate::{Db, Environment, File, FileRole, ModuleTree};

use super::mentions::{Namer, is_test, namer_of_template};

/// Mentions of a module's own templates in a file.
#[derive(PartialEq, Eq, Default, Debug)]
struct OwnMentions {
    /// Number of occurrences of each path below `templates/` after a `/`, whatever precedes it.
    counts: FxHashMap<SmolStr, usize>,
    /// Text between `module/` and an interpolation: `path/` in `"module/path/${x}"`. Sorted; no element is a
    /// prefix of another.
    made: Vec<SmolStr>,
}

impl OwnMentions {
    /// Returns true if a string with interpolations may be the name of the template.
    fn may_make(&self, path: &str) -> bool {
        let end = self.made.partition_point(|it| it.as_str() <= path);
        self.made[..end].last().is_some_and(|it| path.starts_with(it.as_str()))
    }
}

/// Mention of a template in a file of the same module.
pub struct Mention {
    pub file: File,
    /// Number of occurrences of its path.
    pub count: usize,
    /// True if a string with interpolations may be its name: `"module/${x}.erb"`.
    pub may_be_made: bool,
}

/// Returns the mentions of a template in the files of its module. `path` is relative to `templates/`.
pub fn mentions_in_module(db: &dyn Db, module: ModuleTree, path: &str) -> Vec<Mention> {
    let Some(files) = mentioning_files(db, module).get(path) else { return Vec::new() };
    let mention = |file: &File| {
        let own = own_mentions(db, *file);
        let count = own.counts.get(path).copied().unwrap_or_default();
        Mention { file: *file, count, may_be_made: own.may_make(path) }
    };
    files.iter().map(mention).collect()
}

/// Returns true if a file of another module contains the name of the template: `module/path.erb`.
pub fn is_named_by_other_module(
    db: &dyn Db,
    environment: Environment,
    module: ModuleTree,
    name: &str,
) -> bool {
    match namer_of_template(db, environment, name) {
        None => false,
        Some(Namer::Only(only)) => only != module,
        Some(Namer::Several) => true,
    }
}

/// Path of a template, relative to `templates/`.
#[derive(PartialEq, Eq, Debug)]
struct TemplatePath {
    path: SmolStr,
    /// Index of the longest other path that is a prefix of this one.
    shorter: Option<usize>,
}

/// Returns the paths of a module's templates, sorted.
#[salsa::tracked(returns(ref), lru = 0)]
fn template_paths(db: &dyn Db, module: ModuleTree) -> Vec<TemplatePath> {
    let _span = tracing::info_span!("template_mentions").entered();
    let mut paths: Vec<TemplatePath> = Vec::new();
    // The files are sorted by path.
    for path in module.files(db).keys().filter_map(|path| path.strip_prefix("templates/")) {
        let mut shorter = paths.len().checked_sub(1);
        while let Some(before) = shorter
            && !path.starts_with(paths[before].path.as_str())
        {
            shorter = paths[before].shorter;
        }
        paths.push(TemplatePath { path: SmolStr::new(path), shorter });
    }
    paths
}

/// Returns the paths that are a prefix of `text`.
fn paths_at_start<'a>(paths: &'a [TemplatePath], text: &'a str) -> impl Iterator<Item = &'a SmolStr> {
    // A prefix of `text` does not sort after it, and all paths between the two begin with that prefix too.
    let last = paths.partition_point(|it| it.path.as_str() <= text).checked_sub(1);
    let chain = std::iter::successors(last, |it| paths[*it].shorter).map(|it| &paths[it].path);
    chain.filter(|path| text.starts_with(path.as_str()))
}

/// Returns the files that mention each template or may construct its name, by path.
#[salsa::tracked(returns(ref), lru = 0)]
fn mentioning_files(db: &dyn Db, module: ModuleTree) -> FxHashMap<SmolStr, Vec<File>> {
    let _span = tracing::info_span!("template_mentions").entered();
    let paths = template_paths(db, module);
    let mut files: FxHashMap<SmolStr, Vec<File>> = FxHashMap::default();
    for file in module.files(db).values().filter(|it| !is_test(db, **it)) {
        let own = own_mentions(db, *file);
        let made = own.made.iter().flat_map(|start| {
            let begin = paths.partition_point(|it| it.path < *start);
            paths[begin..].iter().map(|it| &it.path).take_while(move |path| path.starts_with(start.as_str()))
        });
        let counted = own.counts.keys().filter(|path| !own.may_make(path));
        made.chain(counted).for_each(|path| files.entry(path.clone()).or_default().push(*file));
    }
    files
}

#[salsa::tracked(returns(ref), lru = 0)]
fn own_mentions(db: &dyn Db, file: File) -> OwnMentions {
    let _span = tracing::info_span!("template_mentions").entered();
    let mut own = OwnMentions::default();
    let FileRole::Module { module, .. } = file.role(db) else { return own };
    let paths = template_paths(db, *module);
    if paths.is_empty() {
        return own;
    }
    let Some(text) = crate::text(db, file) else { return own };
    for at in memchr::memchr_iter(b'/', text.as_bytes()) {
        for path in paths_at_start(paths, &text[at + 1..]) {
            *own.counts.entry(path.clone()).or_default() += 1;
        }
    }
    let start = format!("{}/", module.name(db));
    for at in memmem::find_iter(text.as_bytes(), start.as_bytes()) {
        let rest = &text[at + start.len()..];
        let is_end = |c: char| c.is_whitespace() || matches!(c, '\'' | '"' | '$' | '#');
        let end = rest.find(is_end).unwrap_or(rest.len());
        if rest[end..].starts_with(['$', '#']) {
            own.made.push(SmolStr::new(&rest[..end]));
        }
    }
    own.made.sort_unstable();
    own.made.dedup_by(|next, before| next.starts_with(before.as_str()));
    own
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    own_mentions::set_lru_capacity(db, files);
    mentioning_files::set_lru_capacity(db, MODULES);
    template_paths::set_lru_capacity(db, MODULES);
}

/// LRU capacity of the queries for modules.
const MODULES: usize = 64;
