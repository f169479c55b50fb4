//! Conversion of values to strings: interpolation (`"${value}"`), Puppet notation, and quoting.

use std::borrow::Cow;
use std::sync::Arc;

use scalars::numbers::float_text;

use crate::common::generalize;
use crate::display::{embedded_type_text, type_text};
use crate::environment::TypeEnvironment;
use crate::infer::infer;
use crate::iterate::all_elements;
use crate::object::{ObjectAttribute, ObjectType, ObjectValue};
use crate::ty::Type;
use crate::value::{HashValue, IteratorValue, Origin, Value};

/// Maximum size of a converted string in bytes.
pub const TEXT_LIMIT: usize = 16 << 20;

/// Maximum number of values that a conversion visits, even if it produces no output: a few arrays that
/// contain each other repeatedly amount to many values.
pub const VALUE_LIMIT: usize = 1 << 20;

/// Maximum nesting depth of a value that is converted to a string.
pub const DEPTH_LIMIT: usize = 512;

/// Reason why a value has no string form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextError {
    /// A part of the value is unknown.
    Unknown(Origin),
    /// The result exceeds [`TEXT_LIMIT`], or there are too many or too deeply nested values.
    TooLong,
}

/// Returns the string that `"${value}"` interpolates; strings are not quoted, not even in arrays and hashes.
///
/// The contents of a `Sensitive` are never read.
///
/// # Errors
/// If the string is unknown or too long.
pub fn interpolated<'v>(value: &'v Value, env: &dyn TypeEnvironment) -> Result<Cow<'v, str>, TextError> {
    match value {
        Value::String(text) => Ok(Cow::Borrowed(text)),
        value => {
            let mut writer = TextWriter::default();
            write_interpolated(&mut writer, value, env)?;
            Ok(Cow::Owned(writer.text))
        }
    }
}

/// Returns the value in Puppet notation, as close to a literal as Puppet's own `String(value, '%p')`.
///
/// Timestamps and similar values become constructor calls, unknown values their type in angle brackets.
/// Output that would be too long ends with `...`.
pub fn to_notation(value: &Value, env: &dyn TypeEnvironment) -> String {
    let mut writer = TextWriter { shows_unknown: true, ..TextWriter::default() };
    let constructors = needs_constructors(value, &mut 0, 0);
    if write_notation(&mut writer, value, constructors, env).is_err() {
        writer.text.push_str("...");
    }
    writer.text
}

/// Quotes a string as a literal, in single quotes if possible, otherwise in double quotes.
pub fn quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('\'');
    let mut escaped = false;
    for c in text.chars() {
        if c < ' ' {
            return double_quoted(text);
        }
        match c {
            _ if escaped => {
                literal.push('\\');
                literal.push(c);
                escaped = false;
            }
            '\'' => literal.push_str("\\'"),
            '\\' => escaped = true,
            c => literal.push(c),
        }
    }
    if escaped {
        literal.push('\\');
    }
    literal.push('\'');
    literal
}

/// Quotes a string as a double-quoted literal.
pub fn double_quoted(text: &str) -> String {
    let mut literal = String::with_capacity(text.len() + 2);
    literal.push('"');
    for c in text.chars() {
        match c {
            '\t' => literal.push_str("\\t"),
            '\n' => literal.push_str("\\n"),
            '\r' => literal.push_str("\\r"),
            '"' => literal.push_str("\\\""),
            '$' => literal.push_str("\\$"),
            '\\' => literal.push_str("\\\\"),
            c if c < ' ' => literal.push_str(&format!("\\u{{{:X}}}", u32::from(c))),
            c => literal.push(c),
        }
    }
    literal.push('"');
    literal
}

/// Returns a literal on one line, as it appears in the string form of a type or object:
/// `Error({'msg' => 'x'})`.
pub fn literal(value: &Value, env: &dyn TypeEnvironment) -> Result<String, TextError> {
    let mut writer = TextWriter::default();
    Literal { writer: &mut writer, indent: None, env }.write_value(value)?;
    Ok(writer.text)
}

/// Returns a literal that spans several lines, starting at the given indentation level.
pub fn indented_literal(value: &Value, level: usize, env: &dyn TypeEnvironment) -> Result<String, TextError> {
    let mut writer = TextWriter::default();
    Literal { writer: &mut writer, indent: Some(level), env }.write_value(value)?;
    Ok(writer.text)
}

/// Maximum number of elements that an iterator yields in a conversion.
const MAX_ITERATOR_ELEMENTS: usize = VALUE_LIMIT;

