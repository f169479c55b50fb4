//! Comparison of our results with the tables in `eval/`.

use std::path::Path;
use std::sync::Arc;

use eval::{Evaluation, Session, SessionDiagnostic};
use serde_json::json;

use crate::evaluation;
use crate::read::{EvalCase, LogMessage, eval_folder};

const LINE: &str = "line of the error";

/// Difference between our answer to a case and Puppet's.
#[derive(Clone, Debug)]
pub struct Difference {
    /// True if only the line of the error differs and the outcome is the same.
    pub is_line: bool,
    pub text: String,
}

/// Returns the differences between our answer to a case and Puppet's; empty if they agree.
pub fn differences(case: &EvalCase) -> Vec<Difference> {
    let mut session = session_for(case);
    let Evaluation { result, logs, .. } = session.evaluate("", &case.source);
    // A crash of Puppet itself says nothing about the language.
    if case.error.as_ref().is_some_and(|error| error.code == "CRASH") {
        return Vec::new();
    }
    let mut found = Vec::new();
    let mut compare = |what: &str, ours: String, theirs: String| {
        if ours != theirs {
            let text = format!("{what}: ours {ours}, Puppet's {theirs}");
            found.push(Difference { is_line: what == LINE, text });
        }
    };
    match (&result, &case.error) {
        (Ok(value), None) => {
            let (notation, ty) = session.with_world(|world| {
                let ty = types::infer::infer_set(value, world);
                (types::text::to_notation(value, world), types::display::type_text(&ty, world))
            });
            let expected = |text: &Option<String>, ours: &str| match text.as_deref() {
                // Puppet cannot print the value.
                None | Some("?") => ours.to_owned(),
                Some(text) => text.to_owned(),
            };
            compare("value", notation.clone(), expected(&case.value, &notation));
            compare("type", ty.clone(), expected(&case.r#type, &ty));
        }
        (Ok(value), Some(error)) => {
            let notation = session.with_world(|world| types::text::to_notation(value, world));
            compare("result", notation, format!("{} at {:?}", error.code, error.line));
        }
        (Err(_), None) if case.value.as_deref() == Some("?") => {}
        (Err(problems), None) => compare("result", shown(problems), case.value.clone().unwrap_or_default()),
        (Err(problems), Some(error)) => {
            if error.line.is_some() {
                let line = problems.first().and_then(|problem| problem.location).map(|place| place.line);
                compare(
                    LINE,
                    format!("{line:?} {}", shown(problems)),
                    format!("{:?} {}", error.line, shown(problems)),
                );
            }
        }
    }
    let ours = logs.iter().map(|log| (log.level.name(), log.message.as_str()));
    let ours: Vec<_> = ours.filter(|(level, _)| *level != "debug").collect();
    if !agree_on_logs(&ours, case) {
        compare("logs", format!("{ours:?}"), format!("{:?}", case.logs));
    }
    found
}

/// Prepares a session with the settings, facts, and modules of a case.
fn session_for(case: &EvalCase) -> Session {
    let settings = &case.settings;
    let request = json!({ "strict": settings.strict, "strict_variables": settings.strict_variables });
    let mut session = functions::session(evaluation::settings(&request));
    let facts = settings.facts.as_object().cloned().unwrap_or_default();
    evaluation::set_facts(&mut session, "conformance", facts);
    session.program.reads_this_machine = true;
    session.node = settings.catalog.then(|| "node.example.com".into());
    if settings.modules {
        session.program.set_modules_folder("/conformance/modules");
        add_modules(&mut session, &eval_folder().join("modules"));
    }
    session
}

/// Compares levels and messages of logs. Only messages of the program itself must be equal.
fn agree_on_logs(ours: &[(&str, &str)], case: &EvalCase) -> bool {
    ours.len() == case.logs.len()
        && ours.iter().zip(&case.logs).all(|((level, message), theirs)| {
            *level == theirs.level
                && match &theirs.message {
                    LogMessage::Program(text) => text == message,
                    LogMessage::Puppet(_) => true,
                }
        })
}

fn shown(problems: &[SessionDiagnostic]) -> String {
    problems.first().map_or_else(|| "an error".to_owned(), |it| format!("error {}: {}", it.code, it.message))
}

/// Returns true if Puppet's autoloader would find the definition, which requires that the file has
/// the name of the function or type.
fn is_found_by_name(module: &str, inner: &str, text: &str) -> bool {
    let below = inner.strip_prefix("functions/").or_else(|| inner.strip_prefix("types/"));
    let Some(path) = below.and_then(|path| path.strip_suffix(".pp")) else { return true };
    let expected = format!("{module}::{}", path.replace('/', "::"));
    let lowered = hir::lower_file(&syntax::parse(text, syntax::Language::Manifest));
    lowered.definitions.iter().any(|definition| definition.key.name == expected)
}

/// Adds all files of a folder with one subfolder per module.
fn add_modules(session: &mut Session, folder: &Path) {
    let mut waiting = vec![folder.to_owned()];
    while let Some(current) = waiting.pop() {
        let Ok(entries) = std::fs::read_dir(&current) else { continue };
        for path in entries.flatten().map(|entry| entry.path()) {
            if path.is_dir() {
                waiting.push(path);
                continue;
            }
            let Ok(relative) = path.strip_prefix(folder) else { continue };
            let relative = relative.to_string_lossy().replace('\\', "/");
            let (Some((module, inner)), Ok(bytes)) = (relative.split_once('/'), std::fs::read(&path)) else {
                continue;
            };
            if let (true, Ok(text)) = (inner.ends_with(".pp"), std::str::from_utf8(&bytes)) {
                // Errors in the file show up in the cases that use it.
                if is_found_by_name(module, inner, text) {
                    let _ = session.define(&relative, text);
                }
            }
            session.program.add_module_file(module, inner, Arc::from(bytes));
        }
    }
}
