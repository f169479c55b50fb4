//! Ruby's own methods on known values, those that lists of names are made with.

use smol_str::{SmolStr, StrExt, format_smolstr};

use syntax::TextRange;

use super::value::{Entry, Value};

/// How many elements a value may grow to.
const ELEMENT_LIMIT: usize = 1_000;
/// How many bytes.
const TEXT_LIMIT: usize = 1 << 20;

/// `receiver.name(arguments)` without a block. `None`: it is not known what it gives.
pub(super) fn call<'pr>(receiver: &Value<'pr>, name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    match name {
        "freeze" | "dup" | "clone" | "itself" => return Some(receiver.clone()),
        "nil?" if receiver.truth().is_some() => return Some(Value::Boolean(matches!(receiver, Value::Nil))),
        "==" => return receiver.equals(arguments.first()?).map(Value::Boolean),
        "!=" => return receiver.equals(arguments.first()?).map(|equal| Value::Boolean(!equal)),
        "!" => return receiver.truth().map(|truth| Value::Boolean(!truth)),
        "to_s" => {
            if let Some(text) = receiver.to_text() {
                return Some(Value::String(text));
            }
        }
        _ => {}
    }
    match receiver {
        Value::String(text) => call_on_text(text, name, arguments, Value::String),
        Value::Symbol(text) => call_on_text(text, name, arguments, Value::Symbol),
        Value::InexactString(text) => call_on_prose(text, name, arguments),
        Value::Integer(number) => match (name, arguments) {
            ("+", [Value::Integer(other)]) => number.checked_add(*other).map(Value::Integer),
            ("-", [Value::Integer(other)]) => number.checked_sub(*other).map(Value::Integer),
            ("*", [Value::Integer(other)]) => number.checked_mul(*other).map(Value::Integer),
            ("-@", []) => number.checked_neg().map(Value::Integer),
            ("to_i", []) => Some(Value::Integer(*number)),
            _ => None,
        },
        Value::Array(elements) => call_on_array(elements, name, arguments),
        Value::Hash(entries) => call_on_hash(entries, name, arguments),
        _ => None,
    }
}

fn call_on_text<'pr>(
    text: &SmolStr,
    name: &str,
    arguments: &[Value<'pr>],
    same_kind: fn(SmolStr) -> Value<'pr>,
) -> Option<Value<'pr>> {
    Some(match (name, arguments) {
        ("to_sym" | "intern", []) => Value::Symbol(text.clone()),
        ("to_str" | "-@" | "+@" | "b" | "scrub", []) => Value::String(text.clone()),
        ("name" | "id2name", []) => Value::String(text.clone()),
        ("upcase", []) => same_kind(text.to_uppercase_smolstr()),
        ("downcase", []) => same_kind(text.to_lowercase_smolstr()),
        ("capitalize", []) => {
            let mut characters = text.chars();
            let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
            same_kind(format_smolstr!("{first}{}", characters.as_str().to_lowercase()))
        }
        ("strip", []) => Value::String(SmolStr::new(text.trim())),
        ("lstrip", []) => Value::String(SmolStr::new(text.trim_start())),
        ("rstrip", []) => Value::String(SmolStr::new(text.trim_end())),
        ("chomp", []) => Value::String(SmolStr::new(text.trim_end_matches(['\n', '\r']))),
        ("to_i", []) => Value::Integer(text.trim().parse().ok()?),
        ("length" | "size", []) => Value::Integer(i64::try_from(text.chars().count()).ok()?),
        ("empty?", []) => Value::Boolean(text.is_empty()),
        ("+" | "concat" | "<<", [Value::InexactString(other)]) => {
            Value::InexactString(limited(format_smolstr!("{text}{other}"))?)
        }
        ("+" | "concat" | "<<", [other]) => match other.name() {
            Some(other) => Value::String(limited(format_smolstr!("{text}{other}"))?),
            None => Value::InexactString(text.clone()),
        },
        ("*", [Value::Integer(times)]) => {
            let times = usize::try_from(*times).ok()?;
            if text.len().saturating_mul(times) > TEXT_LIMIT {
                return None;
            }
            Value::String(SmolStr::new(text.repeat(times)))
        }
        ("%", _) => Value::InexactString(text.clone()),
        ("split", []) => {
            Value::array(text.split_whitespace().map(|part| Value::String(SmolStr::new(part))).collect())
        }
        ("split", [Value::String(separator)]) if !separator.is_empty() && separator != " " => Value::array(
            text.split(separator.as_str()).map(|part| Value::String(SmolStr::new(part))).collect(),
        ),
        ("lines", []) => {
            Value::array(text.split_inclusive('\n').map(|line| Value::String(SmolStr::new(line))).collect())
        }
        ("tr" | "gsub", [Value::String(from), Value::String(to)])
            if name == "gsub" || (from.chars().count() == 1 && to.chars().count() <= 1 && from != "^") =>
        {
            if from.is_empty() {
                return None;
            }
            Value::String(limited(SmolStr::new(text.replace(from.as_str(), to)))?)
        }
        ("sub", [Value::String(from), Value::String(to)]) => {
            Value::String(SmolStr::new(text.replacen(from.as_str(), to, 1)))
        }
        // What is done to documentation keeps most of it.
        ("gsub" | "sub" | "tr" | "delete" | "squeeze" | "tr_s" | "unindent", _) => {
            Value::InexactString(text.clone())
        }
        ("include?", [other]) => Value::Boolean(text.contains(other.name()?.as_str())),
        ("start_with?", [other]) => Value::Boolean(text.starts_with(other.name()?.as_str())),
        ("end_with?", [other]) => Value::Boolean(text.ends_with(other.name()?.as_str())),
        _ => return None,
    })
}

