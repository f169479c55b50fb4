//! Values as YAML, laid out as Ruby's Psych does: the choices that depend on what a value is.
//!
//! Psych's layout is that of no library: of the 178 values that are recorded with its usual layout
//! (`tests/conformance/hiera/written.jsonl`), `serde_yaml_ng` writes 107 alike and `yaml-rust2` 91. Quotes, long lines and keys differ;
//! neither takes the indentation and the width of a line that `to_yaml` is given.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use scalars::numbers::float_text;
use scalars::regexp::Regexp;
use types::Value;

use super::emitter::{Emitter, NodeRole, Style};
use super::scalar::{Scalar, plain};

/// How the text is laid out.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct YamlLayout {
    /// Columns for each level: 2 to 9, else 2.
    pub indentation: Option<i64>,
    /// Behind this column texts go on in the next line; below 0, they never do.
    pub line_width: Option<i64>,
}

/// Arrays and hashes by where they lie in memory: those that stand in several places are written once.
type Repeated = FxHashMap<usize, Option<u32>>;

/// A value as a YAML document; `None` when it holds something that is not known, or that only Ruby has words for.
/// `most` is how many bytes it may have.
pub fn write(value: &Value, layout: YamlLayout, most: usize) -> Option<String> {
    let mut repeated = Repeated::default();
    find_repeated(value, &mut repeated, &mut 0);
    let mut writer =
        YamlWriter { emitter: Emitter::new(layout), repeated, written: FxHashMap::default(), layout, most };
    writer.emitter.begin_document();
    writer.node(value, NodeRole::Root)?;
    Some(writer.emitter.end_document())
}

fn address(value: &Value) -> Option<usize> {
    match value {
        Value::Array(elements) => Some(Arc::as_ptr(elements).addr()),
        Value::Hash(entries) => Some(Arc::as_ptr(entries).addr()),
        _ => None,
    }
}

/// Numbers those that stand in several places, in the order in which they are met again.
fn find_repeated(value: &Value, repeated: &mut Repeated, count: &mut u32) {
    let Some(address) = address(value) else { return };
    if let Some(number) = repeated.get_mut(&address) {
        if number.is_none() {
            *count += 1;
            *number = Some(*count);
        }
        return;
    }
    repeated.insert(address, None);
    match value {
        Value::Array(elements) => elements.iter().for_each(|it| find_repeated(it, repeated, count)),
        Value::Hash(entries) => {
            for (key, value) in entries.iter() {
                find_repeated(key, repeated, count);
                find_repeated(value, repeated, count);
            }
        }
        _ => {}
    }
}

struct YamlWriter {
    emitter: Emitter,
    repeated: Repeated,
    /// Those that were written already.
    written: FxHashMap<usize, u32>,
    layout: YamlLayout,
    most: usize,
}

impl YamlWriter {
    fn node(&mut self, value: &Value, place: NodeRole) -> Option<()> {
        if self.emitter.len() > self.most {
            return None;
        }
        let anchor = address(value).and_then(|address| Some((address, (*self.repeated.get(&address)?)?)));
        if let Some((address, number)) = anchor {
            if self.written.contains_key(&address) {
                self.emitter.alias(number, place);
                return Some(());
            }
            self.written.insert(address, number);
        }
        let anchor = anchor.map(|(_, number)| number);
        match value {
            Value::Undef => self.emitter.scalar("", Style::Plain, true, place),
            Value::Default => self.emitter.scalar(":default", Style::Plain, true, place),
            Value::Boolean(value) => self.emitter.scalar(&value.to_string(), Style::Plain, true, place),
            Value::Integer(value) => self.emitter.scalar(&value.to_string(), Style::Plain, true, place),
            Value::Float(value) => self.emitter.scalar(&float(value.0), Style::Plain, true, place),
            Value::String(text) => self.text(text, place),
            Value::Array(elements) if elements.is_empty() => self.emitter.empty("[", "]", anchor),
            Value::Hash(entries) if entries.is_empty() => self.emitter.empty("{", "}", anchor),
            Value::Array(elements) => {
                let outer = self.emitter.begin_sequence(anchor, place);
                for element in elements.iter() {
                    self.emitter.element();
                    self.node(element, NodeRole::Element)?;
                }
                self.emitter.end(outer);
            }
            Value::Hash(entries) => {
                let outer = self.emitter.begin_mapping(anchor);
                for (key, value) in entries.iter() {
                    let is_simple = self.is_simple_key(key);
                    self.emitter.key(is_simple);
                    self.node(key, if is_simple { NodeRole::SimpleKey } else { NodeRole::Mapping })?;
                    self.emitter.colon(is_simple);
                    self.node(value, NodeRole::Mapping)?;
                }
                self.emitter.end(outer);
            }
            _ => return None,
        }
        Some(())
    }

    /// Does a key fit in front of a colon, without `?`?
    fn is_simple_key(&self, key: &Value) -> bool {
        const MAX_LENGTH: usize = 128;
        match key {
            Value::String(text) => text.len() <= MAX_LENGTH && !super::emitter::is_multiline(text),
            Value::Array(elements) => elements.is_empty() || self.is_repeated(key),
            Value::Hash(entries) => entries.is_empty() || self.is_repeated(key),
            _ => true,
        }
    }

    /// Is it written as an alias?
    fn is_repeated(&self, value: &Value) -> bool {
        address(value).is_some_and(|address| self.written.contains_key(&address))
    }

    fn text(&mut self, text: &str, place: NodeRole) {
        static LINES: LazyLock<Option<Regexp>> = LazyLock::new(|| Regexp::new(r"\n(?!\Z)").ok());
        static BEGINS_ODDLY: LazyLock<Option<Regexp>> =
            LazyLock::new(|| Regexp::new("^[^[:word:]][^\"]*$").ok());
        let matches = |pattern: &Option<Regexp>| {
            pattern.as_ref().is_some_and(|pattern| pattern.is_match(text).unwrap_or(false))
        };
        let is_wide = |width: i64| width >= 0 && text.chars().count() as i64 > width;
        let style = match text {
            _ if text.contains('\n') && matches(&LINES) => Style::Literal,
            "<<" => return self.emitter.tagged("<<", place),
            "y" | "n" => Style::DoubleQuoted,
            _ if self.layout.line_width.is_some_and(is_wide) => Style::Folded,
            _ if matches(&BEGINS_ODDLY) => Style::DoubleQuoted,
            _ if reads_as_something_else(text) => Style::SingleQuoted,
            _ => Style::Plain,
        };
        self.emitter.scalar(text, style, false, place);
    }
}

fn float(value: f64) -> String {
    match value {
        _ if value.is_nan() => ".nan".to_owned(),
        f64::INFINITY => ".inf".to_owned(),
        f64::NEG_INFINITY => "-.inf".to_owned(),
        _ => float_text(value),
    }
}

/// Would a text without quotes be read as something else, or is it an almost octal number?
fn reads_as_something_else(text: &str) -> bool {
    let after_octal = || text.trim_start_matches(['0', '1', '2', '3', '4', '5', '6', '7']);
    if text.starts_with('0') && after_octal().starts_with(['8', '9']) {
        return true;
    }
    // A line of its own decides, as in Ruby's patterns.
    let text = text.strip_suffix('\n').unwrap_or(text);
    !matches!(plain(text), Scalar::Value(Value::String(_)))
}
