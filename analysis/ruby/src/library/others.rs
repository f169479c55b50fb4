//! Classes and modules with few supported methods.

use types::{Origin, Value};

use super::super::interpreter::Interpreter;
use super::super::methods::{MethodInvocation, MethodRow, VERSION, modules, patterns, row, sets};
use super::super::puppet::functions;
use super::super::value::{GivenVersion, Object, Ruby, raise_as, unsupported};
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
        patterns::new_pattern(&parts.join("|"), &"".into())
    }),
    of("Math", "sqrt", 1, 1, |_, it| float(it, f64::sqrt)),
    // Only data that is definitely no certificate is handled; validity of the rest depends on more than its
    // form.
    of("OpenSSL::X509::Certificate", "new", 1, 1, |_, it| match it.argument(0) {
        Object::Text(text) if is_invalid_certificate(&text.content.borrow()) => {
            raise_as("OpenSSL::X509::CertificateError", "invalid certificate")
        }
        _ => unsupported(),
    }),
    of("OpenSSL::PKey::RSA", "new", 1, 2, |_, it| match it.argument(0) {
        Object::Text(text) if is_invalid_certificate(&text.content.borrow()) => {
            raise_as("OpenSSL::PKey::RSAError", "invalid key")
        }
        _ => unsupported(),
    }),
    of("Time", "now", 0, 0, |_, _| unknown()),
    of("Time", "new", 0, 0, |_, _| unknown()),
    of("Date", "today", 0, 0, |_, _| unknown()),
    of("SecureRandom", "hex", 0, 1, |_, _| unknown()),
    of("SecureRandom", "uuid", 0, 0, |_, _| unknown()),
    of("SecureRandom", "random_bytes", 0, 1, |_, _| unknown()),
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
    of("Puppet::Parser::Functions", "function", 1, 2, |ruby, it| {
        let name = super::super::classes::names(&it.arguments[..1])?.swap_remove(0);
        // The call loads the function; its return value is unused.
        Ok(match ruby.host.is_legacy_function(&name) {
            Some(true) => Object::text(format!("function_{name}")),
            Some(false) => Object::Boolean(false),
            None => Object::Unknown(Origin::Ruby),
        })
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
    of("Puppet::Util::Package", "versioncmp", 2, 2, versioncmp),
    of("Puppet", "version", 0, 0, |_, _| Ok(Object::Version(GivenVersion::OfPuppet))),
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

/// Returns true if the data has neither of the two formats of keys and certificates.
fn is_invalid_certificate(text: &str) -> bool {
    !text.contains("-----BEGIN") && (!text.starts_with('0') || text.len() < 64)
}

fn unknown() -> Ruby {
    Ok(Object::Unknown(Origin::Ruby))
}

fn float(it: &MethodInvocation<'_>, work: fn(f64) -> f64) -> Ruby {
    let number = match it.argument(0) {
        Object::Integer(value) => *value as f64,
        Object::Float(value) => *value,
        _ => return unsupported(),
    };
    if number < 0.0 { unsupported() } else { Ok(Object::Float(work(number))) }
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
    version_of(it.argument(0)).map_or_else(unsupported, |version| Ok(Object::Version(version)))
}

fn version_of(object: &Object) -> Option<GivenVersion> {
    match object {
        Object::Text(text) => Some(GivenVersion::Known(text.content.borrow().as_str().into())),
        Object::Version(version) => Some(version.clone()),
        Object::Constant(path) if path == "RUBY_VERSION" => Some(GivenVersion::OfRuby),
        Object::Constant(path) if path == "Puppet::PUPPETVERSION" => Some(GivenVersion::OfPuppet),
        _ => None,
    }
}

/// Returns the minimum and maximum version.
fn version_bounds(ruby: &Interpreter<'_>, version: &GivenVersion) -> Option<[String; 2]> {
    // Only numeric versions; letters have special ordering rules.
    let is_plain = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    match version {
        GivenVersion::Known(text) => is_plain(text).then(|| [text.to_string(), text.to_string()]),
        // Versions shipped with the supported versions of Puppet and its server.
        GivenVersion::OfRuby => Some(["2.5".to_owned(), "3.5".to_owned()]),
        GivenVersion::OfPuppet => {
            let major = ruby.host.puppet_version()?;
            Some([format!("{major}.0.0"), format!("{major}.999.0")])
        }
    }
}

/// Compares two versions if the result is the same for all possible versions.
fn compare_versions<T: PartialEq>(
    ruby: &Interpreter<'_>,
    a: &Object,
    b: &Object,
    of_gems: bool,
    say: impl Fn(std::cmp::Ordering) -> T,
) -> Option<T> {
    let (a, b) = (version_bounds(ruby, &version_of(a)?)?, version_bounds(ruby, &version_of(b)?)?);
    let order = |a: &str, b: &str| {
        if of_gems {
            say(compare_gem_versions(a, b))
        } else {
            say(scalars::version_compare::version_compare(a, b, false))
        }
    };
    let [lowest, highest] = [order(&a[0], &b[1]), order(&a[1], &b[0])];
    (lowest == highest).then_some(lowest)
}

/// Compares versions component by component; missing components are 0.
fn compare_gem_versions(a: &str, b: &str) -> std::cmp::Ordering {
    let parts =
        |text: &str| text.split('.').map(|part| part.parse::<u64>().unwrap_or(0)).collect::<Vec<u64>>();
    let (mut a, mut b) = (parts(a), parts(b));
    let size = a.len().max(b.len());
    a.resize(size, 0);
    b.resize(size, 0);
    a.cmp(&b)
}

fn versioncmp(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let (a, b) = (it.argument(0), it.argument(1));
    let order = match (a, b) {
        (Object::Text(_), Object::Text(_)) => {
            let (a, b) = (it.text_argument(0)?, it.text_argument(1)?);
            Some(scalars::version_compare::version_compare(&a, &b, false))
        }
        (Object::Version(_) | Object::Constant(_), _) | (_, Object::Version(_) | Object::Constant(_)) => {
            compare_versions(ruby, a, b, false, |order| order)
        }
        _ if [a, b].iter().all(|it| matches!(it, Object::Text(_)) || it.is_other_data()) => {
            return raise_as("NoMethodError", "version must be a string");
        }
        _ => return unsupported(),
    };
    order.map_or_else(unsupported, |order| Ok(Object::Integer(order as i64)))
}

pub(in super::super) const VERSION_TABLE: &[MethodRow] = &[
    row(">=", VERSION, 1, 1, |ruby, it| compared(ruby, it, std::cmp::Ordering::is_ge)),
    row(">", VERSION, 1, 1, |ruby, it| compared(ruby, it, std::cmp::Ordering::is_gt)),
    row("<", VERSION, 1, 1, |ruby, it| compared(ruby, it, std::cmp::Ordering::is_lt)),
    row("<=", VERSION, 1, 1, |ruby, it| compared(ruby, it, std::cmp::Ordering::is_le)),
    row("==", VERSION, 1, 1, |ruby, it| compared(ruby, it, std::cmp::Ordering::is_eq)),
    // Code strips suffixes that only other editions of Puppet have in their versions.
    row("sub", VERSION, 2, 2, cut),
    row("gsub", VERSION, 2, 2, cut),
    row("strip", VERSION, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("chomp", VERSION, 0, 0, |_, it| Ok(it.receiver.clone())),
    row("to_i", VERSION, 0, 0, |ruby, it| match (&it.receiver, ruby.host.puppet_version()) {
        (Object::Version(GivenVersion::OfPuppet), Some(major)) => Ok(Object::Integer(i64::from(major))),
        _ => unsupported(),
    }),
];

fn cut(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let pattern = super::super::methods::patterns::any_pattern(it.argument(0))?;
    let is_found = |text: &str| pattern.is_match(text).or_else(|_| unsupported());
    if is_found("7.0.0")? || is_found("8.123.45")? { unsupported() } else { Ok(it.receiver.clone()) }
}

fn compared(
    ruby: &mut Interpreter<'_>,
    it: &MethodInvocation<'_>,
    is: fn(std::cmp::Ordering) -> bool,
) -> Ruby {
    compare_versions(ruby, &it.receiver, it.argument(0), true, is)
        .map_or_else(unsupported, |answer| Ok(Object::Boolean(answer)))
}
