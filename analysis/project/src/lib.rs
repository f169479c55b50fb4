//! What is on disk: paths, environments, autoloading; the salsa inputs and the index queries.
//!
//! [`vfs`] is the only owner of paths and the only writer of inputs; queries never touch the disk.

mod database;
mod inputs;
mod names;
mod queries;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vfs;

pub use database::ProjectDatabase;
pub use inputs::{Contents, Environment, File, FilePlace, ModuleTree};
pub use names::{
    EnvironmentIndex, NameKind, environment_index, module_definitions, resolve, resolve_in_file,
};
pub use queries::{
    DefinitionId, body, body_source_map, defined_names, definitions, file_location, item_summary, language,
    line_map, name_uses, parse, parse_once, signature, text,
};
pub use salsa::Database as Db;
pub use settings::{PuppetVersion, Settings};
