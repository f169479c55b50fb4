//! Catalogs as JSON in the form that `puppet catalog compile` prints and octocatalog-diff compares.

use std::fmt::Write;

use eval::{CatalogResource, CatalogResourceKind};
use ide::{Analysis, Compiled, EnvironmentId};
use md5::Md5;
use serde_json::{Map, Value as Json, json};
use sha2::{Digest, Sha256};
use types::{NoTypes, Value};

use super::differ::DiffItem;
use super::hashdiff::SEPARATOR;
use crate::catalog_file::CatalogFile;
use crate::served::{ServedFiles, ServedText};
use catalog_view::values::{UNKNOWN_TITLE, reference, shown_value};

/// Beginning of a string that represents a secret while catalogs are compared.
const SECRET_MARK: &str = "\u{0}secret ";

/// Shown instead of a secret.
const SHOWN_SECRET: &str = "Sensitive [value redacted]";

/// Resources of a catalog.
#[derive(Default, Debug)]
pub struct OctoCatalog {
    pub resources: Vec<Json>,
    /// Sources of files that do not exist, described as octocatalog-diff does.
    pub missing_sources: Vec<String>,
}

/// Converts a compiled catalog. With `served`, files have the contents of their sources in modules.
///
/// # Errors
/// Fails if the analysis was canceled.
pub fn catalog_of(
    analysis: &Analysis,
    environment: EnvironmentId,
    compiled: &Compiled,
    served: Option<&ServedFiles<'_>>,
) -> anyhow::Result<OctoCatalog> {
    let mut converted = OctoCatalog::default();
    let catalog = compiled.catalog();
    // The resources that a defined type declares have the files, not the defined type itself.
    for resource in &catalog.resources {
        let mut shown = Map::new();
        shown.insert("type".to_owned(), json!(resource.type_name.as_str()));
        shown.insert("title".to_owned(), json!(resource.title.as_deref().unwrap_or(UNKNOWN_TITLE)));
        let tags = resource.tags.sorted();
        shown.insert("tags".to_owned(), tags.iter().map(|tag| tag.as_str()).collect());
        let place = resource.place.map(|place| analysis.location_of(compiled, place)).transpose()?.flatten();
        if let Some(place) = place {
            if let Some(file) = place.file {
                shown.insert("file".to_owned(), json!(analysis.path(file).to_native()));
            }
            shown.insert("line".to_owned(), json!(place.line));
        }
        shown.insert("exported".to_owned(), json!(resource.is_exported));
        let kind = match resource.kind() {
            CatalogResourceKind::Class | CatalogResourceKind::Node => "unknown",
            _ if analysis.has_native_type(environment, &resource.type_name)? => "compilable_type",
            _ => "defined_type",
        };
        shown.insert("kind".to_owned(), json!(kind));
        let mut parameters = parameters(resource);
        if let Some(served) = served {
            add_text(resource, &mut parameters, served, &mut converted.missing_sources);
        }
        if !parameters.is_empty() {
            shown.insert("parameters".to_owned(), Json::Object(parameters));
        }
        if !resource.sensitive.is_empty() {
            let names = resource.sensitive.iter().map(|name| name.as_str()).collect();
            shown.insert("sensitive_parameters".to_owned(), names);
        }
        converted.resources.push(Json::Object(shown));
    }
    Ok(converted)
}

fn parameters(resource: &CatalogResource) -> Map<String, Json> {
    let parameter = |(name, value): &(_, Value)| {
        let name: &smol_str::SmolStr = name;
        let value = json_of(value);
        (name.to_string(), if resource.sensitive.contains(name) { secret(&value) } else { value })
    };
    resource.parameters.iter().map(parameter).collect()
}

/// Returns the resources of a catalog from a file, with its secrets replaced.
pub fn resources_of_file(file: &CatalogFile) -> Vec<Json> {
    let mut resources = file.resources.clone();
    for resource in &mut resources {
        let names = resource.get("sensitive_parameters").and_then(Json::as_array);
        let sensitive: Vec<String> =
            names.into_iter().flatten().filter_map(|name| name.as_str().map(str::to_owned)).collect();
        if let Some(entries) = resource.as_object_mut() {
            // Only PuppetDB has this key.
            entries.shift_remove("resource");
        }
        let Some(Json::Object(parameters)) = resource.get_mut("parameters") else { continue };
        for (name, value) in parameters.iter_mut() {
            if sensitive.contains(name) {
                *value = secret(value);
            } else {
                replace_secrets(value);
            }
        }
    }
    resources
}

