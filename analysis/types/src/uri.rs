//! URIs as Ruby parses and prints them. Specification: the chapter on `URI`.

use std::fmt;

/// A URI. Equal when it prints the same.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Uri {
    /// Lower case.
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<u16>,
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
    opaque: Option<String>,
}

/// Why something is no URI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UriError(pub String);

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UriError {}

/// The port that goes without saying.
fn default_port(scheme: &str) -> Option<u16> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" | "wss" => Some(443),
        "ftp" => Some(21),
        "ldap" => Some(389),
        "ldaps" => Some(636),
        _ => None,
    }
}

impl Uri {
    /// By RFC 3986.
    pub fn parse(text: &str) -> Result<Uri, UriError> {
        let error = || UriError(format!("'{text}' is no URI"));
        if !has_only_uri_characters(text) {
            return Err(error());
        }
        let (rest, fragment) = cut(text, '#');
        let (rest, query) = cut(rest, '?');
        let (scheme, rest) = match rest.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme.to_ascii_lowercase()), rest),
            Some((before, _)) if !before.contains('/') => return Err(error()),
            _ => (None, rest),
        };
        let mut uri = Uri { scheme, fragment: fragment.map(str::to_owned), ..Uri::default() };
        let query = query.map(str::to_owned);
        if let Some(rest) = rest.strip_prefix("//") {
            let end = rest.find('/').unwrap_or(rest.len());
            uri.set_authority(&rest[..end]).ok_or_else(error)?;
            uri.path = Some(rest[end..].to_owned());
            uri.query = query;
        } else if uri.scheme.is_some() && !rest.is_empty() && !rest.starts_with('/') {
            uri.opaque = Some(match query {
                Some(query) => format!("{rest}?{query}"),
                None => rest.to_owned(),
            });
        } else {
            uri.path = Some(rest.to_owned());
            uri.query = query;
        }
        uri.adapt_to_scheme();
        Ok(uri)
    }

    /// From its components: `scheme`, `userinfo`, `host`, `port`, `path`, `query`, `fragment`, `opaque`.
    pub fn build(component: impl Fn(&str) -> Option<String>) -> Result<Uri, UriError> {
        let port = match component("port") {
            Some(port) => Some(port.parse().map_err(|_| UriError(format!("'{port}' is no port")))?),
            None => None,
        };
        let mut uri = Uri {
            scheme: component("scheme").map(|scheme| scheme.to_ascii_lowercase()),
            userinfo: component("userinfo"),
            host: component("host"),
            port,
            path: component("path"),
            query: component("query"),
            fragment: component("fragment"),
            opaque: component("opaque"),
        };
        let has_authority = uri.host.is_some() || uri.port.is_some() || uri.userinfo.is_some();
        if uri.opaque.is_some() && (has_authority || uri.path.is_some()) {
            return Err(UriError("a URI with an opaque part has no host, port, user or path".to_owned()));
        }
        if uri.host.is_some() && uri.path.as_ref().is_some_and(|path| !path.is_empty() && !path.starts_with('/')) {
            return Err(UriError("the path behind a host begins with '/'".to_owned()));
        }
        if uri.opaque.is_none() {
            uri.path.get_or_insert_default();
        }
        uri.adapt_to_scheme();
        if !has_only_uri_characters(&uri.to_string()) {
            return Err(UriError(format!("'{uri}' is no URI")));
        }
        Ok(uri)
    }

    fn set_authority(&mut self, authority: &str) -> Option<()> {
        let host = match authority.rsplit_once('@') {
            Some((userinfo, host)) => {
                self.userinfo = Some(userinfo.to_owned());
                host
            }
            None => authority,
        };
        let bracket = host.rfind(']').unwrap_or(0);
        let (host, port) = match host[bracket..].rfind(':') {
            Some(colon) => (&host[..bracket + colon], &host[bracket + colon + 1..]),
            None => (host, ""),
        };
        if !port.is_empty() {
            self.port = Some(port.parse().ok()?);
        }
        self.host = Some(host.to_owned());
        Some(())
    }

    fn adapt_to_scheme(&mut self) {
        let scheme = self.scheme.as_deref().unwrap_or_default();
        match scheme {
            "file" => {
                self.host.get_or_insert_default();
                self.port = None;
            }
            _ if self.host.as_deref() == Some("") => self.host = None,
            _ => {}
        }
        if self.port.is_none() {
            self.port = default_port(scheme);
        }
    }

    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    pub fn userinfo(&self) -> Option<&str> {
        self.userinfo.as_deref()
    }

    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// As it is written, or the default of the scheme.
    pub fn port(&self) -> Option<u16> {
        self.port
    }

    /// That of an FTP URI is relative to the user's folder.
    pub fn path(&self) -> Option<&str> {
        let path = self.path.as_deref()?;
        if self.scheme() != Some("ftp") {
            return Some(path);
        }
        let path = path.split(";type=").next().unwrap_or(path);
        Some(path.strip_prefix('/').unwrap_or(path))
    }

    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// What stands behind the scheme where there is no path.
    pub fn opaque(&self) -> Option<&str> {
        self.opaque.as_deref()
    }

    /// `self + other`: another URI as seen from this one, by RFC 3986.
    pub fn merge(&self, other: &Uri) -> Result<Uri, UriError> {
        if other.scheme.is_some() {
            return Ok(other.clone());
        }
        if self.scheme.is_none() {
            return Err(UriError("both URIs are relative".to_owned()));
        }
        let mut merged = self.clone();
        let Some(base_path) = &self.path else { return Ok(merged) };
        let path = other.path.as_deref().unwrap_or_default();
        merged.fragment.clone_from(&other.fragment);
        if other.host.is_some() {
            merged.userinfo.clone_from(&other.userinfo);
            merged.host.clone_from(&other.host);
            merged.port = other.port.or(default_port(self.scheme().unwrap_or_default()));
            merged.path = Some(path.to_owned());
            merged.query.clone_from(&other.query);
            return Ok(merged);
        }
        if path.is_empty() {
            if other.query.is_some() {
                merged.query.clone_from(&other.query);
            }
            if other.query.is_none() && other.fragment.is_none() {
                merged.fragment.clone_from(&self.fragment);
            }
            return Ok(merged);
        }
        let joined = match (path.starts_with('/'), base_path.rfind('/')) {
            (true, _) => path.to_owned(),
            (false, Some(slash)) => format!("{}{path}", &base_path[..=slash]),
            (false, None) => format!("/{path}"),
        };
        merged.path = Some(without_dots(&joined));
        merged.query.clone_from(&other.query);
        Ok(merged)
    }
}

