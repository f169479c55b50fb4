//! Resources and parameters that differ, without those that rules ignore.

use std::collections::BTreeSet;

use catalog_view::values::shown_value;
use serde_json::Value as Json;
use types::NoTypes;

use crate::catalog_file::{RichEquality, compared_values};
use crate::compare::{
    ChangeKind, ComparedCatalog, ComparedParameter, ComparedResource, ParameterChange, ResourceChange,
};
use crate::octocatalog::{DiffItem, DiffItemKind, DiffRules, ResourceKey, items_of_values, secret};

/// Result of comparing the resources of two catalogs.
pub(crate) struct FoundChanges {
    /// Sorted by reference.
    pub(crate) changes: Vec<ResourceChange>,
    /// Number of changed resources and parameters that are ignored.
    pub(crate) ignored: usize,
    /// Parameters of which it is unknown whether they differ.
    pub(crate) open: Vec<String>,
}

/// A resource that differs, with the values of both sides.
struct RawChange<'c> {
    reference: &'c str,
    kind: ChangeKind,
    old: Option<&'c ComparedResource>,
    new: Option<&'c ComparedResource>,
    parameters: Vec<RawParameter<'c>>,
}

/// A parameter that differs.
struct RawParameter<'c> {
    name: String,
    values: RawValues<'c>,
}

enum RawValues<'c> {
    Parameters(Option<&'c ComparedParameter>, Option<&'c ComparedParameter>),
    /// Property of the resource itself, as text.
    Texts(Option<String>, Option<String>),
}

/// Result of comparing a parameter.
enum ParameterOutcome {
    Same,
    Different,
    Open(&'static str),
}

/// Catalogs of the same entry before and after a change.
pub(crate) struct CatalogPair<'c, 'a> {
    pub(crate) before: &'c ComparedCatalog<'a>,
    pub(crate) after: &'c ComparedCatalog<'a>,
}

impl<'c> CatalogPair<'c, '_> {
    /// Returns the resources that differ.
    pub(crate) fn changes(&self, rules: &DiffRules) -> FoundChanges {
        let mut open = Vec::new();
        let mut raw = self.raw_changes(&mut open);
        let ignored = if rules.is_empty() { 0 } else { self.ignore(&mut raw, rules) };
        let mut changes: Vec<ResourceChange> = raw.into_iter().map(|it| self.shown(it)).collect();
        changes.sort();
        FoundChanges { changes, ignored, open }
    }

