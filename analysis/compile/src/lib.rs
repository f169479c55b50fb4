//! Programs and compiles of a project: the only crate that turns files into values and catalogs.
//!
//! Provides summaries of definitions with unknown inputs, and whole compiles of classes and nodes, as
//! queries.
//!
//! * The project is a `Program` in two forms: `project_program` for one definition with unknown inputs, and
//!   `compile_program` for whole compiles, which follow bodies (`loading`) and record unknown inputs.
//!   **Nothing that was not examined is reported as correct.** `compile_request` describes a compile: entry
//!   point, node, facts. **An error keeps the location that Puppet names; the more precise one (an argument,
//!   an attribute, a default) is part of it and is displayed.** A file that Puppet could not load ends a
//!   compile where Puppet would load it.
//! * `summaries` evaluate each definition alone and keep values and findings. An edit reevaluates only
//!   changed bodies and definitions that depend on their results.
//! * `class_checks` and `node_checks` compile the classes of modules and the nodes of the main manifest for
//!   each platform or fact file (`checked_facts`). They keep failures and locations, never catalogs. A class
//!   is compiled **as part of something larger that may provide data, variables and resources**; nodes and
//!   roles declare all resources (`declares_all`), so references must resolve. Without supported platforms in
//!   its metadata, a module is compiled for the first platform, and for others as long as those fail alike:
//!   only failures on all of them are reported. A failure is proven for a group of platforms at once
//!   (`class_checks::platform_groups`). The command line compiles all parts, **an editor those that
//!   lead to a file, nearest first and a limited number** (`class_checks::nearby`).
//! * Results that all compiles share are queries: bodies, ERB templates, types built from Puppet's own
//!   (`closed_types`), and top-scope variables by platform (`top_variables`). Classes that only set variables
//!   are evaluated once per platform (`precomputed_classes`); **all others are evaluated where they are
//!   included**.
//! * Platforms that agree on everything a compile reads share its result (`platform_reads`,
//!   `platform_expressions`). [`reused`] compiles with and without sharing, for tests: **both are equal, byte
//!   for byte**. See `docs/decisions/sharing.md`.
//! * `project_data` is Hiera's view of the project, `declared` calls functions evaluated separately, and
//!   `memo` caches within a compile.

mod checked_facts;
mod class_checks;
mod closed_types;
mod compile_program;
mod compile_request;
mod declared;
mod loading;
mod memo;
mod node_checks;
mod part_compiles;
mod platform_expressions;
mod platform_reads;
mod precomputed_classes;
mod project_data;
mod project_program;
mod puppet_settings;
pub mod reused;
mod summaries;
mod top_variables;

pub use checked_facts::{FactSetId, fact_sets, nodes_of_fact_files};
pub use class_checks::finding::CompileFinding;
pub use class_checks::outcomes::EXCLUDED_FROM_COMPILATION;
pub use class_checks::requests::{class_request, class_request_on_node};
pub use class_checks::{
    ClassCompiles, Nearby, PlatformFinding, class_compiles, class_platforms, findings_of_classes,
    inconclusive_reasons_of_class, may_be_set_elsewhere, module_findings, nearby_of_file, values_in_class,
};
pub use compile_program::node_reads::{NodeRead, NodeValues};
pub use compile_program::similar_names;
pub use compile_request::lookups::{ExplainedLookup, data_locations, look_up_keys};
pub use compile_request::{
    CompileError, CompileRequest, EntryPoint, Facts, FileRead, FileReader, FleetExports, FleetQueries,
    GlobalHiera, ParsedData, ProjectCompilation, QueriedTypes, QueryAnswer, QueryAnswers, SourceRange,
    UnknownInput, classes_of, compile_project, name_of_attribute,
};
pub use declared::known_type;
pub use node_checks::{
    ANY_NODE, NodeFinding, NodeHost, findings_of_nodes, inconclusive_nodes, node_findings, node_host,
    node_hosts, node_names,
};
pub use part_compiles::{PartCompile, nearby_parts, part_work, parts_of_files, work_limit};
pub use summaries::{
    ExprLocation, Summary, parameter_types, set_lru_capacities, summary, summary_limit, summary_work,
    with_world, with_world_of_file,
};
pub use top_variables::ruby_plugins;
pub use top_variables::setters::{may_be_computed_fact, may_be_set_in_ruby, variables_of_manifest};