/// On a text of which parts are unknown: what comes out is documentation at best.
fn call_on_prose<'pr>(text: &SmolStr, name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    Some(Value::InexactString(match name {
        "+" | "<<" | "concat" => {
            limited(format_smolstr!("{text}{}", arguments.first()?.prose().unwrap_or_default()))?
        }
        "strip" => SmolStr::new(text.trim()),
        "chomp" | "gsub" | "sub" | "tr" | "%" | "lstrip" | "rstrip" | "to_s" | "squeeze" => text.clone(),
        _ => return None,
    }))
}

fn limited(text: SmolStr) -> Option<SmolStr> {
    (text.len() <= TEXT_LIMIT).then_some(text)
}

fn call_on_array<'pr>(elements: &[Value<'pr>], name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    let result = match (name, arguments) {
        ("to_a" | "entries" | "to_ary", []) => elements.to_vec(),
        ("+" | "concat" | "|" | "union", [Value::Array(others)]) => {
            elements.iter().chain(others.iter()).cloned().collect()
        }
        ("-" | "difference", [Value::Array(others)]) => {
            let mut rest = Vec::new();
            for element in elements {
                if !contains(others, element)? {
                    rest.push(element.clone());
                }
            }
            rest
        }
        ("<<" | "push" | "append", _) => elements.iter().chain(arguments).cloned().collect(),
        ("unshift" | "prepend", _) => arguments.iter().chain(elements).cloned().collect(),
        ("reverse", []) => elements.iter().rev().cloned().collect(),
        ("compact", []) => {
            if elements.iter().any(|element| matches!(element, Value::Unknown)) {
                return None;
            }
            elements.iter().filter(|element| !matches!(element, Value::Nil)).cloned().collect()
        }
        // The order does not matter to what is allowed.
        ("sort" | "shuffle", []) => elements.to_vec(),
        ("uniq", []) => {
            let mut unique: Vec<Value> = Vec::new();
            for element in elements {
                if !contains(&unique, element)? {
                    unique.push(element.clone());
                }
            }
            unique
        }
        ("flatten", []) => {
            let mut flat = Vec::new();
            flatten(elements, &mut flat, 0)?;
            flat
        }
        ("first", []) => return elements.first().cloned(),
        ("last", []) => return elements.last().cloned(),
        ("[]" | "at", [Value::Integer(index)]) => {
            let index = if *index < 0 { *index + i64::try_from(elements.len()).ok()? } else { *index };
            return Some(elements.get(usize::try_from(index).ok()?).cloned().unwrap_or(Value::Nil));
        }
        ("length" | "size" | "count", []) => {
            return Some(Value::Integer(i64::try_from(elements.len()).ok()?));
        }
        ("empty?", []) => return Some(Value::Boolean(elements.is_empty())),
        ("include?" | "member?", [other]) => return contains(elements, other).map(Value::Boolean),
        ("join", _) => {
            let separator = match arguments.first() {
                None => SmolStr::default(),
                Some(separator) => separator.name()?,
            };
            let texts: Option<Vec<SmolStr>> = elements.iter().map(Value::to_text).collect();
            return limited(SmolStr::new(texts?.join(separator.as_str()))).map(Value::String);
        }
        ("to_h", []) => {
            let pair = |element: &Value<'pr>| match element {
                Value::Array(pair) => match pair.as_slice() {
                    [key, value] => Some(Entry {
                        key: key.clone(),
                        key_range: TextRange::default(),
                        value: value.clone(),
                        value_range: TextRange::default(),
                    }),
                    _ => None,
                },
                _ => None,
            };
            let entries: Option<Vec<Entry>> = elements.iter().map(pair).collect();
            return Some(Value::Hash(entries?.into()));
        }
        _ => return None,
    };
    (result.len() <= ELEMENT_LIMIT).then(|| Value::array(result))
}

