//! Names of secrets, and literals that are no secrets although they have such a name.

use crate::words;

/// Kind of secret that a name refers to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SecretKind {
    Password,
    /// Token, key, or shared secret.
    Secret,
}

const PASSWORDS: [&str; 7] = ["password", "passwd", "passphrase", "pwd", "pass", "passcode", "passwort"];
/// Endings of words that are written together, such as `rootpassword`.
const PASSWORD_ENDINGS: [&str; 3] = ["password", "passwd", "passphrase"];
const SHORT_PASSWORDS: [&str; 10] = [
    "rootpw",
    "dbpw",
    "bindpw",
    "userpw",
    "adminpw",
    "dbpass",
    "rootpass",
    "userpass",
    "requirepass",
    "masterauth",
];
const SECRETS: [&str; 8] =
    ["secret", "token", "apikey", "secretkey", "privatekey", "psk", "authtoken", "sharedsecret"];
/// Words that make a following `key` a secret.
const SECRET_KEYS: [&str; 22] = [
    "api",
    "secret",
    "private",
    "priv",
    "access",
    "auth",
    "encryption",
    "encrypt",
    "shared",
    "preshared",
    "master",
    "hmac",
    "session",
    "app",
    "application",
    "account",
    "storage",
    "crypt",
    "cipher",
    "aes",
    "fernet",
    "license",
];
/// First words of names that are about a secret without being one.
const NOT_SECRET: [&str; 30] = [
    "existing",
    "manage",
    "set",
    "use",
    "has",
    "is",
    "validate",
    "reset",
    "update",
    "generate",
    "require",
    "requires",
    "allow",
    "enable",
    "enabled",
    "disable",
    "show",
    "hide",
    "ask",
    "prompt",
    "no",
    "with",
    "without",
    "change",
    "check",
    "force",
    "skip",
    "encrypted",
    "hashed",
    "crypted",
];

/// Returns the kind of secret that a variable, attribute, or key with this name holds.
///
/// The last word decides: `db_password` is the name of a secret, and `password_file` is not.
pub fn secret_kind(name: &str) -> Option<SecretKind> {
    const SIGNS: [&str; 8] = ["pass", "pw", "secret", "token", "key", "psk", "cookie", "masterauth"];
    // Most names need not be split.
    if !SIGNS.iter().any(|sign| contains(name, sign)) {
        return None;
    }
    let words = words(name);
    let (last, before) = words.split_last()?;
    let last = last.as_str();
    if before.first().is_some_and(|first| NOT_SECRET.contains(&first.as_str())) {
        return None;
    }
    let previous = before.last().map(String::as_str);
    let is_short = last == "pw" && previous.is_some() || SHORT_PASSWORDS.contains(&last);
    let is_password =
        is_short || PASSWORDS.contains(&last) || PASSWORD_ENDINGS.iter().any(|ending| last.ends_with(ending));
    if is_password {
        return Some(SecretKind::Password);
    }
    let is_key = last == "key" && previous.is_some_and(|it| SECRET_KEYS.contains(&it));
    let is_cookie = last == "cookie" && previous == Some("erlang");
    (SECRETS.contains(&last) || is_key || is_cookie).then_some(SecretKind::Secret)
}

/// Returns true if a name contains a word in any letter case.
fn contains(name: &str, word: &str) -> bool {
    name.as_bytes().windows(word.len()).any(|it| it.eq_ignore_ascii_case(word.as_bytes()))
}

/// Words in the place of a value.
const PLACEHOLDERS: [&str; 38] = [
    "undef",
    "undefined",
    "nil",
    "null",
    "none",
    "unset",
    "unknown",
    "false",
    "true",
    "yes",
    "no",
    "on",
    "off",
    "present",
    "absent",
    "latest",
    "default",
    "disabled",
    "enabled",
    "required",
    "optional",
    "sensitive",
    "prompt",
    "auto",
    "random",
    "generated",
    "locked",
    "empty",
    "file",
    "env",
    "vault",
    "hiera",
    "plain",
    "string",
    "text",
    "saml",
    "ldap",
    "oidc",
];
/// Parts of a value that a reader is asked to replace.
const TO_REPLACE: [&str; 18] = [
    "replace",
    "your",
    "dummy",
    "placeholder",
    "insert",
    "fillme",
    "fill_",
    "todo",
    "xxxx",
    "redacted",
    "hidden",
    "example",
    "fake",
    "not-supplied",
    "not_supplied",
    "not-set",
    "not_set",
    "unspecified",
];
/// Parts of a default that a reader is asked to replace.
const TO_CHANGE: [&str; 3] = ["changeme", "change_me", "change-me"];
/// Parts of values that are computed or decrypted.
const COMPUTED: [&str; 9] = ["%{", "${", "<%", "{{", "ENC[", "$(", "@@", "::", "://"];
const FILE_EXTENSIONS: [&str; 12] =
    [".pem", ".key", ".crt", ".txt", ".yaml", ".yml", ".json", ".conf", ".cfg", ".ini", ".erb", ".epp"];

