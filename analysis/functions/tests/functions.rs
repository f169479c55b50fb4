//! Tests of the functions that ship with Puppet: their table, and their results for unknown arguments.
//! Results for known arguments are recorded in `tests/conformance`.

use std::sync::Arc;

use eval::{BuiltInFunction, EvaluationSettings, Evaluator, Exit, Unit, World};
use functions::{all_built_in, all_of_stdlib};
use types::assign::Fit;
use types::object::BuiltInTypes;
use types::{Origin, Type, Value};

fn parse_type(text: &str) -> Type {
    types::parse::parse_type(text, &BuiltInTypes).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn every_signature_is_well_formed() {
    for function in all_built_in().chain(all_of_stdlib()) {
        let name = function.name;
        assert!(
            !function.documentation.is_empty() && !function.documentation.contains('\n'),
            "{name}: its documentation"
        );
        assert!(!function.overloads.is_empty(), "{name}: there is no way to call it");
        for (overload, signature) in function.overloads.iter().zip(functions::signatures(function)) {
            let text = overload.signature;
            let types = signature.parameters.iter().chain(&signature.block).map(|it| it.type_text.as_str());
            for ty in types.chain(text.split_once(">>").map(|(_, returns)| returns.trim())) {
                let printed = types::display::expanded_type_text(&parse_type(ty), &BuiltInTypes);
                assert!(!printed.contains("TypeReference"), "{name}{text}: {ty} names something unknown");
            }
            let names: Vec<&str> = signature.parameters.iter().map(|it| it.name.as_str()).collect();
            assert!(
                names.iter().all(|it| it.chars().all(|c| c.is_alphanumeric() || c == '_')),
                "{name}: {names:?}"
            );
        }
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = all_built_in().chain(all_of_stdlib()).map(|function| function.name).collect();
    names.sort_unstable();
    let twice: Vec<&&str> = names.windows(2).filter(|pair| pair[0] == pair[1]).map(|pair| &pair[0]).collect();
    assert!(twice.is_empty(), "{twice:?}");
}

/// Code that reads top-scope variables, ready to run with different ones.
struct Code(Arc<Unit>);

impl Code {
    fn new(text: &str) -> Code {
        let parse = syntax::parse(text, syntax::Language::Manifest);
        assert!(parse.errors().is_empty(), "{text}: {:?}", parse.errors());
        let main = functions::source_program().add(&hir::lower_file(&parse));
        Code(main.unwrap_or_else(|| panic!("{text}: no main program")))
    }

    /// Returns the value, or the message of the error. Findings count as errors, too.
    fn run_strictly(&self, variables: &[(&str, Value)]) -> Result<Value, String> {
        self.run_with(variables, true)
    }

    /// Returns the value, or the message of the error.
    fn run(&self, variables: &[(&str, Value)]) -> Result<Value, String> {
        self.run_with(variables, false)
    }

    fn run_with(&self, variables: &[(&str, Value)], strictly: bool) -> Result<Value, String> {
        let mut program = functions::source_program();
        for (name, value) in variables {
            program.set_global(*name, value.clone());
        }
        let world = World::new(&program, EvaluationSettings::version_7());
        let mut evaluator = Evaluator::new(&world);
        match evaluator.evaluate_main(&self.0) {
            Ok(_) if strictly && !evaluator.diagnostics.findings().is_empty() => {
                Err(evaluator.diagnostics.findings()[0].error.message.clone())
            }
            Ok(value) => Ok(value),
            Err(Exit::Error(error)) => Err(error.message),
            Err(_) => Err("a jump".into()),
        }
    }
}

/// Formats a value, as far as it is known.
fn shown(value: &Value) -> String {
    match value {
        Value::Unknown(unknown) => types::display::type_text(&unknown.ty, &BuiltInTypes),
        value => format!("= {}", types::text::to_notation(value, &BuiltInTypes)),
    }
}

/// Rows in the form `TYPE of $x; TYPE of $y | code | result`, where a result is a type or `= value` or
/// `error`.
const UNKNOWN_ARGUMENTS: &str = include_str!("unknown_arguments.txt");

#[test]
fn unknown_arguments() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in UNKNOWN_ARGUMENTS.lines() {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
        let [given, code, expected] = parts[..] else { panic!("not a row: {line}") };
        let variables: Vec<(&str, Value)> = given
            .split("; ")
            .zip(["x", "y", "z"])
            .map(|(ty, name)| (name, Value::unknown(parse_type(ty), Origin::Parameter)))
            .collect();
        let found = match Code::new(code).run_strictly(&variables) {
            Ok(value) => shown(&value),
            Err(_) => "error".into(),
        };
        count += 1;
        if found != expected {
            wrong.push(format!("{given} | {code} | {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} of {count} rows differ:\n{}", wrong.len(), wrong.join("\n"));
}

/// Tests Ruby's `scanf`. Distribution packages of Puppet often lack it, so that nothing is recorded.
#[test]
fn scanf_finds_values() {
    let rows = [
        ("'12 abc 0x1f'", "'%d %s %x'", "= [12, 'abc', 31]"),
        ("'12abc'", "'%1d%d%c%s'", "= [1, 2, 'a', 'bc']"),
        ("'  -3 +4'", "'%d %u'", "= [-3, 4]"),
        ("'017 0x1F 19'", "'%i %i %i'", "= [15, 31, 19]"),
        ("'1.5 2.0e3 .5'", "'%f %f %g'", "= [1.5, 2000.0, 0.5]"),
        ("'a=1, b=2'", "'a=%d, b=%d'", "= [1, 2]"),
        ("'a=1; b=2'", "'a=%d, b=%d'", "= [1]"),
        ("'abc123'", "'%[a-z]%d'", "= ['abc', 123]"),
        ("'abc 1'", "'%*s %d'", "= [1]"),
        ("'50%'", "'%d%%'", "= [50]"),
        ("'777'", "'%o'", "= [511]"),
        ("'99999999999999999999'", "'%d'", "= [99999999999999999999]"),
        ("'x'", "'%d'", "= []"),
        ("''", "'%d'", "= []"),
        ("'x'", "''", "= []"),
        ("'äö'", "'%1s%s'", "= ['ä', 'ö']"),
    ];
    for (text, format, expected) in rows {
        let code = Code::new(&format!("scanf({text}, {format})"));
        assert_eq!(code.run(&[]).map(|it| shown(&it)).as_deref(), Ok(expected), "{text} by {format}");
    }
}

/// Returns sample arguments of all kinds.
fn samples() -> Vec<Value> {
    let texts = [
        "undef",
        "true",
        "false",
        "default",
        "0",
        "3",
        "-2",
        "2.5",
        "''",
        "'abc'",
        "'a b'",
        "'10'",
        "'Integer'",
        "/b/",
        "[]",
        "[1, 2, 3]",
        "['b', 'a', 'b']",
        "[1, 'a', undef]",
        "[[1, [2]], [3]]",
        "{}",
        "{'a' => 1, 'b' => 2}",
        "{'a' => {'b' => [1]}}",
        "{1 => 'x'}",
        "Integer",
        "Integer[1, 3]",
        "String",
        "Regexp[/a/]",
        "Enum['a', 'b']",
        "Sensitive('s')",
        "Timestamp(0)",
        "Timespan(90)",
        "SemVer('1.2.3')",
        "Binary('YQ==')",
        "URI('http://a/b')",
        "[1, 2].reverse_each",
        "'%Y'",
    ];
    texts
        .iter()
        .map(|text| Code::new(text).run(&[]).unwrap_or_else(|error| panic!("{text}: {error}")))
        .collect()
}

/// Returns less precise forms of a value.
fn less_exact(value: &Value) -> Vec<Value> {
    let env = &BuiltInTypes;
    let exact = types::infer::infer_set(value, env);
    let general = types::infer::infer_generic(value, env);
    let mut types = vec![exact, Type::optional(general.clone()), general, Type::Any];
    types.dedup();
    // Puppet's common type of some elements does not accept all of them.
    types.retain(|ty| types::assign::fits(ty, value, env) == Fit::Always);
    let mut values: Vec<Value> = types.into_iter().map(|ty| Value::unknown(ty, Origin::Parameter)).collect();
    if let Value::Array(elements) = value {
        let inside =
            elements.iter().map(|it| Value::unknown(types::infer::infer(it, env), Origin::Parameter));
        values.push(Value::array(inside.collect::<Vec<_>>()));
    }
    values
}

const BLOCKS: &[&str] = &[
    "",
    " || { 1 }",
    " |$v| { $v }",
    " |$v| { true }",
    " |$k, $v| { [$k, $v] }",
    " |$k, $v| { compare(String($k), String($v)) }",
    " |$v| { if $v =~ Numeric and $v > 1 { break() } $v }",
    " |$k, $v| { if $v == 'b' { next('x') } $k }",
];

/// Checks that the result for known arguments is an instance of the result for unknown ones.
fn check_soundness(function: &'static BuiltInFunction, samples: &[Value], wrong: &mut Vec<String>) {
    let name = function.name;
    let sizes = || {
        functions::signatures(function)
            .iter()
            .flat_map(|it| it.callable.parameters.as_ref())
            .map(|it| it.size())
    };
    let most = sizes().map(|size| size.max).max().unwrap_or(0).min(3) as usize;
    let least = sizes().map(|size| size.min).min().unwrap_or(0) as usize;
    let blocks = if functions::signatures(function).iter().any(|signature| signature.block.is_some()) {
        BLOCKS
    } else {
        &BLOCKS[..1]
    };
    let variables = ["a", "b", "c"];
    for count in least..=most {
        let list: Vec<String> = variables[..count].iter().map(|name| format!("${name}")).collect();
        for (block_index, block) in blocks.iter().enumerate() {
            let text = format!("$result = {name}({}){block}\n$result", list.join(", "));
            let code = Code::new(&text);
            // There are too many combinations to run all of them, so the strides are coprime to the number of
            // samples.
            let rounds = match count {
                0 => 1,
                1 => samples.len(),
                _ => samples.len() * 4,
            };
            for round in 0..rounds {
                let at = |step: usize| {
                    samples[(round * step + round / samples.len() * 5 + block_index) % samples.len()].clone()
                };
                let arguments: Vec<(&str, Value)> =
                    variables[..count].iter().copied().zip([at(1), at(7), at(11)]).collect();
                let Ok(known) = code.run(&arguments) else { continue };
                for index in 0..count {
                    for unknown in less_exact(&arguments[index].1) {
                        let mut changed = arguments.clone();
                        changed[index].1 = unknown;
                        let failure = match code.run(&changed) {
                            Ok(value) => {
                                if admits(&value, &known) {
                                    continue;
                                } else {
                                    shown(&value)
                                }
                            }
                            Err(message) => format!("error: {message}"),
                        };
                        let given: Vec<String> = changed.iter().map(|(_, value)| shown(value)).collect();
                        wrong.push(format!(
                            "{text}\n    {}\n    {} but {failure}",
                            given.join(" ; "),
                            shown(&known)
                        ));
                    }
                }
            }
        }
    }
}

/// Returns true if `known` is a possible value of `value`.
fn admits(value: &Value, known: &Value) -> bool {
    match (value, known) {
        (Value::Unknown(unknown), known) => {
            types::assign::fits(&unknown.ty, known, &BuiltInTypes) != Fit::Never
        }
        (Value::Array(values), Value::Array(known)) => {
            values.len() == known.len()
                && values.iter().zip(known.iter()).all(|(value, known)| admits(value, known))
        }
        (Value::Hash(values), Value::Hash(known)) => {
            values.len() == known.len()
                && values.values().zip(known.values()).all(|(value, known)| admits(value, known))
        }
        (Value::Iterator(value), Value::Iterator(known)) => admits(&value.source, &known.source),
        (value, known) => value == known,
    }
}

#[test]
fn unknown_results_admit_every_known_one() {
    let samples = samples();
    let mut wrong = Vec::new();
    for function in all_built_in() {
        // Results of these depend on external state: files, data, randomness, jumps.
        if ["break", "next", "return", "fail"].contains(&function.name) {
            continue;
        }
        check_soundness(function, &samples, &mut wrong);
    }
    let shown: Vec<&str> = wrong.iter().take(30).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{} results:\n{}", wrong.len(), shown.join("\n"));
}

/// Checks the table in `hir` of functions whose arguments are names, since `hir` does not know the functions.
#[test]
fn functions_with_name_arguments_exist_and_are_sorted() {
    let names: Vec<&str> = hir::naming_functions().collect();
    assert!(names.is_sorted(), "{names:?}");
    for name in names {
        let is_there = functions::built_in(name).is_some()
            || functions::of_stdlib(name).is_some()
            || plugins::built_in::bolt::function(name).is_some()
            // Written in Puppet's language.
            || name == "stdlib::deferrable_epp";
        assert!(is_there, "{name}");
    }
}
