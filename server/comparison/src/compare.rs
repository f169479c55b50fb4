//! Comparison of two catalogs.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use catalog_view::values::{REDACTED, is_unknown, notation, reference, shown_value};
use compile::NodeRead;
use eval::{CatalogResource, ExprPlace, RelationshipMetaparameter};
use ide::{
    Analysis, CompileDiagnostic, Compiled, EnvironmentId, MissingModule, SecretValues, SourceLocation,
};
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;
use types::Value;

use crate::served::ServedFiles;
use disk::shown_path;

/// Maximum length of a source line in characters; longer ones are truncated.
const MAX_CODE_LENGTH: usize = 400;

/// The compared parts of a catalog.
pub struct ComparedCatalog<'a> {
    analysis: &'a Analysis,
    compiled: Compiled,
    /// Reason why it does not compile.
    failure: Option<String>,
    /// Dependency cycle: it compiles, but no agent could apply it.
    circle: Option<String>,
    /// Limit that was exceeded, so that it is unknown whether the catalog compiles.
    limit: Option<String>,
    /// Parts that could not be checked.
    open: Vec<String>,
    /// Modules whose absence is the reason for such parts.
    missing_modules: BTreeMap<String, MissingModule>,
    /// Resources by reference.
    resources: BTreeMap<String, ComparedResource>,
    /// Values of data that nodes may override, as text.
    undecided_data: BTreeMap<String, String>,
    /// Hash of the Puppet code that was compiled.
    pub fingerprint: u64,
}

struct ComparedResource {
    /// Location of the declaration.
    place: Option<ExprPlace>,
    /// Certainty and export of the resource.
    about: (bool, bool),
    /// Container of the resource; `None` for classes, which may have several.
    container: Option<String>,
    parameters: BTreeMap<String, ComparedParameter>,
}

impl PartialEq for ComparedResource {
    fn eq(&self, other: &ComparedResource) -> bool {
        let ComparedResource { place: _, about, container, parameters } = self;
        *about == other.about && *container == other.container && *parameters == other.parameters
    }
}

/// Value of a parameter; converted to text only for display.
struct ComparedParameter {
    /// Location of the code that set it.
    place: Option<ExprPlace>,
    value: Value,
    is_sensitive: bool,
    /// True if the order of the elements is irrelevant.
    is_relationship: bool,
}

impl ComparedParameter {
    fn text(&self) -> String {
        let shown = if self.is_sensitive { Value::string(REDACTED) } else { shown_value(&self.value) };
        match &shown {
            Value::String(text) if text == REDACTED => REDACTED.to_owned(),
            Value::Array(elements) if self.is_relationship => {
                let mut elements: Vec<String> = elements.iter().map(notation).collect();
                elements.sort_unstable();
                format!("[{}]", elements.join(", "))
            }
            shown => notation(shown),
        }
    }
}

impl PartialEq for ComparedParameter {
    fn eq(&self, other: &ComparedParameter) -> bool {
        self.value == other.value || (self.is_relationship && self.text() == other.text())
    }
}

/// Result of a comparison.
#[derive(Debug, Default)]
pub struct Comparison {
    /// `None` if no difference is known.
    pub difference: Option<Difference>,
    /// The failure, if it is the same before and after.
    pub failure_of_both: Option<String>,
    /// Parts that could not be checked.
    pub open: Vec<String>,
    /// Modules whose absence is the reason for such parts, by its text.
    pub missing_modules: BTreeMap<String, MissingModule>,
    /// True if the catalogs were not compared because of a limit.
    pub is_skipped: bool,
    /// Changes of data that nodes may override: key, value before and value after.
    pub possible: Vec<PossibleChange>,
}

/// Change of a key in the data, which has no effect on nodes with data of their own.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PossibleChange {
    pub key: String,
    pub before: Option<String>,
    pub after: Option<String>,
}

