//! Data formats: JSON, YAML and others.

use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, Outcome};
use types::{Origin, Type, TypeEnvironment, Value};

use super::toml::TomlError;
use crate::legacy::legacy;
use crate::support::{also, function, known};

const PRETTY_OPTIONS: &str = "(Variant[Hash, Array] $data, Optional[Boolean] $skip_undef = false, Struct[{\
    indent => Optional[String], space => Optional[String], space_before => Optional[String], \
    object_nl => Optional[String], array_nl => Optional[String], allow_nan => Optional[Boolean], \
    max_nesting => Optional[Integer[-1, default]]}] $opts = {}) >> String";

const TO_JSON: BuiltInFunction =
    function("to_json", "Formats a value as JSON on one line.", &[known("(Any $data) >> String", to_json)]);

const TO_JSON_PRETTY: BuiltInFunction = function(
    "to_json_pretty",
    "Formats a hash or array as indented JSON.",
    &[known(PRETTY_OPTIONS, to_json_pretty)],
);

const TO_PYTHON: BuiltInFunction = function(
    "to_python",
    "Formats a value as a Python literal.",
    &[known("(Any $object) >> String", to_python)],
);

const TO_RUBY: BuiltInFunction =
    function("to_ruby", "Formats a value as a Ruby literal.", &[known("(Any $object) >> String", to_ruby)]);

const TO_TOML: BuiltInFunction =
    function("to_toml", "Formats a hash as TOML.", &[known("(Hash $data) >> String", to_toml)]);

const TO_YAML: BuiltInFunction = function(
    "to_yaml",
    "Formats a value as YAML.",
    &[known("(Any $data, Hash $options = {}) >> String", to_yaml)],
);

pub(super) const TABLE: &[BuiltInFunction] = &[
    function(
        "parsehocon",
        "Parses HOCON; returns a default if it is invalid.",
        &[known("(String $hocon_string, Any $default = undef) >> Any", parsehocon)],
    ),
    legacy(
        "parsejson",
        "Parses JSON; returns a default if it is invalid.",
        &[known("(Any $text, Any $default = undef, Any *$more) >> Any", parsejson)],
    ),
    function(
        "parsepson",
        "Parses PSON; returns a default if it is invalid.",
        &[known("(String[1] $pson_string, Any $default = undef) >> Any", parsepson)],
    ),
    legacy(
        "parseyaml",
        "Parses YAML; returns a default if it is invalid.",
        &[known("(Any $text, Any $default = undef, Any *$more) >> Any", parseyaml)],
    ),
    also("stdlib::to_json", TO_JSON),
    also("stdlib::to_json_pretty", TO_JSON_PRETTY),
    also("stdlib::to_python", TO_PYTHON),
    also("stdlib::to_ruby", TO_RUBY),
    also("stdlib::to_toml", TO_TOML),
    also("stdlib::to_yaml", TO_YAML),
    TO_JSON,
    TO_JSON_PRETTY,
    TO_PYTHON,
    TO_RUBY,
    TO_TOML,
    TO_YAML,
];

fn parsejson(call: &mut Call) -> Outcome {
    let parsed = match call.argument(0) {
        Value::String(text) => hiera::json::parse(text),
        other => Err(format!("expected a string with JSON, found `{}`", ruby::class_name(other))),
    };
    parsed_or_default(call, parsed)
}

/// Parses PSON, an older variant of JSON that accepts only hashes and arrays, even if they are unterminated.
fn parsepson(call: &mut Call) -> Outcome {
    let text = call.string(0);
    let inside = text.trim_matches([' ', '\t', '\r', '\n']);
    match (inside, hiera::json::parse(text)) {
        ("{", _) => return Ok(Value::hash([])),
        ("[", _) => return Ok(Value::array([])),
        (inside, Ok(value)) if inside.starts_with(['{', '[']) => return Ok(value),
        // A comment may precede the data, and the two formats differ in what they accept.
        (inside, _) if inside.starts_with(['{', '[', '/']) => return Ok(call.unknown(Type::Any)),
        _ => {}
    }
    match call.arguments.get(1) {
        Some(default) => Ok(default.clone()),
        None => Err(call.fail_at(0, Code::RuntimeError, "invalid PSON; expected a hash or an array")),
    }
}

fn parseyaml(call: &mut Call) -> Outcome {
    let parsed = match call.argument(0) {
        Value::String(text) => parse_yaml(text),
        other => Err(format!("expected a string with YAML, found `{}`", ruby::class_name(other))),
    };
    parsed_or_default(call, parsed)
}

/// Parses YAML. Data that only some versions of stdlib accept (dates, symbols) is unknown.
pub(super) fn parse_yaml(text: &str) -> Result<Value, String> {
    let (root, failures) = hiera::yaml::read(text);
    if let Some(failure) = failures.iter().find(|it| it.kind == hiera::DataFindingKind::Syntax) {
        return Err(failure.message.clone());
    }
    if failures.iter().any(|it| it.kind != hiera::DataFindingKind::DuplicateKey) {
        return Ok(Value::unknown(Type::Any, Origin::Ruby));
    }
    Ok(root.map_or(Value::Boolean(false), |root| root.value))
}

