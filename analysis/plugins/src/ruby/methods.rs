//! Ruby's built-in methods on known values, limited to those used to build lists of names.

use smol_str::{SmolStr, StrExt, format_smolstr};

use syntax::TextRange;

use super::value::{RubyPair, RubyValue};

/// Maximum number of elements of a value.
const ELEMENT_LIMIT: usize = 1_000;
/// Maximum length of a string, in bytes.
const STRING_LIMIT: usize = 1 << 20;

/// Evaluates `receiver.name(arguments)` without a block; `None` if the result is not known.
pub(super) fn call<'pr>(
    receiver: &RubyValue<'pr>,
    name: &str,
    arguments: &[RubyValue<'pr>],
) -> Option<RubyValue<'pr>> {
    match name {
        "freeze" | "dup" | "clone" | "itself" => return Some(receiver.clone()),
        "nil?" if receiver.truth().is_some() => {
            return Some(RubyValue::Boolean(matches!(receiver, RubyValue::Nil)));
        }
        "==" => return receiver.equals(arguments.first()?).map(RubyValue::Boolean),
        "!=" => return receiver.equals(arguments.first()?).map(|equal| RubyValue::Boolean(!equal)),
        "!" => return receiver.truth().map(|truth| RubyValue::Boolean(!truth)),
        "to_s" => {
            if let Some(text) = receiver.to_text() {
                return Some(RubyValue::String(text));
            }
        }
        _ => {}
    }
    match receiver {
        RubyValue::String(text) => call_on_text(text, name, arguments, RubyValue::String),
        RubyValue::Symbol(text) => call_on_text(text, name, arguments, RubyValue::Symbol),
        RubyValue::InexactString(text) => call_on_inexact_string(text, name, arguments),
        RubyValue::Integer(number) => match (name, arguments) {
            ("+", [RubyValue::Integer(other)]) => number.checked_add(*other).map(RubyValue::Integer),
            ("-", [RubyValue::Integer(other)]) => number.checked_sub(*other).map(RubyValue::Integer),
            ("*", [RubyValue::Integer(other)]) => number.checked_mul(*other).map(RubyValue::Integer),
            ("-@", []) => number.checked_neg().map(RubyValue::Integer),
            ("to_i", []) => Some(RubyValue::Integer(*number)),
            _ => None,
        },
        RubyValue::Array(elements) => call_on_array(elements, name, arguments),
        RubyValue::Hash(entries) => call_on_hash(entries, name, arguments),
        _ => None,
    }
}

fn call_on_text<'pr>(
    text: &SmolStr,
    name: &str,
    arguments: &[RubyValue<'pr>],
    same_kind: fn(SmolStr) -> RubyValue<'pr>,
) -> Option<RubyValue<'pr>> {
    Some(match (name, arguments) {
        ("to_sym" | "intern", []) => RubyValue::Symbol(text.clone()),
        ("to_str" | "-@" | "+@" | "b" | "scrub", []) => RubyValue::String(text.clone()),
        ("name" | "id2name", []) => RubyValue::String(text.clone()),
        ("upcase", []) => same_kind(text.to_uppercase_smolstr()),
        ("downcase", []) => same_kind(text.to_lowercase_smolstr()),
        ("capitalize", []) => {
            let mut characters = text.chars();
            let first: String = characters.next().into_iter().flat_map(char::to_uppercase).collect();
            same_kind(format_smolstr!("{first}{}", characters.as_str().to_lowercase()))
        }
        ("strip", []) => RubyValue::String(SmolStr::new(text.trim())),
        ("lstrip", []) => RubyValue::String(SmolStr::new(text.trim_start())),
        ("rstrip", []) => RubyValue::String(SmolStr::new(text.trim_end())),
        ("chomp", []) => RubyValue::String(SmolStr::new(text.trim_end_matches(['\n', '\r']))),
        ("to_i", []) => RubyValue::Integer(text.trim().parse().ok()?),
        ("length" | "size", []) => RubyValue::Integer(i64::try_from(text.chars().count()).ok()?),
        ("empty?", []) => RubyValue::Boolean(text.is_empty()),
        ("include?", [other]) => RubyValue::Boolean(text.contains(other.name()?.as_str())),
        ("start_with?", [other]) => RubyValue::Boolean(text.starts_with(other.name()?.as_str())),
        ("end_with?", [other]) => RubyValue::Boolean(text.ends_with(other.name()?.as_str())),
        _ => return edit_string(text, name, arguments),
    })
}

