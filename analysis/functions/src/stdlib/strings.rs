//! String functions: encoding, escaping and transformation.

use base64::Engine;
use base64::alphabet::{STANDARD, URL_SAFE};
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use codes::Code;
use conversions::ruby;
use eval::{BuiltInFunction, Call, Outcome};
use scalars::letters::LetterSet;
use types::{Origin, Type, Value};

use crate::legacy::{formatted, legacy};
use crate::support::{also, function, known, open};

const BATCH_ESCAPE: BuiltInFunction = function(
    "batch_escape",
    "Escapes a value for a Windows batch file.",
    &[known("(Any $string) >> String", batch_escape)],
);

const POWERSHELL_ESCAPE: BuiltInFunction = function(
    "powershell_escape",
    "Escapes a value for PowerShell.",
    &[known("(Any $string) >> String", powershell_escape)],
);

const SHELL_ESCAPE: BuiltInFunction = function(
    "shell_escape",
    "Escapes a value as one word of a Bourne shell.",
    &[known("(Any $string) >> String", shell_escape)],
);

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "base64",
        "Encodes or decodes a string in Base64.",
        &[known(
            "(Enum['decode', 'encode'] $action, String $text, Enum['default', 'strict', 'urlsafe'] $method = 'default', Any *$more) >> String",
            base64,
        )],
    ),
    BATCH_ESCAPE,
    legacy(
        "dos2unix",
        "Converts a string to Unix line endings.",
        &[known("(String $text) >> String", dos2unix)],
    ),
    POWERSHELL_ESCAPE,
    legacy(
        "pw_hash",
        "Hashes a password for `/etc/shadow`: MD5, SHA-256, SHA-512 or bcrypt, with a salt.",
        &[open("(Any $password, Any $hash, Any $salt) >> Optional[String]", pw_hash)],
    ),
    legacy(
        "regexpescape",
        "Escapes a string, or the strings of an array, for regular expressions.",
        &[
            known("(String $text, Any *$more) >> String", regexpescape),
            known("(Array $texts, Any *$more) >> Array", regexpescape),
        ],
    ),
    SHELL_ESCAPE,
    legacy(
        "shell_join",
        "Joins the elements of an array as words of a Bourne shell.",
        &[known("(Array $words) >> String", shell_join)],
    ),
    function(
        "sprintf_hash",
        "Deprecated: formats the values of a hash by name. Use `sprintf` instead.",
        &[known("(String $format, Hash $arguments) >> String", sprintf_hash)],
    ),
    legacy(
        "squeeze",
        "Removes repeated characters from a string, or from the strings of an array.",
        &[
            known("(String $text, Any $characters = undef) >> String", squeeze),
            known("(Array $texts, Any $characters = undef) >> Array", squeeze),
        ],
    ),
    also("stdlib::batch_escape", BATCH_ESCAPE),
    function(
        "stdlib::end_with",
        "Returns true if a string ends with one of several suffixes.",
        &[known(AFFIXES, end_with)],
    ),
    also("stdlib::powershell_escape", POWERSHELL_ESCAPE),
    also("stdlib::shell_escape", SHELL_ESCAPE),
    function(
        "stdlib::start_with",
        "Returns true if a string begins with one of several prefixes.",
        &[known(AFFIXES, start_with)],
    ),
    function(
        "stdlib::xml_encode",
        "Escapes a string for XML, optionally as a quoted attribute.",
        &[known("(String $str, Enum['attr', 'text'] $type = 'text') >> String", xml_encode)],
    ),
    legacy(
        "str2saltedsha512",
        "Returns the salted SHA-512 hash of a password for macOS; the salt is random.",
        &[open("(String $password) >> String", salted_password)],
    ),
    legacy(
        "swapcase",
        "Swaps upper and lower case in a string, or in the strings of an array.",
        &[
            known("(String $text, Any *$more) >> String", swapcase),
            known("(Array $texts, Any *$more) >> Array", swapcase),
        ],
    ),
    legacy("time", "Returns the seconds since 1970.", &[open("(Any $time_zone = '') >> Integer", time)]),
    legacy(
        "unix2dos",
        "Converts a string to DOS line endings.",
        &[known("(String $text) >> String", unix2dos)],
    ),
    legacy(
        "uriescape",
        "Percent-encodes a string, or the strings of an array, for URIs.",
        &[
            known("(String $text, Any *$more) >> String", uriescape),
            known("(Array $texts, Any *$more) >> Array", uriescape),
        ],
    ),
];

