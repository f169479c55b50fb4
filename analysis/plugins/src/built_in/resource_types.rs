//! Resource types and metaparameters, read from their data files.

use std::sync::{Arc, LazyLock};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::TextRange;

use super::notation::{self, NotationEntry};
use crate::{
    Feature, ResourceApi, ResourceAttribute, ResourceAttributeKind, RubyResourceType, TitlePart,
    TitlePattern, TitlePatterns,
};

pub(super) struct ResourceTypes {
    /// All types, by name.
    pub(super) all: Vec<Arc<RubyResourceType>>,
    by_name: FxHashMap<SmolStr, (usize, Option<&'static str>)>,
}

impl ResourceTypes {
    pub(super) fn get(&self, name: &str) -> Option<&Arc<RubyResourceType>> {
        self.by_name.get(name).map(|(index, _)| &self.all[*index])
    }

    /// Returns the module that provides the type; `Some(None)` for a type of Puppet itself.
    pub(super) fn module_of(&self, name: &str) -> Option<Option<&'static str>> {
        self.by_name.get(name).map(|(_, module)| *module)
    }
}

/// Empty if the data files are malformed; a test makes sure that they are not.
pub(super) static RESOURCE_TYPES: LazyLock<ResourceTypes> =
    LazyLock::new(|| read_resource_types(FILES).unwrap_or_else(|_| of_types(Vec::new())));

pub(super) static METAPARAMETERS: LazyLock<Vec<ResourceAttribute>> =
    LazyLock::new(|| read_metaparameters(METAPARAMETERS_FILE).unwrap_or_default());

const FILES: &[&str] =
    &[include_str!("../../data/resource_types.txt"), include_str!("../../data/module_resource_types.txt")];

const METAPARAMETERS_FILE: &str = include_str!("../../data/metaparameters.txt");

