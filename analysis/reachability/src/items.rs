//! Everything that may be unused, and the units of code and data that mention it.

use std::sync::Arc;

use hir::{DefinitionKind, HostMatch, Name};
use project::{Db, Environment, File, FileKind, FileRole, ModuleTree};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::TextRange;

use crate::data::KeyMentions;
use crate::mentions::MentionedNames;
use crate::queries::{code_mentions, data_mentions, mentions_in_text, ruby_mentions};

/// Kind of an item, in the order of reports.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ItemKind {
    Module,
    Class,
    DefinedType,
    Function,
    /// Data type alias.
    DataType,
    Template,
    /// File that a module serves.
    File,
    /// Hierarchy level whose paths no file matches.
    Level,
    /// Data file that no hierarchy level reads.
    DataFile,
    HieraKey,
}

/// Location of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ItemLocation {
    pub file: File,
    /// The name; empty for a whole file.
    pub range: TextRange,
    /// The whole definition, or the key with its value; empty for a whole file.
    pub full: TextRange,
}

/// Something that nodes may use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item {
    pub kind: ItemKind,
    /// `profile::web`, `profile/motd.epp`
    pub name: Name,
    /// All locations of a Hiera key, or of a name that is defined more than once.
    pub locations: Vec<ItemLocation>,
    /// Name of the module that contains it; empty for the main manifest, `environment` for the environment.
    pub module: Name,
    /// True if the item belongs to the repository, and not to a module that is installed.
    pub is_own: bool,
}

/// Role of the code of a unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum UnitRole {
    /// Evaluated for nodes in any case.
    Root,
    /// Evaluated if the item is used.
    OfItem(usize),
    /// Bolt plans and tasks.
    Plan,
    Test,
}

/// Code or data whose mentions count together.
pub(crate) struct CodeUnit {
    pub(crate) role: UnitRole,
    pub(crate) file: File,
    pub(crate) mentions: UnitMentions,
}

/// MentionedNames of a unit, without a copy of them.
pub(crate) enum UnitMentions {
    Definition(Arc<[MentionedNames]>, usize),
    Text(Arc<MentionedNames>),
    Key(Arc<[KeyMentions]>, usize),
    /// The template could not be read.
    UnreadTemplate,
    /// The data file could not be read.
    UnreadData,
}

impl UnitMentions {
    pub(crate) fn get(&self) -> Option<&MentionedNames> {
        match self {
            UnitMentions::Definition(all, index) => all.get(*index),
            UnitMentions::Text(mentions) => Some(mentions),
            UnitMentions::Key(all, index) => all.get(*index).map(|it| &it.mentions),
            UnitMentions::UnreadTemplate | UnitMentions::UnreadData => None,
        }
    }
}

/// ItemIndex and units of an environment.
#[derive(Default)]
pub(crate) struct ItemIndex {
    pub(crate) all: Vec<Item>,
    pub(crate) units: Vec<CodeUnit>,
    /// Units of each item.
    pub(crate) units_of: Vec<Vec<usize>>,
    /// Hiera keys of the parameters of each class.
    pub(crate) parameters: FxHashMap<usize, Vec<Name>>,
    /// Item that encloses another one.
    pub(crate) enclosing: FxHashMap<usize, usize>,
    pub(crate) index: FxHashMap<(ItemKind, Name), usize>,
    /// True if the main manifest classifies nodes by name or by data.
    pub(crate) classifies_nodes: bool,
    /// Modules with items or code, without those of tests.
    pub(crate) modules: FxHashSet<Name>,
    /// Modules with code that has syntax errors or was not read.
    pub(crate) unsound: FxHashMap<Name, File>,
    /// Data files whose keys are not known.
    pub(crate) unread_data: Vec<Item>,
}

/// A file of a module.
struct FileInModule<'a> {
    module: &'a str,
    /// Path below the folder of the module.
    path: &'a str,
    file: File,
    /// True if the module is part of the environment's repository.
    is_own: bool,
}

/// Reads texts that are not part of the project, such as templates without `.erb`.
pub(crate) type TextReader<'r> = &'r dyn Fn(File) -> Option<String>;

impl ItemIndex {
    pub(crate) fn new(db: &dyn Db, environment: Environment, read: TextReader<'_>) -> ItemIndex {
        let mut items = ItemIndex::default();
        for file in environment.main_manifests(db).iter() {
            items.manifest(db, *file, "", true, UnitRole::Root);
            items.classifies_nodes |= classifies_nodes(db, *file);
        }
        let own = own_modules(db, environment);
        let is_of_tests = |module: &ModuleTree| {
            let root = environment.root(db).as_ref().and_then(|it| module.root(db).strip_prefix(it));
            root.is_some_and(|it| it.split('/').any(|folder| folder == "spec"))
        };
        for (name, module) in environment.modules(db).iter().filter(|(_, it)| !is_of_tests(it)) {
            items.modules.insert(name.clone());
            items.module(db, name, *module, own.contains(&name), read);
        }
        items.hiera(db, environment, &own, read);
        items
    }