const AFFIXES: &str = "(String $test_string, Variant[String[1], Array[String[1], 1]] $affixes) >> Boolean";

/// Base64 decoding that accepts missing padding and leftover bits.
const LENIENT: GeneralPurposeConfig = GeneralPurposeConfig::new()
    .with_decode_padding_mode(DecodePaddingMode::Indifferent)
    .with_decode_allow_trailing_bits(true);
const STRICT: GeneralPurposeConfig = GeneralPurposeConfig::new();

fn base64(call: &mut Call) -> Outcome {
    let (text, method) = (call.string(1), call.string(2));
    let standard = GeneralPurpose::new(&STANDARD, STRICT);
    if call.string(0) == "encode" {
        return Ok(Value::string(match method {
            "strict" => standard.encode(text),
            "urlsafe" => GeneralPurpose::new(&URL_SAFE, STRICT).encode(text),
            _ => {
                let encoded = standard.encode(text);
                let lines = encoded.as_bytes().chunks(60).map(|line| String::from_utf8_lossy(line) + "\n");
                lines.collect::<String>()
            }
        }));
    }
    let decoded = match method {
        "strict" => standard.decode(text).ok(),
        "urlsafe" => {
            // Padding is optional, and both alphabets are accepted.
            let text: String = text
                .chars()
                .map(|c| match c {
                    '-' => '+',
                    '_' => '/',
                    c => c,
                })
                .collect();
            let missing = if text.ends_with('=') { 0 } else { (4 - text.len() % 4) % 4 };
            standard.decode(text + &"=".repeat(missing)).ok()
        }
        _ => {
            let end = text.find('=').unwrap_or(text.len());
            let is_digit = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '+' | '/');
            let mut digits: String = text[..end].chars().filter(is_digit).collect();
            if digits.len() % 4 == 1 {
                digits.pop();
            }
            GeneralPurpose::new(&STANDARD, LENIENT).decode(digits).ok()
        }
    };
    match decoded.map(String::from_utf8) {
        Some(Ok(text)) if text.is_ascii() => Ok(Value::string(text)),
        // In Ruby these are bytes without an encoding.
        Some(_) => Ok(Value::unknown(Type::STRING, Origin::Ruby)),
        None => Err(call.fail_at(1, Code::RuntimeError, "invalid Base64")),
    }
}

/// Applies `escape` to the string form of the first argument.
fn escaped(call: &Call, escape: impl Fn(&str) -> String) -> Outcome {
    Ok(match ruby::modern_to_s(call.argument(0), call.env()) {
        Some(text) => Value::string(escape(&text)),
        None => Value::unknown(Type::STRING, Origin::Ruby),
    })
}

fn batch_escape(call: &mut Call) -> Outcome {
    escaped(call, |text| {
        let mut out = String::from("\"");
        for c in text.chars() {
            match c {
                '"' => out.push_str("\"\""),
                '$' | '\\' => out.extend(['\\', c]),
                c => out.push(c),
            }
        }
        out + "\""
    })
}

fn powershell_escape(call: &mut Call) -> Outcome {
    escaped(call, |text| {
        let mut out = String::new();
        for c in text.chars() {
            match c {
                ' ' | '\'' | '`' | '|' | '\n' | '$' => out.extend(['`', c]),
                '"' => out.push_str("\\`\""),
                c => out.push(c),
            }
        }
        out
    })
}

/// Escapes a word like Ruby's `Shellwords.escape`.
fn shell_word(text: &str) -> String {
    if text.is_empty() {
        return "''".to_owned();
    }
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' => out.push_str("'\n'"),
            c if c.is_ascii_alphanumeric() || "_-.,:+/@".contains(c) => out.push(c),
            c => out.extend(['\\', c]),
        }
    }
    out
}

