//! What changes code: new names for things, moves of files, and what an editor offers to do about a place.
//!
//! Nothing is written here: the answer is a [`SourceChange`], which makes sense as a whole only.

mod code_actions;
mod rename;
mod source_change;

pub use code_actions::{CodeAction, CodeActionKind, code_actions};
pub use rename::{RenameRefusal, RenameTarget, prepare, rename, will_rename_files};
pub use source_change::{SourceChange, SourceEdit};
