//! The evaluator: what Puppet code is worth, and where it fails.
//!
//! Known values give Puppet's own results; unknown ones give types (the same rules, one table). Runs no process and no
//! Ruby, and reads files only through the [`Program`] it is given. Bounds depend on the program alone, never on time.

/// The stack that a thread needs to evaluate to the depth that [`Bounds`] allow, in bytes.
pub const STACK_SIZE: usize = 64 << 20;

mod call;
mod catalog;
mod checked_facts;
mod class_checks;
mod closed_types;
mod closure;
mod compile_program;
mod compile_request;
mod data_lookup;
mod declared;
mod definitions;
mod erb;
mod error;
mod evaluator;
mod expressions;
mod fact_types;
mod fork;
mod frame;
pub mod functions;
mod loading;
mod misspelling;
mod narrowing;
mod node_checks;
mod node_names;
pub mod operators;
mod part_compiles;
mod platform_expressions;
mod platform_reads;
mod program;
mod project_data;
mod project_program;
mod puppet_settings;
mod record;
mod session;
mod settings;
mod settled_classes;
mod summaries;
mod templates;
mod top_variables;
mod variables;
mod world;

pub use call::{Block, Call};
pub use catalog::{Catalog, CatalogResource, Compilation, DEPENDENCY_CYCLE, Entry, NodeClass, compile};
pub use class_checks::{
    ClassCompiles, CompileFailure, PlatformFailure, class_compiles, class_platforms, class_request,
    module_failures, remembered_values_in_class, values_in_class,
};
pub use compile_request::{
    CompileError, CompileRequest, EntryPoint, Facts, FileReader, GlobalHiera, ProjectCompilation,
    SourceRange, classes_of, compile_project, look_up_key,
};
pub use error::{
    Certainty, EvaluationError, Exit, Failure, Finding, LogEntry, LogLevel, Outcome, Place, Side,
};
pub use evaluator::Evaluator;
pub use frame::{FrameId, MatchData};
pub use node_checks::{NodeFailure, node_failures};
pub use node_names::node_names;
pub use part_compiles::{PartCompile, compile_part, part_compiles};
pub use program::{
    DeclaredFunction, FunctionSource, MachineFile, ModuleFolder, NameKind, Program, SourceProgram, Unit,
    UnitId,
};
pub use record::{Fact, Recorder};
pub use session::{Evaluation, Location, Log, Problem, Session, Source};
pub use settings::{Bounds, Settings, Strict};
pub use summaries::{Located, Summary, parameter_types, summary, with_world};
pub use templates::TemplateScope;
pub use world::World;
