//! Classes and modules of which little is needed.

use types::{Origin, Value};

use super::super::interpreter::Interpreter;
use super::super::methods::{MethodInvocation, MethodRow, VERSION, modules, row, sets};
use super::super::puppet::functions;
use super::super::value::{Object, Ruby, raise_as, unsupported};
use super::{ModuleRow, of};

const MANY: usize = usize::MAX;

pub(super) const TABLE: &[ModuleRow] = &[
    of("Set", "new", 0, 1, sets::new),
    of("Set", "[]", 0, MANY, sets::new),
    of("Class", "new", 0, 1, modules::new_module),
    of("Module", "new", 0, 0, modules::new_module),
    of("Struct", "new", 1, MANY, modules::new_module),
    of("Proc", "new", 0, 0, |ruby, it| match &it.block {
        Some(block) => Ok(ruby.new_proc(block.clone(), false)),
        None => unsupported(),
    }),
    of("Hash", "[]", 0, MANY, |_, it| match it.arguments.as_slice() {
        [Object::Hash(hash)] => Ok(Object::hash(hash.entries.borrow().clone())),
        [Object::Array(pairs)] => {
            let mut entries = super::super::value::ObjectEntries::default();
            for pair in pairs.elements.borrow().iter() {
                super::super::methods::enumerations::insert_pair(&mut entries, pair)?;
            }
            Ok(Object::hash(entries))
        }
        all if all.len() % 2 == 0 => {
            let mut entries = super::super::value::ObjectEntries::default();
            for pair in all.chunks(2) {
                let pair = Object::array(pair.to_vec());
                super::super::methods::enumerations::insert_pair(&mut entries, &pair)?;
            }
            Ok(Object::hash(entries))
        }
        _ => raise_as("ArgumentError", "odd number of arguments for Hash"),
    }),
    of("Regexp", "last_match", 0, 1, |ruby, it| match (&ruby.last_match, it.arguments.first()) {
        (None, _) => Ok(Object::Nil),
        (Some(found), None) => Ok(Object::Match(found.clone())),
        (Some(found), Some(Object::Integer(group))) => match usize::try_from(*group) {
            Ok(group) => Ok(found.group(group)),
            Err(_) => unsupported(),
        },
        _ => unsupported(),
    }),
    of("Regexp", "union", 1, MANY, |_, it| {
        let all = match it.arguments.as_slice() {
            [Object::Array(all)] => all.elements.borrow().clone(),
            all => all.to_vec(),
        };
        let mut parts = Vec::new();
        for part in all {
            match part {
                Object::Text(text) => parts.push(scalars::regexp::escape(&text.content.borrow())),
                _ => return unsupported(),
            }
        }
        super::super::interpreter::new_pattern(&parts.join("|"), &"".into())
    }),
    of("Math", "sqrt", 1, 1, |_, it| float(it, f64::sqrt)),
    of("Time", "now", 0, 0, |_, _| unknown()),
    of("Time", "new", 0, 0, |_, _| unknown()),
    of("Date", "today", 0, 0, |_, _| unknown()),
    of("SecureRandom", "hex", 0, 1, |_, _| unknown()),
    of("SecureRandom", "uuid", 0, 0, |_, _| unknown()),
    of("SecureRandom", "random_bytes", 0, 1, |_, _| unknown()),
    of("CGI", "escape", 1, 1, |_, it| Ok(Object::text(form_escaped(&it.text_argument(0)?)))),
    of("URI", "encode_www_form_component", 1, 1, |_, it| {
        Ok(Object::text(form_escaped(&it.text_argument(0)?)))
    }),
    of("URI", "encode_www_form", 1, 1, encoded_form),
    of("Shellwords", "escape", 1, 1, shell_escaped),
    of("Shellwords", "shellescape", 1, 1, shell_escaped),
    of("Puppet", "debug", 0, MANY, |ruby, it| logged(ruby, it, "debug")),
    of("Puppet", "info", 0, MANY, |ruby, it| logged(ruby, it, "info")),
    of("Puppet", "notice", 0, MANY, |ruby, it| logged(ruby, it, "notice")),
    of("Puppet", "warning", 0, MANY, |ruby, it| logged(ruby, it, "warning")),
    of("Puppet", "err", 0, MANY, |ruby, it| logged(ruby, it, "err")),
    of("Puppet", "deprecation_warning", 0, MANY, |_, _| Ok(Object::Nil)),
    of("Puppet", "warn_once", 0, MANY, |_, _| Ok(Object::Nil)),
    of("Puppet", "debug_once", 0, MANY, |_, _| Ok(Object::Nil)),
    of("Puppet", "[]", 1, 1, |ruby, it| {
        let name = super::super::classes::names(&it.arguments)?.swap_remove(0);
        let value = ruby.host.setting(&name);
        value.map_or_else(unsupported, |value| match (name.as_str(), &value) {
            // Some settings are symbols.
            ("strict", Value::String(text)) => Ok(Object::symbol(text)),
            _ => Ok(Object::from_puppet(&value)),
        })
    }),
    of("Puppet::Functions", "create_function", 1, 2, functions::create_function),
    of("Puppet::Functions", "create_loaded_function", 2, 3, functions::create_loaded_function),
    of("Puppet::Parser::Functions", "newfunction", 1, 2, functions::new_function),
    of("Puppet::Parser::Functions", "function", 1, 2, |_, it| {
        let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
        Ok(Object::text(format!("function_{name}")))
    }),
    of("Puppet::Parser::Functions", "autoloader", 0, 0, |_, _| {
        Ok(Object::Compiler(super::super::value::CompilerPart::Loader))
    }),
    of("Puppet::Pops::Types::PSensitiveType::Sensitive", "new", 1, 1, |_, it| {
        Ok(Object::Foreign(Value::Sensitive(it.argument(0).to_puppet()?.into())))
    }),
    of("Puppet::Pops::Types::PSensitiveType::Sensitive", "===", 1, 1, |_, it| {
        Ok(Object::Boolean(matches!(it.argument(0), Object::Foreign(Value::Sensitive(_)))))
    }),
    of("Puppet::Util::Package", "versioncmp", 2, 2, |_, it| {
        let order =
            scalars::version_compare::version_compare(&it.text_argument(0)?, &it.text_argument(1)?, false);
        Ok(Object::Integer(order as i64))
    }),
    of("Gem::Version", "new", 1, 1, gem_version),
    of("Puppet::Util", "deterministic_rand", 2, 2, |_, it| {
        let limit = match it.argument(1) {
            Object::Integer(limit) => u64::try_from(*limit).ok(),
            Object::Text(limit) => limit.content.borrow().parse::<u64>().ok(),
            _ => None,
        };
        let Some(limit) = limit.filter(|limit| *limit > 0) else { return unsupported() };
        let digits = match it.argument(0) {
            Object::WideInteger(digits) => digits.to_string(),
            Object::Integer(seed) if *seed >= 0 => format!("{seed:x}"),
            _ => return unsupported(),
        };
        let found = scalars::random::Random::from_hexadecimal(&digits).below(limit);
        i64::try_from(found).map_or_else(|_| unsupported(), |found| Ok(Object::Integer(found)))
    }),
];

