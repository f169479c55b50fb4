//! The project as a program of a whole compile: bodies are followed, and facts and node come from the
//! request.

mod main_names;

use codes::Code;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use eval::{
    Additions, CompileStart, DeclaredFunction, FunctionLibrary, FunctionSource, MachineFile, MissingNameKind,
    ModuleFolder, Program, UndecidedReason, Unit, UnitId,
};
use hir::{DefinitionKey, DefinitionKind, ExprId, Name};
use project::vfs::FilePath;
use project::{
    Absence, Contents, Db, DefinitionId, Environment, File, FileRole, FunctionTarget, ModuleTree,
    ResourceTypeTarget,
};
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;
use syntax::TextRange;
use types::{Origin, Type, Value};
use validation::Strict;

use self::main_names::{MainNames, names_of_main, nodes_for, refused_module};
use crate::checked_facts::FactSetId;
use crate::closed_types::{closed_parameter_types, metadata_value, precomputed_alias};
use crate::compile_request::{CompileRequest, EntryPoint, Facts, FileRead, FileReader, UnknownInput};
use crate::declared::declared_ruby_function;
use crate::loading::{CodeText, LoadFinding, LoadFindings, file_findings};
use crate::memo::Memo;
use crate::platform_reads::{PlatformRead, PlatformReads};
use crate::precomputed_classes::{is_precomputed, may_be_precomputed, precomputed_variable};
use crate::project_data::ProjectData;
use crate::project_program::{
    UnitSource, UnitTable, logs_deprecation, ruby_function, type_of_fact, unknown_global,
};
use crate::summaries::settings_of;
use crate::top_variables::setters::{is_unsent_fact, may_be_set_at_top};
use crate::top_variables::{top_variables, top_variables_of_classes, without_node_name};