    fn raw_changes(&self, open: &mut Vec<String>) -> Vec<RawChange<'c>> {
        let CatalogPair { before, after } = *self;
        let mut changes = Vec::new();
        for (reference, resource) in &before.resources {
            if !after.resources.contains_key(reference) {
                let parameters = resource.parameters.iter().map(|(name, it)| RawParameter {
                    name: name.clone(),
                    values: RawValues::Parameters(Some(it), None),
                });
                let (kind, parameters) = (ChangeKind::Removed, parameters.collect());
                changes.push(RawChange { reference, kind, old: Some(resource), new: None, parameters });
            }
        }
        let is_of_files = before.compiled().is_none() || after.compiled().is_none();
        for (reference, resource) in &after.resources {
            let old = before.resources.get(reference);
            let Some(old) = old else {
                let parameters = resource.parameters.iter().map(|(name, it)| RawParameter {
                    name: name.clone(),
                    values: RawValues::Parameters(None, Some(it)),
                });
                let (kind, parameters) = (ChangeKind::Added, parameters.collect());
                changes.push(RawChange { reference, kind, old: None, new: Some(resource), parameters });
                continue;
            };
            if old == resource && !is_of_files {
                continue;
            }
            let parameters = self.changed_parameters(old, resource, &mut |name, reason| {
                open.push(format!("`{name}` of `{reference}` {reason}"));
            });
            if !parameters.is_empty() {
                let kind = ChangeKind::Changed;
                changes.push(RawChange { reference, kind, old: Some(old), new: Some(resource), parameters });
            }
        }
        changes
    }

    fn changed_parameters(
        &self,
        old: &'c ComparedResource,
        new: &'c ComparedResource,
        note_open: &mut dyn FnMut(&str, &str),
    ) -> Vec<RawParameter<'c>> {
        let names: BTreeSet<&String> = old.parameters.keys().chain(new.parameters.keys()).collect();
        let mut changed = Vec::new();
        for name in names {
            let (before, after) = (old.parameters.get(name), new.parameters.get(name));
            match self.outcome(name, old, new) {
                ParameterOutcome::Same => {}
                ParameterOutcome::Open(reason) => note_open(name, reason),
                ParameterOutcome::Different => {
                    let values = RawValues::Parameters(before, after);
                    changed.push(RawParameter { name: name.clone(), values });
                }
            }
        }
        let mut add = |name: &str, before: Option<String>, after: Option<String>| {
            if before != after {
                changed.push(RawParameter { name: name.to_owned(), values: RawValues::Texts(before, after) });
            }
        };
        let word = |is: bool| Some(is.to_string());
        add("(container)", old.container.clone(), new.container.clone());
        add("(certain)", word(old.about.0), word(new.about.0));
        add("(exported)", word(old.about.1), word(new.about.1));
        changed
    }

    /// Compares a parameter of a resource that exists on both sides.
    fn outcome(
        &self,
        name: &str,
        old_resource: &ComparedResource,
        new_resource: &ComparedResource,
    ) -> ParameterOutcome {
        let CatalogPair { before, after } = *self;
        let old = old_resource.parameters.get(name);
        let new = new_resource.parameters.get(name);
        let is_redacted = |it: Option<&ComparedParameter>| it.is_some_and(|it| it.is_redacted);
        if is_redacted(old) || is_redacted(new) {
            return ParameterOutcome::Open("is redacted");
        }
        if old == new {
            return ParameterOutcome::Same;
        }
        match (old, new) {
            (Some(old), Some(new)) if before.compiled().is_none() || after.compiled().is_none() => {
                match compared_values(&old.value, &new.value) {
                    RichEquality::Same if old.is_sensitive == new.is_sensitive => ParameterOutcome::Same,
                    RichEquality::Same => ParameterOutcome::Different,
                    RichEquality::Undecided => ParameterOutcome::Open("is stored as a string on one side"),
                    RichEquality::Different => ParameterOutcome::Different,
                }
            }
            (Some(it), None) if after.is_stored() && it.is_sensitive => {
                ParameterOutcome::Open("is sensitive, and not stored by PuppetDB")
            }
            (None, Some(it)) if before.is_stored() && it.is_sensitive => {
                ParameterOutcome::Open("is sensitive, and not stored by PuppetDB")
            }
            (Some(it), None) if name == "alias" && before.is_stored() => added_alias(it, old_resource),
            (None, Some(it)) if name == "alias" && after.is_stored() => added_alias(it, new_resource),
            _ => ParameterOutcome::Different,
        }
    }

    /// Removes the changes that rules ignore, and returns their number.
    fn ignore(&self, changes: &mut Vec<RawChange<'_>>, rules: &DiffRules) -> usize {
        let CatalogPair { before, after } = *self;
        let (of_old, of_new) = (before.tagged(rules), after.tagged(rules));
        let is_tagged = |reference: &str| {
            of_new.contains(reference)
                || (!after.resources.contains_key(reference) && of_old.contains(reference))
        };
        let mut owners: Vec<(usize, Option<usize>)> = Vec::new();
        let (mut items, mut of_paths, mut tagged) = (Vec::new(), Vec::new(), Vec::new());
        for (index, change) in changes.iter().enumerate() {
            for (parameter, own) in items_of(change) {
                for item in own {
                    owners.push((index, parameter));
                    tagged.push(is_tagged(change.reference));
                    let path = change.file_path().unwrap_or_else(|| item.title.clone());
                    of_paths.push(DiffItem { title: path, ..item.clone() });
                    items.push(item);
                }
            }
        }
        // Rules name files by their titles or by their paths.
        let by_title = rules.ignored(&items, &tagged);
        let by_path = rules.ignored(&of_paths, &tagged);
        let ignored = by_title.iter().zip(&by_path).map(|(by_title, by_path)| *by_title || *by_path);
        let left = owners.into_iter().zip(ignored).filter(|(_, is_ignored)| !is_ignored);
        let left: BTreeSet<(usize, Option<usize>)> = left.map(|(owner, _)| owner).collect();
        let mut count = 0;
        let mut index = 0;
        changes.retain_mut(|change| {
            let at = index;
            index += 1;
            if change.kind != ChangeKind::Changed || change.parameters.is_empty() {
                let is_left = left.contains(&(at, None));
                count += usize::from(!is_left);
                return is_left;
            }
            let all = change.parameters.len();
            let mut parameter = 0;
            change.parameters.retain(|_| {
                parameter += 1;
                left.contains(&(at, Some(parameter - 1)))
            });
            count += all - change.parameters.len();
            !change.parameters.is_empty()
        });
        count
    }

    /// Converts a change for display.
    fn shown(&self, change: RawChange<'_>) -> ResourceChange {
        let CatalogPair { before, after } = *self;
        let RawChange { reference, kind, old, new, parameters } = change;
        let old_place = old.and_then(|it| before.place_of_resource(it, new));
        let (place, base_place) = match new {
            Some(new) => (after.place_of_resource(new, old), old_place),
            None => (old_place, None),
        };
        let parameters = parameters.into_iter().map(|RawParameter { name, values }| match values {
            RawValues::Texts(before, after) => {
                ParameterChange { name, before, after, place: None, base_place: None }
            }
            RawValues::Parameters(old, new) => {
                let old_place = old.and_then(|it| before.place_of_parameter(it, new));
                let (place, base_place) = match new {
                    Some(new) => (after.place_of_parameter(new, old), old_place),
                    None => (old_place, None),
                };
                let before = old.map(|it| it.text_beside(new));
                let after = new.map(|it| it.text_beside(old));
                ParameterChange { name, before, after, place, base_place }
            }
        });
        ResourceChange {
            reference: reference.to_owned(),
            kind,
            parameters: parameters.collect(),
            place,
            base_place,
        }
    }
}

