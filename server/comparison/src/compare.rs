//! Comparison of two catalogs.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use catalog_view::values::{REDACTED, UNKNOWN_TITLE, is_unknown, notation, reference, shown_value};
use eval::{CatalogResource, ExprPlace, RelationshipMetaparameter, UnknownDecision};
use ide::{
    Analysis, CompileDiagnostic, Compiled, EnvironmentId, MissingModule, NodeProperty, SecretValues,
    SourceLocation,
};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};
use smol_str::SmolStr;
use types::{Origin, Value};

use crate::catalog_file::{self, CatalogFile};
use crate::changes::CatalogPair;
use crate::octocatalog::{CheckedReference, DiffRules, broken_references};
use crate::served::ServedFiles;
use disk::shown_path;

/// Maximum length of a source line in characters; longer ones are truncated.
const MAX_CODE_LENGTH: usize = 400;

/// The compared parts of a catalog.
pub struct ComparedCatalog<'a> {
    source: CatalogSource<'a>,
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
    pub(crate) resources: BTreeMap<String, ComparedResource>,
    /// Values of data that nodes may override, as text.
    undecided_data: BTreeMap<String, String>,
    /// Hash of the Puppet code that was compiled, and of what it read.
    pub fingerprint: u64,
    /// True if files changed that Ruby code may read, which is not evaluated.
    are_files_changed: bool,
}

/// Two values of the same kind, one before and one after the change.
#[derive(Clone, Copy, Debug)]
pub struct Sides<T> {
    pub before: T,
    pub after: T,
}