fn read_resource_types(files: &[&'static str]) -> Result<ResourceTypes, String> {
    let mut types = Vec::new();
    for file in files {
        for entry in notation::read(file)? {
            expect_word(&entry, &["type"])?;
            types.push(resource_type(&entry)?);
        }
    }
    Ok(of_types(types))
}

fn of_types(mut types: Vec<(Arc<RubyResourceType>, Option<&'static str>)>) -> ResourceTypes {
    types.sort_by(|(a, _), (b, _)| a.name.cmp(&b.name));
    let by_name =
        types.iter().enumerate().map(|(index, (ty, module))| (ty.name.clone(), (index, *module))).collect();
    ResourceTypes { all: types.into_iter().map(|(ty, _)| ty).collect(), by_name }
}

fn read_metaparameters(file: &'static str) -> Result<Vec<ResourceAttribute>, String> {
    let mut attributes = Vec::new();
    for entry in notation::read(file)? {
        expect_word(&entry, &["metaparameter"])?;
        attributes.push(attribute(&entry, ResourceAttributeKind::Parameter)?);
    }
    Ok(attributes)
}

/// Parses `type cron` or `type cron of cron_core`, with documentation and attributes as children.
fn resource_type(entry: &NotationEntry) -> Result<(Arc<RubyResourceType>, Option<&'static str>), String> {
    let (name, rest) = entry.name_and_rest();
    let module = match rest.strip_prefix("of ") {
        _ if rest.is_empty() => None,
        Some(module) => Some(module),
        None => return Err(format!("line {}: {rest:?}", entry.line)),
    };
    let mut attributes = Vec::new();
    let mut features = Vec::new();
    for below in &entry.below {
        match below.word {
            "property" => attributes.push(attribute(below, ResourceAttributeKind::Property)?),
            "parameter" => attributes.push(attribute(below, ResourceAttributeKind::Parameter)?),
            "feature" => features.push(Feature {
                name: below.rest.into(),
                documentation: below.documentation.as_str().into(),
            }),
            "title_pattern" | "not_isomorphic" | "providers" => {}
            _ => return Err(format!("line {}: {:?}", below.line, below.word)),
        }
    }
    add_providers(&mut attributes, entry);
    let ty = RubyResourceType {
        name: name.into(),
        range: TextRange::empty(0),
        api: ResourceApi::Classic,
        attributes,
        is_incomplete: false,
        features,
        documentation: entry.documentation.as_str().into(),
        title_patterns: title_patterns(entry)?,
        is_isomorphic: !entry.has("not_isomorphic"),
    };
    Ok((Arc::new(ty), module))
}

/// Parses `title_pattern path ^(.*)$`: the attributes set by the groups, separated by commas, and the
/// pattern.
fn title_patterns(entry: &NotationEntry) -> Result<TitlePatterns, String> {
    let mut patterns = Vec::new();
    for below in entry.all("title_pattern") {
        let (attributes, pattern) = below.name_and_rest();
        if pattern.is_empty() {
            return Err(format!("line {}: no pattern", below.line));
        }
        let part = |attribute| TitlePart { attribute: SmolStr::new(attribute), is_verbatim: true };
        let parts = attributes.split(',').map(part).collect();
        patterns.push(TitlePattern { pattern: pattern.into(), parts });
    }
    Ok(if patterns.is_empty() { TitlePatterns::Usual } else { TitlePatterns::Listed(patterns) })
}

/// Adds the attribute `provider` to types with providers. Modules may add providers, so the values are not
/// closed.
fn add_providers(attributes: &mut Vec<ResourceAttribute>, entry: &NotationEntry) {
    let providers: Vec<SmolStr> = entry.words_of("providers").map(SmolStr::new).collect();
    if providers.is_empty() {
        return;
    }
    match attributes.iter_mut().find(|it| it.name == "provider") {
        Some(attribute) => attribute.values = providers,
        None => {
            let first_parameter = attributes.iter().position(|it| it.is_name_variable).map_or(0, |it| it + 1);
            attributes.insert(
                first_parameter,
                ResourceAttribute {
                    values: providers,
                    documentation: "Provider that manages the resource. By default, Puppet chooses one that suits the platform."
                        .into(),
                    ..ResourceAttribute::new("provider".into(), TextRange::empty(0), ResourceAttributeKind::Parameter)
                },
            );
        }
    }
}

/// Parses `parameter name namevar array`, with values and other properties as children.
fn attribute(entry: &NotationEntry, kind: ResourceAttributeKind) -> Result<ResourceAttribute, String> {
    let (name, flags) = entry.name_and_rest();
    let mut attribute = ResourceAttribute {
        values: entry.words_of("values").map(SmolStr::new).collect(),
        value_patterns: entry.all("pattern").map(|it| SmolStr::new(it.rest)).collect(),
        default: entry.get("default").map(SmolStr::new),
        required_features: entry.words_of("needs").map(SmolStr::new).collect(),
        documentation: entry.documentation.as_str().into(),
        ..ResourceAttribute::new(name.into(), TextRange::empty(0), kind)
    };
    for flag in flags.split(' ').filter(|it| !it.is_empty()) {
        match flag {
            "namevar" => attribute.is_name_variable = true,
            "required" => attribute.is_required = true,
            "array" => attribute.takes_array = true,
            _ => return Err(format!("line {}: {flag:?}", entry.line)),
        }
    }
    for below in &entry.below {
        match below.word {
            "values" | "pattern" | "default" | "needs" | "open" => {}
            "alias" => {
                let (spelling, value) = below.name_and_rest();
                attribute.value_aliases.push((spelling.into(), value.into()));
            }
            _ => return Err(format!("line {}: {:?}", below.line, below.word)),
        }
    }
    let is_listed = !attribute.values.is_empty() || !attribute.value_patterns.is_empty();
    attribute.values_are_closed = is_listed && !entry.has("open");
    Ok(attribute)
}

pub(super) fn expect_word(entry: &NotationEntry, words: &[&str]) -> Result<(), String> {
    if words.contains(&entry.word) {
        Ok(())
    } else {
        Err(format!("line {}: expected {words:?}, found {:?}", entry.line, entry.word))
    }
}

#[cfg(test)]
#[path = "resource_types_tests.rs"]
mod tests;
