//! What is on disk: paths, environments, autoloading; the salsa inputs and the index queries.
//!
//! [`vfs`] is the only owner of paths and the only writer of inputs; queries never touch the disk.

mod database;
mod inputs;
mod queries;
mod settings;
pub mod vfs;

pub use database::ProjectDatabase;
pub use inputs::{Contents, Environment, File, FilePlace, ModuleTree};
pub use queries::{file_location, language, line_map, parse, parse_once, text};
pub use salsa::Database as Db;
pub use settings::{PuppetVersion, Settings};
