//! Paths as pure text: what a file is called, the same on every platform, links not resolved.

use std::borrow::Borrow;
use std::fmt;
use std::sync::Arc;

/// A normalised logical path, or the name of a document that is no file.
///
/// Forms: `/etc/puppet`, `c:/puppet` (drive letters are lower case), `//server/share/puppet`, and anything else with a
/// scheme (`untitled:Untitled-1`, `http://...`) as it is. No `.`, `..`, empty or trailing segments. Cheap to clone.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct FilePath(Arc<str>);

impl FilePath {
    /// The path of an absolute native path. `C:\x`, `C:/x`, `\\server\share` and `\\?\C:\x` are understood on every
    /// platform; `None` for paths that are not absolute.
    pub fn from_native(text: &str) -> Option<FilePath> {
        let text = text
            .strip_prefix(r"\\?\UNC\")
            .map(|rest| format!(r"\\{rest}"))
            .unwrap_or_else(|| text.strip_prefix(r"\\?\").unwrap_or(text).to_owned());
        if let Some(drive) = drive_letter(&text) {
            if !matches!(text.as_bytes().get(2), Some(b'/' | b'\\')) {
                return None;
            }
            return Some(normalised(&format!("{drive}:"), &text[2..].replace('\\', "/")));
        }
        if text.starts_with(r"\\") || (cfg!(windows) && text.starts_with("//")) {
            return unc(&text[2..].replace('\\', "/"));
        }
        text.starts_with('/').then(|| normalised("", &text))
    }

    /// The path that [`FilePath::as_str`] gave; like [`FilePath::from_native`], but `//` always begins a share.
    pub fn from_normalised(text: &str) -> Option<FilePath> {
        match text.strip_prefix("//") {
            Some(share) => unc(share),
            None => FilePath::from_native(text),
        }
    }

    /// The path that a URI names; documents that are no files keep their URI as it is. `None` for what is no URI.
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

    /// As a URI: a `file:` one, or the document's own.
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

    /// As the operating system writes it: backslashes where there is a drive or a share.
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

    /// Is this a document that is no file?
    pub fn is_opaque(&self) -> bool {
        !self.0.starts_with('/') && self.drive().is_none()
    }

    /// The last segment.
    pub fn file_name(&self) -> &str {
        last_segment(&self.0)
    }

    /// What stands behind the last dot of the last segment.
    pub fn extension(&self) -> Option<&str> {
        let (stem, extension) = self.file_name().rsplit_once('.')?;
        (!stem.is_empty()).then_some(extension)
    }

    /// The folder that holds it; `None` for the root, a drive, a share, and documents that are no files.
    pub fn parent(&self) -> Option<FilePath> {
        self.folder().map(|it| FilePath(it.into()))
    }

    /// The same as text.
    pub(crate) fn folder(&self) -> Option<&str> {
        self.and_around().nth(1)
    }

    /// The path itself and the folders around it, the innermost first: all that [`FilePath::starts_with`] says yes to.
    pub(crate) fn and_around(&self) -> impl Iterator<Item = &str> {
        let root = if self.is_opaque() { usize::MAX } else { self.root_length() };
        std::iter::successors(Some(&*self.0), move |path| {
            let cut = last_slash(path).filter(|_| path.len() > root)?;
            Some(&path[..cut.max(root)])
        })
    }

    /// The path of `relative` (with `/`; `.` and `..` allowed) below this folder.
    pub fn join(&self, relative: &str) -> FilePath {
        let root = self.root_length();
        let (prefix, rest) = self.0.split_at(root.min(self.0.len()));
        normalised(prefix.trim_end_matches('/'), &format!("{rest}/{relative}"))
    }

    /// What is left of this path below `folder`, with `/`; empty for the folder itself, `None` where it is not below.
    pub fn strip_prefix(&self, folder: &FilePath) -> Option<&str> {
        below(&self.0, &folder.0)
    }

    /// Is the path of a text this folder or something below it?
    pub(crate) fn holds(&self, path: &str) -> bool {
        below(path, &self.0).is_some()
    }

    /// Is this `folder` or something below it?
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

    /// The length of what no `..` can leave: `/`, `c:/`, `//server/share`.
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

/// What is left of a path below a folder, both as they are written.
fn below<'p>(path: &'p str, folder: &str) -> Option<&'p str> {
    let rest = path.strip_prefix(folder)?;
    if rest.is_empty() || folder.ends_with('/') {
        return Some(rest);
    }
    rest.strip_prefix('/')
}

/// The last segment of a path.
pub(crate) fn last_segment(path: &str) -> &str {
    last_slash(path).map_or(path, |at| &path[at + 1..])
}

fn last_slash(path: &str) -> Option<usize> {
    path.bytes().rposition(|byte| byte == b'/')
}

/// The lower-case letter of a path that begins with a drive.
fn drive_letter(text: &str) -> Option<char> {
    let bytes = text.as_bytes();
    let is_drive = bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && matches!(bytes.get(2), None | Some(b'/' | b'\\'));
    is_drive.then(|| (bytes[0] as char).to_ascii_lowercase())
}

/// The path of `server/share/rest`.
fn unc(text: &str) -> Option<FilePath> {
    let mut segments = text.split('/').filter(|it| !it.is_empty());
    let (server, share) = (segments.next()?, segments.next()?);
    let rest: Vec<&str> = segments.collect();
    Some(normalised(&format!("//{}/{share}", server.to_lowercase()), &rest.join("/")))
}

/// `prefix` and the segments of `rest`, normalised.
fn normalised(prefix: &str, rest: &str) -> FilePath {
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

/// `None` where what the escapes give is not UTF-8.
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
