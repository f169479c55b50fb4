//! What the main program of an environment defines: names that nothing else may have, and the node definitions that may be meant.

use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, DefinitionSummary, HostMatch, Name};
use project::{Db, Environment, File};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::TextRange;

use crate::loading::{CodeText, LoadFinding};

/// The nodes and classes of a main program, as Puppet keeps them.
#[derive(Clone, PartialEq, Debug, Default)]
pub(crate) struct MainNames {
    nodes: FxHashSet<Name>,
    classes: FxHashSet<Name>,
    /// The first definition that has the name of one before.
    pub(crate) refusal: Option<LoadFinding>,
}

impl MainNames {
    /// Of a text in the place of the main manifest.
    pub(crate) fn of_code(code: &CodeText) -> MainNames {
        let named = code.lowered().definitions.iter().map(|it| (None, &it.key, &*it.body.hosts));
        MainNames::new(named, |_, index| hir::definition_ranges(code.parse()).get(index).map(|it| it.name))
    }

    /// Takes definitions in their order, and where the name of one is by its file and place in that order. Nodes come with their hosts.
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
                let message =
                    other.or_else(|| same.map(|_| format!("{} is defined a second time", key.name)));
                if let Some(message) = message.filter(|_| found.refusal.is_none()) {
                    let earlier = same.and_then(|(file, index)| Some((file, range(file, index)?)));
                    let range = range(file, index).unwrap_or(TextRange::empty(0));
                    let code = Code::DuplicateDefinition;
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

    /// Why Puppet refuses a class or node besides what is known already: they may not share a name.
    pub(crate) fn clash(&self, kind: DefinitionKind, name: &str) -> Option<String> {
        let (others, message) = match kind {
            DefinitionKind::Class => (&self.nodes, "is a node: no class may be called so, too"),
            DefinitionKind::Node => (&self.classes, "is a class: no node may be called so, too"),
            _ => return None,
        };
        others.contains(name).then(|| format!("'{name}' {message}"))
    }
}

/// The names that the main manifests of an environment define.
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

/// Why Puppet compiles nothing in an environment: a module has the name that the environment itself has as one.
pub(crate) fn refused_module(db: &dyn Db, environment: Environment) -> Option<LoadFinding> {
    let module = environment.modules(db).get("environment")?;
    let is_another = environment.root(db).as_ref().is_some_and(|root| root != module.root(db));
    if !is_another || !module.name_is_certain(db) {
        return None;
    }
    let (_, file) = module.files(db).first_key_value()?;
    let message =
        "no module may be called `environment`, as Puppet calls the environment itself so: nothing compiles";
    Some(LoadFinding {
        file: Some(*file),
        code: Code::DuplicateDefinition,
        message: message.to_owned(),
        range: TextRange::empty(0),
        earlier: None,
    })
}

/// The node definitions of the main manifests that may be meant for a node, in their order: those that name it, else all patterns and
/// defaults. The first of all stands in front of them in any case.
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
