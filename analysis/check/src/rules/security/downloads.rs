//! Downloads and package repositories without integrity checks.

use codes::Code;
use hir::{AttributeOperation, Body, Expr, ExprId, StringPart, VariableRef};
use types::Value;
use weaknesses::commands::{downloads_without_check, skips_certificate_check};
use weaknesses::repositories::{
    configures_unsigned_repository, has_unsigned_option, may_configure_repository,
};
use weaknesses::urls::is_on_other_host;

use super::super::value_mismatch::AttributeList;

use super::inspection::{Inspection, ShellCommand};
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
/// Setting with which the metadata of a repository are checked, and so the checksums of its packages.
const METADATA_CHECK: &str = "repo_gpgcheck";
/// Settings that turn off the signature check if they are true.
const UNSIGNED: [&str; 4] = ["allow_unsigned", "allow_unauthenticated", "trusted_repo", "force_yes"];
/// Setting of APT repositories that turns off the signature check, and of archives that turns off the check of
/// certificates.
const INSECURE: [&str; 1] = ["allow_insecure"];
/// Settings that turn off the check of certificates if they are false.
const CERTIFICATE_CHECKS: [&str; 5] =
    ["sslverify", "ssl_verify", "verify_ssl", "tls_verify", "validate_certs"];
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
    let is_insecure = is_named(&INSECURE);
    let is_of_apt =
        value.name.starts_with("apt_") || value.resource_type.is_some_and(|it| it.starts_with("apt"));
    let is_unsigned = is_named(&UNSIGNED) || is_insecure && is_of_apt;
    let is_unencrypted = is_insecure && !is_of_apt;
    let is_certificate = is_named(&CERTIFICATE_CHECKS);
    if !(is_signature || is_checksum || is_unsigned || is_unencrypted || is_certificate) {
        return;
    }
    if is_signature && checks_metadata(inspection, value.expr) {
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
        } else if is_unencrypted && is_true(&known) || is_certificate && is_false {
            let message = format!("`{}` turns off the check of TLS certificates", value.name);
            inspection.report(Code::SecurityUnverifiedDownload, value.expr, message);
        }
    }
}

/// Returns true if the resource or hash that sets the value also has the metadata of the repository checked.
fn checks_metadata(inspection: &Inspection<'_>, value: ExprId) -> bool {
    let body = inspection.body;
    let checks = |setting: ExprId| {
        let known = known_values(body, &inspection.summary, setting);
        known.is_empty() || known.iter().any(|it| !is_false(it))
    };
    let sets = |list: &&AttributeList<'_>| {
        list.operations
            .iter()
            .any(|it| matches!(it, AttributeOperation::Set { value: it, .. } if *it == value))
    };
    if inspection.resources.iter().filter(sets).any(|it| attribute_of(it, METADATA_CHECK).is_some_and(checks))
    {
        return true;
    }
    let is_check =
        |key: ExprId| matches!(&body[key], Expr::String(it) | Expr::Name(it) if it == METADATA_CHECK);
    body.exprs.iter().any(|(_, expr)| match expr {
        Expr::Hash(entries) => {
            entries.iter().any(|(_, it)| *it == value)
                && entries.iter().any(|(key, it)| is_check(*key) && checks(*it))
        }
        _ => false,
    })
}

/// Returns true for the name of a setting, which is reported where it is set.
fn is_setting(name: &str) -> bool {
    let settings: [&[&str]; 5] = [&SIGNATURE_CHECKS, &UNSIGNED, &INSECURE, &CERTIFICATE_CHECKS, &CHECKSUMS];
    settings.iter().any(|it| is_one_of(name, it))
}

/// Returns the known values of an expression, unless it is the variable of a setting.
fn written_values(inspection: &Inspection<'_>, expr: ExprId) -> Vec<Value> {
    match &inspection.body[expr] {
        Expr::Boolean(value) => vec![Value::Boolean(*value)],
        Expr::Integer(value) => vec![Value::Integer(*value)],
        Expr::String(text) | Expr::Name(text) => vec![Value::String(text.as_str().into())],
        Expr::Variable(VariableRef::Slot(slot)) if !is_setting(&inspection.body.slots[slot.index()].name) => {
            known_values(inspection.body, &inspection.summary, expr)
        }
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
    if skips_certificate_check(&command.text) {
        let message = "command does not check TLS certificates";
        inspection.report(Code::SecurityUnverifiedDownload, command.expr, message);
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
    if let Some(options) = attribute_of(list, "install_options")
        && text(body, options)
            .is_some_and(|it| it.split_whitespace().any(|it| it.starts_with("--trusted-host")))
    {
        let message = "option turns off the check of TLS certificates";
        inspection.report(Code::SecurityUnverifiedDownload, options, message);
    }
    if list.type_name == "apt::source"
        && let Some(options) = attribute_of(list, "architecture").or(attribute_of(list, "options"))
        && text(body, options).is_some_and(|it| it.contains("trusted=yes"))
    {
        inspection.report(Code::SecurityUnsignedRepository, options, "repository without signature check");
    }
}
