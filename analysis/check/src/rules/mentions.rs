//! Which variables the files of a module mention, whoever means them: what keeps a class's variable from being unused.

use hir::Name;
use memchr::memmem;
use project::vfs::FilePath;
use project::{Db, Environment, File, FileKind, FileRole, ModuleTree};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::hash::BuildHasher;

/// Fingerprints of the words in a file that is open that may name a variable, sorted.
#[salsa::tracked(returns(ref))]
fn mentioned_words(db: &dyn Db, file: File) -> Box<[u32]> {
    let _span = tracing::info_span!("mentioned_words").entered();
    let mut words = Vec::new();
    each_mentioned_word(db, file, |word| words.push(word));
    words.sort_unstable();
    words.dedup();
    words.into()
}

/// The words in the files of a module.
#[derive(PartialEq, Eq, Debug)]
struct ModuleWords {
    /// Of the files that are not open: by word, in which one it stands; `None` where it stands in several.
    closed: Box<[(u32, Option<File>)]>,
    open: Box<[File]>,
}

/// One question for all files, as for [`far_names_of_module`].
#[salsa::tracked(returns(ref), lru = 0)]
fn words_of_module(db: &dyn Db, module: ModuleTree) -> ModuleWords {
    let _span = tracing::info_span!("words_of_module").entered();
    let mut words: FxHashMap<u32, Option<File>> = FxHashMap::default();
    let files = module.files(db).values().copied().filter(|it| may_read_variables(db, *it));
    let (open, closed): (Vec<File>, Vec<File>) = files.partition(|it| it.is_open(db));
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

/// Are there variables in scope where a file is at work? Tests have their own, and agents have none.
fn may_read_variables(db: &dyn Db, file: File) -> bool {
    const OF_AGENTS: [&str; 3] = ["lib/facter/", "lib/puppet/type/", "lib/puppet/provider/"];
    let is_of_agents = match file.place(db) {
        FileRole::Module { relative, .. } => OF_AGENTS.iter().any(|folder| relative.starts_with(folder)),
        FileRole::Loose | FileRole::MainManifest => false,
    };
    !is_of_agents && !is_test(db, file)
}

/// Is it a test? What one names is not used by that.
pub(super) fn is_test(db: &dyn Db, file: File) -> bool {
    project::file_kind(db, file) == FileKind::Spec
}

fn each_mentioned_word(db: &dyn Db, file: File, mut take: impl FnMut(u32)) {
    let Some(text) = project::text(db, file) else { return };
    let is_puppet = file.path(db).extension() == Some("pp");
    for (start, word) in project::words(&text) {
        // In a manifest a variable has a sign in front, or its name is a text.
        let sign = start.checked_sub(1).map(|before| text.as_bytes()[before]);
        if !is_puppet || matches!(sign, Some(b'$' | b'{' | b':' | b'\'' | b'"' | b'@')) {
            take(fingerprint(word));
        }
    }
}

fn fingerprint(word: &str) -> u32 {
    FxBuildHasher.hash_one(word) as u32
}

/// Does another file of the module mention a variable of this name? True for a file in no module.
pub(super) fn is_mentioned_elsewhere(db: &dyn Db, file: File, name: &str) -> bool {
    let FileRole::Module { module, .. } = file.place(db) else { return true };
    let word = fingerprint(name);
    let ModuleWords { closed, open } = words_of_module(db, *module);
    let in_closed =
        closed.binary_search_by_key(&word, |(word, _)| *word).is_ok_and(|at| closed[at].1 != Some(file));
    let mut others = open.iter().filter(|it| **it != file);
    in_closed || others.any(|other| mentioned_words(db, *other).binary_search(&word).is_ok())
}

/// What files name of other modules and of the top scope: fingerprints, each list sorted.
#[derive(PartialEq, Eq, Default, Debug)]
struct FarNames {
    /// Names with a `::` inside, without one in front.
    qualified: Vec<u32>,
    /// Those in manifests and templates.
    qualified_in_code: Vec<u32>,
    /// The variables that are read of the top scope: `$::name`.
    top: Vec<u32>,
    /// The classes of other modules that something inherits from.
    parents: Vec<u32>,
    /// What ERB templates read: `@name`.
    of_templates: Vec<u32>,
    /// What may be names of templates.
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

/// Those of a file that is open, or of a main manifest.
#[salsa::tracked(returns(ref))]
fn far_names_in(db: &dyn Db, file: File) -> FarNames {
    let _span = tracing::info_span!("far_names_in").entered();
    let mut names = FarNames::default();
    find_far_names(db, file, &mut names);
    names.sorted()
}

/// Those of all files of a module. One question for all: to remember something of each file of a large workspace takes more
/// room than what is remembered.
#[salsa::tracked(returns(ref), lru = 0)]
fn far_names_of_module(db: &dyn Db, module: ModuleTree) -> FarNames {
    let _span = tracing::info_span!("far_names_of_module").entered();
    let mut names = FarNames::default();
    for file in module.files(db).values().copied().filter(|it| !is_test(db, *it)) {
        match file.is_open(db) {
            true => names.add(far_names_in(db, file)),
            false => find_far_names(db, file, &mut names),
        }
    }
    names.sorted()
}

/// Adds the names of a file.
fn find_far_names(db: &dyn Db, file: File, names: &mut FarNames) {
    let Some(text) = project::text(db, file) else { return };
    let module = match file.place(db) {
        FileRole::Module { module, .. } => module.name(db).as_str(),
        FileRole::Loose | FileRole::MainManifest => "",
    };
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b':');
    let bytes = text.as_bytes();
    names.of_templates.extend(read_by_template(file.path(db), &text));
    let is_code = matches!(file.path(db).extension(), Some("pp" | "epp" | "erb"));
    let mut end = 0;
    for at in memmem::find_iter(bytes, b"::") {
        // In a word that was looked at.
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
        let behind = at + "inherits".len();
        let is_word = !bytes[..at].last().is_some_and(is_part) && !bytes.get(behind).is_some_and(is_part);
        let begin = behind + bytes[behind..].iter().take_while(|byte| !is_part(byte)).count();
        let length = bytes[begin..].iter().take_while(|byte| is_part(byte)).count();
        let name = text[begin..begin + length].trim_matches(':');
        if is_word && length > 0 && name.split("::").next() != Some(module) {
            names.parents.push(fingerprint(name));
        }
    }
    names.templates.extend(super::template_mentions::template_words(&text));
}

/// Fingerprints of what an ERB template reads.
fn read_by_template(path: &FilePath, text: &str) -> Vec<u32> {
    if path.extension() != Some("erb") {
        return Vec::new();
    }
    let length = |it: &str| it.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
    text.split('@').skip(1).map(|it| fingerprint(&it[..length(it)])).collect()
}

/// The [`FarNames`] of all files of an environment.
#[derive(PartialEq, Eq, Default, Debug)]
struct NamesOfAll {
    qualified: FxHashSet<u32>,
    /// Those in manifests and templates.
    qualified_in_code: FxHashSet<u32>,
    /// Those in modules with templates that are not read.
    qualified_by_unread: FxHashSet<u32>,
    top: FxHashSet<u32>,
    parents: FxHashSet<u32>,
    /// What the templates of more than one module read.
    of_several_modules: FxHashSet<u32>,
    /// What may be names of templates, and whose files have them.
    templates: FxHashMap<u32, Namer>,
}

/// Whose files name a template.
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

/// Has a module templates that are not read, as their names do not say that they are any?
fn has_unread_templates(db: &dyn Db, module: ModuleTree) -> bool {
    let mut templates = module.files(db).iter().filter(|(path, _)| path.starts_with("templates/"));
    templates.any(|(_, file)| !file.contents(db).has_text())
}

/// The names of the modules with templates that are not read.
#[salsa::tracked(returns(ref))]
fn modules_with_unread_templates(db: &dyn Db, environment: Environment) -> FxHashSet<Name> {
    let modules = environment.modules(db).values().filter(|module| has_unread_templates(db, **module));
    modules.map(|module| module.name(db).clone()).collect()
}

/// May a template that is not read have to do with a class: one of its own module, or of one whose files name the class in full?
pub(super) fn may_be_read_by_unread_template(
    db: &dyn Db,
    environment: Environment,
    module: &str,
    class: &str,
) -> bool {
    modules_with_unread_templates(db, environment).contains(module)
        || far_names(db, environment).qualified_by_unread.contains(&fingerprint(class))
}

/// Whose files have a word that may be the name of a template.
pub(super) fn namer_of_template(db: &dyn Db, environment: Environment, name: &str) -> Option<Namer> {
    far_names(db, environment).templates.get(&fingerprint(name)).copied()
}

/// Do templates of several modules read a variable of this name? Then it may be one that all have: an external fact.
pub(super) fn is_read_by_several_modules(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).of_several_modules.contains(&fingerprint(name))
}

