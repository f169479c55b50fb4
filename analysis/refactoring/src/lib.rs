//! Refactorings: rename, file moves and code actions.
//!
//! Nothing is written to disk: functions return a [`SourceChange`], which must be applied as a whole.
//!
//! * `rename`: **changes every location that names the thing, or nothing, with a reason**: uncertain cases
//!   are refused. `rename/files` handles moved files and folders, `rename/specs` tests, of which only names
//!   are known.
//! * `assists`: refactorings at the cursor or for a selection: extract, inline, and rewrites of expressions.
//! * `code_actions`: quick fixes of diagnostics, and all code actions for a range. Fixes are derived from a
//!   diagnostic's `FixData`: the rule decides what can be fixed, this crate how.
//! * `suppression_comments`: comments for many findings at once, verified by parsing the result.
//!
//! Edits are tested by applying them and checking the result again.

mod assists;
mod code_action;
mod code_actions;
mod dependencies;
mod lines;
mod rename;
mod source_change;
pub mod suppression_comments;

pub use assists::assists;
pub use code_action::{CodeAction, CodeActionKind};
pub use code_actions::{code_actions, fix_workspace, upgrade_actions};
pub use dependencies::add_dependency;
pub use rename::{RenameRefusal, RenameTarget, prepare, rename, will_rename_files};
pub use source_change::{SourceChange, SourceEdit};
