use super::*;
use crate::iterate::iterator;
use crate::value::IteratorOperation;
use crate::{NoTypes, parse};

fn is_same(a: &Value, b: &Value) -> bool {
    assert_eq!(a.is_indistinguishable(b), b.is_indistinguishable(a));
    a.is_indistinguishable(b)
}

fn pairs(keys: [&str; 2]) -> Value {
    Value::hash(keys.map(|key| (Value::string(key), Value::Integer(1))))
}

#[test]
fn distinguishable_equal_values() {
    let uri = |text: &str| Value::Uri(Arc::new(Uri::parse(text).expect("a value")));
    let range = |text: &str| Value::SemVerRange(Arc::new(VersionRange::parse(text).expect("a value")));
    let timespan = || Value::Timespan(Arc::new(Timespan { nanoseconds: 1 }));
    let reversed = || {
        let iterator = iterator(&Value::array([Value::Integer(1)]), IteratorOperation::Reverse, &NoTypes);
        Value::Iterator(Arc::new(iterator.expect("a value")))
    };
    let unknown = |origin| Value::unknown(Type::Any, origin);
    let equal = [
        (pairs(["a", "b"]), pairs(["b", "a"])),
        (Value::float(0.0), Value::float(-0.0)),
        (uri("http://EXAMPLE.com"), uri("http://example.com/")),
        (range("1.x"), range(">=1.0.0 <2.0.0")),
        (timespan(), timespan()),
        (reversed(), reversed()),
        (unknown(Origin::Fact), unknown(Origin::Bound)),
    ];
    for (a, b) in equal {
        assert!(a == b && !is_same(&a, &b), "{a:?} {b:?}");
        for hold in [
            |it: Value| Value::array([it]),
            Value::sensitive,
            |it: Value| Value::hash([(Value::string("x"), it)]),
        ] {
            let (a, b) = (hold(a.clone()), hold(b.clone()));
            assert!(!is_same(&a, &b) && is_same(&a, &a.clone()), "{a:?} {b:?}");
        }
        let holds_one = matches!(a, Value::Iterator(_));
        assert_eq!(Value::sensitive(Value::array([a])).contains_iterator(), holds_one);
        if CachedValue(b.clone()) != CachedValue(b) {
            panic!("a value is the same as itself");
        }
    }
}

#[test]
fn types_are_counted_as_written() {
    let ty = |text: &str| Value::ty(parse::parse_type(text, &NoTypes).expect("a value"));
    for text in
        ["Integer[1, 2]", "Struct[{'a' => Integer}]", "Enum['a', 'b']", "Pattern[/a/]", "Float[0.0, 1.0]"]
    {
        assert!(is_same(&ty(text), &ty(text)), "{text}");
    }
    for (a, b) in [
        ("Float[0.0, 1.0]", "Float[-0.0, 1.0]"),
        ("Variant[Integer, String]", "Variant[String, Integer]"),
        ("SemVer['1.x']", "SemVer['>=1.0.0 <2.0.0']"),
        ("Optional[Integer]", "Variant[Undef, Integer]"),
        ("Timespan['0-01:00:00']", "Timespan['0-01:00:00']"),
    ] {
        assert!(!is_same(&ty(a), &ty(b)), "{a} {b}");
    }
}

#[test]
fn distinct_values_that_look_alike() {
    for (a, b) in [
        (Value::Integer(1), Value::float(1.0)),
        (Value::string("a"), Value::string("A")),
        (Value::string("1"), Value::Integer(1)),
        (Value::Undef, Value::string("")),
        (Value::array([Value::Integer(1)]), Value::Integer(1)),
        (Value::sensitive(Value::Integer(1)), Value::Integer(1)),
        (Value::Binary(Arc::from([65u8])), Value::string("A")),
        (Value::integer(1 << 70), Value::float((1u128 << 70) as f64)),
    ] {
        assert!(!is_same(&a, &b) && is_same(&a, &a.clone()), "{a:?} {b:?}");
    }
}