/// Source of a catalog.
enum CatalogSource<'a> {
    Compiled { analysis: &'a Analysis, compiled: Box<Compiled> },
    File(&'a CatalogFile),
}

/// Location of a declaration.
#[derive(Clone)]
enum ComparedPlace {
    Code(ExprPlace),
    Line(ChangePlace),
}

pub(crate) struct ComparedResource {
    /// Location of the declaration.
    place: Option<ComparedPlace>,
    /// Certainty and export of the resource.
    pub(crate) about: (bool, bool),
    /// Container of the resource; `None` for classes, which may have several.
    pub(crate) container: Option<String>,
    pub(crate) parameters: BTreeMap<String, ComparedParameter>,
}

impl PartialEq for ComparedResource {
    fn eq(&self, other: &ComparedResource) -> bool {
        let ComparedResource { place: _, about, container, parameters } = self;
        *about == other.about && *container == other.container && *parameters == other.parameters
    }
}

/// Shown instead of a value that is a secret on the other side.
const NOT_SENSITIVE: &str = "[the same value, not sensitive]";

/// Value of a parameter; converted to text only for display.
pub(crate) struct ComparedParameter {
    /// Location of the code that set it.
    place: Option<ExprPlace>,
    pub(crate) value: Value,
    pub(crate) is_sensitive: bool,
    /// True if the value was replaced before, because it must not be shown.
    pub(crate) is_redacted: bool,
    /// True if the order of the elements is irrelevant.
    pub(crate) is_relationship: bool,
}

impl ComparedParameter {
    /// Returns true for an equal value, whether or not one of them is sensitive.
    fn has_value_of(&self, other: &ComparedParameter) -> bool {
        self.value == other.value || (self.is_relationship && self.text() == other.text())
    }

    /// Returns the text to show beside the value of the other side.
    pub(crate) fn text_beside(&self, other: Option<&ComparedParameter>) -> String {
        match other {
            // The value would reveal the secret of the other side.
            Some(other) if !self.is_sensitive && other.is_sensitive && self.has_value_of(other) => {
                NOT_SENSITIVE.to_owned()
            }
            _ => self.text(),
        }
    }

    pub(crate) fn text(&self) -> String {
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
        self.is_sensitive == other.is_sensitive && self.has_value_of(other)
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
    /// The part of them that the change causes, as far as that is known.
    pub newly_open: Vec<String>,
    /// Modules whose absence is the reason for such parts, by its text.
    pub missing_modules: BTreeMap<String, MissingModule>,
    /// True if the catalogs were not compared because of a limit.
    pub is_skipped: bool,
    /// Changes of data that nodes may override: key, value before and value after.
    pub possible: Vec<PossibleChange>,
    /// Number of resources and parameters that differ, but are ignored.
    pub ignored: usize,
}

impl Comparison {
    /// Returns true if something other than the difference is to be reported.
    pub fn has_remarks(&self) -> bool {
        !self.open.is_empty() || !self.possible.is_empty() || self.ignored > 0
    }
}

/// Change of a key in the data, which has no effect on nodes with their own data.
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
        analysis: &'a Analysis,
        environment: EnvironmentId,
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
            let mut parameters = parameters_of(resource);
            if let Some(served) = served
                && !has_contents[index]
            {
                parameters.extend(served_contents(served, resource));
            }
            let about = (!resource.is_possible, resource.is_exported);
            let container = containers.remove(&index);
            let place = resource.place.map(ComparedPlace::Code);
            resources.insert(reference(resource), ComparedResource { place, about, container, parameters });
        }
        let message = |found: &Option<CompileDiagnostic>| found.as_ref().map(|it| it.message.clone());
        let (failure, limit) = if compiled.is_undecided() {
            (None, message(&compiled.failure))
        } else {
            (message(&compiled.failure), None)
        };
        let defect = compiled.defects().next().map(|it| it.message.clone());
        let (circle, open) = (defect, compiled.unknown_inputs().to_vec());
        let undecided_data = compiled
            .undecided_data()
            .map(|(key, value)| (key.to_string(), notation(&shown_value(value))))
            .collect();
        let fingerprint = analysis.code_fingerprint(&compiled)?;
        let missing_modules = analysis.missing_modules(environment, &compiled)?;
        Ok(ComparedCatalog {
            source: CatalogSource::Compiled { analysis, compiled: Box::new(compiled) },
            failure,
            circle,
            limit,
            open,
            missing_modules,
            resources,
            undecided_data,
            fingerprint,
            are_files_changed: false,
        })
    }

    /// Reads a catalog from a file. Unknown values are not known to be equal to those of the other side.
    pub fn of_file(file: &'a CatalogFile, is_before: bool) -> ComparedCatalog<'a> {
        let mut resources = BTreeMap::new();
        for json in file.resources.iter().chain(&file.exported).filter_map(Json::as_object) {
            let Some(reference) = catalog_file::reference(json) else { continue };
            let container = file.containers.get(&reference).cloned();
            resources.insert(reference, resource_of_file(json, container));
        }
        ComparedCatalog {
            source: CatalogSource::File(file),
            failure: None,
            circle: None,
            limit: None,
            open: file.open.clone(),
            missing_modules: BTreeMap::new(),
            resources,
            undecided_data: BTreeMap::new(),
            fingerprint: u64::from(is_before),
            are_files_changed: false,
        }
    }

    /// Fails if a catalog from a file has references to resources that it lacks.
    pub fn with_checked_references(mut self, checked: &[CheckedReference]) -> ComparedCatalog<'a> {
        if let CatalogSource::File(file) = self.source {
            self.failure = broken_references(file, checked);
        }
        self
    }

    /// Records changes on which the results of Ruby code that is not evaluated may depend.
    pub fn note_changes(&mut self, is_ruby_changed: bool, are_files_changed: bool) {
        self.are_files_changed = are_files_changed;
        if is_ruby_changed {
            self.fingerprint = !self.fingerprint;
        }
    }

    /// Converts a compiled catalog for a comparison with one from a file: values to the form that they have in
    /// JSON, and without exported resources if the file does not list them.
    pub fn for_comparison_with(mut self, file: &CatalogFile) -> ComparedCatalog<'a> {
        let lists_exported = file.is_stored || !file.exported.is_empty();
        let of_file: BTreeSet<String> =
            file.resources.iter().filter_map(|it| catalog_file::reference(it.as_object()?)).collect();
        self.resources.retain(|reference, it| lists_exported || !it.about.1 || of_file.contains(reference));
        for resource in self.resources.values_mut() {
            for (name, parameter) in &mut resource.parameters {
                parameter.value = catalog_file::as_in_json(&parameter.value);
                parameter.is_relationship |= catalog_file::is_unordered(name);
            }
        }
        self
    }

    /// Returns the decisions that depend on something unknown.
    fn decisions(&self) -> &[UnknownDecision] {
        self.compiled().map_or(&[], |it| &it.catalog().decisions)
    }

    /// Returns true for a catalog from PuppetDB.
    pub(crate) fn is_stored(&self) -> bool {
        matches!(&self.source, CatalogSource::File(file) if file.is_stored)
    }

    /// Returns the compile; `None` for a catalog from a file.
    pub fn compiled(&self) -> Option<&Compiled> {
        match &self.source {
            CatalogSource::Compiled { compiled, .. } => Some(compiled),
            CatalogSource::File(_) => None,
        }
    }

    /// Returns the references of the resources with an ignored tag.
    pub(crate) fn tagged(&self, rules: &DiffRules) -> BTreeSet<String> {
        if rules.ignored_tags.is_empty() {
            return BTreeSet::new();
        }
        match &self.source {
            CatalogSource::Compiled { compiled, .. } => {
                let catalog = compiled.catalog();
                let is_tagged = |it: &&CatalogResource| {
                    let tags = it.tags.sorted();
                    rules.ignores_tags(&it.type_name, tags.iter().map(|tag| tag.as_str()))
                };
                catalog.resources.iter().chain(&catalog.exported).filter(is_tagged).map(reference).collect()
            }
            CatalogSource::File(file) => {
                let is_tagged = |it: &&Json| {
                    let type_name = it.get("type").and_then(Json::as_str).unwrap_or_default();
                    rules.ignores_tags(type_name, catalog_file::tags(it))
                };
                let tagged = file.resources.iter().chain(&file.exported).filter(is_tagged);
                tagged.filter_map(|it| catalog_file::reference(it.as_object()?)).collect()
            }
        }
    }

    /// Returns descriptions of the parts that could not be checked.
    pub fn open_parts(&self) -> &[String] {
        &self.open
    }

    /// Returns the properties of the node that the compile has read.
    pub fn node_reads(&self) -> &[NodeProperty] {
        self.compiled().map_or(&[], |compiled| &compiled.node_reads)
    }

    /// Returns the location of a declaration, if it is in a file; without its code if a value is sensitive on either side.
    pub(crate) fn place_of_resource(
        &self,
        resource: &ComparedResource,
        other: Option<&ComparedResource>,
    ) -> Option<ChangePlace> {
        let is_sensitive = |it: &ComparedResource| it.parameters.values().any(|it| it.is_sensitive);
        let is_sensitive = is_sensitive(resource) || other.is_some_and(is_sensitive);
        match resource.place.as_ref()? {
            ComparedPlace::Code(place) => self.place(Some(*place), is_sensitive),
            ComparedPlace::Line(place) => Some(place.clone()),
        }
    }

    /// Returns the location of the code that sets a parameter, if it is in a file; without the code if the value is sensitive on
    /// either side.
    pub(crate) fn place_of_parameter(
        &self,
        parameter: &ComparedParameter,
        other: Option<&ComparedParameter>,
    ) -> Option<ChangePlace> {
        self.place(parameter.place, parameter.is_sensitive || other.is_some_and(|it| it.is_sensitive))
    }

    fn place(&self, place: Option<ExprPlace>, is_sensitive: bool) -> Option<ChangePlace> {
        let CatalogSource::Compiled { analysis, compiled } = &self.source else { return None };
        let SourceLocation { file, line, .. } = analysis.location_of(compiled, place?).ok()??;
        let file = file?;
        let text = analysis.text(file).ok()?.filter(|_| !is_sensitive);
        let code = text.as_deref().and_then(|text| text.lines().nth(line.checked_sub(1)? as usize));
        let code = code.map(|code| code.trim_end().chars().take(MAX_CODE_LENGTH).collect());
        Some(ChangePlace { file: shown_path(&analysis.path(file)), line, code })
    }
}

