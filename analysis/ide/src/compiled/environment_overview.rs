//! Overview of an environment: its modules, those that are missing, and the facts that catalogs are compiled
//! with.

use compile::Facts;
use project::vfs::FilePath;
use project::{Db, Environment, ModuleTree};
use symbols::FileId;
use syntax::TextRange;
use types::{HashValue, NoTypes, Value};
use validation::PuppetVersion;

use crate::compiled::version_of;

/// Modules and nodes of an environment.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EnvironmentOverview {
    /// `None` for the environment of files that are in no other one.
    pub root: Option<FilePath>,
    pub puppet_version: PuppetVersion,
    /// Modules by name, without the files of the environment itself.
    pub modules: Vec<ModuleOverview>,
    /// Names of the modules that the code uses or the `Puppetfile` lists, and that are not installed; sorted.
    pub missing_modules: Vec<String>,
    pub puppetfile: Option<PuppetfileOverview>,
    /// Names of the nodes in the main manifest and in fact files, without patterns.
    pub nodes: Vec<String>,
    /// Names of the fact sets that catalogs can be compiled with.
    pub fact_sets: Vec<String>,
}

/// An installed module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleOverview {
    pub name: String,
    pub root: FilePath,
    /// Version in `metadata.json`.
    pub version: Option<String>,
    /// Modules in `metadata.json`, each with its version range.
    pub dependencies: Vec<(String, Option<String>)>,
}

/// Modules that a `Puppetfile` lists, in order.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileOverview {
    pub file: FileId,
    pub modules: Vec<PuppetfileEntry>,
}

/// A `mod` of a `Puppetfile`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileEntry {
    /// Name of the module's folder.
    pub module: String,
    /// Version and options as written.
    pub version: String,
    pub range: TextRange,
}

/// A fact, or an element of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ShownFact {
    pub name: String,
    /// Expression with the value: `$facts['os']['family']`
    pub expression: String,
    /// Value in Puppet's notation, or its type in angle brackets if it is unknown.
    pub value: String,
    /// Elements of a structured fact.
    pub elements: Vec<ShownFact>,
}

/// Maximum length of a value, in characters.
const MAX_VALUE_LENGTH: usize = 500;

/// Maximum depth of structured facts.
const MAX_FACT_DEPTH: usize = 8;

pub(crate) fn overview(db: &dyn Db, environment: Environment) -> EnvironmentOverview {
    let own = |name: &str| name == ENVIRONMENT_MODULE;
    let modules = environment.modules(db).iter().filter(|(name, _)| !own(name));
    let puppetfile = project::puppetfile(db, environment).map(|file| {
        let modules = project::puppetfile_of(db, file).modules.iter();
        let modules = modules.map(|module| PuppetfileEntry {
            module: project::installed_name(module).to_string(),
            version: version_of(module),
            range: module.range,
        });
        PuppetfileOverview { file: FileId(file), modules: modules.collect() }
    });
    EnvironmentOverview {
        root: environment.root(db).clone(),
        puppet_version: environment.puppet_version(db),
        modules: modules.map(|(name, tree)| module(db, name, *tree)).collect(),
        missing_modules: missing_modules(db, environment),
        puppetfile,
        nodes: nodes(db, environment),
        fact_sets: compile::fact_sets(db, environment).into_iter().map(|(name, _)| name.into()).collect(),
    }
}

/// Name of the module that holds the files of the environment itself.
const ENVIRONMENT_MODULE: &str = "environment";

fn module(db: &dyn Db, name: &str, tree: ModuleTree) -> ModuleOverview {
    let metadata = project::metadata_file(db, tree).map(|file| project::module_metadata(db, file));
    let dependencies = metadata.iter().flat_map(|it| it.dependencies()).map(|it| {
        let version = it.version_requirement.as_ref().map(|it| it.text.to_string());
        (it.module().to_string(), version)
    });
    ModuleOverview {
        name: name.to_owned(),
        root: tree.root(db).clone(),
        version: metadata.as_ref().and_then(|it| Some(it.version()?.text.to_string())),
        dependencies: dependencies.collect(),
    }
}

fn missing_modules(db: &dyn Db, environment: Environment) -> Vec<String> {
    let installed = environment.modules(db);
    let expected = project::expected_modules(db, environment).iter().cloned();
    let missing = expected.filter(|it| !installed.contains_key(it.as_str()));
    let mut names: Vec<String> =
        missing.chain(check::modules_missed_by_code(db, environment)).map(|it| it.to_string()).collect();
    names.sort_unstable();
    names.dedup();
    names
}

fn nodes(db: &dyn Db, environment: Environment) -> Vec<String> {
    let hosts = compile::node_hosts(db, environment);
    let written = hosts.iter().filter(|it| !it.is_invented && it.written != compile::ANY_NODE);
    let named = written.filter_map(|it| it.node.clone()).chain(compile::nodes_of_fact_files(db, environment));
    let mut names: Vec<String> = Vec::new();
    for name in named.map(|it| it.to_string()).filter(|it| it != "default") {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns the facts of a fact set by name; `None` if there is no such fact set.
pub(crate) fn facts(db: &dyn Db, environment: Environment, fact_set: &str) -> Option<Vec<ShownFact>> {
    let (_, facts) = compile::fact_sets(db, environment).into_iter().find(|(name, _)| name == fact_set)?;
    let mut shown = match facts {
        Facts::Platform { facts, of_modules } => {
            let mut shown = elements(&facts, "$facts", 0);
            let further = elements(&of_modules, "$facts", 0).into_iter();
            shown.extend(further.filter(|it| facts.get_text(&it.name).is_none()));
            shown
        }
        Facts::Given(facts) => elements(&facts, "$facts", 0),
        Facts::Unknown => Vec::new(),
    };
    shown.sort_by(|a, b| a.name.cmp(&b.name));
    Some(shown)
}

fn elements(facts: &HashValue, around: &str, depth: usize) -> Vec<ShownFact> {
    let shown = |(key, value): (&Value, &Value)| {
        let key = types::text::to_notation(key, &NoTypes);
        let expression = format!("{around}[{key}]");
        let elements = match value {
            Value::Hash(inner) if depth < MAX_FACT_DEPTH => elements(inner, &expression, depth + 1),
            _ => Vec::new(),
        };
        let value = types::text::to_notation(value, &NoTypes);
        let value = match value.char_indices().nth(MAX_VALUE_LENGTH) {
            Some((end, _)) => format!("{}…", &value[..end]),
            None => value,
        };
        ShownFact { name: key.trim_matches('\'').to_owned(), expression, value, elements }
    };
    facts.iter().map(shown).collect()
}