/// Returns true if a literal is a secret, given that its name says so. `is_default` is true for a value that
/// others are expected to override.
pub fn is_secret_literal(kind: SecretKind, text: &str, is_default: bool) -> bool {
    let text = text.trim();
    let lower = text.to_ascii_lowercase();
    let is_to_replace = TO_REPLACE.iter().any(|part| lower.contains(part))
        || is_default && TO_CHANGE.iter().any(|part| lower.contains(part));
    let first = text.chars().next().unwrap_or(' ');
    let is_one_letter = text.chars().all(|c| c == first);
    let is_option = text.starts_with('-') && !text.starts_with("-----");
    let is_path = text.starts_with(['/', '~']) || text.starts_with("./") || text.contains(":\\");
    let is_file = FILE_EXTENSIONS.iter().any(|extension| lower.ends_with(extension));
    let is_marked = text.starts_with('<') && text.ends_with('>') || text.starts_with("__");
    let is_sentence = text.contains(char::is_whitespace);
    !(text.is_empty()
        || is_one_letter
        || is_to_replace
        || is_option
        || is_path
        || is_file
        || is_marked
        || is_sentence
        || PLACEHOLDERS.contains(&lower.as_str())
        || COMPUTED.iter().any(|part| text.contains(part))
        || is_hash(text)
        || is_environment_variable(text)
        || kind == SecretKind::Secret && (text.len() < 4 || is_plain_number(text)))
}

/// Returns true for a hashed or locked password.
fn is_hash(text: &str) -> bool {
    let is_hex = |text: &str| text.bytes().all(|b| b.is_ascii_hexdigit());
    let is_digest = is_hex(text)
        && matches!(text.len(), 32 | 40 | 56 | 64 | 96 | 128)
        && text.bytes().any(|b| b.is_ascii_digit());
    let is_marked = ["$", "*", "!", "{", "SCRAM-SHA-", "pbkdf2", "grub.pbkdf2", "0x0"]
        .iter()
        .any(|start| text.starts_with(start));
    is_digest || is_marked || text.strip_prefix("md5").is_some_and(|it| it.len() == 32 && is_hex(it))
}

/// Returns true for the name of an environment variable or a macro, such as `DB_PASSWORD`.
fn is_environment_variable(text: &str) -> bool {
    let is_name = text.bytes().all(|b| b.is_ascii_uppercase() || b.is_ascii_digit() || b == b'_');
    is_name && ["PASS", "SECRET", "TOKEN", "KEY"].iter().any(|word| text.contains(word))
}

fn is_plain_number(text: &str) -> bool {
    text.len() < 8 && text.bytes().all(|b| b.is_ascii_digit())
}

/// Minimum length of a text with a private key: its first line, and 64 letters.
const MIN_PRIVATE_KEY: usize = 90;

/// Returns true for a text that contains a private key, not only its first line.
pub fn has_private_key(text: &str) -> bool {
    // Shorter texts have no room for a key.
    if text.len() < MIN_PRIVATE_KEY {
        return false;
    }
    let Some((_, rest)) = text.split_once("-----BEGIN ") else { return false };
    let Some((kind, key)) = rest.split_once("-----") else { return false };
    let digits = key.bytes().filter(|b| b.is_ascii_alphanumeric()).take(64).count();
    kind.ends_with("PRIVATE KEY") && digits == 64
}

/// Beginning and length of tokens with a fixed format.
const TOKENS: [(&str, usize); 9] = [
    ("AKIA", 16),
    ("ASIA", 16),
    ("ghp_", 36),
    ("gho_", 36),
    ("github_pat_", 22),
    ("glpat-", 20),
    ("xoxb-", 20),
    ("xoxp-", 20),
    ("sk_live_", 24),
];

/// Returns true for a text that contains a token of a well-known service.
pub fn has_token(text: &str) -> bool {
    if text.len() < 20 {
        return false;
    }
    TOKENS.iter().any(|(start, length)| {
        text.match_indices(start).any(|(at, _)| {
            let is_part = text[..at].ends_with(|c: char| c.is_ascii_alphanumeric());
            let is_of_aws = start.ends_with("IA");
            let is_digit = |b: &u8| {
                if is_of_aws {
                    b.is_ascii_uppercase() || b.is_ascii_digit()
                } else {
                    b.is_ascii_alphanumeric() || matches!(b, b'_' | b'-')
                }
            };
            let rest = text[at + start.len()..].bytes();
            let digits = rest.take_while(is_digit).count();
            let is_exact = !is_of_aws || digits == *length;
            !is_part && digits >= *length && is_exact && !text.contains("EXAMPLE")
        })
    })
}
