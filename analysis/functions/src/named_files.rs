//! Files that functions read by name.

use std::sync::Arc;

use eval::{Call, MachineFile, MissingNameKind, ModuleFolder};
use smol_str::SmolStr;

/// Path of a file in a module.
pub(super) struct ModulePath {
    pub(super) module: SmolStr,
    /// Path below the module's folder.
    pub(super) relative: SmolStr,
}

/// File that was found by its name.
pub(super) struct NamedFile {
    pub(super) content: Arc<[u8]>,
    /// `None` outside of modules.
    pub(super) path: Option<ModulePath>,
}

/// Content of a file, as far as it is known.
pub(super) enum FileContent {
    Content(NamedFile),
    Missing,
    /// The file is outside of the known files.
    Unknown,
}

/// Returns a file by its absolute path, if it belongs to a module.
pub(super) fn module_file(call: &Call, path: &str) -> Option<NamedFile> {
    let program = call.evaluator.world.program;
    path.match_indices('/').skip(1).find_map(|(end, _)| {
        let folder = &path[..end];
        let module = folder.rsplit('/').next().filter(|module| !module.is_empty())?;
        match program.module_folder(module) {
            ModuleFolder::At(at) if at == folder => {
                let relative = &path[end + 1..];
                let content = program.module_file(module, relative)?;
                let path = Some(ModulePath { module: module.into(), relative: relative.into() });
                Some(NamedFile { content, path })
            }
            _ => None,
        }
    })
}

/// Returns the file `module/path` in a folder of that module, or the file with an absolute path.
pub(super) fn find_file(call: &Call, path: &str, folder: &str) -> FileContent {
    let program = call.evaluator.world.program;
    if path.starts_with('/') {
        if let Some(file) = module_file(call, path) {
            return FileContent::Content(file);
        }
        return match program.machine_file(path) {
            MachineFile::Content(content) => FileContent::Content(NamedFile { content, path: None }),
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
        Some(content) => {
            let path = Some(ModulePath { module: module.into(), relative: file.into() });
            FileContent::Content(NamedFile { content, path })
        }
        None if program.has_module_file(module, &file) || program.may_have_module_file(module, &file) => {
            FileContent::Unknown
        }
        None if program.may_define(MissingNameKind::Module, &hir::fold_name(module)) => FileContent::Unknown,
        None => FileContent::Missing,
    }
}