/// Returns the elements of an iterator.
///
/// # Errors
/// If there are too many elements, or they are unknown.
pub fn iterator_elements(
    iterator: &IteratorValue,
    env: &dyn TypeEnvironment,
) -> Result<Vec<Value>, TextError> {
    let value = Value::Iterator(Arc::new(iterator.clone()));
    let elements: Option<Vec<Value>> =
        all_elements(&value, env, MAX_ITERATOR_ELEMENTS + 1).map(Iterator::collect);
    match elements {
        Some(elements) if elements.len() <= MAX_ITERATOR_ELEMENTS => Ok(elements),
        Some(_) => Err(TextError::TooLong),
        None => Err(TextError::Unknown(iterator.source.least_trustworthy().unwrap_or(Origin::Bound))),
    }
}

/// String builder bounded by [`TEXT_LIMIT`].
#[derive(Default)]
struct TextWriter {
    text: String,
    values: usize,
    depth: usize,
    /// True if unknown values are shown by their type instead of causing an error.
    shows_unknown: bool,
}

impl TextWriter {
    fn push(&mut self, text: &str) -> Result<(), TextError> {
        if self.text.len() + text.len() > TEXT_LIMIT {
            return Err(TextError::TooLong);
        }
        self.text.push_str(text);
        Ok(())
    }

    /// Counts a value that is about to be written. Must be paired with [`TextWriter::leave`].
    fn enter(&mut self) -> Result<(), TextError> {
        self.values += 1;
        self.depth += 1;
        if self.values > VALUE_LIMIT || self.depth > DEPTH_LIMIT { Err(TextError::TooLong) } else { Ok(()) }
    }

    fn leave(&mut self) {
        self.depth -= 1;
    }
}

fn write_interpolated(
    writer: &mut TextWriter,
    value: &Value,
    env: &dyn TypeEnvironment,
) -> Result<(), TextError> {
    writer.enter()?;
    match value {
        Value::Array(elements) => {
            writer.push("[")?;
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    writer.push(", ")?;
                }
                write_interpolated(writer, element, env)?;
            }
            writer.push("]")?;
        }
        Value::Hash(entries) => {
            writer.push("{")?;
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    writer.push(", ")?;
                }
                write_interpolated(writer, key, env)?;
                writer.push(" => ")?;
                write_interpolated(writer, value, env)?;
            }
            writer.push("}")?;
        }
        Value::Regexp(regexp) => writer.push(&regexp.to_delimited_text())?,
        value => writer.push(&plain_text(value, env)?)?,
    }
    writer.leave();
    Ok(())
}

/// Returns the result of Ruby's `to_s` for anything but arrays and hashes.
pub fn plain_text(value: &Value, env: &dyn TypeEnvironment) -> Result<String, TextError> {
    Ok(match value {
        Value::Undef => String::new(),
        Value::Default => "default".into(),
        Value::Boolean(value) => value.to_string(),
        Value::Integer(value) => value.to_string(),
        Value::WideInteger(value) => value.to_string(),
        Value::Float(value) => float_text(value.0),
        Value::String(text) => text.to_string(),
        Value::Regexp(regexp) => format!("(?-mix:{})", regexp.source()),
        Value::Type(ty) => type_text(ty, env),
        Value::Sensitive(_) => "Sensitive [value redacted]".into(),
        Value::Binary(bytes) => base64_text(bytes),
        Value::Timestamp(timestamp) => timestamp.to_string(),
        Value::Timespan(timespan) => timespan.to_string(),
        Value::SemVer(version) => version.to_string(),
        Value::SemVerRange(range) => range.to_string(),
        Value::Uri(uri) => uri.to_string(),
        Value::Iterator(iterator) => {
            let element = generalize(&iterator.element, env);
            format!("Iterator[{}]-Value", type_text(&element, env))
        }
        Value::Object(_) => literal(value, env)?,
        Value::Array(_) | Value::Hash(_) => {
            let mut writer = TextWriter::default();
            write_interpolated(&mut writer, value, env)?;
            writer.text
        }
        Value::Unknown(unknown) => return Err(TextError::Unknown(unknown.origin)),
    })
}

/// Encodes bytes in Base64 as Puppet prints a `Binary`: padded, on one line.
pub fn base64_text(bytes: &[u8]) -> String {
    use base64::Engine;
    base64::engine::general_purpose::STANDARD.encode(bytes)
}