    fn add(&mut self, kind: ItemKind, name: Name, module: &str, is_own: bool, at: ItemLocation) -> usize {
        let next = self.all.len();
        let index = *self.index.entry((kind, name.clone())).or_insert(next);
        if index == next {
            self.all.push(Item { kind, name, locations: vec![at], module: module.into(), is_own });
            self.units_of.push(Vec::new());
        } else {
            self.all[index].locations.push(at);
            self.all[index].is_own &= is_own;
        }
        index
    }

    fn unit(&mut self, role: UnitRole, file: File, mentions: UnitMentions) {
        if let UnitRole::OfItem(item) = role {
            self.units_of[item].push(self.units.len());
        }
        self.units.push(CodeUnit { role, file, mentions });
    }

    fn module(&mut self, db: &dyn Db, name: &str, module: ModuleTree, is_own: bool, read: TextReader<'_>) {
        for (path, file) in module.files(db).iter().map(|(path, file)| (path.as_str(), *file)) {
            let entry = FileInModule { module: name, path, file, is_own };
            let folder = path.split('/').next().unwrap_or_default();
            if matches!(file.role(db), FileRole::MainManifest) {
                continue;
            }
            match project::file_kind(db, file) {
                FileKind::Manifest if matches!(folder, "manifests" | "functions" | "types") => {
                    // Code outside of definitions runs when the file is loaded.
                    self.manifest(db, file, name, is_own, UnitRole::Root);
                }
                FileKind::Manifest if folder == "plans" => self.code(db, file, UnitRole::Plan),
                FileKind::Manifest | FileKind::EppTemplate if folder == "files" => self.served(&entry),
                FileKind::Manifest => self.code(db, file, UnitRole::Test),
                FileKind::EppTemplate | FileKind::ErbTemplate | FileKind::Asset if folder == "templates" => {
                    self.template(db, &entry, read);
                }
                FileKind::Asset if folder == "files" => self.served(&entry),
                FileKind::RubyPlugin => self.ruby(db, &entry),
                FileKind::Spec => self.text(db, file, UnitRole::Test),
                FileKind::TaskMetadata => self.text(db, file, UnitRole::Plan),
                FileKind::Data if folder == "plans" => self.text(db, file, UnitRole::Plan),
                FileKind::HieraConfiguration => self.configuration(db, file),
                _ if folder == "files" => self.served(&entry),
                _ => {}
            }
        }
    }

    fn code(&mut self, db: &dyn Db, file: File, role: UnitRole) {
        let mentions = code_mentions(db, file);
        for index in 0..mentions.len() {
            self.unit(role, file, UnitMentions::Definition(mentions.clone(), index));
        }
    }

    fn text(&mut self, db: &dyn Db, file: File, role: UnitRole) {
        self.unit(role, file, UnitMentions::Text(ruby_mentions(db, file)));
    }

    /// Adds the functions that a Hiera configuration calls.
    fn configuration(&mut self, db: &dyn Db, file: File) {
        let Some(config) = project::hiera_configuration(db, file) else { return };
        let functions: Vec<&str> = config.levels().map(|it| it.backend.name()).collect();
        let mentions = Arc::new(mentions_in_text(&functions.join("\n"), false));
        self.unit(UnitRole::Root, file, UnitMentions::Text(mentions));
    }

