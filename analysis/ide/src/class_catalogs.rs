//! Catalogs of module classes, compiled for the platforms that the module supports.

use compile::NodeHost;
use hir::{DefinitionKind, DefinitionSummary};
use project::{Db, DefinitionId, Environment, File, FileRole, ModuleTree, NameKind};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::TextRange;

use crate::compiled::{self, Compiled, EnvironmentId};

/// A class in a module or a main manifest.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModuleClass {
    pub name: String,
    pub environment: EnvironmentId,
    definition: DefinitionId,
    /// `None` for a class in a main manifest.
    pub(crate) module: Option<ModuleTree>,
}

/// Compile results of a class on its platforms, or of the hosts of a node definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ClassStatus {
    pub name: String,
    /// Number of platforms that the module supports.
    pub platforms: usize,
    /// Number of platforms on which the class compiles.
    pub compiles: usize,
    /// Names of the platforms on which it definitely fails to compile.
    pub fails: Vec<String>,
    /// Names of the platforms whose result is inconclusive because something was not evaluated.
    pub inconclusive: Vec<String>,
    /// Descriptions of the parts that were not evaluated.
    pub inconclusive_reasons: Vec<String>,
    /// True for a node definition. Its `name` is then its index among the definitions of the file, and its
    /// hosts are counted instead of platforms.
    pub is_node: bool,
}

/// A class compiled for one platform.
#[derive(Debug)]
pub struct ClassCatalog {
    pub class: String,
    pub platform: String,
    /// Name of the node; `None` if the class was compiled for any node.
    pub node: Option<String>,
    pub compiled: Compiled,
}

/// Returns the classes of a module file with the ranges of their names, by position.
pub(crate) fn classes_of_file(db: &dyn Db, file: File) -> Vec<(ModuleClass, TextRange)> {
    let FileRole::Module { module, .. } = file.role(db) else { return Vec::new() };
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let definitions = project::definitions(db, file);
    let ranges = project::definition_ranges(db, file);
    let classes = definitions.into_iter().zip(ranges.iter());
    let classes = classes.filter(|(it, _)| it.key(db).kind == DefinitionKind::Class);
    classes.map(|(it, ranges)| (class(db, environment, Some(*module), it), ranges.name)).collect()
}

/// Returns the class that contains `offset`. Outside of all definitions, returns the only class of the file,
/// if there is exactly one.
pub(crate) fn class_around(db: &dyn Db, file: File, offset: u32) -> Option<ModuleClass> {
    let definitions = project::definitions(db, file);
    let ranges = project::definition_ranges(db, file);
    let around = definitions.into_iter().zip(ranges.iter());
    let around = around.filter(|(_, ranges)| ranges.full.start <= offset && offset <= ranges.full.end);
    let (innermost, _) = around.min_by_key(|(_, ranges)| ranges.full.end - ranges.full.start)?;
    let mut classes = classes_of_file(db, file);
    match innermost.key(db).kind {
        DefinitionKind::Class => class_of(db, innermost),
        DefinitionKind::Main if classes.len() == 1 => classes.pop().map(|(class, _)| class),
        _ => None,
    }
}

/// Resolves the name of a class in an environment.
pub(crate) fn class_named(db: &dyn Db, environment: EnvironmentId, name: &str) -> Option<ModuleClass> {
    let name = name.strip_prefix("::").unwrap_or(name);
    let definition = project::resolve(db, environment.0, NameKind::Class, name)?;
    let module = module_of(db, definition)?;
    (definition.key(db).kind == DefinitionKind::Class).then(|| class(db, environment.0, module, definition))
}

/// Returns the class that `definition` is, if it is one.
pub(crate) fn class_of(db: &dyn Db, definition: DefinitionId) -> Option<ModuleClass> {
    let module = module_of(db, definition)?;
    let environment = definition.file(db).environments(db).first().copied()?;
    (definition.key(db).kind == DefinitionKind::Class).then(|| class(db, environment, module, definition))
}

