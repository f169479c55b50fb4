//! Evaluator for Puppet code: computes values and reports failures.
//!
//! Known values give Puppet's own results; unknown ones give types (the same rules, one table). Runs no
//! process and no Ruby, and reads files only through the [`Program`] it is given; functions come through its
//! [`FunctionLibrary`]. Limits depend on the program alone, never on time.

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

pub use call::{Call, PassedLambda, PendingMark};
pub use catalog::{
    Catalog, CatalogResource, CatalogResourceKind, Compilation, CompileStart, DEPENDENCY_CYCLE,
    DeclarationForm, NodeClass, RESERVED_FOR_NODES, ResourceId, UNLOADABLE_FILE, compile, compile_with,
    fits_parameter, parameter_value, resource_object,
};
pub use error::{Certainty, EvaluationError, Exit, ExprPlace, Finding, LogEntry, LogLevel, Outcome};
pub use evaluator::Evaluator;
pub use fork::join_values;
pub use frame::{Frame, FrameId, VariableState};
pub use function::signature::{Signature, SignatureParameter, parse_all as parse_signatures};
pub use function::support::{RUNTIME_ERROR, union_of};
pub use function::{
    BuiltInFunction, DELIBERATE_FAILURE, FunctionKind, FunctionLibrary, Overload, WhenUnknown,
};
pub use function::{elements, misspelling};
pub use plugins::built_in::RelationshipMetaparameter;
pub use program::{
    Additions, DeclaredFunction, DeclaredSignature, FunctionCode, FunctionSource, MachineFile,
    MissingNameKind, ModuleFolder, Program, SourceProgram, Unit, UnitId,
};
pub use record::{RecordedValue, RubyReason, ValueRecorder};
pub use scalars::similar;
pub use session::{Evaluation, Session, SessionDiagnostic, SessionLocation, SessionLog, SessionText, anchor};
pub use settings::{Bounds, EvaluationSettings};
pub use templates::TemplateScope;
pub use world::World;
