//! Locations that an editor can go to.

use hir::DefinitionKind;
use project::{Db, DefinitionId, File};
use syntax::TextRange;

use crate::FileId;

/// Location that an editor can go to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct NavigationTarget {
    pub file: FileId,
    /// Full range: a definition with its body. Contains `focus`.
    pub full: TextRange,
    /// Range of the name.
    pub focus: TextRange,
}

/// Result of a navigation request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Navigation {
    /// Range of the word at the requested offset.
    pub origin: TextRange,
    pub targets: Vec<NavigationTarget>,
}

impl NavigationTarget {
    /// Creates a target for a range of a file that contains the name.
    pub fn new(file: File, full: TextRange, focus: TextRange) -> NavigationTarget {
        NavigationTarget { file: FileId(file), full, focus }
    }

    pub(crate) fn word(file: File, range: TextRange) -> NavigationTarget {
        NavigationTarget::new(file, range, range)
    }

    /// Creates a target for the start of a file.
    pub(crate) fn start_of(file: File) -> NavigationTarget {
        NavigationTarget::word(file, TextRange::empty(0))
    }
}

/// Returns the location of a definition; `None` if it no longer exists.
pub fn definition_target(db: &dyn Db, definition: DefinitionId) -> Option<NavigationTarget> {
    let file = definition.file(db);
    if definition.key(db).kind == DefinitionKind::Main {
        return Some(NavigationTarget::start_of(file));
    }
    let definitions = &project::item_summary(db, file).definitions;
    let index = definitions.iter().position(|it| it.key == *definition.key(db))?;
    let ranges = project::definition_ranges(db, file).get(index)?;
    Some(NavigationTarget::new(file, ranges.full, ranges.name))
}