/// Returns true if `%p` of the value would show a memory address in Puppet.
fn needs_constructors(value: &Value, values: &mut usize, depth: usize) -> bool {
    *values += 1;
    if *values > VALUE_LIMIT || depth > DEPTH_LIMIT {
        return true;
    }
    let mut inside = |value| needs_constructors(value, values, depth + 1);
    match value {
        Value::Timestamp(_) | Value::Timespan(_) => true,
        Value::Array(elements) => elements.iter().any(inside),
        Value::Hash(entries) => entries.iter().any(|(key, value)| inside(key) || inside(value)),
        Value::Iterator(iterator) => inside(&iterator.source),
        _ => false,
    }
}

fn write_notation(
    writer: &mut TextWriter,
    value: &Value,
    constructors: bool,
    env: &dyn TypeEnvironment,
) -> Result<(), TextError> {
    writer.enter()?;
    match value {
        Value::Undef => writer.push("undef"),
        Value::String(text) => writer.push(&quoted(text)),
        Value::Array(elements) => write_elements(writer, elements, constructors, env),
        Value::Iterator(iterator) => match iterator_elements(iterator, env) {
            Ok(elements) => write_elements(writer, &elements, constructors, env),
            Err(TextError::TooLong) => Err(TextError::TooLong),
            Err(TextError::Unknown(_)) => {
                writer.push(&format!("<{}>", embedded_type_text(&infer(value, env), env)))
            }
        },
        Value::Hash(entries) => {
            writer.push("{")?;
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    writer.push(", ")?;
                }
                write_notation(writer, key, constructors, env)?;
                writer.push(" => ")?;
                write_notation(writer, value, constructors, env)?;
            }
            writer.push("}")
        }
        Value::Regexp(regexp) => writer.push(&regexp.to_delimited_text()),
        Value::Sensitive(_) if !constructors => writer.push("#<Sensitive [value redacted]>"),
        Value::Binary(bytes) if constructors => writer.push(&format!("Binary('{}')", base64_text(bytes))),
        Value::Binary(bytes) => writer.push(&format!("Binary(\"{}\")", base64_text(bytes))),
        Value::Timestamp(timestamp) => writer.push(&format!("Timestamp('{timestamp}')")),
        Value::Timespan(timespan) => writer.push(&format!("Timespan('{timespan}')")),
        Value::SemVer(version) if constructors => writer.push(&format!("SemVer('{version}')")),
        Value::SemVerRange(range) if constructors => writer.push(&format!("SemVerRange('{range}')")),
        Value::SemVerRange(range) => writer.push(&range.to_comparison_text()),
        Value::Uri(uri) => writer.push(&format!("URI({})", quoted(&uri.to_string()))),
        Value::Object(_) => Literal { writer, indent: None, env }.write_value(value),
        Value::Unknown(unknown) => writer.push(&format!("<{}>", embedded_type_text(&unknown.ty, env))),
        value => writer.push(&plain_text(value, env)?),
    }?;
    writer.leave();
    Ok(())
}

fn write_elements(
    writer: &mut TextWriter,
    elements: &[Value],
    constructors: bool,
    env: &dyn TypeEnvironment,
) -> Result<(), TextError> {
    writer.push("[")?;
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            writer.push(", ")?;
        }
        write_notation(writer, element, constructors, env)?;
    }
    writer.push("]")
}

/// Writer for values in the string form of a type or object. With indentation, each entry gets its own line.
struct Literal<'a> {
    writer: &'a mut TextWriter,
    indent: Option<usize>,
    env: &'a dyn TypeEnvironment,
}

