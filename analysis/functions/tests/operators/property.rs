//! Property: the result for known operands is an instance of the result for less precise operands, and an
//! operation that succeeds is not a certain error.

use std::sync::Arc;

use operators::{Failure, MatchData, OperationContext};
use proptest::prelude::*;
use proptest::sample::select;
use syntax::ast::BinaryOperator;
use types::assign::is_instance;
use types::{IteratorOperation, IteratorValue, NoTypes, Origin, Type, Value};
use validation::Strict;

const OPERATORS: [BinaryOperator; 16] = [
    BinaryOperator::Add,
    BinaryOperator::Subtract,
    BinaryOperator::Multiply,
    BinaryOperator::Divide,
    BinaryOperator::Modulo,
    BinaryOperator::ShiftLeft,
    BinaryOperator::ShiftRight,
    BinaryOperator::Equal,
    BinaryOperator::NotEqual,
    BinaryOperator::Less,
    BinaryOperator::LessOrEqual,
    BinaryOperator::Greater,
    BinaryOperator::GreaterOrEqual,
    BinaryOperator::Match,
    BinaryOperator::NoMatch,
    BinaryOperator::In,
];

const TYPES: [&str; 16] = [
    "Any",
    "Integer",
    "Integer[0, 5]",
    "String",
    "Enum['a', 'b']",
    "Numeric",
    "Array[Integer]",
    "Optional[String]",
    "Undef",
    "Boolean",
    "Struct[{a => Integer}]",
    "Type[Integer]",
    "Data",
    "File",
    "Pattern[/a/]",
    "SemVer['1.x']",
];

