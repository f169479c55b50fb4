//! Formatting of everything but arrays, hashes, objects and URIs.

use scalars::numbers::float_text;
use scalars::sprintf::Argument;
use types::Value;
use types::text::{base64_text, double_quoted, plain_text, quoted};

use super::format::{FormatError, ValueFormat};
use super::{FormatConverter, format_text, pad, ruby_format};
use crate::ruby;

impl FormatConverter<'_> {
    pub(super) fn scalar(&self, value: &Value, format: &ValueFormat) -> Result<String, FormatError> {
        match value {
            Value::Undef => undef(format),
            Value::Default => default(format),
            Value::Boolean(value) => boolean(*value, format),
            Value::Integer(value) => integer((*value).into(), format),
            Value::WideInteger(value) => integer(**value, format),
            Value::Float(value) => float(value.0, format),
            Value::String(text) => string(text, format),
            Value::Regexp(regexp) => {
                regular_expression(&regexp.to_source_text(), &regexp.to_delimited_text(), format)
            }
            Value::Binary(bytes) => binary(bytes, format),
            Value::Type(_) => type_value(&plain_text(value, self.env)?, format),
            Value::Timestamp(time) => self.time(value, time.to_integer(), time.to_float(), format),
            Value::Timespan(time) => self.time(value, time.to_integer(), time.to_float(), format),
            Value::Sensitive(_) => {
                let text = plain_text(value, self.env)?;
                opaque(format, &text, &format!("#<{text}>"))
            }
            Value::SemVerRange(range) => opaque(format, &range.to_string(), &range.to_comparison_text()),
            value => {
                let text = plain_text(value, self.env)?;
                opaque(format, &text, &text)
            }
        }
    }

    /// Formats a time, which Ruby's `format` treats as a number for numeric directives.
    fn time(
        &self,
        value: &Value,
        seconds: i64,
        fraction: f64,
        format: &ValueFormat,
    ) -> Result<String, FormatError> {
        match format.letter {
            'd' | 'i' | 'u' | 'x' | 'X' | 'o' | 'b' | 'B' | 'c' => {
                ruby_format(&format.text, Argument::Integer(i128::from(seconds)))
            }
            'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => ruby_format(&format.text, Argument::Float(fraction)),
            _ => {
                let notation = types::text::to_notation(value, self.env);
                opaque(format, &plain_text(value, self.env)?, &notation)
            }
        }
    }
}

/// Formats a value without a dedicated format that is not a number.
fn opaque(format: &ValueFormat, text: &str, inspected: &str) -> Result<String, FormatError> {
    ruby_format(&format.text, Argument::Text { text, inspect: inspected, is_string: false })
}

fn undef(format: &ValueFormat) -> Result<String, FormatError> {
    let alternate = format.alternate;
    let text = match format.letter {
        'n' if alternate => "null",
        'n' => "nil",
        'u' if alternate => "undefined",
        'u' => "undef",
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => "NaN",
        'v' => "n/a",
        'V' => "N/A",
        's' if alternate => "\"\"",
        's' => "",
        'p' if alternate => "\"undef\"",
        'p' => "undef",
        _ => return Err(FormatError::letter("Undef", format, "nudxXobBeEfgGaAvVsp")),
    };
    pad(format, text.into())
}

fn default(format: &ValueFormat) -> Result<String, FormatError> {
    let text = match (format.letter, format.alternate) {
        ('d' | 's' | 'p', true) => "\"default\"",
        ('d' | 's' | 'p', false) => "default",
        ('D', true) => "\"Default\"",
        ('D', false) => "Default",
        _ => return Err(FormatError::letter("Default", format, "dDsp")),
    };
    pad(format, text.into())
}

fn boolean(value: bool, format: &ValueFormat) -> Result<String, FormatError> {
    let choose = |yes: &'static str, no: &'static str| if value { yes } else { no };
    let text = match format.letter {
        't' => choose("true", "false"),
        'T' => choose("True", "False"),
        'y' => choose("yes", "no"),
        'Y' => choose("Yes", "No"),
        's' | 'p' => return pad(format, choose("true", "false").into()),
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => return integer(value.into(), format),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => return float(value.into(), format),
        _ => return Err(FormatError::letter("Boolean", format, "tTyYdxXobBeEfgGaAsp")),
    };
    let shown = if format.alternate { text.get(..1).unwrap_or(text) } else { text };
    pad(format, shown.into())
}

fn integer(value: i128, format: &ValueFormat) -> Result<String, FormatError> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' | 'p' => ruby_format(&format.text, Argument::Integer(value)),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' => ruby_format(&format.text, Argument::Float(value as f64)),
        'c' => {
            let Some(c) = u32::try_from(value).ok().and_then(char::from_u32) else {
                return Err(FormatError::new(format!("`{value}` is not a code point")));
            };
            let text = if format.alternate { format!("\"{c}\"") } else { c.to_string() };
            format_text(&format.text.replace('c', "s"), &text, "")
        }
        's' if format.alternate => format_text(&format.text.replace('s', "p"), "", &format!("\"{value}\"")),
        's' => format_text(&format.text, &value.to_string(), ""),
        _ => Err(FormatError::letter("Integer", format, "dxXobBeEfgGaAspc")),
    }
}

