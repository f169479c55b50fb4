//! Groups of platforms with the same names of facts.

use std::sync::{Arc, LazyLock};

use types::{CachedValue, HashValue, NoTypes, Origin, Value};

use crate::platforms::{Platform, platforms};

/// Platforms whose facts have the same names. What holds with the facts of the group holds on each of its platforms.
#[derive(Debug)]
pub struct PlatformGroup {
    /// Indexes of the platforms in [`platforms`].
    pub platforms: Vec<usize>,
    /// Facts of an arbitrary machine; values that differ between the platforms are unknown.
    pub facts: Arc<HashValue>,
    /// Facts of widely used modules that all platforms have; values that differ are unknown.
    pub module_facts: Arc<HashValue>,
}

/// Returns the groups of all platforms, with the facts under a version of Puppet.
pub fn platform_groups(puppet_version: u8) -> &'static [PlatformGroup] {
    static GROUPS: [LazyLock<Vec<PlatformGroup>>; 3] =
        [LazyLock::new(|| groups(7)), LazyLock::new(|| groups(8)), LazyLock::new(|| groups(9))];
    &GROUPS[usize::from(puppet_version.clamp(7, 9) - 7)]
}

/// Returns all platforms as one group, with the facts under a version of Puppet that all of them have. Unlike in other
/// groups, code can tell from missing keys of hashes that these are not the facts of a platform.
pub fn group_of_all_platforms(puppet_version: u8) -> &'static PlatformGroup {
    static GROUPS: [LazyLock<PlatformGroup>; 3] = [
        LazyLock::new(|| group_of_all(7)),
        LazyLock::new(|| group_of_all(8)),
        LazyLock::new(|| group_of_all(9)),
    ];
    &GROUPS[usize::from(puppet_version.clamp(7, 9) - 7)]
}

fn group_of_all(puppet_version: u8) -> PlatformGroup {
    let facts: Vec<&HashValue> =
        platforms().iter().map(|it| &**it.facts_of_any_machine(puppet_version)).collect();
    let module_facts: Vec<&HashValue> = platforms().iter().map(|it| &**it.module_facts()).collect();
    PlatformGroup {
        platforms: (0..platforms().len()).collect(),
        facts: Arc::new(common_entries(&facts, DifferentKeys::Ignored)),
        module_facts: Arc::new(common_entries(&module_facts, DifferentKeys::Ignored)),
    }
}

/// Treatment of keys that only some of several nested hashes have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum DifferentKeys {
    /// The hashes are unknown.
    Unknown,
    /// Only the common keys remain.
    Ignored,
}

fn groups(puppet_version: u8) -> Vec<PlatformGroup> {
    let facts = |platform: &'static Platform| &**platform.facts_of_any_machine(puppet_version);
    let mut groups: Vec<(Vec<usize>, Vec<&Platform>)> = Vec::new();
    for (index, platform) in platforms().iter().enumerate() {
        match groups.iter_mut().find(|(_, members)| have_same_keys(facts(members[0]), facts(platform))) {
            Some((indexes, members)) => {
                indexes.push(index);
                members.push(platform);
            }
            None => groups.push((vec![index], vec![platform])),
        }
    }
    let group = |(platforms, members): (Vec<usize>, Vec<&'static Platform>)| {
        let module_facts: Vec<&HashValue> = members.iter().map(|it| &**it.module_facts()).collect();
        let facts: Vec<&HashValue> = members.iter().map(|it| facts(it)).collect();
        PlatformGroup {
            platforms,
            facts: Arc::new(common_entries(&facts, DifferentKeys::Unknown)),
            module_facts: Arc::new(common_entries(&module_facts, DifferentKeys::Unknown)),
        }
    };
    groups.into_iter().map(group).collect()
}

/// Returns true if two hashes have the same keys in the same order.
fn have_same_keys(one: &HashValue, other: &HashValue) -> bool {
    one.keys().eq(other.keys())
}

/// Returns the entries whose keys are in all hashes.
fn common_entries(hashes: &[&HashValue], different: DifferentKeys) -> HashValue {
    let entry = |key: &Value| {
        let values: Option<Vec<&Value>> = hashes.iter().map(|it| it.get(key)).collect();
        Some((key.clone(), common_value(&values?, different)))
    };
    hashes[0].keys().filter_map(entry).collect()
}

/// Returns the value that all values have; an unknown one if they differ.
fn common_value(values: &[&Value], different: DifferentKeys) -> Value {
    let cached = |value: &Value| CachedValue(value.clone());
    if values.iter().all(|it| cached(it) == cached(values[0])) {
        return values[0].clone();
    }
    let hashes: Option<Vec<&HashValue>> = values.iter().map(|it| it.as_hash()).collect();
    match hashes {
        Some(hashes)
            if different == DifferentKeys::Ignored
                || hashes.iter().all(|it| have_same_keys(hashes[0], it)) =>
        {
            Value::Hash(Arc::new(common_entries(&hashes, different)))
        }
        _ => {
            let types = values.iter().map(|it| types::infer::infer_generic(it, &NoTypes));
            Value::unknown(types::common::union(types, &NoTypes), Origin::Fact)
        }
    }
}

/// Returns true if what holds for a value of a group holds for another value: they are equal, or that of the group is
/// unknown and the other one an instance of its type.
pub fn covers(of_group: &Value, value: &Value) -> bool {
    match (of_group, value) {
        (Value::Unknown(unknown), Value::Unknown(other)) => {
            types::assign::is_certainly_assignable(&unknown.ty, &other.ty, &NoTypes)
        }
        (Value::Unknown(unknown), _) => types::assign::is_instance(&unknown.ty, value, &NoTypes),
        (Value::Hash(of_group), Value::Hash(entries)) => {
            have_same_keys(of_group, entries)
                && of_group.values().zip(entries.values()).all(|(of_group, value)| covers(of_group, value))
        }
        _ => CachedValue(of_group.clone()) == CachedValue(value.clone()),
    }
}

#[cfg(test)]
#[path = "groups_tests.rs"]
mod tests;
