//! Index of the variable names that the files of a module mention in any context. A class variable mentioned
//! elsewhere is not unused.

use hir::Name;
use memchr::memmem;
use rustc_hash::{FxHashMap, FxHashSet};

use super::words::{fingerprint, template_words};
use crate::vfs::FilePath;
use crate::{Db, Environment, File, FileKind, FileRole, ModuleTree};

/// Returns the sorted fingerprints of the words in an open file that may be variable names.
#[salsa::tracked(returns(ref))]
fn mentioned_words(db: &dyn Db, file: File) -> Box<[u32]> {
    let _span = tracing::info_span!("mentioned_words").entered();
    let mut words = Vec::new();
    each_mentioned_word(db, file, |word| words.push(word));
    words.sort_unstable();
    words.dedup();
    words.into()
}

/// Words in the files of a module.
#[derive(PartialEq, Eq, Debug)]
struct ModuleWords {
    /// Words in closed files, each with the file that contains it; `None` if several do.
    closed: Box<[(u32, Option<File>)]>,
    open: Box<[File]>,
}

/// Indexes the words of a module, in one query for the same reason as [`far_names_of_module`].
#[salsa::tracked(returns(ref), lru = 0)]
fn words_of_module(db: &dyn Db, module: ModuleTree) -> ModuleWords {
    let _span = tracing::info_span!("words_of_module").entered();
    let mut words: FxHashMap<u32, Option<File>> = FxHashMap::default();
    let files = module.files(db).values().copied().filter(|it| may_read_variables(db, *it));
    let (open, closed): (Vec<File>, Vec<File>) = files.partition(|it| it.is_open_in_editor(db));
    for file in closed {
        each_mentioned_word(db, file, |word| {
            let known = words.entry(word).or_insert(Some(file));
            if *known != Some(file) {
                *known = None;
            }
        });
    }
    let mut closed: Vec<_> = words.into_iter().collect();
    closed.sort_unstable_by_key(|(word, _)| *word);
    ModuleWords { closed: closed.into(), open: open.into() }
}

/// Returns true if code in the file may read variables of manifests. Tests define variables separately, and
/// code that runs on agents sees none.
fn may_read_variables(db: &dyn Db, file: File) -> bool {
    const OF_AGENTS: [&str; 3] = ["lib/facter/", "lib/puppet/type/", "lib/puppet/provider/"];
    let is_of_agents = match file.role(db) {
        FileRole::Module { relative, .. } => OF_AGENTS.iter().any(|folder| relative.starts_with(folder)),
        FileRole::Loose | FileRole::MainManifest => false,
    };
    !is_of_agents && !is_test(db, file)
}

/// Returns true if the file is a test. Names in tests do not count as uses.
pub(super) fn is_test(db: &dyn Db, file: File) -> bool {
    crate::file_kind(db, file) == FileKind::Spec
}

fn each_mentioned_word(db: &dyn Db, file: File, mut take: impl FnMut(u32)) {
    let Some(text) = crate::text(db, file) else { return };
    let is_puppet = file.path(db).extension() == Some("pp");
    for (start, word) in crate::words(&text) {
        // In a manifest, a variable follows one of these characters, or its name is a string.
        let sign = start.checked_sub(1).map(|before| text.as_bytes()[before]);
        if !is_puppet || matches!(sign, Some(b'$' | b'{' | b':' | b'\'' | b'"' | b'@')) {
            take(fingerprint(word));
        }
    }
}

/// Returns true if another file of the module mentions a variable of this name, or if the file is in no
/// module.
pub fn is_mentioned_elsewhere(db: &dyn Db, file: File, name: &str) -> bool {
    let FileRole::Module { module, .. } = file.role(db) else { return true };
    let word = fingerprint(name);
    let ModuleWords { closed, open } = words_of_module(db, *module);
    let in_closed =
        closed.binary_search_by_key(&word, |(word, _)| *word).is_ok_and(|at| closed[at].1 != Some(file));
    let mut others = open.iter().filter(|it| **it != file);
    in_closed || others.any(|other| mentioned_words(db, *other).binary_search(&word).is_ok())
}

/// Names that refer to other modules or the top scope, as sorted lists of fingerprints.
#[derive(PartialEq, Eq, Default, Debug)]
struct FarNames {
    /// Names that contain `::`, without a leading one.
    qualified: Vec<u32>,
    /// The part of `qualified` in manifests and templates.
    qualified_in_code: Vec<u32>,
    /// Top-scope variables that are read: `$::name`.
    top: Vec<u32>,
    /// Parent classes in other modules.
    parents: Vec<u32>,
    /// Variables that ERB templates read: `@name`.
    of_templates: Vec<u32>,
    /// Words that may be names of templates.
    templates: Vec<u32>,
}

