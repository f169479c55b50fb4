//! Items that the nodes of a control repository can reach, and those that nothing can: classes, defined types, functions,
//! data types, templates, files, Hiera keys, levels, and modules.
//!
//! Reachability is an over-approximation: a definition mentions every word in its code (`mentions`), whatever the
//! word means there, and a reached definition reaches everything that it mentions. **An item is reported as unused
//! only if nothing that nodes reach names it.** Computed names are bounded by their constant parts (`values`,
//! `pattern`): items that they may name are [`UseVerdict::Open`], and so are items that only open ones reach.
//!
//! * `code`, `data`, and `mentions` extract mentions from one file; `queries` has them as queries.
//! * `items` collects everything that may be unused, and the code that mentions it.
//! * `closure` follows the mentions: from the roots, from computed names, from plans, and from tests.
//! * `levels` and `modules` judge the levels of hierarchies, data files that no level reads, and modules.
//! * `moves` finds values in data without effect, and those that a more general level could have; `merges` knows with
//!   which merge strategies keys are read, and `path_template` which files a path with interpolations may lead to.

mod closure;
mod code;
mod data;
mod items;
mod levels;
mod mentions;
mod merges;
mod modules;
mod moves;
mod path_template;
mod pattern;
mod queries;
mod report;
mod values;
mod verdict;

pub use self::verdict::UseVerdict;
pub use items::{Item, ItemKind, ItemLocation};
pub use moves::{DataMoves, DataPlace, MoveCandidate, OpenValues, RedundantValue, data_moves};
pub use pattern::{FactTable, NamePattern, PatternKind};
pub use queries::set_lru_capacities;
pub use report::{
    Reachability, ReachabilityRoots, facts_in_names, is_control_repository, reachability, unused_items,
};
