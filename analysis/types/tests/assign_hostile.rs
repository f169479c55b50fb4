//! Adversarial types that could exhaust time or stack.

use types::assign::{Fit, fits, is_assignable, is_certainly_assignable, is_instance, overlaps};
use types::mismatch::describe_mismatch;
use types::narrow::{exclude, intersect};
use types::{IntegerRange, NamedType, Origin, StructKey, StructMember, Type, TypeEnvironment, Value};

/// Family of numbered names, such as `A3` of the family `A`.
struct Family<F: Fn(&str, usize) -> Type> {
    member: F,
}

impl<F: Fn(&str, usize) -> Type> TypeEnvironment for Family<F> {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        let (family, number) = name.split_at_checked(1)?;
        Some(NamedType { name: name.into(), ty: (self.member)(family, number.parse().ok()?) })
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}

fn alias(family: &str, number: usize) -> Type {
    Type::Alias(format!("{family}{number}").into())
}

/// Runs all checks and verifies that their results are consistent.
fn ask(a: &Type, b: &Type, value: &Value, env: &dyn TypeEnvironment) {
    for (a, b) in [(a, b), (b, a)] {
        let is_assignable = is_assignable(a, b, env);
        assert!(
            is_assignable || !is_certainly_assignable(a, b, env),
            "certainly assignable types must be assignable"
        );
        assert_eq!(overlaps(a, b, env), overlaps(b, a, env));
        assert_eq!(is_instance(a, value, env), fits(a, value, env) == Fit::Always);
        let _ = fits(a, &Value::array([Value::unknown(b.clone(), Origin::Fact), value.clone()]), env);
        assert!(is_certainly_assignable(a, &intersect(a, b, env), env) || !is_assignable);
        let _ = exclude(a, b, env);
        assert!(is_assignable || !describe_mismatch("$x", a, b, env).is_empty());
    }
}

#[test]
fn a_long_chain_of_aliases() {
    let env = Family {
        member: |family, number| match number {
            1_000 => Type::INTEGER,
            number => Type::array_of(alias(family, number + 1)),
        },
    };
    let mut value = Value::Integer(1);
    for _ in 0..250 {
        value = Value::array([value]);
    }
    ask(&alias("A", 0), &alias("B", 0), &value, &env);
}

#[test]
fn mutually_recursive_aliases_without_content() {
    let env = Family { member: |family, number| alias(family, (number + 1) % 3) };
    ask(&alias("A", 0), &alias("B", 0), &Value::Undef, &env);
    ask(&alias("A", 0), &Type::INTEGER, &Value::Undef, &env);
    let env = Family {
        member: |family, number| match number {
            60.. => Type::STRING,
            number => Type::variant([alias(family, number + 1), alias(family, number + 2)]),
        },
    };
    ask(&alias("A", 0), &alias("B", 0), &Value::Undef, &env);
    ask(&alias("A", 0), &Type::INTEGER, &Value::Integer(1), &env);
}

#[test]
fn mutually_nested_aliases() {
    let env = Family {
        member: |family, number| {
            let members = (0..12).map(|other| StructMember {
                name: format!("m{other}").into(),
                key: StructKey::Optional,
                value: Type::optional(alias(family, other)),
            });
            let last = if family == "A" { Type::INTEGER } else { Type::STRING };
            let own =
                StructMember { name: format!("own{number}").into(), key: StructKey::Optional, value: last };
            Type::Struct(members.chain([own]).collect())
        },
    };
    let mut value = Value::hash([]);
    for depth in 0..20 {
        value = Value::hash([(Value::string(format!("m{}", depth % 12)), value)]);
    }
    ask(&alias("A", 0), &alias("B", 0), &value, &env);
    ask(&alias("A", 0), &Type::Data, &value, &env);
    ask(&alias("A", 0), &Type::RichData, &value, &env);
}

#[test]
fn large_types() {
    let env = Family { member: |_, _| Type::Any };
    let numbers: Vec<Type> = (0..400).map(|number| Type::integer(number * 10, number * 10 + 5)).collect();
    let words: Vec<Type> = (0..400).map(|number| Type::LiteralString(format!("w{number}").into())).collect();
    let a = Type::variant(numbers.iter().chain(&words).cloned().collect::<Vec<_>>());
    let b = Type::variant(words.iter().rev().chain(&numbers).cloned().collect::<Vec<_>>());
    ask(&a, &b, &Value::Integer(3), &env);
    ask(&Type::tuple(numbers.clone(), None), &Type::tuple(words, None), &Value::Integer(3), &env);
    let huge = Some(IntegerRange::new(i64::MAX - 1, i64::MAX));
    ask(
        &Type::tuple(numbers, huge),
        &Type::array(Type::INTEGER, IntegerRange::SIZE),
        &Value::array([]),
        &env,
    );
}

#[test]
fn deep_types() {
    let env = Family { member: |_, _| Type::Any };
    let nested = |leaf: Type| (0..120).fold(leaf, |inner, _| Type::array_of(Type::optional(inner)));
    ask(&nested(Type::INTEGER), &nested(Type::STRING), &Value::array([]), &env);
}
