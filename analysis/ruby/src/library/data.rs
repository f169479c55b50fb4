//! JSON and YAML.

use types::Value;

use super::super::interpreter::Interpreter;
use super::super::methods::MethodInvocation;
use super::super::value::{Object, Ruby, raise_as, unsupported};
use super::{ModuleRow, of};

pub(super) const TABLE: &[ModuleRow] = &[
    of("JSON", "parse", 1, 2, parsed_json),
    of("JSON", "load", 1, 1, parsed_json),
    of("YAML", "load", 1, 2, parsed_yaml),
    of("YAML", "safe_load", 1, 2, parsed_yaml),
    of("YAML", "load_file", 1, 1, yaml_file),
    of("YAML", "safe_load_file", 1, 1, yaml_file),
    of("Puppet::Util::Yaml", "safe_load_file", 1, 3, yaml_file),
    of("Puppet::Util::Yaml", "safe_load", 1, 3, parsed_yaml),
    of("Puppet::Util::Yaml", "load_file", 1, 2, yaml_file),
];

/// Returns a mutable copy of a value.
pub(super) fn mutable_copy(value: &Value) -> Object {
    let object = Object::from_puppet(value);
    object.unshare();
    object
}

fn parsed_json(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    if it.name == "load" && matches!(it.argument(0), Object::Nil) {
        return Ok(Object::Nil);
    }
    let text = it.text_argument(0)?;
    ruby.charge(text.len() * 16)?;
    if it.arguments.len() > 1 {
        return unsupported();
    }
    // No version accepts a document that begins like this.
    let first = text.trim_start().chars().next();
    if first
        .is_some_and(|c| !matches!(c, '{' | '[' | '"' | '-' | '0'..='9' | 't' | 'f' | 'n' | 'N' | 'I' | '/'))
    {
        return raise_as("JSON::ParserError", "invalid JSON");
    }
    match hiera::json::parse(&text) {
        Ok(value) if value.is_known() => Ok(mutable_copy(&value)),
        // Versions of the library differ in what they accept: `NaN`, a trailing comma, and so on.
        _ => unsupported(),
    }
}

fn parsed_yaml(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let text = it.text_argument(0)?;
    ruby.charge(text.len() * 16)?;
    // The behavior of `safe_load` depends on its options.
    let allows_aliases = match it.arguments.get(1) {
        Some(Object::Hash(options)) => {
            matches!(options.get(&Object::symbol("aliases"))?, Object::Boolean(true))
        }
        _ => it.name == "load",
    };
    if !allows_aliases && hiera::data::may_have_aliases(&text) {
        return unsupported();
    }
    let data = hiera::data::read(hiera::data::DataFormat::Yaml, &text);
    match &data.root {
        Some(root) if data.findings.is_empty() && root.value.is_known() => Ok(mutable_copy(&root.value)),
        _ => unsupported(),
    }
}

fn yaml_file(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let path = it.text_argument(0)?;
    ruby.host.data_file(&path).map_or_else(unsupported, |value| Ok(mutable_copy(&value)))
}
