//! Fact sets with which an editor compiles classes and nodes: those of platforms, and those of the user's
//! fact files, which take precedence.
//!
//! Each fact set has a number in its environment: [`FactSetId`].

use std::sync::Arc;

use facts::Platform;
use hir::Name;
use project::{Db, Environment, ModuleTree};
use smol_str::SmolStr;
use types::{CachedValue, HashValue};

use crate::compile_request::Facts;

/// Index of a fact set that classes and nodes of an environment are compiled with: first the platforms, then
/// the user's fact files.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct FactSetId(u16);

impl FactSetId {
    /// Returns the fact set of a platform.
    fn of_platform(platform: &Platform) -> Option<FactSetId> {
        let index = facts::platforms().iter().position(|it| std::ptr::eq(it, platform))?;
        u16::try_from(index).ok().map(FactSetId)
    }

    /// Returns the fact set of a file, by its index in [`named_facts`].
    pub(crate) fn of_file(index: usize) -> Option<FactSetId> {
        u16::try_from(facts::platforms().len() + index).ok().map(FactSetId)
    }

    /// Returns the platform of the fact set; `None` for that of a file.
    fn platform(self) -> Option<&'static Platform> {
        facts::platforms().get(usize::from(self.0))
    }

    /// Returns the index of the fact set's file in [`named_facts`]; `None` for that of a platform.
    fn file_index(self) -> Option<usize> {
        usize::from(self.0).checked_sub(facts::platforms().len())
    }
}

/// Contents of one of the user's fact files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct FactsOfFile {
    pub(crate) name: SmolStr,
    /// Platform of the node, such as `Debian 12`.
    platform: Option<SmolStr>,
    /// Name of the node.
    pub(crate) node_name: Option<Name>,
    facts: CachedValue<Arc<HashValue>>,
}

/// Returns the facts of the user's fact files, without unreadable ones.
#[salsa::tracked(returns(clone))]
pub(crate) fn named_facts(db: &dyn Db, environment: Environment) -> Arc<[FactsOfFile]> {
    let version = environment.puppet_version(db).major();
    let sets = environment.fact_files(db).iter().filter_map(|file| {
        let text = file.contents(db).text()?;
        let set = facts::read(file.path(db).as_str(), &text).ok()?;
        let facts = facts::complete(set.facts, version);
        let node_name = facts::node_name(&facts).map(str::to_lowercase);
        Some(FactsOfFile {
            name: set.name,
            platform: set.platform,
            node_name: node_name.map(Name::from),
            facts: CachedValue(Arc::new(facts)),
        })
    });
    sets.collect()
}

/// Returns the name and facts of a fact set; `None` if it does not exist.
pub(crate) fn checked_facts(
    db: &dyn Db,
    environment: Environment,
    id: FactSetId,
) -> Option<(SmolStr, Facts)> {
    if let Some(platform) = id.platform() {
        return Some((
            platform.name.clone(),
            platform_facts(platform, environment.puppet_version(db).major()),
        ));
    }
    let named = named_facts(db, environment);
    let set = named.get(id.file_index()?)?;
    let facts = Facts::Platform { facts: set.facts.0.clone(), of_modules: Arc::default() };
    Some((set.name.clone(), facts))
}

/// Returns the fact sets of the platforms that a module supports; those of the main platforms if it does not
/// declare any.
#[salsa::tracked(returns(clone))]
pub(crate) fn module_platforms(db: &dyn Db, module: ModuleTree) -> Arc<[FactSetId]> {
    of_platforms(&supported(db, module).platforms)
}

/// Returns the fact sets that the classes of a module are compiled with: those of its supported platforms,
/// where the user's fact files replace those of the same platform. A module without declared platforms uses
/// all fact files.
#[salsa::tracked(returns(clone))]
pub(crate) fn facts_of_module(db: &dyn Db, environment: Environment, module: ModuleTree) -> Arc<[FactSetId]> {
    let named = named_facts(db, environment);
    if named.is_empty() {
        return module_platforms(db, module);
    }
    let of_files = |is_meant: &dyn Fn(&FactsOfFile) -> bool| -> Vec<FactSetId> {
        let meant = named.iter().enumerate().filter(|(_, set)| is_meant(set));
        meant.filter_map(|(index, _)| FactSetId::of_file(index)).collect()
    };
    if supported(db, module).is_default {
        return of_files(&|_| true).into();
    }
    let mut found: Vec<FactSetId> = Vec::new();
    for id in module_platforms(db, module).iter() {
        let Some(platform) = id.platform() else { continue };
        let files = of_files(&|set| set.platform.as_ref() == Some(&platform.name));
        if files.is_empty() { found.push(*id) } else { found.extend(files) }
    }
    found.into()
}

