//! Comparison with real Puppet: string forms, parameters, types of values, common types and iteration. The
//! tables in this folder were recorded by `record.rb`.

mod evaluate;
mod hostile;

use std::collections::HashMap;

use smol_str::SmolStr;
use types::assign::is_instance;
use types::common::{common_type, generalize, normalize};
use types::display::{expanded_type_text, type_text};
use types::infer::{infer, infer_set};
use types::iterate::{element_type, elements};
use types::parse::parse_type;
use types::text::to_notation;
use types::{NamedType, TypeEnvironment, Value};

use evaluate::{evaluate, evaluate_with_unknown_arguments};

/// Aliases that `record.rb` defines.
const ALIASES: [(&str, &str); 6] = [
    ("MyInt", "Integer[1, 10]"),
    ("MyText", "Variant[String[1], Undef]"),
    ("Tree", "Variant[Integer, Array[Tree]]"),
    ("Chain", "Struct[{ value => MyInt, Optional[rest] => Chain }]"),
    ("Ping", "Array[Pong]"),
    ("Pong", "Hash[String, Ping]"),
];

fn environment() -> HashMap<SmolStr, NamedType> {
    // The first pass knows the aliases only by name.
    let named =
        |name: &str, ty| (SmolStr::from(name.to_ascii_lowercase()), NamedType { name: name.into(), ty });
    let names: HashMap<_, _> = ALIASES.iter().map(|(name, _)| named(name, types::Type::Any)).collect();
    let define = |env: &HashMap<SmolStr, NamedType>| {
        let type_of = |text| normalize(&parse_type(text, env).expect(text), env);
        ALIASES.iter().map(|(name, text)| named(name, type_of(text))).collect::<HashMap<_, _>>()
    };
    define(&define(&names))
}

/// Compares the recorded outcomes in each row of a table with the results of `ask`.
fn check(table: &str, ask: impl Fn(&str, &dyn TypeEnvironment) -> Vec<String>) {
    let env = environment();
    let mut rows = 0;
    let mut differences = Vec::new();
    for line in table.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (question, expected) = line.split_once('\t').expect(line);
        let found = ask(question, &env).join("\t");
        rows += 1;
        if found != expected {
            differences.push(format!("{question}\n    Puppet: {expected}\n    here:   {found}"));
        }
    }
    assert!(rows > 10);
    assert!(differences.is_empty(), "{} of {rows}\n{}", differences.len(), differences.join("\n"));
}

/// Formats a value in the notation of `record.rb`.
fn notation(value: &Value, env: &dyn TypeEnvironment) -> String {
    match value {
        Value::Array(elements) => {
            let elements: Vec<String> = elements.iter().map(|element| notation(element, env)).collect();
            format!("[{}]", elements.join(", "))
        }
        Value::Type(ty) => type_text(ty, env),
        value => to_notation(value, env),
    }
}

#[test]
fn types_given_as_strings() {
    check(include_str!("parse.tsv"), |text, env| match parse_type(text, env) {
        Ok(ty) => vec![type_text(&ty, env)],
        Err(_) => vec!["!".into()],
    });
}

#[test]
fn types_with_parameters() {
    check(include_str!("access.tsv"), |text, env| match evaluate(text, env) {
        Ok(value) => vec![notation(&value, env)],
        Err(failure) => vec![failure],
    });
}

/// The result of `[ ]` with known arguments is an instance of its result with unknown ones.
#[test]
fn unknown_parameters() {
    let env = environment();
    let mut compared = 0;
    for line in include_str!("access.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let question = line.split('\t').next().expect(line);
        let Ok(known) = evaluate(question, &env) else { continue };
        for forgotten in [None, Some(0), Some(1), Some(2)] {
            let Some(result) = evaluate_with_unknown_arguments(question, forgotten, &env) else { continue };
            let Value::Unknown(unknown) = result.expect(question) else { panic!("{question} is known") };
            assert!(is_instance(&unknown.ty, &known, &env), "{question} is no {}", unknown.ty);
            compared += 1;
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn unfolded_aliases() {
    check(include_str!("expanded.tsv"), |text, env| {
        vec![expanded_type_text(&parse_type(text, env).expect(text), env)]
    });
}

#[test]
fn simplest_forms() {
    check(include_str!("normalized.tsv"), |text, env| {
        vec![type_text(&normalize(&parse_type(text, env).expect(text), env), env)]
    });
}

#[test]
fn types_of_values() {
    check(include_str!("inferred.tsv"), |text, env| {
        let value = evaluate(text, env).expect(text);
        let set = infer_set(&value, env);
        [infer(&value, env), set.clone(), generalize(&set, env)].map(|ty| type_text(&ty, env)).to_vec()
    });
}

#[test]
fn types_in_common() {
    check(include_str!("common.tsv"), |text, env| {
        let (a, b) = text.split_once(" & ").expect(text);
        let [a, b] = [a, b].map(|text| parse_type(text, env).expect(text));
        vec![type_text(&common_type(&a, &b, env), env)]
    });
}

#[test]
fn elements_of_values() {
    check(include_str!("iterated.tsv"), |text, env| {
        let value = evaluate(text, env).expect(text);
        match elements(&value, env, 100) {
            Some(elements) => {
                let element_type = element_type(&value, env).expect(text);
                let elements: Vec<Value> = elements.collect();
                vec![notation(&Value::array(elements), env), type_text(&element_type, env)]
            }
            None => vec!["!".into()],
        }
    });
}
