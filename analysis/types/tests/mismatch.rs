//! Why something does not fit, in words.

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

/// A line (or some) for each pair of what is expected and what is given.
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
            $x: expected Integer, got String
            $x: expected Integer[0, 10], got 11
            $x: expected Boolean, got undef
            $x: expected Enum['a', 'b'], got Enum['c']
            $x: expected undef or Integer[1], got Enum['a']
            $x: expected Integer or String, got undef
            $x: expected Integer, String or Boolean, got Array[Integer]
            $x: expected a value, got undef
            $x: expected NotUndef[Integer], got String
            $x: expected Sensitive[String], got String
            $x, what is sensitive: expected String, got Integer
            $x: expected Type[Integer], got Type[String]
            $x: expected Data, got Callable
            $x: expected RichData, got Callable
            $x: expected Error, got String
            $x: expected Deferred, got Error
            $x: the type Nowhere cannot be found
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
            $x, element 1: expected Integer, got String
            $x: expected Array[Integer], got Array[String]
            $x: expected 2 to 3 elements, got 1
            $x: expected at least 1 element, got 0
            $x, element 1: expected String, got Integer
            $x: expected 2 elements, got 1
            $x, entry 'a': expected Integer, got String
            $x, key 'a': expected Enum['b'], got 'a'
            $x: expected at least 1 entry, got 0
            $x has 3 problems:
              entry 'a': expected Integer, got String
              the key 'b' is missing (expected String[1])
              the key 'c' is not known (known: 'a', 'b')
            $x: the key 'a' is missing (expected Integer)
            $x, entry 'a', entry 'b', element 1: expected Integer, got Boolean
            $x has 2 problems:
              element 0, entry 'x': expected Integer, got String
              element 1: expected Hash[String, Integer], got Integer
            $x, element 1: expected String, got Integer
            $x, entry 'a': expected Integer, got String
            $x: expected undef or Hash[String, Integer], got String
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
            $x: expected Port (Integer[0, 65535]), got String
            $x: expected Port (Integer[0, 65535]), got 70000
            $x, entry 'a': expected Port (Integer[0, 65535]) or Array[Port], got 70000
            $x, entry 'a', element 1: expected Port (Integer[0, 65535]), got Boolean
            $x: expected Options (Hash[String, Variant[Port, Array[Port]]]), got String
            $x: it is called with 2 arguments, but takes 1
            $x, return value: expected String, got Integer
            $x: expected Callable[String], got Callable[Integer]
            $x: expected Callable, got String
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
        $x: expected Integer, got 'abc'
        $x: expected a string that is not empty
        $x: expected a string of at most 2 characters, got 'abc' (3)
        $x: expected a match for Pattern[/^a/], got 'b'
        $x: expected Enum['a', 'b'], got 'c'
        $x: expected Float, got 3
        $x: expected Integer, got 1.5
        $x: expected String, got true
        $x, element 1: expected Port (Integer[0, 65535]), got -1
        $x: expected at least 1 element, got 0
        $x: expected Integer, got Sensitive[String]
        $x: expected Integer, got a hash with 'a'
        $x: expected Integer, got 'xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        $x: expected Integer, got String
    "#]].assert_eq(&(lines.join("\n") + "\n"));
}

fn callables(texts: &[&str]) -> Vec<CallableType> {
    let callable = |text: &&str| match ty(text) {
        Type::Callable(callable) => (*callable).clone(),
        other => panic!("{other:?}"),
    };
    texts.iter().map(callable).collect()
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
        f(), argument 1: expected Integer, got String
        f() takes 2 arguments, got 1
        f() takes no arguments, got 1
        f() takes at least 1 argument, got 0
        f() takes at most 1 argument, got 2
        f(), argument 1, element 1: expected Integer, got String
        f(), argument 1: expected Integer, got Float
        f(), argument 1: expected Integer or String, got Float
        no signature of f() takes 2 arguments:
          f(Integer)
          f(String{3})
        no signature of f() takes these arguments:
          f(Integer, String)
            argument 2: expected String, got Integer
          f(String, Integer)
            argument 1: expected String, got Integer
        f() needs a block
        f() takes no block
        f(), block: it is called with 2 arguments, but takes 1
        f() needs a block
        f(), argument 1: expected Hash[String, Any], got Hash[Integer, String]
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
            argument 2 (rest): expected String, got Float
          function f(String text, Integer count, block?)
            argument 1 (text): expected String, got Integer
        function f, argument 1: expected Integer or String, got Float
        function f takes at least 1 argument, got 0:
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
        colour: there is no parameter `colour`
        port: the parameter `port`: expected Port (Integer[0, 65535]), got 'x'
        name: the parameter `name` needs a value (String)
    "#]]
    .assert_eq(&(lines.join("\n") + "\n"));
    assert_eq!(parameter_mismatches(&declared[..1], &[("port".into(), Value::Integer(80))], &Names), []);
}

#[test]
fn what_should_be_sensitive_is_not_told() {
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

/// A value as it is written in these tests.
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
