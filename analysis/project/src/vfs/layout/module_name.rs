//! Names of modules, from their folders and metadata.

use hir::Name;

use super::input::{LayoutInput, MODULE_FOLDERS};
use crate::vfs::FilePath;

/// Returns the name of the module in a folder, and whether Puppet is certain to know it by that name.
pub(super) fn module_name(input: &LayoutInput<'_>, root: &FilePath, is_on_module_path: bool) -> (Name, bool) {
    let folder = root.file_name();
    let from_metadata = input.texts.get(&root.join("metadata.json")).and_then(|text| metadata_name(text));
    if let Some(name) = from_metadata {
        // On the module path, the folder's name counts. The same may be true for any module inside a larger
        // repository, if its folder does not have the conventional name of a folder of modules.
        let is_inside =
            !input.roots.contains(root) && is_module_name(folder) && !MODULE_FOLDERS.contains(&folder);
        let is_on_path = is_on_module_path || is_folder_of_modules(root) || is_inside;
        let is_certain = folder == name || !is_on_path;
        let name = if is_on_path && is_module_name(folder) { folder } else { name };
        return (name.into(), is_certain);
    }
    if is_module_name(folder) {
        return (folder.into(), is_on_module_path);
    }
    let tail = folder.rsplit('-').next().unwrap_or_default().to_ascii_lowercase();
    (if is_module_name(&tail) { tail.into() } else { Name::default() }, false)
}

/// Returns true if a folder is in one with the conventional name of a folder of modules.
fn is_folder_of_modules(root: &FilePath) -> bool {
    root.parent().is_some_and(|parent| MODULE_FOLDERS.contains(&parent.file_name()))
}

pub(super) fn is_module_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_lowercase())
        && text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_')
}

/// Returns the module's part of the top-level `"name": "author-module"` of a metadata file; `None` if it is
/// not a valid name.
fn metadata_name(text: &str) -> Option<&str> {
    let mut depth = 0;
    let mut rest = text;
    while let Some(at) = rest.find(['{', '}', '[', ']', '"']) {
        let found = rest.as_bytes()[at];
        rest = &rest[at + 1..];
        match found {
            b'{' | b'[' => depth += 1,
            b'}' | b']' => depth -= 1,
            _ => {
                let string = json_string(&mut rest)?;
                let value = rest.trim_start().strip_prefix(':').map(str::trim_start);
                if let (1, "name", Some(value)) = (depth, string, value) {
                    let mut value = value.strip_prefix('"')?;
                    let full = json_string(&mut value)?;
                    let (_, name) = full.split_once(['-', '/']).unwrap_or(("", full));
                    return is_module_name(name).then_some(name);
                }
            }
        }
    }
    None
}

/// Returns the raw contents of a string, and advances past the closing quote.
fn json_string<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let mut escaped = false;
    for (at, byte) in rest.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => {
                let string = &rest[..at];
                *rest = &rest[at + 1..];
                return Some(string);
            }
            _ => {}
        }
    }
    None
}