/// Returns the parameters of a compiled resource.
fn parameters_of(resource: &CatalogResource) -> BTreeMap<String, ComparedParameter> {
    let places = resource.parameter_places.iter().copied().chain(std::iter::repeat(None));
    let parameter = |((name, value), place): (&(SmolStr, Value), Option<ExprPlace>)| {
        let is_sensitive = resource.sensitive.contains(name);
        let is_relationship = RelationshipMetaparameter::from_name(name).is_some();
        let (value, is_redacted) = (value.clone(), false);
        (name.to_string(), ComparedParameter { place, value, is_sensitive, is_redacted, is_relationship })
    };
    resource.parameters.iter().zip(places).map(parameter).collect()
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
        let parameter = ComparedParameter {
            place: None,
            value,
            is_sensitive,
            is_redacted: false,
            is_relationship: false,
        };
        (format!("({name})"), parameter)
    })
}

/// Converts a resource of a file.
fn resource_of_file(json: &Map<String, Json>, container: Option<String>) -> ComparedResource {
    let names = json.get("sensitive_parameters").and_then(Json::as_array);
    let sensitive: Vec<&str> = names.into_iter().flatten().filter_map(Json::as_str).collect();
    let parameters = json.get("parameters").and_then(Json::as_object);
    let parameters = parameters.into_iter().flatten().filter(|(_, value)| !value.is_null());
    let parameters = parameters.map(|(name, json)| {
        let (value, is_sensitive) = catalog_file::parameter(json);
        let is_redacted = catalog_file::is_redacted(json);
        let is_relationship =
            RelationshipMetaparameter::from_name(name).is_some() || catalog_file::is_unordered(name);
        let is_sensitive = is_sensitive || is_redacted || sensitive.contains(&name.as_str());
        let parameter = ComparedParameter { place: None, value, is_sensitive, is_redacted, is_relationship };
        (name.clone(), parameter)
    });
    let file = json.get("file").and_then(Json::as_str);
    let line = json.get("line").and_then(Json::as_u64).and_then(|line| u32::try_from(line).ok());
    let place = file
        .zip(line)
        .map(|(file, line)| ComparedPlace::Line(ChangePlace { file: file.to_owned(), line, code: None }));
    let is = |name: &str| json.get(name) == Some(&Json::Bool(true));
    let about = (!is("possible"), is("exported"));
    ComparedResource { place, about, container, parameters: parameters.collect() }
}

