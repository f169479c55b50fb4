//! Programs and compiles of a project: the only crate that turns files into values and catalogs.
//!
//! Provides summaries of definitions with unknown inputs, and whole compiles of classes and nodes, as
//! queries.

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

pub use checked_facts::FactSetId;
pub use class_checks::{
    ClassCompiles, CompileFinding, EXCLUDED_FROM_COMPILATION, Nearby, PlatformFinding, class_compiles,
    class_platforms, class_request, findings_of_classes, inconclusive_reasons_of_class, module_findings,
    nearby_of_file, values_in_class,
};
pub use compile_program::similar_names;
pub use compile_request::{
    CompileError, CompileRequest, EntryPoint, Facts, FileRead, FileReader, GlobalHiera, ProjectCompilation,
    SourceRange, UnknownInput, classes_of, compile_project, look_up_key, name_of_attribute,
};
pub use node_checks::{
    ANY_NODE, NodeFinding, NodeHost, findings_of_nodes, inconclusive_nodes, node_findings, node_host,
    node_hosts, node_names,
};
pub use part_compiles::{PartCompile, nearby_parts, part_work, parts_of_files, work_limit};
pub use summaries::{
    ExprLocation, Summary, parameter_types, set_lru_capacities, summary, summary_limit, summary_work,
    with_world,
};
pub use top_variables::ruby_plugins;
