//! Forms of the source that are kept, since several are common.

pub(crate) mod columns;
pub(crate) mod conventions;
pub(crate) mod hash_arrows;
pub(crate) mod hugging;
mod near_columns;