fn replace_secrets(value: &mut Json) {
    match value {
        Json::Object(entries) if entries.get("__ptype").is_some_and(|it| it == "Sensitive") => {
            *value = secret(value);
        }
        Json::Object(entries) => entries.values_mut().for_each(replace_secrets),
        Json::Array(elements) => elements.iter_mut().for_each(replace_secrets),
        _ => {}
    }
}

/// Replaces the source of a file in a module by its contents.
fn add_text(
    resource: &CatalogResource,
    parameters: &mut Map<String, Json>,
    served: &ServedFiles<'_>,
    missing: &mut Vec<String>,
) {
    let is_convertible = resource.type_name == "File" && !parameters.contains_key("content");
    let Some(source) = parameters.get("source").filter(|_| is_convertible).cloned() else { return };
    let is_ignored = served.ignores(resource);
    let is_secret = resource.sensitive.iter().any(|name| name == "source");
    let sources: Vec<&str> = match &source {
        Json::Array(elements) => elements.iter().filter_map(Json::as_str).collect(),
        source => source.as_str().into_iter().collect(),
    };
    match served.text_of(&sources) {
        ServedText::File(bytes) if !is_ignored && !is_secret => {
            let text = String::from_utf8(bytes.clone()).ok().filter(|text| text.is_ascii());
            let content = text.unwrap_or_else(|| {
                let mut checksum = "{md5}".to_owned();
                for byte in Md5::digest(&bytes) {
                    let _ = write!(checksum, "{byte:02x}");
                }
                checksum
            });
            parameters.insert("content".to_owned(), json!(content));
            parameters.shift_remove("source");
        }
        ServedText::Missing => {
            let source = sources.join("', '");
            missing.push(format!("unable to resolve source `{source}` of `{}`", reference(resource)));
        }
        ServedText::File(_) | ServedText::Folder | ServedText::Elsewhere => {}
    }
}

/// Converts a value to JSON as Puppet prints it in catalogs: values without a form in JSON are strings.
fn json_of(value: &Value) -> Json {
    match value {
        Value::Sensitive(inner) => secret(&json_of(inner)),
        Value::Array(elements) => elements.iter().map(json_of).collect(),
        Value::Hash(entries) => {
            let key = |key: &Value| match key {
                Value::String(text) => text.to_string(),
                key => plain_text(key),
            };
            Json::Object(entries.iter().map(|(name, value)| (key(name), json_of(value))).collect())
        }
        value => {
            let value = shown_value(value);
            match types::rich_data::to_json(&value, &NoTypes) {
                Json::Object(entries) if entries.get("__ptype").is_some_and(|it| it != "Unknown") => {
                    Json::String(plain_text(&value))
                }
                json => json,
            }
        }
    }
}

fn plain_text(value: &Value) -> String {
    match types::rich_data::to_json(value, &NoTypes).get("__pvalue").and_then(Json::as_str) {
        Some(text) => text.to_owned(),
        None => types::text::to_notation(value, &NoTypes),
    }
}

/// Returns a string that only equals that of the same secret.
pub(crate) fn secret(value: &Json) -> Json {
    let mut text = SECRET_MARK.to_owned();
    for byte in Sha256::digest(value.to_string()) {
        let _ = write!(text, "{byte:02x}");
    }
    Json::String(text)
}

impl DiffItem {
    /// Replaces secrets, and the strings that `mask` replaces. `is_secret` returns true for names of parameters
    /// whose values must not be shown.
    pub fn conceal(&mut self, is_secret: &dyn Fn(&str) -> bool, mask: &dyn Fn(&str) -> String) {
        let is_named_secret = self.attribute.iter().flat_map(|it| it.split(SEPARATOR)).any(is_secret);
        for value in [&mut self.old, &mut self.new] {
            conceal(value, is_named_secret, is_secret, mask);
        }
        self.title = mask(&self.title);
    }
}

fn conceal(
    value: &mut Json,
    is_hidden: bool,
    is_secret: &dyn Fn(&str) -> bool,
    mask: &dyn Fn(&str) -> String,
) {
    match value {
        Json::String(text) if is_hidden || text.starts_with(SECRET_MARK) => *text = SHOWN_SECRET.to_owned(),
        Json::String(text) => *text = mask(text),
        Json::Number(_) if is_hidden => *value = Json::String(SHOWN_SECRET.to_owned()),
        Json::Array(elements) => elements.iter_mut().for_each(|it| conceal(it, is_hidden, is_secret, mask)),
        Json::Object(entries) => {
            for (name, inner) in entries.iter_mut() {
                conceal(inner, is_hidden || is_secret(name), is_secret, mask);
            }
        }
        _ => {}
    }
}
