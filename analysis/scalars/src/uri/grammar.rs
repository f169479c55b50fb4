//! Grammar of RFC 3986.

use std::net::Ipv6Addr;

/// Undecoded parts of a URI.
#[derive(Default)]
pub(super) struct UriParts<'t> {
    pub(super) scheme: Option<&'t str>,
    pub(super) userinfo: Option<&'t str>,
    pub(super) host: Option<&'t str>,
    pub(super) port: Option<&'t str>,
    pub(super) path: &'t str,
    /// Opaque part, in place of a path.
    pub(super) opaque: Option<&'t str>,
    pub(super) query: Option<&'t str>,
    pub(super) fragment: Option<&'t str>,
}

/// Splits a URI into its parts. Returns `None` if the syntax is invalid.
pub(super) fn parts(text: &str) -> Option<UriParts<'_>> {
    if !text.is_ascii() {
        return None;
    }
    let (rest, fragment) = cut(text, '#');
    if fragment.is_some_and(|fragment| !is_made_of(fragment, "!$&'()*+,-.:;=@_~/?")) {
        return None;
    }
    let (rest, query) = cut(rest, '?');
    let mut parts = UriParts { fragment, query, ..UriParts::default() };
    let (scheme, rest) = match rest.split_once(':') {
        Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
        _ => (None, rest),
    };
    parts.scheme = scheme;
    if let Some(rest) = rest.strip_prefix("//") {
        let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
        parts.path = path;
        let host_and_port = match authority.split_once('@') {
            Some((userinfo, rest)) => {
                parts.userinfo = Some(userinfo).filter(|it| is_userinfo(it));
                parts.userinfo?;
                rest
            }
            None => authority,
        };
        let (host, port) = match host_and_port.rfind([':', ']']) {
            Some(colon) if host_and_port[colon..].starts_with(':') => {
                (&host_and_port[..colon], Some(&host_and_port[colon + 1..]))
            }
            _ => (host_and_port, None),
        };
        if !host.is_empty() && !is_host(host)
            || port.is_some_and(|it| !it.bytes().all(|b| b.is_ascii_digit()))
        {
            return None;
        }
        parts.host = Some(host).filter(|host| !host.is_empty());
        parts.port = port;
        return (path.is_empty() || is_absolute_path(path)).then_some(parts);
    }
    if rest.is_empty() || rest.starts_with('/') {
        parts.path = rest;
        return (rest.is_empty() || is_absolute_path(rest)).then_some(parts);
    }
    if !is_path(rest) {
        return None;
    }
    match scheme {
        Some(_) => parts.opaque = Some(rest),
        // A relative path whose first segment looks like a scheme is invalid.
        None if rest.split('/').next().is_some_and(|first| first.contains(':')) => return None,
        None => parts.path = rest,
    }
    Some(parts)
}

fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, after)) => (before, Some(after)),
        None => (text, None),
    }
}

/// Returns true if the string consists of letters, digits, the characters in `others`, and escapes such as
/// `%20`.
fn is_made_of(text: &str, others: &str) -> bool {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'%' {
            if !bytes.get(at + 1..at + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)) {
                return false;
            }
            at += 3;
            continue;
        }
        if !byte.is_ascii_alphanumeric() && !others.as_bytes().contains(&byte) {
            return false;
        }
        at += 1;
    }
    true
}

pub(super) fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

pub(super) fn is_userinfo(text: &str) -> bool {
    is_made_of(text, "!$&'()*+,-.:;=_~")
}

/// Returns true if the string is a host name or an address in brackets.
pub(super) fn is_host(text: &str) -> bool {
    let Some(address) = text.strip_prefix('[') else {
        return !text.is_empty() && is_made_of(text, "!$&'()*+,-.;=_~");
    };
    let Some(address) = address.strip_suffix(']') else { return false };
    match address.strip_prefix('v').and_then(|future| future.split_once('.')) {
        Some((version, rest)) => {
            !version.is_empty()
                && version.bytes().all(|b| b.is_ascii_hexdigit())
                && !rest.is_empty()
                && !rest.contains('%')
                && is_userinfo(rest)
        }
        None => address.parse::<Ipv6Addr>().is_ok(),
    }
}

/// Returns true if the string is a path that begins with `/`.
pub(super) fn is_absolute_path(text: &str) -> bool {
    text.starts_with('/') && is_path(text)
}

/// Returns true if the string is a nonempty path.
pub(super) fn is_path(text: &str) -> bool {
    !text.is_empty() && is_made_of(text, "!$&'()*+,-.:;=@_~/")
}

/// Percent-encodes invalid characters of a query. Tabs and line breaks are removed.
///
/// # Errors
/// If a `%` is not followed by hexadecimal digits.
pub(super) fn encoded_query(query: &str) -> Result<String, ()> {
    let bytes: Vec<u8> = query.bytes().filter(|b| !matches!(b, b'\t' | b'\r' | b'\n')).collect();
    let is_bad = |it: &[u8]| it[0] == b'%' && !it[1].is_ascii_hexdigit() && !it[2].is_ascii_hexdigit();
    if bytes.windows(3).any(is_bad) {
        return Err(());
    }
    Ok(encoded(&bytes, |byte| {
        byte.is_ascii_graphic() && !matches!(byte, b'"' | b'#' | b'\'' | b'<' | b'>' | b'`')
    }))
}

/// Percent-encodes the unprintable characters of a fragment.
pub(super) fn encoded_fragment(fragment: &str) -> String {
    let bytes: Vec<u8> = fragment.bytes().filter(|b| !matches!(b, b'\t' | b'\r' | b'\n')).collect();
    encoded(&bytes, |byte| byte.is_ascii_graphic())
}

fn encoded(bytes: &[u8], is_allowed: impl Fn(u8) -> bool) -> String {
    let mut out = String::with_capacity(bytes.len());
    for &byte in bytes {
        if is_allowed(byte) { out.push(char::from(byte)) } else { out.push_str(&format!("%{byte:02X}")) }
    }
    out
}
