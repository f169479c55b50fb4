//! The project on disk: paths, environments, autoloading, the salsa inputs and the index queries.
//!
//! [`vfs`] is the only owner of paths and the only writer of inputs; queries never touch the disk.
//!
//! * `vfs` merges disk contents, unsaved buffers and settings in batches. `vfs/layout` detects modules and
//!   environments from paths and a few small files. One input per module lists its files, so that a new file
//!   invalidates one module, and "no such file" is a dependency too. **Only environments on the module path
//!   list all modules**; the tests of a module share the modules around it (`vfs/modules`).
//! * `queries`: trees, summaries, indexes and bodies. Each result is equal to its predecessor if nothing
//!   relevant to it changed.
//! * `open_files`: the trees of open files are derived from the previous ones (`last_trees`), and files with
//!   several definitions are split (`parts`): **an edit recomputes what belongs to its definition, and only
//!   the offsets of the others**. A file in which the split could make a difference, for example because of a
//!   duplicate name, stays whole.
//! * `resolve` resolves names in Puppet's order, including Ruby definitions, **and reads only files that
//!   could define them**. `absence` decides whether a name that was not found is certainly missing.
//! * `kind` classifies files. Every file that says something about Puppet code is a [`File`]; others only
//!   need to exist.
//! * `names/words`: compact filters of the words in each module, so that a search for the first file that
//!   lacks a module does not reread all files.
//! * Modules hidden by an earlier one of the same name are `Environment::shadowed`: Puppet's autoloader still
//!   searches them for resource types, providers and old functions.
//! * `tasks`: metadata of Bolt tasks. `installed`: Ruby files of an installed Puppet, used for navigation
//!   only.
//!
//! Texts of closed files are kept up to 16 MB (64 MB for commands that read everything once) and compressed
//! beyond that (`vfs/packed_text`), in a `ByteStore` that `disk` provides. Texts of tests are read on demand
//! (`TextOnDisk`). **Names that only tests use count as unused.** A workspace that is read once is frozen
//! (`vfs/freeze`): no dependencies are recorded, and results are evicted module by module
//! (`set_lru_capacities`, here and in `compile` and `check`). Trees of closed files are not kept, except for
//! a few recent ones per thread (`recent_trees`).

mod absence;
mod bolt;
mod byte_order_mark;
mod data_names;
mod database;
mod external_facts;
mod hiera;
mod inputs;
mod installed;
mod kind;
mod metadata;
mod names;
mod open_files;
mod plugin_files;
mod puppetfile;
mod queries;
mod recent_trees;
mod resolve;
mod settings;
#[cfg(feature = "testing")]
pub mod testing;
pub mod vfs;

pub use absence::{
    Absence, absence, absence_in_environment, expected_modules, fixture_modules, has_known_name,
    module_dependencies, puppetfile, puppetfile_modules, submodules,
};
pub use bolt::tasks::{
    TaskMetadata, TaskParameter, lacks_plan, lacks_task, task_file, task_metadata, task_names,
};
pub use bolt::yaml_plan::{
    PlanCode, StepAction, YamlPlan, is_yaml_plan, resolve_plan, yaml_plan, yaml_plan_definitions,
};
pub use database::ProjectDatabase;
pub use external_facts::{external_fact_values, given_facts};
pub use hiera::{
    DataKey, DataSource, data_key_index, data_key_location, data_keys, data_sources, environment_tree,
    files_matching, has_hiera_configuration, has_valid_configuration, hiera_configuration, hiera_data,
    hiera_layer, interpolated_keys, is_hiera_data, is_unreadable_hiera_data, keys_with_data,
    layer_of_hiera_configuration, locations_of_key, locations_of_key_without_configuration, may_have_data,
    may_have_unread_data, may_level_be_unread, may_path_have_key, module_folders_setting, names_within_key,
    path_pattern, unread_hiera_data, variables_of_levels,
};
pub use inputs::{Contents, Environment, File, FileRole, InstalledPuppet, ModuleTree};
pub use installed::{
    installed_attribute, installed_function, installed_metaparameter, installed_providers,
    installed_resource_type,
};
pub use kind::{FileKind, file_kind};
pub use metadata::{
    MetadataRequirement, MetadataText, ModuleMetadata, SupportedSystem, metadata_file, module_metadata,
    short_module_name,
};
pub use names::words::{first_source_with, sources, words};
pub use names::{
    EnvironmentIndex, NameKind, candidate_paths, definitions_in_manifests, environment_index, mentions,
    module_definitions, resolve, resolve_in_file, resolve_in_modules, template_mentions, type_set_member,
    type_set_members,
};
pub use open_files::parts::{
    FilePart, file_parts, main_name_uses, part_definitions, part_name_uses, part_parse, range_in_file,
    source_map_in_part,
};
pub use plugin_files::{
    ambiguous_functions, attribute_location, custom_facts, custom_facts_named, external_fact_files,
    provider_programs, providers, ruby_data_types, ruby_file, ruby_functions, ruby_library_file,
    ruby_resource_types,
};
pub use puppetfile::{installed_name, puppetfile_of};
pub use queries::{
    DefinitionId, body, body_source_map, defined_names, definition_ranges, definitions, documentation,
    erb_template, file_location, item_summary, language, likely_location, line_map, may_name_metaparameters,
    name_uses, parameters_like_metaparameters, parse, parse_once, ruby_program, signature, text,
    validation_settings,
};
pub use resolve::{
    FunctionTarget, ModuleEntry, ResourceTypeTarget, closed_folder, module_named, native_type_exists,
    resolve_function, resolve_function_in_modules, resolve_native_type, resolve_resource_type,
    ruby_data_type, ruby_function, served_file, template_file,
};
pub use salsa::Database as Db;
pub use settings::{LintLevel, LintLevels, RuleOptions, Settings};

pub use self::database::set_lru_capacities;
pub use vfs::memory::{MemoryPart, memory_parts};
