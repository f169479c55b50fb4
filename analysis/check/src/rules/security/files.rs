//! Permissions of files.

use codes::Code;
use hir::{Expr, ExprId};
use types::Value;
use weaknesses::UNKNOWN_PART;
use weaknesses::permissions::{
    OtherPermissions, is_private_key_path, is_public_key_path, other_permissions, permissions_of_bits,
};

use super::super::value_mismatch::AttributeList;
use super::inspection::Inspection;
use super::values::{attribute_of, known_values, text};

pub(super) fn check(inspection: &mut Inspection<'_>) {
    let resources = inspection.resources;
    for list in resources {
        let Some(mode) = attribute_of(list, "mode") else { continue };
        let ensure = attribute_of(list, "ensure").and_then(|it| text(inspection.body, it));
        if matches!(ensure.as_deref(), Some("absent" | "link")) {
            continue;
        }
        check_mode(inspection, list, mode, ensure.as_deref() == Some("directory"));
    }
}

fn check_mode(inspection: &mut Inspection<'_>, list: &AttributeList<'_>, mode: ExprId, is_directory: bool) {
    let mut values = known_values(inspection.body, &inspection.summary, mode);
    values.truncate(4);
    let notation = notation(inspection, mode);
    for value in values {
        let Some((shown, permissions)) = permissions(&value, notation) else { continue };
        if permissions.write && !permissions.is_sticky {
            let message = format!("mode `{shown}` lets every user write");
            inspection.report(Code::SecurityWorldWritable, mode, message);
            return;
        }
        if permissions.read && !is_directory && list.type_name == "file" && is_key_file(inspection, list) {
            let message = format!("mode `{shown}` lets every user read the key");
            inspection.report(Code::SecurityReadableKey, mode, message);
            return;
        }
    }
}

/// Notation of a number in the code.
#[derive(Clone, Copy)]
enum Notation {
    Decimal,
    /// Octal or hexadecimal.
    Prefixed,
    /// The number is not a literal.
    Unknown,
}

fn notation(inspection: &Inspection<'_>, expr: ExprId) -> Notation {
    let Expr::Integer(number) = inspection.body[expr] else { return Notation::Unknown };
    match inspection.definition.range(expr) {
        // A prefix makes a literal longer than its decimal digits.
        Some(range) if range.len() as usize > number.to_string().len() => Notation::Prefixed,
        Some(_) => Notation::Decimal,
        None => Notation::Unknown,
    }
}

/// Returns the mode as it is meant, and its permissions.
fn permissions(mode: &Value, notation: Notation) -> Option<(String, OtherPermissions)> {
    // Puppet rejects numbers since version 4. In older code, `0640` is the mode 0640, and so is `640`.
    match (mode, notation) {
        (Value::String(text), _) => Some((text.to_string(), other_permissions(text)?)),
        (Value::Integer(number @ 0..=0o7777), Notation::Prefixed)
        | (Value::Integer(number @ (0o666 | 0o777)), _) => {
            Some((format!("0{number:o}"), permissions_of_bits(u32::try_from(*number).ok()?)))
        }
        (Value::Integer(number), Notation::Decimal) | (Value::Integer(number @ (666 | 777)), _) => {
            let text = number.to_string();
            let permissions = other_permissions(&text).filter(|_| matches!(text.len(), 3 | 4))?;
            Some((text, permissions))
        }
        _ => None,
    }
}

/// Returns true for a file with a private key, judging by its path and the folder.
fn is_key_file(inspection: &Inspection<'_>, list: &AttributeList<'_>) -> bool {
    let path = attribute_of(list, "path").or(list.title).and_then(|it| {
        let known = known_values(inspection.body, &inspection.summary, it);
        match known.first() {
            Some(Value::String(path)) => Some(path.to_string()),
            _ => text(inspection.body, it),
        }
    });
    let Some(path) = path.filter(|it| is_private_key_path(it)) else { return false };
    let source = attribute_of(list, "source").and_then(|it| text(inspection.body, it));
    let content = attribute_of(list, "content").and_then(|it| text(inspection.body, it)).unwrap_or_default();
    let is_public = content.contains("PUBLIC KEY") || content.contains("BEGIN CERTIFICATE");
    !path.ends_with(UNKNOWN_PART) && !is_public && !source.is_some_and(|it| is_public_key_path(&it))
}
