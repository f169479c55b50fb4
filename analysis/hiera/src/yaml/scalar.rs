//! Scalar resolution with the rules of Ruby's Psych, which implements YAML 1.1.

use base64::Engine as _;
use smol_str::SmolStr;
use types::{Origin, Type, Value};

/// Resolved scalar.
pub(super) enum Scalar {
    Value(Value),
    /// Ruby symbol: `:name`.
    Symbol(SmolStr),
    /// Value that Puppet does not allow in data; contains its description.
    Refused(&'static str),
}

/// Resolves a scalar. `is_plain` is false for quoted scalars and blocks.
pub(super) fn resolve(text: &str, is_plain: bool, tag: Option<&str>) -> Scalar {
    let Some(tag) = tag else {
        return if is_plain { plain(text) } else { Scalar::Value(Value::string(text)) };
    };
    match tag {
        "!str" | "tag:yaml.org,2002:str" | "!ruby/string" => Scalar::Value(Value::string(text)),
        "!binary" | "tag:yaml.org,2002:binary" => binary(text),
        "!float" | "tag:yaml.org,2002:float" => match plain(text) {
            Scalar::Value(Value::Integer(value)) => Scalar::Value(Value::float(value as f64)),
            Scalar::Value(value @ Value::Float(_)) => Scalar::Value(value),
            _ => Scalar::Refused("a float that is not a number"),
        },
        _ if tag.starts_with("!ruby/sym") => Scalar::Symbol(text.into()),
        "!ruby/regexp" => Scalar::Refused("a regular expression"),
        "!ruby/range" => Scalar::Refused("a range"),
        "!ruby/class" | "!ruby/module" => Scalar::Refused("a Ruby class"),
        "!ruby/object:DateTime"
        | "!ruby/object:BigDecimal"
        | "!ruby/object:Complex"
        | "!ruby/object:Rational" => Scalar::Refused("an object of a Ruby class"),
        _ if tag.starts_with("!str:") || tag.starts_with("!ruby/string:") => {
            Scalar::Refused("an object of a Ruby class")
        }
        _ => plain(text),
    }
}

fn binary(text: &str) -> Scalar {
    let written: String = text.chars().filter(|it| !it.is_whitespace()).collect();
    let bytes = base64::engine::general_purpose::STANDARD.decode(written);
    match bytes.map(String::from_utf8) {
        Ok(Ok(text)) => Scalar::Value(Value::string(text)),
        _ => Scalar::Value(Value::unknown(Type::STRING, Origin::Ruby)),
    }
}

/// Resolves a plain scalar.
pub(super) fn plain(text: &str) -> Scalar {
    Scalar::Value(match text {
        "" => Value::Undef,
        _ if begins_with_word(text) || text.contains('\n') => word(text),
        _ if is_time(text) => return Scalar::Refused("a time"),
        _ if is_date(text) => return Scalar::Refused("a date"),
        _ => {
            if let Some(symbol) = symbol(text) {
                return Scalar::Symbol(symbol);
            }
            number(text).unwrap_or_else(|| Value::string(text))
        }
    })
}

/// Returns true if a number cannot begin like the string. One leading character that may be a sign is
/// skipped.
fn begins_with_word(text: &str) -> bool {
    let is_word =
        |it: char| it.is_alphabetic() || it.is_whitespace() || "_!@#$%^&*(){}<>|/\\~;=".contains(it);
    let mut characters = text.chars();
    let Some(first) = characters.next() else { return false };
    if is_word(first) {
        return true;
    }
    let may_lead = !first.is_ascii_digit() && !matches!(first, '.' | ':' | '-');
    may_lead && characters.next().is_some_and(is_word)
}

fn word(text: &str) -> Value {
    if text.chars().count() > 5 {
        return Value::string(text);
    }
    match text.to_ascii_lowercase().as_str() {
        "~" | "null" => Value::Undef,
        "yes" | "true" | "on" => Value::Boolean(true),
        "no" | "false" | "off" => Value::Boolean(false),
        _ => Value::string(text),
    }
}

/// Returns the number of leading digits and the rest of the string.
fn digits(text: &str) -> (usize, &str) {
    let len = text.bytes().take_while(u8::is_ascii_digit).count();
    (len, &text[len..])
}

/// Returns true for dates (`2001-02-03`) with valid months and days:
/// `^\d{4}-(1[012]|0\d|\d)-([12]\d|3[01]|0\d|\d)$`.
fn is_date(text: &str) -> bool {
    let parts: Vec<&str> = text.split('-').collect();
    let [year, month, day] = parts.as_slice() else { return false };
    let is_number = |text: &str| (1..=2).contains(&text.len()) && digits(text).1.is_empty();
    let within = |text: &str, max: u32| text.parse::<u32>().is_ok_and(|it| it <= max);
    year.len() == 4
        && digits(year).1.is_empty()
        && is_number(month)
        && is_number(day)
        && within(month, 12)
        && within(day, 31)
}

/// Returns true for times (`2001-02-03 04:05:06`), optionally with fraction and time zone.
fn is_time(text: &str) -> bool {
    fn number(text: &str, min: usize, max: usize) -> Option<&str> {
        let (len, rest) = digits(text);
        (min <= len && len <= max).then_some(rest)
    }
    fn zone(text: &str) -> bool {
        let text = text.trim_start();
        if text.is_empty() || text == "Z" {
            return true;
        }
        let Some(rest) = text.strip_prefix(['-', '+']) else { return false };
        match rest.split_once(':') {
            Some((hours, minutes)) => {
                number(hours, 1, 2) == Some("") && (minutes.is_empty() || number(minutes, 2, 2) == Some(""))
            }
            None => matches!(digits(rest), (1..=4, "")),
        }
    }
    let parse = || {
        let rest = number(text.strip_prefix('-').unwrap_or(text), 4, 4)?;
        let rest = number(rest.strip_prefix('-')?, 1, 2)?;
        let rest = number(rest.strip_prefix('-')?, 1, 2)?;
        let rest = match rest.strip_prefix(['T', 't']) {
            Some(rest) => rest,
            None if rest.starts_with(char::is_whitespace) => rest.trim_start(),
            None => return None,
        };
        let rest = number(rest, 1, 2)?;
        let rest = number(rest.strip_prefix(':')?, 2, 2)?;
        let rest = number(rest.strip_prefix(':')?, 2, 2)?;
        let rest = rest.strip_prefix('.').map_or(rest, |rest| digits(rest).1);
        zone(rest).then_some(())
    };
    parse().is_some()
}

fn symbol(text: &str) -> Option<SmolStr> {
    let name = text.strip_prefix(':')?;
    if name.is_empty() {
        return None;
    }
    for quote in ['"', '\''] {
        if let Some(inner) = name.strip_prefix(quote)
            && let Some(end) = inner.rfind(quote)
        {
            let inner = &inner[..end];
            return Some(inner.strip_prefix(':').unwrap_or(inner).into());
        }
    }
    Some(name.into())
}

fn number(text: &str) -> Option<Value> {
    match text.to_ascii_lowercase().as_str() {
        ".inf" | "+.inf" => return Some(Value::float(f64::INFINITY)),
        "-.inf" => return Some(Value::float(f64::NEG_INFINITY)),
        ".nan" => return Some(Value::float(f64::NAN)),
        _ => {}
    }
    sexagesimal(text).or_else(|| float(text)).or_else(|| integer(text))
}

/// Parses base 60 numbers: like Psych, `1:30` is hours and minutes, in seconds.
fn sexagesimal(text: &str) -> Option<Value> {
    let parts: Vec<&str> = text.split(':').collect();
    if !(2..=3).contains(&parts.len()) {
        return None;
    }
    let first = parts[0].strip_prefix(['-', '+']).unwrap_or(parts[0]);
    let begins_well = first.starts_with(|it: char| it.is_ascii_digit())
        && first.bytes().all(|it| it.is_ascii_digit() || it == b'_');
    let (last, fraction) = match parts[parts.len() - 1].split_once('.') {
        Some((last, fraction)) => (last, Some(fraction)),
        None => (parts[parts.len() - 1], None),
    };
    let is_part = |text: &str| {
        digits(text).1.is_empty() && (text.len() == 1 || text.len() == 2 && text.as_bytes()[0] <= b'5')
    };
    let between = &parts[1..parts.len() - 1];
    let ends_well =
        is_part(last) && fraction.is_none_or(|it| it.bytes().all(|it| it.is_ascii_digit() || it == b'_'));
    if !begins_well || !ends_well || !between.iter().all(|part| is_part(part)) {
        return None;
    }
    let factor = [3600, 60, 1];
    let whole = |text: &str| text.replace('_', "").parse::<i64>().ok();
    if let Some(fraction) = fraction {
        let mut sum = 0.0;
        for (index, part) in parts.iter().enumerate() {
            let part = if index == parts.len() - 1 {
                format!("{last}.{}", fraction.replace('_', "")).parse::<f64>().ok()?
            } else {
                whole(part)? as f64
            };
            sum += part * f64::from(factor[index]);
        }
        return Some(Value::float(sum));
    }
    let mut sum = 0i64;
    for (part, factor) in parts.iter().zip(factor) {
        sum = sum.checked_add(whole(part)?.checked_mul(i64::from(factor))?)?;
    }
    Some(Value::Integer(sum))
}

/// Parses floats: `1.5`, `-.5`, `1_000.`, `1.5e+3`. An exponent requires a sign.
fn float(text: &str) -> Option<Value> {
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, rest) = unsigned.split_once('.')?;
    let is_whole = whole.is_empty()
        || whole.starts_with(|it: char| it.is_ascii_digit())
            && whole.bytes().all(|it| it.is_ascii_digit() || it == b'_' || it == b',');
    let (fraction, rest) = (digits(rest).0, digits(rest).1);
    let is_exponent = rest.is_empty()
        || rest.strip_prefix(['e', 'E']).is_some_and(|rest| {
            rest.strip_prefix(['-', '+']).is_some_and(|rest| matches!(digits(rest), (1.., "")))
        });
    if !is_whole || !is_exponent || whole.is_empty() && fraction == 0 {
        return None;
    }
    let written = text.replace(['_', ','], "");
    written.parse().ok().map(Value::float)
}