fn shell_escape(call: &mut Call) -> Outcome {
    escaped(call, shell_word)
}

fn shell_join(call: &mut Call) -> Outcome {
    let env = call.env();
    let words = call.argument(0).as_array().unwrap_or_default().iter();
    let words: Option<Vec<String>> = words.map(|word| Some(shell_word(&ruby::to_s(word, env)?))).collect();
    Ok(words
        .map_or_else(|| Value::unknown(Type::STRING, Origin::Ruby), |words| Value::string(words.join(" "))))
}

fn sprintf_hash(call: &mut Call) -> Outcome {
    super::validation::report_deprecation(call, "`sprintf_hash()` is deprecated", Some("use `sprintf()`"))?;
    if let Value::Hash(entries) = call.argument(1)
        && !entries.keys().all(|key| matches!(key, Value::String(_) | Value::Default | Value::Unknown(_)))
    {
        return Err(call.fail_at(1, Code::RuntimeError, "keys for `sprintf_hash()` must be strings"));
    }
    let arguments = call.arguments.get(1..).unwrap_or_default();
    formatted(call, arguments)
}

fn start_with(call: &mut Call) -> Outcome {
    Ok(Value::Boolean(affixes(call).iter().any(|affix| call.string(0).starts_with(affix))))
}

fn end_with(call: &mut Call) -> Outcome {
    Ok(Value::Boolean(affixes(call).iter().any(|affix| call.string(0).ends_with(affix))))
}

fn affixes<'c>(call: &'c Call) -> Vec<&'c str> {
    match call.argument(1) {
        Value::Array(affixes) => affixes.iter().filter_map(Value::as_str).collect(),
        affix => affix.as_str().into_iter().collect(),
    }
}

fn xml_encode(call: &mut Call) -> Outcome {
    let is_attribute = call.string(1) == "attr";
    let mut out = String::new();
    for c in call.string(0).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' if is_attribute => out.push_str("&quot;"),
            c => out.push(c),
        }
    }
    Ok(Value::string(if is_attribute { format!("\"{out}\"") } else { out }))
}

/// Applies `change` to the first argument, or to each string in it; other elements are kept.
fn map_strings(call: &Call, change: impl Fn(&str) -> String) -> Value {
    let one = |value: &Value| match value {
        Value::String(text) => Value::string(change(text)),
        other => other.clone(),
    };
    match call.argument(0) {
        Value::Array(elements) => Value::array(elements.iter().map(one).collect::<Vec<_>>()),
        other => one(other),
    }
}

fn regexpescape(call: &mut Call) -> Outcome {
    Ok(map_strings(call, scalars::regexp::escape))
}

fn swapcase(call: &mut Call) -> Outcome {
    Ok(map_strings(call, |text| {
        let swap = |c: char| {
            if c.is_lowercase() { c.to_uppercase().collect::<String>() } else { c.to_lowercase().collect() }
        };
        text.chars().map(swap).collect()
    }))
}

fn uriescape(call: &mut Call) -> Outcome {
    Ok(map_strings(call, |text| {
        let mut out = String::new();
        for byte in text.bytes() {
            match byte {
                byte if byte.is_ascii_alphanumeric() || b"-_.!~*'();/?:@&=+$,[]".contains(&byte) => {
                    out.push(char::from(byte));
                }
                byte => out.push_str(&format!("%{byte:02X}")),
            }
        }
        out
    }))
}

