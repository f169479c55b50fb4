//! Paths and files. Files are only read through the host.

use super::super::host::HostFile;
use super::super::interpreter::Interpreter;
use super::super::methods::MethodInvocation;
use super::super::value::{Object, Ruby, unsupported};
use super::{ModuleRow, of};

pub(super) const TABLE: &[ModuleRow] = &[
    of("File", "exist?", 1, 1, exists),
    of("File", "exists?", 1, 1, exists),
    of("File", "file?", 1, 1, exists),
    of("File", "readable?", 1, 1, exists),
    of("Puppet::FileSystem", "exist?", 1, 1, exists),
    of("File", "read", 1, 1, read),
    of("Puppet::FileSystem", "read", 1, 1, read),
    of("Puppet::FileSystem", "read_preserve_line_endings", 1, 1, read),
    of("File", "readlines", 1, 1, |ruby, it| {
        let text = text(ruby, it)?;
        Ok(Object::array(text.split_inclusive('\n').map(Object::text).collect()))
    }),
    of("Puppet::Parser::Files", "find_template", 1, 2, |ruby, it| in_module(ruby, it, "templates")),
    of("Puppet::Parser::Files", "find_file", 1, 2, |ruby, it| in_module(ruby, it, "files")),
    of("File", "extname", 1, 1, |_, it| {
        let path = it.text_argument(0)?;
        let name = path.rsplit('/').next().unwrap_or_default();
        let stem = name.trim_start_matches('.');
        match stem.rfind('.') {
            Some(at) => Ok(Object::text(&stem[at..])),
            None => Ok(Object::text("")),
        }
    }),
    of("File", "expand_path", 1, 2, expand_path),
    of("File", "absolute_path?", 1, 1, |_, it| Ok(Object::Boolean(it.text_argument(0)?.starts_with('/')))),
    of("Puppet::Util", "absolute_path?", 1, 2, |_, it| match it.arguments.get(1) {
        None => Ok(Object::Boolean(it.text_argument(0)?.starts_with('/'))),
        Some(Object::Symbol(platform)) if platform == "posix" => {
            Ok(Object::Boolean(it.text_argument(0)?.starts_with('/')))
        }
        Some(_) => unsupported(),
    }),
];

fn exists(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match ruby.host.file(&it.text_argument(0)?) {
        HostFile::Text(_) => Ok(Object::Boolean(true)),
        HostFile::Missing => Ok(Object::Boolean(false)),
        HostFile::Unknown => unsupported(),
    }
}

fn text(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby<String> {
    match ruby.host.file(&it.text_argument(0)?) {
        HostFile::Text(text) => {
            ruby.charge(text.len())?;
            Ok(text.to_string())
        }
        HostFile::Missing | HostFile::Unknown => unsupported(),
    }
}

fn in_module(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, folder: &str) -> Ruby {
    let name = it.text_argument(0)?;
    match ruby.host.module_file(folder, &name).filter(|_| !name.starts_with('/')) {
        Some(path) => Ok(path.map_or(Object::Nil, Object::text)),
        None => unsupported(),
    }
}

fn read(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    Ok(Object::text(text(ruby, it)?))
}

/// Evaluates `File.expand_path` for absolute paths; relative ones depend on the server's working directory.
fn expand_path(_: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let path = it.text_argument(0)?;
    let whole = match (path.starts_with('/'), it.arguments.len()) {
        (true, _) => path.clone(),
        (false, 2) => format!("{}/{path}", it.text_argument(1)?),
        (false, _) => return unsupported(),
    };
    if !whole.starts_with('/') || path.starts_with('~') {
        return unsupported();
    }
    Ok(Object::text(format!("/{}", resolved_path(&whole).0)))
}

/// Resolves `.` and `..`. Also returns true if the path leaves its starting folder.
pub(crate) fn resolved_path(path: &str) -> (String, bool) {
    let mut parts: Vec<&str> = Vec::new();
    let mut is_outside = false;
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => is_outside |= parts.pop().is_none(),
            part => parts.push(part),
        }
    }
    (parts.join("/"), is_outside)
}
