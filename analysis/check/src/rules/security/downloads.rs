//! Downloads and package repositories without integrity checks.

use codes::Code;
use hir::{Body, Expr, ExprId, StringPart};
use types::Value;
use weaknesses::commands::downloads_without_check;
use weaknesses::repositories::{
    configures_unsigned_repository, has_unsigned_option, may_configure_repository,
};
use weaknesses::urls::is_on_other_host;

use super::super::value_mismatch::AttributeList;
use super::Inspection;
use super::commands::ShellCommand;
use super::values::{NamedValue, attribute_of, known_values, may_have_more, text};

pub(super) fn check(inspection: &mut Inspection<'_>) {
    let (body, resources, named) = (inspection.body, inspection.resources, inspection.named);
    for value in named {
        check_setting(inspection, value);
    }
    for list in resources {
        check_resource(inspection, list);
    }
    for command in inspection.commands {
        check_command(inspection, command);
    }
    for (expr, it) in body.exprs.iter() {
        let is_unsigned = match it {
            Expr::String(text) => configures_unsigned_repository(text),
            // The name of the setting is written in the string; its value may be computed.
            Expr::Interpolated(parts) if parts.iter().any(names_check) => {
                text(body, expr).is_some_and(|it| configures_unsigned_repository(&it))
            }
            _ => false,
        };
        if is_unsigned {
            let message = "repository without signature check";
            inspection.report(Code::SecurityUnsignedRepository, expr, message);
        }
    }
}

/// Settings that turn off the signature check if they are false.
const SIGNATURE_CHECKS: [&str; 2] = ["gpgcheck", "gpg_check"];
/// Settings that turn off the signature check if they are true.
const UNSIGNED: [&str; 5] =
    ["allow_unsigned", "allow_unauthenticated", "allow_insecure", "trusted_repo", "force_yes"];
/// Settings that turn off the check of a download if they are false.
const CHECKSUMS: [&str; 4] = ["checksum", "checksum_verify", "verify_checksum", "checksum_type"];

fn names_check(part: &StringPart) -> bool {
    matches!(part, StringPart::Text(text) if may_configure_repository(text))
}

/// Returns true for a name that is one of `names` or ends with `_` and one of them.
fn is_one_of(name: &str, names: &[&str]) -> bool {
    let name = name.as_bytes();
    names.iter().any(|it| match name.len().checked_sub(it.len()) {
        Some(at) => name[at..].eq_ignore_ascii_case(it.as_bytes()) && (at == 0 || name[at - 1] == b'_'),
        None => false,
    })
}

fn check_setting(inspection: &mut Inspection<'_>, value: &NamedValue<'_>) {
    let is_named = |names: &[&str]| is_one_of(value.name, names);
    let is_signature = is_named(&SIGNATURE_CHECKS) && !value.name.to_ascii_lowercase().contains("repo_gpg");
    let is_checksum = is_named(&CHECKSUMS) && value.resource_type.is_none_or(|it| it != "file");
    let is_unsigned = is_named(&UNSIGNED);
    if !(is_signature || is_checksum || is_unsigned) {
        return;
    }
    for known in written_values(inspection, value.expr) {
        let is_false = is_false(&known);
        if is_signature && is_false || is_unsigned && is_true(&known) {
            let message = format!("`{}` turns off the signature check", value.name);
            inspection.report(Code::SecurityUnsignedRepository, value.expr, message);
        } else if is_checksum && (is_false || matches!(&known, Value::String(text) if text == "none")) {
            let message = format!("`{}` turns off the integrity check", value.name);
            inspection.report(Code::SecurityUnverifiedDownload, value.expr, message);
        }
    }
}

