//! The project as a whole compile sees it: bodies are followed, facts and node are those of the request.

mod main_names;

use codes::Code;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use eval::{
    Additions, CompileStart, FunctionLibrary, FunctionSource, MachineFile, MissingNameKind, ModuleFolder,
    Program, Unit, UnitId,
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

use self::main_names::{MainNames, names_of_main, nodes_for, refused_module};
use crate::checked_facts::FactSetId;
use crate::closed_types::{closed_alias, closed_parameter_types, metadata_value};
use crate::compile_request::{CompileRequest, EntryPoint, Facts, FileRead, FileReader, OpenPart};
use crate::loading::{CodeText, LoadFinding, LoadFindings, file_findings};
use crate::memo::Memo;
use crate::platform_reads::{PlatformRead, PlatformReads};
use crate::project_data::ProjectData;
use crate::project_program::{
    UnitSource, UnitTable, ruby_function, says_deprecation, type_of_fact, unknown_global,
};
use crate::settled_classes::{is_settled, may_be_settled, settled_variable};
use crate::top_variables::{top_variables, top_variables_of_classes, without_node_name};

/// The files of ERB templates, by where their texts lie in memory, and how long they are; they are kept there.
type ErbTemplates = FxHashMap<(*const u8, usize), (File, Arc<str>)>;

/// The project during one compile.
pub(crate) struct CompileProgram<'db> {
    db: &'db dyn Db,
    environment: Environment,
    request: &'db CompileRequest,
    reader: Option<&'db dyn FileReader>,
    units: UnitTable<'db>,
    code: Option<CodeText>,
    /// What the code defines, by kind and name.
    code_units: FxHashMap<(DefinitionKind, Name), Arc<Unit>>,
    globals: Arc<FxHashMap<Name, Value>>,
    data: ProjectData<'db>,
    load_finding: RefCell<Option<LoadFinding>>,
    /// What Puppet logs about what was loaded, and nobody has taken yet.
    load_warnings: RefCell<Vec<String>>,
    /// The files that Puppet would have read by now.
    loaded: RefCell<FxHashSet<File>>,
    /// The files of EPP templates, by their texts.
    templates: RefCell<FxHashMap<SmolStr, File>>,
    erb_templates: RefCell<ErbTemplates>,
    classes: Memo<Name, Option<Arc<Unit>>>,
    functions: RefCell<FxHashMap<Name, Option<FunctionSource>>>,
    native_types: Memo<Name, Option<ResourceTypeTarget>>,
    /// What names were resolved to.
    found: RefCell<FxHashMap<Name, Meanings>>,
    settled: Option<SettledClasses>,
    settled_units: Memo<Name, Option<Arc<Unit>>>,
    /// What is read of the platform, where that is of interest.
    reads: Option<PlatformReads>,
    /// What was not looked at although the outcome may depend on it.
    open_parts: RefCell<BTreeSet<OpenPart>>,
    /// What the main program defines.
    main_names: RefCell<Arc<MainNames>>,
    /// Variables of the top scope without what they say of the name of the node.
    nodeless: Memo<Name, Value>,
}

/// What Puppet warns of before it compiles.
fn first_warnings(db: &dyn Db, environment: Environment, code: Option<&CodeText>) -> Vec<String> {
    let mut warnings = project::vfs::environment_conf_warnings(db, environment);
    warnings.extend(code.iter().flat_map(|it| it.findings().warnings.clone()));
    warnings
}

/// What a name means, by kind.
type Meanings = Vec<(project::NameKind, Option<DefinitionId>)>;

/// From which evaluations a compile takes the variables of classes that only set some.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SettledClasses {
    /// The compile's facts.
    pub(crate) facts: FactSetId,
    /// The class that is being evaluated for its variables.
    pub(crate) except: Option<DefinitionId>,
}

