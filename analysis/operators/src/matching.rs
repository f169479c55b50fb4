//! Operators `=~ !~ in`, and option matching of `case` and selectors.

use codes::Code;
use scalars::regexp::{Regexp, RegexpError};
use scalars::semver::{Version, VersionRange};
use syntax::ast::BinaryOperator;
use types::assign::Fit;
use types::{IntegerRange, Kinds, Origin, Type, Value};

use super::OperationContext;
use super::collections::{any_element_of, element_of};
use super::comparison::{equal, literals, size_of};
use super::rules::{RUNTIME_ERROR, RuleFailure, not_applicable};
use super::unknown::{Alternative, alternatives, and, shown, truth_value};
use crate::MatchData;
use crate::failure::{Failure, Side};

const NOT_STRING: RuleFailure = RuleFailure(Code::MatchNotString, Side::Left);
const NOT_REGEXP: RuleFailure = RuleFailure(Code::MatchNotRegexp, Side::Right);

/// Number of groups assumed for an unknown pattern.
const ASSUMED_GROUP_COUNT: usize = 10;

const TEXTUAL: Kinds = Kinds::STRING.union(Kinds::REGEXP);
const VERSIONED: Kinds = Kinds::STRING.union(Kinds::SEMVER);

type Truth = Result<Option<bool>, Failure>;

/// Evaluates `=~` and `!~`.
pub(super) fn match_operator(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let wanted = operator == BinaryOperator::Match;
    let matches = match right {
        Value::Type(ty) => is_instance(ty, left, ctx)?,
        Value::SemVerRange(range) => includes_version(range, left, ctx),
        Value::Regexp(regexp) => match_operand(operator, regexp, left, right, ctx)?,
        Value::String(source) => match Regexp::new(source) {
            Ok(regexp) => match_operand(operator, &regexp, left, right, ctx)?,
            Err(error) => {
                return Err(Failure::new(NOT_REGEXP.0, error.to_string()).at(NOT_REGEXP.1));
            }
        },
        Value::Unknown(_) => match_unknown_pattern(operator, left, right, ctx)?,
        _ => {
            let message = format!(
                "right operand of a match must be a regular expression or a type, got {}",
                shown(right, ctx.env)
            );
            return Err(Failure::new(NOT_REGEXP.0, message).at(NOT_REGEXP.1));
        }
    };
    Ok(truth_value(matches.map(|matches| matches == wanted), [left, right]))
}

