//! Files required by a Ruby file.

use smol_str::{SmolStr, format_smolstr};

use super::calls::RubyCall;
use super::interpreter::RubyInterpreter;
use super::value::RubyValue;

/// Maximum number of required files.
const MAX_REQUIRED_FILES: usize = 32;

impl<'pr> RubyInterpreter<'pr> {
    /// Evaluates `require 'puppet_x/a'`, `require_relative '../a'`, and absolute paths built from `__FILE__`.
    pub(super) fn require(&mut self, call: &RubyCall<'pr>) {
        let RubyValue::String(path) = call.arguments.value(0) else { return };
        let path = match &*call.name {
            "require_relative" => {
                format_smolstr!("{}/{path}", folder(self.sources[self.source].path))
            }
            _ => path,
        };
        let Some(path) = normalize_path(&path) else { return };
        let path = path.strip_prefix("lib/").unwrap_or(&path);
        let path = format_smolstr!("{}.rb", path.strip_suffix(".rb").unwrap_or(path));
        let is_there = self.sources.iter().any(|source| source.path.strip_prefix("lib/") == Some(&path));
        if !is_there && self.requires.len() < MAX_REQUIRED_FILES && !self.requires.contains(&path) {
            self.requires.push(path);
        }
    }
}

/// Returns the folder of a path.
pub(super) fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

/// Resolves `.` and `..`. Returns `None` for a path that leaves its starting folder.
fn normalize_path(path: &str) -> Option<String> {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop()?;
            }
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

/// Evaluates `File.join`, `File.dirname` and `File.expand_path` on paths relative to the module's folder.
pub(super) fn call_on_file<'pr>(call: &RubyCall<'pr>) -> RubyValue<'pr> {
    let arguments: Option<Vec<SmolStr>> =
        call.arguments.positional.iter().map(|(value, _)| value.name()).collect();
    let Some(arguments) = arguments.filter(|_| !call.arguments.has_unknown) else {
        return RubyValue::Unknown;
    };
    let result = match (&*call.name, arguments.as_slice()) {
        ("dirname", [path]) => Some(folder(path).to_string()),
        ("join", parts) => Some(parts.join("/")),
        ("expand_path", [path]) => normalize_path(path),
        // Puppet code calls `expand_path` with the file itself as the start, whose name `..` removes.
        ("expand_path", [path, start]) => normalize_path(&format!("{start}/{path}")),
        _ => None,
    };
    result.map_or(RubyValue::Unknown, |path| RubyValue::String(SmolStr::new(path)))
}
