//! YAML serialization compatible with Ruby's Psych: the choices that depend on a value's type.
//!
//! No library formats YAML as Psych does. Of the 178 values that are recorded with Psych's default format
//! (`tests/conformance/hiera/written.jsonl`), `serde_yaml_ng` writes 107 identically and `yaml-rust2` 91.
//! Quotes, long lines and keys differ, and neither library supports the indentation and line width options of
//! `to_yaml`.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use scalars::numbers::float_text;
use scalars::regexp::Regexp;
use types::Value;

use super::emitter::{Emitter, NodeRole, Style, YamlFormat};
use super::scalar::{Scalar, plain};

/// Memory addresses of arrays and hashes, with an anchor number for those that occur more than once.
type Repeated = FxHashMap<usize, Option<u32>>;

/// Serializes a value as a YAML document; `None` if it contains an unknown value or one that only Ruby can
/// represent. `max_length` is the maximum length in bytes.
pub fn write(value: &Value, format: YamlFormat, max_length: usize) -> Option<String> {
    let mut repeated = Repeated::default();
    find_repeated(value, &mut repeated, &mut 0);
    let mut writer = YamlWriter {
        emitter: Emitter::new(format),
        repeated,
        written: FxHashMap::default(),
        format,
        max_length,
    };
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

/// Numbers the collections that occur more than once, in the order of their second occurrence.
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
    /// Collections already written.
    written: FxHashMap<usize, u32>,
    format: YamlFormat,
    max_length: usize,
}

impl YamlWriter {
    fn node(&mut self, value: &Value, role: NodeRole) -> Option<()> {
        if self.emitter.len() > self.max_length {
            return None;
        }
        let anchor = address(value).and_then(|address| Some((address, (*self.repeated.get(&address)?)?)));
        if let Some((address, number)) = anchor {
            if self.written.contains_key(&address) {
                self.emitter.alias(number, role);
                return Some(());
            }
            self.written.insert(address, number);
        }
        let anchor = anchor.map(|(_, number)| number);
        match value {
            Value::Undef => self.emitter.scalar("", Style::Plain, true, role),
            Value::Default => self.emitter.scalar(":default", Style::Plain, true, role),
            Value::Boolean(value) => self.emitter.scalar(&value.to_string(), Style::Plain, true, role),
            Value::Integer(value) => self.emitter.scalar(&value.to_string(), Style::Plain, true, role),
            Value::Float(value) => self.emitter.scalar(&float(value.0), Style::Plain, true, role),
            Value::String(text) => self.text(text, role),
            Value::Array(elements) if elements.is_empty() => self.emitter.empty("[", "]", anchor),
            Value::Hash(entries) if entries.is_empty() => self.emitter.empty("{", "}", anchor),
            Value::Array(elements) => {
                let outer = self.emitter.begin_sequence(anchor, role);
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

    /// Returns true if a key can be written before a colon, without `?`.
    fn is_simple_key(&self, key: &Value) -> bool {
        const MAX_LENGTH: usize = 128;
        match key {
            Value::String(text) => text.len() <= MAX_LENGTH && !super::emitter::is_multiline(text),
            Value::Array(elements) => elements.is_empty() || self.is_repeated(key),
            Value::Hash(entries) => entries.is_empty() || self.is_repeated(key),
            _ => true,
        }
    }

    /// Returns true if the value is written as an alias.
    fn is_repeated(&self, value: &Value) -> bool {
        address(value).is_some_and(|address| self.written.contains_key(&address))
    }

    fn text(&mut self, text: &str, role: NodeRole) {
        static LINES: LazyLock<Option<Regexp>> = LazyLock::new(|| Regexp::new(r"\n(?!\Z)").ok());
        static BEGINS_ODDLY: LazyLock<Option<Regexp>> =
            LazyLock::new(|| Regexp::new("^[^[:word:]][^\"]*$").ok());
        let matches = |pattern: &Option<Regexp>| {
            pattern.as_ref().is_some_and(|pattern| pattern.is_match(text).unwrap_or(false))
        };
        let is_wide = |width: i64| width >= 0 && text.chars().count() as i64 > width;
        let style = match text {
            _ if text.contains('\n') && matches(&LINES) => Style::Literal,
            "<<" => return self.emitter.tagged("<<", role),
            "y" | "n" => Style::DoubleQuoted,
            _ if self.format.line_width.is_some_and(is_wide) => Style::Folded,
            _ if matches(&BEGINS_ODDLY) => Style::DoubleQuoted,
            _ if reads_as_something_else(text) => Style::SingleQuoted,
            _ => Style::Plain,
        };
        self.emitter.scalar(text, style, false, role);
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

/// Returns true if an unquoted string would be parsed as another value, or resembles an octal number.
fn reads_as_something_else(text: &str) -> bool {
    let after_octal = || text.trim_start_matches(['0', '1', '2', '3', '4', '5', '6', '7']);
    if text.starts_with('0') && after_octal().starts_with(['8', '9']) {
        return true;
    }
    // Ruby's patterns match up to a final line break.
    let text = text.strip_suffix('\n').unwrap_or(text);
    !matches!(plain(text), Scalar::Value(Value::String(_)))
}