/// Evaluates methods that concatenate, split or edit strings.
fn edit_string<'pr>(text: &SmolStr, name: &str, arguments: &[RubyValue<'pr>]) -> Option<RubyValue<'pr>> {
    Some(match (name, arguments) {
        ("+" | "concat" | "<<", [RubyValue::InexactString(other)]) => {
            RubyValue::InexactString(limited(format_smolstr!("{text}{other}"))?)
        }
        ("+" | "concat" | "<<", [other]) => match other.name() {
            Some(other) => RubyValue::String(limited(format_smolstr!("{text}{other}"))?),
            None => RubyValue::InexactString(text.clone()),
        },
        ("*", [RubyValue::Integer(times)]) => {
            let times = usize::try_from(*times).ok()?;
            if text.len().saturating_mul(times) > STRING_LIMIT {
                return None;
            }
            RubyValue::String(SmolStr::new(text.repeat(times)))
        }
        ("%", _) => RubyValue::InexactString(text.clone()),
        ("split", []) => RubyValue::array(
            text.split_whitespace().map(|part| RubyValue::String(SmolStr::new(part))).collect(),
        ),
        ("split", [RubyValue::String(separator)]) if !separator.is_empty() && separator != " " => {
            RubyValue::array(
                text.split(separator.as_str()).map(|part| RubyValue::String(SmolStr::new(part))).collect(),
            )
        }
        ("lines", []) => RubyValue::array(
            text.split_inclusive('\n').map(|line| RubyValue::String(SmolStr::new(line))).collect(),
        ),
        ("tr" | "gsub", [RubyValue::String(from), RubyValue::String(to)])
            if name == "gsub" || (from.chars().count() == 1 && to.chars().count() <= 1 && from != "^") =>
        {
            if from.is_empty() {
                return None;
            }
            RubyValue::String(limited(SmolStr::new(text.replace(from.as_str(), to)))?)
        }
        ("sub", [RubyValue::String(from), RubyValue::String(to)]) => {
            RubyValue::String(SmolStr::new(text.replacen(from.as_str(), to, 1)))
        }
        // Edits of documentation leave most of it intact.
        ("gsub" | "sub" | "tr" | "delete" | "squeeze" | "tr_s" | "unindent", _) => {
            RubyValue::InexactString(text.clone())
        }
        _ => return None,
    })
}

/// Evaluates a method on a partially known string, whose result is at most useful as documentation.
fn call_on_inexact_string<'pr>(
    text: &SmolStr,
    name: &str,
    arguments: &[RubyValue<'pr>],
) -> Option<RubyValue<'pr>> {
    Some(RubyValue::InexactString(match name {
        "+" | "<<" | "concat" => {
            limited(format_smolstr!("{text}{}", arguments.first()?.prose().unwrap_or_default()))?
        }
        "strip" => SmolStr::new(text.trim()),
        "chomp" | "gsub" | "sub" | "tr" | "%" | "lstrip" | "rstrip" | "to_s" | "squeeze" => text.clone(),
        _ => return None,
    }))
}

fn limited(text: SmolStr) -> Option<SmolStr> {
    (text.len() <= STRING_LIMIT).then_some(text)
}

