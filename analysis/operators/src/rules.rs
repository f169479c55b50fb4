//! Operator table and rule lookup.

use codes::Code;
use syntax::ast::BinaryOperator;
use types::{Kinds, Type, Value};

use super::unknown::{Alternative, alternatives, general_type_text, instance_of, origin_of, type_of};
use super::{OperationContext, arithmetic, collections, comparison, matching, number_types};
use crate::failure::{Failure, Side};

/// Behavior of an operator for operands of certain kinds.
pub(super) struct OperatorRule {
    pub(super) left: Kinds,
    pub(super) right: Kinds,
    pub(super) result: Result,
    /// Computes the result for known operands. May fail, because the kinds alone do not decide if a string is
    /// numeric.
    pub(super) compute: Compute,
}

pub(super) type Compute =
    fn(BinaryOperator, &Value, &Value, &mut OperationContext) -> std::result::Result<Value, Failure>;

/// Result of a rule if an operand is unknown.
pub(super) enum Result {
    /// Instance of this type.
    Type(Type),
    /// Type computed from the operand types. Unknown values inside a known array or hash do not prevent the
    /// computation.
    Of(TypeFunction),
    /// Type computed from the operand types. The value is computed only if the operands are known down to the
    /// last element.
    OfWhole(TypeFunction),
    /// The computation itself supports unknown operands.
    Computed,
    /// The operator does not support these operands.
    Never(RuleFailure),
}

pub(super) type TypeFunction = fn(
    BinaryOperator,
    &Alternative,
    &Alternative,
    &OperationContext,
) -> std::result::Result<Type, RuleFailure>;

/// Code of a failure and the operand at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RuleFailure(pub(super) Code, pub(super) Side);

pub(super) const NOT_NUMERIC_LEFT: RuleFailure = RuleFailure(Code::NotNumeric, Side::Left);
pub(super) const NOT_NUMERIC_RIGHT: RuleFailure = RuleFailure(Code::NotNumeric, Side::Right);
pub(super) const NOT_APPLICABLE: RuleFailure = RuleFailure(Code::OperatorNotApplicable, Side::Left);
pub(super) const NOT_APPLICABLE_WHEN: RuleFailure = RuleFailure(Code::OperatorNotApplicableWhen, Side::Left);
pub(super) const RUNTIME_ERROR: RuleFailure = RuleFailure(Code::RuntimeError, Side::Whole);
pub(super) const NOT_COMPARABLE: RuleFailure = RuleFailure(Code::ComparisonNotPossible, Side::Whole);

const ANY: Kinds = Kinds::all();
const ARRAY: Kinds = Kinds::ARRAY;
const HASH: Kinds = Kinds::HASH;
const URI: Kinds = Kinds::URI;
const BINARY: Kinds = Kinds::BINARY;
const FLOAT: Kinds = Kinds::FLOAT;
const TYPE: Kinds = Kinds::TYPE;
const SPAN: Kinds = Kinds::TIMESPAN;
const STAMP: Kinds = Kinds::TIMESTAMP;
const TIME: Kinds = Kinds::TIMESPAN.union(Kinds::TIMESTAMP);
const URI_OR_STRING: Kinds = URI.union(Kinds::STRING);
/// Numbers and strings, which may be numeric.
const NUMBER: Kinds = Kinds::NUMBER.union(Kinds::STRING);
const NUMBER_OR_SPAN: Kinds = NUMBER.union(SPAN);
const NUMERIC: Kinds = NUMBER.union(TIME).union(SEMVER);
const SEMVER: Kinds = Kinds::SEMVER;

const fn rule(left: Kinds, right: Kinds, result: Result, compute: Compute) -> OperatorRule {
    OperatorRule { left, right, result, compute }
}

/// Creates a rule for unsupported kinds. `compute` creates the error.
const fn never(left: Kinds, right: Kinds, failure: RuleFailure, compute: Compute) -> OperatorRule {
    OperatorRule { left, right, result: Result::Never(failure), compute }
}

use Result::{Computed, Of, OfWhole, Type as Always};
use arithmetic::calculate;

const TIMESPAN: Result = Always(Type::Timespan(None));
const TIMESTAMP: Result = Always(Type::Timestamp(None));

