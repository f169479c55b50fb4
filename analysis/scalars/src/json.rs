//! JSON parser with the semantics of Ruby's library, used for all JSON in Puppet code. Provides the location
//! of each value, and recovers from errors. A [`JsonBuilder`] determines the result.
//!
//! Ruby permits terminated comments, and any character after a backslash; it rejects `NaN`, the empty string,
//! and more than 100 nested arrays and objects. Protocol messages and our own reports use `serde_json`
//! instead.

use std::fmt;
use std::ops::Range;

use crate::characters::Characters;

/// Maximum nesting depth.
const MAX_DEPTH: usize = 100;

/// Error for which Ruby rejects a document.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonSyntaxError {
    /// Location in bytes.
    pub range: Range<usize>,
    pub message: String,
}

/// JSON value without nested values.
#[derive(Clone, PartialEq, Debug)]
pub enum JsonScalar<'a> {
    Null,
    Boolean(bool),
    /// Integer of any size, with its sign.
    Integer(&'a str),
    Float(f64),
    Text(String),
    /// String that is not valid Unicode: an unpaired `\u` surrogate, which Ruby turns into bytes.
    InvalidText,
    /// Missing value, or syntax error in its place.
    Nothing,
}

/// Builder that constructs results from values, innermost first.
pub trait JsonBuilder {
    /// Result for a value; keys are scalars, too.
    type Node;
    fn scalar(&mut self, range: Range<usize>, scalar: JsonScalar<'_>) -> Self::Node;
    fn array(&mut self, range: Range<usize>, elements: Vec<Self::Node>) -> Self::Node;
    fn object(&mut self, range: Range<usize>, members: Vec<(Self::Node, Self::Node)>) -> Self::Node;
}

/// Parses `text` with a builder. Returns the result, as far as it can be parsed, and the errors.
pub fn read<B: JsonBuilder>(text: &str, builder: &mut B) -> (Option<B::Node>, Vec<JsonSyntaxError>) {
    let mut reader = JsonReader { input: Characters::new(text), errors: Vec::new(), builder };
    reader.skip_whitespace();
    if reader.input.peek().is_none() {
        reader.report_here("expected a value");
        return (None, reader.errors);
    }
    let root = reader.value(0);
    reader.skip_whitespace();
    if reader.errors.is_empty() && reader.input.peek().is_some() {
        reader.report_here("unexpected characters after the value");
    }
    (root, reader.errors)
}

/// Returns the first error in `text`.
pub fn first_syntax_error(text: &str) -> Option<JsonSyntaxError> {
    read(text, &mut DiscardingBuilder).1.into_iter().min_by_key(|it| it.range.start)
}

/// Returns the contents of a double-quoted literal, or `None` if Ruby rejects it.
pub fn text_of_literal(literal: &str) -> Option<String> {
    let mut reader =
        JsonReader { input: Characters::new(literal), errors: Vec::new(), builder: &mut DiscardingBuilder };
    let text = (reader.input.peek() == Some('"')).then(|| reader.text()).flatten();
    text.filter(|_| reader.errors.is_empty() && reader.input.at == literal.len())
}

/// Writes a string as a literal, like Ruby.
pub fn write_text(out: &mut String, text: &str) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\0'..='\x1f' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Builder for callers that only need the errors.
struct DiscardingBuilder;

impl JsonBuilder for DiscardingBuilder {
    type Node = ();

    fn scalar(&mut self, _: Range<usize>, _: JsonScalar<'_>) {}

    fn array(&mut self, _: Range<usize>, _: Vec<()>) {}

    fn object(&mut self, _: Range<usize>, _: Vec<((), ())>) {}
}

/// String that is being parsed.
#[derive(Default)]
struct PartialString {
    text: String,
    /// True if the string is not valid Unicode.
    is_invalid: bool,
    /// Minimum end of the string: six bytes must follow the first half of a surrogate pair, whatever they
    /// are.
    shortest_end: usize,
}

struct JsonReader<'a, 'b, B> {
    input: Characters<'a>,
    errors: Vec<JsonSyntaxError>,
    builder: &'b mut B,
}

impl<'a, B: JsonBuilder> JsonReader<'a, '_, B> {
    /// Records an error at the character at an offset.
    fn report(&mut self, at: usize, message: impl fmt::Display) {
        let end = self.input.end_of_character(at);
        self.errors.push(JsonSyntaxError { range: at..end, message: message.to_string() });
    }

