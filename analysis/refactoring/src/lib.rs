//! Refactorings: rename, file moves and code actions.
//!
//! Nothing is written to disk: functions return a [`SourceChange`], which must be applied as a whole.

mod code_actions;
mod rename;
mod source_change;

pub use code_actions::{CodeAction, CodeActionKind, code_actions};
pub use rename::{RenameRefusal, RenameTarget, prepare, rename, will_rename_files};
pub use source_change::{SourceChange, SourceEdit};
