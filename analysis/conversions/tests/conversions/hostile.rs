//! Adversarial values and formats, which must end with an error or a short string.

use std::sync::Arc;

use conversions::new_instance;
use conversions::string_format::{FormatError, format_value};
use types::constructor::ConversionErrorKind;
use types::rich_data::{RichDataError, rich_data, to_json};
use types::text::{TextError, interpolated, to_notation};
use types::{NoTypes, Type, Value};

/// Returns an array of two arrays of two arrays and so on, which exceeds memory when expanded.
fn exponential() -> Value {
    (0..60).fold(Value::Undef, |value, _| Value::array([value.clone(), value]))
}

fn nested(depth: usize) -> Value {
    (0..depth).fold(Value::Integer(1), |value, _| Value::array([value]))
}

fn format_error(value: &Value, format: &str) -> FormatError {
    format_value(value, Some(&Value::string(format)), &NoTypes).expect_err("exceeds the limit")
}

fn conversion_error(ty: Type, arguments: &[Value]) -> ConversionErrorKind {
    new_instance(&ty, arguments, &NoTypes).expect_err("exceeds the limit").kind
}

#[test]
fn exponential_values() {
    let value = exponential();
    assert_eq!(interpolated(&value, &NoTypes), Err(TextError::TooLong));
    assert_eq!(format_error(&value, "%a"), FormatError::TooLong);
    assert_eq!(format_error(&value, "% a"), FormatError::TooLong);
    assert!(to_notation(&value, &NoTypes).ends_with("..."));
    assert!(rich_data(&value, &NoTypes).is_err());
    assert!(to_json(&value, &NoTypes).is_string());
}

#[test]
fn deep_values() {
    let value = nested(256);
    assert_eq!(interpolated(&value, &NoTypes).map(|text| text.len()), Ok(513));
    assert_eq!(format_value(&value, None, &NoTypes).map(|text| text.len()), Ok(513));
    assert_eq!(to_notation(&value, &NoTypes).len(), 513);
    assert!(rich_data(&value, &NoTypes).is_ok());
    let value = nested(2000);
    assert_eq!(interpolated(&value, &NoTypes), Err(TextError::TooLong));
    assert_eq!(format_error(&value, "%#a"), FormatError::TooLong);
}

#[test]
fn wide_formats() {
    for format in
        ["%99999999d", "%.99999999d", "%99999999999999999999d", "%99999999f", "%.99999999s", "%-99999999s"]
    {
        let formatted = format_value(&Value::Integer(1), Some(&Value::string(format)), &NoTypes);
        assert!(formatted.as_ref().map_or(0, String::len) <= types::text::TEXT_LIMIT, "{format}");
    }
    assert_eq!(format_error(&Value::Undef, "%99999999s"), FormatError::TooLong);
    let wide = [(Value::ty(Type::INTEGER), Value::string("%1000000d"))];
    let settings = Value::hash([
        (Value::string("format"), Value::string("%a")),
        (Value::string("string_formats"), Value::hash(wide)),
    ]);
    let formats = Value::hash([(Value::ty(Type::array_of(Type::Any)), settings)]);
    let numbers = Value::array(vec![Value::Integer(1); 1000]);
    assert_eq!(format_value(&numbers, Some(&formats), &NoTypes), Err(FormatError::TooLong));
}

#[test]
fn huge_arrays_and_hashes() {
    let array = Type::array_of(Type::Any);
    let hash = Type::hash_of(Type::Any, Type::Any);
    let huge = Value::Integer(10_000_000_000);
    assert_eq!(conversion_error(array.clone(), std::slice::from_ref(&huge)), ConversionErrorKind::TooLarge);
    let range = Value::ty(Type::integer(1, 99_999_999_999));
    assert_eq!(conversion_error(array, &[range]), ConversionErrorKind::TooLarge);
    assert_eq!(conversion_error(hash.clone(), &[huge]), ConversionErrorKind::TooLarge);

    let tree = |path: Vec<Value>, value: Value| Value::array([Value::array(path), value]);
    let a = || Value::string("a");
    let far = [tree(vec![a()], Value::array([])), tree(vec![a(), Value::Integer(1 << 40)], Value::Undef)];
    let arguments = [Value::array(far), Value::string("tree")];
    assert_eq!(conversion_error(hash.clone(), &arguments), ConversionErrorKind::TooLarge);
    let deep = [Value::array([tree(vec![a(); 100_000], Value::Undef)]), Value::string("tree")];
    assert_eq!(conversion_error(hash.clone(), &deep), ConversionErrorKind::TooLarge);
    let doubled = [Value::array([tree(vec![a(); 100], nested(200))]), Value::string("hash_tree")];
    assert_eq!(conversion_error(hash, &doubled), ConversionErrorKind::TooLarge);
}

#[test]
fn self_referential_types() {
    let name = |name: &str| Type::Alias(name.into());
    let named = |ty: Type| types::NamedType { name: "Loop".into(), ty };
    let mut env = std::collections::HashMap::new();
    env.insert("loop".into(), named(Type::optional(name("Loop"))));
    let init = Type::Init(Some(Arc::new(types::InitType { ty: name("Looper"), arguments: [].into() })));
    env.insert("looper".into(), named(init));
    for (name, is_made) in [(name("Loop"), false), (name("Looper"), true), (name("Missing"), true)] {
        let made = new_instance(&name, &[Value::string("x")], &env);
        assert_eq!(made.is_ok(), is_made, "{name}: {made:?}");
        let data = rich_data(&Value::ty(name), &env);
        assert!(matches!(data, Err(RichDataError::NotSerializable(_))), "{data:?}");
    }
}
