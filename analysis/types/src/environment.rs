//! Interface through which the type system resolves names.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::ty::Type;
use crate::value::IteratorValue;

/// Lookup of types by name. Names are passed as written; the case of all but the first letter of a segment is
/// insignificant.
pub trait TypeEnvironment {
    /// Resolves a name that is not a built-in type to the right side of an alias, an object type or a type
    /// set.
    fn named_type(&self, name: &str) -> Option<NamedType>;

    /// Returns true if a resource type or defined type has this name.
    fn resource_type_exists(&self, name: &str) -> bool;

    /// Returns true if every definition is known, in which case nothing is an instance of an unresolved type.
    fn knows_all_names(&self) -> bool {
        false
    }

    /// Notes that elements are about to be taken from an iterator.
    fn note_iteration(&self, _iterator: &Arc<IteratorValue>) {}

    /// Notes the reason why Puppet fails on an `Init` that was consulted. The first refusal aborts the
    /// current operation in Puppet.
    fn note_refusal(&self, _why: String) {}

    /// Returns and clears the first refusal since the previous call.
    fn take_refusal(&self) -> Option<String> {
        None
    }

    /// Returns the number of constructor lookups that led to the current one. Lookups nest, and an object
    /// type with an attribute whose type is the `Init` of the object type itself leads back to itself.
    fn constructor_depth(&self) -> u32 {
        0
    }
}

/// Environment with the same names that ignores refusals.
///
/// Used to compute constructor arguments and instances of unknown values, where a refusal by Puppet depends
/// on more than the types.
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
    /// Declared name.
    pub name: SmolStr,
    pub ty: Type,
}

/// Environment without any names.
pub struct NoTypes;

impl TypeEnvironment for NoTypes {
    fn named_type(&self, _: &str) -> Option<NamedType> {
        None
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}

/// Table of names in lowercase without a leading `::`.
impl<S: std::hash::BuildHasher> TypeEnvironment for std::collections::HashMap<SmolStr, NamedType, S> {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        self.get(name.trim_start_matches("::").to_ascii_lowercase().as_str()).cloned()
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}
