//! References of catalogs from files to resources that they lack, which no compile has checked.

use std::collections::HashSet;
use std::fmt::Write;
use std::str::FromStr;

use serde_json::{Map, Value as Json};

use crate::catalog_file::CatalogFile;

/// Maximum number of references that a message lists.
const MAX_LISTED: usize = 20;

/// Folder that octocatalog-diff removes from the paths of files.
const ENVIRONMENT_FOLDER: &str = "environments/production/";

/// Relationship whose references are checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CheckedReference {
    Before,
    Require,
    Subscribe,
    Notify,
}

impl CheckedReference {
    /// Returns the name of the metaparameter.
    fn name(self) -> &'static str {
        match self {
            CheckedReference::Before => "before",
            CheckedReference::Require => "require",
            CheckedReference::Subscribe => "subscribe",
            CheckedReference::Notify => "notify",
        }
    }
}

impl FromStr for CheckedReference {
    type Err = String;

    fn from_str(text: &str) -> Result<CheckedReference, String> {
        let all = [
            CheckedReference::Before,
            CheckedReference::Require,
            CheckedReference::Subscribe,
            CheckedReference::Notify,
        ];
        let found = all.into_iter().find(|it| it.name() == text);
        found.ok_or_else(|| "expected `before`, `require`, `subscribe`, or `notify`".to_owned())
    }
}

/// Returns a description of the references to resources that a catalog lacks; `None` if it has all of them.
pub fn broken_references(file: &CatalogFile, checked: &[CheckedReference]) -> Option<String> {
    if checked.is_empty() {
        return None;
    }
    let known = known_resources(file);
    let mut broken = Vec::new();
    for resource in file.resources.iter().filter_map(Json::as_object) {
        let Some(parameters) = resource.get("parameters").and_then(Json::as_object) else { continue };
        for relationship in checked {
            let Some(value) = parameters.get(relationship.name()) else { continue };
            let mut targets = Vec::new();
            flatten(value, &mut targets);
            for target in targets.into_iter().filter(|it| !is_known(it, &known)) {
                broken.push(format!("{} -> {}[{target}]", described(resource), relationship.name()));
            }
        }
    }
    let plural = if broken.len() > 1 { "s" } else { "" };
    let more = broken.len().saturating_sub(MAX_LISTED);
    broken.truncate(MAX_LISTED);
    let mut message = broken.join("; ");
    if more > 0 {
        let _ = write!(message, "; … ({} in all)", more + MAX_LISTED);
    }
    (!message.is_empty()).then(|| format!("catalog has broken reference{plural}: {message}"))
}

/// Returns the types of the resources of a catalog with their titles, names, and aliases.
fn known_resources(file: &CatalogFile) -> HashSet<(&str, &str)> {
    let mut known = HashSet::new();
    for resource in file.resources.iter().filter_map(Json::as_object) {
        let text = |key: &str| resource.get(key).and_then(Json::as_str);
        let Some((type_name, title)) = text("type").zip(text("title")) else { continue };
        known.insert((type_name, normalized(type_name, title)));
        let parameters = resource.get("parameters").and_then(Json::as_object);
        for name in ["alias", "name"] {
            let value = parameters.and_then(|it| it.get(name));
            let values = value
                .into_iter()
                .flat_map(|it| it.as_array().map_or(std::slice::from_ref(it), Vec::as_slice));
            known.extend(values.filter_map(Json::as_str).map(|other| (type_name, other)));
        }
    }
    known
}

/// Collects the references in nested arrays. Anything else is not a reference, but of an unknown value.
fn flatten<'j>(value: &'j Json, targets: &mut Vec<&'j str>) {
    match value {
        Json::String(text) => targets.push(text),
        Json::Array(elements) => elements.iter().for_each(|it| flatten(it, targets)),
        _ => {}
    }
}

/// Returns true if a catalog has the target of a reference.
fn is_known(target: &str, known: &HashSet<(&str, &str)>) -> bool {
    let parts = target.strip_suffix(']').and_then(|it| it.split_once('['));
    parts.is_some_and(|(type_name, title)| known.contains(&(type_name, normalized(type_name, title))))
}

/// Returns the title of a file without slashes at its end.
fn normalized<'t>(type_name: &str, title: &'t str) -> &'t str {
    let trimmed = title.trim_end_matches('/');
    match (type_name, trimmed) {
        ("File", "") => title.get(..1).unwrap_or_default(),
        ("File", drive) if drive.ends_with(':') && drive.len() < title.len() => &title[..=drive.len()],
        ("File", trimmed) => trimmed,
        _ => title,
    }
}

/// Returns the type, the title, and the location of a resource.
fn described(resource: &Map<String, Json>) -> String {
    let text = |key: &str| resource.get(key).and_then(Json::as_str).unwrap_or_default();
    let (file, line) = (text("file"), resource.get("line").and_then(Json::as_u64));
    let name = format!("{}[{}]", text("type").to_lowercase(), text("title"));
    match (file, line) {
        ("", _) => name,
        (file, line) => {
            let file = file.strip_prefix(ENVIRONMENT_FOLDER).unwrap_or(file);
            let line = line.map(|line| line.to_string()).unwrap_or_default();
            format!("{name}({file}:{line})")
        }
    }
}
