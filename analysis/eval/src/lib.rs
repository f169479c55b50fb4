//! Evaluator for Puppet code: computes values and reports failures.
//!
//! Known values give Puppet's own results; unknown ones give types (the same rules, one table). Runs no
//! process and no Ruby, and reads files only through the [`Program`] it is given; functions come through its
//! [`FunctionLibrary`]. Limits depend on the program alone, never on time ([`Bounds`]). Exceeding one is an
//! error of `eval` and `compile`, and never a finding of `check`.
//!
//! * **The result for unknown operands is never too narrow**: every result for known operands is an instance
//!   of it. An error is certain only if no value of the operands' types could succeed.
//! * An unknown condition forks (`fork`): each branch starts from the same state and writes to a journal;
//!   values, variables and jumps are joined afterwards. `narrowing` derives what a condition implies for
//!   variables and their elements (`$facts['os']['family']`) in each branch.
//! * `evaluator` holds the state of a run in parts, each with its own behavior: the machine (steps, calls, jumps),
//!   variables with the journal of branches, the catalog under construction, diagnostics, templates, Hiera data,
//!   and the types of parameters. `program` declares what a run reads, one trait for each concern.
//! * Functions written in Ruby, or evaluated separately, are called by their signatures: **callers depend on
//!   signature and return type, not on the body**.
//! * `function` defines the rows of function tables and their signatures; `call` is what implementations see.
//! * `record` keeps the values of expressions, for summaries.
//! * [`Session`]: texts evaluated one after another in one scope, for the command line, the prompt and
//!   recorded tables. Only such a program may claim to run on the target machine; then files named by
//!   absolute paths are examined (`Files::machine_file`).
//! * `catalog`: resources, containment, dynamic scopes with defaults, and pending work (`store`); Puppet's
//!   phases in order (`compile`); titles and identities of resources (`resource_types`); references as values
//!   (`resource_objects`); plain data for callers (`model`). While a definition is evaluated alone, its
//!   catalog is incomplete: any resource may exist, and nothing about it is an error. **A resource declared
//!   under an unknown condition is possible**: it duplicates nothing, and queries about it are unknown. What
//!   `ensure_packages` and similar functions ensure, and what is declared where `defined()` is false, exists
//!   in either case (`guards`).

/// Stack size, in bytes, that a thread needs to evaluate to the depth that [`Bounds`] allow.
pub const STACK_SIZE: usize = 64 << 20;

mod call;
mod catalog;
mod closure;
mod data_lookup;
mod definitions;
mod error;
mod evaluator;
mod expressions;
mod fork;
mod frame;
mod function;
mod narrowing;
mod program;
mod record;
mod session;
mod settings;
mod suggestion;
mod templates;
mod variables;
mod world;

pub use call::{Call, PassedLambda};
pub use catalog::{
    Catalog, CatalogCollector, CatalogResource, CatalogResourceKind, Compilation, CompileStart,
    DEPENDENCY_CYCLE, DeclarationForm, ExportedResource, ExportsOfOthers, NodeClass, RESERVED_FOR_NODES,
    RefusedResource, ResourceId, StoredExport, UNLOADABLE_FILE, compile, compile_with, evaluated_once,
    fits_parameter, node_definition, parameter_value, resource_object,
};
pub use definitions::refused_alias;
pub use error::{
    Certainty, DELIBERATE_FAILURE, DataValue, EvaluationError, Exit, ExprPlace, Finding, LogEntry, LogLevel,
    Outcome,
};
pub use evaluator::{Diagnostics, Evaluator, PendingMark, TemplateState, UnknownDecision};
pub use expressions::unknown_type_message;
pub use fork::join_values;
pub use frame::{Frame, FrameId, Site, VariableState};
pub use function::signature::{Signature, SignatureParameter};
pub use function::support::{RUNTIME_ERROR, union_of};
pub use function::{
    BuiltInFunction, FunctionKind, FunctionLibrary, Overload, WhenUnknown, elements, parse_signatures,
    similar_function,
};
pub use plugins::built_in::RelationshipMetaparameter;
pub use program::{
    Additions, DeclaredFunction, DeclaredSignature, Definitions, FactsAndData, Files, FunctionCode,
    FunctionSource, Loading, MachineFile, MissingNameKind, ModuleFolder, Observer, OtherNodes, Precomputed,
    Program, ReadObserver, SourceProgram, UndecidedReason, Unit, UnitId, VariableRead,
};
pub use record::{RecordedValue, RubyReason, ValueRecorder};
pub use scalars::similar;
pub use session::{Evaluation, Session, SessionDiagnostic, SessionLocation, SessionLog, SessionText, anchor};
pub use settings::{Bounds, EvaluationSettings};
pub use templates::TemplateScope;
pub use world::World;
