//! What ends an evaluation before its end, and what is found on the way.

use codes::Code;
use hir::ExprId;
use types::Value;

use crate::program::UnitId;

/// The result of evaluating something.
pub type Outcome<T = Value> = Result<T, Exit>;

/// Why evaluation does not go on behind an expression.
#[derive(Clone, PartialEq, Debug)]
pub enum Exit {
    Error(Box<EvaluationError>),
    /// `next()`: ends the lambda or function.
    Next(Value),
    /// `break()`: ends the iteration.
    Break(ExprPlace),
    /// `return()`: ends the function or class.
    Return(Value),
    /// The run was cancelled; nothing may be remembered of it.
    Cancelled,
}

/// An expression of a definition.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ExprPlace {
    pub unit: UnitId,
    pub expr: ExprId,
}

/// Something that stops a program.
#[derive(Clone, PartialEq, Debug)]
pub struct EvaluationError {
    /// As Puppet's issue codes, where it has one.
    pub code: Code,
    pub message: String,
    pub place: ExprPlace,
    /// What is at fault, where that is more exact than the place that Puppet names: arguments, attributes, defaults.
    pub parts: Vec<ExprPlace>,
    /// The calls that led there, innermost first.
    pub calls: Vec<ExprPlace>,
    /// Where a resource that is declared twice, or a variable that is set twice, was there first, and the calls that led there,
    /// innermost first.
    pub earlier: Vec<ExprPlace>,
    /// Does it concern a value of which nothing is known? Then nobody is told.
    pub is_silent: bool,
}

impl EvaluationError {
    /// Is it what `not_found()` ends a function with that gives data to Hiera? Nobody is told.
    pub fn is_not_found(&self) -> bool {
        self.code == Code::LookupError && self.is_silent
    }

    /// Is a part at fault because of its name, not of its value?
    pub fn is_about_names(&self) -> bool {
        matches!(self.code, Code::UnknownParameter | Code::UnknownAttribute | Code::DuplicateAttribute)
    }
}

/// Something to tell the user.
#[derive(Clone, PartialEq, Debug)]
pub struct Finding {
    pub error: EvaluationError,
    pub certainty: Certainty,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Certainty {
    /// It happens whenever the place is reached, which depends on inputs.
    Possible,
    /// It happens whenever the definition is evaluated.
    Certain,
}

/// A message that the program, or Puppet on its behalf, logged.
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
    /// As Puppet writes it.
    pub fn text(self) -> &'static str {
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