/// Files of ERB templates, keyed by the address and length of their texts, which are kept alive.
type ErbTemplates = FxHashMap<(*const u8, usize), (File, Arc<str>)>;

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
    erb_templates: RefCell<ErbTemplates>,
    classes: Memo<Name, Option<Arc<Unit>>>,
    functions: RefCell<FxHashMap<Name, Option<FunctionSource>>>,
    native_types: Memo<Name, Option<ResourceTypeTarget>>,
    /// Resolved names.
    found: RefCell<FxHashMap<Name, Meanings>>,
    precomputed: Option<PrecomputedClasses>,
    precomputed_units: Memo<Name, Option<Arc<Unit>>>,
    /// Recorder for platform properties that are read, if the caller needs them.
    reads: Option<PlatformReads>,
    /// Unknown inputs on which the outcome may depend.
    unknown_inputs: RefCell<BTreeSet<UnknownInput>>,
    /// Top-scope variables for whose existence code has tested.
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
        let globals = remembered.unwrap_or_else(|| top_variables(db, environment, request).into());
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
            erb_templates: RefCell::default(),
            classes: Memo::default(),
            functions: RefCell::default(),
            native_types: Memo::default(),
            found: RefCell::default(),
            precomputed,
            precomputed_units: Memo::default(),
            reads: compares_platforms.then(PlatformReads::default),
            tested_variables: RefCell::default(),
            unknown_inputs: RefCell::default(),
            main_names: RefCell::default(),
            nodeless: Memo::default(),
        }
    }

    fn find_precomputed_class(&self, name: &str) -> Option<Arc<Unit>> {
        let precomputed = self.precomputed?;
        let kind = project::NameKind::Class;
        let definition = project::resolve_in_modules(self.db, self.environment, kind, name)?;
        if !may_be_precomputed(self.db, self.environment, definition) {
            return None;
        }
        self.record_read(|| PlatformRead::IsPrecomputed(definition));
        if precomputed.except == Some(definition)
            || !is_precomputed(self.db, self.environment, definition, precomputed.facts)
        {
            return None;
        }
        self.mark_loaded(definition.file(self.db));
        self.units.precomputed(definition)
    }

    fn record_read(&self, read: impl FnOnce() -> PlatformRead) {
        if let Some(reads) = &self.reads {
            reads.record(read());
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
        self.reads.take().map(PlatformReads::into_reads).unwrap_or_default()
    }

    /// Marks a file as loaded; stores its warnings, and its load error if it is the first.
    fn mark_loaded(&self, file: File) {
        if !self.loaded.borrow_mut().insert(file) {
            return;
        }
        self.files_before(file).into_iter().flatten().for_each(|it| self.mark_loaded(it));
        let LoadFindings { refusal, warnings } = file_findings(self.db, file);
        self.load_warnings.borrow_mut().extend_from_slice(warnings);
        if self.load_finding.borrow().is_none() {
            let refusal = refusal.clone().or_else(|| self.class_named_like_node(file));
            self.load_finding.borrow_mut().clone_from(&refusal);
        }
    }

    /// Returns the files that Puppet loads before a file of a module: `init.pp` before any manifest, and the
    /// manifest of the same name before a type alias, since Puppet looks for a defined type first.
    fn files_before(&self, file: File) -> [Option<File>; 2] {
        let FileRole::Module { module, relative } = file.role(self.db) else { return [None; 2] };
        let at = |path: &str| module.files(self.db).get(path).copied();
        let (folder, below) = relative.split_once('/').unwrap_or_default();
        match folder {
            "manifests" => [at("manifests/init.pp"), None],
            "types" => [at("manifests/init.pp"), at(&format!("manifests/{below}"))],
            _ => [None; 2],
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

    /// Returns a definition of the code or the main manifest, else one of a module.
    fn find(&self, kind: project::NameKind, name: &str) -> Option<Arc<Unit>> {
        match self.find_in_code(kind, name) {
            Some(unit) => Some(unit.clone()),
            None => Some(self.unit(self.find_in_files(kind, name)?)),
        }
    }

    /// Returns true if [`CompileProgram::find`] would find a definition. Its contents are not read.
    fn exists(&self, kind: project::NameKind, name: &str) -> bool {
        self.find_in_code(kind, name).is_some()
            || self.find_in_files(kind, name).inspect(|found| self.mark_loaded(found.file(self.db))).is_some()
    }

    fn find_in_code(&self, kind: project::NameKind, name: &str) -> Option<&Arc<Unit>> {
        let kind = match kind {
            project::NameKind::Class => DefinitionKind::Class,
            project::NameKind::DefinedType => DefinitionKind::DefinedType,
            project::NameKind::Function => DefinitionKind::Function,
            project::NameKind::TypeAlias => DefinitionKind::TypeAlias,
            project::NameKind::Plan => DefinitionKind::Plan,
        };
        self.code_units.get(&(kind, hir::fold_name(name)))
    }

    /// Returns true if definitions of the main manifest are visible. Code that is compiled replaces the main
    /// manifest. A class sees its definitions, although the main program does not run.
    fn has_main_manifest(&self) -> bool {
        !matches!(self.request.entry, EntryPoint::Code(_))
    }

    fn find_in_files(&self, kind: project::NameKind, name: &str) -> Option<DefinitionId> {
        let known = self.found.borrow().get(name).and_then(|it| it.iter().find(|it| it.0 == kind).copied());
        if let Some((_, definition)) = known {
            return definition;
        }
        let definition = match self.has_main_manifest() {
            true => project::resolve(self.db, self.environment, kind, name),
            false => project::resolve_in_modules(self.db, self.environment, kind, name),
        };
        let is_of_manifest = matches!(kind, project::NameKind::Class | project::NameKind::DefinedType);
        let is_of_module =
            |it: &DefinitionId| matches!(it.file(self.db).role(self.db), FileRole::Module { .. });
        let definition = match is_of_manifest && definition.as_ref().is_none_or(is_of_module) {
            true => self.definition_in_init(kind, name).or(definition),
            false => definition,
        };
        if definition.is_none() {
            self.mark_candidates_loaded(kind, name);
        }
        self.found.borrow_mut().entry(name.into()).or_default().push((kind, definition));
        definition
    }

    /// Returns the definition of `name` in a module's `init.pp` if another file of the module defines the
    /// name as well. The definition in `init.pp` wins once anything of the module is loaded. If `name` is the
    /// first to be looked up, Puppet loads both files and rejects the second definition.
    fn definition_in_init(&self, kind: project::NameKind, name: &str) -> Option<DefinitionId> {
        let name = hir::fold_name(name);
        let (module, below) = name.split_once("::")?;
        let files = self.environment.modules(self.db).get(module)?.files(self.db);
        let init = *files.get("manifests/init.pp")?;
        let own = *files.get(format!("manifests/{}.pp", below.replace("::", "/")).as_str())?;
        let place_in = |file| {
            let definitions = &project::item_summary(self.db, file).definitions;
            let is_one =
                |it: &DefinitionKey| matches!(it.kind, DefinitionKind::Class | DefinitionKind::DefinedType);
            let index =
                definitions.iter().position(|it| is_one(&it.key) && hir::fold_name(&it.key.name) == name)?;
            Some((&definitions[index].key, project::definition_ranges(self.db, file).get(index)?.name))
        };
        let ((key, earlier), (own_key, range)) = (place_in(init)?, place_in(own)?);
        let is_wanted = match kind {
            project::NameKind::Class => key.kind == DefinitionKind::Class,
            _ => key.kind == DefinitionKind::DefinedType,
        };
        if self.loaded.borrow().contains(&init) && (is_wanted || own_key.kind == key.kind) {
            return is_wanted.then(|| DefinitionId::new(self.db, init, key.clone()));
        }
        if !self.request.is_incomplete {
            let message = format!("`{name}` is already defined in the module's init.pp");
            let (file, earlier) = (Some(own), Some((Some(init), earlier)));
            let finding = LoadFinding { file, code: Code::DuplicateDefinition, message, range, earlier };
            self.load_finding.borrow_mut().get_or_insert(finding);
        }
        None
    }

    /// Returns a definition in a file where Puppet does not look for it, but which it has loaded for another
    /// name.
    fn in_loaded_manifest(&self, kind: DefinitionKind, name: &str) -> Option<Arc<Unit>> {
        let is_loaded = |file: File| self.loaded.borrow().contains(&file);
        let found = project::definitions_in_manifests(self.db, self.environment, kind, name, is_loaded);
        Some(self.unit(found.into_iter().next()?))
    }

    /// Marks the files as loaded that may define a name: one that could not be loaded may have defined it.
    fn mark_candidates_loaded(&self, kind: project::NameKind, name: &str) {
        let module = name.split("::").next().unwrap_or_default();
        let Some(module) = self.environment.modules(self.db).get(module) else { return };
        let files = module.files(self.db);
        // Puppet reads manifests for classes and defined types only.
        let of_classes = matches!(kind, project::NameKind::Class | project::NameKind::DefinedType);
        let paths = project::candidate_paths(kind, name);
        for path in paths.iter().filter(|path| of_classes || !path.starts_with("manifests/")) {
            if let Some(file) = files.get(path.as_str()) {
                self.mark_loaded(*file);
            }
        }
    }

    /// Returns a function of the code or the main manifest.
    fn main_function(&self, name: &str) -> Option<Arc<Unit>> {
        let name = hir::fold_name(name);
        if let Some(unit) = self.code_units.get(&(DefinitionKind::Function, name.clone())) {
            return Some(unit.clone());
        }
        if !self.has_main_manifest() {
            return None;
        }
        let definition = project::resolve(self.db, self.environment, project::NameKind::Function, &name)?;
        let is_main = matches!(definition.file(self.db).role(self.db), FileRole::MainManifest);
        is_main.then(|| self.unit(definition))
    }

    fn find_function(&self, name: &str) -> Option<FunctionSource> {
        if let Some(unit) = self.main_function(name) {
            return Some(FunctionSource::Puppet(unit));
        }
        if let Some(found) = self.function_beside_class(name) {
            return Some(found);
        }
        match project::resolve_function_in_modules(self.db, self.environment, name) {
            Some(FunctionTarget::Puppet(definition)) => {
                self.is_there(definition.file(self.db)).then(|| FunctionSource::Puppet(self.unit(definition)))
            }
            Some(FunctionTarget::Ruby { file, .. }) if self.calls_itself(file, name) => {
                Some(FunctionSource::Known(&functions::CALLS_ITSELF))
            }
            Some(FunctionTarget::Ruby { file, index }) => {
                if self.is_executed(file) {
                    return declared_ruby_function(self.db, file, index).map(FunctionSource::Declared);
                }
                ruby_function(self.db, file, index, name)
            }
            None => {
                self.mark_candidates_loaded(project::NameKind::Function, &hir::fold_name(name));
                self.in_loaded_manifest(DefinitionKind::Function, name).map(FunctionSource::Puppet)
            }
        }
    }

    /// Returns true if a function is evaluated from its code even if a built-in implementation exists: unlike
    /// the code, that calls no other function of the module.
    fn is_executed(&self, file: File) -> bool {
        let FileRole::Module { module, .. } = file.role(self.db) else {
            return self.request.executed_functions.contains(file.path(self.db));
        };
        let root = module.root(self.db);
        self.request.executed_functions.iter().any(|path| path.starts_with(root))
    }

    /// Returns true if a 3.x function forwards to a 4.x function that is shadowed along with its module.
    fn calls_itself(&self, file: File, name: &str) -> bool {
        let FileRole::Module { module, relative } = file.role(self.db) else { return false };
        let forwards = || {
            let text = project::text(self.db, file);
            text.is_some_and(|it| {
                ['\'', '"'].iter().any(|quote| it.contains(&format!("call_function({quote}{name}{quote}")))
            })
        };
        relative.starts_with("lib/puppet/parser/functions/")
            && !self.request.settings.is_some_and(|it| it.is_part)
            && self.environment.shadowed(self.db).contains(module)
            && forwards()
    }

    /// Returns true if Puppet has loaded the functions of a file so far. Those next to a class are loaded
    /// with it.
    fn is_there(&self, file: File) -> bool {
        let FileRole::Module { relative, .. } = file.role(self.db) else { return true };
        !relative.starts_with("manifests/")
            || self.request.is_incomplete
            || self.loaded.borrow().contains(&file)
    }

    /// Returns a function next to a class whose file is loaded.
    fn function_beside_class(&self, name: &str) -> Option<FunctionSource> {
        let name = hir::fold_name(name);
        let (module, _) = name.split_once("::")?;
        let files = self.environment.modules(self.db).get(module)?.files(self.db);
        let paths = project::candidate_paths(project::NameKind::Class, &name);
        let files = paths.iter().filter_map(|path| files.get(path.as_str()).copied());
        let mut loaded = files.filter(|file| self.loaded.borrow().contains(file));
        let found = loaded.find_map(|file| {
            let found = project::resolve_in_file(self.db, file, project::NameKind::Function, &name)?;
            (found.file(self.db) == file).then_some(found)
        })?;
        Some(FunctionSource::Puppet(self.unit(found)))
    }

    fn native_type(&self, name: &str) -> Option<ResourceTypeTarget> {
        let find = || project::resolve_native_type(self.db, &[self.environment], name);
        self.native_types.get_or(name, |it| Name::new(it), find)
    }

    fn module(&self, name: &str) -> Option<ModuleTree> {
        self.environment.modules(self.db).get(name).copied()
    }

    /// Returns true if a missing name might be defined outside of an incomplete project.
    fn may_be_absent(&self, kind: project::NameKind, name: &str) -> bool {
        self.may_be_elsewhere(kind, name, UnknownInput::Absent(kind, name.into()))
    }

    /// Like [`CompileProgram::may_be_absent`], but records the given unknown input.
    fn may_be_elsewhere(&self, kind: project::NameKind, name: &str, part: UnknownInput) -> bool {
        let may_be =
            project::absence_in_environment(self.db, self.environment, kind, name) != Absence::NameMissing;
        if may_be && !name.is_empty() {
            self.record_unknown_input(part);
        }
        // In a complete project, Puppet fails on a missing definition.
        may_be && self.request.is_incomplete
    }

    /// Returns true if code outside of the project may set a variable.
    fn may_be_set(&self, name: &str) -> bool {
        if self.request.facts == Facts::Unknown {
            return true;
        }
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        let is_class = matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_));
        match name.rsplit_once("::") {
            Some((class, _)) if !class.is_empty() => match is_class || is_part {
                true => self.request.is_incomplete,
                false => self.may_be_absent(project::NameKind::Class, class),
            },
            _ => self.may_be_set_at_top(name.trim_start_matches("::"), is_class),
        }
    }

    /// Returns true if a node classifier, a fact, or code that the compile does not include may set a top-scope
    /// variable that is not set so far.
    fn may_be_set_at_top(&self, name: &str, is_class: bool) -> bool {
        // A class is compiled without the main manifest.
        let is_set_in_project = || may_be_set_at_top(self.db, self.environment, name);
        if is_class && self.request.is_incomplete && is_set_in_project() {
            return true;
        }
        if is_unsent_fact(self.db, self.environment, name) && !is_set_in_project() {
            return false;
        }
        let is_platform = matches!(self.request.facts, Facts::Platform { .. });
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        // Reads of a class are recorded by `note_assumed_variable`.
        if is_platform && !is_class && !is_part {
            self.record_unknown_input(UnknownInput::Variable(name.into()));
        }
        (is_platform || is_part && !is_class) && self.request.is_incomplete
    }

    /// Returns true if the compile of a class fails without a top-scope variable.
    fn class_needs_variable(&self, name: &str) -> bool {
        let settings = self.request.settings.unwrap_or_else(|| settings_of(self.db, self.environment));
        !name.contains("::")
            && matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_))
            && matches!(self.request.facts, Facts::Platform { .. })
            && (settings.strict_variables || settings.strict == Strict::Error)
            && !self.tested_variables.borrow().contains(name)
            && !may_be_set_at_top(self.db, self.environment, name)
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

    /// Takes the unknown inputs recorded so far.
    pub(crate) fn take_unknown_inputs(&mut self) -> Vec<UnknownInput> {
        let of_data = self.data.unread_files().into_iter().map(UnknownInput::DataFile);
        self.unknown_inputs.take().into_iter().chain(of_data).collect()
    }
}