    fn report_here(&mut self, message: impl fmt::Display) {
        self.report(self.input.at, message);
    }

    /// Skips whitespace and comments.
    fn skip_whitespace(&mut self) {
        loop {
            let rest = self.input.rest();
            self.input.at += rest.len() - rest.trim_start_matches([' ', '\t', '\r', '\n']).len();
            let rest = self.input.rest();
            let end = if rest.starts_with("//") {
                rest.find('\n')
            } else if let Some(comment) = rest.strip_prefix("/*") {
                comment.find("*/").map(|end| end + 4)
            } else {
                return;
            };
            if end.is_none() {
                self.report_here("unterminated comment");
            }
            self.input.at += end.unwrap_or(rest.len());
        }
    }

    /// Parses a value. Returns `None` if there is none.
    fn value(&mut self, depth: usize) -> Option<B::Node> {
        let start = self.input.at;
        match self.input.peek()? {
            '{' | '[' if depth >= MAX_DEPTH => {
                self.report(start, format_args!("values are nested more than {MAX_DEPTH} levels deep"));
                self.input.at = self.input.text.len();
                None
            }
            '{' => Some(self.object(depth)),
            '[' => Some(self.array(depth)),
            '"' => Some(self.text_node()),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Option<B::Node> {
        let start = self.input.at;
        let rest = self.input.rest();
        let is_word = |it: char| it.is_ascii_alphanumeric() || matches!(it, '+' | '-' | '.' | '_');
        let word = &rest[..rest.find(|it| !is_word(it)).unwrap_or(rest.len())];
        let scalar = match word {
            "null" => JsonScalar::Null,
            "true" => JsonScalar::Boolean(true),
            "false" => JsonScalar::Boolean(false),
            "" => {
                let next = self.input.peek().unwrap_or(' ');
                self.report_here(format_args!("expected a value before `{next}`"));
                return None;
            }
            _ => number(word).unwrap_or_else(|| {
                let message = format!("invalid value `{word}`\nhelp: enclose strings in double quotes");
                self.errors.push(JsonSyntaxError { range: start..start + word.len(), message });
                JsonScalar::Nothing
            }),
        };
        self.input.at += word.len();
        Some(self.builder.scalar(start..self.input.at, scalar))
    }

    fn text_node(&mut self) -> B::Node {
        let start = self.input.at;
        let scalar = self.text().map_or(JsonScalar::InvalidText, JsonScalar::Text);
        self.builder.scalar(start..self.input.at, scalar)
    }

    /// Parses a string. Returns `None` if it is not valid Unicode.
    fn text(&mut self) -> Option<String> {
        let start = self.input.at;
        self.input.at += 1;
        let mut made = PartialString::default();
        while let Some(next) = self.input.peek() {
            self.input.at += next.len_utf8();
            match next {
                '"' => {
                    if self.input.at <= made.shortest_end {
                        self.report(self.input.at - 1, "unpaired surrogate in string");
                    }
                    return (!made.is_invalid).then_some(made.text);
                }
                '\\' if self.input.rest().starts_with('u') => self.unit_or_pair(&mut made),
                '\\' => made.text.extend(self.escaped()),
                '\n' => {
                    self.report(start, "unterminated string");
                    return Some(made.text);
                }
                next => {
                    if next < ' ' {
                        self.report(self.input.at - 1, "unescaped control character in string");
                    }
                    made.text.push(next);
                }
            }
        }
        self.report(start, "unterminated string");
        Some(made.text)
    }

    /// Parses the escape after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let escaped = self.input.peek().filter(|&it| it >= ' ');
        if escaped.is_none() {
            self.report(self.input.at - 1, "incomplete escape sequence");
        }
        self.input.at += escaped.map_or(0, char::len_utf8);
        Some(match escaped? {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            other => other,
        })
    }

    /// Parses `uXXXX`, or a surrogate pair `uXXXX\uXXXX`.
    fn unit_or_pair(&mut self, made: &mut PartialString) {
        let Some(unit) = self.unit() else {
            self.report(self.input.at - 1, "`\\u` requires four hexadecimal digits");
            self.input.at += 1;
            return;
        };
        let character = match unit {
            0xd800..=0xdbff => {
                made.shortest_end = self.input.at + 6;
                let low = self.second_unit();
                low.and_then(|low| char::from_u32(0x10000 + ((unit & 0x3ff) << 10) + (low & 0x3ff)))
            }
            unit => char::from_u32(unit),
        };
        made.is_invalid |= character.is_none();
        made.text.extend(character);
    }

    fn second_unit(&mut self) -> Option<u32> {
        let start = self.input.at;
        let unit = if self.input.eat('\\') { self.unit() } else { None };
        if unit.is_none() {
            self.input.at = start;
        }
        unit
    }

    /// Parses and consumes the number in `uXXXX`.
    fn unit(&mut self) -> Option<u32> {
        let digits = self.input.rest().strip_prefix('u')?.get(..4)?;
        let unit = digits.bytes().all(|it| it.is_ascii_hexdigit()).then_some(digits)?;
        self.input.at += 5;
        u32::from_str_radix(unit, 16).ok()
    }

    fn array(&mut self, depth: usize) -> B::Node {
        let start = self.input.at;
        let mut elements = Vec::new();
        self.members(']', |reader| match reader.value(depth + 1) {
            Some(element) => {
                elements.push(element);
                true
            }
            None => false,
        });
        self.builder.array(start..self.input.at, elements)
    }

    fn object(&mut self, depth: usize) -> B::Node {
        let start = self.input.at;
        let mut members = Vec::new();
        self.members('}', |reader| {
            if reader.input.peek() != Some('"') {
                reader.report_here("expected a key in double quotes");
                return false;
            }
            let key = reader.text_node();
            reader.skip_whitespace();
            if !reader.input.eat(':') {
                reader.report_here("expected `:` after the key");
            }
            reader.skip_whitespace();
            let value = reader.value(depth + 1);
            let at = reader.input.at;
            let value = value.unwrap_or_else(|| reader.builder.scalar(at..at, JsonScalar::Nothing));
            members.push((key, value));
            true
        });
        self.builder.object(start..self.input.at, members)
    }

    /// Parses a bracketed list that ends with `end`. `member` parses one member and returns true if there was
    /// one.
    fn members(&mut self, end: char, mut member: impl FnMut(&mut Self) -> bool) {
        let open = self.input.at;
        self.input.at += 1;
        self.skip_whitespace();
        if self.input.eat(end) {
            return;
        }
        loop {
            self.skip_whitespace();
            if self.input.peek().is_none() {
                self.report(open, format_args!("missing closing `{end}`"));
                return;
            }
            if !member(self) {
                self.recover(end);
            }
            self.skip_whitespace();
            if self.input.eat(end) {
                return;
            }
            let comma = self.input.at;
            if !self.input.eat(',') {
                if self.input.peek().is_none() {
                    self.report(open, format_args!("missing closing `{end}`"));
                    return;
                }
                self.report(comma, format_args!("expected `,` or `{end}`"));
                self.recover(end);
                if self.input.eat(end) || !self.input.eat(',') {
                    return;
                }
                continue;
            }
            self.skip_whitespace();
            if self.input.eat(end) {
                self.report(comma, "unexpected trailing comma");
                return;
            }
        }
    }

    /// Recovers by skipping to the next possible end of a member.
    fn recover(&mut self, end: char) {
        while let Some(next) = self.input.peek() {
            match next {
                ',' => return,
                '"' => {
                    let errors = self.errors.len();
                    self.text();
                    self.errors.truncate(errors);
                    continue;
                }
                _ if next == end => return,
                '}' | ']' => return self.input.at += 1,
                _ => {}
            }
            self.input.at += next.len_utf8();
        }
    }
}

/// Parses a JSON number.
fn number(text: &str) -> Option<JsonScalar<'_>> {
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
        Some(JsonScalar::Integer(text))
    } else {
        text.parse().ok().map(JsonScalar::Float)
    }
}