fn call_on_array<'pr>(
    elements: &[RubyValue<'pr>],
    name: &str,
    arguments: &[RubyValue<'pr>],
) -> Option<RubyValue<'pr>> {
    let result = match (name, arguments) {
        ("to_a" | "entries" | "to_ary", []) => elements.to_vec(),
        ("+" | "concat" | "|" | "union", [RubyValue::Array(others)]) => {
            elements.iter().chain(others.iter()).cloned().collect()
        }
        ("-" | "difference", [RubyValue::Array(others)]) => {
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
            if elements.iter().any(|element| matches!(element, RubyValue::Unknown)) {
                return None;
            }
            elements.iter().filter(|element| !matches!(element, RubyValue::Nil)).cloned().collect()
        }
        // The order is irrelevant to the set of allowed values.
        ("sort" | "shuffle", []) => elements.to_vec(),
        ("uniq", []) => {
            let mut unique: Vec<RubyValue> = Vec::new();
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
        _ => return query_array(elements, name, arguments),
    };
    (result.len() <= ELEMENT_LIMIT).then(|| RubyValue::array(result))
}

/// Evaluates queries on an array.
fn query_array<'pr>(
    elements: &[RubyValue<'pr>],
    name: &str,
    arguments: &[RubyValue<'pr>],
) -> Option<RubyValue<'pr>> {
    Some(match (name, arguments) {
        ("first", []) => elements.first()?.clone(),
        ("last", []) => elements.last()?.clone(),
        ("[]" | "at", [RubyValue::Integer(index)]) => {
            let index = if *index < 0 { *index + i64::try_from(elements.len()).ok()? } else { *index };
            elements.get(usize::try_from(index).ok()?).cloned().unwrap_or(RubyValue::Nil)
        }
        ("length" | "size" | "count", []) => RubyValue::Integer(i64::try_from(elements.len()).ok()?),
        ("empty?", []) => RubyValue::Boolean(elements.is_empty()),
        ("include?" | "member?", [other]) => RubyValue::Boolean(contains(elements, other)?),
        ("join", _) => {
            let separator = match arguments.first() {
                None => SmolStr::default(),
                Some(separator) => separator.name()?,
            };
            let texts: Option<Vec<SmolStr>> = elements.iter().map(RubyValue::to_text).collect();
            RubyValue::String(limited(SmolStr::new(texts?.join(separator.as_str())))?)
        }
        ("to_h", []) => {
            let pair = |element: &RubyValue<'pr>| match element {
                RubyValue::Array(pair) => match pair.as_slice() {
                    [key, value] => Some(RubyPair {
                        key: key.clone(),
                        key_range: TextRange::default(),
                        value: value.clone(),
                        value_range: TextRange::default(),
                    }),
                    _ => None,
                },
                _ => None,
            };
            let entries: Option<Vec<RubyPair>> = elements.iter().map(pair).collect();
            RubyValue::Hash(entries?.into())
        }
        _ => return None,
    })
}

fn flatten<'pr>(elements: &[RubyValue<'pr>], into: &mut Vec<RubyValue<'pr>>, depth: u32) -> Option<()> {
    if depth > 32 || into.len() > ELEMENT_LIMIT {
        return None;
    }
    for element in elements {
        match element {
            RubyValue::Array(inner) => flatten(inner, into, depth + 1)?,
            RubyValue::Unknown => return None,
            other => into.push(other.clone()),
        }
    }
    Some(())
}

fn contains(elements: &[RubyValue], wanted: &RubyValue) -> Option<bool> {
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

fn call_on_hash<'pr>(
    entries: &[RubyPair<'pr>],
    name: &str,
    arguments: &[RubyValue<'pr>],
) -> Option<RubyValue<'pr>> {
    Some(match (name, arguments) {
        ("keys", []) => RubyValue::array(entries.iter().map(|entry| entry.key.clone()).collect()),
        ("values", []) => RubyValue::array(entries.iter().map(|entry| entry.value.clone()).collect()),
        ("to_a", []) => RubyValue::array(
            entries
                .iter()
                .map(|entry| RubyValue::array(vec![entry.key.clone(), entry.value.clone()]))
                .collect(),
        ),
        ("to_h", []) => RubyValue::Hash(entries.to_vec().into()),
        ("empty?", []) => RubyValue::Boolean(entries.is_empty()),
        ("length" | "size", []) => RubyValue::Integer(i64::try_from(entries.len()).ok()?),
        ("[]" | "fetch" | "dig", [key]) => find(entries, key)?.unwrap_or(RubyValue::Nil),
        ("key?" | "has_key?" | "include?" | "member?", [key]) => {
            RubyValue::Boolean(find(entries, key)?.is_some())
        }
        ("merge" | "update" | "merge!", [RubyValue::Hash(others)]) => {
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
            RubyValue::Hash(merged.into())
        }
        _ => return None,
    })
}

/// Returns the value of `key`. The outer `None` means that it is not known.
#[expect(clippy::option_option, reason = "a missing key and an unknown result are different outcomes")]
fn find<'pr>(entries: &[RubyPair<'pr>], key: &RubyValue<'pr>) -> Option<Option<RubyValue<'pr>>> {
    let mut result = None;
    for entry in entries {
        if entry.key.equals(key)? {
            result = Some(entry.value.clone());
        }
    }
    Some(result)
}
