//! Operators `+ - * / % << >>` and unary `-` with numbers, timestamps and timespans.

use codes::Code;
use std::sync::Arc;

use scalars::numbers::compare_integer_and_float;
use scalars::timespan::Timespan;
use scalars::timestamp::Timestamp;
use syntax::ast::BinaryOperator;
use types::{Kinds, Value};
use validation::Strict;

use super::OperationContext;
use super::number_types::{self, floor_divide};
use super::rules::{NOT_APPLICABLE, NOT_APPLICABLE_WHEN, RUNTIME_ERROR, RuleFailure, not_applicable};
use super::unknown::{alternatives, general_type_text, instance_of, origin_of, shown};
use crate::failure::{Failure, Side};

/// Operand of arithmetic. Integers are wider than those of the language, so that overflow can be detected.
/// Times are in nanoseconds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(super) enum ArithmeticNumber {
    Integer(i128),
    Float(f64),
    Timespan(i128),
    Timestamp(i128),
    /// Version, which passes for a number but supports no arithmetic.
    Version,
}

const NANOSECONDS: i128 = 1_000_000_000;

/// Reason for a missing result.
enum ArithmeticFailure {
    Fault(RuleFailure),
    /// Runtime error with its message.
    Runtime(&'static str),
}

impl From<RuleFailure> for ArithmeticFailure {
    fn from(failure: RuleFailure) -> ArithmeticFailure {
        ArithmeticFailure::Fault(failure)
    }
}

const DIVISION_BY_ZERO: RuleFailure = RuleFailure(Code::DivByZero, Side::Right);
const OVERFLOW: RuleFailure = RuleFailure(Code::NumericOverflow, Side::Whole);
const VERSION: ArithmeticFailure = ArithmeticFailure::Runtime("`SemVer` does not support arithmetic");
const TOO_LONG: ArithmeticFailure = ArithmeticFailure::Runtime("time is out of range");

/// Evaluates an operator on numbers. Converts strings to numbers where that is allowed.
pub(super) fn calculate(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let a = to_number(left, ctx).map_err(|failure| failure.at(Side::Left))?;
    let b = to_number(right, ctx).map_err(|failure| failure.at(Side::Right))?;
    match apply(operator, a, b).and_then(to_value) {
        Ok(value) => Ok(value),
        Err(ArithmeticFailure::Fault(RuleFailure(Code::ResultIsInfinity, side))) => {
            let message = format!("result of operator `{}` is infinite", operator.text());
            Err(Failure::new(Code::ResultIsInfinity, message).at(side))
        }
        Err(ArithmeticFailure::Fault(failure)) => Err(not_applicable(operator, failure, left, right, ctx)),
        Err(ArithmeticFailure::Runtime(message)) => Err(Failure::new(RUNTIME_ERROR.0, message)),
    }
}

/// Evaluates `- value`. Errors cover the whole expression.
pub(super) fn minus(value: &Value, ctx: &mut OperationContext) -> Result<Value, Failure> {
    if let Value::Unknown(unknown) = value {
        return minus_of_type(value, unknown, ctx);
    }
    let negated = match to_number(value, ctx)? {
        // Unlike all other operators, negation does not check the limits.
        ArithmeticNumber::Integer(value) => return Ok(Value::integer(value.saturating_neg())),
        ArithmeticNumber::Float(value) => ArithmeticNumber::Float(-value),
        ArithmeticNumber::Timespan(value) => ArithmeticNumber::Timespan(value.saturating_neg()),
        ArithmeticNumber::Timestamp(_) | ArithmeticNumber::Version => {
            let message = format!("cannot negate {}", shown(value, ctx.env));
            return Err(Failure::new(RUNTIME_ERROR.0, message));
        }
    };
    to_value(negated).map_err(|_| {
        let message = format!("negation of {} exceeds the range of 64-bit integers", shown(value, ctx.env));
        Failure::new(OVERFLOW.0, message)
    })
}

fn minus_of_type(value: &Value, unknown: &types::Unknown, ctx: &OperationContext) -> Result<Value, Failure> {
    let mut results = Vec::new();
    let mut failure = None;
    let all = alternatives(&unknown.ty, ctx.env);
    if all.is_empty() {
        return Ok(value.clone());
    }
    for operand in all {
        if operand.may_be(Kinds::TIMESPAN) {
            results.push(types::Type::Timespan(None));
        }
        if operand.is_certainly(Kinds::TIMESTAMP | Kinds::SEMVER) {
            failure = failure.or(Some(RUNTIME_ERROR));
            continue;
        }
        match number_types::negated(&operand, ctx) {
            Ok(ty) => results.push(ty),
            Err(new) => failure = failure.or(Some(new)),
        }
    }
    match failure {
        Some(RuleFailure(code, _)) if results.is_empty() => {
            let ty = general_type_text(value, ctx.env);
            let message = format!("operator `-` is not supported for values of type `{ty}`");
            Err(Failure::new(code, message))
        }
        _ => Ok(instance_of(types::common::union(results, ctx.env), origin_of([value]))),
    }
}

/// Converts a value to a number. Conversion of strings is subject to `strict` and may add a warning.
pub(super) fn to_number(value: &Value, ctx: &mut OperationContext) -> Result<ArithmeticNumber, Failure> {
    match value {
        Value::Integer(value) => Ok(ArithmeticNumber::Integer((*value).into())),
        Value::WideInteger(value) => Ok(ArithmeticNumber::Integer(**value)),
        Value::Float(value) => Ok(ArithmeticNumber::Float(value.0)),
        Value::Timespan(value) => Ok(ArithmeticNumber::Timespan(value.nanoseconds)),
        Value::Timestamp(value) => Ok(ArithmeticNumber::Timestamp(value.nanoseconds)),
        Value::SemVer(_) => Ok(ArithmeticNumber::Version),
        Value::String(text) => {
            let Some(number) = parse_number(text) else { return Err(not_numeric(value, ctx)) };
            match ctx.strict {
                Strict::Off => {}
                Strict::Warning => ctx.warnings.push(coercion_warning(text, number)),
                Strict::Error => {
                    let message = format!("implicit conversion of {} to a number", shown(value, ctx.env));
                    return Err(Failure::new(Code::NumericCoercion, message));
                }
            }
            Ok(number)
        }
        value => Err(not_numeric(value, ctx)),
    }
}

fn not_numeric(value: &Value, ctx: &OperationContext) -> Failure {
    Failure::new(Code::NotNumeric, format!("{} is not a number", shown(value, ctx.env)))
}

/// Returns the warning as Puppet logs it.
fn coercion_warning(text: &str, number: ArithmeticNumber) -> String {
    let number = match number {
        ArithmeticNumber::Float(value) => scalars::numbers::float_text(value),
        ArithmeticNumber::Integer(value)
        | ArithmeticNumber::Timespan(value)
        | ArithmeticNumber::Timestamp(value) => value.to_string(),
        ArithmeticNumber::Version => String::new(),
    };
    format!("The string '{text}' was automatically coerced to the numerical value {number}")
}

/// Parses a number with Puppet's rules.
pub(super) fn parse_number(text: &str) -> Option<ArithmeticNumber> {
    match scalars::numbers::number_from_text(text)?.0 {
        scalars::numbers::Number::Integer(value) => Some(ArithmeticNumber::Integer(value)),
        scalars::numbers::Number::Float(value) => Some(ArithmeticNumber::Float(value)),
    }
}

/// Converts a result to a value of the language.
fn to_value(number: ArithmeticNumber) -> Result<Value, ArithmeticFailure> {
    Ok(match number {
        ArithmeticNumber::Integer(value) => Value::Integer(i64::try_from(value).map_err(|_| OVERFLOW)?),
        ArithmeticNumber::Float(value) if value.is_infinite() => {
            return Err(RuleFailure(Code::ResultIsInfinity, Side::Left).into());
        }
        ArithmeticNumber::Float(value) => Value::float(value),
        ArithmeticNumber::Timespan(nanoseconds) => Value::Timespan(Arc::new(Timespan { nanoseconds })),
        ArithmeticNumber::Timestamp(nanoseconds) => Value::Timestamp(Arc::new(Timestamp { nanoseconds })),
        ArithmeticNumber::Version => return Err(NOT_APPLICABLE.into()),
    })
}

fn apply(
    operator: BinaryOperator,
    a: ArithmeticNumber,
    b: ArithmeticNumber,
) -> Result<ArithmeticNumber, ArithmeticFailure> {
    use ArithmeticNumber::{Float, Integer, Timespan, Timestamp, Version};
    use BinaryOperator as Op;
    if operator == Op::Modulo {
        match (a, b) {
            (Float(_), _) => return Err(NOT_APPLICABLE.into()),
            (_, Float(_)) => return Err(NOT_APPLICABLE_WHEN.into()),
            _ => {}
        }
    }
    match (a, b) {
        (Integer(a), Integer(b)) => integers(operator, a, b),
        (Integer(a), Float(b)) if matches!(operator, Op::ShiftLeft | Op::ShiftRight) => {
            integers(operator, a, float_to_integer(b)?)
        }
        (Integer(a), Float(b)) => floats(operator, a as f64, b),
        (Float(a), Integer(b)) => floats(operator, a, b as f64),
        (Float(a), Float(b)) => floats(operator, a, b),
        (Version, b) => version(operator, b),
        (Timestamp(_), Version) if !matches!(operator, Op::Add | Op::Subtract) => Err(NOT_APPLICABLE.into()),
        (_, Version) => match operator {
            Op::ShiftLeft | Op::ShiftRight => Err(NOT_APPLICABLE.into()),
            _ => Err(VERSION),
        },
        (Timespan(a), b) => timespan(operator, a, b),
        (Timestamp(a), b) => timestamp(operator, a, b),
        (a @ (Integer(_) | Float(_)), Timespan(b)) => match operator {
            Op::Add | Op::Multiply => timespan(operator, b, a),
            Op::Subtract => Ok(Timespan(seconds(a)?.checked_sub(b).ok_or(TOO_LONG)?)),
            _ => Err(NOT_APPLICABLE_WHEN.into()),
        },
        (a, b @ Timestamp(_)) => match (operator, b) {
            (Op::Add, Timestamp(b)) => timestamp(operator, b, a),
            _ => Err(NOT_APPLICABLE_WHEN.into()),
        },
    }
}

/// Evaluates an operator with a version on the left.
fn version(operator: BinaryOperator, b: ArithmeticNumber) -> Result<ArithmeticNumber, ArithmeticFailure> {
    use BinaryOperator as Op;
    match (operator, b) {
        (Op::Modulo, ArithmeticNumber::Integer(0)) => Err(DIVISION_BY_ZERO.into()),
        (Op::Multiply, ArithmeticNumber::Timespan(_))
        | (Op::Add, ArithmeticNumber::Timespan(_) | ArithmeticNumber::Timestamp(_)) => Err(VERSION),
        (Op::Subtract, ArithmeticNumber::Timespan(_)) => Err(NOT_APPLICABLE.into()),
        (_, ArithmeticNumber::Timespan(_) | ArithmeticNumber::Timestamp(_)) => {
            Err(NOT_APPLICABLE_WHEN.into())
        }
        _ => Err(NOT_APPLICABLE.into()),
    }
}

fn integers(operator: BinaryOperator, a: i128, b: i128) -> Result<ArithmeticNumber, ArithmeticFailure> {
    use BinaryOperator as Op;
    let result = match operator {
        Op::Add => a.checked_add(b),
        Op::Subtract => a.checked_sub(b),
        Op::Multiply => a.checked_mul(b),
        Op::Divide | Op::Modulo if b == 0 => return Err(DIVISION_BY_ZERO.into()),
        Op::Divide => Some(floor_divide(a, b)),
        Op::Modulo => Some(floor_modulo(a, b)),
        Op::ShiftLeft => shift_left(a, b),
        Op::ShiftRight => shift_left(a, b.saturating_neg()),
        _ => return Err(NOT_APPLICABLE.into()),
    };
    Ok(ArithmeticNumber::Integer(result.ok_or(OVERFLOW)?))
}

/// Computes the remainder with the sign of the divisor.
fn floor_modulo(a: i128, b: i128) -> i128 {
    let remainder = a.wrapping_rem(b);
    if remainder != 0 && (remainder < 0) != (b < 0) { remainder + b } else { remainder }
}

/// Shifts to the left; a negative number of bits shifts to the right.
fn shift_left(a: i128, bits: i128) -> Option<i128> {
    match bits {
        _ if a == 0 => Some(0),
        0..=64 => a.checked_mul(1 << bits),
        65.. => None,
        -127..=-1 => Some(a >> -bits),
        _ => Some(if a < 0 { -1 } else { 0 }),
    }
}

fn floats(operator: BinaryOperator, a: f64, b: f64) -> Result<ArithmeticNumber, ArithmeticFailure> {
    use BinaryOperator as Op;
    Ok(ArithmeticNumber::Float(match operator {
        Op::Add => a + b,
        Op::Subtract => a - b,
        Op::Multiply => a * b,
        Op::Divide => a / b,
        _ => return Err(NOT_APPLICABLE.into()),
    }))
}

/// Evaluates an operator with a timespan on the left, or on the right if it is commutative.
fn timespan(
    operator: BinaryOperator,
    a: i128,
    b: ArithmeticNumber,
) -> Result<ArithmeticNumber, ArithmeticFailure> {
    use ArithmeticNumber::{Float, Integer, Timespan, Timestamp};
    use BinaryOperator as Op;
    let result = match (operator, b) {
        (Op::Add, Timestamp(b)) => return Ok(Timestamp(a.checked_add(b).ok_or(TOO_LONG)?)),
        (Op::Add, Timespan(b)) => a.checked_add(b),
        (Op::Add, b) => a.checked_add(seconds(b)?),
        (Op::Subtract, Timespan(b)) => a.checked_sub(b),
        (Op::Subtract, b @ (Integer(_) | Float(_))) => a.checked_sub(seconds(b)?),
        (Op::Multiply, Integer(b)) => a.checked_mul(b),
        (Op::Multiply, Float(b)) => Some(float_to_integer(a as f64 * b)?),
        (Op::Divide, Timespan(b)) => return Ok(Float(float_quotient(a, b))),
        (Op::Divide, Integer(0)) | (Op::Modulo, Integer(0)) => return Err(DIVISION_BY_ZERO.into()),
        (Op::Divide, Float(0.0)) => return Err(DIVISION_BY_ZERO.into()),
        (Op::Divide, Integer(b)) => Some(floor_divide(a, b)),
        (Op::Divide, Float(b)) => Some(float_to_integer((a as f64 / b).floor())?),
        (Op::Modulo, Integer(b)) => return Ok(Integer(floor_modulo(floor_divide(a, NANOSECONDS), b))),
        (Op::Subtract, Timestamp(_)) => {
            return Err(ArithmeticFailure::Runtime("cannot subtract a `Timestamp` from a `Timespan`"));
        }
        (Op::Multiply, _) => {
            return Err(ArithmeticFailure::Runtime("a `Timespan` can only be multiplied by a number"));
        }
        (Op::Divide, _) => {
            return Err(ArithmeticFailure::Runtime(
                "a `Timespan` can only be divided by a number or a `Timespan`",
            ));
        }
        (Op::Modulo, _) => {
            return Err(ArithmeticFailure::Runtime(
                "modulo of a `Timespan` requires an integer on the right",
            ));
        }
        _ => return Err(NOT_APPLICABLE.into()),
    };
    Ok(Timespan(result.ok_or(TOO_LONG)?))
}

fn timestamp(
    operator: BinaryOperator,
    a: i128,
    b: ArithmeticNumber,
) -> Result<ArithmeticNumber, ArithmeticFailure> {
    use ArithmeticNumber::{Timespan, Timestamp};
    use BinaryOperator as Op;
    let result = match (operator, b) {
        (Op::Add, Timestamp(_)) => {
            return Err(ArithmeticFailure::Runtime("cannot add two `Timestamp` values"));
        }
        (Op::Add, Timespan(b)) => a.checked_add(b),
        (Op::Add, b) => a.checked_add(seconds(b)?),
        (Op::Subtract, Timestamp(b)) => return Ok(Timespan(a.checked_sub(b).ok_or(TOO_LONG)?)),
        (Op::Subtract, Timespan(b)) => a.checked_sub(b),
        (Op::Subtract, b) => a.checked_sub(seconds(b)?),
        _ => return Err(NOT_APPLICABLE.into()),
    };
    Ok(Timestamp(result.ok_or(TOO_LONG)?))
}

/// Converts a number of seconds to nanoseconds.
fn seconds(number: ArithmeticNumber) -> Result<i128, ArithmeticFailure> {
    match number {
        ArithmeticNumber::Integer(value) => value.checked_mul(NANOSECONDS).ok_or(TOO_LONG),
        ArithmeticNumber::Float(value) => float_to_integer(value * NANOSECONDS as f64),
        ArithmeticNumber::Timespan(value) | ArithmeticNumber::Timestamp(value) => Ok(value),
        ArithmeticNumber::Version => Err(VERSION),
    }
}

/// Truncates a float to an integer.
fn float_to_integer(value: f64) -> Result<i128, ArithmeticFailure> {
    if value.is_finite() {
        Ok(value as i128)
    } else {
        Err(ArithmeticFailure::Runtime("number of nanoseconds is infinite"))
    }
}

/// Returns the quotient as a float, as exactly as possible: common factors are canceled first.
fn float_quotient(a: i128, b: i128) -> f64 {
    let (mut x, mut y) = (a.unsigned_abs(), b.unsigned_abs());
    while y != 0 {
        (x, y) = (y, x % y);
    }
    let divisor = i128::try_from(x).unwrap_or(1).max(1);
    (a / divisor) as f64 / (b / divisor) as f64
}

/// Compares two numbers, integers and floats exactly. Returns `None` for NaN, and for a timespan compared
/// with a timestamp.
pub(super) fn order(a: ArithmeticNumber, b: ArithmeticNumber) -> Option<std::cmp::Ordering> {
    use ArithmeticNumber::{Float, Integer, Timespan, Timestamp, Version};
    match (a, b) {
        (Integer(a), Integer(b)) | (Timespan(a), Timespan(b)) | (Timestamp(a), Timestamp(b)) => {
            Some(a.cmp(&b))
        }
        (Float(a), Float(b)) => a.partial_cmp(&b),
        (Integer(a), Float(b)) => compare_integer_and_float(a, b),
        (Float(_), Integer(_) | Timespan(_) | Timestamp(_)) => order(b, a).map(std::cmp::Ordering::reverse),
        // Compared with an integer, only whole seconds count.
        (Timespan(a) | Timestamp(a), Integer(b)) => Some(floor_divide(a, NANOSECONDS).cmp(&b)),
        (Timespan(a) | Timestamp(a), Float(b)) => float_quotient(a, NANOSECONDS).partial_cmp(&b),
        (Integer(_), Timespan(_) | Timestamp(_)) => order(b, a).map(std::cmp::Ordering::reverse),
        (Timespan(_), Timestamp(_)) | (Timestamp(_), Timespan(_)) | (Version, _) | (_, Version) => None,
    }
}

/// Converts a value to a number; `None` for strings and other values.
pub(super) fn number_of(value: &Value) -> Option<ArithmeticNumber> {
    match value {
        Value::Integer(value) => Some(ArithmeticNumber::Integer((*value).into())),
        Value::WideInteger(value) => Some(ArithmeticNumber::Integer(**value)),
        Value::Float(value) => Some(ArithmeticNumber::Float(value.0)),
        Value::Timespan(value) => Some(ArithmeticNumber::Timespan(value.nanoseconds)),
        Value::Timestamp(value) => Some(ArithmeticNumber::Timestamp(value.nanoseconds)),
        _ => None,
    }
}
