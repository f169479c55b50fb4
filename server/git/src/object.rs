//! An object of the database.

use std::fmt;

/// Maximum size of an object in bytes; larger ones are not unpacked.
pub(crate) const MAX_OBJECT_SIZE: u64 = 256 << 20;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ObjectKind {
    Commit,
    Tree,
    Blob,
    Tag,
}

/// Contents of an object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObjectContents {
    Bytes(Vec<u8>),
    /// Size in bytes of an object above the limit.
    TooLarge(u64),
}

impl fmt::Display for ObjectKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            ObjectKind::Commit => "commit",
            ObjectKind::Tree => "tree",
            ObjectKind::Blob => "blob",
            ObjectKind::Tag => "tag",
        })
    }
}
