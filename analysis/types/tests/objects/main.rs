//! Object types, type sets and the results of their constructors, compared with recordings of real Puppet.

// This test does not use all of the module.
#[allow(dead_code)]
#[path = "../types/evaluate.rs"]
mod evaluate;

use std::sync::Arc;

use types::assign::{equal_types, is_assignable, is_instance, is_narrower};
use types::display::type_text;
use types::infer::infer_set;
use types::object::members::{ObjectMember, member};
use types::object::{
    attribute_value, built_in_named_type, built_in_type_names, call_member, equal_objects,
    object_type_from_hash, type_set_from_hash, type_set_member,
};
use types::text::to_notation;
use types::{NamedType, NoTypes, Type, TypeEnvironment, Value};

#[derive(Default)]
struct Names {
    named: Vec<NamedType>,
}

impl TypeEnvironment for Names {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        self.named.iter().find(|named| named.name.eq_ignore_ascii_case(name)).cloned()
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}

fn rows(table: &'static str) -> impl Iterator<Item = [&'static str; 3]> {
    table.lines().map(|line| {
        let mut cells = line.split('\t');
        std::array::from_fn(|_| cells.next().expect(line))
    })
}

fn check(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

fn declare(name: &str, source: &str, names: &Names) -> Result<Type, String> {
    let hash = evaluate::evaluate(source, names)?;
    let hash = hash.as_hash().expect("a hash");
    if source.contains("pcore_version") {
        let set = type_set_from_hash(hash, Some(name), names).map_err(|error| error.message)?;
        return Ok(Type::TypeSet(Some(Arc::new(set))));
    }
    let object = object_type_from_hash(hash, Some(name), names).map_err(|error| error.message)?;
    Ok(Type::Object(Some(Arc::new(object))))
}

/// Returns the types that Puppet accepts, and the differences from the recorded outcomes.
fn declared() -> (Names, Vec<String>) {
    let mut names = Names::default();
    let mut problems = Vec::new();
    for [name, source, expected] in rows(include_str!("declared.tsv")) {
        names.named.push(NamedType { name: name.into(), ty: Type::Reference(name.into()) });
        let declared = declare(name, source, &names);
        names.named.pop();
        match declared {
            Ok(ty) => {
                let text = type_text(&ty, &names);
                names.named.push(NamedType { name: name.into(), ty });
                if text != expected {
                    problems.push(format!("{name}: Puppet has {expected}\n    we have {text}"));
                }
            }
            Err(_) if expected == "!" => {}
            Err(error) => problems.push(format!("{name} is refused: {error}")),
        }
    }
    (names, problems)
}

#[test]
fn declarations_match_puppet() {
    check(&declared().1);
}

fn evaluated(source: &str, names: &Names) -> Result<Value, String> {
    for (operator, with_space) in ["==", "=~", "<=", "<"].map(|it| (it, format!(" {it} "))) {
        let Some((left, right)) = source.split_once(&with_space) else { continue };
        let (left, right) = (evaluate::evaluate(left, names)?, evaluate::evaluate(right, names)?);
        return Ok(Value::Boolean(match (operator, &left, &right) {
            ("==", Value::Object(a), Value::Object(b)) => equal_objects(a, b, names),
            ("==", Value::Type(a), Value::Type(b)) => equal_types(a, b, names),
            ("=~", value, Value::Type(ty)) => is_instance(ty, value, names),
            ("<=", Value::Type(a), Value::Type(b)) => is_assignable(b, a, names),
            ("<", Value::Type(a), Value::Type(b)) => is_narrower(a, b, names),
            _ => panic!("{source}"),
        }));
    }
    evaluate::evaluate(source, names)
}

#[test]
fn constructors_match_puppet() {
    let (names, _) = declared();
    let mut problems = Vec::new();
    for [source, expected, expected_type] in rows(include_str!("made.tsv")) {
        let (found, found_type) = match evaluated(source, &names) {
            Ok(value) => (to_notation(&value, &names), type_text(&infer_set(&value, &names), &names)),
            Err(_) => ("!".to_owned(), "!".to_owned()),
        };
        if found != expected {
            problems.push(format!("{source}: Puppet has {expected}, we have {found}"));
        } else if found_type != expected_type {
            problems.push(format!("{source}: Puppet's type is {expected_type}, ours {found_type}"));
        }
    }
    check(&problems);
}

#[test]
fn all_predefined_types_parse() {
    assert_eq!(built_in_type_names().count(), 147);
    for name in built_in_type_names() {
        let named = built_in_named_type(name).expect(name);
        assert_eq!(named.name, name);
        assert_eq!(built_in_named_type(&name.to_ascii_lowercase()).map(|it| it.name), Some(named.name));
    }
    assert_eq!(built_in_named_type("Target"), None);
    let Some(Type::Object(Some(program))) = built_in_named_type("::Puppet::AST::Program").map(|it| it.ty)
    else {
        panic!("no object type");
    };
    assert!(matches!(member(&program, "definitions", &NoTypes), Some(ObjectMember::Attribute(_))));
}

#[test]
fn members_of_an_instance() {
    let (names, _) = declared();
    let object = |source: &str| match evaluate::evaluate(source, &names) {
        Ok(Value::Object(object)) => object,
        other => panic!("{other:?}"),
    };
    let value = |source: &str, name: &str| attribute_value(&object(source), name, &names);
    assert_eq!(value("Point3(1, 2)", "y"), Some(Value::Integer(0)));
    assert_eq!(value("Point3(1, 2)", "q"), None);
    assert_eq!(value("Constant('x')", "k"), Some(Value::Integer(3)));
    assert!(matches!(value("Kinds(1, 2)", "d"), Some(Value::Unknown(_))));
    let call = |source: &str, name: &str, arguments: &[Value]| {
        call_member(&object(source), name, arguments, &names)
            .map(|result| result.map_err(|error| error.code.as_str()))
    };
    assert_eq!(call("Error('m')", "message", &[]), Some(Ok(Value::string("m"))));
    assert_eq!(call("Error('m')", "message", &[Value::Undef]), Some(Err("argument-mismatch")));
    assert_eq!(call("Error('m')", "msg", &[Value::Undef]), Some(Err("argument-mismatch")));
    assert_eq!(call("Error('m')", "nothing", &[]), None);
    assert_eq!(call("Functions(1)", "f", &[Value::Integer(1)]), Some(Err("not-implemented")));
    assert_eq!(call("Functions(1)", "f", &[]), Some(Err("argument-mismatch")));
    assert_eq!(call("Kinds(1, 2)", "d", &[]), Some(Err("not-implemented")));
}

#[test]
fn members_of_a_type_set() {
    let (names, _) = declared();
    let found = |set: &str, name: &str| match names.named_type(set).map(|named| named.ty) {
        Some(Type::TypeSet(Some(set))) => {
            type_set_member(&set, name, &names).map(|ty| type_text(&ty, &names))
        }
        other => panic!("{other:?}"),
    };
    assert_eq!(found("Set", "B").as_deref(), Some("Integer[0, 10]"));
    assert_eq!(found("Set", "b").as_deref(), Some("Integer[0, 10]"));
    assert_eq!(found("Set", "Q"), None);
    assert_eq!(found("SetReference", "S::B").as_deref(), Some("Integer[0, 10]"));
    assert_eq!(found("SetReference", "T::B"), None);
}

#[test]
fn self_inheritance_is_rejected() {
    let page = NamedType { name: "Web::Page".into(), ty: Type::Reference("Web::Page".into()) };
    let names = Names { named: vec![page] };
    let hash = evaluate::evaluate("{ 'parent' => Web::Page }", &names).expect("a hash");
    let code = |name| {
        object_type_from_hash(hash.as_hash().expect("a hash"), name, &names)
            .map_err(|it| it.code.as_str())
            .err()
    };
    assert_eq!(code(Some("Web::Page")), Some("inherits-from-itself"));
    assert_eq!(code(Some("Web::Start")), Some("unresolved-type"));
}
