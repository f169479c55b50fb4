//! The project as a program of a whole compile: bodies are followed, and facts and node come from the
//! request.

mod definitions;
mod facts_and_data;
mod files;
mod inputs;
mod loaded_types;
mod main_names;
pub(crate) mod node_reads;
mod observer;
pub(crate) mod read_log;
mod similar_names;

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use codes::Code;
use eval::{CompileStart, FunctionSource, Unit, UnitId};
use hir::{DefinitionKey, DefinitionKind, Name};
use project::{Db, DefinitionId, Environment, File, FileRole, ModuleTree, NameKind, ResourceTypeTarget};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::TextRange;
use types::Value;

use self::inputs::InputHashes;
pub(crate) use self::main_names::nodes_for;
use self::main_names::{MainNames, names_of_main, refused_module};
use self::node_reads::NodeRead;
use self::read_log::ReadLog;
pub use self::similar_names::similar_names;
use crate::checked_facts::FactSetId;
use crate::compile_request::{CompileRequest, FileReader, UnknownInput};
use crate::loading::{CodeText, LoadFinding, LoadFindings, file_findings};
use crate::memo::Memo;
use crate::platform_reads::{PlatformRead, PlatformReads};
use crate::project_data::ProjectData;

use crate::project_program::units::{UnitSource, UnitTable};
use crate::top_variables::{top_variables, top_variables_of_classes};

/// The project during one compile.
pub(crate) struct CompileProgram<'db> {
    db: &'db dyn Db,
    environment: Environment,
    request: &'db CompileRequest,
    reader: Option<&'db dyn FileReader>,
    units: UnitTable<'db>,
    code: Option<CodeText>,
    /// Definitions of the code, by kind and name.
    code_units: FxHashMap<(DefinitionKind, Name), Arc<Unit>>,
    globals: Arc<FxHashMap<Name, Value>>,
    data: ProjectData<'db>,
    load_finding: RefCell<Option<LoadFinding>>,
    /// Puppet's warnings about loaded files that have not been taken yet.
    load_warnings: RefCell<Vec<String>>,
    /// Files that Puppet would have loaded so far.
    loaded: RefCell<FxHashSet<File>>,
    /// Files of EPP templates, by text.
    templates: RefCell<FxHashMap<SmolStr, File>>,
    classes: Memo<Name, Option<Arc<Unit>>>,
    functions: RefCell<FxHashMap<Name, Option<FunctionSource>>>,
    native_types: Memo<Name, Option<ResourceTypeTarget>>,
    /// Resolved names.
    found: RefCell<FxHashMap<Name, Meanings>>,
    precomputed: Option<PrecomputedClasses>,
    precomputed_units: Memo<Name, Option<Arc<Unit>>>,
    /// Recorder for platform properties that are read, if the caller needs them.
    reads: Option<PlatformReads>,
    /// Recorder for properties of the node that are read, if the caller needs them.
    node_reads: Option<ReadLog<NodeRead>>,
    /// Unknown inputs on which the outcome may depend.
    unknown_inputs: RefCell<BTreeSet<UnknownInput>>,
    /// Files and data that the compile has read.
    inputs: InputHashes,
    /// Top-scope variables that code has tested for existence.
    tested_variables: RefCell<FxHashSet<Name>>,
    /// Definitions of the main program.
    main_names: RefCell<Arc<MainNames>>,
    /// Top-scope variables without their references to the name of the node.
    nodeless: Memo<Name, Value>,
}

/// Returns Puppet's warnings before a compile.
fn first_warnings(db: &dyn Db, environment: Environment, code: Option<&CodeText>) -> Vec<String> {
    let mut warnings = project::vfs::environment_conf_warnings(db, environment);
    warnings.extend(code.iter().flat_map(|it| it.findings().warnings.clone()));
    warnings
}

/// Definitions of a name, by kind.
type Meanings = Vec<(project::NameKind, Option<DefinitionId>)>;

/// Source of the variables of precomputed classes in a compile.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PrecomputedClasses {
    /// Facts of the compile.
    pub(crate) facts: FactSetId,
    /// Class that is being evaluated for its variables, and so is not precomputed.
    pub(crate) except: Option<DefinitionId>,
}

