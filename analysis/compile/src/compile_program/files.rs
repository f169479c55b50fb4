//! Files of modules and of the machine.

use std::sync::Arc;

use eval::{Files, MachineFile, ModuleFolder};
use hir::Name;
use plugins::code::RubyProgram;
use plugins::erb::ErbTemplate;
use project::vfs::FilePath;
use project::{Contents, File, ModuleTree};
use smol_str::SmolStr;
use types::Value;

use super::CompileProgram;
use crate::closed_types::metadata_value;
use crate::compile_request::{FileRead, UnknownInput};
use crate::project_program::logs_deprecation;

impl CompileProgram<'_> {
    /// Returns the path of a file in a module, and the file if there is one.
    fn file_in_module(&self, module: ModuleTree, relative: &str) -> Option<(FilePath, Option<File>)> {
        let root = module.root(self.db);
        let path = root.join(relative);
        let file = module.files(self.db).get(path.strip_prefix(root)?).copied();
        Some((path, file))
    }

    fn read_module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>> {
        let (path, file) = self.file_in_module(self.module(module)?, relative)?;
        match file.map(|file| file.contents(self.db)) {
            Some(contents @ (Contents::Text(_) | Contents::Packed(_))) => {
                let text = contents.text()?;
                if let Some(file) = file.filter(|_| path.extension() == Some("epp")) {
                    self.templates.borrow_mut().insert(text.as_ref().into(), file);
                }
                Some(text.into())
            }
            Some(Contents::Missing) => None,
            Some(Contents::Unreadable(_)) => {
                self.record_unknown_input(UnknownInput::ModuleFile(path.as_str().into()));
                None
            }
            _ => match self.reader?.read(path.as_str()) {
                FileRead::Content(bytes) => Some(bytes),
                FileRead::Missing => None,
                FileRead::Unknown => {
                    self.record_unknown_input(UnknownInput::ModuleFile(path.as_str().into()));
                    None
                }
            },
        }
    }
}

impl Files for CompileProgram<'_> {
    fn module_folder(&self, module: &str) -> ModuleFolder {
        match self.module(module) {
            Some(module) => ModuleFolder::At(module.root(self.db).to_native().into()),
            None if self.request.is_incomplete => ModuleFolder::Unclear,
            None => ModuleFolder::Missing,
        }
    }

    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>> {
        let content = self.read_module_file(module, relative);
        self.inputs.note_file(module, relative, content.as_deref());
        content
    }

    fn module_metadata(&self, module: &str) -> Option<Arc<Value>> {
        let file = *self.module(module)?.files(self.db).get("metadata.json")?;
        metadata_value(self.db, file).0
    }

    fn has_module_file(&self, module: &str, relative: &str) -> bool {
        let file = self.module(module).and_then(|module| module.files(self.db).get(relative));
        file.is_some_and(|file| *file.contents(self.db) != Contents::Missing)
    }

    fn has_module_folder(&self, module: &str, relative: &str) -> bool {
        let folder = Name::from(format!("{}/", relative.trim_end_matches('/')));
        let first = self.module(module).and_then(|it| it.files(self.db).range(folder.clone()..).next());
        first.is_some_and(|(path, _)| path.starts_with(folder.as_str()))
    }

    fn may_have_module_file(&self, module: &str, relative: &str) -> bool {
        let Some(module) = self.module(module) else { return false };
        let root = module.root(self.db);
        let path = root.join(relative);
        let below = path.strip_prefix(root);
        let is_known = below.is_some_and(|it| project::closed_folder(self.db, module, it).is_none());
        if !is_known {
            self.record_unknown_input(UnknownInput::ModuleFile(path.as_str().into()));
        }
        !is_known
    }

    fn logs_deprecation(&self, function: &str) -> bool {
        logs_deprecation(self.db, self.environment, function)
    }

    fn machine_file(&self, path: &str) -> MachineFile {
        if self.request.reads_this_machine {
            return MachineFile::at(path);
        }
        self.record_unknown_input(UnknownInput::MachineFile(path.into()));
        MachineFile::Unclear
    }

    fn project_file(&self, path: &str) -> MachineFile {
        let file = self.data.text(path);
        if let MachineFile::Content(content) = &file {
            self.inputs.note_file("", path, Some(content));
        }
        file
    }

    fn ruby_file(&self, path: &str) -> Option<Arc<RubyProgram>> {
        let file = project::ruby_library_file(self.db, self.environment, path)?;
        project::ruby_program(self.db, file)
    }

    fn ruby_providers(&self, resource_type: &str) -> Vec<(SmolStr, Arc<RubyProgram>)> {
        project::provider_programs(self.db, self.environment, resource_type)
    }

    fn erb_template(&self, module: &str, relative: &str) -> Option<Arc<ErbTemplate>> {
        let (_, file) = self.file_in_module(self.module(module)?, relative)?;
        project::erb_template(self.db, file.filter(|_| relative.ends_with(".erb"))?)
    }
}
