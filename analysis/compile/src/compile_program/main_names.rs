//! Definitions of an environment's main program: names that no other definition may have, and the candidate
//! node definitions.

use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, DefinitionSummary, HostMatch, Name};
use project::{Db, Environment, File};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::TextRange;

use crate::loading::{CodeText, LoadFinding};

/// Nodes and classes of a main program, as Puppet keeps them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MainNames {
    nodes: FxHashSet<Name>,
    classes: FxHashSet<Name>,
    /// First definition whose name is already taken.
    pub(crate) refusal: Option<LoadFinding>,
}

impl MainNames {
    /// Collects the names of code that replaces the main manifest.
    pub(crate) fn of_code(code: &CodeText) -> MainNames {
        let named = code.lowered().definitions.iter().map(|it| (None, &it.key, &*it.body.hosts));
        MainNames::new(named, |_, index| hir::definition_ranges(code.parse()).get(index).map(|it| it.name))
    }

    /// Collects names from definitions in source order; nodes come with their hosts. `range` returns the
    /// range of a definition's name by its file and index.
    fn new<'k>(
        definitions: impl Iterator<Item = (Option<File>, &'k DefinitionKey, &'k [HostMatch])>,
        range: impl Fn(Option<File>, usize) -> Option<TextRange>,
    ) -> MainNames {
        let mut found = MainNames::default();
        let mut seen = FxHashMap::default();
        for (index, (file, key, hosts)) in definitions.enumerate() {
            let (kind, names) = match key.kind {
                DefinitionKind::Class | DefinitionKind::DefinedType => {
                    (DefinitionKind::Class, vec![key.name.clone()])
                }
                DefinitionKind::Function | DefinitionKind::TypeAlias => (key.kind, vec![key.name.clone()]),
                DefinitionKind::Node => (key.kind, hosts.iter().filter_map(HostMatch::key).collect()),
                _ => continue,
            };
            for name in names {
                let other = found.clash(key.kind, &name);
                let same = seen.get(&(kind, name.clone())).copied();
                let reserved = eval::refused_alias(key);
                let code = match reserved {
                    Some(_) => Code::ReservedTypeName,
                    None => Code::DuplicateDefinition,
                };
                let message =
                    other.or(reserved).or_else(|| same.map(|_| format!("`{}` is already defined", key.name)));
                if let Some(message) = message.filter(|_| found.refusal.is_none()) {
                    let earlier = same.and_then(|(file, index)| Some((file, range(file, index)?)));
                    let range = range(file, index).unwrap_or(TextRange::empty(0));
                    found.refusal = Some(LoadFinding { file, code, message, range, earlier });
                }
                match key.kind {
                    DefinitionKind::Node => drop(found.nodes.insert(name.clone())),
                    DefinitionKind::Class => drop(found.classes.insert(name.clone())),
                    _ => {}
                }
                seen.entry((kind, name)).or_insert((file, index));
            }
        }
        found
    }

    pub(crate) fn has_nodes(&self) -> bool {
        !self.nodes.is_empty()
    }

    /// Returns the error if a class and a node share a name.
    pub(crate) fn clash(&self, kind: DefinitionKind, name: &str) -> Option<String> {
        let (others, other_kind) = match kind {
            DefinitionKind::Class => (&self.nodes, "a node"),
            DefinitionKind::Node => (&self.classes, "a class"),
            _ => return None,
        };
        others.contains(name).then(|| format!("`{name}` is already defined as {other_kind}"))
    }
}

/// Returns the names that the main manifests of an environment define.
#[salsa::tracked(returns(clone))]
pub(crate) fn names_of_main(db: &dyn Db, environment: Environment) -> Arc<MainNames> {
    let files = environment.main_manifests(db);
    let named = files.iter().flat_map(|file| {
        let definitions = project::item_summary(db, *file).definitions.iter();
        definitions.map(move |definition| (Some(*file), &definition.key, &*definition.hosts))
    });
    let first_of = |file: File| {
        let before = files.iter().take_while(|it| **it != file);
        before.map(|it| project::item_summary(db, *it).definitions.len()).sum::<usize>()
    };
    let range = |file: Option<File>, index: usize| {
        let file = file?;
        project::definition_ranges(db, file).get(index - first_of(file)).map(|it| it.name)
    };
    Arc::new(MainNames::new(named, range))
}

/// Returns the finding that keeps Puppet from compiling anything in an environment: a module has the reserved
/// name `environment`.
pub(crate) fn refused_module(db: &dyn Db, environment: Environment) -> Option<LoadFinding> {
    let module = environment.modules(db).get("environment")?;
    let is_another = environment.root(db).as_ref().is_some_and(|root| root != module.root(db));
    if !is_another || !module.name_is_certain(db) {
        return None;
    }
    let (_, file) = module.files(db).first_key_value()?;
    let message = "module name `environment` is reserved for the environment itself";
    Some(LoadFinding {
        file: Some(*file),
        code: Code::DuplicateDefinition,
        message: message.to_owned(),
        range: TextRange::empty(0),
        earlier: None,
    })
}

/// Returns the node definitions of the main manifests that may match a node, in source order: those that name
/// it, else all patterns and defaults. The first node definition is always included.
pub(crate) fn nodes_for(db: &dyn Db, environment: Environment, node: &str) -> Vec<(File, DefinitionKey)> {
    let name = node.to_lowercase();
    let names_it = |host: &HostMatch| matches!(host, HostMatch::Name(host) if host.to_lowercase() == name);
    let is_by_name = |it: &DefinitionSummary| it.hosts.iter().any(names_it);
    let is_general = |it: &DefinitionSummary| !it.hosts.iter().all(|it| matches!(it, HostMatch::Name(_)));
    let nodes = || {
        let definitions = environment.main_manifests(db).iter().flat_map(|file| {
            project::item_summary(db, *file).definitions.iter().map(move |definition| (*file, definition))
        });
        definitions.filter(|(_, it)| it.key.kind == DefinitionKind::Node)
    };
    let is_named = nodes().any(|(_, it)| is_by_name(it));
    let chosen = nodes()
        .enumerate()
        .filter(|(index, (_, it))| *index == 0 || if is_named { is_by_name(it) } else { is_general(it) });
    chosen.map(|(_, (file, it))| (file, it.key.clone())).collect()
}