/// Difference between two catalogs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Difference {
    /// New entry, with its number of resources.
    New(usize),
    /// Removed entry.
    Gone,
    /// Entry that no longer compiles, with the failure.
    FailsNow(String),
    /// Entry that compiles now, with the previous failure.
    CompilesNow(String),
    /// Entry that fails for another reason than before.
    FailsDifferently {
        before: String,
        after: String,
    },
    Resources(Vec<ResourceChange>),
}

/// A resource that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct ResourceChange {
    #[serde(rename = "resource")]
    pub reference: String,
    #[serde(rename = "change")]
    pub kind: ChangeKind,
    pub parameters: Vec<ParameterChange>,
    /// Location of the declaration: after the change, or before it if the resource was removed.
    #[serde(flatten)]
    pub place: Option<ChangePlace>,
    /// Location of the declaration before the change, if the resource was changed.
    #[serde(rename = "base", default, skip_serializing_if = "Option::is_none")]
    pub base_place: Option<ChangePlace>,
}

/// A parameter that differs.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
pub struct ParameterChange {
    pub name: String,
    pub before: Option<String>,
    pub after: Option<String>,
    /// Location of the code that sets it: after the change, or before it if it was removed.
    #[serde(flatten)]
    pub place: Option<ChangePlace>,
    /// Location of the code that set it before the change, if it was changed.
    #[serde(rename = "base", default, skip_serializing_if = "Option::is_none")]
    pub base_place: Option<ChangePlace>,
}

/// Location of code. All are equal, so that the same change at different locations is shown once.
#[derive(Clone, Serialize, Deserialize, Debug)]
pub struct ChangePlace {
    /// Display path.
    pub file: String,
    /// Line, counted from 1.
    pub line: u32,
    /// Source code of the line; `None` if it sets a value that must not be shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub code: Option<String>,
}

impl ChangePlace {
    /// Masks secret values in the code, or all of it.
    fn mask(&mut self, secrets: &SecretValues, is_secret: bool) {
        self.code = self.code.take().filter(|_| !is_secret).map(|code| secrets.masked(&code));
    }
}

impl PartialEq for ChangePlace {
    fn eq(&self, _: &ChangePlace) -> bool {
        true
    }
}

impl Eq for ChangePlace {}

