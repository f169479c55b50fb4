//! URLs: which host they lead to, what they download, and the passwords in them.

/// Returns true for an `http://` URL on another host, which is not just an identifier.
pub fn is_plain_http(url: &str) -> bool {
    let lower = url.to_ascii_lowercase();
    lower.strip_prefix("http://").is_some_and(|rest| {
        let is_identifier = ["www.w3.org/", "schemas.", "java.sun.com/xml", "xmlns.", "json-schema.org"]
            .iter()
            .any(|it| rest.starts_with(it));
        rest.len() > 1 && !is_own_host(&lower) && !is_identifier
    })
}

/// Returns true for a URL of this host, an example, or an address that is unknown but for a name such as
/// `localhost`.
fn is_own_host(url: &str) -> bool {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
    let host = rest[..end].rsplit('@').next().unwrap_or_default();
    let host = match host.strip_prefix('[') {
        Some(address) => address.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    is_example(host)
        || host.is_empty()
        || host.starts_with("127.")
        || matches!(host, "localhost" | "::1" | "0.0.0.0" | "169.254.169.254" | "*" | "unix")
        || host.starts_with("localhost.")
        || host.ends_with(".localhost")
        || host.contains(['%', '*', '(', '<'])
}

/// Returns true for a host name that is reserved for documentation.
fn is_example(host: &str) -> bool {
    ["example.com", "example.org", "example.net"].iter().any(|it| host.ends_with(it))
}

/// Returns true for a URL of a file on another host.
pub fn is_on_other_host(url: &str) -> bool {
    ["http://", "https://", "ftp://"].iter().any(|it| url.starts_with(it)) && !is_own_host(url)
}

/// Extensions of archives, packages, and programs.
const EXTENSIONS: [&str; 17] = [
    ".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tbz2", ".tar.xz", ".zip", ".rar", ".gz", ".deb", ".rpm", ".sh",
    ".run", ".bin", ".iso", ".jar", ".war",
];

/// Returns true for the URL of an archive, package, or program on another host.
pub fn is_url_of_code(url: &str) -> bool {
    let url = url.to_ascii_lowercase();
    let url = url.trim_matches(['"', '\'', '(', ')', ';', '|']);
    let path = url.split(['?', '#']).next().unwrap_or(url);
    is_on_other_host(url) && EXTENSIONS.iter().any(|it| path.ends_with(it))
}

/// Returns the password in the first URL of the form `scheme://user:password@host` in a text; `None`
/// for example hosts.
pub fn password_in_url(text: &str) -> Option<&str> {
    let (_, rest) = text.split_once("://")?;
    let end = rest.find(|c: char| c == '/' || c.is_whitespace() || matches!(c, '"' | '\'' | '?'));
    let (login, host) = rest[..end.unwrap_or(rest.len())].rsplit_once('@')?;
    if is_example(host.split(':').next().unwrap_or(host)) {
        return None;
    }
    login.split_once(':').map(|(_, password)| password)
}
