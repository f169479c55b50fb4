//! Effects of modules' Ruby code on resources and facts, as far as they can be determined.

mod known_facts;
mod known_types;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use eval::World;
use plugins::code::RubyProgram;
use project::{Db, Environment, File};
use resources::PlainTypes;
use ruby::{
    FactFile, FactOutcome, GivenResource, HostCalls, HostExit, HostFact, HostFiles, HostSystem,
    HostVariables, Object, RequiredFile, ResourceOutcome, ResourceRefusal, StopReason,
};
use smol_str::SmolStr;
use types::{HashValue, NoTypes, Origin, Type, TypeEnvironment, Value};

/// Step limit for one resource; for all facts together, it is ten times as high.
const STEP_LIMIT: usize = 200_000;

/// Returns true if a type written in Ruby certainly accepts a title and attributes, as far as that follows from
/// its lists of values. `file` defines the type.
pub fn certainly_accepts(
    db: &dyn Db,
    file: File,
    type_name: &str,
    title: Option<&str>,
    attributes: &[(SmolStr, Value)],
) -> bool {
    plain_types(db, file).certainly_accept(type_name, title, attributes)
}

#[salsa::tracked(returns(clone), no_eq)]
fn plain_types(db: &dyn Db, file: File) -> Arc<PlainTypes> {
    let program = project::ruby_program(db, file);
    Arc::new(program.map(|it| PlainTypes::of_program(&it)).unwrap_or_default())
}

/// Returns the error if a type refuses a resource on every platform and with every Puppet version; `None` if
/// it does not, or if that is unknown. `program` is the file that defines the type.
pub fn refusal(
    world: &World<'_>,
    program: &Arc<RubyProgram>,
    type_name: &str,
    title: Option<&str>,
    attributes: &[(SmolStr, Value)],
) -> Option<ResourceRefusal> {
    let on = |is_windows, puppet_version| {
        let given = GivenResource { type_name, title, attributes, is_complete: false };
        let host = PluginHost::without_facts(world, world, is_windows, Some(puppet_version));
        known_types::check_resource(host, program, &given).ok()?.refusal
    };
    let refusal = on(false, 8)?;
    let is_refused = |it: Option<ResourceRefusal>| it.is_some_and(|it| it.attribute == refusal.attribute);
    (is_refused(on(true, 8)) && is_refused(on(false, 7))).then_some(refusal)
}

/// Checks a fully known resource against its type, on a platform and with a Puppet version.
///
/// # Errors
///
/// Returns the reason if the type's file cannot be evaluated.
pub fn check_whole_resource(
    files: &dyn LibraryFiles,
    program: &Arc<RubyProgram>,
    type_name: &str,
    title: &str,
    attributes: &[(SmolStr, Value)],
    is_windows: bool,
    puppet_version: u32,
) -> Result<ResourceOutcome, StopReason> {
    let given = GivenResource { type_name, title: Some(title), attributes, is_complete: true };
    let host = PluginHost::without_facts(files, &NoTypes, is_windows, Some(puppet_version));
    known_types::check_resource(host, program, &given)
}

/// Evaluates the facts that files of these programs add, given Facter's own. `settled` facts keep their
/// values, whatever the files compute.
pub fn facts_of_files(
    files: &dyn LibraryFiles,
    programs: &[FactFile],
    facts: &HashValue,
    settled: &HashValue,
) -> Vec<(SmolStr, FactOutcome)> {
    ruby::facts_of_files(&mut PluginHost::of_agent(files, facts, settled), programs)
}