impl Program for CompileProgram<'_> {
    fn functions(&self) -> &'static dyn FunctionLibrary {
        functions::LIBRARY
    }

    fn function(&self, name: &str) -> Option<FunctionSource> {
        if let Some(known) = self.functions.borrow().get(name) {
            return known.clone();
        }
        let found = self.find_function(name);
        // A function that is missing now may be loaded with a class.
        if found.is_some() {
            self.functions.borrow_mut().insert(name.into(), found.clone());
        }
        found
    }

    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        functions::built_in(name)?;
        self.main_function(name).map(FunctionSource::Puppet)
    }

    fn type_alias(&self, name: &str) -> Option<Arc<Unit>> {
        self.find(project::NameKind::TypeAlias, name)
            .or_else(|| self.in_loaded_manifest(DefinitionKind::TypeAlias, name))
    }

    fn is_alias_of_module(&self, name: &str) -> bool {
        let kind = project::NameKind::TypeAlias;
        project::resolve_in_modules(self.db, self.environment, kind, name).is_some()
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        project::native_type_exists(self.db, &[self.environment], name)
            || !self.exists(project::NameKind::Class, name)
                && (self.exists(project::NameKind::DefinedType, name)
                    || self.in_loaded_manifest(DefinitionKind::DefinedType, name).is_some())
    }

    fn has_load_finding(&self) -> bool {
        self.load_finding.borrow().is_some()
    }

    fn take_load_warnings(&self) -> Vec<String> {
        self.load_warnings.take()
    }

    fn class_exists(&self, name: &str) -> bool {
        self.exists(project::NameKind::Class, name)
            || self.in_loaded_manifest(DefinitionKind::Class, name).is_some()
    }

    fn class(&self, name: &str) -> Option<Arc<Unit>> {
        let find = |kind| self.find(kind, name);
        self.classes
            .get_or(
                name,
                |it| Name::new(it),
                || find(project::NameKind::Class).or_else(|| find(project::NameKind::DefinedType)),
            )
            .or_else(|| self.in_loaded_manifest(DefinitionKind::Class, name))
            .or_else(|| self.in_loaded_manifest(DefinitionKind::DefinedType, name))
    }

    fn precomputed_class(&self, name: &str) -> Option<Arc<Unit>> {
        self.precomputed_units.get_or(name, |it| Name::new(it), || self.find_precomputed_class(name))
    }

    fn precomputed_variable(&self, unit: &Unit, name: &Name) -> Option<Value> {
        let UnitSource::Definition(definition) = self.units.source(unit.id)? else { return None };
        self.record_read(|| PlatformRead::PrecomputedVariable(definition, name.clone()));
        precomputed_variable(self.db, self.environment, definition, self.precomputed?.facts, name.clone()).0
    }

    fn precomputed_parameters(&self, unit: &Unit) -> Vec<Name> {
        let source = self.units.source(unit.id).filter(|_| unit.is_precomputed);
        let Some(UnitSource::Definition(definition)) = source else { return Vec::new() };
        let signature = project::signature(self.db, definition);
        signature.iter().flat_map(|it| it.parameters.iter().map(|parameter| parameter.name.clone())).collect()
    }

    fn similar_names(&self, kind: DefinitionKind, name: &str) -> Vec<Name> {
        let mut names = similar_names(self.db, self.environment, kind, name);
        if kind == DefinitionKind::DefinedType && !name.contains("::") {
            names.extend(plugins::built_in::resource_types().iter().map(|it| it.name.clone()));
            let ruby = project::ruby_resource_types(self.db, self.environment).iter();
            names.extend(ruby.map(|(name, _)| name.clone()));
        }
        if kind == DefinitionKind::Function {
            names.extend(functions::all_built_in().map(|it| Name::new(it.name)));
            let ruby = project::ruby_functions(self.db, self.environment).iter();
            names.extend(ruby.map(|(name, _)| name.clone()));
        }
        names
    }

    fn note_unexecuted(&self, function: &DeclaredFunction) {
        let name = &function.name;
        if function.additions != Additions::Nothing {
            self.record_unknown_input(UnknownInput::RubyFunction(name.clone()));
        }
        if self.request.executed_functions.is_empty() {
            return;
        }
        if let Some(FunctionTarget::Ruby { file, .. }) =
            project::resolve_function_in_modules(self.db, self.environment, name)
            && self.is_executed(file)
        {
            self.record_unknown_input(UnknownInput::ChangedFunction(name.clone()));
        }
    }

    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool {
        match kind {
            MissingNameKind::Variable => self.may_be_set(name),
            MissingNameKind::Function => self.may_be_absent(project::NameKind::Function, name),
            MissingNameKind::Type => {
                let in_ruby = project::ruby_data_types(self.db, self.environment);
                let is_in_ruby = match name.is_empty() {
                    true => !in_ruby.is_empty(),
                    false => in_ruby.iter().any(|(known, _)| known == name),
                };
                is_in_ruby || self.may_be_absent(project::NameKind::TypeAlias, name)
            }
            MissingNameKind::Class => {
                let kind = project::NameKind::Class;
                // Each node is compiled with only some of the main manifests.
                let is_of_main = || {
                    let found = project::resolve(self.db, self.environment, kind, name);
                    found.is_some_and(|it| matches!(it.file(self.db).role(self.db), FileRole::MainManifest))
                };
                self.may_be_absent(kind, name) || self.request.is_incomplete && is_of_main()
            }
            // If the module is missing, so is the class of its name.
            MissingNameKind::Module => {
                self.may_be_elsewhere(project::NameKind::Class, name, UnknownInput::AbsentModule(name.into()))
            }
            // Not every key begins with the name of a module, so that the list of modules decides.
            MissingNameKind::ModuleData => {
                let listed = project::expected_modules(self.db, self.environment);
                listed.iter().any(|it| it == name) && self.may_define(MissingNameKind::Module, name)
            }
            // The catalog knows which resources are declared.
            MissingNameKind::Resource => false,
        }
    }

    fn begin_platform_expression(&self) {
        if let Some(reads) = &self.reads {
            reads.begin_expression();
        }
    }

    fn end_platform_expression(&self, unit: &Unit, expr: ExprId, says_all: bool) {
        if let (Some(reads), Some(UnitSource::Definition(definition))) =
            (&self.reads, self.units.source(unit.id))
        {
            reads.end_expression(definition, expr, says_all);
        }
    }

    fn global(&self, name: &str) -> Option<Value> {
        self.record_read(|| PlatformRead::Variable(name.into()));
        if let Some(value) = self.globals.get(name) {
            return Some(value.clone());
        }
        if name.starts_with("settings::") {
            return Some(Value::unknown(Type::Any, Origin::Fact));
        }
        if self.request.facts == Facts::Unknown { unknown_global(name) } else { None }
    }

    fn may_have_fact(&self, name: &str) -> bool {
        matches!(self.request.facts, Facts::Platform { .. }) && plugins::built_in::fact(name).is_none()
    }

    fn may_have_extensions(&self) -> bool {
        !matches!(self.request.facts, Facts::Given(_)) && self.request.trusted_extensions.is_empty()
    }

    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type> {
        match self.request.facts {
            Facts::Unknown => type_of_fact(self.db, self.environment, variable, keys),
            Facts::Platform { .. } | Facts::Given(_) => None,
        }
    }

    fn module_folder(&self, module: &str) -> ModuleFolder {
        match self.module(module) {
            Some(module) => ModuleFolder::At(module.root(self.db).to_native().into()),
            None if self.request.is_incomplete => ModuleFolder::Unclear,
            None => ModuleFolder::Missing,
        }
    }

    fn machine_file(&self, path: &str) -> MachineFile {
        if self.request.reads_this_machine {
            return MachineFile::at(path);
        }
        self.record_unknown_input(UnknownInput::MachineFile(path.into()));
        MachineFile::Unclear
    }

    fn module_file(&self, module: &str, relative: &str) -> Option<Arc<[u8]>> {
        let module = self.module(module)?;
        let path: FilePath = module.root(self.db).join(relative);
        let relative = path.strip_prefix(module.root(self.db))?;
        let file = module.files(self.db).get(relative);
        match file.map(|file| file.contents(self.db)) {
            Some(contents @ (Contents::Text(_) | Contents::Packed(_))) => {
                let text = contents.text()?;
                match (file, path.extension()) {
                    (Some(file), Some("epp")) => {
                        self.templates.borrow_mut().insert(text.as_ref().into(), *file);
                    }
                    (Some(file), Some("erb")) => {
                        let place = (text.as_ptr(), text.len());
                        self.erb_templates.borrow_mut().insert(place, (*file, text.clone()));
                    }
                    _ => {}
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

    fn module_metadata(&self, module: &str) -> Option<Arc<Value>> {
        let file = *self.module(module)?.files(self.db).get("metadata.json")?;
        metadata_value(self.db, file).0
    }

    fn has_module_file(&self, module: &str, relative: &str) -> bool {
        let file = self.module(module).and_then(|module| module.files(self.db).get(relative));
        file.is_some_and(|file| *file.contents(self.db) != Contents::Missing)
    }

    fn parameter_types(&self, unit: &Unit) -> Option<Arc<[Option<Type>]>> {
        match self.units.source(unit.id)? {
            UnitSource::Definition(definition) => Some(closed_parameter_types(self.db, definition).0),
            UnitSource::Code(_) => None,
        }
    }

    fn precomputed_alias(&self, unit: &Unit) -> Option<Arc<Type>> {
        match self.units.source(unit.id)? {
            UnitSource::Definition(definition) => precomputed_alias(self.db, definition).0,
            UnitSource::Code(_) => None,
        }
    }

    fn erb_template(&self, text: &str) -> Option<Arc<plugins::erb::ErbTemplate>> {
        let file = self.erb_templates.borrow().get(&(text.as_ptr(), text.len()))?.0;
        project::erb_template(self.db, file)
    }

    fn ruby_file(&self, path: &str) -> Option<Arc<plugins::code::RubyProgram>> {
        let file = project::ruby_library_file(self.db, self.environment, path)?;
        project::ruby_program(self.db, file)
    }

    fn ruby_providers(&self, resource_type: &str) -> Vec<(SmolStr, Arc<plugins::code::RubyProgram>)> {
        project::provider_programs(self.db, self.environment, resource_type)
    }

    fn project_file(&self, path: &str) -> MachineFile {
        self.data.text(path)
    }

    fn has_invented_node(&self) -> bool {
        self.request.has_invented_node
    }

    fn without_node_name(&self, variable: &str, value: Value) -> Value {
        let name = variable.trim_start_matches("::");
        match (self.globals.get(name), &value) {
            // Each level of Hiera may read the facts, and there are many of them.
            (Some(Value::Hash(known)), Value::Hash(given)) if Arc::ptr_eq(known, given) => {
                self.nodeless.get_or(name, |it| Name::new(it), || without_node_name(name, value.clone()))
            }
            _ => without_node_name(name, value),
        }
    }

    fn note_external_data(&self, key: &str) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.record_unknown_input(UnknownInput::Data(key.into()));
        }
    }

    fn note_undecided_data(&self, key: &str, reason: UndecidedReason) {
        match reason {
            UndecidedReason::UnknownInput => {
                self.record_unknown_input(UnknownInput::UndecidedData(key.into()));
            }
            // A key that only one file sets has no other value for any node.
            UndecidedReason::NodeName => {
                let root = key.split('.').next().unwrap_or(key);
                let files = project::data_key_index(self.db, self.environment).get(root);
                if files.is_some_and(|files| files.len() > 1) {
                    self.record_unknown_input(UnknownInput::NodeData(key.into()));
                }
            }
        }
    }

    fn note_exported_resources(&self, type_name: &str) {
        self.record_unknown_input(UnknownInput::Exports(type_name.into()));
    }

    fn note_assumed_variable(&self, name: &str) {
        if self.class_needs_variable(name) {
            self.record_unknown_input(UnknownInput::Variable(name.into()));
        }
    }

    fn note_tested_variable(&self, name: &str) {
        self.tested_variables.borrow_mut().insert(name.into());
    }

    fn note_unknown_class(&self) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.record_unknown_input(UnknownInput::UnknownClass);
        }
    }

    fn has_external_data(&self) -> bool {
        self.data.lacks_configuration()
    }

    fn has_data_key(&self, key: &str) -> bool {
        project::data_key_index(self.db, self.environment).contains_key(key)
    }

    fn resource_type(&self, name: &str) -> Option<Arc<plugins::RubyResourceType>> {
        self.native_type(name)?.resource_type().cloned()
    }

    fn module_name(&self, unit: &Unit) -> Name {
        let Some(UnitSource::Definition(definition)) = self.units.source(unit.id) else {
            return Name::default();
        };
        match definition.file(self.db).role(self.db) {
            FileRole::Module { module, .. }
                if Some(module.root(self.db)) != self.environment.root(self.db).as_ref() =>
            {
                module.name(self.db).clone()
            }
            _ => Name::default(),
        }
    }

    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        Some(&self.data)
    }
}

/// Returns the modules with a similar name. Memoized by name, as there may be many modules.
#[salsa::tracked(returns(ref))]
fn modules_like(db: &dyn Db, environment: Environment, name: Name) -> Vec<Name> {
    eval::similar::similar(&name, environment.modules(db).keys().map(|it| it.as_str()))
}

/// Returns the candidates of a kind for a misspelled `name`: definitions of its module, or of a module with a
/// similar name.
pub fn similar_names(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: &str) -> Vec<Name> {
    let modules = environment.modules(db);
    let prefix = name.split("::").next().unwrap_or_default();
    let mut names = Vec::new();
    let mut add = |module: &project::ModuleTree| {
        let definitions = project::module_definitions(db, *module).iter();
        names.extend(definitions.filter(|(_, key)| key.kind == kind).map(|(_, key)| key.name.clone()));
    };
    match modules.get(prefix) {
        Some(module) => add(module),
        None => {
            modules_like(db, environment, prefix.into())
                .iter()
                .filter_map(|name| modules.get(name.as_str()))
                .for_each(&mut add);
        }
    }
    names
}
