//! What operators do with values, known and unknown: one table for both (`rules`).
//!
//! Specification: the chapter on expressions.

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

/// What an operation needs besides its operands, and what it leaves besides its result.
pub struct OperationContext<'a> {
    pub env: &'a dyn TypeEnvironment,
    pub strict: Strict,
    pub version: PuppetVersion,
    /// Texts that Puppet logs as warnings: a string that was turned into a number.
    pub warnings: Vec<String>,
    /// What a regular expression matched, if one did.
    pub matched: Option<MatchData>,
}

impl<'a> OperationContext<'a> {
    pub fn new(env: &'a dyn TypeEnvironment, strict: Strict) -> OperationContext<'a> {
        OperationContext { env, strict, version: PuppetVersion::V7, warnings: Vec::new(), matched: None }
    }
}

/// What a regular expression matched, by group; a group that took no part is `undef`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MatchData {
    pub groups: Vec<Value>,
}

/// The result of any binary operator but `and` and `or`. For unknown operands the type of the result; an error only when
/// no value of their types could succeed.
pub fn binary(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    rules::operate(operator, left, right, ctx)
}

/// `- value`
pub fn minus(value: &Value, ctx: &mut OperationContext) -> Result<Value, Failure> {
    arithmetic::minus(value, ctx)
}

/// `left[keys]`. The keys are as they were evaluated, `*array` as one array.
pub fn access(left: &Value, keys: &[Value], ctx: &mut OperationContext) -> Result<Value, Failure> {
    access::access(left, keys, ctx)
}

/// Does a value match an option of a `case` or selector? `None` when that is not known.
pub fn option_matches(
    test: &Value,
    option: &Value,
    ctx: &mut OperationContext,
) -> Result<Option<bool>, Failure> {
    matching::option_matches(test, option, ctx)
}

/// The elements that `*value` gives; `None` when they are not known.
pub fn unfold(value: &Value, env: &dyn TypeEnvironment) -> Option<Vec<Value>> {
    collections::unfold(value, env)
}

/// The type of the element at an index of an array of which only the type is known.
pub fn element_type(ty: &Type, index: usize, env: &dyn TypeEnvironment) -> Type {
    collections::element_type(ty, index, env)
}

/// Are two values equal, as `==` sees it? `None` when that is not known.
pub fn equal(left: &Value, right: &Value, env: &dyn TypeEnvironment) -> Option<bool> {
    comparison::equal(left, right, env)
}
