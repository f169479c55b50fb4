//! Operators on known and unknown values, driven by one table for both (`rules`).
//!
//! Pure functions from values and types to values and types. A failed operation returns a [`Failure`], which
//! has no location yet. **The result for unknown operands includes every known result**; an error is certain
//! only if no value of the operands' types could succeed. Property tests in `functions` compare the two.
//!
//! See "Expressions" in the Puppet specification.

mod access;
mod access_types;
mod arithmetic;
mod attributes;
mod collections;
mod comparison;
mod failure;
mod legacy_argument;
mod matching;
mod number_types;
mod rules;
mod unknown;

pub use attributes::{attribute_name, no_attributes};
pub use failure::{Failure, Side};
pub use legacy_argument::{ObjectOf, legacy_argument};
pub use unknown::type_of;

use syntax::ast::BinaryOperator;
use types::{Type, TypeEnvironment, Value};
use validation::{PuppetVersion, Strict};

/// Input of an operation besides its operands, and output besides its result.
pub struct OperationContext<'a> {
    pub env: &'a dyn TypeEnvironment,
    pub strict: Strict,
    pub version: PuppetVersion,
    /// Warnings that Puppet logs when it converts a string to a number.
    pub warnings: Vec<String>,
    /// Match data of the last successful regular expression match.
    pub matched: Option<MatchData>,
}

impl<'a> OperationContext<'a> {
    pub fn new(env: &'a dyn TypeEnvironment, strict: Strict) -> OperationContext<'a> {
        OperationContext { env, strict, version: PuppetVersion::V7, warnings: Vec::new(), matched: None }
    }
}

/// Match data by group; a group that did not participate is `undef`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchData {
    pub groups: Vec<Value>,
}

/// Evaluates a binary operator other than `and` and `or`. For unknown operands, returns an unknown value of
/// the result type.
///
/// # Errors
/// If the operation fails. With unknown operands, only if no value of their types could succeed.
pub fn binary(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    rules::operate(operator, left, right, ctx)
}

/// Evaluates `- value`.
pub fn minus(value: &Value, ctx: &mut OperationContext) -> Result<Value, Failure> {
    arithmetic::minus(value, ctx)
}

/// Evaluates `left[keys]`. The keys are as evaluated, with `*array` as one array.
pub fn access(left: &Value, keys: &[Value], ctx: &mut OperationContext) -> Result<Value, Failure> {
    access::access(left, keys, ctx)
}

/// Matches a value against an option of a `case` or selector. Returns `None` if the result is unknown.
pub fn option_matches(
    test: &Value,
    option: &Value,
    ctx: &mut OperationContext,
) -> Result<Option<bool>, Failure> {
    matching::option_matches(test, option, ctx)
}

/// Returns the elements that `*value` unfolds to, or `None` if they are unknown.
pub fn unfold(value: &Value, env: &dyn TypeEnvironment) -> Option<Vec<Value>> {
    collections::unfold(value, env)
}

/// Returns the type of the element at an index of an array of which only the type is known.
pub fn element_type(ty: &Type, index: usize, env: &dyn TypeEnvironment) -> Type {
    collections::element_type(ty, index, env)
}

/// Compares two values with `==`. Returns `None` if the result is unknown.
pub fn equal(left: &Value, right: &Value, env: &dyn TypeEnvironment) -> Option<bool> {
    comparison::equal(left, right, env)
}