/// Compares two catalogs, each of which may be missing.
pub fn compared(before: Option<&ComparedCatalog<'_>>, after: Option<&ComparedCatalog<'_>>) -> Comparison {
    compared_by(before, after, &DiffRules::default())
}

/// Compares two catalogs, each of which may be missing. `rules` ignore differences, which are counted.
pub fn compared_by(
    before: Option<&ComparedCatalog<'_>>,
    after: Option<&ComparedCatalog<'_>>,
    rules: &DiffRules,
) -> Comparison {
    let sides = || before.into_iter().chain(after);
    let mut open: Vec<String> = sides().flat_map(|side| side.open.iter().cloned()).collect();
    open.sort();
    open.dedup();
    let missing_modules: BTreeMap<String, MissingModule> =
        sides().flat_map(|side| side.missing_modules.clone()).collect();
    if sides().any(|side| side.limit.is_some()) {
        return Comparison { open, missing_modules, is_skipped: true, ..Comparison::default() };
    }
    let mut ignored = 0;
    let difference = difference(before, after, &mut |before, after| {
        let found = CatalogPair { before, after }.changes(rules);
        ignored = found.ignored;
        open.extend(found.open);
        found.changes
    });
    let failure = |side: Option<&ComparedCatalog<'_>>| {
        side.and_then(|side| side.failure.clone().or_else(|| side.circle.clone()))
    };
    let failure_of_both = failure(after).filter(|_| failure(before).is_some());
    let failure_of_both =
        failure_of_both.filter(|_| !matches!(difference, Some(Difference::FailsDifferently { .. })));
    if sides().any(ComparedCatalog::is_stored) {
        open.push("sensitive parameters, which PuppetDB does not store".to_owned());
    }
    let mut possible = Vec::new();
    let mut newly_open = Vec::new();
    if let (Some(before), Some(after)) = (before, after) {
        possible = possible_changes(before, after);
        newly_open.extend(after.open.iter().filter(|it| !before.open.contains(it)).cloned());
        let mut undecided = undecided_parameters(before, after);
        let decisions = unknown_decisions(before, after);
        // Decisions explain most failures.
        let failures = if decisions.is_empty() { possible_failures(before, after) } else { Vec::new() };
        undecided.extend(decisions.into_iter().chain(failures));
        newly_open.extend(undecided.iter().cloned());
        open.extend(undecided);
    }
    let is_skipped = false;
    Comparison {
        difference,
        failure_of_both,
        open,
        newly_open,
        missing_modules,
        is_skipped,
        possible,
        ignored,
    }
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

