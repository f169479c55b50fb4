//! The project as a program for the evaluation of one definition, and helpers shared with whole compiles.

mod deep_aliases;
pub(crate) mod units;

use std::sync::Arc;

use eval::{
    Definitions, FactsAndData, Files, FunctionLibrary, FunctionSource, Loading, MissingNameKind,
    ModuleFolder, Observer, OtherNodes, Precomputed, ReadObserver, Unit, UnitId,
};
use facts::fact_types;
use hir::{DefinitionKind, Name};
use plugins::code::RubyProgram;
use project::{Db, DefinitionId, Environment, File, FileRole, FunctionTarget, ModuleTree};
use smol_str::SmolStr;
use syntax::Language;
use types::{NoTypes, Origin, Type, Value};

use self::deep_aliases::nests_too_deep;
use self::units::{UnitSource, UnitTable};
use crate::declared::{declared_bolt_function, declared_function, declared_ruby_function};

/// Returns the function that calls of a Ruby function are checked against.
pub(crate) fn ruby_function(db: &dyn Db, file: File, index: usize, name: &str) -> Option<FunctionSource> {
    if let FileRole::Module { module, .. } = file.role(db)
        && let code = project::text(db, file)
        && let Some(function) = functions::of_module(module.name(db), name, code.as_deref())
        && !code.is_some_and(|code| loses_scope(name, &code))
    {
        return Some(FunctionSource::Known(function));
    }
    declared_ruby_function(db, file, index).map(FunctionSource::Declared)
}

/// Returns true for `ensure_packages` of the versions of stdlib in which it forwards without the scope of its
/// caller, so that the main class contains the packages.
fn loses_scope(name: &str, code: &str) -> bool {
    name == "ensure_packages"
        && code.contains("call_function('stdlib::ensure_packages'")
        && !code.contains("scope_param")
}

/// Returns the value of a top-scope variable that Puppet sets, when facts and node are unknown.
pub(crate) fn unknown_global(name: &str) -> Option<Value> {
    let is_one = matches!(
        name,
        "facts"
            | "trusted"
            | "server_facts"
            | "environment"
            | "servername"
            | "serverip"
            | "serverversion"
            | "clientcert"
            | "clientversion"
    );
    is_one.then(|| Value::unknown(fact_types::type_of(name, &[]).unwrap_or(Type::Any), Origin::Fact))
}

/// Returns the type of `$variable[key]...` when facts are unknown.
pub(crate) fn type_of_fact(
    db: &dyn Db,
    environment: Environment,
    variable: &str,
    keys: &[Value],
) -> Option<Type> {
    let of_facter = fact_types::type_of(variable, keys);
    let Some(name) = fact_types::fact_name(variable, keys) else { return of_facter };
    let given = environment.fact_files(db);
    // A module may override a core fact.
    if project::custom_facts_named(db, environment, name).iter().any(|(file, _)| !given.contains(file)) {
        return None;
    }
    of_facter.or_else(|| type_of_given_fact(db, environment, variable, keys))
}

/// Returns the common type of a fact that only the user's fact files have. Optional, because other nodes may
/// lack it.
fn type_of_given_fact(db: &dyn Db, environment: Environment, variable: &str, keys: &[Value]) -> Option<Type> {
    if variable != "facts" || environment.fact_files(db).is_empty() {
        return None;
    }
    let path: Option<Vec<&str>> = keys.iter().map(Value::as_str).collect();
    let given = project::given_facts(db, environment, &path?);
    let types = given.iter().map(|(_, value)| types::infer::infer_generic(value, &NoTypes));
    (!given.is_empty()).then(|| Type::optional(types::common::union(types, &NoTypes)))
}

/// The project as seen by a definition in one of its files: parameters, facts and callers are unknown, and
/// declarations are not followed.
pub(crate) struct ProjectProgram<'db> {
    db: &'db dyn Db,
    file: File,
    environment: Environment,
    /// Kind of the definition that is evaluated.
    kind: DefinitionKind,
    units: UnitTable<'db>,
}

