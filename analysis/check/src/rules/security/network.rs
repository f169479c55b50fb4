//! Connections without encryption, and services that are open to every network.

use codes::Code;
use hir::{Expr, ExprId, StringPart};
use weaknesses::commands::downloads_over_http;
use weaknesses::urls::is_plain_http;
use weaknesses::{UNKNOWN_PART, words};

use super::commands::commands;
use super::inspection::Inspection;
use super::values::{NamedValue, text};

pub(super) fn check(inspection: &mut Inspection<'_>) {
    let (body, resources, named) = (inspection.body, inspection.resources, inspection.named);
    for value in named {
        for expr in elements(inspection, value.expr) {
            check_url(inspection, value, expr);
            check_address(inspection, value, expr);
        }
    }
    for list in resources {
        for command in commands(body, list) {
            if downloads_over_http(&command.text) {
                inspection.report(Code::SecurityPlainHttp, command.expr, "download over unencrypted HTTP");
            }
        }
    }
}

/// Returns the strings of a value: itself, the values of a selector, or the elements of an array.
fn elements(inspection: &Inspection<'_>, expr: ExprId) -> Vec<ExprId> {
    match &inspection.body[expr] {
        Expr::String(_) | Expr::Interpolated(_) => vec![expr],
        Expr::Array(elements) => elements.to_vec(),
        Expr::Selector { entries, .. } => entries.iter().map(|(_, it)| *it).collect(),
        Expr::Call { functor, arguments, .. } => match &inspection.body[*functor] {
            Expr::Name(name) if matches!(name.as_str(), "hiera" | "lookup" | "pick") => arguments.to_vec(),
            _ => Vec::new(),
        },
        _ => Vec::new(),
    }
}

/// Names of values that are no addresses to connect to, although they look like URLs.
const NOT_CONTACTED: [&str; 24] = [
    "referer",
    "referrer",
    "proxy",
    "match",
    "pattern",
    "regex",
    "regexp",
    "namespace",
    "xmlns",
    "schema",
    "description",
    "descr",
    "documentation",
    "homepage",
    "comment",
    "help",
    "origin",
    "origins",
    "issuer",
    "audience",
    "redirect",
    "license",
    "notes",
    "vendor",
];

fn check_url(inspection: &mut Inspection<'_>, value: &NamedValue<'_>, expr: ExprId) {
    // A string that begins with a variable is reported where the variable is set.
    let starts_as_url = match &inspection.body[expr] {
        Expr::String(text) => is_http(text),
        Expr::Interpolated(parts) => matches!(parts.first(), Some(StringPart::Text(text)) if is_http(text)),
        _ => false,
    };
    let Some(url) = text(inspection.body, expr).filter(|_| starts_as_url) else { return };
    let words = words(value.name);
    if !is_plain_http(url.trim()) || words.iter().any(|it| NOT_CONTACTED.contains(&it.as_str())) {
        return;
    }
    // The address of a repository or a service; a sentence that begins with a URL is documentation.
    if url.trim().contains(char::is_whitespace) && !url.contains(UNKNOWN_PART) {
        return;
    }
    let message = format!("`{}` is a URL without encryption", value.name);
    inspection.report(Code::SecurityPlainHttp, expr, message);
}

fn is_http(text: &str) -> bool {
    text.trim_start().get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://"))
}

/// Words in names of addresses that a service listens on.
const LISTENED: [&str; 15] = [
    "bind",
    "listen",
    "listens",
    "address",
    "addr",
    "addresses",
    "ip",
    "interface",
    "interfaces",
    "host",
    "server",
    "endpoint",
    "url",
    "listener",
    "hostname",
];
/// Words in names of other addresses.
const NOT_LISTENED: [&str; 24] = [
    "source",
    "src",
    "destination",
    "dest",
    "dst",
    "route",
    "network",
    "netmask",
    "mask",
    "gateway",
    "subnet",
    "nexthop",
    "allow",
    "allowed",
    "remote",
    "cidr",
    "acl",
    "acls",
    "range",
    "permit",
    "deny",
    "client",
    "target",
    "iniface",
];

fn check_address(inspection: &mut Inspection<'_>, value: &NamedValue<'_>, expr: ExprId) {
    let Some(address) = text(inspection.body, expr) else { return };
    let rest = address.split_once("://").map_or(address.as_str(), |(_, rest)| rest);
    let Some(port) = rest.strip_prefix("0.0.0.0") else { return };
    let is_address = port.is_empty()
        || port.strip_prefix(':').is_some_and(|port| {
            port.chars().all(|c| c.is_ascii_digit() || c == UNKNOWN_PART || matches!(c, '/' | ' '))
        });
    let words = words(value.name);
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    let is_listened = has(&LISTENED) || words.iter().any(|it| it.contains("bind") || it.contains("listen"));
    if is_address && is_listened && !has(&NOT_LISTENED) && !is_firewall(value) {
        let message = format!("`{}` is open to every network", value.name);
        inspection.report(Code::SecurityOpenBind, expr, message);
    }
}

fn is_firewall(value: &NamedValue<'_>) -> bool {
    value.resource_type.is_some_and(|it| it.contains("firewall") || it.contains("route") || it == "host")
}