    /// Adds the definitions of a manifest. `main` is the role of the code outside of them.
    fn manifest(&mut self, db: &dyn Db, file: File, module: &str, is_own: bool, main: UnitRole) {
        let mentions = code_mentions(db, file);
        let summary = project::item_summary(db, file);
        if mentions.len() != summary.definitions.len() || !project::parse_once(db, file).errors().is_empty() {
            self.unsound.insert(module.into(), file);
        }
        let ranges = project::definition_ranges(db, file);
        let mut of_definitions: Vec<Option<usize>> = Vec::new();
        for (index, definition) in summary.definitions.iter().enumerate() {
            let kind = match definition.key.kind {
                DefinitionKind::Class => Some(ItemKind::Class),
                DefinitionKind::DefinedType => Some(ItemKind::DefinedType),
                DefinitionKind::Function => Some(ItemKind::Function),
                DefinitionKind::TypeAlias => Some(ItemKind::DataType),
                _ => None,
            };
            let item = kind.zip(ranges.get(index)).map(|(kind, ranges)| {
                let at = ItemLocation { file, range: ranges.name, full: ranges.full };
                self.add(kind, definition.key.name.clone(), module, is_own, at)
            });
            if let (Some(item), Some(ItemKind::Class)) = (item, kind) {
                let class = &definition.key.name;
                let keys = definition.parameters.iter().map(|it| format!("{class}::{}", it.name).into());
                self.parameters.entry(item).or_default().extend(keys);
            }
            let parent = definition.parent.and_then(|it| of_definitions.get(it as usize).copied().flatten());
            if let (Some(item), Some(parent)) = (item, parent) {
                self.enclosing.insert(item, parent);
            }
            of_definitions.push(item);
            let role = match (item, parent) {
                (Some(item), _) => UnitRole::OfItem(item),
                (None, Some(parent)) => UnitRole::OfItem(parent),
                (None, None) => main,
            };
            self.unit(role, file, UnitMentions::Definition(mentions.clone(), index));
        }
    }

    fn template(&mut self, db: &dyn Db, entry: &FileInModule<'_>, read: TextReader<'_>) {
        let FileInModule { module, path, file, is_own } = *entry;
        let Some(path) = path.strip_prefix("templates/").filter(|it| !is_incidental(it)) else { return };
        let at = ItemLocation { file, range: TextRange::empty(0), full: TextRange::empty(0) };
        let item = self.add(ItemKind::Template, format!("{module}/{path}").into(), module, is_own, at);
        let role = UnitRole::OfItem(item);
        if project::file_kind(db, file) == FileKind::EppTemplate {
            return self.code(db, file, role);
        }
        let mentions = if file.contents(db).has_text() {
            UnitMentions::Text(ruby_mentions(db, file))
        } else if let Some(text) = read(file) {
            UnitMentions::Text(Arc::new(mentions_in_text(&text, false)))
        } else {
            UnitMentions::UnreadTemplate
        };
        self.unit(role, file, mentions);
    }

    fn served(&mut self, entry: &FileInModule<'_>) {
        let FileInModule { module, path, file, is_own } = *entry;
        let Some(path) = path.strip_prefix("files/").filter(|it| !is_incidental(it)) else { return };
        let at = ItemLocation { file, range: TextRange::empty(0), full: TextRange::empty(0) };
        self.add(ItemKind::File, format!("{module}/{path}").into(), module, is_own, at);
    }

    fn ruby(&mut self, db: &dyn Db, entry: &FileInModule<'_>) {
        let FileInModule { module, path, file, is_own } = *entry;
        let inner = ["lib/puppet/functions/", "lib/puppet/parser/functions/"];
        let inner = inner.iter().find_map(|folder| path.strip_prefix(folder)?.strip_suffix(".rb"));
        let role = match inner {
            Some(inner) => {
                let name = hir::fold_name(&inner.replace('/', "::"));
                let at = ItemLocation { file, range: TextRange::empty(0), full: TextRange::empty(0) };
                UnitRole::OfItem(self.add(ItemKind::Function, name, module, is_own, at))
            }
            None => UnitRole::Root,
        };
        self.text(db, file, role);
    }

    /// Adds what a data file mentions whose keys are not examined.
    fn data(&mut self, db: &dyn Db, file: File, read: TextReader<'_>) {
        if file.contents(db).has_text() {
            return self.text(db, file, UnitRole::Root);
        }
        let mentions = match read(file) {
            Some(text) => UnitMentions::Text(Arc::new(mentions_in_text(&text, true))),
            None => UnitMentions::UnreadData,
        };
        self.unit(UnitRole::Root, file, mentions);
    }

    /// Adds the keys of the data of an environment and its modules.
    fn hiera(&mut self, db: &dyn Db, environment: Environment, own: &[&Name], read: TextReader<'_>) {
        for (module, tree) in environment.modules(db).iter() {
            for file in project::unread_hiera_data(db, *tree) {
                self.data(db, file, read);
                let FileRole::Module { relative, .. } = file.role(db) else { continue };
                let (is_own, range) = (own.contains(&module), TextRange::empty(0));
                let locations = vec![ItemLocation { file, range, full: range }];
                let (kind, name, module) = (ItemKind::DataFile, relative.clone(), module.clone());
                self.unread_data.push(Item { kind, name, locations, module, is_own });
            }
        }
        let mut seen = Vec::new();
        for source in project::data_sources(db, environment).iter() {
            if seen.contains(&source.file) {
                continue;
            }
            seen.push(source.file);
            let FileRole::Module { module, .. } = source.file.role(db) else { continue };
            let module = module.name(db);
            let keys = data_mentions(db, source.file);
            // Every lookup that reads the file fails, so that it is unknown which keys are used once it is fixed.
            let is_refused = project::hiera_data(db, source.file).hash().is_err();
            for (index, key) in keys.iter().enumerate() {
                if matches!(key.name.as_str(), "lookup_options" | "<<") {
                    continue;
                }
                if is_refused {
                    self.unit(UnitRole::Root, source.file, UnitMentions::Key(keys.clone(), index));
                    continue;
                }
                let at = ItemLocation { file: source.file, range: key.range, full: key.full };
                let item = self.add(ItemKind::HieraKey, key.name.clone(), module, own.contains(&module), at);
                self.unit(UnitRole::OfItem(item), source.file, UnitMentions::Key(keys.clone(), index));
            }
        }
    }
}

