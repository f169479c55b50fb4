//! Definitions that an evaluation refers to by name, and what is known about them beforehand.

use std::sync::Arc;

use hir::{DefinitionKind, Name};
use types::{Type, Value};

use super::declared_function::DeclaredFunction;
use super::unit::{Unit, UnitId};
use crate::function::{BuiltInFunction, FunctionLibrary};

/// Meaning of a function name that is not one of Puppet's own.
#[derive(Clone, Debug)]
pub enum FunctionSource {
    /// Function written in Puppet.
    Puppet(Arc<Unit>),
    /// Function written in Ruby by a module whose functions are known: an entry of the tables.
    Known(&'static BuiltInFunction),
    /// Function whose body is not followed; its signatures describe it.
    Declared(Arc<DeclaredFunction>),
}

/// Kind of entity that a missing name denotes.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MissingNameKind {
    Variable,
    Function,
    Type,
    Class,
    /// Module, by its name.
    Module,
    /// Data of a module, by the module's name. Keys may also begin with the name of something else.
    ModuleData,
    /// Resource of that type, declared elsewhere.
    Resource,
}

/// Names of functions, types, classes and resource types. Names have no leading `::`, and are in lower case
/// except for those of functions.
pub trait Definitions {
    /// Returns the library of functions.
    fn functions(&self) -> &'static dyn FunctionLibrary;

    /// Resolves the name of a function, as written.
    fn function(&self, name: &str) -> Option<FunctionSource>;

    /// Returns a function of the main program that replaces one of Puppet's own.
    fn replacement(&self, name: &str) -> Option<FunctionSource>;

    /// Returns a type alias.
    fn type_alias(&self, name: &str) -> Option<Arc<Unit>>;

    /// Returns true if the type alias belongs to a module. Only there do the types of a type set have names.
    fn is_alias_of_module(&self, _name: &str) -> bool {
        false
    }

    /// Returns the class or defined type of that name, to be evaluated at its declaration; `None` if
    /// declarations are not followed.
    fn class(&self, name: &str) -> Option<Arc<Unit>>;

    /// Returns true if there is a class or defined type of that name.
    fn class_exists(&self, name: &str) -> bool;

    /// Returns a resource type that is not a defined type, from a plug-in or Puppet itself; `None` if it is
    /// missing or unknown.
    fn resource_type(&self, _name: &str) -> Option<Arc<plugins::RubyResourceType>> {
        None
    }

    /// Returns true if there is a resource type or defined type of that name.
    fn resource_type_exists(&self, name: &str) -> bool;

    /// Returns the name of the module that contains a definition; empty outside of modules.
    fn module_name(&self, _unit: &Unit) -> Name {
        Name::default()
    }

    /// Returns true if something unknown may define this name, so that using it is not an error.
    fn may_define(&self, kind: MissingNameKind, name: &str) -> bool;

    /// Returns names of definitions of a kind that are similar to a name that resolves to nothing.
    fn similar_names(&self, _kind: DefinitionKind, _name: &str) -> Vec<Name> {
        Vec::new()
    }
}

/// Parts of definitions that the program has evaluated before.
pub trait Precomputed {
    /// Returns true if a chain of type aliases is too deep to be followed.
    fn nests_too_deep(&self, _alias: UnitId) -> bool {
        false
    }

    /// Returns the class of that name if it only sets variables and those have been precomputed.
    fn precomputed_class(&self, _name: &str) -> Option<Arc<Unit>> {
        None
    }

    /// Returns a variable of a class returned by [`Precomputed::precomputed_class`].
    fn precomputed_variable(&self, _unit: &Unit, _name: &Name) -> Option<Value> {
        None
    }

    /// Returns the parameters of a class returned by [`Precomputed::precomputed_class`].
    fn precomputed_parameters(&self, _unit: &Unit) -> Vec<Name> {
        Vec::new()
    }

    /// Returns the precomputed type of a type alias, if it does not depend on the context.
    fn precomputed_alias(&self, _unit: &Unit) -> Option<Arc<Type>> {
        None
    }

    /// Returns the precomputed parameter types of a class or defined type, in order, if they do not depend on
    /// the context.
    fn parameter_types(&self, _unit: &Unit) -> Option<Arc<[Option<Type>]>> {
        None
    }
}

/// Mistakes in the files that Puppet has loaded so far.
pub trait Loading {
    /// Returns true if Puppet would fail to load one of the files, which ends a compile.
    fn has_load_finding(&self) -> bool {
        false
    }

    /// Takes the warnings that Puppet logs about the files loaded since the last call.
    fn take_load_warnings(&self) -> Vec<String> {
        Vec::new()
    }
}
