//! Rules of Puppet's built-in resource types: values that an agent refuses on every platform, whichever
//! provider it uses. Puppet compiles such a catalog, but no agent applies any of it.
//!
//! Lists of values come from the tables of `plugins`; everything else is code, one module per subject: a
//! function from a value to the `ValueProblem` with it for each attribute, and one per type for rules on several
//! attributes. What is unknown is never refused. Puppet's verdicts on generated resources are recorded in
//! `tests/conformance/resource_values`.
//!
//! `plain_types` reads types of modules: as far as they only compare values with lists, no Ruby is evaluated.

mod attributes;
mod exec;
mod file;
mod jobs;
mod network;
mod packages;
mod plain_types;
mod problem;
mod schedules;
mod solaris;
mod users;
mod values;

use plugins::built_in;
use plugins::{ResourceAttributeKind, RubyResourceType};
use smol_str::SmolStr;
use types::Value;

pub use plain_types::PlainTypes;
use problem::{RuleResult, ValueProblem};
use values::is_plain;

/// Resource as an agent receives it, as far as it is known.
#[derive(Clone, Copy, Debug)]
pub struct AgentResource<'a> {
    /// Name of the type in lower case.
    pub type_name: &'a str,
    /// `None` if it is unknown.
    pub title: Option<&'a str>,
    /// Attributes that are set. Those without a known value may be `undef`, and thus absent.
    pub attributes: &'a [(SmolStr, Value)],
    /// True if no other attributes can be set elsewhere.
    pub is_complete: bool,
    /// True if the type is defined by a module that may be of any version, so that its lists of values may
    /// differ.
    pub is_of_module: bool,
    /// False if the provider that is set certainly does not exist.
    pub has_provider: bool,
}

/// Reason why every agent refuses a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AgentRefusal {
    /// Attribute whose value is refused; `None` if attributes are missing or contradict each other.
    pub attribute: Option<SmolStr>,
    /// Attribute that is set and causes the refusal; `None` for the title.
    pub cause: Option<SmolStr>,
    /// Complete message.
    pub message: String,
    /// Value that is not in the list of values of the attribute, and that list.
    pub unlisted: Option<(SmolStr, Vec<SmolStr>)>,
    /// Attributes that are not set; the resource may be accepted if one of them were.
    pub missing: &'static [&'static str],
}

/// Returns the reason why an agent refuses a resource of a built-in type; `None` if some agent accepts it, or
/// if that is unknown.
pub fn agent_refusal(resource: &AgentResource<'_>) -> Option<AgentRefusal> {
    let resource_type = built_in::resource_type(resource.type_name)?;
    let of_attribute = |name: &str, value: &Value, cause: Option<&SmolStr>| {
        let problem = check_attribute(resource_type, name, value, !resource.is_of_module).err()?;
        let unlisted = match &problem {
            ValueProblem::Unlisted(value, listed) => Some((value.clone(), listed.clone())),
            ValueProblem::Expected(..) | ValueProblem::Other(_) => None,
        };
        Some(AgentRefusal {
            message: format!("invalid value for attribute `{name}` of `{}`: {problem}", resource.type_name),
            attribute: Some(name.into()),
            cause: cause.cloned(),
            unlisted,
            missing: &[],
        })
    };
    let name_variable = resource.name_variable(resource_type);
    let from_title = || {
        let name = name_variable.filter(|name| !resource.is_set(name))?;
        let title = resource.title.filter(|_| !resource.is_set("name"))?;
        let value = resource.value_of_title(title);
        of_attribute(name, &value, None)
    };
    let from_attributes = || {
        resource.attributes.iter().find_map(|(name, value)| {
            let meant = if name == "name" { name_variable.unwrap_or(name) } else { name };
            of_attribute(meant, value, Some(name))
        })
    };
    let from_provider = || {
        let set = resource.get("provider").filter(|_| !resource.has_provider)?;
        let provider = values::elements(set).first()?.as_str()?;
        Some(AgentRefusal {
            message: format!("unknown provider `{provider}` of `{}`", resource.type_name),
            attribute: Some(SmolStr::new_static("provider")),
            cause: Some(SmolStr::new_static("provider")),
            unlisted: None,
            missing: &[],
        })
    };
    from_title().or_else(from_attributes).or_else(from_provider).or_else(|| check_whole(resource))
}

/// Returns the name of the provider that a resource of a built-in type sets, unless Puppet or the module of
/// the type defines it.
pub fn provider_to_resolve<'a>(type_name: &str, attributes: &'a [(SmolStr, Value)]) -> Option<&'a str> {
    let (_, value) = attributes.iter().find(|(name, _)| name == "provider")?;
    let name = match value {
        Value::Array(names) => names.first()?.as_str()?,
        value => value.as_str()?,
    };
    let resource_type = built_in::resource_type(type_name)?;
    let attribute = resource_type.attributes.iter().find(|it| it.name == "provider")?;
    // Added in OpenVox 8.
    let is_newer = type_name == "package" && name == "xbps";
    (!is_newer && !attribute.values.iter().any(|it| it == name)).then_some(name)
}

