//! Programs and compiles of a project: the only room that turns files into values and catalogs.
//!
//! Summaries of definitions whose inputs are not known, and whole compiles of classes and nodes, as queries.

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
mod project_data;
mod project_program;
mod puppet_settings;
pub mod reused;
mod settled_classes;
mod summaries;
mod top_variables;

pub use checked_facts::FactSetId;
pub use class_checks::{
    ClassCompiles, CompileFinding, LEFT_OUT, Nearby, PlatformFinding, class_compiles, class_platforms,
    class_request, findings_of_classes, module_findings, nearby_of_file, open_parts_of_class,
    values_in_class,
};
pub use compile_program::names_like;
pub use compile_request::{
    CompileError, CompileRequest, EntryPoint, Facts, FileRead, FileReader, GlobalHiera, OpenPart,
    ProjectCompilation, SourceRange, classes_of, compile_project, look_up_key, name_of_attribute,
};
pub use node_checks::{
    ANY_NODE, NodeFinding, NodeHost, findings_of_nodes, node_findings, node_host, node_hosts, node_names,
    open_nodes,
};
pub use part_compiles::{PartCompile, nearby_parts, part_work, parts_of_files, work_limit};
pub use summaries::{
    ExprLocation, Summary, parameter_types, set_lru_capacities, summary, summary_limit, summary_work,
    with_world,
};
pub use top_variables::ruby_plugins;
