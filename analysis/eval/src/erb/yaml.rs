//! YAML as Ruby writes it, of values whose form is certain: plain words and numbers in lists and hashes.

use super::printing::TEXT_LIMIT;
use super::value::{Object, Ruby, Stop, unsupported};

/// `object.to_yaml`
pub(super) fn document(object: &Object) -> Ruby<String> {
    let mut out = String::from("---");
    match object {
        Object::Array(_) | Object::Hash(_) => {}
        // Alone, a text may end in a line `...`, or not.
        _ => return unsupported(),
    }
    write(&mut out, object, 0, Position::Top)?;
    out.push('\n');
    Ok(out)
}

/// What a collection stands in.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Position {
    Top,
    Element,
    Value,
}

fn write(out: &mut String, object: &Object, indentation: usize, position: Position) -> Ruby<()> {
    if out.len() > TEXT_LIMIT || indentation > 200 {
        return unsupported();
    }
    match object {
        Object::Array(array) => {
            let elements = array.elements.borrow();
            if elements.is_empty() {
                out.push_str(" []");
                return Ok(());
            }
            for (index, element) in elements.iter().enumerate() {
                // A list in a list begins on its line.
                match index == 0 && position == Position::Element {
                    true => out.push(' '),
                    false => start_line(out, indentation),
                }
                out.push('-');
                write(out, element, indentation + 2, Position::Element)?;
            }
        }
        Object::Hash(hash) => {
            let entries = hash.entries.borrow();
            if entries.is_empty() {
                out.push_str(" {}");
                return Ok(());
            }
            for (index, (key, value)) in entries.iter().enumerate() {
                match index == 0 && position == Position::Element {
                    true => out.push(' '),
                    false => start_line(out, indentation),
                }
                out.push_str(&scalar(&key.0)?);
                out.push(':');
                // A list in a hash is not indented.
                let inner = if matches!(value, Object::Array(_)) { indentation } else { indentation + 2 };
                write(out, value, inner, Position::Value)?;
            }
        }
        Object::Nil => {}
        other => {
            out.push(' ');
            out.push_str(&scalar(other)?);
        }
    }
    Ok(())
}

fn start_line(out: &mut String, indentation: usize) {
    out.push('\n');
    out.extend(std::iter::repeat_n(' ', indentation));
}

fn scalar(object: &Object) -> Ruby<String> {
    match object {
        Object::Integer(value) => Ok(value.to_string()),
        Object::Boolean(value) => Ok(value.to_string()),
        Object::Text(text) => {
            let text = text.content.borrow();
            let word = text.to_ascii_lowercase();
            if matches!(word.as_str(), "y" | "n") {
                Ok(format!("\"{text}\""))
            } else if WORDS.contains(&word.as_str()) || is_quoted(&text) {
                Ok(format!("'{text}'"))
            } else if is_plain(&text) {
                Ok(text.clone())
            } else {
                unsupported()
            }
        }
        Object::Unknown(origin) => Err(Stop::Unknown(*origin)),
        _ => unsupported(),
    }
}

/// Words that would be read as something else than texts.
const WORDS: &[&str] = &["yes", "no", "true", "false", "on", "off", "null"];

/// A text that certainly needs no quotes.
fn is_plain(text: &str) -> bool {
    let is_usual = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/');
    let starts_well = text.starts_with(|c: char| c.is_ascii_alphabetic());
    // Long texts with blanks are broken.
    let has_words = text.len() < 50 && !text.ends_with(' ') && text.chars().all(|c| is_usual(c) || c == ' ');
    starts_well && (text.chars().all(is_usual) || has_words)
}

/// A text that certainly stands in single quotes.
fn is_quoted(text: &str) -> bool {
    text.is_empty()
        || text.len() < 15
            && text.bytes().all(|byte| byte.is_ascii_digit())
            && (text == "0" || !text.starts_with('0'))
}