/// Returns the values of an expression that is not a variable: those are reported where they are set.
fn written_values(inspection: &Inspection<'_>, expr: ExprId) -> Vec<Value> {
    match &inspection.body[expr] {
        Expr::Boolean(value) => vec![Value::Boolean(*value)],
        Expr::Integer(value) => vec![Value::Integer(*value)],
        Expr::String(text) | Expr::Name(text) => vec![Value::String(text.as_str().into())],
        Expr::Selector { .. } | Expr::Call { .. } => known_values(inspection.body, &inspection.summary, expr),
        _ => Vec::new(),
    }
}

fn is_false(value: &Value) -> bool {
    match value {
        Value::Boolean(value) => !value,
        Value::Integer(value) => *value == 0,
        Value::String(text) => matches!(text.to_ascii_lowercase().as_str(), "0" | "no" | "false" | "off"),
        _ => false,
    }
}

fn is_true(value: &Value) -> bool {
    match value {
        Value::Boolean(value) => *value,
        Value::Integer(value) => *value == 1,
        Value::String(text) => matches!(text.to_ascii_lowercase().as_str(), "1" | "yes" | "true" | "on"),
        _ => false,
    }
}

fn check_command(inspection: &mut Inspection<'_>, command: &ShellCommand) {
    if has_unsigned_option(&command.text) {
        let message = "command turns off the signature check";
        inspection.report(Code::SecurityUnsignedRepository, command.expr, message);
    }
    if downloads_without_check(&command.text) {
        let message = "download without an integrity check";
        inspection.report(Code::SecurityUnverifiedDownload, command.expr, message);
    }
}

/// Resource types that download a file, the attributes with its URL, and those with a checksum.
const DOWNLOADS: [(&str, &[&str], &[&str]); 8] = [
    ("archive", &["source", "url"], &["checksum", "checksum_url", "digest_string", "digest_url"]),
    ("archive::download", &["url"], &["checksum", "digest_string", "digest_url"]),
    ("archive::nexus", &["url"], &["checksum_type", "checksum_verify"]),
    ("wget::fetch", &["source"], &["source_hash"]),
    ("staging::file", &["source"], &["checksum"]),
    ("staging::deploy", &["source"], &["checksum"]),
    ("remote_file", &["source"], &["checksum"]),
    ("file", &["source"], &["checksum_value"]),
];

fn check_resource(inspection: &mut Inspection<'_>, list: &AttributeList<'_>) {
    check_options(inspection, list);
    let Some((_, sources, checksums)) = DOWNLOADS.iter().find(|(name, ..)| *name == list.type_name) else {
        return;
    };
    if may_have_more(list) || checksums.iter().any(|it| attribute_of(list, it).is_some()) {
        return;
    }
    let Some(source) = sources.iter().find_map(|it| attribute_of(list, it)) else { return };
    let Some(url) = url_of(inspection, source) else { return };
    if is_on_other_host(&url) {
        let message = format!("`{}` without a checksum", list.type_name);
        inspection.report(Code::SecurityUnverifiedDownload, source, message);
    }
}

fn url_of(inspection: &Inspection<'_>, expr: ExprId) -> Option<String> {
    let known = known_values(inspection.body, &inspection.summary, expr);
    match known.first() {
        Some(Value::String(url)) => Some(url.to_string()),
        _ => text(inspection.body, expr),
    }
}

/// Reports options of `package` resources and sources of `apt` that turn off checks.
fn check_options(inspection: &mut Inspection<'_>, list: &AttributeList<'_>) {
    let body: &Body = inspection.body;
    if let Some(options) = attribute_of(list, "install_options")
        && text(body, options).is_some_and(|it| has_unsigned_option(&it))
    {
        inspection.report(Code::SecurityUnsignedRepository, options, "option turns off the signature check");
    }
    if list.type_name == "apt::source"
        && let Some(options) = attribute_of(list, "architecture").or(attribute_of(list, "options"))
        && text(body, options).is_some_and(|it| it.contains("trusted=yes"))
    {
        inspection.report(Code::SecurityUnsignedRepository, options, "repository without signature check");
    }
}