impl Literal<'_> {
    fn write_value(&mut self, value: &Value) -> Result<(), TextError> {
        self.writer.enter()?;
        match value {
            Value::Undef => self.writer.push("undef"),
            Value::String(text) => self.writer.push(&quoted(text)),
            Value::Regexp(regexp) => self.writer.push(&regexp.to_delimited_text()),
            Value::Array(elements) => self.write_array(elements),
            Value::Hash(entries) => self.write_hash(entries.iter()),
            Value::Type(ty) => self.writer.push(&embedded_type_text(ty, self.env)),
            Value::SemVer(_) | Value::SemVerRange(_) | Value::Timestamp(_) | Value::Timespan(_) => {
                let text = plain_text(value, self.env)?;
                self.writer.push(&format!("'{text}'"))
            }
            Value::Uri(uri) => self.writer.push(&format!("URI({})", quoted(&uri.to_string()))),
            Value::Sensitive(_) | Value::Binary(_) | Value::Iterator(_) => {
                let ty = embedded_type_text(&infer(value, self.env), self.env);
                self.writer.push(&format!("Instance of {ty}"))
            }
            Value::Object(object) => {
                self.writer.push(object.ty.name.as_deref().unwrap_or("Object"))?;
                self.writer.push("(")?;
                let entries = initialization_entries(object, self.env);
                self.write_hash(entries.iter())?;
                self.writer.push(")")
            }
            Value::Unknown(unknown) if self.writer.shows_unknown => {
                self.writer.push(&format!("<{}>", embedded_type_text(&unknown.ty, self.env)))
            }
            value => self.writer.push(&plain_text(value, self.env)?),
        }?;
        self.writer.leave();
        Ok(())
    }

    fn write_array(&mut self, elements: &[Value]) -> Result<(), TextError> {
        self.writer.push("[")?;
        let breaks = self.indent.filter(|indent| !is_short_array(elements, *indent));
        if let Some(indent) = breaks {
            self.indent = Some(indent + 1);
        }
        for (index, element) in elements.iter().enumerate() {
            match breaks {
                Some(_) if index > 0 => self.writer.push(",")?,
                None if index > 0 => self.writer.push(", ")?,
                _ => {}
            }
            if breaks.is_some() {
                self.start_line()?;
            }
            self.write_value(element)?;
        }
        if breaks.is_some() {
            self.indent = breaks;
            self.start_line()?;
        }
        self.writer.push("]")
    }

    fn write_hash<'v>(
        &mut self,
        entries: impl Iterator<Item = (&'v Value, &'v Value)>,
    ) -> Result<(), TextError> {
        self.writer.push("{")?;
        let outside = self.indent;
        self.indent = outside.map(|indent| indent + 1);
        for (index, (key, value)) in entries.enumerate() {
            match self.indent {
                Some(_) if index > 0 => self.writer.push(",")?,
                None if index > 0 => self.writer.push(", ")?,
                _ => {}
            }
            self.start_line()?;
            self.write_value(key)?;
            self.writer.push(" => ")?;
            self.write_value(value)?;
        }
        self.indent = outside;
        self.start_line()?;
        self.writer.push("}")
    }

    /// Starts a new line if output is indented.
    fn start_line(&mut self) -> Result<(), TextError> {
        match self.indent {
            Some(indent) => self.writer.push(&format!("\n{}", "  ".repeat(indent))),
            None => Ok(()),
        }
    }
}

/// Returns true if the array consists of plain values and fits into the rest of a line of 100 characters.
fn is_short_array(elements: &[Value], indent: usize) -> bool {
    const TOO_LONG: usize = 1000;
    let length: usize = elements
        .iter()
        .map(|element| match element {
            Value::Boolean(true) => 4,
            Value::Boolean(false) => 5,
            Value::Undef => 3,
            Value::Default => 8,
            Value::Integer(value) => value.to_string().len(),
            Value::WideInteger(value) => value.to_string().len(),
            Value::Float(value) => float_text(value.0).len(),
            Value::String(text) => 2 + text.chars().count(),
            Value::Hash(entries) if entries.is_empty() => 2,
            Value::Array(elements) if elements.is_empty() => 2,
            _ => TOO_LONG,
        })
        .sum();
    elements.is_empty() || 100 > length + indent * 2
}

/// Returns the initialization hash of an object: the attributes that differ from their defaults.
pub(crate) fn initialization_entries(object: &ObjectValue, env: &dyn TypeEnvironment) -> HashValue {
    let mut entries = HashValue::default();
    for (name, value) in object.names.iter().zip(&object.values) {
        let has_default =
            find_attribute(&object.ty, name, env, 0).is_some_and(|it| it.value.as_ref() == Some(value));
        if !has_default {
            entries.insert(Value::String(name.clone()), value.clone());
        }
    }
    entries
}

/// Returns an attribute of the type or of one of its ancestors.
fn find_attribute(
    ty: &ObjectType,
    name: &str,
    env: &dyn TypeEnvironment,
    depth: usize,
) -> Option<ObjectAttribute> {
    if let Some(attribute) = ty.attributes.iter().find(|attribute| attribute.name == name) {
        return Some(attribute.clone());
    }
    if depth > 64 {
        return None;
    }
    let mut parent = ty.parent.clone()?;
    for _ in 0..64 {
        match parent {
            Type::Object(Some(parent)) => return find_attribute(&parent, name, env, depth + 1),
            Type::ObjectExtension(extension) => parent = extension.base.clone(),
            Type::Alias(alias) => parent = env.named_type(&alias)?.ty,
            _ => return None,
        }
    }
    None
}