/// Returns the possible fact sets of a node without a fact file: those of other nodes and of the main
/// platforms.
pub(crate) fn facts_of_any_node(db: &dyn Db, environment: Environment) -> Vec<FactSetId> {
    let platforms = facts::supported(None).platforms;
    let named = (0..named_facts(db, environment).len()).filter_map(FactSetId::of_file);
    named.chain(of_platforms(&platforms).iter().copied()).collect()
}

/// Returns the fact sets that catalogs of an environment can be compiled with: those of the user's fact files,
/// then those of the main platforms.
pub fn fact_sets(db: &dyn Db, environment: Environment) -> Vec<(SmolStr, Facts)> {
    let all = facts_of_any_node(db, environment).into_iter();
    all.filter_map(|id| checked_facts(db, environment, id)).collect()
}

/// Returns the fact set of the node's own fact file; `None` if no file of the user has the facts of the node.
pub(crate) fn facts_of_named_node(db: &dyn Db, environment: Environment, node: &Name) -> Option<FactSetId> {
    let named = named_facts(db, environment);
    FactSetId::of_file(named.iter().position(|set| set.node_name.as_ref() == Some(node))?)
}

/// Returns the names of the nodes whose facts are in the user's fact files.
pub fn nodes_of_fact_files(db: &dyn Db, environment: Environment) -> Vec<Name> {
    named_facts(db, environment).iter().filter_map(|set| set.node_name.clone()).collect()
}

/// Returns true if neither the module nor fact files determine the platforms of the module's classes.
#[salsa::tracked(returns(copy))]
pub(crate) fn has_unknown_platforms(db: &dyn Db, environment: Environment, module: ModuleTree) -> bool {
    named_facts(db, environment).is_empty() && supported(db, module).is_default
}

/// Returns the fact sets of all platforms.
pub(crate) fn all_platforms() -> impl Iterator<Item = FactSetId> {
    facts::platforms().iter().filter_map(FactSetId::of_platform)
}

/// Returns the groups of all platforms: the fact sets of each, and facts that hold for all of them.
pub(crate) fn platform_groups(
    db: &dyn Db,
    environment: Environment,
) -> impl Iterator<Item = (Vec<FactSetId>, Facts)> {
    facts::platform_groups(environment.puppet_version(db).major()).iter().map(|group| {
        let platforms = group.platforms.iter().map(|index| &facts::platforms()[*index]);
        let facts = Facts::Platform { facts: group.facts.clone(), of_modules: group.module_facts.clone() };
        (platforms.filter_map(FactSetId::of_platform).collect(), facts)
    })
}

/// Returns the facts that hold for all platforms, where those that only some have are missing.
pub(crate) fn facts_of_all_platforms(db: &dyn Db, environment: Environment) -> Facts {
    let group = facts::group_of_all_platforms(environment.puppet_version(db).major());
    Facts::Platform { facts: group.facts.clone(), of_modules: group.module_facts.clone() }
}

fn supported(db: &dyn Db, module: ModuleTree) -> facts::Supported {
    let metadata = project::metadata_file(db, module).filter(|file| !file.is_large(db));
    let metadata = metadata.and_then(|file| file.contents(db).text());
    facts::supported(metadata.as_deref())
}

fn of_platforms(platforms: &[&'static Platform]) -> Arc<[FactSetId]> {
    platforms.iter().filter_map(|platform| FactSetId::of_platform(platform)).collect()
}

/// Returns the facts of a platform, with the legacy facts that agents of the version send by default.
fn platform_facts(platform: &Platform, puppet_version: u8) -> Facts {
    let facts = platform.facts_of_any_machine(puppet_version).clone();
    Facts::Platform { facts, of_modules: platform.module_facts().clone() }
}

/// Returns true if two fact sets are those of platforms of one group.
pub(super) fn are_in_one_group(
    db: &dyn Db,
    environment: Environment,
    one: FactSetId,
    other: FactSetId,
) -> bool {
    platform_groups(db, environment).any(|(members, _)| members.contains(&one) && members.contains(&other))
}