/// Parses decimal, octal (`017`), hexadecimal and binary integers, with `_` and `,` between digits.
fn integer(text: &str) -> Option<Value> {
    let (sign, unsigned) = match text.strip_prefix(['-', '+']) {
        Some(rest) => (if text.starts_with('-') { "-" } else { "" }, rest),
        None => ("", text),
    };
    let of_base = |body: &str, base: u32| -> Option<Value> {
        let fits = body.chars().all(|it| it.is_digit(base) || it == '_' || it == ',');
        let clean = body.replace(['_', ','], "");
        if !fits || body.is_empty() {
            return None;
        }
        if clean.is_empty() {
            // `0_` is 0.
            return (base == 8).then_some(Value::Integer(0));
        }
        Some(match i64::from_str_radix(&format!("{sign}{clean}"), base) {
            Ok(value) => Value::Integer(value),
            Err(_) => Value::unknown(Type::INTEGER, Origin::Bound),
        })
    };
    if let Some(body) = unsigned.strip_prefix("0b") {
        return of_base(body, 2);
    }
    if let Some(body) = unsigned.strip_prefix("0x") {
        return of_base(body, 16);
    }
    if unsigned == "0" {
        return Some(Value::Integer(0));
    }
    if let Some(body) = unsigned.strip_prefix('0') {
        return of_base(body, 8);
    }
    let has_valid_separators = !unsigned.ends_with(['_', ','])
        && !unsigned.starts_with(['_', ','])
        && !["__", ",,", "_,", ",_"].iter().any(|it| unsigned.contains(it));
    if has_valid_separators { of_base(unsigned, 10) } else { None }
}
