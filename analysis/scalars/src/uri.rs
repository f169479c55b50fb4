//! URIs as Ruby parses, joins and prints them. Specification: the chapter on `URI`.
//!
//! Ruby's rules are those of no library: of the 131 texts that are recorded, `fluent-uri` (RFC 3986) takes 107 apart in the same
//! way once ports are filled in, and `url` (WHATWG) 30. The differences are opaque parts, paths of `ftp`, hosts of `file`, and
//! what is refused.

mod grammar;

use std::fmt;
use std::hash::{Hash, Hasher};

/// A URI. Equal when scheme and host are, without regard to case, and all other parts that its scheme has; an empty path
/// is `/`.
#[derive(Clone, Debug, Default)]
pub struct Uri {
    /// Lower case.
    scheme: Option<String>,
    userinfo: Option<String>,
    host: Option<String>,
    port: Option<u32>,
    /// Of `ftp`: relative to the user's folder, or with a `/` in front.
    path: Option<String>,
    query: Option<String>,
    fragment: Option<String>,
    opaque: Option<String>,
    /// Of `ftp`: what stands behind `;type=`.
    typecode: Option<String>,
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

fn error<T>(message: impl Into<String>) -> Result<T, UriError> {
    Err(UriError(message.into()))
}

/// The schemes that Ruby knows more about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum SchemeKind {
    Generic,
    /// Also `https`.
    Http,
    Ws,
    Ftp,
    File,
    /// Also `ldaps`.
    Ldap,
    MailTo,
}

/// The port that goes without saying.
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
    /// By RFC 3986.
    ///
    /// # Errors
    /// The text is no URI, or lacks what its scheme wants.
    pub fn parse(text: &str) -> Result<Uri, UriError> {
        let no_uri = || UriError(format!("'{text}' is no URI"));
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

    /// From its components: `scheme`, `userinfo`, `host`, `port`, `path`, `query`, `fragment`, `opaque`.
    ///
    /// # Errors
    /// A component holds what it cannot, or the scheme does not allow or lacks one.
    pub fn build(component: impl Fn(&str) -> Option<String>) -> Result<Uri, UriError> {
        let mut uri =
            Uri { scheme: component("scheme").map(|scheme| scheme.to_ascii_lowercase()), ..Uri::default() };
        let check = |what: &str, text: &str, allows: fn(&str) -> bool| match allows(text) {
            true => Ok(()),
            false => error(format!("'{text}' cannot be the {what} of a URI")),
        };
        if let Some(scheme) = &uri.scheme {
            check("scheme", scheme, grammar::is_scheme)?;
        }
        if let Some(userinfo) = component("userinfo") {
            if uri.kind() == SchemeKind::File {
                return error("a file URI has no user");
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
            let number = port.parse().or_else(|_| error(format!("'{port}' cannot be the port of a URI")))?;
            uri.set_port(Some(number));
        }
        match component("path") {
            Some(path) if uri.kind() == SchemeKind::Ftp => {
                check("path", &path, |path| grammar::is_path(path) || path.is_empty())?;
                uri.set_path(&path);
            }
            None if uri.kind() == SchemeKind::Ftp => return error("an FTP URI has a path"),
            Some(path) => {
                match uri.scheme.is_some() {
                    true => check("path", &path, |path| path.is_empty() || grammar::is_absolute_path(path))?,
                    false => check("path", &path, |path| path.is_empty() || grammar::is_path(path))?,
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
            uri.query = Some(encoded.or_else(|()| error(format!("'{query}' cannot be the query of a URI")))?);
        }
        if let Some(opaque) = component("opaque") {
            // A file URI has a host in any case.
            if uri.host.is_some() || uri.port.is_some() || uri.userinfo.is_some() || uri.path.is_some() {
                return error("a URI with an opaque part has no host, port, user or path");
            }
            check("opaque part", &opaque, |opaque| !opaque.starts_with('/') && !opaque.contains('\n'))?;
            uri.opaque = Some(opaque);
        }
        if uri.kind() == SchemeKind::MailTo {
            return error("a mailto URI is not made of components");
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

    /// What follows from the scheme.
    fn complete(&mut self) -> Result<(), UriError> {
        if self.path.is_none() && self.opaque.is_none() {
            self.set_path("");
        }
        if self.port.is_none() {
            self.port = default_port(self.scheme.as_deref().unwrap_or_default());
        }
        match self.kind() {
            SchemeKind::Ftp | SchemeKind::Ldap if self.path.is_none() => error("such a URI has a path"),
            SchemeKind::Ldap if self.fragment.is_some() => error("an LDAP URI has no fragment"),
            SchemeKind::MailTo => {
                let opaque = match (&self.opaque, &self.query) {
                    (Some(opaque), _) => opaque.clone(),
                    (None, Some(query)) => format!("?{query}"),
                    (None, None) => return error("a mailto URI has an address"),
                };
                let addresses = opaque.split('?').next().unwrap_or_default();
                if opaque.is_empty() || !has_addresses(addresses) {
                    return error(format!("'{addresses}' is no mail address"));
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

    /// In lower case.
    pub fn scheme(&self) -> Option<&str> {
        self.scheme.as_deref()
    }

    pub fn userinfo(&self) -> Option<&str> {
        self.userinfo.as_deref()
    }

    pub fn host(&self) -> Option<&str> {
        self.host.as_deref()
    }

    /// As it is written, or the default of the scheme. Any number may be written there.
    pub fn port(&self) -> Option<u32> {
        self.port
    }

    /// That of an FTP URI is relative to the user's folder, unless it begins with `/`.
    pub fn path(&self) -> Option<&str> {
        self.path.as_deref()
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

    /// `self + other`: another URI as seen from this one.
    ///
    /// # Errors
    /// Neither has a scheme, or a query would be added to an opaque part.
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
                return error("a URI with an opaque part cannot get a query");
            }
            merged.query.clone_from(&other.query);
        }
        Ok(merged)
    }

    /// What two equal URIs have in common.
    fn equal_parts(&self) -> [Option<String>; 9] {
        let kind = self.kind();
        let unless = |left_out: &[SchemeKind], part: &Option<String>| {
            part.clone().filter(|_| !left_out.contains(&kind))
        };
        let path = self.path().map(|path| if path.is_empty() { "/" } else { path }.to_owned());
        let query = match kind {
            // Its parts count, and empty ones do not.
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
    /// Are all parts written alike? Equal URIs may differ in some of them.
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

/// Addresses with a `,` or `;` between them.
fn has_addresses(text: &str) -> bool {
    let text = text.strip_suffix([',', ';']).unwrap_or(text);
    text.is_empty()
        || text.split([',', ';']).all(|address| {
            address
                .split_once('@')
                .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && !host.contains('@'))
        })
}

/// A relative path as seen from another.
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
