//! Answers to questions about evaluation and types.

use codes::Code;
use std::sync::Arc;

use eval::{Evaluation, EvaluationSettings, LogLevel, Session, SessionDiagnostic};
use serde_json::{Map, Value as Json, json};
use types::rich_data::from_json;
use types::{NamedType, TypeEnvironment, Value};
use validation::{PuppetVersion, Strict};

/// Answers a question of kind `eval`. README.md describes its fields.
pub fn evaluate(request: &Json) -> Json {
    let mut session = functions::session(settings(&request["settings"]));
    session.program.reads_this_machine = true;
    let empty = Map::new();
    set_facts(&mut session, "oracle", request["facts"].as_object().cloned().unwrap_or_default());
    for (name, value) in request["vars"].as_object().unwrap_or(&empty) {
        session.set_variable(name.as_str(), from_json(value));
    }
    for (path, text) in request["files"].as_object().unwrap_or(&empty) {
        let text = text.as_str().unwrap_or_default();
        if path.ends_with(".pp") {
            let _ = session.define(path, text);
        }
        if let Some((module, relative)) = path.split_once('/') {
            session.program.add_module_file(module, relative, Arc::from(text.as_bytes()));
        }
    }
    let mut logs = Vec::new();
    let mut last = None;
    for step in &steps(request, &mut session) {
        let Evaluation { result, logs: more, .. } = session.evaluate("", step);
        logs.extend(more);
        let is_error = result.is_err();
        last = Some(result);
        if is_error {
            break;
        }
    }
    let mut logs: Vec<Json> =
        logs.iter().map(|log| json!({ "level": log.level.name(), "message": log.message })).collect();
    match last {
        Some(Ok(value)) => {
            let (notation, ty, plain) = session.with_world(|world| {
                let ty = types::infer::infer_set(&value, world);
                (
                    types::text::to_notation(&value, world),
                    types::display::type_text(&ty, world),
                    to_json(&value, world),
                )
            });
            json!({ "ok": true, "value": notation, "type": ty, "json": plain, "logs": logs })
        }
        Some(Err(problems)) => {
            logs.extend(
                problems.iter().map(|it| json!({ "level": LogLevel::Err.name(), "message": it.message })),
            );
            json!({ "ok": false, "error": error(&problems), "logs": logs })
        }
        None => json!({ "ok": false, "error": { "message": "nothing to evaluate" }, "logs": logs }),
    }
}

/// Returns the sources to evaluate one after another, and defines the variables that a call uses.
fn steps(request: &Json, session: &mut Session) -> Vec<String> {
    let mut steps = Vec::new();
    if let Some(pre) = request["pre"].as_str().filter(|pre| !pre.is_empty()) {
        steps.push(pre.to_owned());
    }
    for (name, expression) in request["puppet_vars"].as_object().into_iter().flatten() {
        steps.push(format!("${name} = {}", expression.as_str().unwrap_or_default()));
    }
    match request["call"].as_str() {
        Some(function) => {
            let arguments = request["args"].as_array().cloned().unwrap_or_default();
            let names: Vec<String> = (0..arguments.len()).map(|index| format!("__argument{index}")).collect();
            for (name, argument) in names.iter().zip(&arguments) {
                session.set_variable(name.as_str(), from_json(argument));
            }
            let list: Vec<String> = names.iter().map(|name| format!("${name}")).collect();
            steps.push(format!("{function}({})", list.join(", ")));
        }
        None => steps.push(request["code"].as_str().unwrap_or_default().to_owned()),
    }
    steps
}

/// Puppet reports a location only for a single error.
fn error(problems: &[SessionDiagnostic]) -> Json {
    let message = problems.first().map_or("", |it| it.message.as_str());
    match problems {
        [SessionDiagnostic { location: Some(location), code, .. }]
            if !matches!(code, Code::IllegalBreak | Code::IllegalJump) =>
        {
            json!({ "message": message, "line": location.line, "pos": location.column, "code": code.as_str() })
        }
        _ => json!({ "message": message, "code": problems.first().map(|it| it.code.as_str()) }),
    }
}

/// Sets the top-scope variables that exist before a program starts.
pub fn set_facts(session: &mut Session, environment: &str, facts: Map<String, Json>) {
    let facts = from_json(&Json::Object(facts)).as_hash().cloned();
    session.set_top_variables(environment, facts.unwrap_or_default());
}

pub fn settings(request: &Json) -> EvaluationSettings {
    let major = request["puppet_version"].as_u64().and_then(|it| u32::try_from(it).ok());
    let version = major.and_then(PuppetVersion::from_major).unwrap_or(PuppetVersion::V7);
    let defaults = EvaluationSettings::of(version);
    let strict = match request["strict"].as_str() {
        Some("off") => Strict::Off,
        Some("error") => Strict::Error,
        Some("warning") => Strict::Warning,
        _ => defaults.strict,
    };
    let strict_variables = request["strict_variables"].as_bool().unwrap_or(defaults.strict_variables);
    EvaluationSettings { strict, strict_variables, ..defaults }
}

/// Answers a question of kind `type_parse`.
pub fn type_parse(request: &Json) -> Json {
    struct Named;
    impl TypeEnvironment for Named {
        fn named_type(&self, name: &str) -> Option<NamedType> {
            types::object::built_in_named_type(&hir::fold_name(name))
        }
        fn resource_type_exists(&self, name: &str) -> bool {
            plugins::built_in::is_core_resource_type(&hir::fold_name(name))
        }
    }
    match types::parse::parse_type(request["text"].as_str().unwrap_or_default(), &Named) {
        Ok(ty) => json!({ "ok": true, "type": types::display::type_text(&ty, &Named) }),
        Err(error) => json!({ "ok": false, "error": { "message": error.to_string() } }),
    }
}

/// Converts a value to plain JSON. Values without a JSON equivalent use the encoding described in
/// the README of the shared sets.
pub fn to_json(value: &Value, env: &dyn TypeEnvironment) -> Json {
    match value {
        Value::Undef => Json::Null,
        Value::Default => json!({ "__ptype": "Default" }),
        Value::Boolean(value) => json!(value),
        Value::Integer(value) => json!(value),
        Value::WideInteger(value) => {
            u64::try_from(**value).map_or_else(|_| json!(**value as f64), |value| json!(value))
        }
        Value::Float(value) if value.0.is_finite() => json!(value.0),
        Value::Float(value) => json!({ "__float": types::text::to_notation(&Value::Float(*value), env) }),
        Value::String(text) => json!(text.as_str()),
        Value::Array(elements) => elements.iter().map(|it| to_json(it, env)).collect(),
        Value::Hash(entries)
            if entries.keys().all(|key| matches!(key, Value::String(_) | Value::Default)) =>
        {
            let pairs = entries
                .iter()
                .map(|(key, value)| (key.as_str().unwrap_or("default").to_owned(), to_json(value, env)));
            Json::Object(pairs.collect())
        }
        Value::Hash(entries) => {
            let pairs: Vec<Json> =
                entries.iter().map(|(key, value)| json!([to_json(key, env), to_json(value, env)])).collect();
            json!({ "__phash": pairs })
        }
        other => json!({ "__p": types::text::to_notation(other, env) }),
    }
}