fn parse_type(text: &str) -> Type {
    types::parse::parse_type(text, &NoTypes).unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn regexp(source: &str) -> Value {
    Value::Regexp(scalars::regexp::Regexp::new(source).expect("a pattern"))
}

fn scalar() -> BoxedStrategy<Value> {
    let texts = [
        "", "a", "A", "b", "ab", "abc", "1", "-3", "0x1F", "1.5", "1.0.0", "1.2.3", "key", "ä", "Äpfel", "(",
        "a.", "é1",
    ];
    let sources = ["a", "(a)(b)?", "^[0-9]+$", "(?<n>b)", "[[:alpha:]]", "(a)\\1", ""];
    let versions = ["1.0.0", "1.2.3", "2.0.0-rc1", "1.0.0+build"];
    let seconds = [0i128, 1, 1_500_000_000, -2_000_000_000, 90_000_000_000];
    prop_oneof![
        3 => select(vec![0i64, 1, 2, 3, 5, -1, -7, 63, 64, 97, 98, 255, i64::MAX, i64::MIN, i64::MAX - 1]).prop_map(Value::Integer),
        2 => select(vec![0.0, -0.0, 1.0, 1.5, -2.5, 97.0, 1e300, f64::INFINITY]).prop_map(Value::float),
        4 => select(texts.to_vec()).prop_map(Value::string),
        1 => Just(Value::Undef),
        1 => Just(Value::Default),
        1 => any::<bool>().prop_map(Value::Boolean),
        1 => select(sources.to_vec()).prop_map(regexp),
        2 => select(TYPES.to_vec()).prop_map(|text| Value::ty(parse_type(text))),
        1 => select(versions.to_vec())
            .prop_map(|text| Value::SemVer(Arc::new(scalars::semver::Version::parse(text).expect("a version")))),
        1 => select(vec!["1.x", ">=1.0.0", "<2.0.0"])
            .prop_map(|text| Value::SemVerRange(Arc::new(scalars::semver::VersionRange::parse(text).expect("a range")))),
        1 => select(seconds.to_vec())
            .prop_map(|nanoseconds| Value::Timespan(Arc::new(scalars::timespan::Timespan { nanoseconds }))),
        1 => select(seconds.to_vec())
            .prop_map(|nanoseconds| Value::Timestamp(Arc::new(scalars::timestamp::Timestamp { nanoseconds }))),
        1 => select(vec!["http://a/b", "b/c", "mailto:x@y"])
            .prop_map(|text| Value::Uri(Arc::new(scalars::uri::Uri::parse(text).expect("a URI")))),
        1 => select(vec![&b"abc"[..], b"", b"\xff\x00a"]).prop_map(|bytes| Value::Binary(bytes.into())),
    ]
    .boxed()
}

fn value() -> BoxedStrategy<Value> {
    scalar()
        .prop_recursive(3, 12, 4, |inner| {
            let pair = (
                prop_oneof![4 => select(vec!["a", "b", "c", "key"]).prop_map(Value::string), 1 => scalar()],
                inner.clone(),
            );
            prop_oneof![
                3 => prop::collection::vec(inner.clone(), 0..4).prop_map(Value::array),
                3 => prop::collection::vec(pair, 0..4).prop_map(Value::hash),
                1 => inner.clone().prop_map(Value::sensitive),
                1 => prop::collection::vec(inner, 0..3).prop_map(iterator),
            ]
        })
        .boxed()
}

fn iterator(elements: Vec<Value>) -> Value {
    let iterator = IteratorValue {
        source: Value::array(elements),
        operation: IteratorOperation::Reverse,
        element: Type::Any,
        taken: Default::default(),
    };
    Value::Iterator(Arc::new(iterator))
}

/// Makes an operand, or a part of it, unknown: returns some type of which it is an instance.
fn make_unknown(value: &Value, choice: &[u8]) -> Value {
    let env = &NoTypes;
    let (how, rest) = choice.split_first().map_or((0, choice), |(first, rest)| (*first, rest));
    if how % 3 == 0 && !rest.is_empty() {
        match value {
            Value::Array(elements) if !elements.is_empty() => {
                let mut elements = elements.to_vec();
                let at = usize::from(rest[0]) % elements.len();
                elements[at] = make_unknown(&elements[at], &rest[1..]);
                return Value::array(elements);
            }
            Value::Hash(entries) if !entries.is_empty() => {
                let mut entries = (**entries).clone();
                let at = usize::from(rest[0]) % entries.len();
                if let Some((_, value)) = entries.get_index_mut(at) {
                    *value = make_unknown(value, &rest[1..]);
                }
                return Value::Hash(Arc::new(entries));
            }
            Value::Sensitive(inner) => return Value::sensitive(make_unknown(inner, rest)),
            _ => {}
        }
    }
    let precise = types::infer::infer_set(value, env);
    let candidates = [
        precise.clone(),
        types::infer::infer(value, env),
        types::common::generalize(&precise, env),
        types::common::union([precise.clone(), Type::Undef], env),
        types::common::union([precise, Type::STRING, Type::integer(0, 3)], env),
        Type::ScalarData,
        Type::Data,
        Type::RichData,
        Type::Any,
    ];
    let fitting: Vec<Type> = candidates.into_iter().filter(|ty| is_instance(ty, value, env)).collect();
    match fitting.get(usize::from(how / 3) % fitting.len().max(1)) {
        Some(ty) => Value::unknown(ty.clone(), Origin::Parameter),
        None => value.clone(),
    }
}

/// Returns true if everything that `narrow` allows is allowed by `wide`.
fn covers(wide: &Value, narrow: &Value) -> bool {
    match (wide, narrow) {
        (Value::Unknown(unknown), narrow) => is_instance(&unknown.ty, narrow, &NoTypes),
        (Value::Array(wide), Value::Array(narrow)) => {
            wide.len() == narrow.len()
                && wide.iter().zip(narrow.iter()).all(|(wide, narrow)| covers(wide, narrow))
        }
        (Value::Hash(wide), Value::Hash(narrow)) => {
            wide.len() == narrow.len()
                && wide.iter().all(|(key, wide)| narrow.get(key).is_some_and(|narrow| covers(wide, narrow)))
        }
        (Value::Sensitive(wide), Value::Sensitive(narrow)) => covers(wide, narrow),
        (wide, narrow) => wide == narrow,
    }
}

fn covers_match(wide: Option<&MatchData>, narrow: Option<&MatchData>) -> bool {
    match (wide, narrow) {
        // An unknown match keeps the groups of the previous match, which are strings, too.
        (Some(wide), None) => wide.groups.iter().all(|group| matches!(group, Value::Unknown(_))),
        (Some(wide), Some(narrow)) => {
            narrow.groups.iter().enumerate().all(|(index, narrow)| {
                wide.groups.get(index).map_or(index >= 10, |wide| covers(wide, narrow))
            })
        }
        (None, narrow) => narrow.is_none(),
    }
}

fn has_nan(value: &Value) -> bool {
    matches!(value, Value::Float(value) if value.0.is_nan())
}

fn check(
    what: &str,
    strict: Strict,
    known: impl FnOnce(&mut OperationContext) -> Result<Value, Failure>,
    unknown: impl FnOnce(&mut OperationContext) -> Result<Value, Failure>,
) -> Result<(), TestCaseError> {
    let mut ctx = OperationContext::new(&NoTypes, strict);
    let Ok(value) = known(&mut ctx) else {
        // Any result is acceptable for less precise operands, but the operation must terminate.
        let _ = unknown(&mut OperationContext::new(&NoTypes, strict));
        return Ok(());
    };
    if has_nan(&value) {
        return Ok(());
    }
    let mut wide_ctx = OperationContext::new(&NoTypes, strict);
    match unknown(&mut wide_ctx) {
        Ok(wide) => {
            prop_assert!(covers(&wide, &value), "{what}: {value:?} is not in {wide:?}");
            prop_assert!(
                covers_match(wide_ctx.matched.as_ref(), ctx.matched.as_ref()),
                "{what}: matched {:?}, not in {:?}",
                ctx.matched,
                wide_ctx.matched
            );
        }
        Err(failure) => prop_assert!(false, "{what}: {value:?}, but {failure:?}"),
    }
    Ok(())
}

fn stricts() -> BoxedStrategy<Strict> {
    select(vec![Strict::Off, Strict::Warning, Strict::Error]).boxed()
}

fn choices() -> BoxedStrategy<Vec<u8>> {
    prop::collection::vec(any::<u8>(), 1..5).boxed()
}

fn truth(matches: Option<bool>) -> Value {
    matches.map_or(Value::unknown(Type::BOOLEAN, Origin::Join), Value::Boolean)
}

/// Operands that fit together more often than random ones.
fn operands() -> BoxedStrategy<(Value, Value)> {
    prop_oneof![
        3 => (value(), value()),
        1 => value().prop_map(|value| (value.clone(), value)),
        1 => (value(), prop::collection::vec(value(), 0..3)).prop_map(|(value, mut others)| {
            others.push(value.clone());
            (value, Value::array(others))
        }),
    ]
    .boxed()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1_500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn binary_operators_are_sound(
        operator in select(OPERATORS.to_vec()),
        (left, right) in operands(),
        which in 0..3u8,
        (choices_left, choices_right) in (choices(), choices()),
        strict in stricts(),
    ) {
        let wide_left = if which != 1 { make_unknown(&left, &choices_left) } else { left.clone() };
        let wide_right = if which != 0 { make_unknown(&right, &choices_right) } else { right.clone() };
        check(
            &format!("{left:?} {} {right:?} as {wide_left:?} and {wide_right:?}", operator.text()),
            strict,
            |ctx| operators::binary(operator, &left, &right, ctx),
            |ctx| operators::binary(operator, &wide_left, &wide_right, ctx),
        )?;
    }

    #[test]
    fn options_are_sound(
        (left, right) in operands(),
        which in 0..3u8,
        (choices_left, choices_right) in (choices(), choices()),
    ) {
        let wide_left = if which != 1 { make_unknown(&left, &choices_left) } else { left.clone() };
        let wide_right = if which != 0 { make_unknown(&right, &choices_right) } else { right.clone() };
        check(
            &format!("case {left:?} {{ {right:?}: }} as {wide_left:?} and {wide_right:?}"),
            Strict::Warning,
            |ctx| operators::option_matches(&left, &right, ctx).map(truth),
            |ctx| operators::option_matches(&wide_left, &wide_right, ctx).map(truth),
        )?;
    }

    #[test]
    fn access_types_cover_actual_values(
        left in value(),
        keys in prop::collection::vec(prop_oneof![
            3 => (-4..5i64).prop_map(Value::Integer),
            3 => select(vec!["a", "b", "c", "key", "1"]).prop_map(Value::string),
            1 => value(),
        ], 0..3),
        which in 0..3u8,
        (choices_left, choices_keys) in (choices(), prop::collection::vec(choices(), 3)),
        strict in stricts(),
    ) {
        let wide_left = if which != 1 { make_unknown(&left, &choices_left) } else { left.clone() };
        let wide_keys: Vec<Value> = match which {
            0 => keys.clone(),
            _ => keys.iter().zip(&choices_keys).map(|(key, choice)| make_unknown(key, choice)).collect(),
        };
        check(
            &format!("{left:?}{keys:?} as {wide_left:?}{wide_keys:?}"),
            strict,
            |ctx| operators::access(&left, &keys, ctx),
            |ctx| operators::access(&wide_left, &wide_keys, ctx),
        )?;
    }

    #[test]
    fn minus_and_unfold_are_sound(value in value(), choice in choices(), strict in stricts()) {
        let wide = make_unknown(&value, &choice);
        check(
            &format!("- {value:?} as {wide:?}"),
            strict,
            |ctx| operators::minus(&value, ctx),
            |ctx| operators::minus(&wide, ctx),
        )?;
        if let (Some(known), Some(elements)) = (operators::unfold(&value, &NoTypes), operators::unfold(&wide, &NoTypes)) {
            prop_assert!(covers(&Value::array(elements), &Value::array(known)), "*{value:?} as {wide:?}");
        }
    }

    #[test]
    fn every_element_is_of_the_type_of_its_index(elements in prop::collection::vec(value(), 1..4), choice in choices()) {
        let value = Value::array(elements.clone());
        if let Value::Unknown(unknown) = make_unknown(&value, &choice) {
            for (index, element) in elements.iter().enumerate() {
                let ty = operators::element_type(&unknown.ty, index, &NoTypes);
                prop_assert!(is_instance(&ty, element, &NoTypes), "{element:?} of {value:?} is no {ty:?}");
            }
        }
    }
}
