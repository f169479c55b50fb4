//! Modules that code may refer to.

use std::sync::Arc;

use indexmap::IndexMap;
use smol_str::SmolStr;

use crate::ModuleTree;

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