impl PartialOrd for ChangePlace {
    fn partial_cmp(&self, other: &ChangePlace) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for ChangePlace {
    fn cmp(&self, _: &ChangePlace) -> Ordering {
        Ordering::Equal
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    Added,
    Removed,
    Changed,
}

impl Difference {
    /// Masks secret values.
    pub fn mask(&mut self, secrets: &SecretValues) {
        let mask = |text: &mut String| *text = secrets.masked(text);
        match self {
            Difference::New(_) | Difference::Gone => {}
            Difference::FailsNow(message) | Difference::CompilesNow(message) => mask(message),
            Difference::FailsDifferently { before, after } => [before, after].into_iter().for_each(mask),
            Difference::Resources(changes) => {
                for ResourceChange { reference, parameters, place, base_place, .. } in changes {
                    mask(reference);
                    place.iter_mut().chain(base_place).for_each(|it| it.mask(secrets, false));
                    for ParameterChange { name, before, after, place, base_place } in parameters {
                        let is_secret = secrets.is_secret(name);
                        place.iter_mut().chain(base_place).for_each(|it| it.mask(secrets, is_secret));
                        for value in [before, after].into_iter().flatten() {
                            *value = if is_secret { REDACTED.to_owned() } else { secrets.masked(value) };
                        }
                    }
                }
            }
        }
    }
}

impl<'a> ComparedCatalog<'a> {
    /// `served` are the files of modules, if they may differ.
    pub fn new(
        (analysis, environment): (&'a Analysis, EnvironmentId),
        compiled: Compiled,
        served: Option<&ServedFiles<'_>>,
    ) -> anyhow::Result<ComparedCatalog<'a>> {
        let mut resources = BTreeMap::new();
        let catalog = compiled.catalog();
        let mut containers: BTreeMap<usize, String> = BTreeMap::new();
        for (container, contained) in &catalog.edges {
            if !catalog.resources[*contained].is_class() {
                containers.entry(*contained).or_insert_with(|| reference(&catalog.resources[*container]));
            }
        }
        // The resources that a defined type declares have the files, not the defined type itself.
        let mut has_contents = vec![false; catalog.resources.len() + catalog.exported.len()];
        catalog.edges.iter().for_each(|(container, _)| has_contents[*container] = true);
        for (index, resource) in catalog.resources.iter().chain(&catalog.exported).enumerate() {
            let places = resource.parameter_places.iter().copied().chain(std::iter::repeat(None));
            let parameters = resource.parameters.iter().zip(places).map(|((name, value), place)| {
                let is_sensitive = resource.sensitive.contains(name);
                let is_relationship = RelationshipMetaparameter::from_name(name).is_some();
                let value = value.clone();
                (name.to_string(), ComparedParameter { place, value, is_sensitive, is_relationship })
            });
            let mut parameters: BTreeMap<String, ComparedParameter> = parameters.collect();
            if let Some(served) = served
                && !has_contents[index]
            {
                parameters.extend(served_contents(served, resource));
            }
            let about = (!resource.is_possible, resource.is_exported);
            let container = containers.remove(&index);
            let place = resource.place;
            resources.insert(reference(resource), ComparedResource { place, about, container, parameters });
        }
        let message = |found: &Option<CompileDiagnostic>| found.as_ref().map(|it| it.message.clone());
        let (failure, limit) = match compiled.is_undecided() {
            true => (None, message(&compiled.failure)),
            false => (message(&compiled.failure), None),
        };
        let defect = compiled.defects().next().map(|it| it.message.clone());
        let (circle, open) = (defect, compiled.inconclusive_reasons().to_vec());
        let data = compiled.undecided_data().iter();
        let undecided_data =
            data.map(|(key, value)| (key.to_string(), notation(&shown_value(value)))).collect();
        let fingerprint = analysis.code_fingerprint(&compiled)?;
        let missing_modules = analysis.missing_modules(environment, &compiled)?;
        Ok(ComparedCatalog {
            analysis,
            compiled,
            failure,
            circle,
            limit,
            open,
            missing_modules,
            resources,
            undecided_data,
            fingerprint,
        })
    }

    /// Returns descriptions of the parts that could not be checked.
    pub fn open_parts(&self) -> &[String] {
        &self.open
    }

    /// Returns the properties of the node that the compile has read.
    pub fn node_reads(&self) -> &[NodeRead] {
        &self.compiled.node_reads
    }

    /// Returns the location of a declaration, if it is in a file.
    fn place_of_resource(&self, resource: &ComparedResource) -> Option<ChangePlace> {
        let is_sensitive = resource.parameters.values().any(|it| it.is_sensitive);
        self.place(resource.place, is_sensitive)
    }

    /// Returns the location of the code that sets a parameter, if it is in a file.
    fn place_of_parameter(&self, parameter: &ComparedParameter) -> Option<ChangePlace> {
        self.place(parameter.place, parameter.is_sensitive)
    }

    fn place(&self, place: Option<ExprPlace>, is_sensitive: bool) -> Option<ChangePlace> {
        let SourceLocation { file, line, .. } = self.analysis.location_of(&self.compiled, place?).ok()??;
        let file = file?;
        let text = self.analysis.text(file).ok()?.filter(|_| !is_sensitive);
        let code = text.as_deref().and_then(|text| text.lines().nth(line.checked_sub(1)? as usize));
        let code = code.map(|code| code.trim_end().chars().take(MAX_CODE_LENGTH).collect());
        Some(ChangePlace { file: shown_path(&self.analysis.path(file)), line, code })
    }
}

/// Returns the contents of the files that a resource takes from modules, as parameters.
fn served_contents(
    served: &ServedFiles<'_>,
    resource: &CatalogResource,
) -> impl Iterator<Item = (String, ComparedParameter)> {
    let is_hidden = |(name, value): &(SmolStr, Value)| name == "show_diff" && *value == Value::Boolean(false);
    let is_sensitive =
        resource.sensitive.iter().any(|it| it == "source") || resource.parameters.iter().any(is_hidden);
    let contents = served.of_resource(resource).into_iter();
    contents.map(move |(name, value)| {
        let parameter = ComparedParameter { place: None, value, is_sensitive, is_relationship: false };
        (format!("({name})"), parameter)
    })
}

/// Compares two catalogs, each of which may be missing.
pub fn compared(before: Option<&ComparedCatalog<'_>>, after: Option<&ComparedCatalog<'_>>) -> Comparison {
    let sides = || before.into_iter().chain(after);
    let mut open: Vec<String> = sides().flat_map(|side| side.open.iter().cloned()).collect();
    open.sort();
    open.dedup();
    let missing_modules: BTreeMap<String, MissingModule> =
        sides().flat_map(|side| side.missing_modules.clone()).collect();
    if sides().any(|side| side.limit.is_some()) {
        return Comparison { open, missing_modules, is_skipped: true, ..Comparison::default() };
    }
    let difference = difference(before, after);
    let failure = |side: Option<&ComparedCatalog<'_>>| {
        side.and_then(|side| side.failure.clone().or_else(|| side.circle.clone()))
    };
    let failure_of_both = failure(after).filter(|_| failure(before).is_some());
    let failure_of_both =
        failure_of_both.filter(|_| !matches!(difference, Some(Difference::FailsDifferently { .. })));
    let mut possible = Vec::new();
    if let (Some(before), Some(after)) = (before, after) {
        possible = possible_changes(before, after);
        open.extend(undecided_parameters(before, after));
    }
    Comparison { difference, failure_of_both, open, missing_modules, is_skipped: false, possible }
}

/// Returns the changes of data that nodes may override.
fn possible_changes(before: &ComparedCatalog<'_>, after: &ComparedCatalog<'_>) -> Vec<PossibleChange> {
    let (old, new) = (&before.undecided_data, &after.undecided_data);
    let keys: BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    let changed = keys.into_iter().filter(|key| old.get(*key) != new.get(*key));
    changed
        .map(|key| PossibleChange {
            key: key.clone(),
            before: old.get(key).cloned(),
            after: new.get(key).cloned(),
        })
        .collect()
}

/// Describes the parameters whose values are unknown before and after a change of the code, so that they may
/// differ.
fn undecided_parameters(before: &ComparedCatalog<'_>, after: &ComparedCatalog<'_>) -> Vec<String> {
    let is_code_same = before.fingerprint == after.fingerprint;
    let mut undecided = Vec::new();
    for (reference, resource) in &after.resources {
        let Some(old) = before.resources.get(reference) else { continue };
        for (name, parameter) in &resource.parameters {
            // Parentheses mark contents of files, which do not depend on the code.
            let may_differ = !is_code_same || name.starts_with('(');
            let is_same = |it: &ComparedParameter| may_differ && *it == *parameter && is_unknown(&it.value);
            if old.parameters.get(name).is_some_and(is_same) {
                undecided.push(format!("`{name}` of `{reference}` is unknown before and after"));
            }
        }
    }
    undecided
}

/// Returns the difference, if there is one.
fn difference(
    before: Option<&ComparedCatalog<'_>>,
    after: Option<&ComparedCatalog<'_>>,
) -> Option<Difference> {
    let (before, after) = match (before, after) {
        (Some(before), Some(after)) => (before, after),
        (None, Some(ComparedCatalog { failure: Some(message), .. })) => {
            return Some(Difference::FailsNow(message.clone()));
        }
        (None, Some(after)) => return Some(Difference::New(after.resources.len())),
        (Some(_), None) => return Some(Difference::Gone),
        (None, None) => return None,
    };
    match (&before.failure, &after.failure) {
        (None, None) => match (&before.circle, &after.circle) {
            (None, Some(message)) => return Some(Difference::FailsNow(message.clone())),
            (Some(message), None) => return Some(Difference::CompilesNow(message.clone())),
            (None, None) | (Some(_), Some(_)) => {}
        },
        (None, Some(message)) => return Some(Difference::FailsNow(message.clone())),
        (Some(message), None) => return Some(Difference::CompilesNow(message.clone())),
        (Some(before), Some(after)) if before == after => return None,
        (Some(before), Some(after)) => {
            return Some(Difference::FailsDifferently { before: before.clone(), after: after.clone() });
        }
    }
    let changes = changes(before, after);
    (!changes.is_empty()).then_some(Difference::Resources(changes))
}

/// Returns the resources that differ, sorted by reference.
fn changes(before: &ComparedCatalog<'_>, after: &ComparedCatalog<'_>) -> Vec<ResourceChange> {
    let mut changes = Vec::new();
    let mut add = |reference: &String, kind, parameters, place, base_place| {
        changes.push(ResourceChange { reference: reference.clone(), kind, parameters, place, base_place });
    };
    for (reference, resource) in &before.resources {
        if !after.resources.contains_key(reference) {
            let parameters = resource.parameters.iter().map(|(name, it)| ParameterChange {
                name: name.clone(),
                before: Some(it.text()),
                after: None,
                place: before.place_of_parameter(it),
                base_place: None,
            });
            let place = before.place_of_resource(resource);
            add(reference, ChangeKind::Removed, parameters.collect(), place, None);
        }
    }
    for (reference, resource) in &after.resources {
        match before.resources.get(reference) {
            None => {
                let parameters = resource.parameters.iter().map(|(name, it)| ParameterChange {
                    name: name.clone(),
                    before: None,
                    after: Some(it.text()),
                    place: after.place_of_parameter(it),
                    base_place: None,
                });
                let place = after.place_of_resource(resource);
                add(reference, ChangeKind::Added, parameters.collect(), place, None);
            }
            Some(old) if old != resource => {
                let parameters = changed_parameters((before, old), (after, resource));
                let (place, base_place) = (after.place_of_resource(resource), before.place_of_resource(old));
                add(reference, ChangeKind::Changed, parameters, place, base_place);
            }
            Some(_) => {}
        }
    }
    changes.sort();
    changes
}

fn changed_parameters(
    (old_catalog, old): (&ComparedCatalog<'_>, &ComparedResource),
    (new_catalog, new): (&ComparedCatalog<'_>, &ComparedResource),
) -> Vec<ParameterChange> {
    let mut names: Vec<&String> = old.parameters.keys().chain(new.parameters.keys()).collect();
    names.sort_unstable();
    names.dedup();
    let mut changed = Vec::new();
    for name in names {
        let (before, after) = (old.parameters.get(name), new.parameters.get(name));
        if before != after {
            let text = ComparedParameter::text;
            let old_place = before.and_then(|it| old_catalog.place_of_parameter(it));
            let (place, base_place) = match after {
                Some(after) => (new_catalog.place_of_parameter(after), old_place),
                None => (old_place, None),
            };
            let (before, after) = (before.map(text), after.map(text));
            changed.push(ParameterChange { name: name.clone(), before, after, place, base_place });
        }
    }
    let mut add = |name: &str, before, after| {
        let name = name.to_owned();
        changed.push(ParameterChange { name, before, after, place: None, base_place: None });
    };
    if old.container != new.container {
        add("(container)", old.container.clone(), new.container.clone());
    }
    let word = |is: bool| Some(is.to_string());
    if old.about.0 != new.about.0 {
        add("(certain)", word(old.about.0), word(new.about.0));
    }
    if old.about.1 != new.about.1 {
        add("(exported)", word(old.about.1), word(new.about.1));
    }
    changed
}
