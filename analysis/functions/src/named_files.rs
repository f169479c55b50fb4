//! Files that functions read by name.

use std::sync::Arc;

use eval::{Call, MachineFile, MissingNameKind, ModuleFolder};

/// Content of a file, as far as it is known.
pub(super) enum FileContent {
    Content(Arc<[u8]>),
    Missing,
    /// The file is outside of the known files.
    Unknown,
}

/// Returns the bytes of a file by its absolute path, if it belongs to a module.
pub(super) fn module_file(call: &Call, path: &str) -> Option<Arc<[u8]>> {
    let program = call.evaluator.world.program;
    path.match_indices('/').skip(1).find_map(|(end, _)| {
        let folder = &path[..end];
        let module = folder.rsplit('/').next().filter(|module| !module.is_empty())?;
        match program.module_folder(module) {
            ModuleFolder::At(at) if at == folder => program.module_file(module, &path[end + 1..]),
            _ => None,
        }
    })
}

/// Returns the file `module/path` in a folder of that module, or the file with an absolute path.
pub(super) fn find_file(call: &Call, path: &str, folder: &str) -> FileContent {
    let program = call.evaluator.world.program;
    if path.starts_with('/') {
        if let Some(content) = module_file(call, path) {
            return FileContent::Content(content);
        }
        return match program.machine_file(path) {
            MachineFile::Content(content) => FileContent::Content(content),
            MachineFile::Missing => FileContent::Missing,
            MachineFile::Unread | MachineFile::Unclear => FileContent::Unknown,
        };
    }
    if path.as_bytes().get(1) == Some(&b':') {
        return FileContent::Unknown;
    }
    let Some((module, file)) = path.split_once('/') else { return FileContent::Missing };
    let file = format!("{folder}/{file}");
    match program.module_file(module, &file) {
        Some(content) => FileContent::Content(content),
        None if program.has_module_file(module, &file) || program.may_have_module_file(module, &file) => {
            FileContent::Unknown
        }
        None if program.may_define(MissingNameKind::Module, &hir::fold_name(module)) => FileContent::Unknown,
        None => FileContent::Missing,
    }
}
