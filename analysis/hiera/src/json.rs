//! JSON as Ruby reads it, with positions, and beyond the first error.

use std::ops::{Deref, DerefMut};
use std::sync::Arc;

use smol_str::SmolStr;
use syntax::TextRange;
use types::{Origin, Type, Value};

use crate::cursor::TextCursor;
use crate::data::{Content, DataEntry, DataFinding, DataFindingKind, DataNode, MappingBuilder};

/// Values are not nested more deeply than this; Ruby's reader has the same limit.
const DEEPEST: usize = 100;

/// The tree of a text, and what is wrong with it.
pub fn read(text: &str) -> (Option<DataNode>, Vec<DataFinding>) {
    let mut reader = JsonReader(TextCursor::new(text));
    reader.skip_blanks();
    if reader.peek().is_none() {
        reader.finding_here("there is no value".to_owned());
        return (None, reader.0.findings);
    }
    let root = reader.value(0);
    reader.skip_blanks();
    if reader.findings.iter().all(|it| it.kind != DataFindingKind::Syntax) && reader.peek().is_some() {
        reader.finding_here("nothing may stand behind the value".to_owned());
    }
    (root, reader.0.findings)
}

struct JsonReader<'a>(TextCursor<'a>);

impl<'a> Deref for JsonReader<'a> {
    type Target = TextCursor<'a>;

    fn deref(&self) -> &TextCursor<'a> {
        &self.0
    }
}

impl DerefMut for JsonReader<'_> {
    fn deref_mut(&mut self) -> &mut Self::Target {
        &mut self.0
    }
}

