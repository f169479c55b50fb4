//! The JSON document of puppet-strings.

use serde_json::{Map, Value, json};

use crate::docstring::{DocTag, Docstring};
use crate::{
    DocumentedAlias, DocumentedAttribute, DocumentedDefinition, DocumentedFunction, DocumentedFunctionApi,
    DocumentedPlace, DocumentedProvider, DocumentedTask, DocumentedType, ModuleReference,
};

/// Tags that a signature repeats.
const SIGNATURE_TAGS: [&str; 5] = ["param", "option", "enum", "return", "example"];

impl ModuleReference {
    /// Returns the document of `puppet strings generate --format json`.
    pub fn json(&self) -> Value {
        json!({
            "puppet_classes": self.classes.iter().map(definition).collect::<Vec<_>>(),
            "data_types": [],
            "data_type_aliases": self.type_aliases.iter().map(type_alias).collect::<Vec<_>>(),
            "defined_types": self.defined_types.iter().map(definition).collect::<Vec<_>>(),
            "resource_types": self.resource_types.iter().map(|it| self.resource_type_json(it)).collect::<Vec<_>>(),
            "providers": self.providers.iter().map(provider).collect::<Vec<_>>(),
            "puppet_functions": self.functions.iter().map(function).collect::<Vec<_>>(),
            "puppet_tasks": self.tasks.iter().map(task).collect::<Vec<_>>(),
            "puppet_plans": self.plans.iter().map(definition).collect::<Vec<_>>(),
        })
    }

    fn resource_type_json(&self, documented: &DocumentedType) -> Value {
        let mut object = head(&documented.name, &documented.place);
        object.insert("docstring".to_owned(), docstring(&documented.docstring, None));
        let lists = [
            ("properties", &documented.properties),
            ("parameters", &documented.parameters),
            ("checks", &documented.checks),
        ];
        for (name, attributes) in lists {
            if !attributes.is_empty() {
                object.insert(name.to_owned(), attributes.iter().map(attribute).collect());
            }
        }
        if !documented.features.is_empty() {
            let feature = |(name, text): &(String, String)| json!({ "name": name, "description": text });
            object.insert("features".to_owned(), documented.features.iter().map(feature).collect());
        }
        let providers: Vec<Value> =
            self.providers.iter().filter(|it| it.type_name == documented.name).map(provider).collect();
        if !providers.is_empty() {
            object.insert("providers".to_owned(), providers.into());
        }
        object.into()
    }
}

fn head(name: &str, place: &DocumentedPlace) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("name".to_owned(), name.into());
    object.insert("file".to_owned(), place.file.clone().into());
    object.insert("line".to_owned(), place.line.into());
    object
}

/// Returns the text and the tags, sorted by their names.
fn docstring(documented: &Docstring, only: Option<&[&str]>) -> Value {
    let mut object = Map::new();
    object.insert("text".to_owned(), documented.text.clone().into());
    let is_shown = |it: &&DocTag| {
        let is_public = it.tag == "api" && it.text.as_deref() == Some("public");
        !is_public && only.is_none_or(|tags| tags.contains(&it.tag.as_str()))
    };
    let mut tags: Vec<&DocTag> = documented.tags.iter().filter(is_shown).collect();
    tags.sort_by(|a, b| a.tag.cmp(&b.tag));
    if !tags.is_empty() {
        object.insert("tags".to_owned(), tags.into_iter().map(doc_tag).collect());
    }
    object.into()
}

fn doc_tag(tag: &DocTag) -> Value {
    let mut object = Map::new();
    object.insert("tag_name".to_owned(), tag.tag.clone().into());
    if let Some(key) = &tag.key {
        object.insert("opt_name".to_owned(), key.name.clone().into());
        object.insert("opt_text".to_owned(), key.text.clone().into());
        if let Some(types) = &key.types {
            object.insert("opt_types".to_owned(), types.clone().into());
        }
        object.insert("parent".to_owned(), tag.name.clone().into());
    }
    if let Some(text) = &tag.text {
        object.insert("text".to_owned(), text.clone().into());
    }
    if let Some(types) = &tag.types {
        object.insert("types".to_owned(), types.clone().into());
    }
    if let Some(name) = &tag.name {
        object.insert("name".to_owned(), name.clone().into());
    }
    object.into()
}

fn texts(pairs: &[(String, String)]) -> Value {
    pairs.iter().map(|(key, value)| (key.clone(), Value::from(value.clone()))).collect::<Map<_, _>>().into()
}

fn definition(documented: &DocumentedDefinition) -> Value {
    let mut object = head(&documented.name, &documented.place);
    if let Some(parent) = &documented.inherits {
        object.insert("inherits".to_owned(), parent.clone().into());
    }
    object.insert("docstring".to_owned(), docstring(&documented.docstring, None));
    if !documented.defaults.is_empty() {
        object.insert("defaults".to_owned(), texts(&documented.defaults));
    }
    object.insert("source".to_owned(), documented.source.clone().into());
    object.into()
}