impl<'db> CompileProgram<'db> {
    pub(crate) fn new(
        db: &'db dyn Db,
        environment: Environment,
        request: &'db CompileRequest,
        code: Option<CodeText>,
        reader: Option<&'db dyn FileReader>,
        precomputed: Option<PrecomputedClasses>,
    ) -> CompileProgram<'db> {
        let remembered = precomputed.and_then(|it| top_variables_of_classes(db, environment, it.facts).0);
        let known = remembered.or_else(|| request.variables.clone());
        let globals = known.unwrap_or_else(|| top_variables(db, environment, request).into());
        let compares_platforms = precomputed.is_some_and(|it| it.except.is_none());
        let units = UnitTable::new(db, compares_platforms);
        let mut code_units = FxHashMap::default();
        for (index, definition) in code.iter().flat_map(|code| code.lowered().definitions.iter().enumerate())
        {
            let DefinitionKey { kind, name, .. } = &definition.key;
            let unit =
                units.add(UnitSource::Code(index), definition.name.clone(), *kind, definition.body.clone());
            code_units.entry((*kind, name.clone())).or_insert(unit);
        }
        CompileProgram {
            db,
            environment,
            request,
            reader,
            units,
            globals,
            data: ProjectData::new(
                db,
                environment,
                request.global_hiera.as_ref(),
                reader,
                request.environment_name.clone(),
            ),
            load_finding: RefCell::new(
                refused_module(db, environment).or_else(|| code.as_ref()?.findings().refusal.clone()),
            ),
            load_warnings: RefCell::new(first_warnings(db, environment, code.as_ref())),
            loaded: RefCell::default(),
            code,
            code_units,
            templates: RefCell::default(),
            classes: Memo::default(),
            functions: RefCell::default(),
            native_types: Memo::default(),
            found: RefCell::default(),
            precomputed,
            precomputed_units: Memo::default(),
            reads: compares_platforms.then(PlatformReads::default),
            node_reads: request.records_reads.then(ReadLog::default),
            inputs: InputHashes::default(),
            tested_variables: RefCell::default(),
            unknown_inputs: RefCell::default(),
            main_names: RefCell::default(),
            nodeless: Memo::default(),
        }
    }

    fn record_read(&self, read: impl FnOnce() -> PlatformRead) {
        if let Some(reads) = &self.reads {
            reads.log.record(read());
        }
    }

    /// Returns the main program and the node definitions.
    pub(crate) fn entry(&self) -> CompileStart {
        let mut entry = CompileStart::default();
        if let Some(code) = &self.code {
            for (index, definition) in code.lowered().definitions.iter().enumerate() {
                let unit = || self.units.by_id(UnitId(index as u32));
                match definition.key.kind {
                    DefinitionKind::Main => entry.main.extend(unit()),
                    DefinitionKind::Node => entry.nodes.extend(unit()),
                    _ => {}
                }
            }
            self.set_main_names(Arc::new(MainNames::of_code(code)));
            return entry;
        }
        for file in self.environment.main_manifests(self.db).iter().copied() {
            self.mark_loaded(file);
            // The main program is the first definition of its file.
            entry.main.push(self.units.unit(DefinitionId::new(self.db, file, DefinitionKey::main())).0);
        }
        for (file, key) in nodes_for(self.db, self.environment, &self.request.node_name) {
            entry.nodes.push(self.units.unit(DefinitionId::new(self.db, file, key)).0);
        }
        self.set_main_names(names_of_main(self.db, self.environment));
        entry
    }

    /// Stores the definitions of the main program, and the reason if Puppet rejects them.
    fn set_main_names(&self, names: Arc<MainNames>) {
        if let Some(refusal) = &names.refusal {
            self.load_finding.borrow_mut().get_or_insert_with(|| refusal.clone());
        }
        self.main_names.replace(names);
    }

    /// Returns a finding if a file of a module defines a class with the name of a node.
    fn class_named_like_node(&self, file: File) -> Option<LoadFinding> {
        let names = self.main_names.borrow();
        if !names.has_nodes() || !matches!(file.role(self.db), FileRole::Module { .. }) {
            return None;
        }
        let definitions = project::item_summary(self.db, file).definitions.iter().enumerate();
        let (index, message) = definitions
            .filter(|(_, it)| it.key.kind == DefinitionKind::Class)
            .find_map(|(index, it)| Some((index, names.clash(DefinitionKind::Class, &it.key.name)?)))?;
        let range = project::definition_ranges(self.db, file).get(index).map(|it| it.name);
        Some(LoadFinding {
            file: Some(file),
            code: Code::DuplicateDefinition,
            message,
            range: range.unwrap_or(TextRange::empty(0)),
            earlier: None,
        })
    }

    /// Returns the file that an EPP template with this text was read from.
    pub(crate) fn template(&self, text: &str) -> Option<File> {
        self.templates.borrow().get(text).copied()
    }

    /// Returns the sources of units, the code, and the first file that could not be loaded.
    pub(crate) fn into_parts(self) -> (Vec<UnitSource>, Option<CodeText>, Option<LoadFinding>) {
        (self.units.into_sources(), self.code, self.load_finding.into_inner())
    }

    /// Takes the platform properties that were read so far, and stops recording.
    pub(crate) fn take_reads(&mut self) -> Arc<[PlatformRead]> {
        self.reads.take().map(|it| it.log.into_reads()).unwrap_or_default()
    }

    /// Takes the properties of the node that were read so far, and stops recording.
    pub(crate) fn take_node_reads(&mut self) -> Arc<[NodeRead]> {
        self.node_reads.take().map(ReadLog::into_reads).unwrap_or_default()
    }

    /// Marks a file as loaded; stores its warnings, and its load error if it is the first.
    fn mark_loaded(&self, file: File) {
        if !self.loaded.borrow_mut().insert(file) {
            return;
        }
        self.files_before(file).into_iter().for_each(|it| self.mark_loaded(it));
        let LoadFindings { refusal, warnings } = file_findings(self.db, file);
        self.load_warnings.borrow_mut().extend_from_slice(warnings);
        if self.load_finding.borrow().is_none() {
            let refusal = refusal.clone().or_else(|| self.class_named_like_node(file));
            let refusal = refusal.or_else(|| self.load_parameter_types(file));
            // Loading the types may have found an error in another file first.
            let mut found = self.load_finding.borrow_mut();
            *found = found.take().or(refusal);
        }
    }

    /// Returns the files that Puppet loads before a file of a module: `init.pp` before any manifest, and the
    /// manifests that may define a type of the same name before a type alias.
    fn files_before(&self, file: File) -> Vec<File> {
        let FileRole::Module { module, relative } = file.role(self.db) else { return Vec::new() };
        let at = |path: &str| module.files(self.db).get(path).copied();
        let (folder, below) = relative.split_once('/').unwrap_or_default();
        match folder {
            "manifests" => at("manifests/init.pp").into_iter().collect(),
            "types" => {
                let name = below.strip_suffix(".pp").unwrap_or(below).replace('/', "::");
                let name = format!("{}::{name}", module.name(self.db));
                project::candidate_paths(NameKind::DefinedType, &name)
                    .iter()
                    .rev()
                    .filter_map(|it| at(it))
                    .collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns the [`UnitId`] of `definition` in this compile.
    pub(crate) fn focused(&self, definition: DefinitionId) -> UnitId {
        self.unit(definition).id
    }

    fn unit(&self, definition: DefinitionId) -> Arc<Unit> {
        let (unit, is_new) = self.units.unit(definition);
        if is_new {
            self.mark_loaded(definition.file(self.db));
        }
        unit
    }

    fn module(&self, name: &str) -> Option<ModuleTree> {
        self.environment.modules(self.db).get(name).copied()
    }

    /// Returns a data file of the project.
    pub(crate) fn data_file(&self, path: &str) -> Option<File> {
        self.data.loaded_file(path)
    }

    /// Returns true if the compile has depended on unknown inputs so far.
    pub(crate) fn has_unknown_inputs(&self) -> bool {
        !self.unknown_inputs.borrow().is_empty() || !self.data.unread_files().is_empty()
    }

    fn record_unknown_input(&self, part: UnknownInput) {
        self.unknown_inputs.borrow_mut().insert(part);
    }

    /// Takes the hashes of the files and data that the compile has read, in an order that depends only on them.
    pub(crate) fn take_input_hashes(&mut self) -> Vec<u64> {
        std::mem::take(&mut self.inputs).into_hashes()
    }

    /// Takes the unknown inputs recorded so far.
    pub(crate) fn take_unknown_inputs(&mut self) -> Vec<UnknownInput> {
        let of_data = self.data.unread_files().into_iter().map(UnknownInput::DataFile);
        self.unknown_inputs.take().into_iter().chain(of_data).collect()
    }
}
