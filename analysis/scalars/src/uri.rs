//! URIs, parsed, joined and printed like in Ruby. See "URI" in the Puppet specification.
//!
//! No crate implements Ruby's rules: of the 131 recorded strings, `fluent-uri` (RFC 3986) parses 107
//! identically once default ports are added, and `url` (WHATWG) 30. They differ in opaque parts, paths of
//! `ftp`, hosts of `file`, and in what they reject.

mod grammar;

use std::fmt;
use std::hash::{Hash, Hasher};

/// URI. Two URIs are equal if scheme and host are equal ignoring case, and so are all other parts that the
/// scheme has. An empty path equals `/`.
#[derive(Clone, Debug, Default)]
pub struct Uri {
    /// Scheme in lowercase.
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<u32>,
    /// Path. For `ftp`, it is relative to the user's directory or starts with `/`.
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
    opaque: Option<String>,
    /// Type code of `ftp`, after `;type=`.
    typecode: Option<String>,
}

/// Error of an invalid URI.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct UriError(pub String);

impl fmt::Display for UriError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for UriError {}

fn error<T>(message: impl Into<String>) -> Result<T, UriError> {
    Err(UriError(message.into()))
}

/// Schemes with special rules in Ruby.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SchemeKind {
    Generic,
    /// `http` or `https`.
    Http,
    Ws,
    Ftp,
    File,
    /// `ldap` or `ldaps`.
    Ldap,
    MailTo,
}

/// Returns the default port of a scheme.
fn default_port(scheme: &str) -> Option<u32> {
    match scheme {
        "http" | "ws" => Some(80),
        "https" => Some(443),
        "ftp" => Some(21),
        "ldap" => Some(389),
        "ldaps" => Some(636),
        _ => None,
    }
}

impl Uri {
    /// Parses a URI according to RFC 3986.
    ///
    /// # Errors
    /// If the syntax is invalid, or a part that the scheme requires is missing.
    pub fn parse(text: &str) -> Result<Uri, UriError> {
        let no_uri = || UriError(format!("invalid URI `{text}`"));
        let parts = grammar::parts(text).ok_or_else(no_uri)?;
        let owned = |part: Option<&str>| part.map(str::to_owned);
        let mut uri = Uri { scheme: parts.scheme.map(str::to_ascii_lowercase), ..Uri::default() };
        uri.set_userinfo(parts.userinfo.unwrap_or_default());
        uri.set_host(owned(parts.host));
        if let Some(port) = parts.port.filter(|port| !port.is_empty()) {
            uri.set_port(Some(port.parse().map_err(|_| no_uri())?));
        }
        match parts.opaque {
            Some(opaque) => {
                uri.opaque = Some(match parts.query {
                    Some(query) => format!("{opaque}?{query}"),
                    None => opaque.to_owned(),
                });
            }
            None => {
                uri.set_parsed_path(parts.path)?;
                uri.query = parts.query.map(grammar::encoded_query).transpose().map_err(|()| no_uri())?;
            }
        }
        uri.fragment = owned(parts.fragment);
        uri.complete()?;
        Ok(uri)
    }

