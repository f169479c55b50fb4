//! Constructor `Binary.new`.

use std::sync::Arc;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use types::Value;

use super::{ConversionError, Made};

pub(super) fn binary(arguments: &[Value]) -> Made {
    let bytes = match arguments {
        [Value::Hash(settings)] => {
            let format = settings.get_text("format").and_then(Value::as_str);
            from_value(settings.get_text("value"), format)?
        }
        [value, format @ ..] => from_value(Some(value), format.first().and_then(Value::as_str))?,
        [] => from_value(None, None)?,
    };
    Ok(Value::Binary(bytes))
}

fn from_value(value: Option<&Value>, format: Option<&str>) -> Result<Arc<[u8]>, ConversionError> {
    match value {
        Some(Value::Array(elements)) => {
            Ok(elements.iter().filter_map(|byte| u8::try_from(byte.as_integer()?).ok()).collect())
        }
        Some(Value::String(text)) => Ok(from_text(text, format.unwrap_or("%B"))?.into()),
        _ => Err(ConversionError::impossible("Binary requires a string or an array of bytes")),
    }
}

fn from_text(text: &str, format: &str) -> Result<Vec<u8>, ConversionError> {
    let strict =
        |text: &str| STANDARD.decode(text).map_err(|_| ConversionError::impossible("invalid Base64"));
    match format {
        "%b" => Ok(lenient_base64(text)),
        "%u" => {
            let mut text = text.replace('-', "+").replace('_', "/");
            if !text.ends_with('=') {
                while !text.chars().count().is_multiple_of(4) {
                    text.push('=');
                }
            }
            strict(&text)
        }
        "%B" => strict(text),
        // `%s` and `%r` differ only for strings that are not UTF-8, which cannot occur here.
        _ => Ok(text.as_bytes().to_vec()),
    }
}

/// Decodes like Ruby's `unpack('m')`, skipping invalid characters and dropping an incomplete end.
///
/// Puppet pads the string by its own rule, which never affects the result.
fn lenient_base64(text: &str) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let mut group = Vec::with_capacity(4);
    for byte in text.bytes() {
        match digit(byte) {
            Some(digit) => group.push(digit),
            // Padding counts only where a group may end.
            None if byte == b'=' && group.len() >= 2 => break,
            None => continue,
        }
        if let [a, b, c, d] = group[..] {
            bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2, c << 6 | d]);
            group.clear();
        }
    }
    match group[..] {
        [a, b] => bytes.push(a << 2 | b >> 4),
        [a, b, c] => bytes.extend([a << 2 | b >> 4, b << 4 | c >> 2]),
        _ => {}
    }
    bytes
}

fn digit(byte: u8) -> Option<u8> {
    Some(match byte {
        b'A'..=b'Z' => byte - b'A',
        b'a'..=b'z' => byte - b'a' + 26,
        b'0'..=b'9' => byte - b'0' + 52,
        b'+' => 62,
        b'/' => 63,
        _ => return None,
    })
}