fn match_operand(
    operator: BinaryOperator,
    regexp: &Regexp,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Truth {
    match left {
        Value::String(text) => match_text(regexp, text, ctx),
        Value::Unknown(unknown) if left.kinds(ctx.env).intersects(Kinds::STRING) => {
            match_text_of_type(regexp, &unknown.ty, unknown.origin, ctx)
        }
        Value::Unknown(_) => Err(not_applicable(operator, NOT_STRING, left, right, ctx)),
        _ => {
            let message = format!("left operand of a match must be a string, got {}", shown(left, ctx.env));
            Err(Failure::new(NOT_STRING.0, message).at(NOT_STRING.1))
        }
    }
}

fn match_unknown_pattern(
    operator: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Truth {
    let kinds = right.kinds(ctx.env);
    if !kinds.intersects(TEXTUAL | Kinds::TYPE | Kinds::SEMVER_RANGE) {
        return Err(not_applicable(operator, NOT_REGEXP, left, right, ctx));
    }
    let may_match_text = left.kinds(ctx.env).intersects(Kinds::STRING);
    if TEXTUAL.contains(kinds) && !may_match_text {
        return Err(not_applicable(operator, NOT_STRING, left, right, ctx));
    }
    if kinds.intersects(TEXTUAL) && may_match_text {
        let origin = right.least_trustworthy().unwrap_or(Origin::Join);
        ctx.matched = Some(unknown_groups(ASSUMED_GROUP_COUNT, origin));
    }
    Ok(None)
}

/// Matches a string and records the match data.
fn match_text(regexp: &Regexp, text: &str, ctx: &mut OperationContext) -> Truth {
    // Most strings do not match, and testing without captures is cheaper.
    let found = match regexp.is_match(text) {
        Ok(false) => return Ok(Some(false)),
        Ok(true) => regexp.captures_at(text, 0),
        Err(error) => Err(error),
    };
    match found {
        Ok(Some(found)) => {
            let group = |range: Option<std::ops::Range<usize>>| match range {
                Some(range) => Value::string(&text[range]),
                None => Value::Undef,
            };
            ctx.matched = Some(MatchData { groups: found.iter().map(group).collect() });
            Ok(Some(true))
        }
        Ok(None) => Ok(Some(false)),
        Err(error @ (RegexpError::BacktrackLimit | RegexpError::TooComplex)) => {
            Err(Failure::new(Code::RegexpLimit, error.to_string()))
        }
        // The result of a match that exceeds the limits is unknown.
        Err(_) => {
            ctx.matched = Some(unknown_groups(regexp.group_count() + 1, Origin::Bound));
            Ok(None)
        }
    }
}

/// Matches the strings of a type.
fn match_text_of_type(regexp: &Regexp, ty: &Type, origin: Origin, ctx: &mut OperationContext) -> Truth {
    let mut result = None;
    let mut is_same = true;
    for alternative in alternatives(ty, ctx.env) {
        if !alternative.may_be(Kinds::STRING) {
            continue;
        }
        let strings = match &alternative.ty {
            Type::Enum(enumeration) if enumeration.case_insensitive => None,
            ty => literals(ty),
        };
        let Some(strings) = strings else {
            is_same = false;
            break;
        };
        for text in strings {
            let matches = regexp.is_match(text).ok();
            is_same &= matches.is_some() && (result.is_none() || result == matches);
            result = matches;
        }
    }
    let result = if is_same { result } else { None };
    if result != Some(false) {
        ctx.matched = Some(unknown_groups(regexp.group_count() + 1, origin));
    }
    Ok(result)
}

/// Returns the match variables after an uncertain match: if it fails, they keep the strings of an earlier
/// match.
fn unknown_groups(count: usize, origin: Origin) -> MatchData {
    let group = Value::unknown(Type::optional(Type::STRING), origin);
    MatchData { groups: vec![group; count] }
}

fn is_instance(ty: &Type, value: &Value, ctx: &OperationContext) -> Truth {
    let fit = types::object::init::catch_refusal(ctx.env, || types::assign::fits(ty, value, ctx.env));
    Ok(match fit.map_err(|why| Failure::new(Code::RuntimeError, why))? {
        Fit::Always => Some(true),
        Fit::Never => Some(false),
        Fit::Maybe => None,
    })
}

fn includes_version(range: &VersionRange, value: &Value, ctx: &OperationContext) -> Option<bool> {
    match value {
        Value::SemVer(version) => Some(range.includes(version)),
        Value::String(text) => Some(Version::parse(text).is_ok_and(|version| range.includes(&version))),
        Value::Unknown(_) if value.kinds(ctx.env).intersects(VERSIONED) => None,
        _ => Some(false),
    }
}

fn is_version(version: &Version, value: &Value, ctx: &OperationContext) -> Option<bool> {
    match value {
        Value::SemVer(value) => Some(**value == *version),
        Value::String(text) => Some(Version::parse(text).is_ok_and(|value| value == *version)),
        Value::Unknown(_) if value.kinds(ctx.env).intersects(VERSIONED) => None,
        _ => Some(false),
    }
}

/// Matches a value against an option of a `case` or selector, or against a part of one. Returns `None` if the
/// result is unknown.
pub(super) fn option_matches(value: &Value, option: &Value, ctx: &mut OperationContext) -> Truth {
    match option {
        Value::Type(ty) if ty.is_resource_object() => Ok(equal(option, value, ctx.env)),
        Value::Type(ty) => is_instance(ty, value, ctx),
        Value::Regexp(regexp) => match value {
            Value::String(text) => match_text(regexp, text, ctx),
            Value::Unknown(unknown) if value.kinds(ctx.env).intersects(Kinds::STRING) => {
                let matches = match_text_of_type(regexp, &unknown.ty, unknown.origin, ctx)?;
                let is_string = Kinds::STRING.contains(value.kinds(ctx.env));
                // Only strings match.
                Ok(matches.filter(|matches| is_string || !matches))
            }
            _ => Ok(Some(false)),
        },
        Value::SemVer(version) => Ok(is_version(version, value, ctx)),
        Value::SemVerRange(range) => Ok(includes_version(range, value, ctx)),
        Value::Default => Ok(Some(true)),
        Value::Array(options) => match value {
            Value::Array(elements) if elements.len() != options.len() => Ok(Some(false)),
            Value::Array(elements) => all_match(elements.iter().zip(options.iter()).map(Some), ctx),
            Value::Unknown(unknown) => match_array_of_type(unknown, options, ctx),
            _ => Ok(Some(false)),
        },
        Value::Hash(options) => match value {
            Value::Hash(entries) => {
                let has_unknown_keys = !entries.keys().all(Value::is_known);
                let pairs = options.iter().map(|(key, option)| {
                    let is_known = !has_unknown_keys && key.is_known();
                    is_known.then(|| (entries.get(key).unwrap_or(&Value::Undef), option))
                });
                all_match(pairs, ctx)
            }
            Value::Unknown(unknown) if value.kinds(ctx.env).intersects(Kinds::HASH) => {
                expect_match(option, unknown.origin, ctx);
                Ok(None)
            }
            _ => Ok(Some(false)),
        },
        Value::Unknown(unknown) => matches_unknown(value, option, unknown.origin, ctx),
        option => Ok(equal(value, option, ctx.env)),
    }
}

/// Matches each value against its option. A `None` among the values is unknown.
fn all_match<'v>(
    pairs: impl Iterator<Item = Option<(&'v Value, &'v Value)>>,
    ctx: &mut OperationContext,
) -> Truth {
    let mut result = Some(true);
    for pair in pairs {
        let Some((value, option)) = pair else {
            result = and(result, || None);
            continue;
        };
        result = and_matches(result, value, option, ctx)?;
        if result == Some(false) {
            break;
        }
    }
    Ok(result)
}

fn matches_unknown(value: &Value, option: &Value, origin: Origin, ctx: &mut OperationContext) -> Truth {
    // Options that match by equality alone have a certain result.
    let special =
        TEXTUAL | Kinds::TYPE | Kinds::COLLECTION | Kinds::SEMVER | Kinds::SEMVER_RANGE | Kinds::DEFAULT;
    let kinds = option.kinds(ctx.env);
    if kinds.intersects(Kinds::REGEXP | Kinds::COLLECTION)
        && value.kinds(ctx.env).intersects(TEXTUAL | Kinds::COLLECTION)
    {
        ctx.matched = Some(unknown_groups(ASSUMED_GROUP_COUNT, origin));
    }
    if kinds.intersects(special - Kinds::STRING) { Ok(None) } else { Ok(equal(value, option, ctx.env)) }
}

fn and_matches(so_far: Option<bool>, value: &Value, option: &Value, ctx: &mut OperationContext) -> Truth {
    if so_far == Some(false) {
        return Ok(so_far);
    }
    let matches = option_matches(value, option, ctx)?;
    Ok(and(so_far, || matches))
}

/// Matches an array of which only the type is known against the options for its elements.
fn match_array_of_type(unknown: &types::Unknown, options: &[Value], ctx: &mut OperationContext) -> Truth {
    let length = options.len() as i64;
    let all = alternatives(&unknown.ty, ctx.env);
    if let [Alternative { ty: ty @ (Type::Tuple(_) | Type::Array(_)), .. }] = all.as_slice()
        && size_of(ty) == IntegerRange::exactly(length)
    {
        let mut result = Some(true);
        for (index, option) in options.iter().enumerate() {
            let element = Value::unknown(element_of(ty, index), unknown.origin);
            result = and_matches(result, &element, option, ctx)?;
        }
        return Ok(result);
    }
    let may_match = |it: &Alternative| {
        it.may_be(Kinds::ARRAY) && (!it.is_certainly(Kinds::ARRAY) || size_of(&it.ty).contains(length))
    };
    if !all.iter().any(may_match) {
        return Ok(Some(false));
    }
    for option in options {
        expect_match(option, unknown.origin, ctx);
    }
    Ok(None)
}

/// Marks the match variables that patterns in an option may set as unknown.
fn expect_match(option: &Value, origin: Origin, ctx: &mut OperationContext) {
    let may_hold_pattern = match option {
        Value::Array(options) => return options.iter().for_each(|option| expect_match(option, origin, ctx)),
        Value::Hash(options) => return options.values().for_each(|option| expect_match(option, origin, ctx)),
        option => option.kinds(ctx.env).intersects(Kinds::REGEXP),
    };
    if may_hold_pattern {
        ctx.matched = Some(unknown_groups(ASSUMED_GROUP_COUNT, origin));
    }
}

/// Evaluates `left in right`.
pub(super) fn in_operator(
    _: BinaryOperator,
    left: &Value,
    right: &Value,
    ctx: &mut OperationContext,
) -> Result<Value, Failure> {
    let found = match right {
        Value::String(text) => in_text(left, text, ctx)?,
        Value::Array(elements) => in_elements(left, &mut elements.iter(), ctx)?,
        Value::Hash(entries) => in_elements(left, &mut entries.keys(), ctx)?,
        Value::Binary(bytes) => in_bytes(left, bytes, ctx)?,
        Value::SemVerRange(range) => includes_version(range, left, ctx),
        Value::Unknown(unknown) => in_type(left, &unknown.ty, unknown.origin, ctx),
        _ => Some(false),
    };
    Ok(truth_value(found, [left, right]))
}

fn in_text(left: &Value, text: &str, ctx: &mut OperationContext) -> Truth {
    match left {
        Value::String(part) => Ok(Some(contains_ignoring_case(text, part))),
        Value::Regexp(regexp) => match_text(regexp, text, ctx),
        Value::Unknown(unknown) => {
            let kinds = left.kinds(ctx.env);
            if kinds.intersects(Kinds::REGEXP) {
                ctx.matched = Some(unknown_groups(ASSUMED_GROUP_COUNT, unknown.origin));
            }
            if !kinds.intersects(TEXTUAL) {
                return Ok(Some(false));
            }
            let mut truths = Vec::new();
            for alternative in alternatives(&unknown.ty, ctx.env) {
                match literals(&alternative.ty) {
                    Some(parts) => truths.extend(parts.iter().map(|part| contains_ignoring_case(text, part))),
                    None if alternative.may_be(TEXTUAL) => return Ok(None),
                    None => truths.push(false),
                }
            }
            let first = truths.first().copied();
            Ok(first.filter(|first| truths.iter().all(|truth| truth == first)))
        }
        _ => Ok(Some(false)),
    }
}

/// Returns true if `part` is a substring of `text`, ignoring case, including that of non-ASCII letters.
fn contains_ignoring_case(text: &str, part: &str) -> bool {
    if text.is_ascii() && part.is_ascii() {
        let (text, part) = (text.as_bytes(), part.as_bytes());
        return part.is_empty() || text.windows(part.len()).any(|window| window.eq_ignore_ascii_case(part));
    }
    let lower = |text: &str| text.chars().flat_map(char::to_lowercase).collect::<String>();
    lower(text).contains(&lower(part))
}

/// Evaluates `in` for the elements of an array or the keys of a hash.
fn in_elements(
    left: &Value,
    elements: &mut dyn Iterator<Item = &Value>,
    ctx: &mut OperationContext,
) -> Truth {
    let mut found = Some(false);
    for element in elements {
        let is_it = match left {
            Value::Regexp(regexp) => match element {
                Value::String(text) => match_text(regexp, text, ctx)?,
                Value::Unknown(unknown) if element.kinds(ctx.env).intersects(Kinds::STRING) => {
                    let (ty, origin) = (&unknown.ty, unknown.origin);
                    let is_string = Kinds::STRING.contains(element.kinds(ctx.env));
                    match_text_of_type(regexp, ty, origin, ctx)?.filter(|matches| is_string || !matches)
                }
                _ => Some(false),
            },
            // For these, the elements act as options of a `case`.
            Value::String(_) | Value::SemVer(_) => option_matches(left, element, ctx)?,
            Value::Type(ty) if !ty.is_resource_object() => is_instance(ty, element, ctx)?,
            Value::Unknown(unknown) => in_element_of_unknown(left, unknown, element, ctx)?,
            left => equal(element, left, ctx.env),
        };
        match is_it {
            Some(true) if found == Some(false) => return Ok(Some(true)),
            Some(true) => return Ok(after_unknown(ctx)),
            Some(false) => {}
            None => found = None,
        }
    }
    if found.is_none() {
        after_unknown(ctx);
    }
    Ok(found)
}

/// Returns true, with unknown match variables: an earlier element may or may not have matched, so only the
/// result is certain.
fn after_unknown(ctx: &mut OperationContext) -> Option<bool> {
    if let Some(matched) = &ctx.matched {
        ctx.matched = Some(unknown_groups(matched.groups.len().max(ASSUMED_GROUP_COUNT), Origin::Join));
    }
    Some(true)
}

fn in_element_of_unknown(
    left: &Value,
    unknown: &types::Unknown,
    element: &Value,
    ctx: &mut OperationContext,
) -> Truth {
    let kinds = left.kinds(ctx.env);
    let is_plain = !element
        .kinds(ctx.env)
        .intersects(Kinds::REGEXP | Kinds::TYPE | Kinds::SEMVER | Kinds::SEMVER_RANGE | Kinds::DEFAULT);
    if kinds.intersects(Kinds::REGEXP | TEXTUAL)
        && element.kinds(ctx.env).intersects(TEXTUAL)
        && (kinds | element.kinds(ctx.env)).intersects(Kinds::REGEXP)
    {
        ctx.matched = Some(unknown_groups(ASSUMED_GROUP_COUNT, unknown.origin));
    }
    // Regular expressions, types and versions match more than equal values.
    if kinds.intersects(Kinds::REGEXP | Kinds::TYPE | Kinds::SEMVER)
        || (kinds.intersects(Kinds::STRING) && !is_plain)
    {
        return Ok(None);
    }
    Ok(equal(element, left, ctx.env))
}

fn in_bytes(left: &Value, bytes: &[u8], ctx: &OperationContext) -> Truth {
    let contains = |part: &[u8]| part.is_empty() || bytes.windows(part.len()).any(|window| window == part);
    match left {
        Value::Binary(part) => Ok(Some(contains(part))),
        Value::String(part) if !part.is_ascii() && !bytes.is_ascii() => {
            let message = format!("cannot compare {} with a `Binary` that is not text", shown(left, ctx.env));
            Err(Failure::new(RUNTIME_ERROR.0, message))
        }
        Value::String(part) => Ok(Some(contains(part.as_bytes()))),
        Value::Integer(value) => Ok(Some(u8::try_from(*value).is_ok_and(|byte| bytes.contains(&byte)))),
        Value::Float(value) => Ok(Some(bytes.iter().any(|byte| f64::from(*byte) == value.0))),
        Value::Timespan(_) | Value::Timestamp(_) => {
            let is_it = |byte: &u8| equal(&Value::Integer((*byte).into()), left, ctx.env) == Some(true);
            Ok(Some(bytes.iter().any(is_it)))
        }
        Value::Unknown(_) => {
            let searchable =
                Kinds::BINARY | Kinds::STRING | Kinds::NUMBER | Kinds::TIMESPAN | Kinds::TIMESTAMP;
            Ok(if left.kinds(ctx.env).intersects(searchable) { None } else { Some(false) })
        }
        _ => Ok(Some(false)),
    }
}

/// Evaluates `in` for a right operand of which only the type is known.
fn in_type(left: &Value, ty: &Type, origin: Origin, ctx: &mut OperationContext) -> Option<bool> {
    let searchable = Kinds::STRING | Kinds::COLLECTION | Kinds::BINARY | Kinds::SEMVER_RANGE;
    let is_empty = |ty: &Type| matches!(ty, Type::Array(_) | Type::Hash(_)) && size_of(ty).max == 0;
    let all = alternatives(ty, ctx.env);
    let may_contain = all.iter().any(|it| it.may_be(searchable) && !is_empty(&it.ty));
    if !may_contain {
        return Some(false);
    }
    let kinds = left.kinds(ctx.env);
    let holds_patterns = |it: &Alternative| match &it.ty {
        ty @ (Type::Array(_) | Type::Tuple(_)) => {
            any_element_of(ty, ctx.env).kinds(ctx.env).intersects(Kinds::REGEXP)
        }
        Type::Hash(hash) => hash.key.kinds(ctx.env).intersects(Kinds::REGEXP),
        Type::Struct(_) => false,
        _ => it.may_be(Kinds::COLLECTION),
    };
    if kinds.intersects(Kinds::REGEXP) || (kinds.intersects(Kinds::STRING) && all.iter().any(holds_patterns))
    {
        ctx.matched = Some(unknown_groups(ASSUMED_GROUP_COUNT, origin));
    }
    None
}