fn type_alias(documented: &DocumentedAlias) -> Value {
    let mut object = head(&documented.name, &documented.place);
    object.insert("docstring".to_owned(), docstring(&documented.docstring, None));
    object.insert("alias_of".to_owned(), documented.alias_of.clone().into());
    object.into()
}

fn function(documented: &DocumentedFunction) -> Value {
    let mut object = head(&documented.name, &documented.place);
    let api = match documented.api {
        DocumentedFunctionApi::Ruby3 => "ruby3x",
        DocumentedFunctionApi::Ruby4 => "ruby4x",
        DocumentedFunctionApi::Puppet => "puppet",
    };
    object.insert("type".to_owned(), api.into());
    let signature = |text: &str, documented: &Docstring| {
        let mut object = Map::new();
        object.insert("signature".to_owned(), text.into());
        object.insert("docstring".to_owned(), docstring(documented, Some(&SIGNATURE_TAGS)));
        Value::from(object)
    };
    let signatures: Vec<Value> =
        documented.signatures.iter().map(|it| signature(&it.text, &it.docstring)).collect();
    let overloads: Vec<Value> = match signatures.as_slice() {
        [_] => Vec::new(),
        _ => signatures.iter().map(|it| overload(&documented.name, it)).collect(),
    };
    object.insert("signatures".to_owned(), signatures.into());
    object.insert("docstring".to_owned(), with_overloads(docstring(&documented.docstring, None), overloads));
    if !documented.defaults.is_empty() {
        object.insert("defaults".to_owned(), texts(&documented.defaults));
    }
    object.insert("source".to_owned(), documented.source.clone().into());
    object.into()
}

/// Returns one of several signatures as a tag.
fn overload(name: &str, signature: &Value) -> Value {
    json!({
        "tag_name": "overload",
        "signature": signature["signature"],
        "docstring": signature["docstring"],
        "name": name,
    })
}

fn with_overloads(mut docstring: Value, overloads: Vec<Value>) -> Value {
    if let (Value::Object(object), false) = (&mut docstring, overloads.is_empty()) {
        let tags = object.entry("tags").or_insert_with(|| Value::Array(Vec::new()));
        if let Value::Array(tags) = tags {
            tags.extend(overloads);
            tags.sort_by(|a, b| a["tag_name"].as_str().cmp(&b["tag_name"].as_str()));
        }
    }
    docstring
}

fn attribute(documented: &DocumentedAttribute) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), documented.name.clone().into());
    if !documented.description.is_empty() {
        object.insert("description".to_owned(), documented.description.clone().into());
    }
    if !documented.values.is_empty() {
        object.insert("values".to_owned(), documented.values.clone().into());
    }
    if let Some(data_type) = &documented.data_type {
        object.insert("data_type".to_owned(), data_type.clone().into());
    }
    if !documented.aliases.is_empty() {
        object.insert("aliases".to_owned(), texts(&documented.aliases));
    }
    if documented.is_namevar {
        object.insert("isnamevar".to_owned(), true.into());
    }
    if let Some(features) = &documented.required_features {
        object.insert("required_features".to_owned(), features.clone().into());
    }
    if let Some(default) = &documented.default {
        let value = documented.default_value.clone();
        object.insert("default".to_owned(), value.unwrap_or_else(|| default.clone().into()));
    }
    object.into()
}

fn provider(documented: &DocumentedProvider) -> Value {
    let mut object = Map::new();
    object.insert("name".to_owned(), documented.name.clone().into());
    object.insert("type_name".to_owned(), documented.type_name.clone().into());
    object.insert("file".to_owned(), documented.place.file.clone().into());
    object.insert("line".to_owned(), documented.place.line.into());
    object.insert("docstring".to_owned(), docstring(&documented.docstring, None));
    if !documented.confines.is_empty() {
        object.insert("confines".to_owned(), texts(&documented.confines));
    }
    if !documented.features.is_empty() {
        object.insert("features".to_owned(), documented.features.clone().into());
    }
    if !documented.defaults.is_empty() {
        let pair = |(key, value): &(String, String)| json!([key, value]);
        let constraints =
            |it: &Vec<(String, String)>| Value::from(it.iter().map(pair).collect::<Vec<Value>>());
        object.insert("defaults".to_owned(), documented.defaults.iter().map(constraints).collect());
    }
    if !documented.commands.is_empty() {
        object.insert("commands".to_owned(), texts(&documented.commands));
    }
    object.into()
}

/// Returns the type of a task's parameter; null if the metadata has none.
fn task_types(tag: &DocTag) -> Value {
    let types = tag.types.iter().flatten();
    types.map(|it| if it.is_empty() { Value::Null } else { it.clone().into() }).collect()
}

fn task(documented: &DocumentedTask) -> Value {
    let tags: Vec<Value> = documented
        .docstring
        .tags
        .iter()
        .map(|it| json!({ "name": it.name, "tag_name": "param", "text": it.text, "types": task_types(it) }))
        .collect();
    json!({
        "name": documented.name,
        "file": documented.file,
        "line": 0,
        "docstring": { "text": documented.docstring.text, "tags": tags },
        "source": documented.source,
        "supports_noop": documented.supports_noop,
        "input_method": documented.input_method,
    })
}