/// Returns true if [`agent_refusal`] checks the list of values of an attribute of a built-in type.
pub fn checks_list(resource_type: &RubyResourceType, attribute: &str) -> bool {
    let found = resource_type.attributes.iter().find(|it| it.name == attribute);
    let found = found.or_else(|| built_in::metaparameter(attribute));
    found.is_some_and(|it| it.required_features.is_empty() && attributes::checks_list(resource_type, it))
}

/// Checks the rules on several attributes.
fn check_whole(resource: &AgentResource<'_>) -> Option<AgentRefusal> {
    let Conflict { problem, cause, missing } = match resource.type_name {
        "augeas" => jobs::check_augeas(resource),
        "cron" => jobs::check_cron(resource),
        "exec" => exec::check(resource),
        "file" => file::check(resource),
        "package" => packages::check(resource),
        "resources" => packages::check_resources(resource),
        "schedule" => schedules::check_schedule(resource),
        "ssh_authorized_key" => network::check_ssh_authorized_key(resource),
        "tidy" => schedules::check_tidy(resource),
        "zone" => solaris::check_zone(resource),
        "zpool" => solaris::check_zpool(resource),
        _ => None,
    }?;
    Some(AgentRefusal {
        attribute: None,
        cause: cause.map(SmolStr::new_static),
        message: format!("invalid `{}` resource: {problem}", resource.type_name),
        unlisted: None,
        missing,
    })
}

/// Contradiction between attributes, or a missing attribute.
struct Conflict {
    problem: String,
    /// Attribute that is set and causes the problem; `None` for the title.
    cause: Option<&'static str>,
    /// See [`AgentRefusal::missing`].
    missing: &'static [&'static str],
}

impl Conflict {
    /// Creates a conflict between attributes that are set.
    fn between(problem: impl Into<String>, cause: &'static str) -> Conflict {
        Conflict { problem: problem.into(), cause: Some(cause), missing: &[] }
    }
}

/// Checks a value of an attribute. A property checks each element of an array, a parameter the whole array.
fn check_attribute(
    resource_type: &RubyResourceType,
    name: &str,
    value: &Value,
    has_lists: bool,
) -> RuleResult {
    if let Value::Sensitive(inner) = value {
        return check_attribute(resource_type, name, inner, has_lists).map_err(ValueProblem::redacted);
    }
    let attribute =
        resource_type.attributes.iter().find(|it| it.name == name).or_else(|| built_in::metaparameter(name));
    let Some(attribute) = attribute else { return Ok(()) };
    // Puppet ignores the attribute if the provider lacks the feature.
    if !attribute.required_features.is_empty() {
        return Ok(());
    }
    let check = |value: &Value| match value {
        Value::Undef => Ok(()),
        value => attributes::check(resource_type, attribute, value, has_lists),
    };
    match (attribute.kind, value) {
        (ResourceAttributeKind::Property, Value::Array(elements)) => elements.iter().try_for_each(check),
        _ => check(value),
    }
}

impl<'a> AgentResource<'a> {
    /// Returns the value of an attribute, without `Sensitive`; `None` if it is not set.
    fn get(&self, name: &str) -> Option<&'a Value> {
        let (_, value) = self.attributes.iter().find(|(known, _)| known == name)?;
        match value {
            Value::Undef => None,
            Value::Sensitive(inner) => Some(inner),
            value => Some(value),
        }
    }

    /// Returns true if the value of an attribute must not be shown.
    fn is_sensitive(&self, name: &str) -> bool {
        self.attributes.iter().any(|(known, value)| known == name && matches!(value, Value::Sensitive(_)))
    }

    /// Returns the value of an attribute if it is a known string.
    fn text(&self, name: &str) -> Option<&'a str> {
        self.get(name)?.as_str()
    }

    /// Returns true if the attribute is set to a known value.
    fn has_known(&self, name: &str) -> bool {
        self.get(name).is_some_and(is_plain)
    }

    /// Returns true if the attribute is set, perhaps to something unknown.
    fn is_set(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Returns true if the attribute certainly is not set.
    fn is_absent(&self, name: &str) -> bool {
        self.is_complete && !self.is_set(name)
    }

    /// Returns the attribute that the title sets.
    fn name_variable(&self, resource_type: &'a RubyResourceType) -> Option<&'a str> {
        let of_type = |it: &&plugins::ResourceAttribute| match self.type_name {
            // The type is a part of the name.
            "sshkey" => it.name == "name",
            _ => it.kind == ResourceAttributeKind::Parameter && it.is_name_variable,
        };
        resource_type.attributes.iter().find(of_type).map(|it| it.name.as_str())
    }

    /// Returns the value that the title gives to the name variable.
    fn value_of_title(&self, title: &str) -> Value {
        match self.type_name {
            "sshkey" => match title.split_once('@') {
                Some((name, _)) => Value::string(name),
                None => Value::string(title),
            },
            _ => Value::string(title),
        }
    }
}
