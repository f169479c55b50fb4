//! Uses of the items of a control repository: what nodes can reach, and what they cannot.

use project::File;
use symbols::FileId;
use syntax::TextRange;

pub use check::UNUSED_ITEMS;
pub use reachability::{FactTable, ItemKind, ReachabilityRoots, UseVerdict};

use crate::{Analysis, Cancellable, EnvironmentId};

/// Item of a control repository, and whether nodes use it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemUse {
    pub kind: ItemKind,
    pub name: String,
    /// All definitions, or all files with a Hiera key.
    pub locations: Vec<ItemPlace>,
    pub verdict: UseVerdict,
}

/// Location of an item.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ItemPlace {
    pub file: FileId,
    /// The name; empty for a whole file.
    pub range: TextRange,
    /// The definition, or the key with its value; empty for a whole file.
    pub full: TextRange,
}

/// Result for an environment.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ItemUses {
    pub items: Vec<ItemUse>,
    /// Locations of the code that reasons of open items name, by reason.
    pub origins: Vec<(String, FileId, TextRange)>,
    /// Modules in the repository that others maintain, and whose items are not listed.
    pub foreign_modules: Vec<String>,
}

/// Values in data that can be removed, or that a more general level could have.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct ValueMoves {
    /// Values without effect.
    pub redundant: Vec<RedundantKey>,
    /// Keys that can move if the nodes keep their values.
    pub candidates: Vec<MovableKey>,
    /// Values that equal those of a more general level, but may have an effect: reason, location of the code that the
    /// reason is about, and number of values.
    pub open: Vec<(String, Option<ValuePlace>, usize)>,
    /// Variables other than `$facts` and `$trusted` in the paths of the hierarchies.
    pub variables: Vec<String>,
}

/// Value of a key that has no effect, because all nodes that find it find an equal one without it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RedundantKey {
    pub key: String,
    pub value: ValuePlace,
    pub general: ValuePlace,
}

/// Key with equal values in all files of a level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MovableKey {
    pub key: String,
    pub values: Vec<ValuePlace>,
    /// File of the more general level, which does not have the key.
    pub target: ValuePlace,
    /// True if lookups only use the first value found.
    pub is_first: bool,
}

/// Location of a key in data.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ValuePlace {
    pub file: FileId,
    pub range: TextRange,
    /// Name of the hierarchy entry; empty for code.
    pub level: String,
}

impl ValuePlace {
    fn of(place: reachability::DataPlace) -> ValuePlace {
        ValuePlace { file: FileId(place.file), range: place.range, level: place.level.to_string() }
    }
}

impl Analysis {
    /// Returns whether an environment is that of a control repository.
    pub fn is_control_repository(&self, environment: EnvironmentId) -> Cancellable<bool> {
        self.read(|db| reachability::is_control_repository(db, environment.0))
    }

    /// Returns the items in a file that no node of a control repository can reach.
    pub fn unused_diagnostics(&self, file: FileId) -> Cancellable<Vec<check::Diagnostic>> {
        self.read(|db| check::unused_diagnostics(db, file.0))
    }

    /// Returns the paths of the facts in computed names of an environment, such as `facts.role`.
    pub fn facts_in_names(&self, environment: EnvironmentId) -> Cancellable<Vec<String>> {
        let paths = self.read(|db| reachability::facts_in_names(db, environment.0))?;
        Ok(paths.iter().map(ToString::to_string).collect())
    }

    /// Returns all items of a control repository with their use. `read` reads templates that are not part of the
    /// project.
    pub fn item_uses(
        &self,
        environment: EnvironmentId,
        roots: &ReachabilityRoots,
        read: &dyn Fn(&project::vfs::FilePath) -> Option<String>,
    ) -> Cancellable<ItemUses> {
        self.read(|db| {
            let read = |file: File| read(file.path(db));
            let found = reachability::reachability(db, environment.0, roots, &read);
            let item = |(item, verdict): (reachability::Item, UseVerdict)| ItemUse {
                kind: item.kind,
                name: item.name.to_string(),
                locations: item
                    .locations
                    .iter()
                    .map(|it| ItemPlace { file: FileId(it.file), range: it.range, full: it.full })
                    .collect(),
                verdict,
            };
            let origins = found.origins.iter();
            ItemUses {
                items: found.items.into_iter().map(item).collect(),
                origins: origins
                    .map(|(text, file, range)| (text.to_string(), FileId(*file), *range))
                    .collect(),
                foreign_modules: found.foreign_modules.iter().map(ToString::to_string).collect(),
            }
        })
    }

    /// Returns the values in the data of a control repository that can be removed or moved. `read` reads templates that
    /// are not part of the project.
    pub fn value_moves(
        &self,
        environment: EnvironmentId,
        read: &dyn Fn(&project::vfs::FilePath) -> Option<String>,
    ) -> Cancellable<ValueMoves> {
        let reachability::DataMoves { redundant, candidates, open, variables } = self.read(|db| {
            let read = |file: File| read(file.path(db));
            reachability::data_moves(db, environment.0, &read)
        })?;
        let redundant = redundant.into_iter().map(|it| RedundantKey {
            key: it.key.to_string(),
            value: ValuePlace::of(it.value),
            general: ValuePlace::of(it.general),
        });
        let candidates = candidates.into_iter().map(|it| MovableKey {
            key: it.key.to_string(),
            values: it.values.into_iter().map(ValuePlace::of).collect(),
            target: ValuePlace::of(it.target),
            is_first: it.is_first,
        });
        let place =
            |(file, range): (File, TextRange)| ValuePlace { file: FileId(file), range, level: String::new() };
        Ok(ValueMoves {
            redundant: redundant.collect(),
            candidates: candidates.collect(),
            open: open.into_iter().map(|it| (it.reason, it.origin.map(place), it.count)).collect(),
            variables,
        })
    }
}