fn parsehocon(call: &mut Call) -> Outcome {
    let (root, failures) = hiera::hocon::read(call.string(0));
    let default = call.arguments.get(1);
    match (failures.iter().find(|it| it.kind == hiera::DataFindingKind::Syntax), default) {
        (Some(_), Some(default)) => Ok(default.clone()),
        (Some(failure), None) => Err(call.fail_at(0, Code::RuntimeError, failure.message.clone())),
        (None, _) if root.as_ref().is_some_and(|root| matches!(root.value, Value::Array(_))) => {
            Err(call.fail_at(0, Code::RuntimeError, "expected a hash in HOCON, found a list"))
        }
        // Values from the environment of the process are unknown.
        (None, _) => Ok(match root {
            Some(root) if failures.is_empty() => root.value,
            _ => Value::unknown(Type::Any, Origin::Ruby),
        }),
    }
}

fn parsed_or_default(call: &Call, parsed: Result<Value, String>) -> Outcome {
    let default = call.arguments.get(1).filter(|default| default.truth() == Some(true)).cloned();
    match (parsed, default) {
        (Ok(value), None) if call.has(1) || value.truth() == Some(true) => Ok(value),
        (Ok(Value::Boolean(false) | Value::Undef), default) => Ok(default.unwrap_or(Value::Undef)),
        (Ok(value), _) => Ok(value),
        (Err(_), Some(default)) => Ok(default),
        (Err(failure), None) => Err(call.fail_at(0, Code::RuntimeError, failure)),
    }
}

/// Formatting options for JSON.
struct JsonLayout<'l> {
    indent: &'l str,
    space: &'l str,
    space_before: &'l str,
    object_line: &'l str,
    array_line: &'l str,
    /// Maximum nesting depth.
    depth: usize,
    allows_nan: bool,
}

/// Reason that a value cannot be converted to JSON.
enum JsonError {
    Unknown,
    NotANumber,
    TooDeep,
}

const MAX_DEPTH: usize = 100;

fn to_json(call: &mut Call) -> Outcome {
    let layout = JsonLayout {
        indent: "",
        space: "",
        space_before: "",
        object_line: "",
        array_line: "",
        depth: MAX_DEPTH,
        allows_nan: false,
    };
    json(call, call.argument(0), &layout).map(Value::string)
}

fn json(call: &Call, value: &Value, layout: &JsonLayout) -> Outcome<String> {
    let mut out = String::new();
    match write_json(&mut out, value, layout, 0, call.env()) {
        Ok(()) => Ok(out),
        Err(JsonError::NotANumber) => Err(call.refuse("number cannot be represented in JSON")),
        Err(JsonError::TooDeep) => Err(call.refuse("data is nested too deeply for JSON")),
        Err(JsonError::Unknown) => Err(call.refuse("value cannot be represented in JSON")),
    }
}

fn to_json_pretty(call: &mut Call) -> Outcome {
    let option =
        |name: &str, default: &'static str| match call.argument(2).as_hash().and_then(|it| it.get_text(name))
        {
            Some(Value::String(text)) => text.to_string(),
            _ => default.to_owned(),
        };
    let [indent, space, space_before, object_line, array_line] =
        [("indent", "  "), ("space", " "), ("space_before", ""), ("object_nl", "\n"), ("array_nl", "\n")]
            .map(|(name, default)| option(name, default));
    let given = |name: &str| call.argument(2).as_hash().and_then(|it| it.get_text(name));
    let depth = match given("max_nesting") {
        Some(Value::Integer(depth)) if *depth > 0 => *depth as usize,
        Some(_) => usize::MAX,
        None => MAX_DEPTH,
    };
    let layout = JsonLayout {
        indent: &indent,
        space: &space,
        space_before: &space_before,
        object_line: &object_line,
        array_line: &array_line,
        depth,
        allows_nan: given("allow_nan") == Some(&Value::Boolean(true)),
    };
    let data = match (call.argument(1), call.argument(0)) {
        (Value::Boolean(true), Value::Array(elements)) => {
            Value::array(elements.iter().filter(|element| !element.is_undef()).cloned().collect::<Vec<_>>())
        }
        (Value::Boolean(true), Value::Hash(entries)) => {
            let rest = entries.iter().filter(|(_, value)| !value.is_undef());
            Value::hash(rest.map(|(key, value)| (key.clone(), value.clone())))
        }
        (_, data) => data.clone(),
    };
    Ok(Value::string(json(call, &data, &layout)? + "\n"))
}

