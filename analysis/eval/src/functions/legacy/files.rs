//! Functions of the 3.x API that read files of modules: `file`, `template`, and `inline_template`.

use std::sync::Arc;

use types::{Origin, Value};

use super::{Seen, erb, unknown_text, variable};
use crate::call::Call;
use crate::error::Outcome;
use crate::functions::ruby;
use crate::program::NameKind;

/// What is known about a file of a module.
enum Found {
    Bytes(Arc<[u8]>),
    /// It is outside of what evaluation may read, or the module is not known.
    Perhaps,
    Nothing,
}

fn find(call: &Call, path: &str, folder: &str) -> Found {
    if path.starts_with('/') || path.as_bytes().get(1) == Some(&b':') {
        return Found::Perhaps;
    }
    let Some((module, name)) = path.split_once('/') else { return Found::Nothing };
    let program = call.evaluator.world.program;
    let name = format!("{folder}/{name}");
    match program.module_file(module, &name) {
        Some(bytes) => Found::Bytes(bytes),
        None if program.has_module_file(module, &name) => Found::Perhaps,
        None if program.may_define(NameKind::Class, module) => Found::Perhaps,
        None => Found::Nothing,
    }
}

pub(super) fn file(call: &mut Call) -> Outcome {
    let mut is_certain = true;
    for argument in &call.arguments {
        let found = match argument {
            Value::String(path) => find(call, path, "files"),
            _ => Found::Perhaps,
        };
        match found {
            Found::Bytes(bytes) if is_certain => {
                let bytes = bytes.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&bytes);
                return Ok(match std::str::from_utf8(bytes) {
                    Ok(text) => Value::string(text),
                    Err(_) => unknown_text(Origin::Ruby),
                });
            }
            Found::Bytes(_) | Found::Perhaps => is_certain = false,
            Found::Nothing => {}
        }
    }
    match is_certain {
        true => Err(call.refuse("none of these files exists")),
        false => Ok(unknown_text(Origin::Ruby)),
    }
}

pub(super) fn template(call: &mut Call) -> Outcome {
    let mut out = Some(String::new());
    for index in 0..call.arguments.len() {
        let Value::String(path) = call.argument(index) else {
            out = None;
            continue;
        };
        let rendered = match find(call, path, "templates") {
            Found::Bytes(bytes) => std::str::from_utf8(&bytes).ok().and_then(|text| render(call, text)),
            Found::Perhaps => None,
            Found::Nothing => {
                let message = format!("the template '{path}' does not exist");
                return Err(call.fail_at(index, crate::functions::support::RUNTIME_ERROR, message));
            }
        };
        append(&mut out, rendered);
    }
    Ok(out.map_or_else(|| unknown_text(Origin::Template), Value::string))
}

pub(super) fn inline_template(call: &mut Call) -> Outcome {
    let mut out = Some(String::new());
    for argument in &call.arguments {
        let rendered = argument.as_str().and_then(|text| render(call, text));
        append(&mut out, rendered);
    }
    Ok(out.map_or_else(|| unknown_text(Origin::Template), Value::string))
}

fn append(out: &mut Option<String>, rendered: Option<String>) {
    match (&mut *out, rendered) {
        (Some(text), Some(rendered)) => text.push_str(&rendered),
        _ => *out = None,
    }
}

fn render(call: &Call, template: &str) -> Option<String> {
    erb::render(template, |name| match variable(call, name) {
        Seen::Value(value) => ruby::modern_to_s(&value, call.env()),
        Seen::Nothing => Some(String::new()),
        Seen::NotKnown(_) => None,
    })
}