impl<'db> ProjectProgram<'db> {
    /// Creates the program for a definition of some kind in a file.
    pub(crate) fn new(
        db: &'db dyn Db,
        file: File,
        environment: Environment,
        kind: DefinitionKind,
    ) -> ProjectProgram<'db> {
        ProjectProgram { db, file, environment, kind, units: UnitTable::new(db, false) }
    }

    pub(crate) fn unit(&self, definition: DefinitionId) -> Arc<Unit> {
        self.units.unit(definition).0
    }

    /// Returns a unit for the parameter types of a definition: for most definitions, the body is not needed.
    pub(crate) fn types_of(&self, definition: DefinitionId) -> Option<Arc<Unit>> {
        let signature = project::signature(self.db, definition).as_ref()?;
        let body = hir::Body::of_parameter_types(signature)?;
        let kind = definition.key(self.db).kind;
        Some(self.units.add(UnitSource::Definition(definition), signature.name.clone(), kind, body.into()))
    }

    /// Returns the definition of a unit; `None` for an inline template.
    pub(crate) fn definition(&self, unit: UnitId) -> Option<DefinitionId> {
        match self.units.source(unit)? {
            UnitSource::Definition(definition) => Some(definition),
            UnitSource::Code(_) => None,
        }
    }

    fn find(&self, kind: project::NameKind, name: &str) -> Option<DefinitionId> {
        project::resolve_in_file(self.db, self.file, kind, name)
    }
}

impl Definitions for ProjectProgram<'_> {
    fn functions(&self) -> &'static dyn FunctionLibrary {
        functions::LIBRARY
    }

    fn function(&self, name: &str) -> Option<FunctionSource> {
        let Some(target) = project::resolve_function(self.db, self.file, name) else {
            return self.bolt_function(name);
        };
        match target {
            FunctionTarget::Puppet(definition) => {
                Some(FunctionSource::Declared(declared_function(self.db, definition)))
            }
            FunctionTarget::Ruby { file, index } => ruby_function(self.db, file, index, name),
        }
    }

    // It is unclear which functions modules see, so only Puppet's own are assumed there.
    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        if matches!(self.file.role(self.db), FileRole::Module { .. }) || functions::built_in(name).is_none() {
            return None;
        }
        let definition = self.find(project::NameKind::Function, name)?;
        Some(FunctionSource::Declared(declared_function(self.db, definition)))
    }

    fn type_alias(&self, name: &str) -> Option<Arc<Unit>> {
        Some(self.unit(self.find(project::NameKind::TypeAlias, name)?))
    }

    fn is_alias_of_module(&self, name: &str) -> bool {
        let alias = self.find(project::NameKind::TypeAlias, name);
        alias.is_some_and(|it| matches!(it.file(self.db).role(self.db), FileRole::Module { .. }))
    }

    fn class(&self, _: &str) -> Option<Arc<Unit>> {
        None
    }

    fn class_exists(&self, name: &str) -> bool {
        self.find(project::NameKind::Class, name).is_some()
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        project::resolve_resource_type(self.db, self.file, name).is_some()
    }

    // Variables set by a node or an including class are unknown. Names of functions and types that are
    // certainly missing, or look like a misspelling of one of Puppet's own, are undefined.
    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool {
        let is_missing =
            |kind| project::absence(self.db, self.file, kind, name) == project::Absence::NameMissing;
        match kind {
            MissingNameKind::Function => {
                functions::is_external_function(name)
                    || plugins::built_in::bolt::function(name).is_some()
                    || eval::similar_function(functions::LIBRARY, name).is_none()
                        && !is_missing(project::NameKind::Function)
            }
            MissingNameKind::Type => {
                project::ruby_data_type(self.db, self.file, name).is_some()
                    || plugins::built_in::bolt::is_type(name)
                    || plugins::built_in::similar_data_type(name).is_none()
                        && !(is_missing(project::NameKind::TypeAlias)
                            && is_missing(project::NameKind::DefinedType))
            }
            MissingNameKind::Variable
            | MissingNameKind::Class
            | MissingNameKind::Module
            | MissingNameKind::ModuleData
            | MissingNameKind::Resource => true,
        }
    }
}

