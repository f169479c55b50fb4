//! Paths as pure text: logical names of files, the same on every platform, with links unresolved.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A normalized logical path, or the name of a document without a file.
///
/// Forms: `/etc/puppet`, `c:/puppet` (drive letters are lowercase), `//server/share/puppet`, and anything
/// else with a scheme (`untitled:Untitled-1`, `http://...`) unchanged. No `.`, `..`, empty or trailing
/// segments. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Arc<str>);

impl FilePath {
    /// Converts an absolute native path. `C:\x`, `C:/x`, `\\server\share` and `\\?\C:\x` are accepted on
    /// every platform; returns `None` for paths that are not absolute.
    pub fn from_native(text: &str) -> Option<FilePath> {
        if let Some(share) = text.strip_prefix(r"\\?\UNC\") {
            return unc(&share.replace('\\', "/"));
        }
        let text = text.strip_prefix(r"\\?\").unwrap_or(text);
        if let Some(drive) = drive_letter(text) {
            if !matches!(text.as_bytes().get(2), Some(b'/' | b'\\')) {
                return None;
            }
            return Some(normalised(&format!("{drive}:"), &text[2..].replace('\\', "/")));
        }
        if text.starts_with(r"\\") || (cfg!(windows) && text.starts_with("//")) {
            return unc(&text[2..].replace('\\', "/"));
        }
        text.starts_with('/').then(|| normalised("", text))
    }

    /// Parses a path from [`FilePath::as_str`]; like [`FilePath::from_native`], but `//` always begins a
    /// share.
    pub fn from_normalised(text: &str) -> Option<FilePath> {
        match text.strip_prefix("//") {
            Some(share) => unc(share),
            None => FilePath::from_native(text),
        }
    }

    /// Converts a URI; documents without a file keep their URI unchanged. Returns `None` if the string is not
    /// a URI.
    pub fn from_uri(uri: &str) -> Option<FilePath> {
        let (scheme, rest) = uri.split_once(':')?;
        let mut scheme_bytes = scheme.bytes();
        let starts_well = scheme_bytes.next().is_some_and(|b| b.is_ascii_alphabetic());
        if !starts_well || !scheme_bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'))
        {
            return None;
        }
        if scheme.len() == 1 {
            return FilePath::from_native(uri);
        }
        if !scheme.eq_ignore_ascii_case("file") {
            return Some(FilePath(uri.into()));
        }
        let rest = rest.split(['?', '#']).next().unwrap_or_default();
        let Some(with_authority) = rest.strip_prefix("//") else {
            return FilePath::from_absolute(&percent_decoded(rest)?);
        };
        let (authority, path) = match with_authority.find('/') {
            Some(at) => with_authority.split_at(at),
            None => (with_authority, ""),
        };
        let path = percent_decoded(path)?;
        if authority.is_empty() || authority.eq_ignore_ascii_case("localhost") {
            return FilePath::from_absolute(&path);
        }
        unc(&format!("{}{path}", percent_decoded(authority)?))
    }

    /// Returns the path as a `file:` URI, or the document's own URI.
    pub fn to_uri(&self) -> String {
        if self.is_opaque() {
            return self.0.to_string();
        }
        let (prefix, rest) = match self.0.strip_prefix("//") {
            Some(rest) => ("file://", rest),
            None if self.0.starts_with('/') => ("file://", &*self.0),
            None => ("file:///", &*self.0),
        };
        let mut uri = prefix.to_owned();
        for byte in rest.bytes() {
            match byte {
                b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' | b'~' | b'/' => {
                    uri.push(byte as char)
                }
                b':' if self.drive().is_none() => uri.push(':'),
                _ => uri.push_str(&format!("%{byte:02X}")),
            }
        }
        uri
    }

    /// Returns the path in the operating system's notation, with backslashes after a drive or in a share.
    pub fn to_native(&self) -> String {
        match self.drive() {
            Some(drive) => format!("{}{}", drive.to_ascii_uppercase(), self.0[1..].replace('/', "\\")),
            None if self.0.starts_with("//") => self.0.replace('/', "\\"),
            None => self.0.to_string(),
        }
    }

    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns true for a document without a file.
    pub fn is_opaque(&self) -> bool {
        !self.0.starts_with('/') && self.drive().is_none()
    }

    /// Returns the last segment.
    pub fn file_name(&self) -> &str {
        last_segment(&self.0)
    }

    /// Returns the part after the last dot of the last segment.
    pub fn extension(&self) -> Option<&str> {
        let (stem, extension) = self.file_name().rsplit_once('.')?;
        (!stem.is_empty()).then_some(extension)
    }

    /// Returns the containing folder; `None` for the root, a drive, a share, and documents without a file.
    pub fn parent(&self) -> Option<FilePath> {
        self.folder().map(|it| FilePath(it.into()))
    }

