//! Messages about mismatched types.

use expect_test::{Expect, expect};
use types::mismatch::{
    NamedSignature, ParameterDeclaration, describe_call_mismatch, describe_mismatch,
    describe_named_call_mismatch, describe_value_mismatch, parameter_mismatches,
};
use types::parse::parse_type;
use types::{CallableType, NamedType, NoTypes, Origin, Type, TypeEnvironment, Value};

struct Names;

impl TypeEnvironment for Names {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        let text = match name {
            "Port" => "Integer[0, 65535]",
            "Options" => "Hash[String, Variant[Port, Array[Port]]]",
            "Tree" => "Variant[Integer, Hash[String, Tree]]",
            _ => return None,
        };
        let ty = parse_type(text, &Names).expect(text);
        Some(NamedType { name: name.into(), ty })
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}

fn ty(text: &str) -> Type {
    match text {
        "Nowhere" => Type::Reference(text.into()),
        "Port" | "Options" => Type::Alias(text.into()),
        text => parse_type(text, &NoTypes).expect(text),
    }
}

/// Checks the messages for pairs of an expected type and a given value.
fn check(rows: &[(&str, &str)], expected: Expect) {
    let lines: Vec<String> =
        rows.iter().map(|(wanted, given)| describe_mismatch("$x", &ty(wanted), &ty(given), &Names)).collect();
    expected.assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn simple_types() {
    check(
        &[
            ("Integer", "String"),
            ("Integer[0, 10]", "Integer[11, 11]"),
            ("Boolean", "Undef"),
            ("Enum['a', 'b']", "Enum['c']"),
            ("Optional[Integer[1]]", "Enum['a']"),
            ("Variant[Integer, String]", "Undef"),
            ("Variant[Integer, String, Boolean]", "Array[Integer]"),
            ("NotUndef", "Undef"),
            ("NotUndef[Integer]", "String"),
            ("Sensitive[String]", "String"),
            ("Sensitive[String]", "Sensitive[Integer]"),
            ("Type[Integer]", "Type[String]"),
            ("Data", "Callable"),
            ("RichData", "Callable"),
            ("Error", "String"),
            ("Deferred", "Error"),
            ("Nowhere", "Integer"),
        ],
        expect![[r#"
            $x expects an Integer value, got String
            $x expects an Integer[0, 10] value, got Integer 11
            $x expects a Boolean value, got Undef
            $x expects a match for Enum['a', 'b'], got Enum['c']
            $x expects a value of type Undef or Integer[1], got Enum['a']
            $x expects a value of type Integer or String, got Undef
            $x expects a value of type Integer, String, or Boolean, got Array[Integer]
            $x expects a value, got Undef
            $x expects a NotUndef[Integer] value, got String
            $x expects a Sensitive[String] value, got String
            $x, what is sensitive expects a String value, got Integer
            $x expects a Type[Integer] value, got Type[String]
            $x expects a Data value, got Callable
            $x expects a RichData value, got Callable
            $x expects an Error value, got String
            $x expects a Deferred value, got Error
            $x: unknown data type `Nowhere`
        "#]],
    );
}

#[test]
fn inside_collections() {
    check(
        &[
            ("Array[Integer]", "Tuple[Integer, String]"),
            ("Array[Integer]", "Array[String]"),
            ("Array[String, 2, 3]", "Tuple[String]"),
            ("Array[String, 1]", "Array[0, 0]"),
            ("Tuple[Integer, String]", "Tuple[Integer, Integer]"),
            ("Tuple[Integer, String]", "Tuple[Integer]"),
            ("Hash[String, Integer]", "Struct[{a => String}]"),
            ("Hash[Enum['b'], Integer]", "Struct[{a => Integer}]"),
            ("Hash[String, Integer, 1]", "Hash[0, 0]"),
            ("Struct[{a => Integer, b => String[1]}]", "Struct[{a => String, c => Integer}]"),
            ("Struct[{a => Integer}]", "Hash[0, 0]"),
            (
                "Struct[{a => Struct[{b => Array[Integer]}]}]",
                "Struct[{a => Struct[{b => Tuple[Integer, Boolean]}]}]",
            ),
            ("Array[Hash[String, Integer]]", "Tuple[Struct[{x => String}], Integer]"),
            ("Variant[Integer, Array[String]]", "Tuple[String, Integer]"),
            ("Optional[Hash[String, Integer]]", "Struct[{a => String}]"),
            ("Optional[Hash[String, Integer]]", "String"),
        ],
        expect![[r#"
            $x, element 1 expects an Integer value, got String
            $x expects an Array[Integer] value, got Array[String]
            $x expects size to be between 2 and 3, got 1
            $x expects size to be at least 1, got 0
            $x, element 1 expects a String value, got Integer
            $x expects size to be 2, got 1
            $x, entry 'a' expects an Integer value, got String
            $x, key 'a' expects a match for Enum['b'], got 'a'
            $x expects size to be at least 1, got 0
            $x has 3 problems:
              entry 'a' expects an Integer value, got String
              expects a value for key 'b' (String[1])
              unrecognized key 'c' (known: 'a', 'b')
            $x expects a value for key 'a' (Integer)
            $x, entry 'a', entry 'b', element 1 expects an Integer value, got Boolean
            $x has 2 problems:
              element 0, entry 'x' expects an Integer value, got String
              element 1 expects a Hash[String, Integer] value, got Integer
            $x, element 1 expects a String value, got Integer
            $x, entry 'a' expects an Integer value, got String
            $x expects a value of type Undef or Hash[String, Integer], got String
        "#]],
    );
}

#[test]
fn aliases_and_callables() {
    check(
        &[
            ("Port", "String"),
            ("Port", "Integer[70000, 70000]"),
            ("Options", "Struct[{a => Integer[70000, 70000]}]"),
            ("Options", "Struct[{a => Tuple[Integer[1, 1], Boolean]}]"),
            ("Options", "String"),
            ("Callable[2, 2]", "Callable[1, 1]"),
            ("Callable[[Integer], String]", "Callable[[Integer], Integer]"),
            ("Callable[String]", "Callable[Integer]"),
            ("Callable", "String"),
        ],
        expect![[r#"
            $x expects a Port (Integer[0, 65535]) value, got String
            $x expects a Port (Integer[0, 65535]) value, got Integer 70000
            $x, entry 'a' expects a value of type Port (Integer[0, 65535]) or Array[Port], got Integer 70000
            $x, entry 'a', element 1 expects a Port (Integer[0, 65535]) value, got Boolean
            $x expects an Options (Hash[String, Variant[Port, Array[Port]]]) value, got String
            $x: it is called with 2 arguments, but takes 1
            $x, return value expects a String value, got Integer
            $x expects a Callable[String] value, got Callable[Integer]
            $x expects a Callable value, got String
        "#]],
    );
}

#[test]
fn values_are_shown() {
    let rows = [
        ("Integer", Value::string("abc")),
        ("String[1]", Value::string("")),
        ("String[0, 2]", Value::string("abc")),
        ("Pattern[/^a/]", Value::string("b")),
        ("Enum['a', 'b']", Value::string("c")),
        ("Float", Value::Integer(3)),
        ("Integer", Value::float(1.5)),
        ("String", Value::Boolean(true)),
        ("Array[Port]", Value::array([Value::Integer(80), Value::Integer(-1)])),
        ("Array[Integer, 1]", Value::array([])),
        ("Integer", Value::sensitive(Value::string("secret"))),
        ("Integer", Value::hash([(Value::string("a"), Value::Integer(1))])),
        ("Integer", Value::string("x".repeat(400))),
        ("Integer", Value::unknown(Type::STRING, Origin::Fact)),
    ];
    let lines: Vec<String> = rows
        .iter()
        .map(|(wanted, value)| {
            let wanted = parse_type(wanted, &Names).expect(wanted);
            describe_value_mismatch("$x", &wanted, value, &Names)
        })
        .collect();
    expect![[r#"
        $x expects an Integer value, got String 'abc'
        $x expects a String[1] value, got String ''
        $x expects a String[0, 2] value, got String 'abc' (3 characters)
        $x expects a match for Pattern[/^a/], got 'b'
        $x expects a match for Enum['a', 'b'], got 'c'
        $x expects a Float value, got Integer 3
        $x expects an Integer value, got Float 1.5
        $x expects a String value, got Boolean true
        $x, element 1 expects a Port (Integer[0, 65535]) value, got Integer -1
        $x expects size to be at least 1, got 0
        $x expects an Integer value, got Sensitive[String]
        $x expects an Integer value, got a Hash with 'a'
        $x expects an Integer value, got String 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        $x expects an Integer value, got String
    "#]].assert_eq(&(lines.join("\n") + "\n"));
}

fn callables(strings: &[&str]) -> Vec<CallableType> {
    let callable = |text: &&str| match ty(text) {
        Type::Callable(callable) => (*callable).clone(),
        other => panic!("{other:?}"),
    };
    strings.iter().map(callable).collect()
}

#[test]
fn calls() {
    let rows: [(&[&str], &[&str], Option<&str>); 16] = [
        (&["Callable[Integer]"], &["String"], None),
        (&["Callable[Integer, String]"], &["Integer"], None),
        (&["Callable[0, 0]"], &["Integer"], None),
        (&["Callable[Integer, 1, default]"], &[], None),
        (&["Callable[Integer, 0, 1]"], &["Integer", "Integer"], None),
        (&["Callable[Array[Integer]]"], &["Tuple[Integer, String]"], None),
        (&["Callable[Integer]", "Callable[String, String]"], &["Float"], None),
        (&["Callable[Integer]", "Callable[String, 1, 2]"], &["Float"], None),
        (&["Callable[Integer]", "Callable[String, 3, 3]"], &["Float", "Float"], None),
        (&["Callable[Integer, String]", "Callable[String, Integer]"], &["Integer", "Integer"], None),
        (&["Callable[Integer, Callable]"], &["Integer"], None),
        (&["Callable[Integer]"], &["Integer"], Some("Callable[1, 1]")),
        (&["Callable[Integer, Callable[2, 2]]"], &["Integer"], Some("Callable[1, 1]")),
        (&["Callable[Integer, Callable]", "Callable[String]"], &["Integer"], None),
        (&["Callable[Hash, Callable]", "Callable[Hash[String, Any]]"], &["Hash[Integer, String]"], None),
        (&[], &["Integer"], None),
    ];
    let lines: Vec<String> = rows
        .iter()
        .map(|(signatures, arguments, block)| {
            let arguments: Vec<Type> = arguments.iter().map(|text| ty(text)).collect();
            let block = block.map(ty);
            describe_call_mismatch("f", &callables(signatures), &arguments, block.as_ref(), &Names)
        })
        .collect();
    expect![[r#"
        f(), argument 1 expects an Integer value, got String
        f() expects 2 arguments, got 1
        f() expects no arguments, got 1
        f() expects at least 1 argument, got 0
        f() expects at most 1 argument, got 2
        f(), argument 1, element 1 expects an Integer value, got String
        f(), argument 1 expects an Integer value, got Float
        f(), argument 1 expects a value of type Integer or String, got Float
        no signature of f() takes 2 arguments:
          f(Integer)
          f(String{3})
        no signature of f() takes these arguments:
          f(Integer, String)
            argument 2 expects a String value, got Integer
          f(String, Integer)
            argument 1 expects a String value, got Integer
        f() expects a block
        f() does not expect a block
        f(), block: it is called with 2 arguments, but takes 1
        f() expects a block
        f(), argument 1 expects a Hash[String, Any] value, got Hash[Integer, String]
        f() cannot be called
    "#]]
    .assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn calls_with_names() {
    let callables = callables(&[
        "Callable[Integer, String, 1, default]",
        "Callable[String, Integer, Optional[Callable]]",
    ]);
    let names = [["count".into(), "rest".into()], ["text".into(), "count".into()]];
    let signatures: Vec<NamedSignature<'_>> =
        callables.iter().zip(&names).map(|(callable, names)| NamedSignature { callable, names }).collect();
    let lines: Vec<String> = [vec!["Integer", "Float"], vec!["Float", "Float"], vec![]]
        .iter()
        .map(|arguments| {
            let arguments: Vec<Type> = arguments.iter().map(|text| ty(text)).collect();
            describe_named_call_mismatch("function f", &signatures, &arguments, None, &Names)
        })
        .collect();
    expect![[r#"
        no signature of function f takes these arguments:
          function f(Integer count, String rest*)
            parameter 'rest' expects a String value, got Float
          function f(String text, Integer count, block?)
            parameter 'text' expects a String value, got Integer
        function f, argument 1 expects a value of type Integer or String, got Float
        function f expects at least 1 argument, got 0:
          function f(Integer count, String rest*)
          function f(String text, Integer count, block?)
    "#]]
    .assert_eq(&(lines.join("\n") + "\n"));
}

#[test]
fn parameters_of_a_class() {
    let declared =
        [("port", "Port", true), ("options", "Optional[Hash]", false), ("name", "String", true)].map(
            |(name, text, is_required)| ParameterDeclaration { name: name.into(), ty: ty(text), is_required },
        );
    let given = [
        ("port".into(), Value::string("x")),
        ("options".into(), Value::unknown(Type::Any, Origin::Fact)),
        ("colour".into(), Value::string("red")),
    ];
    let lines: Vec<String> = parameter_mismatches(&declared, &given, &Names)
        .into_iter()
        .map(|problem| format!("{}: {}", problem.name, problem.message))
        .collect();
    expect![[r#"
        colour: has no parameter named 'colour'
        port: parameter 'port' expects a Port (Integer[0, 65535]) value, got String 'x'
        name: expects a value for parameter 'name' (String)
    "#]]
    .assert_eq(&(lines.join("\n") + "\n"));
    assert_eq!(parameter_mismatches(&declared[..1], &[("port".into(), Value::Integer(80))], &Names), []);
}

#[test]
fn sensitive_values_are_not_shown() {
    let lines: Vec<String> = [
        ("Sensitive[String]", "'word'"),
        ("Optional[Sensitive]", "'word'"),
        ("Variant[Sensitive[String], Integer]", "'word'"),
        ("Variant[Sensitive[String[20]], String[20]]", "'word'"),
        ("Sensitive[Integer]", "4711"),
        ("Struct[{a => Sensitive[String], b => Integer}]", "{a => 'word', b => 'seen'}"),
        ("Array[Sensitive]", "['word']"),
        ("Hash[String, Sensitive]", "'word'"),
        ("Integer", "'seen'"),
    ]
    .iter()
    .map(|(expected, value)| {
        let value = value_of(value);
        types::mismatch::describe_value_mismatch("it", &ty(expected), &value, &Names)
    })
    .collect();
    let text = lines.join("\n");
    assert!(!text.contains("word") && !text.contains("4711"), "{text}");
    assert_eq!(text.matches("seen").count(), 2, "{text}");
}

/// Parses a value in the notation of these tests.
fn value_of(text: &str) -> Value {
    match text {
        "4711" => Value::Integer(4711),
        "['word']" => Value::array(vec![Value::string("word")]),
        "{a => 'word', b => 'seen'}" => Value::hash([
            (Value::string("a"), Value::string("word")),
            (Value::string("b"), Value::string("seen")),
        ]),
        text => Value::string(text.trim_matches('\'')),
    }
}