    /// Builds a URI from components: `scheme`, `userinfo`, `host`, `port`, `path`, `query`, `fragment`,
    /// `opaque`.
    ///
    /// # Errors
    /// If a component contains invalid characters, or the scheme forbids or requires a component.
    pub fn build(component: impl Fn(&str) -> Option<String>) -> Result<Uri, UriError> {
        let mut uri =
            Uri { scheme: component("scheme").map(|scheme| scheme.to_ascii_lowercase()), ..Uri::default() };
        let check = |what: &str, text: &str, allows: fn(&str) -> bool| {
            if allows(text) { Ok(()) } else { error(format!("invalid {what} `{text}` of a URI")) }
        };
        if let Some(scheme) = &uri.scheme {
            check("scheme", scheme, grammar::is_scheme)?;
        }
        if let Some(userinfo) = component("userinfo") {
            if uri.kind() == SchemeKind::File {
                return error("file URIs cannot have a user");
            }
            check("user", &userinfo, grammar::is_userinfo)?;
            uri.set_userinfo(&userinfo);
        }
        if let Some(host) = component("host") {
            let is_bare_address = host.contains(':') && !(host.starts_with('[') && host.ends_with(']'));
            let host = if is_bare_address { format!("[{host}]") } else { host };
            check("host", &host, |host| host.is_empty() || grammar::is_host(host))?;
            uri.set_host(Some(host));
        } else {
            uri.set_host(None);
        }
        if let Some(port) = component("port") {
            let number = port.parse().or_else(|_| error(format!("invalid port `{port}` of a URI")))?;
            uri.set_port(Some(number));
        }
        match component("path") {
            Some(path) if uri.kind() == SchemeKind::Ftp => {
                check("path", &path, |path| grammar::is_path(path) || path.is_empty())?;
                uri.set_path(&path);
            }
            None if uri.kind() == SchemeKind::Ftp => return error("FTP URI without a path"),
            Some(path) => {
                if uri.scheme.is_some() {
                    check("path", &path, |path| path.is_empty() || grammar::is_absolute_path(path))?
                } else {
                    check("path", &path, |path| path.is_empty() || grammar::is_path(path))?
                }
                uri.path = Some(path);
            }
            None => {}
        }
        let query = match uri.kind() {
            SchemeKind::Ldap => Some(String::new()),
            _ => component("query"),
        };
        if let Some(query) = query {
            let encoded = grammar::encoded_query(&query);
            uri.query = Some(encoded.or_else(|()| error(format!("invalid query `{query}` of a URI")))?);
        }
        if let Some(opaque) = component("opaque") {
            // A file URI always has a host.
            if uri.host.is_some() || uri.port.is_some() || uri.userinfo.is_some() || uri.path.is_some() {
                return error("URI with an opaque part cannot have a host, port, user or path");
            }
            check("opaque part", &opaque, |opaque| !opaque.starts_with('/') && !opaque.contains('\n'))?;
            uri.opaque = Some(opaque);
        }
        if uri.kind() == SchemeKind::MailTo {
            return error("mailto URIs cannot be built from components");
        }
        uri.fragment = component("fragment").map(|fragment| grammar::encoded_fragment(&fragment));
        uri.complete()?;
        Ok(uri)
    }

    fn kind(&self) -> SchemeKind {
        match self.scheme.as_deref() {
            Some("http" | "https") => SchemeKind::Http,
            Some("ws" | "wss") => SchemeKind::Ws,
            Some("ftp") => SchemeKind::Ftp,
            Some("file") => SchemeKind::File,
            Some("ldap" | "ldaps") => SchemeKind::Ldap,
            Some("mailto") => SchemeKind::MailTo,
            _ => SchemeKind::Generic,
        }
    }

    /// Applies the rules and defaults of the scheme.
    fn complete(&mut self) -> Result<(), UriError> {
        if self.path.is_none() && self.opaque.is_none() {
            self.set_path("");
        }
        if self.port.is_none() {
            self.port = default_port(self.scheme.as_deref().unwrap_or_default());
        }
        match self.kind() {
            SchemeKind::Ftp | SchemeKind::Ldap if self.path.is_none() => {
                error("FTP or LDAP URI without a path")
            }
            SchemeKind::Ldap if self.fragment.is_some() => error("LDAP URIs cannot have a fragment"),
            SchemeKind::MailTo => {
                let opaque = match (&self.opaque, &self.query) {
                    (Some(opaque), _) => opaque.clone(),
                    (None, Some(query)) => format!("?{query}"),
                    (None, None) => return error("mailto URI without an address"),
                };
                let addresses = opaque.split('?').next().unwrap_or_default();
                if opaque.is_empty() || !has_addresses(addresses) {
                    return error(format!("invalid mail address `{addresses}`"));
                }
                self.opaque = Some(opaque);
                Ok(())
            }
            _ => Ok(()),
        }
    }

    fn set_userinfo(&mut self, userinfo: &str) {
        if self.kind() != SchemeKind::File {
            self.userinfo = (!userinfo.is_empty()).then(|| userinfo.to_owned());
        }
    }