/// Returns the module of a definition, `Some(None)` if it is in a main manifest; `None` for other files.
fn module_of(db: &dyn Db, definition: DefinitionId) -> Option<Option<ModuleTree>> {
    match definition.file(db).role(db) {
        FileRole::Module { module, .. } => Some(Some(*module)),
        FileRole::MainManifest => Some(None),
        FileRole::Loose => None,
    }
}

fn class(
    db: &dyn Db,
    environment: Environment,
    module: Option<ModuleTree>,
    definition: DefinitionId,
) -> ModuleClass {
    let name = definition.key(db).name.to_string();
    ModuleClass { name, environment: EnvironmentId(environment), definition, module }
}

/// Returns the location of the name in the class header.
pub(crate) fn head(db: &dyn Db, class: &ModuleClass) -> Option<(File, TextRange)> {
    let file = class.definition.file(db);
    let position = project::definitions(db, file).iter().position(|it| *it == class.definition)?;
    Some((file, project::definition_ranges(db, file).get(position)?.name))
}

/// Returns the names of the platforms that a class can be compiled for.
pub(crate) fn platforms(db: &dyn Db, class: &ModuleClass) -> Vec<String> {
    compile::class_platforms(db, class.environment.0, class.module)
        .into_iter()
        .map(|(_, name)| name.to_string())
        .collect()
}

/// Compiles a class for `platform`, or for the first platform of the module if `None`, and with the name and
/// the fact file of `node`. Returns `None` if the module does not support the platform.
pub(crate) fn catalog(
    db: &dyn Db,
    class: &ModuleClass,
    platform: Option<&str>,
    node: Option<&str>,
    reader: Option<&dyn compile::FileReader>,
) -> Option<ClassCatalog> {
    let mut all = compile::class_platforms(db, class.environment.0, class.module).into_iter();
    let (facts, name) = match platform {
        Some(wanted) => all.find(|(_, name)| name == wanted)?,
        None => all.next()?,
    };
    let environment = class.environment.0;
    let class_name = &class.definition.key(db).name;
    let node_name = node.map(|it| hir::Name::new(it.to_lowercase()));
    let request = match &node_name {
        Some(node) => compile::class_request_on_node(db, environment, class_name, facts, node)?,
        None => compile::class_request(db, environment, class_name, facts)?,
    };
    let compiled = compiled::compile(db, class.environment, &request, reader);
    Some(ClassCatalog {
        class: class.name.clone(),
        platform: name.to_string(),
        node: node_name.map(|it| it.to_string()),
        compiled,
    })
}

/// Returns the compile results of the classes of a file. Classes that refuse to be declared on their own are
/// left out.
pub(crate) fn statuses(db: &dyn Db, file: File) -> Vec<ClassStatus> {
    let mut statuses = Vec::new();
    for (class, _) in classes_of_file(db, file) {
        let Some(module) = class.module else { continue };
        let found = compile::class_compiles(db, class.environment.0, module, class.definition);
        if found.is_refused || found.compiles + found.fails.len() + found.inconclusive.len() == 0 {
            continue;
        }
        statuses.push(ClassStatus {
            name: class.name,
            platforms: found.platforms,
            compiles: found.compiles,
            fails: found.fails.iter().map(ToString::to_string).collect(),
            inconclusive: found.inconclusive.iter().map(ToString::to_string).collect(),
            inconclusive_reasons: with_missing_modules(db, class.environment.0, found.inconclusive_reasons),
            is_node: false,
        });
    }
    statuses.extend(node_statuses(db, file));
    statuses
}

