//! Functions of the 3.x API that read files of modules: `file`, `template`, and `inline_template`.

use std::sync::Arc;

use types::{Origin, Value};

use super::unknown_text;
use crate::call::Call;
use crate::error::Outcome;
use crate::program::{MachineFile, NameKind};

/// What is known about a file.
enum Found {
    Bytes(Arc<[u8]>),
    /// It is outside of what evaluation may read, or the module is not known.
    Perhaps,
    Nothing,
}

fn find(call: &Call, path: &str, folder: &str) -> Found {
    let program = call.evaluator.world.program;
    if path.starts_with('/') {
        return match program.machine_file(path) {
            MachineFile::Content(bytes) => Found::Bytes(bytes),
            MachineFile::Missing => Found::Nothing,
            MachineFile::Unread | MachineFile::Unclear => Found::Perhaps,
        };
    }
    if path.as_bytes().get(1) == Some(&b':') {
        return Found::Perhaps;
    }
    let Some((module, name)) = path.split_once('/') else { return Found::Nothing };
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
    let mut out = Text::default();
    for index in 0..call.arguments.len() {
        let Value::String(path) = call.argument(index).clone() else {
            out.add(&unknown_text(Origin::Template));
            continue;
        };
        let rendered = match find(call, &path, "templates") {
            Found::Bytes(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) => crate::erb::render(call, &format!("the template '{path}'"), text)?,
                Err(_) => unknown_text(Origin::Template),
            },
            Found::Perhaps => unknown_text(Origin::Template),
            Found::Nothing => {
                let message = format!("the template '{path}' does not exist");
                return Err(call.fail_at(index, crate::functions::support::RUNTIME_ERROR, message));
            }
        };
        out.add(&rendered);
    }
    Ok(out.value())
}

pub(super) fn inline_template(call: &mut Call) -> Outcome {
    let mut out = Text::default();
    for index in 0..call.arguments.len() {
        let rendered = match call.argument(index).clone() {
            Value::String(text) => crate::erb::render(call, "the inline template", &text)?,
            _ => unknown_text(Origin::Template),
        };
        out.add(&rendered);
    }
    Ok(out.value())
}

/// Texts put together; unknown where one of them is.
#[derive(Default)]
struct Text {
    known: String,
    unknown: Option<Origin>,
}

impl Text {
    fn add(&mut self, value: &Value) {
        match value {
            Value::String(text) => self.known.push_str(text),
            other => self.unknown = self.unknown.max(other.least_trustworthy()),
        }
    }

    fn value(self) -> Value {
        match self.unknown {
            Some(origin) => unknown_text(origin),
            None => Value::string(self.known),
        }
    }
}
