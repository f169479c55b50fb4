//! The salsa inputs: handles that live as long as the database and are updated in place, by [`crate::vfs`]
//! only.

use std::collections::BTreeMap;
use std::sync::Arc;

use hir::{DefinitionKind, Name};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use validation::{PuppetVersion, Strict};

use crate::open_files::last_trees::LastTrees;
use crate::vfs::{ByteOrderMark, FilePath, PackedText};
use crate::{LintLevels, RuleOptions};
use indexmap::IndexMap;

/// Contents of a file. Unsaved editor buffers override the disk.
#[derive(Clone, Debug)]
pub enum Contents {
    Text(Arc<str>),
    /// Compressed text of a file that is not open in an editor.
    Packed(PackedText),
    /// With the byte order mark of the file, if it has one.
    NotUtf8(Option<ByteOrderMark>),
    /// With the reason why it cannot be read.
    Unreadable(Arc<str>),
    /// Exists, but was not read: its contents are irrelevant, or it is very large.
    Unread,
    /// No longer exists, or never did.
    Missing,
}

impl Contents {
    pub fn text(&self) -> Option<Arc<str>> {
        match self {
            Contents::Text(text) => Some(text.clone()),
            Contents::Packed(packed) => Some(packed.text()),
            _ => None,
        }
    }

    pub fn has_text(&self) -> bool {
        matches!(self, Contents::Text(_) | Contents::Packed(_))
    }

    /// Returns the length of the text in bytes.
    pub fn length(&self) -> usize {
        match self {
            Contents::Text(text) => text.len(),
            Contents::Packed(packed) => packed.len(),
            _ => 0,
        }
    }
}

/// Equal texts are equal in either representation.
impl PartialEq for Contents {
    fn eq(&self, other: &Contents) -> bool {
        match (self, other) {
            (Contents::Packed(one), Contents::Packed(other)) => one == other,
            (Contents::Text(one), Contents::Text(other)) => one == other,
            (Contents::Text(text), Contents::Packed(packed))
            | (Contents::Packed(packed), Contents::Text(text)) => {
                text.len() == packed.len() && **text == *packed.text()
            }
            (Contents::NotUtf8(one), Contents::NotUtf8(other)) => one == other,
            (Contents::Unreadable(one), Contents::Unreadable(other)) => one == other,
            (Contents::Unread, Contents::Unread) | (Contents::Missing, Contents::Missing) => true,
            _ => false,
        }
    }
}

impl Eq for Contents {}

/// Role of a file in the project's layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileRole {
    /// Neither in a module nor part of a main manifest.
    Loose,
    /// Part of an environment's main manifest.
    MainManifest,
    /// In a module.
    Module {
        module: ModuleTree,
        /// Path relative to the module's folder, with `/`.
        relative: SmolStr,
    },
}

/// A file. A deleted file keeps its handle, with [`Contents::Missing`], and reuses it if it reappears.
#[salsa::input(debug)]
pub struct File {
    /// Never changes.
    #[returns(ref)]
    pub path: FilePath,
    #[returns(ref)]
    pub contents: Contents,
    /// Trees are kept for open files only.
    #[returns(copy)]
    pub is_open_in_editor: bool,
    /// True if the file is above the size limit, so that only its syntax and outline are computed.
    #[returns(copy)]
    pub is_large: bool,
    #[returns(ref)]
    pub role: FileRole,
    /// Environments that the file belongs to, the most important one first; never empty.
    #[returns(ref)]
    pub environments: Arc<[Environment]>,
    /// The field never changes.
    #[returns(ref)]
    #[default]
    pub(crate) last_trees: LastTrees,
}

/// Files of one module. There is one input per module: it is invalidated when a file appears, so a lookup of
/// a missing file depends on it.
#[salsa::input(debug)]
pub struct ModuleTree {
    /// Folder of the module. Never changes.
    #[returns(ref)]
    pub root: FilePath,
    /// Lowercase name of the module.
    #[returns(ref)]
    pub name: SmolStr,
    /// True if Puppet is certain to know the module by this name. Otherwise, no rule checks where definitions
    /// may be.
    #[returns(copy)]
    pub name_is_certain: bool,
    /// All files that are relevant to Puppet code ([`crate::FileKind`]), by path relative to the folder, with
    /// `/`. Those of an environment itself are in the module `environment`.
    #[returns(ref)]
    pub files: Arc<BTreeMap<SmolStr, File>>,
}

