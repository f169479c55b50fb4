//! The facts that classes and nodes are compiled with while one edits: those of platforms, and those of files that the user
//! names, which win.
//!
//! Facts have numbers: first come the platforms, then the files of an environment.

use std::sync::Arc;

use facts::Platform;
use hir::Name;
use project::{Contents, Db, Environment, ModuleTree};
use smol_str::SmolStr;
use types::{HashValue, Value};
use validation::PuppetVersion;

use crate::compile_request::Facts;

/// The facts of a file that the user names.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct NamedFacts {
    pub(crate) name: SmolStr,
    /// The platform that they are of: `Debian 12`.
    platform: Option<SmolStr>,
    /// The node that they are of.
    pub(crate) node_name: Option<Name>,
    facts: Arc<HashValue>,
}

/// The facts of the files that the user names, those left out that cannot be read.
#[salsa::tracked(returns(clone))]
pub(crate) fn named_facts(db: &dyn Db, environment: Environment) -> Arc<[NamedFacts]> {
    let version = puppet_version(db, environment);
    let sets = environment.fact_files(db).iter().filter_map(|file| {
        let Contents::Text(text) = file.contents(db) else { return None };
        let set = facts::read(file.path(db).as_str(), text).ok()?;
        let facts = facts::complete(set.facts, version);
        let text = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_lowercase);
        let networking = facts.get_text("networking").and_then(Value::as_hash);
        let node_name = text(facts.get_text("clientcert"))
            .or_else(|| text(networking?.get_text("fqdn")))
            .or_else(|| text(facts.get_text("fqdn")));
        Some(NamedFacts {
            name: set.name,
            platform: set.platform,
            node_name: node_name.map(Name::from),
            facts: Arc::new(facts),
        })
    });
    sets.collect()
}

/// The number of the facts of a file, by its place in [`named_facts`].
pub(crate) fn number_of_named(index: usize) -> Option<u16> {
    u16::try_from(facts::platforms().len() + index).ok()
}

/// Facts by their number, and what they are called; `None` where there are none.
pub(crate) fn checked_facts(db: &dyn Db, environment: Environment, number: u16) -> Option<(SmolStr, Facts)> {
    let index = usize::from(number);
    if let Some(platform) = facts::platforms().get(index) {
        return Some((platform.name.clone(), platform_facts(platform)));
    }
    let named = named_facts(db, environment);
    let set = named.get(index - facts::platforms().len())?;
    let facts = Facts::Platform { facts: set.facts.clone(), of_modules: Arc::default() };
    Some((set.name.clone(), facts))
}

/// The platforms that a module supports, as numbers; the main ones where it does not say.
#[salsa::tracked(returns(clone))]
pub(crate) fn module_platforms(db: &dyn Db, module: ModuleTree) -> Arc<[u16]> {
    numbers(&supported(db, module).platforms)
}

/// The numbers of the facts that classes of a module are compiled with: platforms that the module supports, in the place of
/// which the files of such a platform stand. A module that does not say what it supports is for the nodes of the files.
#[salsa::tracked(returns(clone))]
pub(crate) fn facts_of_module(db: &dyn Db, environment: Environment, module: ModuleTree) -> Arc<[u16]> {
    let named = named_facts(db, environment);
    if named.is_empty() {
        return module_platforms(db, module);
    }
    let of_files = |is_meant: &dyn Fn(&NamedFacts) -> bool| -> Vec<u16> {
        let meant = named.iter().enumerate().filter(|(_, set)| is_meant(set));
        meant.filter_map(|(index, _)| number_of_named(index)).collect()
    };
    if supported(db, module).is_default {
        return of_files(&|_| true).into();
    }
    let mut found: Vec<u16> = Vec::new();
    for number in module_platforms(db, module).iter() {
        let Some(platform) = facts::platforms().get(usize::from(*number)) else { continue };
        let files = of_files(&|set| set.platform.as_ref() == Some(&platform.name));
        match files.is_empty() {
            true => found.push(*number),
            false => found.extend(files),
        }
    }
    found.into()
}

/// The numbers of the facts that a node may have of which there is no file: those of other nodes and of the main platforms.
pub(crate) fn facts_of_any_node(db: &dyn Db, environment: Environment) -> Vec<u16> {
    let platforms = facts::supported(None).platforms;
    let named = (0..named_facts(db, environment).len()).filter_map(number_of_named);
    named.chain(numbers(&platforms).iter().copied()).collect()
}

fn supported(db: &dyn Db, module: ModuleTree) -> facts::Supported {
    let metadata = project::metadata_file(db, module).and_then(|file| file.contents(db).text().cloned());
    facts::supported(metadata.as_deref())
}

fn numbers(platforms: &[&'static Platform]) -> Arc<[u16]> {
    let number = |platform: &&'static Platform| {
        facts::platforms().iter().position(|it| std::ptr::eq(it, *platform)).map(|index| index as u16)
    };
    platforms.iter().filter_map(number).collect()
}

/// Legacy facts are among them for each version of Puppet: agents can be told to send them, and code that reads them counts on
/// it. That they may not be there is a finding of its own.
fn platform_facts(platform: &Platform) -> Facts {
    let facts = platform.facts(7).clone();
    Facts::Platform { facts, of_modules: platform.module_facts().clone() }
}

fn puppet_version(db: &dyn Db, environment: Environment) -> u8 {
    match environment.puppet_version(db) {
        PuppetVersion::V7 => 7,
        PuppetVersion::V8 => 8,
    }
}
