//! Facts, other top-scope variables, and Hiera data.

use types::{Type, Value};

use crate::catalog::ExportsOfOthers;

/// Top-scope variables and Hiera data.
pub trait FactsAndData {
    /// Returns a top-scope variable that is set before the first expression: a fact, `$trusted`, ….
    fn global(&self, name: &str) -> Option<Value>;

    /// Like [`FactsAndData::global`], for callers whose result does not depend on the value if it is known.
    fn unnoted_global(&self, name: &str) -> Option<Value> {
        self.global(name)
    }

    /// Returns the type of `$variable[key]...` for a top-scope variable that the program does not set, such
    /// as a fact.
    fn type_of_element(&self, variable: &str, keys: &[Value]) -> Option<Type>;

    /// Returns true if a machine may have this fact although it is not among the known ones.
    fn may_have_fact(&self, _name: &str) -> bool {
        false
    }

    /// Returns true if the certificate of the node may have unknown extensions.
    fn may_have_extensions(&self) -> bool {
        false
    }

    /// Returns true if the name of the node is invented, so that node-specific data is unknown.
    fn has_invented_node(&self) -> bool {
        false
    }

    /// Removes the name of the node from a top-scope variable.
    fn without_node_name(&self, _variable: &str, value: Value) -> Value {
        value
    }

    /// Returns the files of Hiera; `None` if data is ignored: then every key may have any value.
    fn data_sources(&self) -> Option<&dyn hiera::sources::Sources> {
        None
    }

    /// Returns true if any Hiera data has the key, whatever node it is for.
    fn has_data_key(&self, _key: &str) -> bool {
        false
    }

    /// Returns true if the machine may have Hiera data outside of the project.
    ///
    /// If an environment has no configuration, that of the whole machine applies, and a server always has
    /// one.
    fn has_external_data(&self) -> bool {
        false
    }
}

/// Knowledge about other nodes.
pub trait OtherNodes {
    /// Returns the resources of a type that other nodes export; `None` if nothing is known about them.
    fn exports_of_others(&self, _type_name: &str) -> Option<ExportsOfOthers> {
        None
    }

    /// Returns the rows that PuppetDB returns for a query, as far as they are known; `None` if nothing is known about
    /// PuppetDB.
    fn puppetdb_rows(&self, _query: &Value) -> Option<Value> {
        None
    }

    /// Returns true if queries ask for resources of a type, also those that are not exported.
    fn is_queried(&self, _type_name: &str) -> bool {
        false
    }
}