impl fmt::Display for Uri {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let scheme = self.scheme.as_deref().unwrap_or_default();
        if self.scheme.is_some() {
            write!(f, "{scheme}:")?;
        }
        if let Some(opaque) = &self.opaque {
            f.write_str(opaque)?;
        } else {
            if let Some(host) = &self.host {
                f.write_str("//")?;
                if let Some(userinfo) = &self.userinfo {
                    write!(f, "{userinfo}@")?;
                }
                f.write_str(host)?;
                if let Some(port) = self.port.filter(|port| Some(*port) != default_port(scheme)) {
                    write!(f, ":{port}")?;
                }
            }
            f.write_str(self.path.as_deref().unwrap_or_default())?;
            if let Some(query) = &self.query {
                write!(f, "?{query}")?;
            }
        }
        if let Some(fragment) = &self.fragment {
            write!(f, "#{fragment}")?;
        }
        Ok(())
    }
}

fn cut(text: &str, separator: char) -> (&str, Option<&str>) {
    match text.split_once(separator) {
        Some((before, behind)) => (before, Some(behind)),
        None => (text, None),
    }
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
}

/// Are all characters allowed, and are percent signs followed by two hexadecimal digits?
fn has_only_uri_characters(text: &str) -> bool {
    let bytes = text.as_bytes();
    let mut fragments = 0;
    for (index, byte) in bytes.iter().enumerate() {
        let is_allowed = match byte {
            b'%' => bytes.get(index + 1..index + 3).is_some_and(|hex| hex.iter().all(u8::is_ascii_hexdigit)),
            b'#' => {
                fragments += 1;
                fragments == 1
            }
            _ => byte.is_ascii_alphanumeric() || b"-._~:/?[]@!$&'()*+,;=".contains(byte),
        };
        if !is_allowed {
            return false;
        }
    }
    true
}

/// `/a/../b/./c` as `/b/c`.
fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let segments: Vec<&str> = path.split('/').skip(1).collect();
    let last = segments.len().saturating_sub(1);
    for (index, segment) in segments.into_iter().enumerate() {
        match segment {
            "." | ".." => {
                if segment == ".." {
                    kept.pop();
                }
                if index == last {
                    kept.push("");
                }
            }
            segment => kept.push(segment),
        }
    }
    format!("/{}", kept.join("/"))
}
