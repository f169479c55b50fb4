//! The modules that code may name.

use std::sync::Arc;

use indexmap::IndexMap;
use smol_str::SmolStr;

use crate::ModuleTree;

/// The modules of an environment by name, in the order of the module path. What the tests of a module see has few of its own and shares
/// the others with the environment around it, as there may be such tests in each of thousands of modules.
#[derive(Clone, Debug, Default)]
pub struct ModuleMap {
    own: IndexMap<SmolStr, ModuleTree>,
    around: Option<Arc<ModuleMap>>,
}

impl ModuleMap {
    /// `own` come before those that are around them.
    pub(crate) fn new(own: IndexMap<SmolStr, ModuleTree>, around: Option<Arc<ModuleMap>>) -> ModuleMap {
        ModuleMap { own, around }
    }

    /// The module of a name (in lower case).
    pub fn get(&self, name: &str) -> Option<&ModuleTree> {
        self.layers().find_map(|layer| layer.own.get(name))
    }

    /// Is there a module of this name?
    pub fn contains_key(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Each name with its module.
    pub fn iter(&self) -> impl Iterator<Item = (&SmolStr, &ModuleTree)> {
        self.layers().enumerate().flat_map(move |(depth, layer)| {
            let is_hidden = move |name: &str| self.layers().take(depth).any(|it| it.own.contains_key(name));
            layer.own.iter().filter(move |(name, _)| !is_hidden(name))
        })
    }

    /// The names.
    pub fn keys(&self) -> impl Iterator<Item = &SmolStr> {
        self.iter().map(|(name, _)| name)
    }

    /// The modules.
    pub fn values(&self) -> impl Iterator<Item = &ModuleTree> {
        self.iter().map(|(_, module)| module)
    }

    fn layers(&self) -> impl Iterator<Item = &ModuleMap> {
        std::iter::successors(Some(self), |layer| layer.around.as_deref())
    }
}

/// The order counts: it is that of the module path.
impl PartialEq for ModuleMap {
    fn eq(&self, other: &ModuleMap) -> bool {
        self.own.iter().eq(other.own.iter()) && self.around == other.around
    }
}

impl Eq for ModuleMap {}
