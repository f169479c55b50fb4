//! `URI`: parsing and joining of URIs.

use std::rc::Rc;

use scalars::uri::Uri;

use super::super::interpreter::Interpreter;
use super::super::methods::{KERNEL, MethodInvocation, MethodRow, URI, row};
use super::super::value::{Object, Ruby, raise_as, unsupported};
use super::{ModuleRow, of};

pub(super) const MODULE_TABLE: &[ModuleRow] = &[
    of("URI", "parse", 1, 1, |ruby, it| match it.argument(0) {
        Object::Text(text) => parsed(ruby, &text.content.borrow()),
        Object::Uri(_) => unsupported(),
        _ => raise_as("URI::InvalidURIError", "bad URI"),
    }),
    of("URI", "encode_www_form_component", 1, 1, |_, it| {
        Ok(Object::text(form_escaped(&it.text_argument(0)?)))
    }),
    of("URI", "encode_www_form", 1, 1, encoded_form),
    of("CGI", "escape", 1, 1, |_, it| Ok(Object::text(form_escaped(&it.text_argument(0)?)))),
];

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("URI", KERNEL, 1, 1, |ruby, it| match it.argument(0) {
        Object::Text(text) => parsed(ruby, &text.content.borrow()),
        uri @ Object::Uri(_) => Ok(uri.clone()),
        Object::Foreign(_) | Object::Instance(_) => unsupported(),
        _ => raise_as("ArgumentError", "bad argument (expected URI object or URI string)"),
    }),
    row("scheme", URI, 0, 0, |_, it| Ok(text(uri(it)?.scheme()))),
    row("userinfo", URI, 0, 0, |_, it| Ok(text(uri(it)?.userinfo()))),
    row("user", URI, 0, 0, |_, it| {
        let userinfo = uri(it)?.userinfo();
        Ok(text(userinfo.map(|it| it.split_once(':').map_or(it, |(user, _)| user))))
    }),
    row("password", URI, 0, 0, |_, it| {
        Ok(text(uri(it)?.userinfo().and_then(|it| Some(it.split_once(':')?.1))))
    }),
    row("host", URI, 0, 0, |_, it| Ok(text(uri(it)?.host()))),
    row("hostname", URI, 0, 0, |_, it| {
        let host = uri(it)?.host();
        let inside = host.and_then(|it| it.strip_prefix('[')?.strip_suffix(']'));
        Ok(text(inside.or(host)))
    }),
    row("port", URI, 0, 0, |_, it| {
        Ok(uri(it)?.port().map_or(Object::Nil, |port| Object::Integer(i64::from(port))))
    }),
    row("path", URI, 0, 0, |_, it| Ok(text(uri(it)?.path()))),
    row("query", URI, 0, 0, |_, it| Ok(text(uri(it)?.query()))),
    row("fragment", URI, 0, 0, |_, it| Ok(text(uri(it)?.fragment()))),
    row("opaque", URI, 0, 0, |_, it| Ok(text(uri(it)?.opaque()))),
    row("absolute?", URI, 0, 0, |_, it| Ok(Object::Boolean(uri(it)?.scheme().is_some()))),
    row("absolute", URI, 0, 0, |_, it| Ok(Object::Boolean(uri(it)?.scheme().is_some()))),
    row("relative?", URI, 0, 0, |_, it| Ok(Object::Boolean(uri(it)?.scheme().is_none()))),
];

fn uri<'i>(it: &'i MethodInvocation<'_>) -> Ruby<&'i Uri> {
    match &it.receiver {
        Object::Uri(uri) => Ok(uri),
        _ => unsupported(),
    }
}

fn text(part: Option<&str>) -> Object {
    part.map_or(Object::Nil, Object::text)
}

fn parsed(ruby: &mut Interpreter<'_>, text: &str) -> Ruby {
    ruby.charge(text.len().saturating_mul(8))?;
    match Uri::parse(text) {
        Ok(uri) => Ok(Object::Uri(Rc::new(uri))),
        Err(failure) => raise_as("URI::InvalidURIError", failure.0),
    }
}

fn form_escaped(text: &str) -> String {
    let mut out = String::new();
    for byte in text.bytes() {
        match byte {
            b' ' => out.push('+'),
            b'*' | b'-' | b'.' | b'_' => out.push(char::from(byte)),
            byte if byte.is_ascii_alphanumeric() => out.push(char::from(byte)),
            byte => out.push_str(&format!("%{byte:02X}")),
        }
    }
    out
}

fn encoded_form(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Hash(hash) = it.argument(0) else { return unsupported() };
    let entries = hash.entries.borrow().clone();
    let mut parts = Vec::new();
    for (key, value) in entries {
        let key = form_escaped(&ruby.shown_text(&key.0)?);
        match &value {
            Object::Nil => parts.push(key),
            Object::Array(values) => {
                for value in values.elements.borrow().clone() {
                    match value {
                        Object::Nil => parts.push(key.clone()),
                        value => parts.push(format!("{key}={}", form_escaped(&ruby.shown_text(&value)?))),
                    }
                }
            }
            value => parts.push(format!("{key}={}", form_escaped(&ruby.shown_text(value)?))),
        }
    }
    Ok(Object::text(parts.join("&")))
}