fn write_json(
    out: &mut String,
    value: &Value,
    layout: &JsonLayout,
    depth: usize,
    env: &dyn TypeEnvironment,
) -> Result<(), JsonError> {
    let is_collection = matches!(value, Value::Array(_) | Value::Hash(_));
    if is_collection && depth >= layout.depth {
        return Err(JsonError::TooDeep);
    }
    let indent = |out: &mut String, line: &str, depth: usize| {
        out.push_str(line);
        out.push_str(&layout.indent.repeat(depth));
    };
    match value {
        Value::Undef => out.push_str("null"),
        Value::Boolean(_) | Value::Integer(_) => {
            out.push_str(&ruby::to_s(value, env).ok_or(JsonError::Unknown)?)
        }
        Value::Float(number) if !number.0.is_finite() && !layout.allows_nan => {
            return Err(JsonError::NotANumber);
        }
        Value::Float(number) => out.push_str(&scalars::numbers::float_text(number.0)),
        Value::Array(elements) => {
            out.push('[');
            if elements.is_empty() {
                out.push_str(layout.array_line);
            }
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                indent(out, layout.array_line, depth + 1);
                write_json(out, element, layout, depth + 1, env)?;
            }
            indent(out, layout.array_line, depth);
            out.push(']');
        }
        Value::Hash(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                indent(out, layout.object_line, depth + 1);
                scalars::json::write_text(out, &ruby::modern_to_s(key, env).ok_or(JsonError::Unknown)?);
                out.extend([layout.space_before, ":", layout.space]);
                write_json(out, value, layout, depth + 1, env)?;
            }
            indent(out, layout.object_line, depth);
            out.push('}');
        }
        other => scalars::json::write_text(out, &ruby::modern_to_s(other, env).ok_or(JsonError::Unknown)?),
    }
    Ok(())
}

fn to_yaml(call: &mut Call) -> Outcome {
    // Before version 8.2, names of options were strings, which Ruby ignores.
    let options = call.argument(1).as_hash().filter(|_| !super::support::is_stdlib_before(call, "8.2.0"));
    let options = options.cloned().unwrap_or_default();
    let number = |name: &str| match options.get_text(name) {
        Some(Value::Integer(number)) => Some(*number),
        _ => None,
    };
    let layout =
        hiera::yaml::YamlFormat { indentation: number("indentation"), line_width: number("line_width") };
    // Unknown option names are ignored.
    let is_understood = options.iter().all(|(name, value)| match name.as_str() {
        Some("indentation" | "line_width") => matches!(value, Value::Integer(_)),
        Some("canonical" | "header" | "version" | "stringify_names") | None => false,
        Some(_) => true,
    });
    let most = call.evaluator.world.settings.bounds.size;
    let text = if is_understood { hiera::yaml::write(call.argument(0), layout, most) } else { None };
    Ok(text.map_or_else(|| Value::unknown(Type::STRING, Origin::Ruby), Value::string))
}

fn to_toml(call: &mut Call) -> Outcome {
    let data = call.argument(0).clone();
    call.weigh(&data)?;
    let Some(table) = data.as_hash() else { return Ok(call.unknown(Type::STRING)) };
    match super::toml::write(table, call.env()) {
        Ok(text) => Ok(Value::string(text)),
        Err(TomlError::Unknown) => Ok(call.unknown(Type::STRING)),
        Err(TomlError::MixedList) => {
            Err(call.refuse("list of tables contains an element that is not a table"))
        }
    }
}

fn to_ruby(call: &mut Call) -> Outcome {
    literal(call, &|value, env| ruby::inspect(value, env), " => ")
}

fn to_python(call: &mut Call) -> Outcome {
    let scalar = |value: &Value, env: &dyn TypeEnvironment| match value {
        Value::Undef => Some("None".to_owned()),
        Value::Boolean(true) => Some("True".to_owned()),
        Value::Boolean(false) => Some("False".to_owned()),
        other => ruby::inspect(other, env),
    };
    literal(call, &scalar, ": ")
}

type ScalarWriter<'s> = &'s dyn Fn(&Value, &dyn TypeEnvironment) -> Option<String>;

fn literal(call: &Call, scalar: ScalarWriter, arrow: &str) -> Outcome {
    let env = call.env();
    let text = types::rich_data::rich_data(call.argument(0), env)
        .ok()
        .and_then(|data| literal_of(&data, scalar, arrow, env));
    Ok(text.map_or_else(|| Value::unknown(Type::STRING, Origin::Ruby), Value::string))
}

fn literal_of(value: &Value, scalar: ScalarWriter, arrow: &str, env: &dyn TypeEnvironment) -> Option<String> {
    Some(match value {
        Value::Array(elements) => {
            let parts: Option<Vec<String>> =
                elements.iter().map(|element| literal_of(element, scalar, arrow, env)).collect();
            format!("[{}]", parts?.join(", "))
        }
        Value::Hash(entries) => {
            let entry = |(key, value): (&Value, &Value)| {
                let (key, value) =
                    (literal_of(key, scalar, arrow, env)?, literal_of(value, scalar, arrow, env)?);
                Some(format!("{key}{arrow}{value}"))
            };
            let parts: Option<Vec<String>> = entries.iter().map(entry).collect();
            format!("{{{}}}", parts?.join(", "))
        }
        other => scalar(other, env)?,
    })
}
