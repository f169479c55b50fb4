//! Program of a few source texts.

use std::sync::Arc;

use hiera::config::Layer;
use hir::{DefinitionKey, DefinitionKind, LoweredFile, Name};
use plugins::built_in::is_core_resource_type;
use rustc_hash::{FxHashMap, FxHashSet};
use types::{Type, Value};

use super::{
    Definitions, FactsAndData, Files, FunctionSource, Loading, MachineFile, MissingNameKind, ModuleFolder,
    Observer, OtherNodes, Precomputed, ReadObserver, Unit, UnitId,
};
use crate::function::FunctionLibrary;

/// Program of one source text (or a few), for the command line and tests.
#[derive(Clone, Debug)]
pub struct SourceProgram {
    library: &'static dyn FunctionLibrary,
    /// True if the functions of puppetlabs-stdlib are available.
    pub has_stdlib: bool,
    /// True if the code is meant for this machine, so that files with absolute paths are read.
    pub reads_this_machine: bool,
    /// Folded names of functions, classes, and types that exist but are not available.
    pub unavailable: FxHashSet<Name>,
    unit_count: u32,
    functions: FxHashMap<Name, Arc<Unit>>,
    aliases: FxHashMap<Name, Arc<Unit>>,
    classes: FxHashMap<Name, Arc<Unit>>,
    nodes: Vec<Arc<Unit>>,
    globals: FxHashMap<Name, Value>,
    files: FxHashMap<(Name, Name), Arc<[u8]>>,
    modules_folder: Option<Name>,
    data: hiera::sources::TextSources,
}

impl SourceProgram {
    /// Returns an empty program with a library of functions.
    pub fn new(library: &'static dyn FunctionLibrary) -> SourceProgram {
        SourceProgram {
            library,
            has_stdlib: false,
            reads_this_machine: false,
            unavailable: FxHashSet::default(),
            unit_count: 0,
            functions: FxHashMap::default(),
            aliases: FxHashMap::default(),
            classes: FxHashMap::default(),
            nodes: Vec::new(),
            globals: FxHashMap::default(),
            files: FxHashMap::default(),
            modules_folder: None,
            data: hiera::sources::TextSources::default(),
        }
    }

    /// Adds the definitions of a file, and returns its main program.
    pub fn add(&mut self, file: &LoweredFile) -> Option<Arc<Unit>> {
        let mut main = None;
        for definition in &file.definitions {
            let DefinitionKey { kind, name, .. } = &definition.key;
            let id = UnitId(self.unit_count);
            let unit = Arc::new(Unit::new(id, definition.name.clone(), *kind, definition.body.clone()));
            self.unit_count += 1;
            let table = match kind {
                DefinitionKind::Main => {
                    main = Some(unit);
                    continue;
                }
                DefinitionKind::Function => &mut self.functions,
                DefinitionKind::TypeAlias => &mut self.aliases,
                DefinitionKind::Class | DefinitionKind::DefinedType => &mut self.classes,
                DefinitionKind::Node => {
                    self.nodes.push(unit);
                    continue;
                }
                _ => continue,
            };
            table.entry(name.clone()).or_insert(unit);
        }
        main
    }

    /// Returns the node definitions, in order.
    pub fn nodes(&self) -> &[Arc<Unit>] {
        &self.nodes
    }

    pub fn set_global(&mut self, name: impl Into<Name>, value: Value) {
        self.globals.insert(name.into(), value);
    }

    /// Sets the folder that contains all modules.
    pub fn set_modules_folder(&mut self, folder: impl Into<Name>) {
        self.modules_folder = Some(folder.into());
    }

    /// Adds a file of a module, including Hiera data of the module.
    pub fn add_module_file(&mut self, module: &str, relative: &str, bytes: Arc<[u8]>) {
        if let Ok(text) = std::str::from_utf8(&bytes) {
            self.data.add(&Layer::Module(module.into()), relative, text);
        }
        self.files.insert((module.into(), relative.into()), bytes);
    }
}

impl SourceProgram {
    /// Adds a Hiera file to a layer: `hiera.yaml`, or data by its path below the data folder.
    pub fn add_data_file(&mut self, layer: &Layer, relative: &str, text: &str) {
        self.data.add(layer, relative, text);
    }

    /// Sets whether Hiera reports warnings as errors.
    pub(crate) fn set_strict_data(&mut self, is_strict: bool) {
        self.data.is_strict = is_strict;
    }
}

impl Definitions for SourceProgram {
    fn functions(&self) -> &'static dyn FunctionLibrary {
        self.library
    }

    fn function(&self, name: &str) -> Option<FunctionSource> {
        let defined = self.functions.get(&hir::fold_name(name)).cloned().map(FunctionSource::Puppet);
        let of_stdlib = || self.library.of_stdlib(name).filter(|_| self.has_stdlib);
        defined.or_else(|| of_stdlib().map(FunctionSource::Known))
    }

    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        if self.functions.is_empty() {
            return None;
        }
        self.functions.get(&hir::fold_name(name)).cloned().map(FunctionSource::Puppet)
    }

    fn type_alias(&self, name: &str) -> Option<Arc<Unit>> {
        self.aliases.get(name).cloned()
    }

    fn class(&self, name: &str) -> Option<Arc<Unit>> {
        self.classes.get(name).cloned()
    }

    fn class_exists(&self, name: &str) -> bool {
        self.classes.get(name).is_some_and(|unit| unit.kind == DefinitionKind::Class)
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        is_core_resource_type(name)
            || self.classes.get(name).is_some_and(|unit| unit.kind == DefinitionKind::DefinedType)
    }

    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool {
        match kind {
            // A variable of a class that is not followed.
            MissingNameKind::Variable => name.contains("::") && self.globals.contains_key(name),
            MissingNameKind::Function | MissingNameKind::Type | MissingNameKind::Class => {
                self.unavailable.contains(&hir::fold_name(name))
            }
            _ => false,
        }
    }
}

impl Precomputed for SourceProgram {}

impl Files for SourceProgram {
    fn module_folder(&self, module: &str) -> ModuleFolder {
        match &self.modules_folder {
            None => ModuleFolder::Unclear,
            Some(folder) if self.files.keys().any(|(known, _)| known == module) => {
                ModuleFolder::At(format!("{folder}/{module}").into())
            }
            Some(_) => ModuleFolder::Missing,
        }
    }

    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>> {
        self.files.get(&(module.into(), relative.into())).cloned()
    }

    fn machine_file(&self, path: &str) -> MachineFile {
        if self.reads_this_machine { MachineFile::at(path) } else { MachineFile::Unclear }
    }
}

impl FactsAndData for SourceProgram {
    fn global(&self, name: &str) -> Option<Value> {
        self.globals.get(name).cloned()
    }

    fn type_of_element(&self, _: &str, _: &[Value]) -> Option<Type> {
        None
    }

    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        Some(&self.data)
    }
}

impl OtherNodes for SourceProgram {}

impl Loading for SourceProgram {}

impl ReadObserver for SourceProgram {}

impl Observer for SourceProgram {}
