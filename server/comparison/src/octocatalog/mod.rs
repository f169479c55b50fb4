//! Differences as octocatalog-diff computes, ignores, filters, and prints them.
//!
//! `differ` compares catalogs as JSON, `ignore` and `filters` are its rules, `json` its output, and `config` reads
//! its configuration without executing it. The rules also apply to the other formats of `diff`: see [`DiffRules`].

mod catalog;
pub mod config;
mod differ;
mod filters;
mod hashdiff;
mod ignore;
mod json;
mod lines;
mod references;

use std::collections::BTreeSet;

use serde_json::Value as Json;

use crate::catalog_file::tags;

pub use catalog::{OctoCatalog, catalog_of, resources_of_file};
pub use differ::{DiffItem, DiffItemKind, DiffItemPlace, items};
pub use filters::DiffFilter;
pub use ignore::{AttributeCondition, AttributePattern, IgnorePattern, IgnoreRule};
pub use json::{render, render_items};
pub use references::{CheckedReference, broken_references};

pub(crate) use catalog::secret;
pub(crate) use differ::{ResourceKey, items_of_values};

/// Defaults of octocatalog-diff that can be turned off.
#[derive(Clone, Copy, Debug)]
pub struct OctoDefaults {
    /// True to report differences of tags.
    pub includes_tags: bool,
    /// True to drop changes of files that become absent.
    pub suppresses_absent_files: bool,
}

impl Default for OctoDefaults {
    fn default() -> OctoDefaults {
        OctoDefaults { includes_tags: false, suppresses_absent_files: true }
    }
}

/// Differences between two catalogs.
#[derive(Default, Debug)]
pub struct OctoDiff {
    pub items: Vec<DiffItem>,
    /// Number of differences that the rules ignore, without those that octocatalog-diff ignores by default.
    pub ignored: usize,
}

/// Compares the resources of two catalogs as octocatalog-diff does.
pub fn diff(old: &[Json], new: &[Json], rules: &DiffRules, defaults: OctoDefaults) -> OctoDiff {
    let mut by_default = DiffRules::default();
    by_default.ignored.push(IgnoreRule::of_type("Class"));
    if !defaults.includes_tags {
        by_default.ignored.extend(IgnoreRule::of_attribute("tags"));
    }
    let mut items = items(old, new);
    let untagged = vec![false; items.len()];
    let dropped = by_default.ignored(&items, &untagged);
    let mut dropped = dropped.iter();
    items.retain(|_| dropped.next() != Some(&true));
    let tagged = tagged(old, new, rules);
    let of_items: Vec<bool> = items
        .iter()
        .map(|item| tagged.contains(&(item.type_name.to_lowercase(), item.title.to_lowercase())))
        .collect();
    let ignored = rules.ignored(&items, &of_items);
    let count = ignored.iter().filter(|it| **it).count();
    let mut ignored = ignored.iter();
    items.retain(|_| ignored.next() != Some(&true));
    if defaults.suppresses_absent_files {
        let dropped = DiffFilter::AbsentFile.dropped(&items);
        let mut dropped = dropped.iter();
        items.retain(|_| dropped.next() != Some(&true));
    }
    OctoDiff { items, ignored: count }
}

/// Returns the resources with ignored tags: those after the change, and those before it that were removed.
fn tagged(old: &[Json], new: &[Json], rules: &DiffRules) -> BTreeSet<(String, String)> {
    if rules.ignored_tags.is_empty() {
        return BTreeSet::new();
    }
    let key = |resource: &Json| {
        let text = |name: &str| resource.get(name).and_then(Json::as_str).unwrap_or_default().to_lowercase();
        (text("type"), text("title"))
    };
    let is_tagged = |resource: &&Json| {
        let type_name = resource.get("type").and_then(Json::as_str).unwrap_or_default();
        rules.ignores_tags(type_name, tags(resource))
    };
    let present: BTreeSet<_> = new.iter().map(key).collect();
    let of_new = new.iter().filter(is_tagged).map(key);
    let of_old = old.iter().filter(is_tagged).map(key).filter(|key| !present.contains(key));
    of_new.chain(of_old).collect()
}

/// Rules that ignore differences.
#[derive(Clone, Default, Debug)]
pub struct DiffRules {
    pub ignored: Vec<IgnoreRule>,
    /// Tags of resources that are ignored.
    pub ignored_tags: Vec<String>,
    pub filters: Vec<DiffFilter>,
}

impl DiffRules {
    /// Returns true if nothing is ignored.
    pub fn is_empty(&self) -> bool {
        self.ignored.is_empty() && self.ignored_tags.is_empty() && self.filters.is_empty()
    }

    /// Returns which differences are ignored. `tagged` are those of resources with an ignored tag.
    pub fn ignored(&self, items: &[DiffItem], tagged: &[bool]) -> Vec<bool> {
        let is_ignored = |(item, is_tagged): (&DiffItem, &bool)| {
            *is_tagged || self.ignored.iter().any(|rule| rule.matches(item))
        };
        let mut ignored: Vec<bool> = items.iter().zip(tagged).map(is_ignored).collect();
        for filter in &self.filters {
            let left: Vec<usize> = (0..items.len()).filter(|index| !ignored[*index]).collect();
            let of_filter: Vec<DiffItem> = left.iter().map(|index| items[*index].clone()).collect();
            for (index, is_dropped) in left.into_iter().zip(filter.dropped(&of_filter)) {
                ignored[index] |= is_dropped;
            }
        }
        ignored
    }

    /// Returns true if one of the tags of a resource is ignored.
    pub fn ignores_tags<'t>(&self, type_name: &str, tags: impl Iterator<Item = &'t str> + Clone) -> bool {
        let of_type: String = type_name
            .chars()
            .flat_map(char::to_lowercase)
            .map(|it| if it.is_alphanumeric() || it == '_' { it } else { '_' })
            .collect();
        self.ignored_tags.iter().any(|ignored| {
            let with_type = format!("{ignored}__{of_type}");
            tags.clone().any(|tag| tag == ignored || tag == with_type)
        })
    }
}
