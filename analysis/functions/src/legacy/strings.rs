//! Functions of the 3.x API that return strings and numbers.

use codes::Code;
use conversions::ruby;
use eval::{Call, DELIBERATE_FAILURE, MachineFile, Outcome};
use md5::Md5;
use scalars::sprintf::{self, Argument};
use sha1::Sha1;
use sha2::{Digest, Sha256};
use types::{Origin, Type, TypeEnvironment, Value};

use super::Random;
use super::variables::{VisibleVariable, fact, unknown_text};

pub(super) fn fail(call: &mut Call) -> Outcome {
    let texts: Option<Vec<String>> =
        call.arguments.iter().map(|value| ruby::to_s(value, call.env())).collect();
    let message = match texts {
        Some(texts) => texts.join(" "),
        None => "compilation ended by `fail()`".to_owned(),
    };
    Err(call.fail(DELIBERATE_FAILURE, message))
}

pub(super) fn md5(call: &mut Call) -> Outcome {
    Ok(Value::string(hexadecimal(&Md5::digest(call.string(0)))))
}

pub(super) fn sha1(call: &mut Call) -> Outcome {
    Ok(Value::string(hexadecimal(&Sha1::digest(call.string(0)))))
}

pub(super) fn sha256(call: &mut Call) -> Outcome {
    Ok(Value::string(hexadecimal(&Sha256::digest(call.string(0)))))
}

/// Formats bytes as hexadecimal digits.
pub(crate) fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Returns a random generator seeded with the MD5 checksum of a string.
pub(crate) fn random_of_md5(text: &str) -> Random {
    Random::from_hexadecimal(&hexadecimal(&Md5::digest(text)))
}

pub(super) fn fqdn_rand(call: &mut Call) -> Outcome {
    let max = match call.argument(0) {
        Value::Integer(max) => *max,
        Value::Float(max) if max.0.is_finite() => max.0 as i64,
        Value::String(text) => ruby::text_to_i(text).clamp(i64::MIN.into(), i64::MAX.into()) as i64,
        Value::Unknown(_) => return Ok(call.unknown(Type::integer(0, i64::MAX))),
        _ => return Err(call.refuse("maximum of `fqdn_rand()` must be finite")),
    };
    if max <= 0 {
        return Err(call.fail_at(
            0,
            Code::RuntimeError,
            format!("maximum of `fqdn_rand()` must be positive, found {max}"),
        ));
    }
    let fqdn = match fact(call, &["networking", "fqdn"]) {
        VisibleVariable::Value(value) => value,
        VisibleVariable::Unset => Value::Undef,
        VisibleVariable::Unknown(origin) => return Ok(Value::unknown(Type::integer(0, max - 1), origin)),
    };
    // `undef` has become `''`, which is true in Ruby.
    let is_folded = match call.arguments.get(2) {
        None | Some(Value::Boolean(false)) => false,
        Some(Value::Unknown(_)) => return Ok(call.unknown(Type::integer(0, max - 1))),
        Some(_) => true,
    };
    let fqdn = match fqdn {
        Value::String(name) if is_folded => Value::string(name.to_lowercase()),
        Value::Undef if is_folded => return Err(call.refuse("unknown fact `networking.fqdn`")),
        fqdn => fqdn,
    };
    let seed = [fqdn, Value::Integer(max), call.argument(1).clone()];
    let Some(seed) = ruby::join(&seed, ":", call.env()) else {
        return Ok(call.unknown(Type::integer(0, max - 1)));
    };
    Ok(Value::Integer(random_of_md5(&seed).below(max as u64) as i64))
}

pub(super) fn generate(call: &mut Call) -> Outcome {
    if let Value::String(command) = call.argument(0) {
        let is_plain = |line: &str| {
            !line.is_empty()
                && line.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-/_.+".contains(&byte))
        };
        let failure = if !command.starts_with('/') {
            Some("must be an absolute path")
        } else if !command.lines().any(is_plain) {
            Some("must consist of letters, digits, and `-`, `/`, `_`, `.`, `+`")
        } else if command.contains("..") {
            Some("must not contain `..`")
        } else {
            None
        };
        let is_missing = || call.evaluator.world.program.machine_file(command) == MachineFile::Missing;
        let failure = failure.or_else(|| is_missing().then_some("does not exist"));
        if let Some(failure) = failure {
            return Err(call.fail_at(0, Code::RuntimeError, format!("command of `generate()` {failure}")));
        }
    }
    Ok(unknown_text(Origin::Ruby))
}

