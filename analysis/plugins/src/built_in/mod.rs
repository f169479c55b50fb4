//! What comes with Puppet itself and with the modules it is shipped with (`*_core`).

use std::sync::Arc;

use smol_str::SmolStr;

use crate::{Attribute, ResourceType};

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
}

/// The resource types of Puppet and its `*_core` modules, by name.
pub fn resource_types() -> &'static [Arc<ResourceType>] {
    &[]
}

/// The built-in resource type of this name (lower case).
pub fn resource_type(name: &str) -> Option<&'static Arc<ResourceType>> {
    resource_types().iter().find(|it| it.name == name)
}

/// Is it one of those that come with Puppet itself, so that no module can replace it?
pub fn is_core_resource_type(_name: &str) -> bool {
    false
}

/// What every resource takes (`require`, `tag`, ...).
pub fn metaparameters() -> &'static [Attribute] {
    &[]
}

/// The core facts, by name; legacy ones included.
pub fn facts() -> &'static [Fact] {
    &[]
}

/// The core fact (top level) of this name.
pub fn fact(name: &str) -> Option<&'static Fact> {
    facts().iter().find(|it| it.name == name)
}

/// The data types, by name.
pub fn data_types() -> &'static [BuiltInType] {
    &[]
}
