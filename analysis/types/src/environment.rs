//! What the type system has to ask about names.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::ty::Type;
use crate::value::IteratorValue;

/// Types by name. Names come as they are written; their case after the first letter of a segment does not matter.
pub trait TypeEnvironment {
    /// What a name that is no built-in type stands for: the right side of an alias, an object type or a type set.
    fn named_type(&self, name: &str) -> Option<NamedType>;

    /// Is there a resource type or defined type of that name?
    fn resource_type_exists(&self, name: &str) -> bool;

    /// Is everything known that has a name? Then nothing is an instance of a type that was not found.
    fn knows_all_names(&self) -> bool {
        false
    }

    /// Elements are taken from an iterator from now on.
    fn note_walk(&self, _iterator: &Arc<IteratorValue>) {}

    /// An `Init` was asked of which Puppet refuses to be asked, and why. Its first refusal ends what Puppet is doing.
    fn note_refusal(&self, _why: String) {}

    /// The first refusal since this was asked last.
    fn take_refusal(&self) -> Option<String> {
        None
    }

    /// How many questions about what a constructor takes led to this one: the answer to one may ask others, and an
    /// object type with an attribute that is the `Init` of the type itself asks its own.
    fn constructor_depth(&self) -> u32 {
        0
    }
}

/// The same names, asked for what a constructor takes, or what a value of which only the type is known may be: what Puppet
/// would refuse depends on more, and is not noted.
pub(crate) struct WithoutRefusals<'a> {
    environment: &'a dyn TypeEnvironment,
    constructors: u32,
}

impl WithoutRefusals<'_> {
    pub(crate) fn of_constructor(environment: &dyn TypeEnvironment) -> WithoutRefusals<'_> {
        WithoutRefusals { environment, constructors: 1 }
    }

    pub(crate) fn of_unknown(environment: &dyn TypeEnvironment) -> WithoutRefusals<'_> {
        WithoutRefusals { environment, constructors: 0 }
    }
}

impl TypeEnvironment for WithoutRefusals<'_> {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        self.environment.named_type(name)
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        self.environment.resource_type_exists(name)
    }

    fn knows_all_names(&self) -> bool {
        self.environment.knows_all_names()
    }

    fn constructor_depth(&self) -> u32 {
        self.environment.constructor_depth() + self.constructors
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NamedType {
    /// As it is declared.
    pub name: SmolStr,
    pub ty: Type,
}

/// Knows no name.
pub struct NoTypes;

impl TypeEnvironment for NoTypes {
    fn named_type(&self, _: &str) -> Option<NamedType> {
        None
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}

/// A table of names, lower case, without `::` in front.
impl<S: std::hash::BuildHasher> TypeEnvironment for std::collections::HashMap<SmolStr, NamedType, S> {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        self.get(name.trim_start_matches("::").to_ascii_lowercase().as_str()).cloned()
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}
