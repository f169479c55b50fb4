//! JSON as Ruby's library reads it, the only reader of it for Puppet code: with the place of each value, and beyond the first
//! mistake. What a value becomes is up to a [`JsonBuilder`].
//!
//! Ruby allows comments that end, and any character behind a backslash; it refuses `NaN`, the empty text, and more than 100 arrays
//! and objects in each other. Messages of the protocol and reports of our own are `serde_json`'s.

use std::fmt;
use std::ops::Range;

use crate::characters::Characters;

/// Values are not nested more deeply than this.
const MAX_DEPTH: usize = 100;

/// Something for which Ruby refuses a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JsonMistake {
    /// In bytes.
    pub range: Range<usize>,
    pub message: String,
}

/// What stands where JSON has a value without others in it.
#[derive(Clone, PartialEq, Debug)]
pub enum JsonScalar<'a> {
    Null,
    Boolean(bool),
    /// Digits, of any number, and a sign.
    Integer(&'a str),
    Float(f64),
    Text(String),
    /// A text that is no text for us: half a pair of `\u`, which Ruby takes for bytes of its own.
    OddText,
    /// A mistake stands there, or nothing.
    Nothing,
}

/// Makes something of values, the inner ones first.
pub trait JsonBuilder {
    /// What it makes; keys are scalars, too.
    type Node;
    fn scalar(&mut self, range: Range<usize>, scalar: JsonScalar<'_>) -> Self::Node;
    fn array(&mut self, range: Range<usize>, elements: Vec<Self::Node>) -> Self::Node;
    fn object(&mut self, range: Range<usize>, members: Vec<(Self::Node, Self::Node)>) -> Self::Node;
}

/// What a builder makes of a text, as far as it can be read, and the mistakes in it.
pub fn read<B: JsonBuilder>(text: &str, builder: &mut B) -> (Option<B::Node>, Vec<JsonMistake>) {
    let mut reader = JsonReader { input: Characters::new(text), mistakes: Vec::new(), builder };
    reader.skip_blanks();
    if reader.input.peek().is_none() {
        reader.mistake_here("there is no value");
        return (None, reader.mistakes);
    }
    let root = reader.value(0);
    reader.skip_blanks();
    if reader.mistakes.is_empty() && reader.input.peek().is_some() {
        reader.mistake_here("nothing may stand behind the value");
    }
    (root, reader.mistakes)
}

/// The first mistake in a text.
pub fn first_mistake(text: &str) -> Option<JsonMistake> {
    read(text, &mut NothingBuilder).1.into_iter().min_by_key(|it| it.range.start)
}

/// The text that a literal in double quotes stands for; none for what Ruby refuses.
pub fn text_of_literal(literal: &str) -> Option<String> {
    let mut reader =
        JsonReader { input: Characters::new(literal), mistakes: Vec::new(), builder: &mut NothingBuilder };
    let text = (reader.input.peek() == Some('"')).then(|| reader.text()).flatten();
    text.filter(|_| reader.mistakes.is_empty() && reader.input.at == literal.len())
}

/// Writes a text as a literal, as Ruby does.
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

/// For who asks for the mistakes alone.
struct NothingBuilder;

impl JsonBuilder for NothingBuilder {
    type Node = ();

    fn scalar(&mut self, _: Range<usize>, _: JsonScalar<'_>) {}

    fn array(&mut self, _: Range<usize>, _: Vec<()>) {}

    fn object(&mut self, _: Range<usize>, _: Vec<((), ())>) {}
}

/// A text as far as it is read.
#[derive(Default)]
struct MadeText {
    text: String,
    /// Is there something that is no character?
    is_odd: bool,
    /// Behind the first half of a pair, six bytes must follow, whatever they are.
    shortest_end: usize,
}

struct JsonReader<'a, 'b, B> {
    input: Characters<'a>,
    mistakes: Vec<JsonMistake>,
    builder: &'b mut B,
}

impl<'a, B: JsonBuilder> JsonReader<'a, '_, B> {
    /// Notes that the character at an offset cannot stand there.
    fn mistake(&mut self, at: usize, message: impl fmt::Display) {
        let end = self.input.end_of_character(at);
        self.mistakes.push(JsonMistake { range: at..end, message: message.to_string() });
    }

    fn mistake_here(&mut self, message: impl fmt::Display) {
        self.mistake(self.input.at, message);
    }

