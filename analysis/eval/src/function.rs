//! Functions as the evaluator knows them: rows of a table, and where the tables are.

pub mod elements;
pub mod misspelling;
pub(crate) mod signature;
pub(crate) mod support;

use hir::ExprId;
use types::Value;

use self::signature::Signature;
use crate::call::{Call, PassedLambda};
use crate::error::Outcome;
use crate::evaluator::Evaluator;
use crate::frame::FrameId;
use crate::program::DeclaredFunction;
use codes::Code;

/// The code of errors that a program raises on purpose.
pub const DELIBERATE_FAILURE: Code = Code::DeliberateFailure;

/// A function that comes with Puppet or with puppetlabs-stdlib.
pub struct BuiltInFunction {
    pub name: &'static str,
    /// One line, Markdown.
    pub documentation: &'static str,
    pub kind: FunctionKind,
    /// Tried in order.
    pub overloads: &'static [Overload],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// Of the 4.x API.
    Modern,
    /// Of the 3.x API: arguments are converted first (`undef` becomes `''`), types are not checked.
    Legacy,
    /// Of the 3.x API, for what it does and not for its value, which is `undef`.
    LegacyStatement,
}

/// A way to call a function.
pub struct Overload {
    /// `(Integer $from, Optional[Integer] $to, String *$rest, Callable[1, 1] &$block) >> Array[Any]`.
    ///
    /// A parameter with `= ...` behind its name is optional (`Integer $count = 1`), one with `*` before the name takes any
    /// number, with `+` one or more, with `&` it is the block (`Optional[Callable] &$block` when it may be missing).
    pub signature: &'static str,
    pub when_unknown: WhenUnknown,
    /// The arguments fit the signature. With unknown ones only when [`WhenUnknown::Call`].
    pub call: fn(&mut Call) -> Outcome,
}

/// What a call with an argument that is not wholly known gives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenUnknown {
    /// Some instance of the return type.
    ReturnType,
    /// The function itself knows what to do.
    Call,
}

impl std::fmt::Debug for BuiltInFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Function").field(&self.name).finish()
    }
}

/// The tables of functions that are known. Who runs a program brings one along ([`crate::Program::functions`]).
pub trait FunctionLibrary: std::fmt::Debug + Sync {
    /// Puppet's own function of that name.
    fn built_in(&self, name: &str) -> Option<&'static BuiltInFunction>;

    /// The function of puppetlabs-stdlib of that name.
    fn of_stdlib(&self, name: &str) -> Option<&'static BuiltInFunction>;

    /// The names of Puppet's own functions.
    fn built_in_names(&self) -> Vec<&'static str>;

    /// The signatures of a function's overloads, in order.
    fn signatures(&self, function: &'static BuiltInFunction) -> &'static [Signature];

    /// Calls a function by its Ruby code: the arguments fit the signature of that number. `None` where it is not known what
    /// comes of it.
    fn call_ruby(
        &self,
        evaluator: &mut Evaluator<'_>,
        at: (FrameId, ExprId),
        function: &DeclaredFunction,
        signature: usize,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Outcome<Option<Value>>;
}