impl<'a> JsonReader<'a> {
    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blanks = rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            self.at += blanks;
            let rest = self.rest();
            let comment = if rest.starts_with("//") {
                rest.find('\n').unwrap_or(rest.len())
            } else if rest.starts_with("/*") {
                rest.find("*/").map_or(rest.len(), |end| end + 2)
            } else {
                return;
            };
            self.at += comment;
        }
    }

    fn value(&mut self, depth: usize) -> Option<DataNode> {
        let start = self.at;
        match self.peek()? {
            '{' | '[' if depth >= DEEPEST => {
                self.finding(start, format!("values are nested more than {DEEPEST} deep"));
                self.at = self.text.len();
                None
            }
            '{' => Some(self.object(depth)),
            '[' => Some(self.array(depth)),
            '"' => Some(self.string()),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Option<DataNode> {
        let start = self.at;
        let rest = self.rest();
        let len = rest
            .find(|it: char| !it.is_ascii_alphanumeric() && !matches!(it, '+' | '-' | '.' | '_'))
            .unwrap_or(rest.len());
        let text = &rest[..len];
        let value = match text {
            "null" => Value::Undef,
            "true" => Value::Boolean(true),
            "false" => Value::Boolean(false),
            _ => match number(text) {
                Some(value) => value,
                None => {
                    let message = match text {
                        "" => format!("a value is missing in front of '{}'", self.peek().unwrap_or(' ')),
                        _ => format!("'{text}' is no value; texts stand in double quotes"),
                    };
                    self.finding(start, message);
                    if let Some(finding) = self.findings.last_mut() {
                        finding.range.end = finding.range.end.max((start + len) as u32);
                    }
                    self.at += len;
                    if len == 0 {
                        return None;
                    }
                    Value::unknown(Type::Any, Origin::SyntaxError)
                }
            },
        };
        self.at = start + len;
        let content = Content::Scalar { text: text.into(), quoted: false };
        Some(DataNode { range: self.range_from(start), value, content })
    }

    fn string(&mut self) -> DataNode {
        let start = self.at;
        self.at += 1;
        let mut text = String::new();
        loop {
            let Some(next) = self.peek() else {
                self.finding(start, "the text has no closing quote".to_owned());
                break;
            };
            self.at += next.len_utf8();
            match next {
                '"' => break,
                '\\' => self.escape(&mut text),
                '\n' => {
                    self.finding(start, "the text has no closing quote on its line".to_owned());
                    break;
                }
                next => {
                    if next < ' ' {
                        let at = self.at - next.len_utf8();
                        self.finding(at, "this character must be written as an escape".to_owned());
                    }
                    text.push(next);
                }
            }
        }
        let value = Value::string(text.as_str());
        let content = Content::Scalar { text: SmolStr::from(text), quoted: true };
        DataNode { range: self.range_from(start), value, content }
    }

    fn escape(&mut self, text: &mut String) {
        let Some(escaped) = self.peek() else { return };
        self.at += escaped.len_utf8();
        match escaped {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            'u' => {
                let mut unit = self.hexadecimal();
                if let Some(high @ 0xd800..=0xdbff) = unit
                    && self.rest().starts_with("\\u")
                {
                    self.at += 2;
                    let low = self.hexadecimal();
                    unit = low.map(|low| 0x10000 + ((high - 0xd800) << 10) + (low.saturating_sub(0xdc00)));
                }
                match unit {
                    Some(unit) if let Some(character) = char::from_u32(unit) => text.push(character),
                    Some(_) => self.finding_before("half a character: two '\\u' belong together".to_owned()),
                    None => self.finding_before("'\\u' needs four hexadecimal digits".to_owned()),
                }
            }
            other => text.push(other),
        }
    }

    fn hexadecimal(&mut self) -> Option<u32> {
        let digits = self.rest().get(..4)?;
        let unit = u32::from_str_radix(digits, 16).ok()?;
        self.at += 4;
        Some(unit)
    }

    fn array(&mut self, depth: usize) -> DataNode {
        let start = self.at;
        self.at += 1;
        let mut elements = Vec::new();
        self.members(']', |reader| match reader.value(depth + 1) {
            Some(element) => {
                elements.push(element);
                true
            }
            None => false,
        });
        let values: Vec<Value> = elements.iter().map(|element: &DataNode| element.value.clone()).collect();
        DataNode {
            range: self.range_from(start),
            value: Value::array(values),
            content: Content::Sequence(elements),
        }
    }

    fn object(&mut self, depth: usize) -> DataNode {
        let start = self.at;
        self.at += 1;
        let mut entries = Vec::new();
        let mut mapping = MappingBuilder::default();
        self.members('}', |reader| {
            let at = reader.at;
            if reader.peek() != Some('"') {
                reader.finding(at, "a key in double quotes is expected".to_owned());
                return false;
            }
            let key = reader.string();
            reader.skip_blanks();
            if !reader.eat(':') {
                reader.finding_here("':' is missing behind the key".to_owned());
            }
            reader.skip_blanks();
            let value = match reader.value(depth + 1) {
                Some(value) => value,
                None => {
                    let value = Value::unknown(Type::Any, Origin::SyntaxError);
                    let content = Content::Scalar { text: "".into(), quoted: true };
                    DataNode { range: TextRange::empty(reader.at as u32), value, content }
                }
            };
            let duplicate = mapping.add(&key, value.value.clone());
            reader.findings.extend(duplicate);
            entries.push(DataEntry { key, value });
            true
        });
        let value = Value::Hash(Arc::new(mapping.value));
        DataNode { range: self.range_from(start), value, content: Content::Mapping(entries) }
    }

    /// What stands between brackets, up to `end`. `member` reads one, and says whether there was one.
    fn members(&mut self, end: char, mut member: impl FnMut(&mut JsonReader<'a>) -> bool) {
        let open = self.at - 1;
        self.skip_blanks();
        if self.eat(end) {
            return;
        }
        loop {
            self.skip_blanks();
            if self.peek().is_none() {
                self.finding(open, format!("'{end}' is missing"));
                return;
            }
            if !member(self) {
                self.recover(end);
            }
            self.skip_blanks();
            if self.eat(end) {
                return;
            }
            let comma = self.at;
            if !self.eat(',') {
                if self.peek().is_none() {
                    self.finding(open, format!("'{end}' is missing"));
                    return;
                }
                self.finding(comma, format!("',' or '{end}' is missing"));
                self.recover(end);
                if self.eat(end) || !self.eat(',') {
                    return;
                }
                continue;
            }
            self.skip_blanks();
            if self.peek() == Some(end) {
                self.finding(comma, "no ',' may stand behind the last value".to_owned());
                self.eat(end);
                return;
            }
        }
    }

    /// Goes on to the next thing that may be the end of a member.
    fn recover(&mut self, end: char) {
        while let Some(next) = self.peek() {
            match next {
                ',' => return,
                '"' => {
                    let findings = self.findings.len();
                    self.string();
                    self.findings.truncate(findings);
                    continue;
                }
                _ if next == end => return,
                '}' | ']' => return self.at += 1,
                _ => {}
            }
            self.at += next.len_utf8();
        }
    }
}

/// A number as JSON writes it.
fn number(text: &str) -> Option<Value> {
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_digit());
    let unsigned = text.strip_prefix('-').unwrap_or(text);
    let (mantissa, exponent) = match unsigned.split_once(['e', 'E']) {
        Some((mantissa, exponent)) => (mantissa, Some(exponent)),
        None => (unsigned, None),
    };
    let (whole, fraction) = match mantissa.split_once('.') {
        Some((whole, fraction)) => (whole, Some(fraction)),
        None => (mantissa, None),
    };
    let is_whole = digits(whole) && (whole == "0" || !whole.starts_with('0'));
    let is_exponent = exponent.is_none_or(|it| digits(it.strip_prefix(['+', '-']).unwrap_or(it)));
    if !is_whole || !is_exponent || fraction.is_some_and(|it| !digits(it)) {
        return None;
    }
    if fraction.is_none() && exponent.is_none() {
        return Some(match text.parse() {
            Ok(value) => Value::Integer(value),
            Err(_) => Value::unknown(Type::INTEGER, Origin::Bound),
        });
    }
    text.parse().ok().map(Value::float)
}