    /// Passes over blanks and comments.
    fn skip_blanks(&mut self) {
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
                self.mistake_here("a comment that does not end");
            }
            self.input.at += end.unwrap_or(rest.len());
        }
    }

    /// `None` where nothing stands.
    fn value(&mut self, depth: usize) -> Option<B::Node> {
        let start = self.input.at;
        match self.input.peek()? {
            '{' | '[' if depth >= MAX_DEPTH => {
                self.mistake(start, format_args!("values are nested more than {MAX_DEPTH} deep"));
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
                self.mistake_here(format_args!("a value is missing in front of '{next}'"));
                return None;
            }
            _ => number(word).unwrap_or_else(|| {
                let message = format!("'{word}' is no value; texts stand in double quotes");
                self.mistakes.push(JsonMistake { range: start..start + word.len(), message });
                JsonScalar::Nothing
            }),
        };
        self.input.at += word.len();
        Some(self.builder.scalar(start..self.input.at, scalar))
    }

    fn text_node(&mut self) -> B::Node {
        let start = self.input.at;
        let scalar = self.text().map_or(JsonScalar::OddText, JsonScalar::Text);
        self.builder.scalar(start..self.input.at, scalar)
    }

    /// The text that begins here; `None` for one that only Ruby has.
    fn text(&mut self) -> Option<String> {
        let start = self.input.at;
        self.input.at += 1;
        let mut made = MadeText::default();
        while let Some(next) = self.input.peek() {
            self.input.at += next.len_utf8();
            match next {
                '"' => {
                    if self.input.at <= made.shortest_end {
                        self.mistake(self.input.at - 1, "half a character: two '\\u' belong together");
                    }
                    return (!made.is_odd).then_some(made.text);
                }
                '\\' if self.input.rest().starts_with('u') => self.unit_or_pair(&mut made),
                '\\' => made.text.extend(self.escaped()),
                '\n' => {
                    self.mistake(start, "the text has no closing quote on its line");
                    return Some(made.text);
                }
                next => {
                    if next < ' ' {
                        self.mistake(self.input.at - 1, "this character must be written as an escape");
                    }
                    made.text.push(next);
                }
            }
        }
        self.mistake(start, "the text has no closing quote");
        Some(made.text)
    }

    /// What a letter behind a backslash stands for.
    fn escaped(&mut self) -> Option<char> {
        let escaped = self.input.peek().filter(|&it| it >= ' ');
        if escaped.is_none() {
            self.mistake(self.input.at - 1, "a backslash with nothing behind it");
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

    /// `uXXXX`, or two of them with a backslash between.
    fn unit_or_pair(&mut self, made: &mut MadeText) {
        let Some(unit) = self.unit() else {
            self.mistake(self.input.at - 1, "'\\u' needs four hexadecimal digits");
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
        made.is_odd |= character.is_none();
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

    /// The number that `uXXXX` writes here, passed over.
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
                reader.mistake_here("a key in double quotes is expected");
                return false;
            }
            let key = reader.text_node();
            reader.skip_blanks();
            if !reader.input.eat(':') {
                reader.mistake_here("':' is missing behind the key");
            }
            reader.skip_blanks();
            let value = reader.value(depth + 1);
            let at = reader.input.at;
            let value = value.unwrap_or_else(|| reader.builder.scalar(at..at, JsonScalar::Nothing));
            members.push((key, value));
            true
        });
        self.builder.object(start..self.input.at, members)
    }

    /// The brackets that begin here and end with `end`, and what stands between. `member` reads one, and says whether there was one.
    fn members(&mut self, end: char, mut member: impl FnMut(&mut Self) -> bool) {
        let open = self.input.at;
        self.input.at += 1;
        self.skip_blanks();
        if self.input.eat(end) {
            return;
        }
        loop {
            self.skip_blanks();
            if self.input.peek().is_none() {
                self.mistake(open, format_args!("'{end}' is missing"));
                return;
            }
            if !member(self) {
                self.recover(end);
            }
            self.skip_blanks();
            if self.input.eat(end) {
                return;
            }
            let comma = self.input.at;
            if !self.input.eat(',') {
                if self.input.peek().is_none() {
                    self.mistake(open, format_args!("'{end}' is missing"));
                    return;
                }
                self.mistake(comma, format_args!("',' or '{end}' is missing"));
                self.recover(end);
                if self.input.eat(end) || !self.input.eat(',') {
                    return;
                }
                continue;
            }
            self.skip_blanks();
            if self.input.eat(end) {
                self.mistake(comma, "no ',' may stand behind the last value");
                return;
            }
        }
    }

    /// Goes on to the next thing that may be the end of a member.
    fn recover(&mut self, end: char) {
        while let Some(next) = self.input.peek() {
            match next {
                ',' => return,
                '"' => {
                    let mistakes = self.mistakes.len();
                    self.text();
                    self.mistakes.truncate(mistakes);
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

/// A number as JSON writes it.
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
    match fraction.is_none() && exponent.is_none() {
        true => Some(JsonScalar::Integer(text)),
        false => text.parse().ok().map(JsonScalar::Float),
    }
}