/// An installation of Puppet itself.
#[salsa::input(singleton, debug)]
pub struct InstalledPuppet {
    /// Its folders of Ruby files, structured like those of modules (`lib/puppet/...`).
    #[returns(ref)]
    pub trees: Arc<[ModuleTree]>,
}

/// Scope and rules of name resolution. Part of every query from name resolution up.
#[salsa::input(debug)]
pub struct Environment {
    /// Root folder; `None` for the environment of all files outside any other environment.
    #[returns(ref)]
    pub root: Option<FilePath>,
    /// Modules by name, in the order of the module path. The first of several modules with one name wins, and
    /// so does the first of several definitions.
    #[returns(ref)]
    pub modules: Arc<ModuleMap>,
    /// Files of the main manifest, in the order in which Puppet reads them.
    #[returns(ref)]
    pub main_manifests: Arc<[File]>,
    #[returns(copy)]
    pub puppet_version: PuppetVersion,
    #[returns(copy)]
    pub strict: Strict,
    /// True if `plan` and `apply` are keywords in every manifest.
    #[returns(copy)]
    pub tasks: bool,
    #[returns(ref)]
    pub lint_levels: LintLevels,
    #[returns(ref)]
    pub rule_options: Arc<RuleOptions>,
    /// Existing fact files from the user's settings.
    #[returns(ref)]
    pub fact_files: Arc<[File]>,
    /// True if the module path has folders that must not be read.
    #[returns(copy)]
    pub lacks_modules: bool,
    /// Modules on the module path that an earlier module of the same name shadows. Puppet still loads their
    /// resource types, providers and 3.x functions.
    #[returns(ref)]
    pub shadowed: Arc<[ModuleTree]>,
    /// True to report what old modules need for an upgrade to `puppet_version`.
    #[returns(copy)]
    #[default]
    pub prepares_upgrade: bool,
    /// Classes and nodes that are not compiled because the whole run would exceed its budget.
    #[returns(ref)]
    #[default]
    pub excluded_definitions: Arc<FxHashSet<(DefinitionKind, Name)>>,
}

/// Name of the module that contains the files of an environment itself.
pub(crate) const ENVIRONMENT_MODULE: &str = "environment";

/// Modules of an environment by name, in the order of the module path. The environment of a module's tests
/// has few modules itself and shares the others with the surrounding environment, as thousands of modules may
/// have such tests.
#[derive(Clone, Debug, Default)]
pub struct ModuleMap {
    own: IndexMap<SmolStr, ModuleTree>,
    around: Option<Arc<ModuleMap>>,
}

impl ModuleMap {
    /// Creates a map in which `own` takes precedence over the modules of `around`.
    pub(crate) fn new(own: IndexMap<SmolStr, ModuleTree>, around: Option<Arc<ModuleMap>>) -> ModuleMap {
        ModuleMap { own, around }
    }

    /// Returns the module with a name (in lower case).
    pub fn get(&self, name: &str) -> Option<&ModuleTree> {
        self.layers().find_map(|layer| layer.own.get(name))
    }

    /// Returns true if there is a module with this name.
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Iterates over names and modules.
    pub fn iter(&self) -> impl Iterator<Item = (&SmolStr, &ModuleTree)> {
        self.layers().enumerate().flat_map(move |(depth, layer)| {
            let is_hidden = move |name: &str| self.layers().take(depth).any(|it| it.own.contains_key(name));
            layer.own.iter().filter(move |(name, _)| !is_hidden(name))
        })
    }

    /// Iterates over the names.
    pub fn keys(&self) -> impl Iterator<Item = &SmolStr> {
        self.iter().map(|(name, _)| name)
    }

    /// Iterates over the modules.
    pub fn values(&self) -> impl Iterator<Item = &ModuleTree> {
        self.iter().map(|(_, module)| module)
    }

    fn layers(&self) -> impl Iterator<Item = &ModuleMap> {
        std::iter::successors(Some(self), |layer| layer.around.as_deref())
    }
}

/// The order is significant: it is that of the module path.
impl PartialEq for ModuleMap {
    fn eq(&self, other: &ModuleMap) -> bool {
        self.own.iter().eq(other.own.iter()) && self.around == other.around
    }
}

impl Eq for ModuleMap {}