    fn set_host(&mut self, host: Option<String>) {
        self.host = match self.kind() {
            SchemeKind::File => Some(host.filter(|host| host != "localhost").unwrap_or_default()),
            _ => host,
        };
    }

    fn set_port(&mut self, port: Option<u32>) {
        if self.kind() != SchemeKind::File {
            self.port = port;
        }
    }

    fn set_path(&mut self, path: &str) {
        self.path = Some(match path.strip_prefix("%2F") {
            Some(rest) if self.kind() == SchemeKind::Ftp => format!("/{rest}"),
            _ => path.to_owned(),
        });
    }

    fn set_parsed_path(&mut self, path: &str) -> Result<(), UriError> {
        if self.kind() != SchemeKind::Ftp {
            self.set_path(path);
            return Ok(());
        }
        self.set_path(path.strip_prefix('/').unwrap_or(path));
        if let Some(path) = &mut self.path
            && let Some(at) = path.find(";type=")
        {
            self.typecode = Some(path[at + ";type=".len()..].to_owned());
            path.truncate(at);
        }
        Ok(())
    }

    /// Returns the scheme in lowercase.
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    pub fn userinfo(&self) -> Option<&str> {
        self.userinfo.as_deref()
    }

    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// Returns the explicit port, which may be any number, or the default port of the scheme.
    pub fn port(&self) -> Option<u32> {
        self.port
    }

    /// Returns the path. The path of an FTP URI is relative to the user's directory, unless it begins with
    /// `/`.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
    }

    pub fn query(&self) -> Option<&str> {
        self.query.as_deref()
    }

    pub fn fragment(&self) -> Option<&str> {
        self.fragment.as_deref()
    }

    /// Returns the part after the scheme of a URI without a path.
    pub fn opaque(&self) -> Option<&str> {
        self.opaque.as_deref()
    }

    /// Resolves `other` relative to this URI (`self + other`).
    ///
    /// # Errors
    /// If neither has a scheme, or a query would be added to an opaque part.
    pub fn merge(&self, other: &Uri) -> Result<Uri, UriError> {
        if other.scheme.is_some() {
            return Ok(other.clone());
        }
        if self.scheme.is_none() {
            return error("both URIs are relative");
        }
        let mut merged = self.clone();
        let has_authority = other.userinfo.is_some() || other.host.is_some() || other.port.is_some();
        let other_path = other.path();
        if other_path.is_none_or(str::is_empty) && !has_authority && other.query.is_none() {
            if other.fragment.is_some() {
                merged.fragment.clone_from(&other.fragment);
            }
            return Ok(merged);
        }
        merged.query = None;
        merged.fragment.clone_from(&other.fragment);
        match (has_authority, self.path(), other_path) {
            (false, Some(base), Some(path)) => merged.set_path(&merged_path(base, path)),
            (true, _, Some(path)) => merged.set_path(path),
            _ => {}
        }
        if let Some(userinfo) = &other.userinfo {
            merged.set_userinfo(userinfo);
        }
        if other.host.is_some() {
            merged.set_host(other.host.clone());
        }
        if other.port.is_some() {
            merged.set_port(other.port);
        }
        if other.query.is_some() {
            if merged.opaque.is_some() {
                return error("URI with an opaque part cannot have a query");
            }
            merged.query.clone_from(&other.query);
        }
        Ok(merged)
    }

    /// Returns the normalized parts that equal URIs share.
    fn equal_parts(&self) -> [Option<String>; 9] {
        let kind = self.kind();
        let unless = |left_out: &[SchemeKind], part: &Option<String>| {
            part.clone().filter(|_| !left_out.contains(&kind))
        };
        let path = self.path().map(|path| if path.is_empty() { "/" } else { path }.to_owned());
        let query = match kind {
            // Trailing `?`, which delimit empty parts, are ignored.
            SchemeKind::Ldap => self.query.as_ref().map(|query| query.trim_end_matches('?').to_owned()),
            SchemeKind::File | SchemeKind::Ftp | SchemeKind::MailTo => None,
            _ => self.query.clone(),
        };
        [
            self.scheme.clone(),
            unless(&[SchemeKind::File, SchemeKind::Ldap, SchemeKind::MailTo], &self.userinfo),
            unless(&[SchemeKind::MailTo], &self.host.as_ref().map(|host| host.to_lowercase())),
            unless(&[SchemeKind::File, SchemeKind::MailTo], &self.port.map(|port| port.to_string())),
            unless(&[SchemeKind::MailTo], &path),
            query,
            unless(&[SchemeKind::File, SchemeKind::Ftp, SchemeKind::Ws, SchemeKind::MailTo], &self.fragment),
            unless(&[SchemeKind::File, SchemeKind::Ftp, SchemeKind::Ws, SchemeKind::Http], &self.opaque),
            self.typecode.clone(),
        ]
    }
}

