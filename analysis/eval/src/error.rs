//! Exits that end an evaluation early, and findings that do not.

use codes::Code;
use hir::ExprId;
use smol_str::SmolStr;
use types::Value;

use crate::program::UnitId;

/// Code of errors that a program raises on purpose.
pub const DELIBERATE_FAILURE: Code = Code::DeliberateFailure;

/// Result of an evaluation.
pub type Outcome<T = Value> = Result<T, Exit>;

/// Reason that evaluation does not continue after an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Exit {
    Error(Box<EvaluationError>),
    /// `next()`: ends the lambda or function.
    Next(Value),
    /// `break()`: ends the iteration.
    Break(ExprPlace),
    /// `return()`: ends the function or class.
    Return(Value),
    /// The run was cancelled; its results must not be cached.
    Cancelled,
}

/// Location of an expression: its unit and its id in the body of that unit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprPlace {
    pub unit: UnitId,
    pub expr: ExprId,
}

/// Value of a key of Hiera data.
#[derive(Clone, PartialEq, Debug)]
pub struct DataValue {
    pub key: SmolStr,
    pub value: Value,
}

/// Error that ends a program.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationError {
    /// Code of the error, as in Puppet's issue codes where it has one.
    pub code: Code,
    pub message: String,
    pub place: ExprPlace,
    /// Locations more precise than the one that Puppet reports: arguments, attributes, defaults.
    pub parts: Vec<ExprPlace>,
    /// Hiera data at fault.
    pub data: Vec<DataValue>,
    /// Enclosing calls, innermost first.
    pub calls: Vec<ExprPlace>,
    /// Location of the earlier declaration of a duplicate resource or variable, followed by its enclosing
    /// calls, innermost first.
    pub earlier: Vec<ExprPlace>,
    /// True if the error concerns an unknown value and is not reported.
    pub is_silent: bool,
}

impl EvaluationError {
    /// Returns true for the exit of a Hiera backend function through `not_found()`, which is not reported.
    pub fn is_not_found(&self) -> bool {
        self.code == Code::LookupError && self.is_silent
    }

    /// Returns true if the name of a part is at fault, not its value.
    pub fn is_about_names(&self) -> bool {
        matches!(self.code, Code::UnknownParameter | Code::UnknownAttribute | Code::DuplicateAttribute)
    }
}

/// Finding to report to the user.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub error: EvaluationError,
    pub certainty: Certainty,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// Happens whenever evaluation reaches the location, which depends on inputs.
    Possible,
    /// Happens whenever the definition is evaluated.
    Certain,
}

/// Message logged by the program, or by Puppet on its behalf.
#[derive(Clone, PartialEq, Debug)]
pub struct LogEntry {
    pub level: LogLevel,
    pub message: String,
    pub place: ExprPlace,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LogLevel {
    Debug,
    Info,
    Notice,
    Warning,
    Err,
    Alert,
    Emerg,
    Crit,
}

impl LogLevel {
    /// Returns Puppet's name of the level.
    pub fn name(self) -> &'static str {
        match self {
            LogLevel::Debug => "debug",
            LogLevel::Info => "info",
            LogLevel::Notice => "notice",
            LogLevel::Warning => "warning",
            LogLevel::Err => "err",
            LogLevel::Alert => "alert",
            LogLevel::Emerg => "emerg",
            LogLevel::Crit => "crit",
        }
    }
}

/// Returns true for errors that a program raises on purpose, which mean nothing under a condition.
pub(crate) fn is_deliberate(code: Code) -> bool {
    code == DELIBERATE_FAILURE
}
