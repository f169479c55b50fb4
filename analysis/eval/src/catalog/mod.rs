//! Catalogs: what a node is to be, as Puppet's compiler works it out.
//!
//! Specification: the chapter on catalogs.

mod compile;
mod model;

pub use compile::{Compilation, Entry, NodeClass, compile};
pub use model::{Catalog, CatalogResource};