impl FarNames {
    fn add(&mut self, other: &FarNames) {
        self.qualified.extend(&other.qualified);
        self.qualified_in_code.extend(&other.qualified_in_code);
        self.top.extend(&other.top);
        self.parents.extend(&other.parents);
        self.of_templates.extend(&other.of_templates);
        self.templates.extend(&other.templates);
    }

    fn sorted(mut self) -> FarNames {
        let FarNames { qualified, qualified_in_code, top, parents, of_templates, templates } = &mut self;
        for list in [qualified, qualified_in_code, top, parents, of_templates, templates] {
            list.sort_unstable();
            list.dedup();
            list.shrink_to_fit();
        }
        self
    }
}

/// Collects the [`FarNames`] of a main manifest or of a file that is open.
#[salsa::tracked(returns(ref))]
fn far_names_in(db: &dyn Db, file: File) -> FarNames {
    let _span = tracing::info_span!("far_names_in").entered();
    let mut names = FarNames::default();
    find_far_names(db, file, &mut names);
    names.sorted()
}

/// Collects the [`FarNames`] of all files of a module.
///
/// This is one query per module, because in a large workspace a query per file needs more memory than the
/// names that it returns.
#[salsa::tracked(returns(ref), lru = 0)]
fn far_names_of_module(db: &dyn Db, module: ModuleTree) -> FarNames {
    let _span = tracing::info_span!("far_names_of_module").entered();
    let mut names = FarNames::default();
    for file in module.files(db).values().copied().filter(|it| !is_test(db, *it)) {
        if file.is_open_in_editor(db) {
            names.add(far_names_in(db, file))
        } else {
            find_far_names(db, file, &mut names)
        }
    }
    names.sorted()
}

/// Adds the names in a file.
fn find_far_names(db: &dyn Db, file: File, names: &mut FarNames) {
    let Some(text) = crate::text(db, file) else { return };
    let module = match file.role(db) {
        FileRole::Module { module, .. } => module.name(db).as_str(),
        FileRole::Loose | FileRole::MainManifest => "",
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
    let bytes = text.as_bytes();
    names.of_templates.extend(read_by_template(file.path(db), &text));
    let is_code = matches!(file.path(db).extension(), Some("pp" | "epp" | "erb"));
    let mut end = 0;
    for at in memmem::find_iter(bytes, b"::") {
        // Part of a word that was handled before.
        if at < end {
            continue;
        }
        let before = bytes[end..at].iter().rev().take_while(|byte| is_part(byte)).count();
        end = at + bytes[at..].iter().take_while(|byte| is_part(byte)).count();
        let word = &text[at - before..end];
        let name = word.trim_matches(':');
        if name.contains("::") {
            names.qualified.push(fingerprint(name));
            if is_code {
                names.qualified_in_code.push(fingerprint(name));
            }
        } else if word.starts_with("::") {
            names.top.push(fingerprint(name));
        }
    }
    for at in memmem::find_iter(bytes, b"inherits") {
        let after = at + "inherits".len();
        let is_word = !bytes[..at].last().is_some_and(is_part) && !bytes.get(after).is_some_and(is_part);
        let begin = after + bytes[after..].iter().take_while(|byte| !is_part(byte)).count();
        let length = bytes[begin..].iter().take_while(|byte| is_part(byte)).count();
        let name = text[begin..begin + length].trim_matches(':');
        if is_word && length > 0 && name.split("::").next() != Some(module) {
            names.parents.push(fingerprint(name));
        }
    }
    names.templates.extend(template_words(&text));
}

/// Returns the fingerprints of the variables that an ERB template reads.
fn read_by_template(path: &FilePath, text: &str) -> Vec<u32> {
    if path.extension() != Some("erb") {
        return Vec::new();
    }
    let length = |it: &str| it.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    text.split('@').skip(1).map(|it| fingerprint(&it[..length(it)])).collect()
}

/// [`FarNames`] of all files of an environment.
#[derive(PartialEq, Eq, Default, Debug)]
struct NamesOfAll {
    qualified: FxHashSet<u32>,
    /// The part of `qualified` in manifests and templates.
    qualified_in_code: FxHashSet<u32>,
    /// The part of `qualified` in modules with unread templates.
    qualified_by_unread: FxHashSet<u32>,
    top: FxHashSet<u32>,
    parents: FxHashSet<u32>,
    /// Variables that the templates of more than one module read.
    of_several_modules: FxHashSet<u32>,
    /// Words that may be names of templates, with the modules that contain them.
    templates: FxHashMap<u32, Namer>,
}

/// Modules that contain the name of a template.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Namer {
    Only(ModuleTree),
    Several,
}

