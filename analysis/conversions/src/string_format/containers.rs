//! Formatting of arrays, hashes, objects and URIs, which may span several lines.

use types::infer::infer;
use types::object::ObjectValue;
use types::text::{TEXT_LIMIT, indented_literal, literal, quoted};
use types::{HashValue, Type, Value};

use super::format::{FormatError, FormatMap, ValueFormat};
use super::{FormatConverter, Indentation, format_text};

impl FormatConverter<'_> {
    pub(super) fn array(
        &self,
        value: &Value,
        elements: &[Value],
        formats: &FormatMap,
        indentation: Indentation,
    ) -> Result<String, FormatError> {
        let format = formats.format_of(value, self.env);
        if !matches!(format.letter, 'a' | 's' | 'p') {
            return Err(FormatError::letter("Array", &format, "asp"));
        }
        let indentation = indentation.indenting(format.alternate || indentation.is_indenting);
        let inner = indentation.increase(format.alternate).subsequent();
        let strings = self.element_texts(elements, &format, formats, inner)?;
        let is_broken =
            format.alternate && format.width.is_some_and(|width| widest_run(elements, &strings) > width);

        let separator = format.separator.as_deref().unwrap_or(", ");
        let (open, close) = format.delimiters.unwrap_or(("[", "]"));
        let mut text = String::new();
        begin(&mut text, indentation);
        text.push_str(open);
        for (index, (element, element_text)) in elements.iter().zip(&strings).enumerate() {
            let is_plain = !is_container(element);
            if index == 0 {
                if is_broken && is_plain {
                    text.push(' ');
                }
            } else {
                text.push_str(separator);
                let follows_container = elements.get(index - 1).is_some_and(is_container);
                if is_plain && (is_broken || (format.alternate && follows_container)) {
                    if !text.ends_with('\n') {
                        trim_end(&mut text);
                    }
                    text.push('\n');
                    text.push_str(&inner.padding());
                }
            }
            if text.ends_with(' ') && element_text.starts_with('\n') {
                trim_end(&mut text);
            }
            text.push_str(element_text);
            check_length(&text)?;
        }
        text.push_str(close);
        Ok(text)
    }

    /// Formats the elements of a container. Nested containers use the formats of the current position, all
    /// other elements those of the enclosing container.
    fn element_texts(
        &self,
        elements: &[Value],
        format: &ValueFormat,
        formats: &FormatMap,
        indentation: Indentation,
    ) -> Result<Vec<String>, FormatError> {
        let mut length = 0;
        let mut strings = Vec::with_capacity(elements.len());
        for element in elements {
            let text =
                self.convert(element, self.formats_of_element(element, format, formats), indentation)?;
            length += text.len();
            if length > TEXT_LIMIT {
                return Err(FormatError::TooLong);
            }
            strings.push(text);
        }
        Ok(strings)
    }

    /// Returns the formats for an element. Objects count as containers, unless their type has type
    /// parameters.
    fn formats_of_element<'f>(
        &self,
        element: &Value,
        format: &'f ValueFormat,
        formats: &'f FormatMap,
    ) -> &'f FormatMap {
        let is_object =
            || matches!(element, Value::Object(_)) && matches!(infer(element, self.env), Type::Object(_));
        if is_container(element) || is_object() {
            return formats;
        }
        format.elements.as_ref().unwrap_or(FormatMap::default_element_formats())
    }

    pub(super) fn hash(
        &self,
        value: &Value,
        entries: &HashValue,
        formats: &FormatMap,
        indentation: Indentation,
    ) -> Result<String, FormatError> {
        let format = formats.format_of(value, self.env);
        match format.letter {
            'h' | 's' | 'p' => {}
            'a' => {
                let pairs: Vec<Value> =
                    entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect();
                return self.convert(&Value::array(pairs), formats, indentation);
            }
            _ => return Err(FormatError::letter("Hash", &format, "hasp")),
        }
        let indentation = indentation.indenting(format.alternate || indentation.is_indenting);
        let inner = indentation.increase(false);
        let mut separator = format.separator.as_deref().unwrap_or(", ").to_string();
        let mut padding = String::new();
        if format.alternate {
            if !separator.ends_with('\n') {
                trim_end(&mut separator);
            }
            separator.push('\n');
            padding = inner.padding();
        }
        let association = format.separator2.as_deref().unwrap_or(" => ");
        let (open, close) = format.delimiters.unwrap_or(("{", "}"));

        let mut text = String::new();
        begin(&mut text, indentation);
        text.push_str(open);
        if format.alternate {
            text.push('\n');
        }
        for (index, (key, value)) in entries.iter().enumerate() {
            if index > 0 {
                text.push_str(&separator);
            }
            text.push_str(&padding);
            text.push_str(&self.convert(key, self.formats_of_element(key, &format, formats), inner)?);
            text.push_str(association);
            text.push_str(&self.convert(value, self.formats_of_element(value, &format, formats), inner)?);
            check_length(&text)?;
        }
        if format.alternate {
            text.push('\n');
            text.push_str(&indentation.padding());
        }
        text.push_str(close);
        Ok(text)
    }

    /// Formats an object. The type parameters of its type are ignored in the lookup of formats.
    pub(super) fn object(
        &self,
        value: &Value,
        object: &ObjectValue,
        formats: &FormatMap,
        indentation: Indentation,
    ) -> Result<String, FormatError> {
        let format = formats.format_of_type(&Type::Object(Some(object.ty.clone())), self.env);
        match format.letter {
            'p' => self.literal(value, &format, indentation),
            's' | 'q' => Ok(literal(value, self.env)?),
            _ => Err(FormatError::letter("Object", &format, "spq")),
        }
    }

    pub(super) fn uri(
        &self,
        value: &Value,
        text: &str,
        formats: &FormatMap,
        indentation: Indentation,
    ) -> Result<String, FormatError> {
        let format = formats.format_of(value, self.env);
        match format.letter {
            'p' => self.literal(value, &format, indentation),
            's' if format.alternate => format_text(&format.text, &quoted(text), ""),
            's' => format_text(&format.text, text, ""),
            _ => Err(FormatError::letter("URI", &format, "sp")),
        }
    }

    fn literal(
        &self,
        value: &Value,
        format: &ValueFormat,
        indentation: Indentation,
    ) -> Result<String, FormatError> {
        let is_indenting = format.alternate || indentation.is_indenting;
        Ok(if is_indenting {
            indented_literal(value, indentation.level, self.env)?
        } else {
            literal(value, self.env)?
        })
    }
}

fn is_container(value: &Value) -> bool {
    matches!(value, Value::Array(_) | Value::Hash(_))
}

/// Writes the line break and indentation before a container.
fn begin(text: &mut String, indentation: Indentation) {
    if indentation.breaks() {
        text.push('\n');
        text.push_str(&indentation.padding());
    }
}

/// Returns the length, in characters, of the longest run of elements between containers.
fn widest_run(elements: &[Value], strings: &[String]) -> usize {
    let mut widest = 0;
    let mut run = 0;
    for (element, text) in elements.iter().zip(strings) {
        run = if is_container(element) { 0 } else { run + text.chars().count() };
        widest = widest.max(run);
    }
    widest
}

fn check_length(text: &str) -> Result<(), FormatError> {
    if text.len() > TEXT_LIMIT { Err(FormatError::TooLong) } else { Ok(()) }
}

/// Removes trailing whitespace like Ruby's `rstrip`.
fn trim_end(text: &mut String) {
    let length = text.trim_end_matches(super::single_values::is_ruby_whitespace).len();
    text.truncate(length);
}