    /// Returns the containing folder as a string.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.and_around().nth(1)
    }

    /// Iterates over the path itself and the folders around it, innermost first: all that
    /// [`FilePath::starts_with`] accepts.
    pub(crate) fn and_around(&self) -> impl Iterator<Item = &str> {
        let root = if self.is_opaque() { usize::MAX } else { self.root_length() };
        std::iter::successors(Some(&*self.0), move |path| {
            let cut = last_slash(path).filter(|_| path.len() > root)?;
            Some(&path[..cut.max(root)])
        })
    }

    /// Appends `relative` (with `/`; `.` and `..` are allowed) to this folder.
    pub fn join(&self, relative: &str) -> FilePath {
        if self.0.starts_with('/') && !self.0.starts_with("//") {
            return normalised("", &[&*self.0, "/", relative].concat());
        }
        let root = self.root_length();
        let (prefix, rest) = self.0.split_at(root.min(self.0.len()));
        normalised(prefix.trim_end_matches('/'), &format!("{rest}/{relative}"))
    }

    /// Returns the rest of this path below `folder`, with `/`; empty for the folder itself, `None` if it is
    /// not below.
    pub fn strip_prefix(&self, folder: &FilePath) -> Option<&str> {
        below(&self.0, &folder.0)
    }

    /// Returns true if a path, given as a string, is this folder or below it.
    pub(crate) fn holds(&self, path: &str) -> bool {
        below(path, &self.0).is_some()
    }

    /// Returns true if this is `folder` or below it.
    pub fn starts_with(&self, folder: &FilePath) -> bool {
        self.strip_prefix(folder).is_some()
    }

    fn from_absolute(path: &str) -> Option<FilePath> {
        match path.strip_prefix('/').filter(|rest| drive_letter(rest).is_some()) {
            Some(with_drive) if with_drive.len() == 2 => FilePath::from_native(&format!("{with_drive}/")),
            Some(with_drive) => FilePath::from_native(with_drive),
            None => path.starts_with('/').then(|| normalised("", path)),
        }
    }

    fn drive(&self) -> Option<char> {
        drive_letter(&self.0)
    }

    /// Returns the length of the prefix that no `..` can leave: `/`, `c:/`, `//server/share`.
    fn root_length(&self) -> usize {
        if self.drive().is_some() {
            return 3;
        }
        match self.0.strip_prefix("//") {
            Some(rest) => 2 + rest.match_indices('/').nth(1).map_or(rest.len(), |(at, _)| at),
            None => 1,
        }
    }
}

/// Returns the rest of a path below a folder, both as strings.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() || folder.ends_with('/') {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// Returns the last segment of a path.
pub(crate) fn last_segment(path: &str) -> &str {
    last_slash(path).map_or(path, |at| &path[at + 1..])
}

fn last_slash(path: &str) -> Option<usize> {
    path.bytes().rposition(|byte| byte == b'/')
}

/// Returns the lowercase drive letter of a path that begins with a drive.
fn drive_letter(text: &str) -> Option<char> {
    let bytes = text.as_bytes();
    let is_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), None | Some(b'/' | b'\\'));
    is_drive.then(|| (bytes[0] as char).to_ascii_lowercase())
}

/// Parses `server/share/rest`.
fn unc(text: &str) -> Option<FilePath> {
    let mut segments = text.split('/').filter(|it| !it.is_empty());
    let (server, share) = (segments.next()?, segments.next()?);
    let rest: Vec<&str> = segments.collect();
    Some(normalised(&format!("//{}/{share}", server.to_lowercase()), &rest.join("/")))
}

/// Joins `prefix` and the normalized segments of `rest`.
fn normalised(prefix: &str, rest: &str) -> FilePath {
    // Paths from the file system rarely need a change.
    if prefix.is_empty() && is_normalised(rest) {
        return FilePath(rest.into());
    }
    let mut segments: Vec<&str> = Vec::new();
    for segment in rest.split('/') {
        match segment {
            "" | "." => {}
            ".." => {
                segments.pop();
            }
            _ => segments.push(segment),
        }
    }
    if segments.is_empty() {
        let is_share = prefix.starts_with("//");
        return FilePath(if is_share { prefix.into() } else { format!("{prefix}/").into() });
    }
    FilePath(format!("{prefix}/{}", segments.join("/")).into())
}

/// Returns true for an absolute path whose segments are neither empty nor begin with a dot.
fn is_normalised(path: &str) -> bool {
    let bytes = path.as_bytes();
    let begins_unusually = |pair: &[u8]| pair[0] == b'/' && matches!(pair[1], b'/' | b'.');
    bytes.len() > 1
        && bytes.first() == Some(&b'/')
        && bytes.last() != Some(&b'/')
        && !bytes.windows(2).any(begins_unusually)
}

/// Decodes percent escapes; returns `None` if the result is not UTF-8.
fn percent_decoded(text: &str) -> Option<String> {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let escape = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match escape.and_then(|digits| u8::from_str_radix(digits, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(decoded).ok()
}

impl Borrow<str> for FilePath {
    fn borrow(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for FilePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.0, f)
    }
}

#[cfg(test)]
#[path = "path_tests.rs"]
mod tests;