/// Does a manifest read a variable of this name of the top scope? Then something that nobody sees here sets it there.
pub(super) fn is_read_of_top_scope(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).top.contains(&fingerprint(name))
}

/// Does a file of an environment name something in full: `class::variable`?
pub(super) fn is_named_in_full(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).qualified.contains(&fingerprint(name))
}

/// Does a manifest or template of an environment?
pub(crate) fn is_named_in_code(db: &dyn Db, environment: Environment, name: &str) -> bool {
    far_names(db, environment).qualified_in_code.contains(&fingerprint(name))
}

/// Does a class of another module, or of a main manifest, inherit from a class?
pub(super) fn is_inherited_elsewhere(db: &dyn Db, environment: Environment, class: &str) -> bool {
    far_names(db, environment).parents.contains(&fingerprint(class))
}

/// Lets go of what was worked out of more than so many files.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    words_of_module::set_lru_capacity(db, files);
    far_names_of_module::set_lru_capacity(db, files);
}

/// Does another file of the module have a hash with such a key (`name => 1`), as a template is given its variables?
pub(super) fn is_key_elsewhere(db: &dyn Db, file: File, name: &str) -> bool {
    let FileRole::Module { module, .. } = file.place(db) else { return true };
    module.files(db).values().filter(|other| **other != file && !is_test(db, **other)).any(|other| {
        let Some(text) = project::text(db, *other) else { return false };
        text.match_indices(name).any(|(at, _)| text[at + name.len()..].trim_start().starts_with("=>"))
    })
}
