//! Functions for file paths.

use eval::{BuiltInFunction, Call, Outcome};
use types::Value;

use crate::legacy::legacy;
use crate::support::{function, known};

pub(super) const TABLE: &[BuiltInFunction] = &[
    legacy(
        "basename",
        "Returns the last component of a path, optionally without a suffix.",
        &[known("(String $path, String $suffix = '') >> String", basename)],
    ),
    legacy(
        "dirname",
        "Returns a path without its last component.",
        &[known("(String[1] $path) >> String", dirname)],
    ),
    function(
        "stdlib::extname",
        "Returns the extension of a path, including the dot.",
        &[known("(String $filename) >> String", extname)],
    ),
];

/// Returns the last component of a path, like Ruby's `File.basename`.
fn last_part(path: &str) -> &str {
    let trimmed = path.trim_end_matches('/');
    if !trimmed.is_empty() {
        trimmed.rsplit('/').next().unwrap_or(trimmed)
    } else if path.is_empty() {
        ""
    } else {
        "/"
    }
}

fn dirname(call: &mut Call) -> Outcome {
    let path = call.string(0);
    let trimmed = path.trim_end_matches('/');
    let folder = match trimmed.rsplit_once('/') {
        None if trimmed.is_empty() => "/",
        None => ".",
        Some((folder, _)) => match folder.trim_end_matches('/') {
            "" => "/",
            folder => folder,
        },
    };
    // Leading slashes collapse into one.
    let folder = match folder.trim_start_matches('/') {
        rest if folder.starts_with('/') => format!("/{rest}"),
        rest => rest.to_owned(),
    };
    Ok(Value::string(folder))
}

fn basename(call: &mut Call) -> Outcome {
    let name = last_part(call.string(0));
    let suffix = call.string(1);
    let name = match suffix {
        ".*" => without_extension(name),
        suffix => name.strip_suffix(suffix).filter(|rest| !rest.is_empty()).unwrap_or(name),
    };
    Ok(Value::string(name))
}

fn without_extension(name: &str) -> &str {
    &name[..name.len() - extension(name).len()]
}

fn extension(name: &str) -> &str {
    let begins = name.len() - name.trim_start_matches('.').len();
    match name.rfind('.') {
        Some(dot) if dot >= begins && dot > 0 => &name[dot..],
        _ => "",
    }
}

fn extname(call: &mut Call) -> Outcome {
    Ok(Value::string(extension(last_part(call.string(0)))))
}

/// Returns true for absolute paths of Unix or Windows.
pub(super) fn is_absolute(path: &str) -> bool {
    super::support::lines(path).any(|line| line.starts_with('/') || is_absolute_on_windows(line))
}

fn is_absolute_on_windows(line: &str) -> bool {
    let is_slash = |byte: Option<&u8>| matches!(byte, Some(b'/' | b'\\'));
    let bytes = line.as_bytes();
    if bytes.first().is_some_and(u8::is_ascii_alphabetic)
        && bytes.get(1) == Some(&b':')
        && is_slash(bytes.get(2))
    {
        return true;
    }
    if !is_slash(bytes.first()) || !is_slash(bytes.get(1)) {
        return false;
    }
    let mut parts = line[2..].split(['/', '\\']);
    let (first, second) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    !first.is_empty() && !second.is_empty()
}
