//! Which files mention a module's templates. Asked once for each file and each environment, not once for each template.

use std::hash::BuildHasher;

use memchr::memmem;
use project::{Db, Environment, File, FileRole, ModuleTree};
use rustc_hash::{FxBuildHasher, FxHashMap};
use smol_str::SmolStr;

use super::mentions::{Namer, is_test, namer_of_template};

/// What a file says of the templates of its own module.
#[derive(PartialEq, Eq, Default, Debug)]
struct OwnMentions {
    /// How often a path below `templates/` stands there with a `/` in front: whatever is in front of that.
    counts: FxHashMap<SmolStr, usize>,
    /// What stands between the module's name with a `/` and an interpolation: `path/` in `"module/path/${x}"`. Sorted;
    /// none begins with another.
    made: Vec<SmolStr>,
}

impl OwnMentions {
    /// May a text with interpolations be the name of this template?
    fn may_make(&self, path: &str) -> bool {
        let behind = self.made.partition_point(|it| it.as_str() <= path);
        self.made[..behind].last().is_some_and(|it| path.starts_with(it.as_str()))
    }
}

/// How a file of a template's own module mentions that.
pub(super) struct Mention {
    pub(super) file: File,
    /// How often its path stands there.
    pub(super) count: usize,
    /// May a text with interpolations be its name: `"module/${x}.erb"`?
    pub(super) may_be_made: bool,
}

/// The files of a module that mention one of its templates, by the template's path below `templates/`.
pub(super) fn mentions_in_module(db: &dyn Db, module: ModuleTree, path: &str) -> Vec<Mention> {
    let Some(files) = mentioning_files(db, module).get(path) else { return Vec::new() };
    let mention = |file: &File| {
        let own = own_mentions(db, *file);
        let count = own.counts.get(path).copied().unwrap_or_default();
        Mention { file: *file, count, may_be_made: own.may_make(path) }
    };
    files.iter().map(mention).collect()
}

/// Does a file of another module name a template: `module/path.erb`?
pub(super) fn is_named_by_other_module(
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

/// The path of a template below `templates/`.
#[derive(PartialEq, Eq, Debug)]
struct TemplatePath {
    path: SmolStr,
    /// The longest other path that this one begins with: its place in the list.
    shorter: Option<usize>,
}

/// The paths of a module's templates, sorted.
#[salsa::tracked(returns(ref), lru = 0)]
fn template_paths(db: &dyn Db, module: ModuleTree) -> Vec<TemplatePath> {
    let _span = tracing::info_span!("template_mentions").entered();
    let mut paths: Vec<TemplatePath> = Vec::new();
    // The files are sorted by their paths.
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

/// The paths that a text begins with.
fn paths_at_start<'a>(paths: &'a [TemplatePath], text: &'a str) -> impl Iterator<Item = &'a SmolStr> {
    // Whatever `text` begins with is not behind it in the order, and what lies between the two begins with it, too.
    let last = paths.partition_point(|it| it.path.as_str() <= text).checked_sub(1);
    let chain = std::iter::successors(last, |it| paths[*it].shorter).map(|it| &paths[it].path);
    chain.filter(|path| text.starts_with(path.as_str()))
}

/// By template, the files that mention it or may make its name, in the order of their paths.
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
    let FileRole::Module { module, .. } = file.place(db) else { return own };
    let paths = template_paths(db, *module);
    if paths.is_empty() {
        return own;
    }
    let Some(text) = project::text(db, file) else { return own };
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

/// Fingerprints of what may be names of templates in a text.
pub(super) fn template_words(text: &str) -> Vec<u32> {
    let mut words = Vec::new();
    for at in memmem::find_iter(text.as_bytes(), b".erb") {
        let end = at + ".erb".len();
        let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
        let start = text[..at]
            .rfind(|c: char| !is_part(c))
            .map_or(0, |before| before + text[before..].chars().next().map_or(1, char::len_utf8));
        words.push(fingerprint(&text[start..end]));
    }
    words
}

/// Lets go of what was worked out of more than so many files.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    own_mentions::set_lru_capacity(db, files);
    mentioning_files::set_lru_capacity(db, MODULES);
    template_paths::set_lru_capacity(db, MODULES);
}

/// What is kept of modules where little is kept.
const MODULES: usize = 64;

fn fingerprint(word: &str) -> u32 {
    FxBuildHasher.hash_one(word) as u32
}