/// Returns true for files that are in a folder for other reasons than to be used.
fn is_incidental(path: &str) -> bool {
    let name = path.rsplit('/').next().unwrap_or_default();
    name.starts_with('.') || name.to_ascii_lowercase().starts_with("readme")
}

/// Returns the modules that the repository itself consists of: those without `metadata.json` that the
/// `Puppetfile` does not install.
pub(crate) fn own_modules(db: &dyn Db, environment: Environment) -> Vec<&Name> {
    let installed = project::expected_modules(db, environment);
    let is_own = |(name, module): &(&Name, &ModuleTree)| {
        let root = environment.root(db).as_ref();
        let is_inside = root.is_some_and(|root| module.root(db).starts_with(root));
        let is_environment = project::environment_tree(db, environment) == Some(**module);
        let is_installed = installed.iter().any(|it| *it == **name);
        is_inside && (is_environment || (!is_installed && !is_published(db, **module)))
    };
    environment.modules(db).iter().filter(is_own).map(|(name, _)| name).collect()
}

/// Returns the modules in a repository that others maintain: see [`own_modules`].
pub(crate) fn foreign_modules(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let own = own_modules(db, environment);
    let root = environment.root(db).as_ref();
    let is_inside = |module: &ModuleTree| root.is_some_and(|root| module.root(db).starts_with(root));
    let foreign = environment.modules(db).iter().filter(|(name, it)| is_inside(it) && !own.contains(name));
    foreign.map(|(name, _)| name.clone()).collect()
}

/// Returns true if a module is made for others too. The modules of a repository's own folder, and its roles and
/// profiles, may have metadata for their tests.
fn is_published(db: &dyn Db, module: ModuleTree) -> bool {
    let is_own_folder = module.root(db).parent().is_some_and(|it| {
        matches!(it.file_name(), "site" | "site-modules" | "dist" | "local" | "site_modules")
    });
    let is_own_name = matches!(module.name(db).as_str(), "profile" | "profiles" | "role" | "roles");
    project::metadata_file(db, module).is_some() && !is_own_folder && !is_own_name
}

impl ItemIndex {
    /// Adds data that a configuration outside of the repository may read, as used. `unread` are the files that no
    /// level reads.
    pub(crate) fn other_data(
        &mut self,
        db: &dyn Db,
        environment: Environment,
        unread: &[Item],
        read: TextReader<'_>,
    ) {
        let Some(tree) = project::environment_tree(db, environment) else { return };
        let sources = project::data_sources(db, environment);
        let is_unread = |file: File| unread.iter().any(|it| it.locations.iter().any(|at| at.file == file));
        for (path, file) in tree.files(db).iter() {
            let is_source = sources.iter().any(|it| it.file == *file);
            let is_other = project::file_kind(db, *file) == FileKind::Data && !path.starts_with("plans/");
            if is_other && !is_source && !is_unread(*file) {
                self.data(db, *file, read);
            }
        }
    }
}

/// Returns true if a main manifest has definitions of named nodes with code, or includes the classes that data
/// lists.
fn classifies_nodes(db: &dyn Db, file: File) -> bool {
    let mentions = code_mentions(db, file);
    let definitions = &project::item_summary(db, file).definitions;
    definitions.iter().zip(mentions.iter()).any(|(definition, mentions)| {
        let has = |word: &str| mentions.words.iter().any(|it| it == word);
        let is_default = || definition.hosts.iter().all(|it| matches!(it, HostMatch::Default));
        match definition.key.kind {
            DefinitionKind::Node if !is_default() => !mentions.words.is_empty(),
            DefinitionKind::Node | DefinitionKind::Main => {
                has("hiera_include") || (has("lookup") && (has("include") || has("contain")))
            }
            _ => false,
        }
    })
}
