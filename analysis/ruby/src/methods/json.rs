//! JSON and YAML.

use scalars::json::write_text;
use types::{TypeEnvironment, Value};

use super::super::interpreter::Interpreter;
use super::super::printing::{TEXT_LIMIT, to_s};
use super::super::value::{Object, Ruby, Stop, raise, unsupported};
use super::super::yaml;
use super::{
    ARRAY, BOOLEAN, CONSTANT, FOREIGN, HASH, MethodInvocation, MethodRow, NIL, NUMBER, SYMBOL, TEXT, row,
};

const DATA: super::ObjectKinds = NIL | BOOLEAN | NUMBER | TEXT | SYMBOL | ARRAY | HASH | FOREIGN;

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("to_json", DATA, 0, 0, |ruby, it| generated(ruby, &it.receiver, None)),
    row("generate", CONSTANT, 1, 1, |ruby, it| {
        if is_module(it, "JSON") { generated(ruby, it.argument(0), None) } else { unsupported() }
    }),
    row("parse", CONSTANT, 1, 1, |_, it| {
        if is_module(it, "JSON") { parsed(&it.text_argument(0)?) } else { unsupported() }
    }),
    row("pretty_generate", CONSTANT, 1, 1, |ruby, it| {
        if is_module(it, "JSON") { generated(ruby, it.argument(0), Some(0)) } else { unsupported() }
    }),
    row("to_yaml", DATA, 0, 0, |_, it| Ok(Object::text(yaml::document(&it.receiver)?))),
    row("dump", CONSTANT, 1, 1, |_, it| {
        if is_module(it, "YAML") || is_module(it, "Psych") {
            Ok(Object::text(yaml::document(it.argument(0))?))
        } else {
            unsupported()
        }
    }),
];

fn parsed(text: &str) -> Ruby {
    match hiera::json::parse(text) {
        Ok(value) if value.is_known() => Ok(Object::from_puppet(&value)),
        Ok(_) => unsupported(),
        // Versions of the library differ in what they accept: `NaN`, a trailing comma, and so on.
        Err(_) => unsupported(),
    }
}

fn is_module(it: &MethodInvocation<'_>, path: &str) -> bool {
    matches!(&it.receiver, Object::Constant(known) if known == path)
}

fn generated(ruby: &mut Interpreter<'_>, object: &Object, indentation: Option<usize>) -> Ruby {
    let mut out = String::new();
    write(&mut out, object, indentation, ruby.host.env())?;
    ruby.charge(out.len())?;
    Ok(Object::text(out))
}

fn write(
    out: &mut String,
    object: &Object,
    indentation: Option<usize>,
    env: &dyn TypeEnvironment,
) -> Ruby<()> {
    let inner = indentation.map(|depth| depth + 1);
    if out.len() > TEXT_LIMIT || inner.is_some_and(|depth| depth > 90) {
        return unsupported();
    }
    match object {
        Object::Nil => out.push_str("null"),
        Object::Float(value) if !value.is_finite() => return raise("number not allowed in JSON"),
        Object::Boolean(_) | Object::Integer(_) | Object::Float(_) => out.push_str(&to_s(object, env)?),
        Object::Text(text) => write_text(out, &text.content.borrow()),
        Object::Symbol(name) => write_text(out, name),
        Object::Array(array) => {
            let elements = array.elements.borrow();
            // The pretty format of empty collections depends on the version of the library.
            if elements.is_empty() && indentation.is_some() {
                return unsupported();
            }
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                new_line(out, inner);
                write(out, element, inner, env)?;
            }
            new_line(out, indentation);
            out.push(']');
        }
        Object::Hash(hash) => {
            let entries = hash.entries.borrow();
            if entries.is_empty() && indentation.is_some() {
                return unsupported();
            }
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                new_line(out, inner);
                write_text(out, &to_s(&key.0, env)?);
                out.push_str(if indentation.is_some() { ": " } else { ":" });
                write(out, value, inner, env)?;
            }
            new_line(out, indentation);
            out.push('}');
        }
        // Types and bytes have no JSON representation and are written as strings.
        Object::Foreign(Value::Type(ty)) if !ty.is_resource_object() => write_text(out, &to_s(object, env)?),
        Object::Foreign(Value::Binary(_)) => write_text(out, &to_s(object, env)?),
        Object::Unknown(origin) => return Err(Stop::Unknown(*origin)),
        _ => return unsupported(),
    }
    Ok(())
}

/// Starts a new line in pretty format.
fn new_line(out: &mut String, depth: Option<usize>) {
    if let Some(depth) = depth {
        out.push('\n');
        out.extend(std::iter::repeat_n("  ", depth));
    }
}
