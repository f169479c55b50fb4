//! Built-in functions as the evaluator sees them: entries of a table, and the libraries that hold the tables.

pub mod elements;
pub(crate) mod signature;
pub(crate) mod support;

use scalars::similar::is_misspelled;
use types::Value;

use self::signature::Signature;
use crate::call::{Call, PassedLambda};
use crate::error::Outcome;
use crate::evaluator::Evaluator;
use crate::frame::Site;
use crate::program::DeclaredFunction;

/// Function that ships with Puppet or puppetlabs-stdlib.
pub struct BuiltInFunction {
    pub name: &'static str,
    /// One line of Markdown.
    pub documentation: &'static str,
    pub kind: FunctionKind,
    /// Overloads, tried in order.
    pub overloads: &'static [Overload],
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FunctionKind {
    /// Function of the 4.x API.
    Modern,
    /// Function of the 3.x API: arguments are converted first (`undef` becomes `''`), types are not checked.
    Legacy,
    /// Function of the 3.x API that is called for its side effects; its value is `undef`.
    LegacyStatement,
}

/// Overload of a function.
pub struct Overload {
    /// Signature, as in `(Integer $from, Optional[Integer] $to, String *$rest, Callable[1, 1] &$block) >>
    /// Array[Any]`.
    ///
    /// A parameter with `= ...` after its name is optional (`Integer $count = 1`). The prefix `*` takes any
    /// number of arguments, `+` one or more, and `&` marks the block (`Optional[Callable] &$block` if it is
    /// optional).
    pub signature: &'static str,
    pub when_unknown: WhenUnknown,
    /// Implementation. The arguments fit the signature; they may be unknown only with [`WhenUnknown::Call`].
    pub call: fn(&mut Call) -> Outcome,
}

/// Result of a call with an argument that is not completely known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhenUnknown {
    /// Some instance of the return type.
    ReturnType,
    /// The implementation is called and handles unknown arguments.
    Call,
}

impl std::fmt::Debug for BuiltInFunction {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Function").field(&self.name).finish()
    }
}

/// Tables of functions, provided by the caller that runs a program ([`crate::Definitions::functions`]).
pub trait FunctionLibrary: std::fmt::Debug + Sync {
    /// Returns Puppet's own function of that name.
    fn built_in(&self, name: &str) -> Option<&'static BuiltInFunction>;

    /// Returns the function of puppetlabs-stdlib of that name.
    fn of_stdlib(&self, name: &str) -> Option<&'static BuiltInFunction>;

    /// Returns the names of Puppet's own functions.
    fn built_in_names(&self) -> Vec<&'static str>;

    /// Returns the signatures of a function's overloads, in order.
    fn signatures(&self, function: &'static BuiltInFunction) -> &'static [Signature];

    /// Calls the Ruby code of a function; the arguments fit the signature with that index. Returns `None` if
    /// the result is unknown.
    fn call_ruby(
        &self,
        evaluator: &mut Evaluator<'_>,
        at: Site,
        function: &DeclaredFunction,
        signature: usize,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Outcome<Option<Value>>;
}

/// Returns the built-in function whose name differs by one letter.
pub fn similar_function(functions: &dyn FunctionLibrary, name: &str) -> Option<&'static str> {
    if functions.built_in(name).is_some() || functions.of_stdlib(name).is_some() {
        return None;
    }
    functions.built_in_names().into_iter().find(|known| is_misspelled(name, known))
}

/// Returns the signatures of a function's overloads, in order.
pub fn parse_signatures(function: &BuiltInFunction) -> Vec<Signature> {
    function.overloads.iter().map(|overload| signature::parse(overload.signature)).collect()
}
