//! Result types of arithmetic operators by the types of their operands.

use codes::Code;
use syntax::ast::BinaryOperator;
use types::{IntegerRange, Kinds, Type};
use validation::Strict;

use super::OperationContext;
use super::arithmetic::{ArithmeticNumber, parse_number};
use super::rules::{NOT_APPLICABLE, NOT_APPLICABLE_WHEN, NOT_NUMERIC_LEFT, NOT_NUMERIC_RIGHT, RuleFailure};
use super::unknown::Alternative;
use crate::failure::Side;

const DIVISION_BY_ZERO: RuleFailure = RuleFailure(Code::DivByZero, Side::Right);
const OVERFLOW: RuleFailure = RuleFailure(Code::NumericOverflow, Side::Whole);

/// Possible numbers of an operand.
#[derive(Clone, Copy)]
struct Numbers {
    integers: Option<IntegerRange>,
    has_floats: bool,
}

/// Returns the possible numbers of the right operand.
fn right_numbers(right: &Alternative, ctx: &OperationContext) -> Result<Numbers, RuleFailure> {
    numbers(right, ctx).map_err(|code| RuleFailure(code.unwrap_or(NOT_NUMERIC_RIGHT.0), Side::Right))
}

/// Returns the result type of `+ - * / % << >>` for numbers and numeric strings.
pub(super) fn arithmetic(
    operator: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    let left =
        numbers(left, ctx).map_err(|code| RuleFailure(code.unwrap_or(NOT_NUMERIC_LEFT.0), Side::Left))?;
    let right = right_numbers(right, ctx)?;
    let mut failure = None;
    let integers = match (left.integers, right.integers) {
        (Some(left), Some(right)) => {
            integer_result(operator, left, right).map_err(|new| failure = Some(new)).ok()
        }
        _ => None,
    };
    let has_floats = left.has_floats || right.has_floats;
    let floats = match operator {
        BinaryOperator::Modulo if has_floats => {
            failure = failure.or(Some(if left.has_floats { NOT_APPLICABLE } else { NOT_APPLICABLE_WHEN }));
            None
        }
        // A float on the right is truncated.
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight
            if right.has_floats && left.integers.is_some() =>
        {
            Some(Type::INTEGER)
        }
        BinaryOperator::ShiftLeft | BinaryOperator::ShiftRight if has_floats => {
            failure = failure.or(Some(NOT_APPLICABLE));
            None
        }
        _ => has_floats.then_some(Type::FLOAT),
    };
    match (integers, floats) {
        (Some(_), Some(Type::Integer(_))) => Ok(Type::INTEGER),
        (Some(range), Some(_)) if range == IntegerRange::ALL => Ok(Type::Numeric),
        (Some(range), Some(floats)) => Ok(Type::variant([Type::Integer(range), floats])),
        (Some(range), None) => Ok(Type::Integer(range)),
        (None, Some(floats)) => Ok(floats),
        (None, None) => Err(failure.unwrap_or(NOT_NUMERIC_LEFT)),
    }
}

/// Returns the result type of `Timespan / number`.
pub(super) fn divide_timespan(
    _: BinaryOperator,
    _: &Alternative,
    right: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    let divisor = right_numbers(right, ctx)?;
    match divisor {
        Numbers { integers: Some(IntegerRange { min: 0, max: 0 }), has_floats: false } => {
            Err(DIVISION_BY_ZERO)
        }
        _ => Ok(Type::Timespan(None)),
    }
}

/// Returns the result type of `Timespan % number`, which operates on whole seconds.
pub(super) fn modulo_of_timespan(
    operator: BinaryOperator,
    _: &Alternative,
    right: &Alternative,
    ctx: &OperationContext,
) -> Result<Type, RuleFailure> {
    let seconds = Alternative { kinds: Kinds::INTEGER, ty: Type::INTEGER };
    arithmetic(operator, &seconds, right, ctx)
}

/// Returns the result type of `<`, `<=`, `>` and `>=` for numbers.
pub(super) fn compare(
    operator: BinaryOperator,
    left: &Alternative,
    right: &Alternative,
    _: &OperationContext,
) -> Result<Type, RuleFailure> {
    let (Type::Integer(left), Type::Integer(right)) = (&left.ty, &right.ty) else { return Ok(Type::BOOLEAN) };
    let (always, never) = match operator {
        BinaryOperator::Less => (left.max < right.min, left.min >= right.max),
        BinaryOperator::LessOrEqual => (left.max <= right.min, left.min > right.max),
        BinaryOperator::Greater => (left.min > right.max, left.max <= right.min),
        _ => (left.min >= right.max, left.max < right.min),
    };
    Ok(Type::Boolean(match (always, never) {
        (true, _) => Some(true),
        (_, true) => Some(false),
        _ => None,
    }))
}

/// Returns the result type of `- value` for a number or a numeric string.
pub(super) fn negated(operand: &Alternative, ctx: &OperationContext) -> Result<Type, RuleFailure> {
    // The negation of the smallest integer exceeds 64 bits, which Ruby permits.
    if let Ok(Numbers { integers: Some(IntegerRange { min: i64::MIN, .. }), has_floats }) =
        numbers(operand, ctx)
    {
        return Ok(if has_floats { Type::Numeric } else { Type::INTEGER });
    }
    let zero = Alternative { kinds: Kinds::INTEGER, ty: Type::integer(0, 0) };
    arithmetic(BinaryOperator::Subtract, &zero, operand, ctx)
}

