//! Metadata of tasks.

use serde_json::Value;

use crate::docstring::{DocTag, Docstring};
use crate::{DocumentedTask, ModuleFile, ModuleReference};

pub(crate) fn read(file: ModuleFile<'_>, reference: &mut ModuleReference) {
    let metadata = match serde_json::from_str::<Value>(file.text) {
        Ok(Value::Object(metadata)) => metadata,
        _ => {
            reference.omitted.push(format!("{}:1: task whose metadata is not a JSON object", file.path));
            return;
        }
    };
    if metadata.is_empty() {
        return;
    }
    let description = metadata.get("description").and_then(Value::as_str).unwrap_or_default();
    let mut docstring = Docstring::parse(description);
    // Tags come from the parameters alone.
    docstring.tags.clear();
    for (name, properties) in metadata.get("parameters").and_then(Value::as_object).into_iter().flatten() {
        let property = |key: &str| properties.get(key).and_then(Value::as_str).unwrap_or_default();
        let tag = DocTag::implied("param", Some(name), property("type"));
        docstring.tags.push(DocTag { text: Some(property("description").to_owned()), ..tag });
    }
    let name = file.path.rsplit('/').next().unwrap_or_default();
    reference.tasks.push(DocumentedTask {
        name: name.replace(".json", ""),
        file: file.path.to_owned(),
        docstring,
        source: file.text.to_owned(),
        supports_noop: metadata.get("supports_noop").cloned().unwrap_or(Value::Bool(false)),
        input_method: metadata.get("input_method").cloned().unwrap_or(Value::Null),
    });
}