fn unknown() -> Ruby {
    Ok(Object::Unknown(Origin::Ruby))
}

fn float(it: &MethodInvocation<'_>, work: fn(f64) -> f64) -> Ruby {
    let number = match it.argument(0) {
        Object::Integer(value) => *value as f64,
        Object::Float(value) => *value,
        _ => return unsupported(),
    };
    match number < 0.0 {
        true => unsupported(),
        false => Ok(Object::Float(work(number))),
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

fn shell_escaped(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let text = it.text_argument(0)?;
    if text.is_empty() {
        return Ok(Object::text("''"));
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => out.push(c),
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    Ok(Object::text(out))
}

fn logged(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, level: &str) -> Ruby {
    let message = match (it.arguments.first(), &it.block) {
        (Some(message), _) => ruby.shown_text(message)?,
        (None, Some(block)) if level != "debug" => {
            let message = ruby.call_block(block, Vec::new())?;
            ruby.shown_text(&message)?
        }
        _ => return Ok(Object::Nil),
    };
    ruby.host.log(level, &message);
    Ok(Object::Nil)
}

fn gem_version(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match it.argument(0) {
        Object::Constant(path) if path == "RUBY_VERSION" => Ok(Object::Version(None)),
        Object::Text(text) => Ok(Object::Version(Some(text.content.borrow().as_str().into()))),
        _ => unsupported(),
    }
}

/// The versions of Ruby that come with the versions of Puppet that are known: from 2.7 on, and before 3.5.
const RUBY_VERSIONS: [&str; 2] = ["2.7", "3.5"];

pub(in super::super) const VERSION_TABLE: &[MethodRow] = &[
    row(">=", VERSION, 1, 1, |_, it| compared(it, std::cmp::Ordering::is_ge)),
    row(">", VERSION, 1, 1, |_, it| compared(it, std::cmp::Ordering::is_gt)),
    row("<", VERSION, 1, 1, |_, it| compared(it, std::cmp::Ordering::is_lt)),
    row("<=", VERSION, 1, 1, |_, it| compared(it, std::cmp::Ordering::is_le)),
    row("==", VERSION, 1, 1, |_, it| compared(it, std::cmp::Ordering::is_eq)),
];

fn compared(it: &MethodInvocation<'_>, is: fn(std::cmp::Ordering) -> bool) -> Ruby {
    let (Object::Version(own), Object::Version(Some(other))) = (&it.receiver, it.argument(0)) else {
        return unsupported();
    };
    // Plain numbers alone: letters have an order of their own.
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    if !is_plain(other) || own.as_deref().is_some_and(|own| !is_plain(own)) {
        return unsupported();
    }
    let order = |own: &str| scalars::version_compare::version_compare(own, other, true);
    match own {
        Some(own) => Ok(Object::Boolean(is(order(own)))),
        None => {
            let [first, last] = RUBY_VERSIONS.map(|own| is(order(own)));
            if first == last { Ok(Object::Boolean(first)) } else { unsupported() }
        }
    }
}