/// Returns the facts that the modules of an environment add, by name: those that are known, and absent ones
/// as `undef`.
pub(crate) fn facts_of_modules(
    db: &dyn Db,
    environment: Environment,
    facts: &HashValue,
    of_modules: &HashValue,
) -> Vec<(SmolStr, Value)> {
    let mut by_path: BTreeMap<String, (project::File, Vec<SmolStr>)> = BTreeMap::new();
    for (file, fact) in project::custom_facts(db, environment) {
        let path = file.path(db).as_str().to_owned();
        by_path.entry(path).or_insert_with(|| (*file, Vec::new())).1.push(fact.name.clone());
    }
    let files: Vec<FactFile> = by_path
        .into_iter()
        .filter(|(path, _)| path.ends_with(".rb"))
        .filter_map(|(_, (file, names))| Some(FactFile { program: project::ruby_program(db, file)?, names }))
        .collect();
    // Facts from data files take precedence.
    let mut known: Vec<(SmolStr, Value)> = project::external_fact_values(db, environment)
        .into_iter()
        .map(|(name, value)| (name, value.unwrap_or_else(|| Value::unknown(Type::Any, Origin::Fact))))
        .collect();
    if files.is_empty() {
        return known;
    }
    let mut settled = of_modules.clone();
    settled.extend(known.iter().map(|(name, value)| (Value::String(name.clone()), value.clone())));
    let library = ProjectLibrary { db, environment };
    for (name, outcome) in known_facts::facts_of_files(&library, &files, facts, &settled) {
        let value = match outcome {
            FactOutcome::Known(value) => value,
            FactOutcome::Absent => Value::Undef,
            FactOutcome::Unknown(_) => continue,
        };
        if known.iter().all(|(other, _)| *other != name) {
            known.push((name, value));
        }
    }
    known
}

/// Source of required Ruby files.
pub trait LibraryFiles {
    /// Returns the file at a path below the `lib` folder of some module.
    fn library_file(&self, path: &str) -> Option<Arc<RubyProgram>>;

    /// Returns the providers of a resource type, with their files.
    fn providers(&self, resource_type: &str) -> Providers;
}

impl LibraryFiles for World<'_> {
    fn library_file(&self, path: &str) -> Option<Arc<RubyProgram>> {
        self.program.ruby_file(path)
    }

    fn providers(&self, resource_type: &str) -> Providers {
        self.program.ruby_providers(resource_type)
    }
}

struct ProjectLibrary<'a> {
    db: &'a dyn Db,
    environment: Environment,
}

impl LibraryFiles for ProjectLibrary<'_> {
    fn library_file(&self, path: &str) -> Option<Arc<RubyProgram>> {
        let file = project::ruby_library_file(self.db, self.environment, path)?;
        project::ruby_program(self.db, file)
    }

    fn providers(&self, resource_type: &str) -> Providers {
        project::provider_programs(self.db, self.environment, resource_type)
    }
}

/// Providers of a type by name, with their files.
type Providers = Vec<(SmolStr, Arc<RubyProgram>)>;

/// Host for Ruby code on an agent, which has no scope and no functions.
struct PluginHost<'a> {
    files: &'a dyn LibraryFiles,
    env: &'a dyn TypeEnvironment,
    steps: usize,
    is_windows: bool,
    puppet_version: Option<u32>,
    /// `None` if no facts are known.
    facts: Option<&'a HashValue>,
    settled: Option<&'a HashValue>,
    /// Files that were required so far, each with the result.
    required: Vec<(String, Option<Arc<RubyProgram>>)>,
    /// Types whose providers were requested, each with the result.
    requested_providers: Vec<(String, Providers)>,
    /// Facts that were read so far.
    read_facts: RefCell<Vec<ReadOfFact>>,
}

/// Read of a fact, with the result.
#[derive(PartialEq, Debug)]
enum ReadOfFact {
    Value(String, HostFact),
    IsFinal(String, bool),
}

