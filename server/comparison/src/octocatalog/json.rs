//! Differences as JSON, byte for byte as Ruby writes it.

use std::fmt::Write;

use scalars::numbers::float_text;
use serde_json::{Number, Value as Json};

use super::differ::{DiffItem, DiffItemKind, DiffItemPlace};

/// Renders differences as octocatalog-diff does with `--output-format json`: one object, without a line break.
pub fn render(items: &[DiffItem], header: Option<&str>) -> String {
    let mut out = format!("{{\"diff\":{}", render_items(items));
    if let Some(header) = header {
        out.push_str(",\"header\":");
        write_string(&mut out, header);
    }
    out.push('}');
    out
}

/// Renders differences as an array.
pub fn render_items(items: &[DiffItem]) -> String {
    let mut out = String::from("[");
    for (index, item) in items.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_item(&mut out, item);
    }
    out.push(']');
    out
}

fn write_item(out: &mut String, item: &DiffItem) {
    let place = |place: &Option<DiffItemPlace>, is_shown: bool| -> (Json, Json, Json) {
        match place.as_ref().filter(|_| is_shown) {
            Some(DiffItemPlace { file, line }) => {
                let both = serde_json::json!({ "file": file, "line": line });
                (file.clone(), line.clone(), both)
            }
            None => (Json::Null, Json::Null, Json::Null),
        }
    };
    let (old_file, old_line, old_location) = place(&item.old_place, item.kind != DiffItemKind::Added);
    let (new_file, new_line, new_location) = place(&item.new_place, item.kind != DiffItemKind::Removed);
    let structure: Json = item.structure().into_iter().map(Json::from).collect();
    let entries = [
        ("diff_type", Json::String(item.kind.sign().to_string())),
        ("type", Json::String(item.type_name.clone())),
        ("title", Json::String(item.title.clone())),
        ("structure", structure),
        ("old_value", item.old.clone()),
        ("new_value", item.new.clone()),
        ("old_file", old_file),
        ("old_line", old_line),
        ("new_file", new_file),
        ("new_line", new_line),
        ("old_location", old_location),
        ("new_location", new_location),
    ];
    for (index, (name, value)) in entries.iter().enumerate() {
        let _ = write!(out, "{}\"{name}\":", if index == 0 { '{' } else { ',' });
        write_value(out, value);
    }
    out.push('}');
}

/// Returns a value as Ruby writes it in JSON.
pub(super) fn text_of(value: &Json) -> String {
    let mut out = String::new();
    write_value(&mut out, value);
    out
}

fn write_value(out: &mut String, value: &Json) {
    match value {
        Json::Null => out.push_str("null"),
        Json::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
        Json::Number(number) => out.push_str(&number_text(number)),
        Json::String(text) => write_string(out, text),
        Json::Array(elements) => {
            out.push('[');
            for (index, element) in elements.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_value(out, element);
            }
            out.push(']');
        }
        Json::Object(entries) => {
            out.push('{');
            for (index, (key, value)) in entries.iter().enumerate() {
                if index > 0 {
                    out.push(',');
                }
                write_string(out, key);
                out.push(':');
                write_value(out, value);
            }
            out.push('}');
        }
    }
}

/// Returns a number as Ruby prints it.
pub(super) fn number_text(number: &Number) -> String {
    match number.as_f64().filter(|_| number.is_f64()) {
        Some(float) => float_text(float),
        None => number.to_string(),
    }
}

fn write_string(out: &mut String, text: &str) {
    out.push('"');
    for character in text.chars() {
        match character {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\u{c}' => out.push_str("\\f"),
            '\u{8}' => out.push_str("\\b"),
            it if it < ' ' => {
                let _ = write!(out, "\\u{:04x}", u32::from(it));
            }
            it => out.push(it),
        }
    }
    out.push('"');
}
