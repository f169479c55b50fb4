//! Rules on single attributes.

use plugins::{ResourceAttribute, RubyResourceType, built_in};
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::Value;

use crate::problem::{RuleResult, ValueProblem};
use crate::values::{self, absolute_path, is_plain, pattern};
use crate::{exec, file, jobs, network, packages, schedules, solaris, users};

/// Checks a value of an attribute: for a property, an element of its array.
pub(crate) fn check(
    resource_type: &RubyResourceType,
    attribute: &ResourceAttribute,
    value: &Value,
    has_lists: bool,
) -> RuleResult {
    if !is_plain(value) {
        return Ok(());
    }
    let type_name = resource_type.name.as_str();
    match attribute.name.as_str() {
        "audit" if has_lists => check_audit(resource_type, value),
        "provider" => check_provider(value),
        name => match rule(type_name, name) {
            Some(rule) => rule(value),
            None if has_lists && checks_list(resource_type, attribute) => check_list(attribute, value),
            None => Ok(()),
        },
    }
}

/// Returns the rule on an attribute beyond lists of values.
fn rule(type_name: &str, attribute: &str) -> Option<fn(&Value) -> RuleResult> {
    match type_name {
        "augeas" | "cron" => jobs::rule(type_name, attribute),
        "exec" => exec::rule(attribute),
        "file" => file::rule(attribute),
        "filebucket" => (attribute == "path").then_some(file::bucket_path),
        "host" | "mount" | "ssh_authorized_key" | "sshkey" | "yumrepo" => network::rule(type_name, attribute),
        "package" | "service" | "resources" => packages::rule(type_name, attribute),
        "schedule" | "tidy" => schedules::rule(type_name, attribute),
        "group" | "user" => users::rule(type_name, attribute),
        "zone" | "zpool" => solaris::rule(type_name, attribute),
        _ => None,
    }
}

/// Returns true if an agent refuses values that the table of an attribute does not list. Newer versions of a
/// module may know more types of keys.
pub(crate) fn checks_list(resource_type: &RubyResourceType, attribute: &ResourceAttribute) -> bool {
    let type_name = resource_type.name.as_str();
    let grows = matches!(type_name, "ssh_authorized_key" | "sshkey") && attribute.name == "type";
    attribute.values_are_closed && !grows && rule(type_name, &attribute.name).is_none()
}

/// Checks that a value is in the list of an attribute, as a string, or matches one of its patterns.
fn check_list(attribute: &ResourceAttribute, value: &Value) -> RuleResult {
    if is_listed(attribute, value) {
        return Ok(());
    }
    match values::text(value) {
        Some(text) if attribute.value_patterns.is_empty() => {
            Err(ValueProblem::Unlisted(text, attribute.values.clone()))
        }
        _ => ValueProblem::expected(list_text(attribute), value),
    }
}

/// Returns true if a value is listed. Patterns are matched with the string of an array or hash, too.
pub(crate) fn is_listed(attribute: &ResourceAttribute, value: &Value) -> bool {
    let Some(text) = values::text(value) else {
        return attribute.value_patterns.iter().any(|it| !it.starts_with('^'));
    };
    let is_alias = || attribute.value_aliases.iter().any(|(alias, _)| *alias == text);
    let is_match = |source: &SmolStr| match source.as_str() {
        "." => text.split('\n').any(|line| !line.is_empty()),
        source => Regexp::new(source).map_or(true, |it| values::matches(&it, &text)),
    };
    attribute.values.contains(&text) || is_alias() || attribute.value_patterns.iter().any(is_match)
}

fn list_text(attribute: &ResourceAttribute) -> String {
    let values = attribute.values.iter().map(|it| format!("`{it}`"));
    let patterns = attribute.value_patterns.iter().map(|it| match it.as_str() {
        "." => "a string that is not empty".to_owned(),
        source => format!("a match for `/{source}/`"),
    });
    values.chain(patterns).collect::<Vec<_>>().join(" or ")
}

/// Checks the names of attributes to audit.
fn check_audit(resource_type: &RubyResourceType, value: &Value) -> RuleResult {
    let is_name = |text: &str| {
        text == "name"
            || text == "provider"
            || built_in::metaparameter(text).is_some()
            || resource_type.attributes.iter().any(|it| it.name == text)
    };
    let elements = values::elements(value);
    let is_all = matches!(elements, [Value::String(all)] if all == "all");
    let wrong = elements.iter().find(|it| !it.as_str().is_some_and(is_name));
    match wrong {
        Some(wrong) if !is_all && !resource_type.is_incomplete => {
            ValueProblem::expected("`all` or the names of attributes", wrong)
        }
        _ => Ok(()),
    }
}

/// Checks that the name of a provider is a string. Modules may add any provider.
fn check_provider(value: &Value) -> RuleResult {
    match values::elements(value).first() {
        Some(Value::String(text)) if !text.is_empty() => Ok(()),
        _ => ValueProblem::expected("the name of a provider", value),
    }
}

/// Checks an environment variable with its value.
pub(crate) fn environment_variable(value: &Value) -> RuleResult {
    if values::is_match(pattern!(r"\w+="), value) {
        Ok(())
    } else {
        ValueProblem::expected("`NAME=VALUE`", value)
    }
}

/// Checks an absolute path; arrays are refused.
pub(crate) fn single_path(value: &Value) -> RuleResult {
    absolute_path(value)
}
