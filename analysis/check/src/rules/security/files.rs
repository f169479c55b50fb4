//! Permissions of files.

use codes::Code;
use hir::ExprId;
use types::Value;
use weaknesses::UNKNOWN_PART;
use weaknesses::permissions::{
    OtherPermissions, is_private_key_path, is_public_key_path, other_permissions, permissions_of_bits,
};

use super::super::value_mismatch::AttributeList;
use super::Inspection;
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
    for value in values {
        let Some((shown, permissions)) = permissions(&value) else { continue };
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

fn permissions(mode: &Value) -> Option<(String, OtherPermissions)> {
    match mode {
        Value::String(text) => Some((text.to_string(), other_permissions(text)?)),
        // Puppet rejects numbers since version 4, but older code is meant like this: `0777` is octal, `777` is not.
        Value::Integer(number @ (438 | 511)) => {
            Some((format!("0{number:o}"), permissions_of_bits(*number as u32)))
        }
        Value::Integer(number) => {
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
