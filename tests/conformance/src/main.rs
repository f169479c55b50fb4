//! Answers recorded questions, one JSON object per line in both directions. README.md describes the
//! protocol.

use std::io::{BufRead, Write};

use conformance::catalogs::{self, Projects};
use conformance::{Question, answer};
use serde_json::{Value, json};

fn main() -> std::io::Result<()> {
    let worker = std::thread::Builder::new().stack_size(eval::STACK_SIZE).spawn(serve)?;
    worker.join().unwrap_or_else(|_| Err(std::io::Error::other("the worker panicked")))
}

fn serve() -> std::io::Result<()> {
    let stdin = std::io::stdin().lock();
    let mut stdout = std::io::stdout().lock();
    let mut projects = Projects::default();
    for line in stdin.lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        let response = match serde_json::from_str::<Value>(&line) {
            Ok(request) => respond(&mut projects, &request),
            Err(error) => json!({ "id": null, "ok": false, "unsupported": format!("not JSON: {error}") }),
        };
        writeln!(stdout, "{response}")?;
        stdout.flush()?;
    }
    Ok(())
}

fn respond(projects: &mut Projects, request: &Value) -> Value {
    let mut response = match request["kind"].as_str() {
        Some("parse") | None => parse(request),
        Some("eval") => eval_cases::evaluation::evaluate(request),
        Some("catalog") => catalogs::catalog(projects, request),
        Some("evict") => catalogs::evict(projects, request),
        Some("lint") => conformance::style::lint(request),
        Some("type_parse") => eval_cases::evaluation::type_parse(request),
        Some(other) => {
            json!({ "ok": false, "unsupported": format!("unsupported kind of question `{other}`") })
        }
    };
    response["id"] = request["id"].clone();
    response
}

fn parse(request: &Value) -> Value {
    let source = match (request["source"].as_str(), request["file"].as_str()) {
        (Some(source), _) => source.to_owned(),
        (None, Some(file)) => match std::fs::read_to_string(file) {
            Ok(source) => source,
            Err(error) => {
                return json!({ "ok": false, "errors": [{ "message": format!("{file}: {error}") }], "warnings": [] });
            }
        },
        (None, None) => return json!({ "ok": false, "unsupported": "expected `source` or `file`" }),
    };
    let file = request["file"].as_str().unwrap_or_default();
    let settings = &request["settings"];
    let question = Question {
        is_template: request["lang"].as_str().map_or(file.ends_with(".epp"), |lang| lang == "epp"),
        tasks: settings["tasks"].as_bool().unwrap_or(false),
        strict: settings["strict"].as_str().unwrap_or("warning").to_owned(),
        location: validation::ExpectedNamespace::Free,
    };
    let answer = answer(&source, &question);
    let findings = |errors: bool| -> Vec<Value> {
        let found = answer.findings.iter().filter(|it| it.is_error == errors);
        found
            .map(|it| json!({ "line": it.line, "pos": it.column, "message": it.message, "code": it.code }))
            .collect()
    };
    json!({ "ok": answer.is_accepted(), "pn": answer.pn, "errors": findings(true), "warnings": findings(false) })
}
