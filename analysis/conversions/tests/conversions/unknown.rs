//! Conversions with partially or completely unknown arguments.

use conversions::new_instance;
use types::assign::is_instance;
use types::common::generalize;
use types::infer::{infer, infer_set};
use types::parse::parse_type;
use types::text::{TextError, interpolated, to_notation};
use types::{NoTypes, Origin, Type, Value};

use crate::evaluate::evaluate;

/// Checks a conversion. `argument` is the type of an unknown value, `result` the notation of the result, or
/// `!` for a certain error.
#[track_caller]
fn check(ty: &str, argument: &str, result: &str) {
    let parse = |text| parse_type(text, &NoTypes).expect("a type");
    let unknown = Value::unknown(parse(argument), Origin::Parameter);
    let found = match new_instance(&parse(ty), &[unknown], &NoTypes) {
        Ok(value) => to_notation(&value, &NoTypes),
        Err(_) => "!".to_owned(),
    };
    assert_eq!(found, result, "{ty}.new({argument})");
}

#[test]
fn one_unknown_argument() {
    check("Integer", "String", "<Integer>");
    check("Integer", "Any", "<Integer>");
    check("Integer", "Integer[1, 5]", "<Integer[1, 5]>");
    check("Integer", "Float", "<Integer>");
    check("Integer", "Array[Integer]", "!");
    check("Integer", "Undef", "!");
    check("Integer", "Enum['a', 'b']", "!");
    check("Integer", "Enum['1', 'b']", "<Integer>");
    check("Integer[1, 3]", "String", "<Integer[1, 3]>");
    check("Integer[1, 3]", "Integer[2, 9]", "<Integer[1, 3]>");
    check("Boolean", "Enum['x']", "!");
    check("Boolean", "String", "<Boolean>");
    check("String", "Any", "<String>");
    check("String", "Integer", "<String>");
    check("Array", "Integer", "<Array>");
    check("Array", "Float", "!");
    check("Integer", "Boolean", "<Integer[0, 1]>");
    check("Numeric", "Boolean[true]", "<Integer[0, 1]>");
    check("String", "Boolean", "<Enum['false', 'true']>");
    check("Array", "Hash[String, Integer]", "<Array[Tuple[String, Integer]]>");
    check("Array", "String", "<Array[String[1, 1]]>");
    check("Array[Integer]", "String", "<Array[0, 0]>");
    check("Hash", "Array[Tuple[String, Float], 1]", "<Hash[String, Float, 1]>");
    check("Hash", "Array[Tuple[String, Float]]", "<Hash>");
    check("Hash", "Array", "<Hash>");
    check("Sensitive", "String", "#<Sensitive [value redacted]>");
    check("Timestamp", "String", "<Timestamp>");
    check("Timestamp", "Boolean", "!");
    check("Optional[Integer]", "Optional[Integer]", "<Optional[Integer]>");
    check("Optional[Integer]", "String", "<Optional[Integer]>");
    check("Enum['a']", "String", "<Enum['a']>");
    check("Enum['a']", "Integer", "!");
    check("Variant[Integer, Float]", "String", "!");
    check("Init[Integer]", "String", "<Integer>");
    check("Init[Integer]", "Array", "<Integer>");
    check("Init[Integer]", "Undef", "!");
}

fn unknown_string() -> Value {
    Value::unknown(types::Type::STRING, Origin::Fact)
}

#[test]
fn unknown_values_inside_known_ones() {
    let hash = Value::hash([(Value::string("a"), unknown_string()), (Value::string("b"), Value::Integer(1))]);
    let new = |ty: &str, argument: &Value| {
        let ty = parse_type(ty, &NoTypes).expect("a type");
        new_instance(&ty, std::slice::from_ref(argument), &NoTypes).map(|value| to_notation(&value, &NoTypes))
    };
    assert_eq!(new("Array", &hash).as_deref(), Ok("[['a', <String>], ['b', 1]]"));
    let pairs = Value::array([Value::array([Value::string("a"), unknown_string()])]);
    assert_eq!(new("Hash", &pairs).as_deref(), Ok("{'a' => <String>}"));
    let keys = Value::array([Value::array([unknown_string(), Value::Integer(1)])]);
    assert_eq!(new("Hash", &keys).as_deref(), Ok("<Hash>"));
    assert_eq!(new("String", &hash).as_deref(), Ok("<String>"));
    let wrap = |ty: &str| {
        let unknown = Value::unknown(parse_type(ty, &NoTypes).expect("a type"), Origin::Parameter);
        let wrapped = new_instance(&Type::array_of(Type::Any), &[unknown, Value::Boolean(true)], &NoTypes);
        wrapped.map(|value| to_notation(&value, &NoTypes))
    };
    assert_eq!(wrap("String").as_deref(), Ok("[<String>]"));
    assert_eq!(wrap("Array[String]").as_deref(), Ok("<Array[String]>"));
    assert_eq!(wrap("Variant[String, Array[String]]").as_deref(), Ok("<Array>"));
    assert_eq!(new("NotUndef", &hash).as_deref(), Ok("{'a' => <String>, 'b' => 1}"));
}

#[test]
fn unknown_values_as_strings() {
    let value = Value::array([Value::Integer(1), unknown_string()]);
    assert_eq!(interpolated(&value, &NoTypes), Err(TextError::Unknown(Origin::Fact)));
    let sensitive = Value::sensitive(unknown_string());
    assert_eq!(interpolated(&sensitive, &NoTypes).as_deref(), Ok("Sensitive [value redacted]"));
    assert_eq!(to_notation(&value, &NoTypes), "[1, <String>]");
}

/// A conversion that succeeds with a known argument never fails with an unknown one of its type, and its
/// result is an instance of the predicted type.
#[test]
fn results_of_unknown_arguments_cover_those_of_known_ones() {
    let mut cases = 0;
    for line in include_str!("conversions.tsv").lines() {
        let source = line.split('\t').next().unwrap_or_default();
        let Some((target, argument)) = source.strip_suffix(')').and_then(|it| it.split_once(".new(")) else {
            continue;
        };
        let (Ok(Value::Type(ty)), Ok(argument)) = (evaluate(target), evaluate(argument)) else { continue };
        let Ok(known) = new_instance(&ty, std::slice::from_ref(&argument), &NoTypes) else { continue };
        let exact = infer_set(&argument, &NoTypes);
        let general = generalize(&infer(&argument, &NoTypes), &NoTypes);
        for argument_type in [exact, general, Type::Any] {
            let unknown = Value::unknown(argument_type.clone(), Origin::Parameter);
            cases += 1;
            match new_instance(&ty, &[unknown], &NoTypes) {
                Ok(result) if result.is_known() => assert_eq!(result, known, "{source} of {argument_type}"),
                Ok(result) => {
                    let ty = infer_set(&result, &NoTypes);
                    assert!(is_instance(&ty, &known, &NoTypes), "{source} of {argument_type}: {ty}");
                }
                Err(error) => panic!("{source} of {argument_type}: {error}"),
            }
        }
    }
    assert!(cases > 2000, "only {cases} cases");
}
