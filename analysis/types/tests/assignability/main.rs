//! Assignability and instance checks compared with recordings of real Puppet, and general invariants.

// This test does not use all of the module.
#[allow(dead_code)]
#[path = "../types/evaluate.rs"]
mod evaluate;

use std::sync::Arc;

use types::assign::{Fit, fits, is_assignable, is_certainly_assignable, is_instance, overlaps};
use types::common::normalize;
use types::infer::{infer, infer_set};
use types::narrow::{exclude, intersect};
use types::object::object_type_from_hash;
use types::{NamedType, Origin, Type, TypeEnvironment, Value};

struct Names {
    named: Vec<NamedType>,
}

impl TypeEnvironment for Names {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        self.named.iter().find(|named| named.name.eq_ignore_ascii_case(name)).cloned()
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        name.eq_ignore_ascii_case("file")
    }
}

struct Samples {
    names: Names,
    types: Vec<(&'static str, Type)>,
    values: Vec<(&'static str, Value)>,
}

fn lines(text: &'static str) -> impl Iterator<Item = &'static str> {
    text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'))
}

fn samples() -> Samples {
    let (aliases, types): (Vec<_>, Vec<_>) =
        lines(include_str!("types.txt")).partition(|line| line.split(' ').nth(1) == Some("="));
    let aliases: Vec<(&str, &str)> = aliases.iter().filter_map(|line| line.split_once(" = ")).collect();
    let named = aliases.iter().map(|(name, _)| NamedType { name: (*name).into(), ty: Type::Any }).collect();
    let mut names = Names { named };
    for (index, (name, text)) in aliases.iter().enumerate() {
        let ty = match text.strip_prefix("Object[").and_then(|rest| rest.strip_suffix(']')) {
            Some(hash) => {
                let hash = evaluate::evaluate(hash, &names).expect(text);
                let hash = hash.as_hash().expect("a hash");
                Type::Object(Some(Arc::new(object_type_from_hash(hash, Some(name), &names).expect(text))))
            }
            None => normalize(&type_of(text, &names), &names),
        };
        names.named[index].ty = ty;
    }
    let types = types.into_iter().map(|text| (text, type_of(text, &names))).collect();
    let values = lines(include_str!("values.txt"))
        .map(|text| (text, evaluate::evaluate(text, &names).expect(text)))
        .collect();
    Samples { names, types, values }
}

fn type_of(text: &str, names: &Names) -> Type {
    if text.starts_with("TypeReference") {
        return Type::Reference("Foo[1]".into());
    }
    evaluate::evaluate(text, names).expect(text).as_type().expect(text).clone()
}

fn check(problems: &[String]) {
    assert!(problems.is_empty(), "{} problems:\n{}", problems.len(), problems.join("\n"));
}

#[test]
fn assignability_matches_puppet() {
    let Samples { names, types, .. } = samples();
    let mut problems = Vec::new();
    for ((to_text, to), row) in types.iter().zip(include_str!("assignable.txt").lines()) {
        assert_eq!(row.len(), types.len());
        for ((from_text, from), recorded) in types.iter().zip(row.chars()) {
            let expected = match recorded {
                '1' => true,
                '.' => false,
                _ => continue,
            };
            if is_assignable(to, from, &names) != expected {
                problems.push(format!("{to_text} >= {from_text}: Puppet says {expected}"));
            }
        }
    }
    check(&problems);
}

#[test]
fn instances_match_puppet() {
    let Samples { names, types, values } = samples();
    let mut problems = Vec::new();
    for ((value_text, value), row) in values.iter().zip(include_str!("instances.txt").lines()) {
        assert_eq!(row.len(), types.len());
        for ((type_text, ty), recorded) in types.iter().zip(row.chars()) {
            let expected = match recorded {
                '1' => true,
                '.' => false,
                _ => continue,
            };
            if is_instance(ty, value, &names) != expected {
                problems.push(format!("{value_text} =~ {type_text}: Puppet says {expected}"));
            }
        }
    }
    check(&problems);
}

#[test]
fn a_value_is_an_instance_of_its_type() {
    let Samples { names, values, .. } = samples();
    let mut problems = Vec::new();
    for (text, value) in &values {
        for ty in [infer_set(value, &names), infer(value, &names)] {
            if !is_instance(&ty, value, &names) {
                problems.push(format!("{text} is no {ty:?}"));
            }
        }
    }
    check(&problems);
}

#[test]
fn certain_answers_are_sound() {
    let Samples { names, types, values } = samples();
    let mut problems = Vec::new();
    for (to_text, to) in &types {
        for (from_text, from) in &types {
            if !is_certainly_assignable(to, from, &names) {
                continue;
            }
            for (text, value) in &values {
                if is_instance(from, value, &names) && !is_instance(to, value, &names) {
                    problems.push(format!("{to_text} certainly takes {from_text}, but not {text}"));
                }
            }
        }
    }
    check(&problems);
}

#[test]
fn types_with_common_values_overlap() {
    let Samples { names, types, values } = samples();
    let mut problems = Vec::new();
    for (a_text, a) in &types {
        for (b_text, b) in &types {
            let answer = overlaps(a, b, &names);
            if answer != overlaps(b, a, &names) {
                problems.push(format!("{a_text}, {b_text}: not symmetric"));
            }
            let common =
                values.iter().find(|(_, it)| is_instance(a, it, &names) && is_instance(b, it, &names));
            if let (false, Some((text, _))) = (answer, common) {
                problems.push(format!("{a_text}, {b_text} have {text} in common"));
            }
        }
    }
    check(&problems);
}

#[test]
fn unknown_values_fit_by_their_types() {
    let Samples { names, types, values } = samples();
    let mut problems = Vec::new();
    for (to_text, to) in &types {
        for (from_text, from) in &types {
            let answer = fits(to, &Value::unknown(from.clone(), Origin::Parameter), &names);
            for (text, value) in &values {
                if !is_instance(from, value, &names) {
                    continue;
                }
                let wrong = if is_instance(to, value, &names) { Fit::Never } else { Fit::Always };
                if answer == wrong {
                    problems.push(format!("{to_text}: an unknown {from_text} {answer:?}, but {text}"));
                }
            }
        }
    }
    check(&problems);
}

#[test]
fn partially_unknown_values_fit_by_their_types() {
    let Samples { names, types, values } = samples();
    let mut problems = Vec::new();
    for (text, value) in &values {
        // For one of two mutually recursive aliases, Puppet accepts a type whose values it refuses.
        for (ty_text, ty) in types.iter().filter(|(text, _)| *text != "Strings") {
            for partly in with_one_part_unknown(value, &names) {
                let wrong = if is_instance(ty, value, &names) { Fit::Never } else { Fit::Always };
                if fits(ty, &partly, &names) == wrong {
                    problems.push(format!("{ty_text}: {partly:?} {wrong:?}, but {text}"));
                }
            }
        }
    }
    check(&problems);
}

fn with_one_part_unknown(value: &Value, names: &Names) -> Vec<Value> {
    let unknown = |value: &Value| {
        let types = [infer_set(value, names), types::common::generalize(&infer_set(value, names), names)];
        types.map(|ty| Value::unknown(ty, Origin::Parameter))
    };
    match value {
        Value::Array(elements) => (0..elements.len())
            .flat_map(|at| {
                unknown(&elements[at]).map(|part| {
                    let mut elements = elements.to_vec();
                    elements[at] = part;
                    Value::array(elements)
                })
            })
            .collect(),
        Value::Hash(entries) => entries
            .iter()
            .flat_map(|(key, value)| {
                unknown(value).map(|part| {
                    let mut entries = (**entries).clone();
                    entries.insert(key.clone(), part);
                    Value::Hash(Arc::new(entries))
                })
            })
            .collect(),
        value => unknown(value).into(),
    }
}

#[test]
fn narrowed_types_contain_the_values_of_the_branch() {
    let Samples { names, types, values } = samples();
    let mut problems = Vec::new();
    for (a_text, a) in &types {
        for (b_text, b) in &types {
            let both = intersect(a, b, &names);
            let without = exclude(a, b, &names);
            for (text, value) in &values {
                if !is_instance(a, value, &names) {
                    continue;
                }
                let (name, left) =
                    if is_instance(b, value, &names) { ("and", &both) } else { ("without", &without) };
                if !is_instance(left, value, &names) {
                    problems.push(format!("{a_text} {name} {b_text} is {left:?}, without {text}"));
                }
            }
        }
    }
    check(&problems);
}

#[test]
fn narrowed_types_match_the_table() {
    let Samples { names, .. } = samples();
    let cases: Vec<(&str, &str, &str, &str)> = lines(include_str!("narrowed.tsv"))
        .filter_map(|line| {
            let mut cells = line.split('\t');
            Some((cells.next()?, cells.next()?, cells.next()?, cells.next()?))
        })
        .collect();
    let mut problems = Vec::new();
    for (a, b, both, without) in cases {
        let (a_type, b_type) = (type_of(a, &names), type_of(b, &names));
        let text = |ty: Type| types::display::type_text(&ty, &names);
        let (found_both, found_without) =
            (text(intersect(&a_type, &b_type, &names)), text(exclude(&a_type, &b_type, &names)));
        if found_both != both || found_without != without {
            problems.push(format!("{a}\t{b}\t{found_both}\t{found_without}"));
        }
    }
    check(&problems);
}