#[salsa::tracked(returns(ref))]
fn far_names(db: &dyn Db, environment: Environment) -> NamesOfAll {
    let _span = tracing::info_span!("far_names").entered();
    let mut all = NamesOfAll::default();
    let mut read_before: FxHashSet<u32> = FxHashSet::default();
    for module in environment.modules(db).values() {
        let names = far_names_of_module(db, *module);
        all.add(names);
        if has_unread_templates(db, *module) {
            all.qualified_by_unread.extend(&names.qualified);
        }
        for word in &names.templates {
            let namer = all.templates.entry(*word).or_insert(Namer::Only(*module));
            if *namer != Namer::Only(*module) {
                *namer = Namer::Several;
            }
        }
        let read = names.of_templates.iter().copied();
        all.of_several_modules.extend(read.filter(|word| !read_before.insert(*word)));
    }
    for file in environment.main_manifests(db).iter() {
        all.add(far_names_in(db, *file));
    }
    all
}

impl NamesOfAll {
    fn add(&mut self, names: &FarNames) {
        self.qualified.extend(&names.qualified);
        self.qualified_in_code.extend(&names.qualified_in_code);
        self.top.extend(&names.top);
        self.parents.extend(&names.parents);
    }
}

/// Returns true if the module has templates whose contents are not loaded, because their file names do not
/// mark them as templates.
fn has_unread_templates(db: &dyn Db, module: ModuleTree) -> bool {
    let mut templates = module.files(db).iter().filter(|(path, _)| path.starts_with("templates/"));
    templates.any(|(_, file)| !file.contents(db).has_text())
}

/// Returns the names of the modules with templates whose contents are not loaded.
#[salsa::tracked(returns(ref))]
fn modules_with_unread_templates(db: &dyn Db, environment: Environment) -> FxHashSet<Name> {
    let modules = environment.modules(db).values().filter(|module| has_unread_templates(db, **module));
    modules.map(|module| module.name(db).clone()).collect()
}

/// Returns true if a template whose contents are not loaded may use the class: its module, or one that
/// contains the qualified name of the class, has such a template.
pub fn may_be_read_by_unread_template(
    db: &dyn Db,
    environment: Environment,
    module: &str,
    class: &str,
) -> bool {
    modules_with_unread_templates(db, environment).contains(module)
        || far_names(db, environment).qualified_by_unread.contains(&fingerprint(class))
}

/// Returns the modules that contain a word which may be the name of a template.
pub(super) fn namer_of_template(db: &dyn Db, environment: Environment, name: &str) -> Option<Namer> {
    far_names(db, environment).templates.get(&fingerprint(name)).copied()
}

/// Returns true if templates of several modules read a variable of this name, which may then be an external
/// fact.
pub fn is_read_by_several_modules(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).of_several_modules.contains(&fingerprint(name))
}

/// Returns true if a manifest reads a top-scope variable of this name, which then is set outside of the
/// workspace.
pub fn is_read_of_top_scope(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).top.contains(&fingerprint(name))
}

/// Returns true if a file of the environment contains the qualified name `class::variable`.
pub fn is_named_in_full(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).qualified.contains(&fingerprint(name))
}

/// Returns true if a manifest or template of the environment contains the qualified name.
pub fn is_named_in_code(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).qualified_in_code.contains(&fingerprint(name))
}

/// Returns true if a class of another module, or one in a main manifest, inherits from the class.
pub fn is_inherited_elsewhere(db: &dyn Db, environment: Environment, class: &str) -> bool {
    far_names(db, environment).parents.contains(&fingerprint(class))
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    words_of_module::set_lru_capacity(db, files);
    far_names_of_module::set_lru_capacity(db, files);
}

/// Returns true if another file of the module has a hash entry with this key (`name => 1`), as in the
/// parameters of a template.
pub fn is_key_elsewhere(db: &dyn Db, file: File, name: &str) -> bool {
    let FileRole::Module { module, .. } = file.role(db) else { return true };
    module.files(db).values().filter(|other| **other != file && !is_test(db, **other)).any(|other| {
        let Some(text) = crate::text(db, *other) else { return false };
        text.match_indices(name).any(|(at, _)| text[at + name.len()..].trim_start().starts_with("=>"))
    })
}