fn float(value: f64, format: &ValueFormat) -> Result<String, FormatError> {
    match format.letter {
        'd' | 'x' | 'X' | 'o' | 'b' | 'B' => ruby_format(&format.text, Argument::Float(value.trunc())),
        'e' | 'E' | 'f' | 'g' | 'G' | 'a' | 'A' | 'p' => ruby_format(&format.text, Argument::Float(value)),
        's' if format.alternate => format_text(&format.text, &format!("\"{}\"", float_text(value)), ""),
        's' => format_text(&format.text, &float_text(value), ""),
        _ => Err(FormatError::letter("Float", format, "dxXobBeEfgGaAsp")),
    }
}

fn string(text: &str, format: &ValueFormat) -> Result<String, FormatError> {
    let changed = match format.letter {
        's' => return format_text(&format.text, text, ""),
        'p' if format.alternate => return pad(format, double_quoted(text)),
        'p' => return pad(format, quoted(text)),
        'c' => ruby::capitalize(text),
        'C' => {
            let segments: Vec<String> = text.split("::").map(ruby::capitalize).collect();
            let kept = segments.iter().rposition(|segment| !segment.is_empty()).map_or(0, |last| last + 1);
            segments.get(..kept).unwrap_or_default().join("::")
        }
        'u' => text.to_uppercase(),
        'd' => ruby::downcase(text),
        't' => text.trim_matches(is_ruby_whitespace).to_string(),
        _ => return Err(FormatError::letter("String", format, "cCudspt")),
    };
    if format.alternate {
        return pad(format, quoted(&changed));
    }
    format_text(&format.text.replace(format.letter, "s"), &changed, "")
}

fn regular_expression(source: &str, delimited: &str, format: &ValueFormat) -> Result<String, FormatError> {
    match format.letter {
        'p' => format_text(&format.text.replace('p', "s"), delimited, ""),
        's' if format.alternate => format_text(&format.text, &quoted(source), ""),
        's' => format_text(&format.text, source, ""),
        _ => Err(FormatError::letter("Regexp", format, "sp")),
    }
}

fn type_value(text: &str, format: &ValueFormat) -> Result<String, FormatError> {
    match format.letter {
        's' if format.alternate => format_text(&format.text, &format!("\"{text}\""), ""),
        's' => format_text(&format.text, text, ""),
        'p' => format_text(&format.text.replace('p', "s"), text, ""),
        _ => Err(FormatError::letter("Type", format, "sp")),
    }
}

fn binary(bytes: &[u8], format: &ValueFormat) -> Result<String, FormatError> {
    let text = match format.letter {
        's' if format.alternate => {
            return format_text(&format.text.replace('s', "p"), "", &inspected_bytes(bytes));
        }
        's' => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_string(),
            Err(_) => return Err(FormatError::new("bytes are not valid UTF-8".into())),
        },
        'p' => {
            let text = format_text(&format.text.replace('p', "s"), &base64_text(bytes), "")?;
            return Ok(format!("Binary(\"{text}\")"));
        }
        'b' => base64_lines(bytes),
        'B' => base64_text(bytes),
        'u' => base64_text(bytes).replace('+', "-").replace('/', "_"),
        't' => "Binary".into(),
        'T' => "BINARY".into(),
        _ => return Err(FormatError::letter("Binary", format, "bButTsp")),
    };
    let letter = if format.alternate { "p" } else { "s" };
    format_text(&format.text.replace(format.letter, letter), &text, &inspected_bytes(text.as_bytes()))
}

/// Encodes bytes in Base64, in newline-terminated lines of 60 characters.
fn base64_lines(bytes: &[u8]) -> String {
    bytes.chunks(45).map(|line| base64_text(line) + "\n").collect()
}

/// Formats a byte string like Ruby's `inspect`.
fn inspected_bytes(bytes: &[u8]) -> String {
    let mut text = String::from("\"");
    for (index, byte) in bytes.iter().enumerate() {
        match byte {
            b'"' => text.push_str("\\\""),
            b'\\' => text.push_str("\\\\"),
            b'\n' => text.push_str("\\n"),
            b'\r' => text.push_str("\\r"),
            b'\t' => text.push_str("\\t"),
            0x0c => text.push_str("\\f"),
            0x0b => text.push_str("\\v"),
            0x08 => text.push_str("\\b"),
            0x07 => text.push_str("\\a"),
            0x1b => text.push_str("\\e"),
            b'#' if matches!(bytes.get(index + 1), Some(b'{' | b'$' | b'@')) => text.push_str("\\#"),
            b' '..=b'~' => text.push(char::from(*byte)),
            byte => text.push_str(&format!("\\x{byte:02X}")),
        }
    }
    text.push('"');
    text
}

/// Returns true for characters that Ruby's `strip` removes.
pub(super) fn is_ruby_whitespace(c: char) -> bool {
    matches!(c, '\0' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | ' ')
}
