//! The salsa inputs: handles that live as long as the database and are changed in place, by [`crate::vfs`] only.

use std::collections::BTreeMap;
use std::sync::Arc;

use hir::{DefinitionKind, Name};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use validation::Strict;

use crate::open_files::last_trees::LastTrees;
use crate::vfs::{ByteOrderMark, FilePath, ModuleMap, PackedText};
use crate::{LintLevels, RuleOptions};
use validation::PuppetVersion;

/// What a file holds, after unsaved buffers have won over the disk.
#[derive(Clone, Debug)]
pub enum Contents {
    Text(Arc<str>),
    /// The text of a file that is not open.
    Packed(PackedText),
    /// With what the file says of itself.
    NotUtf8(Option<ByteOrderMark>),
    /// Why it cannot be read.
    Unreadable(Arc<str>),
    /// It exists, and nobody has read it: what it holds does not matter, or it is very large.
    Unread,
    /// There is no such file (any more).
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

    /// How many bytes the text has.
    pub fn length(&self) -> usize {
        match self {
            Contents::Text(text) => text.len(),
            Contents::Packed(packed) => packed.len(),
            _ => 0,
        }
    }
}

/// A text is the same however it is kept.
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

/// Where a file lies in the layout.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileRole {
    /// In no module and no main manifest.
    Loose,
    /// Part of an environment's main manifest.
    MainManifest,
    /// In a module.
    Module {
        module: ModuleTree,
        /// The path below the module's folder, with `/`.
        relative: SmolStr,
    },
}

/// One file. A file that vanishes keeps its handle, with [`Contents::Missing`], and takes it up again when it comes
/// back.
#[salsa::input(debug)]
pub struct File {
    /// Never changes.
    #[returns(ref)]
    pub path: FilePath,
    #[returns(ref)]
    pub contents: Contents,
    /// Is it open in an editor? Trees are kept for open files only.
    #[returns(copy)]
    pub is_open: bool,
    /// Is it above the limit up to which more than syntax and outline is worked out?
    #[returns(copy)]
    pub is_large: bool,
    #[returns(ref)]
    pub place: FileRole,
    /// The environments it belongs to, the most important one first; never empty.
    #[returns(ref)]
    pub environments: Arc<[Environment]>,
    /// The field never changes.
    #[returns(ref)]
    #[default]
    pub(crate) last_trees: LastTrees,
}

/// The files of one module. One input per module: a file that appears touches this one, and so does the question for a
/// file that is not there.
#[salsa::input(debug)]
pub struct ModuleTree {
    /// The folder. Never changes.
    #[returns(ref)]
    pub root: FilePath,
    /// The module's name, lower case.
    #[returns(ref)]
    pub name: SmolStr,
    /// Is it certain that Puppet knows the module by this name? If not, no rule speaks about where a definition may
    /// stand.
    #[returns(copy)]
    pub name_is_certain: bool,
    /// All files that say something about Puppet code ([`crate::FileKind`]), by their path below the folder, with `/`. Those
    /// of an environment itself are in the module `environment`.
    #[returns(ref)]
    pub files: Arc<BTreeMap<SmolStr, File>>,
}

/// Puppet itself, where one is installed.
#[salsa::input(singleton, debug)]
pub struct InstalledPuppet {
    /// Its folders of Ruby files, laid out as those of modules are (`lib/puppet/...`).
    #[returns(ref)]
    pub trees: Arc<[ModuleTree]>,
}

/// What a name may be resolved to, and under which rules. Part of every query from name resolution up.
#[salsa::input(debug)]
pub struct Environment {
    /// The folder; `None` for the environment of all that lies in no environment of its own.
    #[returns(ref)]
    pub root: Option<FilePath>,
    /// The modules by name, in the order of the module path; of two with one name, the one that comes first. What several define is that
    /// of the first.
    #[returns(ref)]
    pub modules: Arc<ModuleMap>,
    /// The files of the main manifest, in the order in which Puppet reads them.
    #[returns(ref)]
    pub main_manifests: Arc<[File]>,
    #[returns(copy)]
    pub puppet_version: PuppetVersion,
    #[returns(copy)]
    pub strict: Strict,
    /// Are `plan` and `apply` keywords in every manifest?
    #[returns(copy)]
    pub tasks: bool,
    #[returns(ref)]
    pub lint_levels: LintLevels,
    #[returns(ref)]
    pub rule_options: Arc<RuleOptions>,
    /// The files of facts that the user names, as far as they are there.
    #[returns(ref)]
    pub fact_files: Arc<[File]>,
    /// Are there folders on its module path that may not be read?
    #[returns(copy)]
    pub lacks_modules: bool,
    /// Folders on the module path whose names are those of earlier ones: Puppet still loads their resource types, providers and functions
    /// of the old form.
    #[returns(ref)]
    pub shadowed: Arc<[ModuleTree]>,
    /// Classes and nodes that are not compiled, as the run as a whole would be too much.
    #[returns(ref)]
    #[default]
    pub left_out: Arc<FxHashSet<(DefinitionKind, Name)>>,
}
