//! Position of the cursor in a possibly broken JSON text, determined from the text before it.

use syntax::TextRange;

/// Position in a JSON text where a key or value may be written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct JsonCursor {
    /// Path from the root: keys, and `None` for the element of an array.
    pub(super) path: Vec<Option<String>>,
    pub(super) kind: PlaceKind,
    /// Range of the contents of the string at the cursor, or of the unquoted word there.
    pub(super) range: TextRange,
    pub(super) is_in_quotes: bool,
    /// Start of the innermost object or array.
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

/// Returns the position at an offset; `None` if only punctuation is valid there.
pub(super) fn position(text: &str, offset: usize) -> Option<JsonCursor> {
    let mut containers: Vec<JsonContainer> = Vec::new();
    let mut at = 0;
    while let Some(next) = text.get(at..offset.min(text.len())).and_then(|rest| rest.chars().next()) {
        match next {
            '"' => {
                let start = at + 1;
                let length = string_length(&text[start..]);
                if offset <= start + length {
                    return position_at(&containers, start, start + length, true);
                }
                take_value(&mut containers, Some(&text[start..start + length]));
                // After the closing quote. The end of the line also ends a string.
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
                    return position_at(&containers, at, offset, false);
                }
                take_value(&mut containers, None);
                at = end;
                continue;
            }
            _ => {}
        }
        at += next.len_utf8();
    }
    position_at(&containers, offset, offset, false)
}

fn is_word(character: char) -> bool {
    character.is_alphanumeric() || matches!(character, '_' | '-' | '.' | '+')
}

/// Returns the length of a string up to its closing quote, or up to the end of the line.
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

/// Updates the innermost container at the end of a key or value.
fn take_value(containers: &mut [JsonContainer], text: Option<&str>) {
    let Some(container) = containers.last_mut() else { return };
    if container.is_hash && container.expected == Expected::Key {
        container.key = text.map(str::to_owned);
        container.expected = Expected::Colon;
    } else {
        container.expected = Expected::Comma;
    }
}

fn position_at(
    containers: &[JsonContainer],
    start: usize,
    end: usize,
    is_in_quotes: bool,
) -> Option<JsonCursor> {
    let innermost = containers.last()?;
    let kind = match innermost.expected {
        Expected::Key => PlaceKind::Key,
        Expected::Value => PlaceKind::Value,
        Expected::Colon | Expected::Comma => return None,
    };
    let way = |container: &JsonContainer| if container.is_hash { container.key.clone() } else { None };
    let outer = if kind == PlaceKind::Key { &containers[..containers.len() - 1] } else { containers };
    Some(JsonCursor {
        path: outer.iter().map(way).collect(),
        kind,
        range: TextRange::new(start as u32, end as u32),
        is_in_quotes,
        container: innermost.start as u32,
    })
}

#[cfg(test)]
#[path = "json_cursor_tests.rs"]
mod tests;