/// Compares an alias that only one side has with those that PuppetDB adds: values of other parameters, such as
/// the path of a file.
fn added_alias(alias: &ComparedParameter, resource: &ComparedResource) -> ParameterOutcome {
    let is_added = |it: &types::Value| {
        resource.parameters.iter().any(|(name, other)| name != "alias" && other.value == *it)
    };
    let elements = alias.value.as_array().unwrap_or(std::slice::from_ref(&alias.value));
    if elements.iter().all(is_added) { ParameterOutcome::Same } else { ParameterOutcome::Different }
}

impl RawChange<'_> {
    /// Returns the path of a file whose title differs from it.
    fn file_path(&self) -> Option<String> {
        let resource = self.new.or(self.old).filter(|_| self.reference.starts_with("File["))?;
        resource.parameters.get("path")?.value.as_str().map(str::to_owned)
    }
}

/// Returns the differences of a change, each list with the index of its parameter; `None` for the resource.
fn items_of(change: &RawChange<'_>) -> Vec<(Option<usize>, Vec<DiffItem>)> {
    let (type_name, title) = change.reference.split_once('[').unwrap_or((change.reference, ""));
    let title = title.strip_suffix(']').unwrap_or(title);
    let key = ResourceKey { type_name: type_name.to_owned(), title: title.to_owned() };
    let item = |kind, attribute: Option<String>, old, new| DiffItem {
        kind,
        type_name: key.type_name.clone(),
        title: key.title.clone(),
        attribute,
        old,
        new,
        old_place: None,
        new_place: None,
    };
    let kind = match change.kind {
        ChangeKind::Added => DiffItemKind::Added,
        ChangeKind::Removed => DiffItemKind::Removed,
        ChangeKind::Changed => DiffItemKind::Changed,
    };
    if kind != DiffItemKind::Changed || change.parameters.is_empty() {
        return vec![(None, vec![item(kind, None, Json::Null, Json::Null)])];
    }
    let of_parameter = |(index, parameter): (usize, &RawParameter<'_>)| {
        let RawParameter { name, values } = parameter;
        let items = match values {
            RawValues::Texts(old, new) => {
                let json = |text: &Option<String>| text.clone().map_or(Json::Null, Json::String);
                vec![item(DiffItemKind::Changed, Some(name.clone()), json(old), json(new))]
            }
            RawValues::Parameters(old, new) => {
                // Parentheses mark contents of files.
                let name = name.trim_start_matches('(').trim_end_matches(')');
                let path = format!("parameters\u{c}{name}");
                match (old.map(json_of), new.map(json_of)) {
                    (Some(old), Some(new)) => {
                        let found = items_of_values(&key, &path, &old, &new);
                        if found.is_empty() {
                            vec![item(DiffItemKind::Changed, Some(path), old, new)]
                        } else {
                            found
                        }
                    }
                    (old, new) => {
                        let (old, new) = (old.unwrap_or(Json::Null), new.unwrap_or(Json::Null));
                        vec![item(DiffItemKind::Nested, Some(path), old, new)]
                    }
                }
            }
        };
        (Some(index), items)
    };
    change.parameters.iter().enumerate().map(of_parameter).collect()
}

fn json_of(parameter: &ComparedParameter) -> Json {
    if parameter.is_sensitive {
        return secret(&types::rich_data::to_json(&parameter.value, &NoTypes));
    }
    match types::rich_data::to_json(&shown_value(&parameter.value), &NoTypes) {
        Json::Array(mut elements) if parameter.is_relationship => {
            elements.sort_by_key(Json::to_string);
            Json::Array(elements)
        }
        json => json,
    }
}