const ADD: &[OperatorRule] = &[
    rule(ARRAY, ANY, Of(collections::type_of_concatenation), collections::concatenate),
    rule(HASH, HASH, OfWhole(collections::type_of_merge), collections::merge),
    rule(HASH, ARRAY, OfWhole(collections::type_of_merge_with_array), collections::merge_array),
    never(HASH, ANY, RUNTIME_ERROR, collections::nothing_to_add),
    rule(URI, URI_OR_STRING, Always(Type::Uri(None)), collections::join_uri),
    never(URI, ANY, RUNTIME_ERROR, collections::nothing_to_add),
    rule(BINARY, BINARY, Always(Type::Binary), collections::join_binary),
    never(BINARY, ANY, RUNTIME_ERROR, collections::nothing_to_add),
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    rule(NUMBER_OR_SPAN, SPAN, TIMESPAN, calculate),
    rule(SPAN, NUMBER, TIMESPAN, calculate),
    rule(NUMBER_OR_SPAN, STAMP, TIMESTAMP, calculate),
    rule(STAMP, NUMBER_OR_SPAN, TIMESTAMP, calculate),
    never(STAMP, STAMP, RUNTIME_ERROR, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

const SUBTRACT: &[OperatorRule] = &[
    rule(ARRAY, ANY, OfWhole(collections::type_of_difference), collections::array_difference),
    rule(HASH, ANY, OfWhole(collections::type_of_hash_difference), collections::hash_difference),
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    rule(NUMBER_OR_SPAN, SPAN, TIMESPAN, calculate),
    rule(SPAN, NUMBER, TIMESPAN, calculate),
    rule(STAMP, STAMP, TIMESPAN, calculate),
    rule(STAMP, NUMBER_OR_SPAN, TIMESTAMP, calculate),
    never(SPAN, STAMP, RUNTIME_ERROR, calculate),
    never(NUMBER, STAMP, NOT_APPLICABLE_WHEN, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

const MULTIPLY: &[OperatorRule] = &[
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    rule(SPAN, NUMBER, TIMESPAN, calculate),
    rule(NUMBER, SPAN, TIMESPAN, calculate),
    never(SPAN, TIME, RUNTIME_ERROR, calculate),
    never(STAMP, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMBER, STAMP, NOT_APPLICABLE_WHEN, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

const DIVIDE: &[OperatorRule] = &[
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    rule(SPAN, NUMBER, Of(number_types::divide_timespan), calculate),
    rule(SPAN, SPAN, Always(Type::FLOAT), calculate),
    never(SPAN, STAMP, RUNTIME_ERROR, calculate),
    never(STAMP, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMBER, TIME, NOT_APPLICABLE_WHEN, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

const MODULO: &[OperatorRule] = &[
    never(FLOAT, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, FLOAT, NOT_APPLICABLE_WHEN, calculate),
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    rule(SPAN, NUMBER, Of(number_types::modulo_of_timespan), calculate),
    never(SPAN, TIME, RUNTIME_ERROR, calculate),
    never(STAMP, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMBER, TIME, NOT_APPLICABLE_WHEN, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

const SHIFT_LEFT: &[OperatorRule] = &[
    rule(ARRAY, ANY, Of(collections::type_of_append), collections::append),
    never(HASH, ANY, NOT_APPLICABLE, collections::nothing_to_append),
    never(FLOAT, NUMBER, NOT_APPLICABLE, calculate),
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    never(TIME, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMBER, TIME, NOT_APPLICABLE_WHEN, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

const SHIFT_RIGHT: &[OperatorRule] = &[
    never(FLOAT, NUMBER, NOT_APPLICABLE, calculate),
    rule(NUMBER, NUMBER, Of(number_types::arithmetic), calculate),
    never(TIME, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMBER, TIME, NOT_APPLICABLE_WHEN, calculate),
    never(SEMVER, NUMERIC, NOT_APPLICABLE, calculate),
    never(NUMERIC, SEMVER, RUNTIME_ERROR, calculate),
    never(NUMERIC, ANY, NOT_NUMERIC_RIGHT, calculate),
    never(ANY, ANY, NOT_NUMERIC_LEFT, calculate),
];

/// Rules of `<`, `<=`, `>` and `>=`.
const ORDER: &[OperatorRule] = &[
    rule(Kinds::STRING, Kinds::STRING, Always(Type::BOOLEAN), comparison::compare),
    rule(Kinds::NUMBER, Kinds::NUMBER, Of(number_types::compare), comparison::compare),
    rule(Kinds::NUMBER.union(SPAN), Kinds::NUMBER.union(SPAN), Always(Type::BOOLEAN), comparison::compare),
    rule(Kinds::NUMBER.union(STAMP), Kinds::NUMBER.union(STAMP), Always(Type::BOOLEAN), comparison::compare),
    rule(Kinds::SEMVER, Kinds::SEMVER, Always(Type::BOOLEAN), comparison::compare),
    rule(Kinds::DEFAULT, Kinds::DEFAULT, Always(Type::BOOLEAN), comparison::compare),
    rule(TYPE, TYPE, Always(Type::BOOLEAN), comparison::compare_types),
    rule(TYPE, ANY, Always(Type::Boolean(Some(false))), comparison::compare_types),
    never(Kinds::NUMBER, SEMVER, RUNTIME_ERROR, collections::nothing_to_add),
    never(ANY, ANY, NOT_COMPARABLE, comparison::compare),
];

const EQUALITY: &[OperatorRule] = &[rule(ANY, ANY, Computed, comparison::equality)];
const MATCH: &[OperatorRule] = &[rule(ANY, ANY, Computed, matching::match_operator)];
const IN: &[OperatorRule] = &[rule(ANY, ANY, Computed, matching::in_operator)];

/// Returns the rules of an operator. The first one that matches the operands applies.
fn rules(operator: BinaryOperator) -> &'static [OperatorRule] {
    match operator {
        BinaryOperator::Add => ADD,
        BinaryOperator::Subtract => SUBTRACT,
        BinaryOperator::Multiply => MULTIPLY,
        BinaryOperator::Divide => DIVIDE,
        BinaryOperator::Modulo => MODULO,
        BinaryOperator::ShiftLeft => SHIFT_LEFT,
        BinaryOperator::ShiftRight => SHIFT_RIGHT,
        BinaryOperator::Less
        | BinaryOperator::LessOrEqual
        | BinaryOperator::Greater
        | BinaryOperator::GreaterOrEqual => ORDER,
        BinaryOperator::Equal | BinaryOperator::NotEqual => EQUALITY,
        BinaryOperator::Match | BinaryOperator::NoMatch => MATCH,
        BinaryOperator::In => IN,
        // Short-circuit operators are not evaluated here.
        BinaryOperator::And | BinaryOperator::Or => &[],
    }
}

/// Evaluates an operator.
pub(super) fn operate(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> std::result::Result<Value, Failure> {
    let rules = rules(operator);
    if matches!(left, Value::Unknown(_)) || matches!(right, Value::Unknown(_)) {
        return operate_on_types(operator, rules, left, right, ctx);
    }
    let (left_kind, right_kind) = (left.kinds(ctx.env), right.kinds(ctx.env));
    let found = rules.iter().find(|rule| rule.left.contains(left_kind) && rule.right.contains(right_kind));
    match found {
        Some(OperatorRule { result: OfWhole(_), .. }) if !left.is_known() || !right.is_known() => {
            operate_on_types(operator, rules, left, right, ctx)
        }
        Some(rule) => (rule.compute)(operator, left, right, ctx),
        None => Err(not_applicable(operator, NOT_APPLICABLE, left, right, ctx)),
    }
}

/// Returns an instance of the union of the result types of all applicable rules.
///
/// # Errors
/// If no rule can succeed.
fn operate_on_types(
    operator: BinaryOperator,
    rules: &[OperatorRule],
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> std::result::Result<Value, Failure> {
    if let [OperatorRule { result: Computed, compute, .. }] = rules {
        return compute(operator, left, right, ctx);
    }
    let origin = origin_of([left, right]);
    let (left_type, right_type) = (type_of(left, ctx.env), type_of(right, ctx.env));
    let lefts = alternatives(&left_type, ctx.env);
    let rights = alternatives(&right_type, ctx.env);
    let mut results = Vec::new();
    let mut failure = None;
    for (left, right) in lefts.iter().flat_map(|left| rights.iter().map(move |right| (left, right))) {
        for rule in rules {
            if !left.may_be(rule.left) || !right.may_be(rule.right) {
                continue;
            }
            let result = match &rule.result {
                Result::Type(ty) => Ok(ty.clone()),
                Of(function) | OfWhole(function) => function(operator, left, right, ctx),
                Computed => Ok(Type::Any),
                Result::Never(failure) => Err(*failure),
            };
            match result {
                Ok(ty) if results.contains(&ty) => {}
                Ok(ty) => results.push(ty),
                Err(new) => failure = failure.or(Some(new)),
            }
            if left.is_certainly(rule.left) && right.is_certainly(rule.right) {
                break;
            }
        }
    }
    match (results.is_empty(), failure) {
        (true, Some(failure)) => Err(not_applicable(operator, failure, left, right, ctx)),
        // An operand without any possible value; unreachable code.
        (true, None) => Ok(Value::unknown(Type::variant([]), origin)),
        (false, _) => Ok(instance_of(types::common::union(results, ctx.env), origin)),
    }
}

/// Creates the error for an operator that does not support its operands.
pub(super) fn not_applicable(
    operator: BinaryOperator,
    RuleFailure(code, side): RuleFailure,
    left: &Value,
    right: &Value,
    ctx: &OperationContext,
) -> Failure {
    let (left, right) = (general_type_text(left, ctx.env), general_type_text(right, ctx.env));
    let message = match code {
        Code::DivByZero => "division by zero".to_owned(),
        Code::NumericOverflow => {
            format!("result of operator `{}` exceeds the range of 64-bit integers", operator.text())
        }
        Code::NumericCoercion => {
            format!("implicit conversion of a string to a number in `{left} {} {right}`", operator.text())
        }
        _ => format!("operator `{}` is not supported between `{left}` and `{right}`", operator.text()),
    };
    Failure::new(code, message).at(side)
}
