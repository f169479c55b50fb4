//! Files that functions read.

use std::io::Read;
use std::sync::Arc;

use hir::Name;
use smol_str::SmolStr;
use types::Value;

/// Location of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ModuleFolder {
    At(Name),
    /// There is no such module.
    Missing,
    /// Depends on the machine that compiles.
    Unclear,
}

/// File of the machine on which the code is evaluated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MachineFile {
    Content(Arc<[u8]>),
    /// Exists but is not read: a folder, a device, a very large file.
    Unread,
    Missing,
    /// Another machine may have it.
    Unclear,
}

impl MachineFile {
    /// Maximum size of a file that is read, in bytes.
    const MAX_SIZE: u64 = 16 << 20;

    /// Reads an absolute path of the machine that runs this process.
    pub fn at(path: &str) -> MachineFile {
        match std::fs::metadata(path) {
            // Often the last of several files, to guarantee that one is found.
            Ok(_) if path == "/dev/null" => MachineFile::Content(Arc::from([])),
            Ok(metadata) if metadata.is_file() => MachineFile::bounded(path)
                .map_or(MachineFile::Unread, |bytes| MachineFile::Content(bytes.into())),
            Ok(_) => MachineFile::Unread,
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => MachineFile::Missing,
            Err(_) => MachineFile::Unclear,
        }
    }

    /// Reads a file up to the size limit; some files report a size of zero.
    fn bounded(path: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::new();
        let mut file = std::fs::File::open(path).ok()?.take(MachineFile::MAX_SIZE + 1);
        file.read_to_end(&mut bytes).ok()?;
        (bytes.len() as u64 <= MachineFile::MAX_SIZE).then_some(bytes)
    }
}

/// Files of modules and of the machine.
pub trait Files {
    fn module_folder(&self, module: &str) -> ModuleFolder;

    /// Returns the bytes of `relative` below a module's folder (`templates/x.epp` of `apache`); `None` if
    /// there is no such file.
    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>>;

    /// Returns the content of a module's metadata.json; `None` if it is missing or unreadable.
    fn module_metadata(&self, module: &str) -> Option<Arc<Value>> {
        let bytes = self.module_file(module, "metadata.json")?;
        hiera::json::parse(std::str::from_utf8(&bytes).ok()?).ok().map(Arc::new)
    }

    /// Returns true if a module has such a file, whether or not its bytes are known.
    fn has_module_file(&self, module: &str, relative: &str) -> bool {
        self.module_file(module, relative).is_some()
    }

    /// Returns true if a module has such a folder with files.
    fn has_module_folder(&self, _module: &str, _relative: &str) -> bool {
        false
    }

    /// Returns true if there may be such a file because its path leads into something unknown.
    fn may_have_module_file(&self, _module: &str, _relative: &str) -> bool {
        false
    }

    /// Returns true if the installed version of stdlib logs a deprecation warning for the function; old
    /// versions do not.
    fn logs_deprecation(&self, _function: &str) -> bool {
        true
    }

    /// Reads a file by its absolute path. Code is seldom analyzed on the machine that compiles it.
    fn machine_file(&self, _path: &str) -> MachineFile {
        MachineFile::Unclear
    }

    /// Reads a file of the project by its absolute path, for functions in Ruby.
    fn project_file(&self, _path: &str) -> MachineFile {
        MachineFile::Unclear
    }

    /// Returns the Ruby file below the `lib` folder of some module.
    fn ruby_file(&self, _path: &str) -> Option<Arc<plugins::code::RubyProgram>> {
        None
    }

    /// Returns the providers that modules have for a resource type, with their files.
    fn ruby_providers(&self, _resource_type: &str) -> Vec<(SmolStr, Arc<plugins::code::RubyProgram>)> {
        Vec::new()
    }

    /// Returns an ERB template of a module, if it has been parsed.
    fn erb_template(&self, _module: &str, _relative: &str) -> Option<Arc<plugins::erb::ErbTemplate>> {
        None
    }
}