pub(super) fn shellquote(call: &mut Call) -> Outcome {
    let mut out = String::new();
    for (index, word) in ruby::flatten(&call.arguments).iter().enumerate() {
        let Some(word) = word.as_str() else {
            return Err(call.refuse(format!(
                "expected a string for `shellquote()`, found `{}`",
                ruby::class_name(word)
            )));
        };
        if index > 0 {
            out.push(' ');
        }
        quote_word(&mut out, word);
    }
    Ok(Value::string(out))
}

fn quote_word(out: &mut String, word: &str) {
    let is_safe = |c: char| c.is_ascii_alphanumeric() || "@%_+=:,./-".contains(c);
    let is_dangerous = |c: char| "!\"`$\\".contains(c);
    if !word.is_empty() && word.chars().all(is_safe) {
        out.push_str(word);
    } else if !word.contains(is_dangerous) {
        out.extend(["\"", word, "\""]);
    } else if !word.contains('\'') {
        out.extend(["'", word, "'"]);
    } else {
        out.push('"');
        // Puppet iterates over the bytes here, each of which becomes a character.
        for c in word.bytes().map(char::from) {
            if is_dangerous(c) {
                out.push('\\');
            }
            out.push(c);
        }
        out.push('"');
    }
}

pub(super) fn sprintf(call: &mut Call) -> Outcome {
    let rest = call.arguments.get(1..).unwrap_or_default();
    formatted(call, rest)
}

/// Implements Ruby's `sprintf(format, *rest)` with the first argument as the format. A single hash provides
/// values by name.
pub(crate) fn formatted(call: &Call, rest: &[Value]) -> Outcome {
    let env = call.env();
    let entries = match rest {
        [Value::Hash(entries)] => Some(&**entries),
        _ => None,
    };
    let texts: Option<Vec<StringForms>> = rest.iter().map(|value| StringForms::of(value, env)).collect();
    let named: Option<Vec<(&str, StringForms)>> = entries
        .into_iter()
        .flat_map(|entries| entries.iter())
        .filter_map(|(key, value)| Some((key.as_str()?, value)))
        .map(|(key, value)| Some((key, StringForms::of(value, env)?)))
        .collect();
    let (Some(texts), Some(named)) = (texts, named) else { return Ok(unknown_text(Origin::Ruby)) };
    let arguments: Vec<Argument> =
        rest.iter().zip(&texts).map(|(value, texts)| texts.argument(value)).collect();
    let result = match (entries, arguments.as_slice()) {
        (Some(entries), [whole]) => sprintf::format_named(call.string(0), *whole, &|name| {
            let (_, texts) = named.iter().find(|(key, _)| *key == name)?;
            Some(texts.argument(entries.get_text(name)?))
        }),
        (_, arguments) => sprintf::format(call.string(0), arguments),
    };
    result.map(Value::string).map_err(|error| call.refuse(error.to_string()))
}

/// String forms of a value: plain, and for `%p`.
struct StringForms {
    text: String,
    inspect: String,
}

impl StringForms {
    fn of(value: &Value, env: &dyn TypeEnvironment) -> Option<StringForms> {
        match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) => {
                Some(StringForms { text: String::new(), inspect: String::new() })
            }
            // Only `%p` needs the inspected form of other values, which is unknown for most.
            other => {
                let text = ruby::to_s(other, env)?;
                let inspect = ruby::inspect(other, env).unwrap_or_else(|| text.clone());
                Some(StringForms { text, inspect })
            }
        }
    }

    fn argument<'t>(&'t self, value: &Value) -> Argument<'t> {
        match value {
            Value::Undef => Argument::Nil,
            Value::Boolean(value) => Argument::Boolean(*value),
            Value::Integer(value) => Argument::Integer((*value).into()),
            Value::Float(value) => Argument::Float(value.0),
            other => Argument::Text {
                text: &self.text,
                inspect: &self.inspect,
                is_string: matches!(other, Value::String(_)),
            },
        }
    }
}