fn squeeze(call: &mut Call) -> Outcome {
    let set = match call.arguments.get(1) {
        None | Some(Value::Boolean(false)) => None,
        Some(Value::String(set)) => {
            Some(LetterSet::read(set).map_err(|failure| call.fail_at(1, Code::RuntimeError, failure))?)
        }
        Some(_) => return Err(call.fail_at(1, Code::RuntimeError, "expected a string of characters")),
    };
    let is_text = |value: &Value| matches!(value, Value::String(_));
    if !call.argument(0).as_array().is_none_or(|texts| texts.iter().all(is_text)) {
        return Err(call.fail_at(0, Code::RuntimeError, "expected a string for `squeeze()`"));
    }
    let size = call.argument(0).as_array().map_or_else(
        || call.argument(0).as_str().map_or(0, str::len),
        |texts| texts.iter().filter_map(Value::as_str).map(str::len).sum(),
    );
    call.step(size.saturating_mul(set.as_ref().map_or(1, LetterSet::size)) / 16)?;
    Ok(map_strings(call, |text| {
        let mut last = None;
        let is_kept = |c: &char| {
            let repeats = last.replace(*c) == Some(*c);
            !(repeats && set.as_ref().is_none_or(|set| set.contains(*c)))
        };
        text.chars().filter(is_kept).collect()
    }))
}

fn dos2unix(call: &mut Call) -> Outcome {
    Ok(Value::string(call.string(0).replace("\r\n", "\n")))
}

fn unix2dos(call: &mut Call) -> Outcome {
    let mut out = String::new();
    for c in call.string(0).chars() {
        if c == '\n' {
            out.truncate(out.trim_end_matches('\r').len());
            out.push_str("\r\n");
        } else {
            out.push(c);
        }
    }
    Ok(Value::string(out))
}

fn time(_: &mut Call) -> Outcome {
    Ok(Value::unknown(Type::INTEGER, Origin::Ruby))
}

fn salted_password(_: &mut Call) -> Outcome {
    Ok(Value::unknown(Type::STRING, Origin::Ruby))
}

fn pw_hash(call: &mut Call) -> Outcome {
    let plain = |index: usize| match call.argument(index) {
        Value::Sensitive(inner) => (**inner).clone(),
        other => other.clone(),
    };
    let [password, hash, salt] = [plain(0), plain(1), plain(2)];
    let refuse = |index, failure: &str| Err(call.fail_at(index, Code::RuntimeError, failure));
    match &password {
        Value::String(_) | Value::Undef | Value::Unknown(_) => {}
        _ => return refuse(0, "password must be a string"),
    }
    let is_bcrypt = match &hash {
        Value::Unknown(_) => None,
        Value::String(name) => match name.to_lowercase().as_str() {
            "md5" | "sha-256" | "sha-512" => Some(false),
            "bcrypt" | "bcrypt-a" | "bcrypt-x" | "bcrypt-y" => Some(true),
            _ => return refuse(1, "unknown hash type"),
        },
        _ => return refuse(1, "hash type must be a string"),
    };
    let is_salt = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'.' | b'/');
    match (&salt, is_bcrypt) {
        (Value::Unknown(_), _) => {}
        (Value::String(salt), _) if salt.is_empty() => return refuse(2, "salt must not be empty"),
        (Value::String(salt), Some(false)) if !salt.as_bytes().iter().all(is_salt) => {
            return refuse(2, "salt must consist of letters, digits, `.` and `/`");
        }
        (Value::String(salt), Some(true)) => {
            let is_cost = |bytes: &[u8]| bytes.len() == 2 && bytes.iter().all(u8::is_ascii_digit);
            let is_right = super::support::lines(salt).any(|line| match line.split_once('$') {
                Some((cost, rest)) => {
                    is_cost(cost.as_bytes()) && rest.len() >= 22 && rest.as_bytes()[..22].iter().all(is_salt)
                }
                None => false,
            });
            if !is_right {
                return refuse(
                    2,
                    "salt for bcrypt must consist of a cost of two digits, `$`, and 22 letters, digits, `.` or `/`",
                );
            }
        }
        (Value::String(_), _) => {}
        _ => return refuse(2, "salt must be a string"),
    }
    Ok(match &password {
        Value::String(text) if text.is_empty() => Value::Undef,
        Value::Undef => Value::Undef,
        Value::String(_) => Value::unknown(Type::STRING, Origin::Ruby),
        _ => Value::unknown(Type::optional(Type::STRING), Origin::Ruby),
    })
}