/// Returns true for the reference of a resource with an unknown title. There may be several of a type.
fn has_unknown_title(reference: &str) -> bool {
    reference.strip_suffix(']').is_some_and(|it| it.ends_with(UNKNOWN_TITLE))
}

/// Describes the titles and parameters whose values are unknown before and after a change of the code, so that they may
/// differ.
fn undecided_parameters(before: &ComparedCatalog<'_>, after: &ComparedCatalog<'_>) -> Vec<String> {
    let is_code_same = before.fingerprint == after.fingerprint;
    // Catalogs from files list unknown titles themselves.
    let are_compiled = before.compiled().is_some() && after.compiled().is_some();
    let mut undecided = Vec::new();
    for (reference, resource) in &after.resources {
        let Some(old) = before.resources.get(reference) else { continue };
        if !is_code_same && are_compiled && has_unknown_title(reference) {
            undecided.push(format!("title of `{reference}` is unknown before and after"));
        }
        if !are_compiled && !old.about.0 && !resource.about.0 {
            undecided.push(format!("whether `{reference}` is declared is unknown before and after"));
        }
        for (name, parameter) in &resource.parameters {
            // Parentheses mark contents of files, which do not depend on the code.
            let depends_on_files = || before.are_files_changed && is_result_of_ruby(&parameter.value);
            let may_differ = !is_code_same || name.starts_with('(') || depends_on_files();
            let is_same = |it: &ComparedParameter| may_differ && *it == *parameter && is_unknown(&it.value);
            if old.parameters.get(name).is_some_and(is_same) {
                undecided.push(format!("`{name}` of `{reference}` is unknown before and after"));
            }
        }
    }
    undecided
}

/// Describes the decisions of code that depend on something unknown, and that may differ after a change of the code.
fn unknown_decisions(before: &ComparedCatalog<'_>, after: &ComparedCatalog<'_>) -> Vec<String> {
    if before.fingerprint == after.fingerprint {
        return Vec::new();
    }
    let digests = |side: &ComparedCatalog<'_>| -> BTreeSet<u64> {
        side.decisions().iter().filter_map(|it| it.digest).collect()
    };
    let (old, new) = (digests(before), digests(after));
    let places = |side: &ComparedCatalog<'_>, other: &BTreeSet<u64>| -> BTreeSet<String> {
        let changed =
            side.decisions().iter().filter(|it| it.digest.is_none_or(|digest| !other.contains(&digest)));
        let places = changed.filter_map(|it| side.place(Some(it.place), true));
        places.map(|it| format!("`{}:{}`", it.file, it.line)).collect()
    };
    let (old, new) = (places(before, &new), places(after, &old));
    let removed =
        old.difference(&new).map(|it| format!("what the code at {it} did before depends on unknown values"));
    let added = new.iter().map(|it| format!("what the code at {it} does depends on unknown values"));
    removed.chain(added).collect()
}

/// Describes the failures for some of the unknown values that only one side has.
fn possible_failures(before: &ComparedCatalog<'_>, after: &ComparedCatalog<'_>) -> Vec<String> {
    let failures = |side: &ComparedCatalog<'_>| -> BTreeSet<String> {
        side.compiled().map(|it| it.possible_failures().iter().cloned().collect()).unwrap_or_default()
    };
    let (old, new) = (failures(before), failures(after));
    let removed = old.difference(&new).map(|it| format!("before the change, {it}"));
    removed.chain(new.difference(&old).cloned()).collect()
}

/// Returns true if Ruby code that is not evaluated, and may read files, computes a value.
fn is_result_of_ruby(value: &Value) -> bool {
    value.least_trustworthy() == Some(Origin::Ruby)
}

/// Returns the difference, if there is one.
fn difference(
    before: Option<&ComparedCatalog<'_>>,
    after: Option<&ComparedCatalog<'_>>,
    changes: &mut dyn FnMut(&ComparedCatalog<'_>, &ComparedCatalog<'_>) -> Vec<ResourceChange>,
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
