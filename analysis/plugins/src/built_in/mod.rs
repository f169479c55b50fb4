//! What comes with Puppet itself and with the modules it is shipped with (`*_core`).

pub mod bolt;
mod data_types;
mod facts;
pub mod metadata;
mod notation;
mod relationships;
mod resource_types;

use std::sync::Arc;

pub use relationships::RelationshipMetaparameter;
use smol_str::SmolStr;

use crate::{ResourceAttribute, RubyResourceType};

/// A core fact, or a part of one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fact {
    pub name: SmolStr,
    /// In Puppet's notation (`String`, `Hash[String, Any]`).
    pub type_text: SmolStr,
    pub documentation: SmolStr,
    /// The parts of a structured one. Where names are not fixed (`mountpoints`), one part with the name `*`.
    pub parts: Vec<Fact>,
    /// Gone by default in version 8; `replacement` says what to use.
    pub is_legacy: bool,
    /// The access to write instead of a legacy fact: `$facts['os']['family']`.
    pub replacement: Option<SmolStr>,
}

/// A data type that every program knows.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltInType {
    /// `Integer`
    pub name: &'static str,
    pub documentation: &'static str,
    /// How its parameters are written (`[min, max]`), empty when it takes none.
    pub parameters: &'static str,
    /// Does it say next to nothing without parameters?
    pub wants_arguments: bool,
    /// Is it worth being offered? Not what is only another spelling, or only used inside of Puppet.
    pub is_offered: bool,
}

/// The resource types of Puppet and of the `*_core` modules that come with its packages, by name.
pub fn resource_types() -> &'static [Arc<RubyResourceType>] {
    &resource_types::RESOURCE_TYPES.all
}

/// The built-in resource type of this name (lower case).
pub fn resource_type(name: &str) -> Option<&'static Arc<RubyResourceType>> {
    resource_types::RESOURCE_TYPES.get(name)
}

/// Is it one of those that come with Puppet itself, so that no module can replace it?
pub fn is_core_resource_type(name: &str) -> bool {
    resource_types::RESOURCE_TYPES.module_of(name) == Some(None)
}

/// The module (`cron_core`) that brings a built-in resource type along, when it is not Puppet itself.
pub fn module_of_resource_type(name: &str) -> Option<&'static str> {
    resource_types::RESOURCE_TYPES.module_of(name).flatten()
}

/// What every resource takes (`require`, `tag`, ...).
pub fn metaparameters() -> &'static [ResourceAttribute] {
    &resource_types::METAPARAMETERS
}

/// The metaparameter of this name.
pub fn metaparameter(name: &str) -> Option<&'static ResourceAttribute> {
    metaparameters().iter().find(|it| it.name == name)
}

/// The core facts, by name; legacy ones included. In the names of legacy ones, `*` stands for any text (`mtu_*`), and `#` for
/// a number (`processor#`), and for the same in their replacement.
pub fn facts() -> &'static [Fact] {
    &facts::FACTS
}

/// The core fact (top level) of this name. `mtu_eth0` gives `mtu_*`.
pub fn fact(name: &str) -> Option<&'static Fact> {
    facts::NAMES.find(name).map(|index| &facts()[index])
}

/// What to write instead of a legacy fact: `$facts['networking']['interfaces']['eth0']['mtu']` for `mtu_eth0`. `None` for
/// other facts, and where nothing stands for it.
pub fn replacement_of_legacy_fact(name: &str) -> Option<String> {
    let fact = fact(name)?;
    let middle = facts::match_name(&fact.name, name)?;
    let replacement = fact.replacement.as_ref()?;
    if middle.is_empty() {
        return Some(replacement.to_string());
    }
    Some(replacement.replace(['*', '#'], middle))
}

/// The variables of the top scope, and of every class and resource, that Puppet itself sets: `facts`, `trusted`, `title`, ...
/// The parts of structured ones are known as those of facts are.
pub fn variables() -> &'static [Fact] {
    &facts::VARIABLES
}

/// The variable of this name (without `$`) that Puppet itself sets.
pub fn variable(name: &str) -> Option<&'static Fact> {
    variables().iter().find(|it| it.name == name)
}

/// The data types, by name.
pub fn data_types() -> &'static [BuiltInType] {
    &data_types::DATA_TYPES
}

/// The data type that a name differs from by one letter; case does not matter.
pub fn similar_data_type(name: &str) -> Option<&'static str> {
    let name = name.to_ascii_lowercase();
    let types = data_types().iter().filter(|it| it.is_offered).map(|it| it.name);
    types.into_iter().find(|known| scalars::similar::is_misspelt(&name, &known.to_ascii_lowercase()))
}

/// The data type of this name; case does not matter, nor does `::` in front.
pub fn data_type(name: &str) -> Option<&'static BuiltInType> {
    let name = name.trim_start_matches("::");
    data_types().iter().find(|it| it.name.eq_ignore_ascii_case(name))
}
