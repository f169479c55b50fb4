//! `package`, `service`, and `resources`.

use plugins::built_in;
use types::Value;

use crate::exec::search_path;
use crate::problem::{RuleResult, ValueProblem};
use crate::values::{boolean, elements, integer, is_boolean, matches, pattern, string};
use crate::{AgentResource, Conflict};

/// Returns the rule on an attribute.
pub(crate) fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    let rule: fn(&Value) -> RuleResult = match (type_name, attribute) {
        ("package", "name") => string,
        ("package", "enable_only") | ("resources", "purge") => is_boolean,
        ("service", "path") => search_path,
        ("resources", "unless_system_user") => unless_system_user,
        ("resources", "unless_uid") => unless_uid,
        _ => return None,
    };
    Some(rule)
}

fn unless_system_user(value: &Value) -> RuleResult {
    let is_valid = match value {
        Value::Boolean(_) => true,
        Value::Integer(value) => *value >= 0,
        Value::String(text) => matches(pattern!(r"^\d+$"), text) && integer(text).is_some(),
        _ => false,
    };
    if is_valid { Ok(()) } else { ValueProblem::expected("a boolean or a number", value) }
}

fn unless_uid(value: &Value) -> RuleResult {
    match value {
        Value::Integer(_) => Ok(()),
        Value::String(text) if integer(text).is_some() => Ok(()),
        Value::Array(ids) => ids.iter().try_for_each(unless_uid),
        value => ValueProblem::expected("a number", value),
    }
}

/// Checks the attributes of modules of packages.
pub(crate) fn check(resource: &AgentResource<'_>) -> Option<Conflict> {
    let is_disabled = resource.text("ensure") == Some("disabled");
    let conflict = || Conflict::between("`enable_only` excludes `ensure => disabled`", "enable_only");
    (is_disabled && resource.has_known("enable_only")).then(conflict)
}

/// Checks that resources of the type can be purged.
pub(crate) fn check_resources(resource: &AgentResource<'_>) -> Option<Conflict> {
    let purges = resource.get("purge").and_then(|it| boolean(elements(it).first()?)) == Some(true);
    let name = resource.text("name").or(resource.title)?.to_lowercase();
    let resource_type = built_in::resource_type(&name)?;
    let has_ensure = resource_type.attributes.iter().any(|it| it.name == "ensure");
    let problem = || Conflict::between(format!("resources of type `{name}` cannot be purged"), "purge");
    (purges && !has_ensure && built_in::is_core_resource_type(&name)).then(problem)
}