impl<'a> PluginHost<'a> {
    /// Creates a host for a resource.
    fn without_facts(
        files: &'a dyn LibraryFiles,
        env: &'a dyn TypeEnvironment,
        is_windows: bool,
        puppet_version: Option<u32>,
    ) -> PluginHost<'a> {
        PluginHost {
            files,
            env,
            steps: STEP_LIMIT,
            is_windows,
            puppet_version,
            facts: None,
            settled: None,
            required: Vec::new(),
            requested_providers: Vec::new(),
            read_facts: RefCell::default(),
        }
    }

    /// Creates a host for the files that add facts.
    fn of_agent(files: &'a dyn LibraryFiles, facts: &'a HashValue, settled: &'a HashValue) -> PluginHost<'a> {
        let is_windows = facts.get_text("kernel").and_then(Value::as_str) == Some("windows");
        let version = facts.get_text("puppetversion").and_then(Value::as_str);
        let puppet_version = version.and_then(|it| it.split('.').next()?.parse().ok());
        PluginHost {
            steps: 10 * STEP_LIMIT,
            facts: Some(facts),
            settled: Some(settled),
            ..PluginHost::without_facts(files, &NoTypes, is_windows, puppet_version)
        }
    }

    fn value_of_fact(&self, name: &str) -> HostFact {
        let Some(facts) = self.facts else { return HostFact::Unknown };
        let mut parts = name.split('.');
        let of = |first| self.settled.and_then(|it| it.get_text(first)).or_else(|| facts.get_text(first));
        let mut found = parts.next().and_then(of).cloned();
        for part in parts {
            found = match found {
                Some(Value::Hash(entries)) => entries.get_text(part).cloned(),
                Some(Value::Unknown(_)) => return HostFact::Unknown,
                _ => None,
            };
        }
        match found {
            None | Some(Value::Undef) => HostFact::Absent,
            Some(Value::Unknown(_)) => HostFact::Unknown,
            Some(value) => HostFact::Known(value),
        }
    }

    fn is_settled(&self, name: &str) -> bool {
        self.settled.is_some_and(|settled| settled.get_text(name).is_some())
    }
}

impl HostVariables for PluginHost<'_> {
    fn variable(&self, _name: &str) -> Option<Value> {
        None
    }

    fn lookup(&mut self, _name: &str) -> Result<Option<Value>, HostExit> {
        Err(HostExit { exit: Box::new(()), is_error: false })
    }

    fn own_variable(&self, _name: &str) -> Option<Object> {
        None
    }

    fn set_variable(&mut self, _name: &str, _value: Object) -> bool {
        false
    }
}

impl HostCalls for PluginHost<'_> {
    fn step(&mut self, steps: usize) -> Result<(), HostExit> {
        match self.steps.checked_sub(steps.max(1)) {
            Some(left) => {
                self.steps = left;
                Ok(())
            }
            None => Err(HostExit { exit: Box::new(()), is_error: false }),
        }
    }

    fn env(&self) -> &dyn TypeEnvironment {
        self.env
    }

    fn call_function(&mut self, _name: &str, _arguments: Vec<Value>) -> Result<Value, HostExit> {
        Err(HostExit { exit: Box::new(()), is_error: false })
    }

    fn call_legacy_function(
        &mut self,
        _name: &str,
        _arguments: Vec<Value>,
    ) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }
}

impl HostFiles for PluginHost<'_> {
    fn required(&mut self, path: &str) -> Option<RequiredFile> {
        let found = self.files.library_file(path);
        self.required.push((path.to_owned(), found.clone()));
        found.map(RequiredFile::Program)
    }

    fn providers(&mut self, resource_type: &str) -> Providers {
        let found = self.files.providers(resource_type);
        self.requested_providers.push((resource_type.to_owned(), found.clone()));
        found
    }
}

impl HostSystem for PluginHost<'_> {
    fn fact(&mut self, name: &str) -> HostFact {
        let value = self.value_of_fact(name);
        self.read_facts.get_mut().push(ReadOfFact::Value(name.to_owned(), value.clone()));
        value
    }

    fn is_final_fact(&self, name: &str) -> bool {
        let is_final = self.is_settled(name);
        self.read_facts.borrow_mut().push(ReadOfFact::IsFinal(name.to_owned(), is_final));
        is_final
    }

    fn puppet_version(&self) -> Option<u32> {
        self.puppet_version
    }

    fn is_windows(&self) -> Option<bool> {
        Some(self.is_windows)
    }
}
