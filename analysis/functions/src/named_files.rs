//! The files that functions read by the names that code gives them.

use std::sync::Arc;

use eval::{Call, MachineFile, NameKind};

/// What is known of a file.
pub(super) enum Found {
    Content(Arc<[u8]>),
    Missing,
    /// It lies outside of what is known.
    Unknown,
}

/// The file that `module/path` names in a folder of that module, or the one with a full path.
pub(super) fn find_file(call: &Call, path: &str, folder: &str) -> Found {
    let program = call.evaluator.world.program;
    if path.starts_with('/') {
        return match program.machine_file(path) {
            MachineFile::Content(content) => Found::Content(content),
            MachineFile::Missing => Found::Missing,
            MachineFile::Unread | MachineFile::Unclear => Found::Unknown,
        };
    }
    if path.as_bytes().get(1) == Some(&b':') {
        return Found::Unknown;
    }
    let Some((module, file)) = path.split_once('/') else { return Found::Missing };
    let file = format!("{folder}/{file}");
    match program.module_file(module, &file) {
        Some(content) => Found::Content(content),
        None if program.has_module_file(module, &file) => Found::Unknown,
        None if program.may_define(NameKind::Class, &hir::fold_name(module)) => Found::Unknown,
        None => Found::Missing,
    }
}
