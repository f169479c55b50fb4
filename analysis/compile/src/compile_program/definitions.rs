//! Resolution of names as Puppet's autoloader does it.

use std::sync::Arc;

use codes::Code;
use eval::{Definitions, FunctionLibrary, FunctionSource, Loading, MissingNameKind, Precomputed, Unit};
use hir::{DefinitionKey, DefinitionKind, Name};
use plugins::RubyResourceType;
use project::{Absence, DefinitionId, File, FileRole, FunctionTarget, NameKind, ResourceTypeTarget};
use types::{Type, Value};

use super::CompileProgram;
use super::similar_names::similar_names;
use crate::closed_types::{closed_parameter_types, precomputed_alias};
use crate::compile_request::{EntryPoint, UnknownInput};
use crate::declared::declared_ruby_function;
use crate::loading::LoadFinding;
use crate::platform_reads::PlatformRead;
use crate::precomputed_classes::{is_precomputed, may_be_precomputed, precomputed_variable};
use crate::project_program::ruby_function;
use crate::project_program::units::UnitSource;

impl CompileProgram<'_> {
    fn find_precomputed_class(&self, name: &str) -> Option<Arc<Unit>> {
        let precomputed = self.precomputed?;
        let kind = NameKind::Class;
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

    /// Returns a definition of the code or the main manifest, else one of a module.
    fn find(&self, kind: NameKind, name: &str) -> Option<Arc<Unit>> {
        match self.find_in_code(kind, name) {
            Some(unit) => Some(unit.clone()),
            None => Some(self.unit(self.find_in_files(kind, name)?)),
        }
    }

    /// Returns true if [`CompileProgram::find`] would find a definition. Its contents are not read.
    pub(super) fn exists(&self, kind: NameKind, name: &str) -> bool {
        self.find_in_code(kind, name).is_some()
            || self.find_in_files(kind, name).inspect(|found| self.mark_loaded(found.file(self.db))).is_some()
    }

    fn find_in_code(&self, kind: NameKind, name: &str) -> Option<&Arc<Unit>> {
        let kind = match kind {
            NameKind::Class => DefinitionKind::Class,
            NameKind::DefinedType => DefinitionKind::DefinedType,
            NameKind::Function => DefinitionKind::Function,
            NameKind::TypeAlias => DefinitionKind::TypeAlias,
            NameKind::Plan => DefinitionKind::Plan,
        };
        self.code_units.get(&(kind, hir::fold_name(name)))
    }

    /// Returns true if definitions of the main manifest are visible. Code that is compiled replaces the main
    /// manifest. A class sees its definitions, although the main program does not run.
    fn has_main_manifest(&self) -> bool {
        !matches!(self.request.entry, EntryPoint::Code(_))
    }

    fn find_in_files(&self, kind: NameKind, name: &str) -> Option<DefinitionId> {
        let known = self.found.borrow().get(name).and_then(|it| it.iter().find(|it| it.0 == kind).copied());
        if let Some((_, definition)) = known {
            return definition;
        }
        let definition = if self.has_main_manifest() {
            project::resolve(self.db, self.environment, kind, name)
        } else {
            project::resolve_in_modules(self.db, self.environment, kind, name)
        };
        let is_of_manifest = matches!(kind, NameKind::Class | NameKind::DefinedType);
        let is_of_module =
            |it: &DefinitionId| matches!(it.file(self.db).role(self.db), FileRole::Module { .. });
        let definition = if is_of_manifest && definition.as_ref().is_none_or(is_of_module) {
            self.definition_in_init(kind, name).or(definition)
        } else {
            definition
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
    fn definition_in_init(&self, kind: NameKind, name: &str) -> Option<DefinitionId> {
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
            NameKind::Class => key.kind == DefinitionKind::Class,
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
    pub(super) fn in_loaded_manifest(&self, kind: DefinitionKind, name: &str) -> Option<Arc<Unit>> {
        let is_loaded = |file: File| self.loaded.borrow().contains(&file);
        let found = project::definitions_in_manifests(self.db, self.environment, kind, name, is_loaded);
        Some(self.unit(found.into_iter().next()?))
    }

    /// Marks the files as loaded that may define a name: one that could not be loaded may have defined it.
    fn mark_candidates_loaded(&self, kind: NameKind, name: &str) {
        let module = name.split("::").next().unwrap_or_default();
        let Some(module) = self.environment.modules(self.db).get(module) else { return };
        let files = module.files(self.db);
        // Puppet reads manifests for classes and defined types only.
        let of_classes = matches!(kind, NameKind::Class | NameKind::DefinedType);
        let paths = project::candidate_paths(kind, name);
        for path in paths.iter().filter(|path| of_classes || !path.starts_with("manifests/")) {
            if let Some(file) = files.get(path.as_str()) {
                self.mark_loaded(*file);
            }
        }
    }

    /// Returns a function of the code or the main manifest.
    pub(super) fn main_function(&self, name: &str) -> Option<Arc<Unit>> {
        let name = hir::fold_name(name);
        if let Some(unit) = self.code_units.get(&(DefinitionKind::Function, name.clone())) {
            return Some(unit.clone());
        }
        if !self.has_main_manifest() {
            return None;
        }
        let definition = project::resolve(self.db, self.environment, NameKind::Function, &name)?;
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
                if project::ambiguous_functions(self.db, self.environment).iter().any(|it| it == name) {
                    self.record_unknown_input(UnknownInput::AmbiguousFunction(name.into()));
                }
                if self.is_executed(file) {
                    return declared_ruby_function(self.db, file, index).map(FunctionSource::Declared);
                }
                ruby_function(self.db, file, index, name)
            }
            None => {
                self.mark_candidates_loaded(NameKind::Function, &hir::fold_name(name));
                self.in_loaded_manifest(DefinitionKind::Function, name).map(FunctionSource::Puppet)
            }
        }
    }

    /// Returns true if a function is evaluated from its code even if a built-in implementation exists: unlike
    /// the code, that calls no other function and no library of the module.
    pub(super) fn is_executed(&self, file: File) -> bool {
        let FileRole::Module { module, .. } = file.role(self.db) else {
            return self.request.changed_ruby.contains(file.path(self.db));
        };
        let root = module.root(self.db);
        let is_fact = |path: &project::vfs::FilePath| path.as_str().contains("/lib/facter/");
        self.request.changed_ruby.iter().any(|path| path.starts_with(root) && !is_fact(path))
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
        let paths = project::candidate_paths(NameKind::Class, &name);
        let files = paths.iter().filter_map(|path| files.get(path.as_str()).copied());
        let mut loaded = files.filter(|file| self.loaded.borrow().contains(file));
        let found = loaded.find_map(|file| {
            let found = project::resolve_in_file(self.db, file, NameKind::Function, &name)?;
            (found.file(self.db) == file).then_some(found)
        })?;
        Some(FunctionSource::Puppet(self.unit(found)))
    }

    pub(super) fn native_type(&self, name: &str) -> Option<ResourceTypeTarget> {
        let find = || project::resolve_native_type(self.db, &[self.environment], name);
        self.native_types.get_or(name, |it| Name::new(it), find)
    }

    /// Returns true if a missing name might be defined outside of an incomplete project.
    pub(super) fn may_be_absent(&self, kind: NameKind, name: &str) -> bool {
        self.may_be_elsewhere(kind, name, UnknownInput::Absent(kind, name.into()))
    }

    /// Like [`CompileProgram::may_be_absent`], but records the given unknown input.
    pub(super) fn may_be_elsewhere(&self, kind: NameKind, name: &str, part: UnknownInput) -> bool {
        let may_be =
            project::absence_in_environment(self.db, self.environment, kind, name) != Absence::NameMissing;
        if may_be && !name.is_empty() {
            self.record_unknown_input(part);
        }
        // In a complete project, Puppet fails on a missing definition.
        may_be && self.request.is_incomplete
    }
}

impl Definitions for CompileProgram<'_> {
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
        self.find(NameKind::TypeAlias, name)
            .or_else(|| self.in_loaded_manifest(DefinitionKind::TypeAlias, name))
    }

    fn is_alias_of_module(&self, name: &str) -> bool {
        let kind = NameKind::TypeAlias;
        project::resolve_in_modules(self.db, self.environment, kind, name).is_some()
    }

    fn class(&self, name: &str) -> Option<Arc<Unit>> {
        let find = |kind| self.find(kind, name);
        self.classes
            .get_or(
                name,
                |it| Name::new(it),
                || find(NameKind::Class).or_else(|| find(NameKind::DefinedType)),
            )
            .or_else(|| self.in_loaded_manifest(DefinitionKind::Class, name))
            .or_else(|| self.in_loaded_manifest(DefinitionKind::DefinedType, name))
    }

    fn class_exists(&self, name: &str) -> bool {
        self.exists(NameKind::Class, name) || self.in_loaded_manifest(DefinitionKind::Class, name).is_some()
    }

    fn resource_type(&self, name: &str) -> Option<Arc<RubyResourceType>> {
        self.native_type(name)?.resource_type().cloned()
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        project::native_type_exists(self.db, &[self.environment], name)
            || !self.exists(NameKind::Class, name)
                && (self.exists(NameKind::DefinedType, name)
                    || self.in_loaded_manifest(DefinitionKind::DefinedType, name).is_some())
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

    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool {
        match kind {
            MissingNameKind::Variable => self.may_be_set(name),
            MissingNameKind::Function => self.may_be_absent(NameKind::Function, name),
            MissingNameKind::Type => {
                let in_ruby = project::ruby_data_types(self.db, self.environment);
                let is_in_ruby = if name.is_empty() {
                    !in_ruby.is_empty()
                } else {
                    in_ruby.iter().any(|(known, _)| known == name)
                };
                is_in_ruby || self.may_be_absent(NameKind::TypeAlias, name)
            }
            MissingNameKind::Class => {
                let kind = NameKind::Class;
                // Each node is compiled with only some of the main manifests.
                let is_of_main = || {
                    let found = project::resolve(self.db, self.environment, kind, name);
                    found.is_some_and(|it| matches!(it.file(self.db).role(self.db), FileRole::MainManifest))
                };
                self.may_be_absent(kind, name) || self.request.is_incomplete && is_of_main()
            }
            // If the module is missing, so is the class of its name.
            MissingNameKind::Module => {
                self.may_be_elsewhere(NameKind::Class, name, UnknownInput::AbsentModule(name.into()))
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
}

impl Precomputed for CompileProgram<'_> {
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

    fn precomputed_alias(&self, unit: &Unit) -> Option<Arc<Type>> {
        match self.units.source(unit.id)? {
            UnitSource::Definition(definition) => precomputed_alias(self.db, definition).0,
            UnitSource::Code(_) => None,
        }
    }

    fn parameter_types(&self, unit: &Unit) -> Option<Arc<[Option<Type>]>> {
        match self.units.source(unit.id)? {
            UnitSource::Definition(definition) => Some(closed_parameter_types(self.db, definition).0),
            UnitSource::Code(_) => None,
        }
    }
}

impl Loading for CompileProgram<'_> {
    fn has_load_finding(&self) -> bool {
        self.load_finding.borrow().is_some()
    }

    fn take_load_warnings(&self) -> Vec<String> {
        self.load_warnings.take()
    }
}