/// Replaces names that were not found with the module that would define them, if the environment does not
/// have it.
fn with_missing_modules(db: &dyn Db, environment: Environment, reasons: Vec<String>) -> Vec<String> {
    let missing_module = |reason: &str| {
        let (kind, name) = reason.strip_suffix("` not found")?.split_once(" `")?;
        let (module, is_qualified) = name.split_once("::").map_or((name, false), |(first, _)| (first, true));
        let is_of_module = kind == "class" || is_qualified;
        let is_missing = !environment.modules(db).contains_key(module);
        (is_of_module && is_missing).then(|| format!("module `{module}` not found"))
    };
    let mut found: Vec<String> = Vec::new();
    for reason in reasons {
        let reason = missing_module(&reason).unwrap_or(reason);
        if !found.contains(&reason) {
            found.push(reason);
        }
    }
    found
}

/// Returns the compile results of the node definitions in a file of the main manifest.
fn node_statuses(db: &dyn Db, file: File) -> Vec<ClassStatus> {
    let environments = file.environments(db).iter().copied();
    let Some(environment) = environments.into_iter().find(|it| it.main_manifests(db).contains(&file)) else {
        return Vec::new();
    };
    let definitions = project::item_summary(db, file).definitions.iter().enumerate();
    let nodes: Vec<_> = definitions.filter(|(_, it)| it.key.kind == DefinitionKind::Node).collect();
    if nodes.is_empty() {
        return Vec::new();
    }
    let reasons_by_host: FxHashMap<String, Vec<String>> =
        compile::inconclusive_nodes(db, environment).into_iter().collect();
    let findings = compile::node_findings(db, environment);
    let failing: FxHashSet<&str> =
        findings.iter().flat_map(|it| it.nodes.iter().map(|node| node.as_str())).collect();
    let status = |(index, definition): (usize, &DefinitionSummary)| {
        let hosts: Vec<NodeHost> = definition.hosts.iter().filter_map(compile::node_host).collect();
        let fails =
            hosts.iter().filter(|it| it.node.as_ref().is_some_and(|it| failing.contains(it.as_str())));
        let fails: Vec<String> = fails.map(|it| it.written.clone()).collect();
        let inconclusive_hosts =
            hosts.iter().filter_map(|it| Some((it.written.clone(), reasons_by_host.get(&it.written)?)));
        let (inconclusive, reasons): (Vec<String>, Vec<&Vec<String>>) = inconclusive_hosts.unzip();
        ClassStatus {
            name: index.to_string(),
            platforms: hosts.len(),
            compiles: hosts.len() - (fails.len() + inconclusive.len()).min(hosts.len()),
            fails,
            inconclusive,
            inconclusive_reasons: with_missing_modules(
                db,
                environment,
                reasons.into_iter().flatten().cloned().collect(),
            ),
            is_node: true,
        }
    };
    nodes.into_iter().map(status).collect()
}

/// Returns the node definitions of a file with the ranges of their hosts, named by their index among the
/// definitions.
pub(crate) fn nodes_of_file(db: &dyn Db, file: File) -> Vec<(String, TextRange)> {
    let definitions = project::item_summary(db, file).definitions.iter().enumerate();
    let ranges = project::definition_ranges(db, file);
    let nodes = definitions.filter(|(_, it)| it.key.kind == DefinitionKind::Node);
    nodes.filter_map(|(index, _)| Some((index.to_string(), ranges.get(index)?.name))).collect()
}

/// Returns the classes or nodes of a file whose compile is inconclusive, with descriptions of the parts that
/// were not evaluated.
pub(crate) fn inconclusive_compiles(db: &dyn Db, file: File) -> Vec<(String, Vec<String>)> {
    if !matches!(file.role(db), FileRole::MainManifest) {
        let reasons = classes_of_file(db, file).into_iter().filter_map(|(class, _)| {
            let (environment, module) = (class.environment.0, class.module?);
            let reasons = compile::inconclusive_reasons_of_class(db, environment, module, class.definition);
            Some((class.name, reasons))
        });
        return reasons.filter(|(_, reasons)| !reasons.is_empty()).collect();
    }
    let environments = file.environments(db).iter().copied();
    let first = environments.filter(|it| it.main_manifests(db).first() == Some(&file));
    first.flat_map(|environment| compile::inconclusive_nodes(db, environment)).collect()
}