impl Uri {
    /// Returns true if all parts are spelled identically. Equal URIs may differ in some of them.
    pub fn has_same_parts(&self, other: &Uri) -> bool {
        let Uri { scheme, userinfo, host, port, path, query, fragment, opaque, typecode } = self;
        *scheme == other.scheme
            && *userinfo == other.userinfo
            && *host == other.host
            && *port == other.port
            && *path == other.path
            && *query == other.query
            && *fragment == other.fragment
            && *opaque == other.opaque
            && *typecode == other.typecode
    }
}

impl PartialEq for Uri {
    fn eq(&self, other: &Uri) -> bool {
        self.equal_parts() == other.equal_parts()
    }
}

impl Eq for Uri {}

impl Hash for Uri {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.equal_parts().hash(state);
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
            if self.host.is_some() || scheme == "postgres" {
                f.write_str("//")?;
            }
            if let Some(userinfo) = &self.userinfo {
                write!(f, "{userinfo}@")?;
            }
            f.write_str(self.host.as_deref().unwrap_or_default())?;
            if let Some(port) = self.port.filter(|port| Some(*port) != default_port(scheme)) {
                write!(f, ":{port}")?;
            }
            let path = self.path.as_deref().unwrap_or_default();
            match path.strip_prefix('/') {
                _ if self.kind() != SchemeKind::Ftp => f.write_str(path)?,
                Some(rest) => write!(f, "/%2F{rest}")?,
                None => write!(f, "/{path}")?,
            }
            if let Some(typecode) = &self.typecode {
                write!(f, ";type={typecode}")?;
            }
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

/// Returns true if the string is a list of addresses separated by `,` or `;`.
fn has_addresses(text: &str) -> bool {
    let text = text.strip_suffix([',', ';']).unwrap_or(text);
    text.is_empty()
        || text.split([',', ';']).all(|address| {
            address
                .split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'))
        })
}

/// Resolves a relative path against a base path.
fn merged_path(base: &str, relative: &str) -> String {
    let split = |path: &'_ str| -> Vec<String> {
        match path {
            "" => Vec::new(),
            path => path.split('/').map(str::to_owned).collect(),
        }
    };
    let (mut base, mut relative) = (split(base), split(relative));
    if base.last().is_some_and(|last| last == "..") {
        base.push(String::new());
    }
    while let Some(at) = base.iter().position(|segment| segment == "..") {
        match at {
            0 => drop(base.pop()),
            at => drop(base.drain(at - 1..=at)),
        }
    }
    if relative.first().is_some_and(String::is_empty) {
        base.clear();
        relative.remove(0);
    }
    if relative.last().is_some_and(|last| last == "." || last == "..") {
        relative.push(String::new());
    }
    relative.retain(|segment| segment != ".");
    let mut rest: Vec<String> = Vec::new();
    for segment in relative {
        if segment == ".." && rest.last().is_some_and(|last| last != "..") {
            rest.pop();
        } else {
            rest.push(segment);
        }
    }
    if base.is_empty() {
        base.push(String::new());
    } else if !rest.is_empty() {
        base.pop();
    }
    let ups = rest.iter().take_while(|segment| *segment == "..").count();
    for _ in 0..ups.min(base.len().saturating_sub(1)) {
        base.pop();
    }
    if ups == rest.len() && ups > 0 {
        base.push(String::new());
    }
    base.extend(rest.into_iter().skip(ups));
    base.join("/")
}