fn flatten<'pr>(elements: &[Value<'pr>], into: &mut Vec<Value<'pr>>, depth: u32) -> Option<()> {
    if depth > 32 || into.len() > ELEMENT_LIMIT {
        return None;
    }
    for element in elements {
        match element {
            Value::Array(inner) => flatten(inner, into, depth + 1)?,
            Value::Unknown => return None,
            other => into.push(other.clone()),
        }
    }
    Some(())
}

fn contains(elements: &[Value], wanted: &Value) -> Option<bool> {
    let mut is_known = true;
    for element in elements {
        match element.equals(wanted) {
            Some(true) => return Some(true),
            Some(false) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(false)
}

fn call_on_hash<'pr>(entries: &[Entry<'pr>], name: &str, arguments: &[Value<'pr>]) -> Option<Value<'pr>> {
    Some(match (name, arguments) {
        ("keys", []) => Value::array(entries.iter().map(|entry| entry.key.clone()).collect()),
        ("values", []) => Value::array(entries.iter().map(|entry| entry.value.clone()).collect()),
        ("to_a", []) => Value::array(
            entries.iter().map(|entry| Value::array(vec![entry.key.clone(), entry.value.clone()])).collect(),
        ),
        ("to_h", []) => Value::Hash(entries.to_vec().into()),
        ("empty?", []) => Value::Boolean(entries.is_empty()),
        ("length" | "size", []) => Value::Integer(i64::try_from(entries.len()).ok()?),
        ("[]" | "fetch" | "dig", [key]) => find(entries, key)?.unwrap_or(Value::Nil),
        ("key?" | "has_key?" | "include?" | "member?", [key]) => {
            Value::Boolean(find(entries, key)?.is_some())
        }
        ("merge" | "update" | "merge!", [Value::Hash(others)]) => {
            if entries.len() + others.len() > ELEMENT_LIMIT {
                return None;
            }
            let mut merged = entries.to_vec();
            for other in others.iter() {
                let mut place = None;
                for (index, entry) in merged.iter().enumerate() {
                    if entry.key.equals(&other.key)? {
                        place = Some(index);
                    }
                }
                match place {
                    Some(index) => merged[index] = other.clone(),
                    None => merged.push(other.clone()),
                }
            }
            Value::Hash(merged.into())
        }
        _ => return None,
    })
}

/// The value of `key`. The outer `None`: that cannot be told.
#[expect(clippy::option_option, reason = "there is none, and it cannot be told, are two things")]
fn find<'pr>(entries: &[Entry<'pr>], key: &Value<'pr>) -> Option<Option<Value<'pr>>> {
    let mut result = None;
    for entry in entries {
        if entry.key.equals(key)? {
            result = Some(entry.value.clone());
        }
    }
    Some(result)
}
