//! Interface through which the evaluator reads definitions, files, facts, and data.

mod declared_function;
mod definitions;
mod environment;
mod facts_and_data;
mod files;
mod observer;
mod source_program;
mod unit;

pub use self::declared_function::{Additions, DeclaredFunction, DeclaredSignature, FunctionCode};
pub use self::definitions::{Definitions, FunctionSource, Loading, MissingNameKind, Precomputed};
pub use self::environment::Program;
pub use self::facts_and_data::{FactsAndData, OtherNodes};
pub use self::files::{Files, MachineFile, ModuleFolder};
pub use self::observer::{Observer, ReadObserver, UndecidedReason, VariableRead};
pub use self::source_program::SourceProgram;
pub use self::unit::{Unit, UnitId};
