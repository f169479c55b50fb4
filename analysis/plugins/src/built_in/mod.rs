//! Definitions built into Puppet and the modules shipped with it (`*_core`).

pub mod bolt;
pub mod bolt_options;
mod data_types;
mod facts;
pub mod metadata;
mod notation;
mod relationships;
mod resource_types;

use std::sync::Arc;

pub use data_types::BuiltInType;
pub use facts::Fact;
pub use relationships::RelationshipMetaparameter;

use crate::{ResourceAttribute, RubyResourceType};

/// Returns the resource types of Puppet and of the `*_core` modules shipped with it, by name.
pub fn resource_types() -> &'static [Arc<RubyResourceType>] {
    &resource_types::RESOURCE_TYPES.all
}

/// Returns the built-in resource type `name` (lowercase).
pub fn resource_type(name: &str) -> Option<&'static Arc<RubyResourceType>> {
    resource_types::RESOURCE_TYPES.get(name)
}

/// Returns true if the resource type is part of Puppet itself, so that no module can replace it.
pub fn is_core_resource_type(name: &str) -> bool {
    resource_types::RESOURCE_TYPES.module_of(name) == Some(None)
}

/// Returns the module (`cron_core`) that provides a built-in resource type; `None` if it is part of Puppet
/// itself.
pub fn module_of_resource_type(name: &str) -> Option<&'static str> {
    resource_types::RESOURCE_TYPES.module_of(name).flatten()
}

/// Returns the attributes that every resource accepts (`require`, `tag`, ...).
pub fn metaparameters() -> &'static [ResourceAttribute] {
    &resource_types::METAPARAMETERS
}

/// Returns the metaparameter `name`.
pub fn metaparameter(name: &str) -> Option<&'static ResourceAttribute> {
    metaparameters().iter().find(|it| it.name == name)
}

/// Returns the core facts including legacy facts, by name. In the names of legacy facts and in their
/// replacements, `*` is a placeholder for any string (`mtu_*`) and `#` for a number (`processor#`).
pub fn facts() -> &'static [Fact] {
    &facts::FACTS
}

/// Returns the top-level core fact `name`. For `mtu_eth0`, returns `mtu_*`.
pub fn fact(name: &str) -> Option<&'static Fact> {
    facts::NAMES.find(name).map(|index| &facts()[index])
}

/// Returns the expression that replaces a legacy fact: `$facts['networking']['interfaces']['eth0']['mtu']`
/// for `mtu_eth0`. Returns `None` for other facts and for those without a replacement.
pub fn replacement_of_legacy_fact(name: &str) -> Option<String> {
    let fact = fact(name)?;
    let middle = facts::match_name(&fact.name, name)?;
    let replacement = fact.replacement.as_ref()?;
    if middle.is_empty() {
        return Some(replacement.to_string());
    }
    Some(replacement.replace(['*', '#'], middle))
}

/// Returns the variables that Puppet itself sets at top scope and in every class and resource: `facts`,
/// `trusted`, `title`, ... Structured ones have parts, as facts do.
pub fn variables() -> &'static [Fact] {
    &facts::VARIABLES
}

/// Returns the variable `name` (without `$`) that Puppet itself sets.
pub fn variable(name: &str) -> Option<&'static Fact> {
    variables().iter().find(|it| it.name == name)
}

/// Returns the data types, by name.
pub fn data_types() -> &'static [BuiltInType] {
    &data_types::DATA_TYPES
}

/// Returns the data type whose name differs from `name` by one letter. Case is ignored.
pub fn similar_data_type(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let types = data_types().iter().filter(|it| it.is_offered).map(|it| it.name);
    types.into_iter().find(|known| scalars::similar::is_misspelled(&name, &known.to_ascii_lowercase()))
}

/// Returns the data type `name`. Case and a leading `::` are ignored.
pub fn data_type(name: &str) -> Option<&'static BuiltInType> {
    let name = name.trim_start_matches("::");
    data_types().iter().find(|it| it.name.eq_ignore_ascii_case(name))
}
