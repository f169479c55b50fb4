//! Functions of the 3.x API that read files of modules: `file`, `template`, and `inline_template`.

use eval::{Call, Outcome};
use types::{Origin, Value};

use super::variables::unknown_text;
use crate::named_files::{FileContent, find_file};

pub(super) fn file(call: &mut Call) -> Outcome {
    let mut is_certain = true;
    for argument in &call.arguments {
        let found = match argument {
            Value::String(path) => find_file(call, path, "files"),
            _ => FileContent::Unknown,
        };
        match found {
            FileContent::Content(file) if is_certain => {
                let bytes = file.content.strip_prefix("\u{feff}".as_bytes()).unwrap_or(&file.content);
                return Ok(match std::str::from_utf8(bytes) {
                    Ok(text) => Value::string(text),
                    Err(_) => unknown_text(Origin::Ruby),
                });
            }
            FileContent::Content(_) | FileContent::Unknown => is_certain = false,
            FileContent::Missing => {}
        }
    }
    if is_certain {
        let paths: Vec<&str> = call.arguments.iter().filter_map(Value::as_str).collect();
        let message = match paths[..] {
            [path] => format!("file `{path}` not found"),
            _ => format!("none of the files found: {}", paths.join(", ")),
        };
        Err(call.refuse(message))
    } else {
        Ok(unknown_text(Origin::Ruby))
    }
}

pub(super) fn template(call: &mut Call) -> Outcome {
    let mut out = JoinedStrings::default();
    for index in 0..call.arguments.len() {
        let Value::String(path) = call.argument(index).clone() else {
            out.add(&unknown_text(Origin::Template));
            continue;
        };
        let rendered = match find_file(call, &path, "templates") {
            FileContent::Content(file) => match std::str::from_utf8(&file.content) {
                Ok(text) => {
                    let what = format!("template `{path}`");
                    crate::in_ruby::templates::render(call, &what, text, file.path.as_ref())?
                }
                Err(_) => unknown_text(Origin::Template),
            },
            FileContent::Unknown => unknown_text(Origin::Template),
            FileContent::Missing => {
                let message = format!("template `{path}` not found");
                return Err(call.fail_at(index, eval::RUNTIME_ERROR, message));
            }
        };
        out.add(&rendered);
    }
    Ok(out.value())
}

pub(super) fn inline_template(call: &mut Call) -> Outcome {
    let mut out = JoinedStrings::default();
    for index in 0..call.arguments.len() {
        let rendered = match call.argument(index).clone() {
            Value::String(text) => crate::in_ruby::templates::render(call, "inline template", &text, None)?,
            _ => unknown_text(Origin::Template),
        };
        out.add(&rendered);
    }
    Ok(out.value())
}

/// Concatenated strings; unknown if one of them is.
#[derive(Default)]
struct JoinedStrings {
    known: String,
    unknown: Option<Origin>,
}

impl JoinedStrings {
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
