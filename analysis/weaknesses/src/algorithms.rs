//! Weak hash functions, ciphers, and protocols in settings.

use crate::words;

/// Words in the names of settings that select a hash function.
const HASH_SETTINGS: [&str; 16] = [
    "hash",
    "hashing",
    "digest",
    "algorithm",
    "algo",
    "method",
    "auth",
    "authentication",
    "encryption",
    "encrypt",
    "mac",
    "macs",
    "hmac",
    "scheme",
    "signature",
    "passalgo",
];
/// Words in the names of settings that select ciphers or protocols.
const CIPHER_SETTINGS: [&str; 16] = [
    "cipher",
    "ciphers",
    "ciphersuite",
    "ciphersuites",
    "cipherlist",
    "protocol",
    "protocols",
    "sslprotocol",
    "kex",
    "encryption",
    "algorithm",
    "algorithms",
    "enctypes",
    "enctype",
    "sslciphersuite",
    "tls",
];
/// Words in the names of settings that select protocols.
const PROTOCOL_SETTINGS: [&str; 3] = ["protocol", "protocols", "sslprotocol"];
/// Words in the names of settings that forbid something, or that only detect accidental changes.
const HARMLESS: [&str; 13] = [
    "disabled",
    "disable",
    "exclude",
    "excluded",
    "excludes",
    "deny",
    "blacklist",
    "weak",
    "forbidden",
    "remove",
    "checksum",
    "checksums",
    "no",
];
const WEAK_HASHES: [&str; 9] =
    ["md5", "md4", "md2", "sha1", "sha-1", "hmac-md5", "hmac-md5-96", "hmac-sha1-96", "md5-crypt"];
const WEAK_CIPHERS: [&str; 34] = [
    "rc4",
    "rc4-sha",
    "rc4-md5",
    "arcfour",
    "arcfour128",
    "arcfour256",
    "arcfour-hmac",
    "des",
    "3des",
    "3des-cbc",
    "des-cbc",
    "des-cbc3-sha",
    "des-cbc-crc",
    "des-cbc-md5",
    "des3-cbc-sha1",
    "des3",
    "blowfish-cbc",
    "cast128-cbc",
    "exp",
    "export",
    "null",
    "anull",
    "enull",
    "sslv2",
    "sslv3",
    "tlsv1",
    "tlsv1.0",
    "tlsv1.1",
    "tls1.0",
    "tls1.1",
    "tls1_0",
    "ssl3",
    "ecdhe-rsa-des-cbc3-sha",
    "ecdhe-rsa-rc4-sha",
];

/// Weak algorithm that a setting selects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weakness<'a> {
    Hash,
    /// Cipher or protocol.
    Cipher(&'a str),
}

/// Returns the weak algorithm that a value of the setting `name` selects or allows.
pub fn weakness<'a>(name: &str, value: &'a str) -> Option<Weakness<'a>> {
    let value = value.trim();
    let is_hash = is_weak_hash(value);
    let cipher = weak_cipher(value, true);
    if is_host_rule(value) {
        return Some(Weakness::Hash);
    }
    if !is_hash && cipher.is_none() {
        return None;
    }
    let words = words_with_digits(name);
    let has = |list: &[&str]| words.iter().any(|it| list.contains(&it.as_str()));
    if has(&HARMLESS) {
        return None;
    }
    if is_hash && has(&HASH_SETTINGS) {
        return Some(Weakness::Hash);
    }
    let cipher = weak_cipher(value, has(&PROTOCOL_SETTINGS)).filter(|_| has(&CIPHER_SETTINGS));
    cipher.map(Weakness::Cipher)
}

/// Returns the words of a name, and the name with its words joined.
fn words_with_digits(name: &str) -> Vec<String> {
    let mut words = words(name);
    words.push(words.concat());
    words
}

fn is_weak_hash(text: &str) -> bool {
    let text = text.to_ascii_lowercase();
    text.split([',', ' ', ':']).any(|it| WEAK_HASHES.contains(&it.trim_start_matches('+')))
}

/// Returns true for a line of PostgreSQL's `pg_hba.conf` with an MD5 or a clear-text password.
fn is_host_rule(text: &str) -> bool {
    let mut words = text.split_whitespace();
    let is_rule = matches!(words.next(), Some("host" | "hostssl" | "hostnossl" | "local"));
    let count = words.clone().count();
    is_rule && count >= 3 && matches!(words.last(), Some("md5" | "password"))
}

/// Returns the first weak cipher or protocol in a list that is not excluded from it. In a list of protocols, `+` adds
/// an element; in a list of ciphers, it only moves one.
fn weak_cipher(text: &str, is_of_protocols: bool) -> Option<&str> {
    let elements = text.split([',', ' ', ':', ';']).filter(|it| !it.starts_with(['!', '-']));
    let elements = elements.filter(|it| is_of_protocols || !it.starts_with('+'));
    elements.map(|it| it.trim_start_matches('+')).find(|it| {
        let lower = it.to_ascii_lowercase();
        let is_weak_part = |part: &str| matches!(part, "rc4" | "3des" | "des");
        WEAK_CIPHERS.contains(&lower.as_str()) || lower.split('+').any(is_weak_part)
    })
}