impl ProjectProgram<'_> {
    /// Returns a function of Bolt, which only plans can call.
    fn bolt_function(&self, name: &str) -> Option<FunctionSource> {
        let index = plugins::built_in::bolt::functions().iter().position(|it| it.name == name)?;
        let is_plan = project::language(self.db, self.file) == Language::Plan;
        let function = is_plan.then(|| declared_bolt_function(self.db, self.file, index)).flatten()?;
        Some(FunctionSource::Declared(function))
    }
}

impl Precomputed for ProjectProgram<'_> {
    fn nests_too_deep(&self, alias: UnitId) -> bool {
        self.definition(alias).is_some_and(|alias| nests_too_deep(self.db, alias))
    }
}

impl Files for ProjectProgram<'_> {
    fn module_folder(&self, _: &str) -> ModuleFolder {
        ModuleFolder::Unclear
    }

    fn module_file(&self, _: &str, _: &str) -> Option<Arc<[u8]>> {
        None
    }

    fn logs_deprecation(&self, function: &str) -> bool {
        logs_deprecation(self.db, self.environment, function)
    }

    fn ruby_file(&self, path: &str) -> Option<Arc<RubyProgram>> {
        let file = project::ruby_library_file(self.db, self.environment, path)?;
        project::ruby_program(self.db, file)
    }

    fn ruby_providers(&self, resource_type: &str) -> Vec<(SmolStr, Arc<RubyProgram>)> {
        project::provider_programs(self.db, self.environment, resource_type)
    }
}

impl FactsAndData for ProjectProgram<'_> {
    fn global(&self, name: &str) -> Option<Value> {
        let in_declaration = matches!(self.kind, DefinitionKind::Class | DefinitionKind::DefinedType);
        match name {
            "title" | "name" if in_declaration => Some(Value::unknown(Type::STRING, Origin::Parameter)),
            "module_name" => match self.file.role(self.db) {
                FileRole::Module { module, .. } if module.name_is_certain(self.db) => {
                    Some(Value::String(Name::new(module.name(self.db).as_str())))
                }
                _ => Some(Value::unknown(Type::STRING, Origin::Fact)),
            },
            "caller_module_name" => Some(Value::unknown(Type::STRING, Origin::Fact)),
            _ => unknown_global(name),
        }
    }

    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type> {
        type_of_fact(self.db, self.environment, variable, keys)
    }
}

impl OtherNodes for ProjectProgram<'_> {}

impl Loading for ProjectProgram<'_> {}

impl ReadObserver for ProjectProgram<'_> {}

impl Observer for ProjectProgram<'_> {}

/// Returns true if a function of the environment's stdlib logs its deprecation. Assumed for all if there is
/// no stdlib.
pub(crate) fn logs_deprecation(db: &dyn Db, environment: Environment, function: &str) -> bool {
    let stdlib = environment.modules(db).get("stdlib");
    stdlib.is_none_or(|module| names_deprecation(db, *module, function.into()))
}

#[salsa::tracked(returns(copy))]
fn names_deprecation(db: &dyn Db, module: ModuleTree, function: Name) -> bool {
    let folders = ["lib/puppet/functions", "lib/puppet/parser/functions"];
    let paths = folders.map(|folder| format!("{folder}/{function}.rb"));
    let mut texts =
        paths.iter().filter_map(|path| project::text(db, *module.files(db).get(path.as_str())?)).peekable();
    texts.peek().is_none() || texts.any(|text| text.contains("deprecat"))
}
