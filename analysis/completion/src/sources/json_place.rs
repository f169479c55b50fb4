//! Where in a JSON text a cursor stands, however broken the text is: only what is in front of it counts.

use syntax::TextRange;

/// A place in a JSON text where something may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct JsonPlace {
    /// The way there from the outside: keys, and `None` for an element of a list.
    pub(super) path: Vec<Option<String>>,
    pub(super) kind: PlaceKind,
    /// The text between quotes, or the word without quotes, that stands there; up to the closing quote.
    pub(super) range: TextRange,
    pub(super) is_in_quotes: bool,
    /// Where the innermost hash or list begins.
    pub(super) container: u32,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum PlaceKind {
    Key,
    Value,
}

struct JsonContainer {
    is_hash: bool,
    start: usize,
    key: Option<String>,
    expected: Expected,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Expected {
    Key,
    Colon,
    Value,
    Comma,
}

/// The place at an offset; `None` where nothing may be written but punctuation.
pub(super) fn place(text: &str, offset: usize) -> Option<JsonPlace> {
    let mut containers: Vec<JsonContainer> = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..offset.min(text.len())).and_then(|rest| rest.chars().next()) {
        match next {
            '"' => {
                let start = at + 1;
                let length = string_length(&text[start..]);
                if offset <= start + length {
                    return place_at(&containers, start, start + length, true);
                }
                take_value(&mut containers, Some(&text[start..start + length]));
                // Behind the closing quote; the end of the line closes a text as well.
                at = start + length + usize::from(text[start + length..].starts_with('"'));
                continue;
            }
            '{' | '[' => {
                let is_hash = next == '{';
                let expected = if is_hash { Expected::Key } else { Expected::Value };
                containers.push(JsonContainer { is_hash, start: at, key: None, expected });
            }
            '}' | ']' => {
                containers.pop();
                take_value(&mut containers, None);
            }
            ':' => {
                if let Some(container) = containers.last_mut().filter(|it| it.is_hash) {
                    container.expected = Expected::Value;
                }
            }
            ',' => {
                if let Some(container) = containers.last_mut() {
                    container.expected = if container.is_hash { Expected::Key } else { Expected::Value };
                }
            }
            next if is_word(next) => {
                let end = at + text[at..].find(|it| !is_word(it)).unwrap_or(text.len() - at);
                if offset <= end {
                    return place_at(&containers, at, offset, false);
                }
                take_value(&mut containers, None);
                at = end;
                continue;
            }
            _ => {}
        }
        at += next.len_utf8();
    }
    place_at(&containers, offset, offset, false)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '+')
}

/// The length of a text up to its closing quote, or to the end of its line.
fn string_length(rest: &str) -> usize {
    let mut is_escaped = false;
    for (index, character) in rest.char_indices() {
        match character {
            '"' if !is_escaped => return index,
            '\n' | '\r' => return index,
            _ => is_escaped = character == '\\' && !is_escaped,
        }
    }
    rest.len()
}

/// A key or a value has ended.
fn take_value(containers: &mut [JsonContainer], text: Option<&str>) {
    let Some(container) = containers.last_mut() else { return };
    if container.is_hash && container.expected == Expected::Key {
        container.key = text.map(str::to_owned);
        container.expected = Expected::Colon;
    } else {
        container.expected = Expected::Comma;
    }
}

fn place_at(containers: &[JsonContainer], start: usize, end: usize, is_in_quotes: bool) -> Option<JsonPlace> {
    let innermost = containers.last()?;
    let kind = match innermost.expected {
        Expected::Key => PlaceKind::Key,
        Expected::Value => PlaceKind::Value,
        Expected::Colon | Expected::Comma => return None,
    };
    let way = |container: &JsonContainer| if container.is_hash { container.key.clone() } else { None };
    let outer = if kind == PlaceKind::Key { &containers[..containers.len() - 1] } else { containers };
    Some(JsonPlace {
        path: outer.iter().map(way).collect(),
        kind,
        range: TextRange::new(start as u32, end as u32),
        is_in_quotes,
        container: innermost.start as u32,
    })
}

#[cfg(test)]
#[path = "json_place_tests.rs"]
mod tests;