impl<'db> CompileProgram<'db> {
    pub(crate) fn new(
        db: &'db dyn Db,
        environment: Environment,
        request: &'db CompileRequest,
        code: Option<CodeText>,
        reader: Option<&'db dyn FileReader>,
        settled: Option<SettledClasses>,
    ) -> CompileProgram<'db> {
        let remembered = settled.and_then(|it| top_variables_of_classes(db, environment, it.facts).0);
        let globals = remembered.unwrap_or_else(|| top_variables(db, environment, request).into());
        let compares_platforms = settled.is_some_and(|it| it.except.is_none());
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
            data: ProjectData::new(db, environment, request.global_hiera.as_ref(), reader),
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
            settled,
            settled_units: Memo::default(),
            reads: compares_platforms.then(PlatformReads::default),
            open_parts: RefCell::default(),
            main_names: RefCell::default(),
            nodeless: Memo::default(),
        }
    }

    fn find_settled_class(&self, name: &str) -> Option<Arc<Unit>> {
        let settled = self.settled?;
        let kind = project::NameKind::Class;
        let definition = project::resolve_in_modules(self.db, self.environment, kind, name)?;
        if !may_be_settled(self.db, self.environment, definition) {
            return None;
        }
        self.note_read(|| PlatformRead::IsSettled(definition));
        if settled.except == Some(definition)
            || !is_settled(self.db, self.environment, definition, settled.facts)
        {
            return None;
        }
        self.note(definition.file(self.db));
        self.units.settled(definition)
    }

    fn note_read(&self, read: impl FnOnce() -> PlatformRead) {
        if let Some(reads) = &self.reads {
            reads.note(read());
        }
    }

    /// The main program and the node definitions.
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
            self.take_names(Arc::new(MainNames::of_code(code)));
            return entry;
        }
        for file in self.environment.main_manifests(self.db).iter().copied() {
            self.note(file);
            // It is the first definition of its file.
            entry.main.push(self.units.unit(DefinitionId::new(self.db, file, DefinitionKey::main())).0);
        }
        for (file, key) in nodes_for(self.db, self.environment, &self.request.node_name) {
            entry.nodes.push(self.units.unit(DefinitionId::new(self.db, file, key)).0);
        }
        self.take_names(names_of_main(self.db, self.environment));
        entry
    }

    /// Remembers what the main program defines, and why Puppet refuses that.
    fn take_names(&self, names: Arc<MainNames>) {
        if let Some(refusal) = &names.refusal {
            self.load_finding.borrow_mut().get_or_insert_with(|| refusal.clone());
        }
        self.main_names.replace(names);
    }

    /// A class of a module that has the name of a node, if there is one in a file.
    fn class_like_node(&self, file: File) -> Option<LoadFinding> {
        let names = self.main_names.borrow();
        if !names.has_nodes() || !matches!(file.place(self.db), FileRole::Module { .. }) {
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

    /// The file that an EPP template of this text was read from.
    pub(crate) fn template(&self, text: &str) -> Option<File> {
        self.templates.borrow().get(text).copied()
    }

    /// Where units come from, the text, and the first file that could not be loaded.
    pub(crate) fn into_parts(self) -> (Vec<UnitSource>, Option<CodeText>, Option<LoadFinding>) {
        (self.units.into_sources(), self.code, self.load_finding.into_inner())
    }

    /// What was read of the platform until now; nothing is noted any more.
    pub(crate) fn take_reads(&mut self) -> Arc<[PlatformRead]> {
        self.reads.take().map(PlatformReads::into_reads).unwrap_or_default()
    }

    /// Remembers what is wrong with a file that Puppet would load now, if it is the first.
    fn note(&self, file: File) {
        if !self.loaded.borrow_mut().insert(file) {
            return;
        }
        self.files_before(file).into_iter().flatten().for_each(|it| self.note(it));
        let LoadFindings { refusal, warnings } = file_findings(self.db, file);
        self.load_warnings.borrow_mut().extend_from_slice(warnings);
        if self.load_finding.borrow().is_none() {
            let refusal = refusal.clone().or_else(|| self.class_like_node(file));
            self.load_finding.borrow_mut().clone_from(&refusal);
        }
    }

    /// What Puppet loads before a file of a module: its `init.pp` before any manifest. A type may also be a defined type of the name, and
    /// these are looked for first.
    fn files_before(&self, file: File) -> [Option<File>; 2] {
        let FileRole::Module { module, relative } = file.place(self.db) else { return [None; 2] };
        let at = |path: &str| module.files(self.db).get(path).copied();
        let (folder, below) = relative.split_once('/').unwrap_or_default();
        match folder {
            "manifests" => [at("manifests/init.pp"), None],
            "types" => [at("manifests/init.pp"), at(&format!("manifests/{below}"))],
            _ => [None; 2],
        }
    }

    /// The unit that a definition is in this compile.
    pub(crate) fn focused(&self, definition: DefinitionId) -> UnitId {
        self.unit(definition).id
    }

    fn unit(&self, definition: DefinitionId) -> Arc<Unit> {
        let (unit, is_new) = self.units.unit(definition);
        if is_new {
            self.note(definition.file(self.db));
        }
        unit
    }

    /// A definition of the code or of the main manifest; else one of a module.
    fn find(&self, kind: project::NameKind, name: &str) -> Option<Arc<Unit>> {
        match self.find_in_code(kind, name) {
            Some(unit) => Some(unit.clone()),
            None => Some(self.unit(self.find_in_files(kind, name)?)),
        }
    }

    /// Is there something that [`CompileProgram::find`] finds? What it says is not read for that.
    fn exists(&self, kind: project::NameKind, name: &str) -> bool {
        self.find_in_code(kind, name).is_some()
            || self.find_in_files(kind, name).inspect(|found| self.note(found.file(self.db))).is_some()
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

    /// Is what the main manifest defines known? Code takes its place; a class is used along with it, though its program does not run.
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
            |it: &DefinitionId| matches!(it.file(self.db).place(self.db), FileRole::Module { .. });
        let definition = match is_of_manifest && definition.as_ref().is_none_or(is_of_module) {
            true => self.known_before(kind, name).or(definition),
            false => definition,
        };
        if definition.is_none() {
            self.note_candidates(kind, name);
        }
        self.found.borrow_mut().entry(name.into()).or_default().push((kind, definition));
        definition
    }

    /// What the first manifest of a module has of a name that another file of the module defines as well: from the moment that
    /// anything of the module is loaded it is that one. Who asks for it first of all loads both, and the second one is refused.
    fn known_before(&self, kind: project::NameKind, name: &str) -> Option<DefinitionId> {
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
            let message = format!("'{name}' is defined in the init.pp of the module, too");
            let (file, earlier) = (Some(own), Some((Some(init), earlier)));
            let finding = LoadFinding { file, code: Code::DuplicateDefinition, message, range, earlier };
            self.load_finding.borrow_mut().get_or_insert(finding);
        }
        None
    }

    /// A file that could not be loaded may have defined a name.
    fn note_candidates(&self, kind: project::NameKind, name: &str) {
        let module = name.split("::").next().unwrap_or_default();
        let Some(module) = self.environment.modules(self.db).get(module) else { return };
        let files = module.files(self.db);
        // Puppet reads manifests for classes and defined types only.
        let of_classes = matches!(kind, project::NameKind::Class | project::NameKind::DefinedType);
        let paths = project::candidate_paths(kind, name);
        for path in paths.iter().filter(|path| of_classes || !path.starts_with("manifests/")) {
            if let Some(file) = files.get(path.as_str()) {
                self.note(*file);
            }
        }
    }

    /// A function of the code or of the main manifest.
    fn main_function(&self, name: &str) -> Option<Arc<Unit>> {
        let name = hir::fold_name(name);
        if let Some(unit) = self.code_units.get(&(DefinitionKind::Function, name.clone())) {
            return Some(unit.clone());
        }
        if !self.has_main_manifest() {
            return None;
        }
        let definition = project::resolve(self.db, self.environment, project::NameKind::Function, &name)?;
        let is_main = matches!(definition.file(self.db).place(self.db), FileRole::MainManifest);
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
                let found = ruby_function(self.db, file, index, name);
                if matches!(&found, Some(FunctionSource::Declared(it)) if it.additions != Additions::Nothing)
                {
                    self.note_open(OpenPart::RubyFunction(name.into()));
                }
                found
            }
            None => {
                self.note_candidates(project::NameKind::Function, &hir::fold_name(name));
                None
            }
        }
    }

    /// Does a function of the 3.x API hand its call on to a newer one that is hidden, as its module is?
    fn calls_itself(&self, file: File, name: &str) -> bool {
        let FileRole::Module { module, relative } = file.place(self.db) else { return false };
        let hands_on = || {
            let text = project::text(self.db, file);
            text.is_some_and(|it| {
                ['\'', '"'].iter().any(|quote| it.contains(&format!("call_function({quote}{name}{quote}")))
            })
        };
        relative.starts_with("lib/puppet/parser/functions/")
            && !self.request.settings.is_some_and(|it| it.is_part)
            && self.environment.shadowed(self.db).contains(module)
            && hands_on()
    }

    /// Does Puppet know the functions of a file by now? Those that stand beside a class come with it.
    fn is_there(&self, file: File) -> bool {
        let FileRole::Module { relative, .. } = file.place(self.db) else { return true };
        !relative.starts_with("manifests/")
            || self.request.is_incomplete
            || self.loaded.borrow().contains(&file)
    }

    /// A function that stands beside a class whose file is loaded.
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

    /// Could something be in the project that is not there yet?
    fn may_be_absent(&self, kind: project::NameKind, name: &str) -> bool {
        self.may_be_elsewhere(kind, name, OpenPart::Absent(kind, name.into()))
    }

    /// The same, with the part that is told.
    fn may_be_elsewhere(&self, kind: project::NameKind, name: &str, part: OpenPart) -> bool {
        let may_be =
            project::absence_in_environment(self.db, self.environment, kind, name) != Absence::NameMissing;
        if may_be && !name.is_empty() {
            self.note_open(part);
        }
        // For Puppet, what is not there is missing.
        may_be && self.request.is_incomplete
    }

    /// May something that is not here set a variable?
    fn may_be_set(&self, name: &str) -> bool {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        let is_class = matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_));
        if self.request.facts == Facts::Unknown || is_class || is_part {
            return self.request.facts == Facts::Unknown || self.request.is_incomplete;
        }
        match name.rsplit_once("::") {
            Some((class, _)) if !class.is_empty() => self.may_be_absent(project::NameKind::Class, class),
            _ if matches!(self.request.facts, Facts::Platform { .. }) => {
                self.note_open(OpenPart::Variable(name.trim_start_matches("::").into()));
                self.request.is_incomplete
            }
            _ => false,
        }
    }

    /// Was something not looked at until now?
    pub(crate) fn has_open_parts(&self) -> bool {
        !self.open_parts.borrow().is_empty() || !self.data.unread_files().is_empty()
    }

    fn note_open(&self, part: OpenPart) {
        self.open_parts.borrow_mut().insert(part);
    }

    /// What was not looked at until now; nothing is kept of it.
    pub(crate) fn take_open_parts(&mut self) -> Vec<OpenPart> {
        let of_data = self.data.unread_files().into_iter().map(OpenPart::DataFile);
        self.open_parts.take().into_iter().chain(of_data).collect()
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
        // What is not there yet may come with a class.
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
    }

    fn is_alias_of_module(&self, name: &str) -> bool {
        let kind = project::NameKind::TypeAlias;
        project::resolve_in_modules(self.db, self.environment, kind, name).is_some()
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        project::native_type_exists(self.db, &[self.environment], name)
            || !self.exists(project::NameKind::Class, name)
                && self.exists(project::NameKind::DefinedType, name)
    }

    fn has_load_finding(&self) -> bool {
        self.load_finding.borrow().is_some()
    }

    fn take_load_warnings(&self) -> Vec<String> {
        self.load_warnings.take()
    }

    fn class_exists(&self, name: &str) -> bool {
        self.exists(project::NameKind::Class, name)
    }

    fn class(&self, name: &str) -> Option<Arc<Unit>> {
        let find = |kind| self.find(kind, name);
        self.classes.get_or(
            name,
            |it| Name::new(it),
            || find(project::NameKind::Class).or_else(|| find(project::NameKind::DefinedType)),
        )
    }

    fn settled_class(&self, name: &str) -> Option<Arc<Unit>> {
        self.settled_units.get_or(name, |it| Name::new(it), || self.find_settled_class(name))
    }

    fn settled_variable(&self, unit: &Unit, name: &Name) -> Option<Value> {
        let UnitSource::Definition(definition) = self.units.source(unit.id)? else { return None };
        self.note_read(|| PlatformRead::SettledVariable(definition, name.clone()));
        settled_variable(self.db, self.environment, definition, self.settled?.facts, name.clone()).0
    }

    fn settled_parameters(&self, unit: &Unit) -> Vec<Name> {
        let source = self.units.source(unit.id).filter(|_| unit.is_settled);
        let Some(UnitSource::Definition(definition)) = source else { return Vec::new() };
        let signature = project::signature(self.db, definition);
        signature.iter().flat_map(|it| it.parameters.iter().map(|parameter| parameter.name.clone())).collect()
    }

    fn names_like(&self, kind: DefinitionKind, name: &str) -> Vec<Name> {
        let mut names = names_like(self.db, self.environment, kind, name);
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
                // Of main manifests, each node is compiled with some.
                let is_of_main = || {
                    let found = project::resolve(self.db, self.environment, kind, name);
                    found.is_some_and(|it| matches!(it.file(self.db).place(self.db), FileRole::MainManifest))
                };
                self.may_be_absent(kind, name) || self.request.is_incomplete && is_of_main()
            }
            // The class of its name is as little there as the module.
            MissingNameKind::Module => {
                self.may_be_elsewhere(project::NameKind::Class, name, OpenPart::AbsentModule(name.into()))
            }
            // Whether a resource is declared the catalog knows.
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
        self.note_read(|| PlatformRead::Variable(name.into()));
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
        matches!(self.request.facts, Facts::Platform { .. }) && self.request.trusted_extensions.is_empty()
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
        self.note_open(OpenPart::MachineFile(path.into()));
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
                self.note_open(OpenPart::ModuleFile(path.as_str().into()));
                None
            }
            _ => match self.reader?.read(path.as_str()) {
                FileRead::Content(bytes) => Some(bytes),
                FileRead::Missing => None,
                FileRead::Unknown => {
                    self.note_open(OpenPart::ModuleFile(path.as_str().into()));
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
            self.note_open(OpenPart::ModuleFile(path.as_str().into()));
        }
        !is_known
    }

    fn says_deprecation(&self, function: &str) -> bool {
        says_deprecation(self.db, self.environment, function)
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

    fn closed_alias(&self, unit: &Unit) -> Option<Arc<Type>> {
        match self.units.source(unit.id)? {
            UnitSource::Definition(definition) => closed_alias(self.db, definition).0,
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
            // Each level of Hiera may name the facts, which are many.
            (Some(Value::Hash(known)), Value::Hash(given)) if Arc::ptr_eq(known, given) => {
                self.nodeless.get_or(name, |it| Name::new(it), || without_node_name(name, value.clone()))
            }
            _ => without_node_name(name, value),
        }
    }

    fn note_open_data(&self, key: &str) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.note_open(OpenPart::Data(key.into()));
        }
    }

    fn note_unknown_class(&self) {
        let is_part = self.request.settings.is_some_and(|it| it.is_part);
        if !is_part && !matches!(self.request.entry, EntryPoint::ClassWithAnyParameters(_)) {
            self.note_open(OpenPart::UnknownClass);
        }
    }

    fn has_open_data(&self) -> bool {
        self.data.is_open()
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
        match definition.file(self.db).place(self.db) {
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

/// The modules that may have been meant by the name of one that is not there. Asked once for each name, as there may be many
/// modules.
#[salsa::tracked(returns(ref))]
fn modules_like(db: &dyn Db, environment: Environment, name: Name) -> Vec<Name> {
    eval::similar::similar(&name, environment.modules(db).keys().map(|it| it.as_str()))
}

/// The names of a kind that somebody may have meant by `name`: those of its module, or of one with a similar name.
pub fn names_like(db: &dyn Db, environment: Environment, kind: DefinitionKind, name: &str) -> Vec<Name> {
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
