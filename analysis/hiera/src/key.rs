//! Dotted keys: `root.name.0.'name with.dot'`.

use smol_str::SmolStr;
use types::{Origin, Type, Value};

/// Segment of a key.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum KeySegment {
    Name(SmolStr),
    Index(i64),
}

/// Key to look up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Key {
    /// Key as written.
    pub text: SmolStr,
    pub root: SmolStr,
    /// Path into the value of the root.
    pub segments: Vec<KeySegment>,
}

impl Key {
    /// Parses a key; `None` if it is invalid.
    pub fn parse(text: &str) -> Option<Key> {
        let mut segments = split(text)?.into_iter();
        match segments.next()? {
            KeySegment::Name(root) => Some(Key { text: text.into(), root, segments: segments.collect() }),
            // Puppet fails if the root is a number.
            KeySegment::Index(_) => None,
        }
    }

    /// Returns a key without a path into its value.
    pub(crate) fn plain(root: &str) -> Key {
        Key { text: root.into(), root: root.into(), segments: Vec::new() }
    }

    /// Returns the module whose data may contain the key: the part before the first `::`.
    pub fn module(&self) -> Option<&str> {
        self.root.find("::").map(|end| &self.root[..end])
    }
}

/// Splits a key into segments; `None` if it is invalid. A key without dots and quotes is a single segment.
pub fn split(key: &str) -> Option<Vec<KeySegment>> {
    if !key.contains(['.', '"', '\'']) {
        return Some(vec![KeySegment::Name(key.into())]);
    }
    let mut segments = Vec::new();
    let mut rest = key;
    loop {
        let (segment, after) = first_segment(rest)?;
        segments.push(segment);
        match after.strip_prefix('.') {
            Some(next) => rest = next,
            None if after.is_empty() => return Some(segments),
            None => return None,
        }
    }
}

fn first_segment(text: &str) -> Option<(KeySegment, &str)> {
    let trimmed = text.trim_start();
    if let Some(quote) = trimmed.chars().next().filter(|it| matches!(it, '"' | '\'')) {
        let end = trimmed[1..].find(quote)?;
        if end == 0 {
            return None;
        }
        let after = trimmed[end + 2..].trim_start();
        return Some((KeySegment::Name(trimmed[1..=end].into()), after));
    }
    let len = text.find(['.', '"', '\'']).unwrap_or(text.len());
    if len == 0 {
        return None;
    }
    let name = text[..len].trim();
    let unsigned = name.strip_prefix(':').unwrap_or(name);
    let digits = unsigned.strip_prefix(['+', '-']).unwrap_or(unsigned);
    let is_number = !digits.is_empty() && digits.bytes().all(|it| it.is_ascii_digit());
    let segment = if is_number {
        // Ruby parses `:5` as 0.
        KeySegment::Index(name.parse().unwrap_or(0))
    } else {
        KeySegment::Name(name.into())
    };
    Some((segment, &text[len..]))
}

/// Result of following a path into a value.
#[derive(Clone, PartialEq, Debug)]
pub enum DigResult {
    Found(Value),
    Missing,
    /// The path leads into a value without elements; contains the error message.
    Refused(String),
}

/// Follows a path into a value.
pub fn dig(value: &Value, segments: &[KeySegment]) -> DigResult {
    let mut value = value.clone();
    for segment in segments {
        let next = match (&value, segment) {
            (Value::Unknown(unknown), _) => {
                return DigResult::Found(Value::unknown(Type::Any, unknown.origin.max(Origin::Fact)));
            }
            (Value::Undef, _) => None,
            (Value::Array(elements), KeySegment::Index(index)) => {
                usize::try_from(*index).ok().and_then(|index| elements.get(index)).cloned()
            }
            (Value::Hash(entries), segment) => entries.get(&segment.value()).cloned(),
            (value, segment) => {
                let segment = match segment {
                    KeySegment::Name(name) => name.to_string(),
                    KeySegment::Index(index) => index.to_string(),
                };
                let kind = match value {
                    Value::Array(_) => "an array",
                    Value::String(_) => "a string",
                    _ => "a value without elements",
                };
                return DigResult::Refused(format!("cannot look up `{segment}` in {kind}"));
            }
        };
        match next {
            Some(next) => value = next,
            None => return DigResult::Missing,
        }
    }
    DigResult::Found(value)
}

impl KeySegment {
    pub(crate) fn value(&self) -> Value {
        match self {
            KeySegment::Name(name) => Value::String(name.clone()),
            KeySegment::Index(index) => Value::Integer(*index),
        }
    }
}
