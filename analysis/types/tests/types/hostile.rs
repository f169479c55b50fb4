//! Adversarial types and values, each of which must quickly produce an error or a plain result.

use std::collections::HashMap;

use smol_str::SmolStr;
use types::access::{MAX_TYPE_DEPTH, access_type};
use types::common::{common_type, generalize, normalize, union};
use types::display::{expanded_type_text, type_text};
use types::infer::infer_set;
use types::iterate::{elements, iterated_type, iterator};
use types::parse::parse_type;
use types::{IntegerRange, IteratorOperation, NamedType, NoTypes, Type, Value};

fn aliases(pairs: &[(&str, Type)]) -> HashMap<SmolStr, NamedType> {
    let named = |(name, ty): &(&str, Type)| {
        (SmolStr::from(name.to_ascii_lowercase()), NamedType { name: (*name).into(), ty: ty.clone() })
    };
    pairs.iter().map(named).collect()
}

#[test]
fn nesting_is_limited() {
    for depth in [200, 300, 5_000, 100_000] {
        let text = format!("{}Any{}", "Array[".repeat(depth), "]".repeat(depth));
        assert_eq!(parse_type(&text, &NoTypes).is_ok(), depth < MAX_TYPE_DEPTH, "{depth}");
    }
    let optional = Type::Optional(None);
    let mut ty = Type::Any;
    let mut made = 0;
    while let Ok(value) = access_type(&optional, &[Value::ty(ty.clone())], &NoTypes) {
        ty = value.as_type().expect("a type").clone();
        made += 1;
        assert!(made <= MAX_TYPE_DEPTH);
    }
    assert!(type_text(&ty, &NoTypes).starts_with("Optional[Optional["));
    generalize(&ty, &NoTypes);
    normalize(&ty, &NoTypes);
    common_type(&ty, &Type::optional(ty.clone()), &NoTypes);
}

#[test]
fn self_referential_aliases() {
    let alias = |name: &str| Type::Alias(name.into());
    let env = aliases(&[
        ("Self", alias("Self")),
        ("A", alias("B")),
        ("B", alias("A")),
        ("Wide", Type::variant([alias("Wide"), alias("Wide"), Type::array_of(alias("Wide"))])),
        ("Pair", Type::tuple([alias("Pair"), alias("Pair"), alias("Pair")], None)),
    ]);
    for name in ["Self", "A", "Wide", "Pair", "Nobody"] {
        let ty = alias(name);
        assert!(expanded_type_text(&ty, &env).len() < 1_000);
        assert!(elements(&Value::ty(ty.clone()), &env, 5).is_none());
        iterated_type(&ty, &env);
        union([ty.clone(), Type::INTEGER, Type::array_of(ty.clone())], &env);
        common_type(&ty, &Type::INTEGER, &env);
        common_type(&Type::array_of(ty.clone()), &Type::array_of(alias("Pair")), &env);
        let block = access_type(&Type::callable(None, None, None), &[Value::ty(ty.clone())], &env);
        assert!(block.is_ok());
        let member = Value::hash([(Value::string("a"), Value::ty(ty))]);
        assert!(access_type(&Type::Struct([].into()), &[member], &env).is_ok());
    }
}

#[test]
fn unfolding_does_not_explode() {
    let names: Vec<String> = (0..64).map(|at| format!("T{at}")).collect();
    let pairs: Vec<(&str, Type)> = names
        .windows(2)
        .map(|pair| {
            let next = Type::Alias(pair[1].as_str().into());
            (pair[0].as_str(), Type::tuple([next.clone(), next], None))
        })
        .collect();
    let env = aliases(&pairs);
    assert!(expanded_type_text(&Type::Alias("T0".into()), &env).len() < 1 << 20);
}

#[test]
fn huge_ranges_are_not_enumerated() {
    let range = Value::ty(Type::Integer(IntegerRange::new(i64::MIN + 1, i64::MAX - 1)));
    let all = elements(&range, &NoTypes, 3).expect("finite");
    assert_eq!(all.count(), 3);
    for operation in
        [IteratorOperation::Reverse, IteratorOperation::Step(i64::MAX), IteratorOperation::Step(7)]
    {
        let mut value = range.clone();
        for _ in 0..1_000 {
            value = Value::Iterator(iterator(&value, operation, &NoTypes).expect("iterable").into());
        }
        assert!(elements(&value, &NoTypes, 10).expect("iterable").count() <= 10);
    }
}

#[test]
fn wide_values_are_supported() {
    let numbers: Vec<Value> = (0..200_000).map(Value::Integer).collect();
    let strings: Vec<Value> = (0..20_000).map(|at| Value::string(at.to_string())).collect();
    assert!(matches!(types::infer::infer(&Value::array(numbers.clone()), &NoTypes), Type::Array(_)));
    assert!(matches!(types::infer::infer(&Value::array(strings.clone()), &NoTypes), Type::Array(_)));
    let set = infer_set(&Value::array(strings), &NoTypes);
    assert!(type_text(&set, &NoTypes).len() < 1 << 20);
    let ranges = numbers.iter().take(5_000).filter_map(Value::as_integer);
    let disjoint = ranges.map(|at| Type::Integer(IntegerRange::exactly(at * 2)));
    assert!(matches!(union(disjoint, &NoTypes), Type::Variant(_)));
}

/// Types that contain each other twice count as the number of types in their expanded form.
#[test]
fn shared_parts_are_counted_per_occurrence() {
    let tuple = Type::tuple([], None);
    let mut ty = Type::INTEGER;
    let mut made = 0;
    while let Ok(value) = access_type(&tuple, &[Value::ty(ty.clone()), Value::ty(ty.clone())], &NoTypes) {
        ty = value.as_type().expect("a type").clone();
        made += 1;
        assert!(made < 30);
    }
    assert!(made > 10);
    assert!(type_text(&ty, &NoTypes).starts_with("Tuple[Tuple["));
    assert!(types::assign::equal_types(&ty, &normalize(&ty, &NoTypes), &NoTypes));
}