/// Returns the numbers among the values of a type.
///
/// # Errors
/// If there are none. The code is `None` for `not-numeric`.
fn numbers(operand: &Alternative, ctx: &OperationContext) -> Result<Numbers, Option<Code>> {
    let mut found = Numbers { integers: None, has_floats: false };
    if operand.may_be(Kinds::INTEGER) {
        found.integers = Some(match &operand.ty {
            Type::Integer(range) => *range,
            _ => IntegerRange::ALL,
        });
    }
    if operand.may_be(Kinds::FLOAT) {
        found.has_floats = true;
    }
    if operand.may_be(Kinds::STRING) {
        add_strings(&operand.ty, ctx, &mut found)?;
    }
    match found {
        Numbers { integers: None, has_floats: false } => Err(None),
        found => Ok(found),
    }
}

fn add_strings(ty: &Type, ctx: &OperationContext, found: &mut Numbers) -> Result<(), Option<Code>> {
    let literals: &[smol_str::SmolStr] = match ty {
        Type::LiteralString(text) => std::slice::from_ref(text),
        Type::Enum(enumeration) if !enumeration.values.is_empty() => &enumeration.values,
        _ if ctx.strict == Strict::Error => {
            return if found.integers.is_some() || found.has_floats {
                Ok(())
            } else {
                Err(Some(Code::NumericCoercion))
            };
        }
        _ => {
            *found = Numbers { integers: Some(IntegerRange::ALL), has_floats: true };
            return Ok(());
        }
    };
    for number in literals.iter().filter_map(|text| parse_number(text)) {
        if ctx.strict == Strict::Error {
            return Err(Some(Code::NumericCoercion));
        }
        match number {
            ArithmeticNumber::Integer(value) => {
                let value = clamp(value);
                let exact = IntegerRange::exactly(value);
                found.integers = Some(found.integers.map_or(exact, |range| range.hull(exact)));
            }
            _ => found.has_floats = true,
        }
    }
    Ok(())
}

fn integer_result(
    operator: BinaryOperator,
    left: IntegerRange,
    right: IntegerRange,
) -> Result<IntegerRange, RuleFailure> {
    let (a, b) = (wide(left), wide(right));
    match operator {
        BinaryOperator::Add => within(a.0 + b.0, a.1 + b.1),
        BinaryOperator::Subtract => within(a.0 - b.1, a.1 - b.0),
        BinaryOperator::Multiply => hull(a, b, i128::saturating_mul),
        BinaryOperator::Divide => {
            // The quotient is monotonic between the ends of each half.
            let halves = [(b.0, b.1.min(-1)), (b.0.max(1), b.1)].into_iter().filter(|half| half.0 <= half.1);
            let ranges = halves.filter_map(|half| hull(a, half, floor_divide).ok());
            match ranges.reduce(IntegerRange::hull) {
                Some(range) => Ok(range),
                None if b == (0, 0) => Err(DIVISION_BY_ZERO),
                None => Err(OVERFLOW),
            }
        }
        BinaryOperator::Modulo if b == (0, 0) => Err(DIVISION_BY_ZERO),
        BinaryOperator::Modulo => {
            // The result has the sign of the divisor.
            let max = if b.1 > 0 { b.1 - 1 } else { 0 };
            let min = if b.0 < 0 { b.0 + 1 } else { 0 };
            let max = if a.0 >= 0 && b.0 >= 0 { max.min(a.1) } else { max };
            within(min, max)
        }
        // The sign is preserved.
        _ if left.min >= 0 => Ok(IntegerRange::new(0, i64::MAX)),
        _ if left.max < 0 => Ok(IntegerRange::new(i64::MIN, -1)),
        _ => Ok(IntegerRange::ALL),
    }
}

/// Value of "no limit" in calculations, greater than any integer.
const UNLIMITED: i128 = 1 << 100;

fn wide(range: IntegerRange) -> (i128, i128) {
    let min = if range.min == i64::MIN { -UNLIMITED } else { range.min.into() };
    let max = if range.max == i64::MAX { UNLIMITED } else { range.max.into() };
    (min, max)
}

fn hull(
    a: (i128, i128),
    b: (i128, i128),
    compute: fn(i128, i128) -> i128,
) -> Result<IntegerRange, RuleFailure> {
    let corners = [compute(a.0, b.0), compute(a.0, b.1), compute(a.1, b.0), compute(a.1, b.1)];
    let (mut min, mut max) = (corners[0], corners[0]);
    for corner in corners {
        min = min.min(corner);
        max = max.max(corner);
    }
    within(min, max)
}

/// Divides like Ruby, rounding down.
pub(super) fn floor_divide(a: i128, b: i128) -> i128 {
    let quotient = a.wrapping_div(b);
    if a.wrapping_rem(b) != 0 && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

/// Clamps the range to 64-bit integers, because results outside of it are errors. Fails if nothing is left.
fn within(min: i128, max: i128) -> Result<IntegerRange, RuleFailure> {
    if max < i64::MIN.into() || min > i64::MAX.into() {
        return Err(OVERFLOW);
    }
    Ok(IntegerRange::new(clamp(min), clamp(max)))
}

fn clamp(value: i128) -> i64 {
    i64::try_from(value).unwrap_or(if value < 0 { i64::MIN } else { i64::MAX })
}
