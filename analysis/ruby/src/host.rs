//! Interface to the program that evaluates the code.

use std::sync::Arc;

use plugins::code::{MethodDefinition, RubyProgram};
use smol_str::SmolStr;
use types::{TypeEnvironment, Value};

use super::value::{HostExit, Object};

/// Result of requiring a file.
#[derive(Clone, Debug)]
pub enum RequiredFile {
    Program(Arc<RubyProgram>),
    /// The definitions in the file are not known.
    Unknown,
}

/// Result of reading a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostFile {
    Text(Arc<str>),
    Missing,
    Unknown,
}

/// Fact that Facter itself provides.
#[derive(Clone, PartialEq, Debug)]
pub enum HostFact {
    Known(Value),
    Absent,
    Unknown,
}

/// Method that another template may have defined.
#[derive(Clone, Default, Debug)]
pub enum TemplateMethod {
    Defined(Arc<MethodDefinition>),
    /// Only some branches define it.
    Possible,
    #[default]
    Missing,
}

/// Collection of a variable that code has changed in place.
#[derive(Clone, PartialEq, Debug)]
pub struct ChangedCollection {
    /// Collection that the host provided, by its address.
    pub before: Value,
    pub after: Value,
}

/// Variables of the calling scope, and what templates define.
pub trait HostVariables {
    /// Returns an instance variable of a template; `None` if it is unset or `undef`.
    fn variable(&self, _name: &str) -> Option<Value> {
        None
    }

    /// Returns the element at a path of keys in the hash of a variable, for code that needs nothing else of it.
    /// `None` if the variable, or what precedes the last key, is not a hash.
    fn element(&self, _variable: &str, _keys: &[&str]) -> Option<Value> {
        None
    }

    /// Evaluates `scope['name']`: like [`HostVariables::variable`], with Puppet's error for a missing variable.
    fn lookup(&mut self, name: &str) -> Result<Option<Value>, HostExit> {
        self.top_variable(name)
    }

    /// Fails if a variable is a parameter that has no value yet, which only the default of a parameter can read.
    fn check_is_evaluated(&self, _name: &str) -> Result<(), HostExit> {
        Ok(())
    }

    /// Returns a top-scope variable, or a variable of a class by its qualified name.
    fn top_variable(&mut self, _name: &str) -> Result<Option<Value>, HostExit> {
        Ok(Some(Value::unknown(types::Type::Any, types::Origin::Ruby)))
    }

    /// Sets a top-scope variable. Returns false if it is already set.
    fn set_top_variable(&mut self, _name: &str, _value: Value) -> bool {
        false
    }

    /// Adds a method that a template defines, which later templates can call as well.
    fn define_template_method(&mut self, _definition: &Arc<MethodDefinition>) {}

    /// Returns a method that another template has defined.
    fn template_method(&self, _name: &str) -> TemplateMethod {
        TemplateMethod::Missing
    }

    /// Returns a variable that a template has set in the scope.
    fn own_variable(&self, _name: &str) -> Option<Object> {
        None
    }

    /// Sets a variable for this template and those rendered after it. Returns false if it is already set.
    fn set_variable(&mut self, _name: &str, _value: Object) -> bool {
        false
    }

    /// Replaces collections in all variables that have them. Returns false if the effect is not known.
    fn change_collections(&mut self, _changes: &[ChangedCollection]) -> bool {
        false
    }
}

/// Functions, lambdas, and members of objects, and the work that calls count as.
pub trait HostCalls {
    /// Counts work. Fails when the limit is reached.
    fn step(&mut self, steps: usize) -> Result<(), HostExit>;

    fn env(&self) -> &dyn TypeEnvironment;

    fn call_function(&mut self, _name: &str, _arguments: Vec<Value>) -> Result<Value, HostExit> {
        Ok(Value::unknown(types::Type::Any, types::Origin::Ruby))
    }

    /// Calls a function in the top scope, as functions of the 4.x API do, whatever scope calls these.
    fn call_function_at_top(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, HostExit> {
        self.call_function(name, arguments)
    }

    /// Calls `scope.function_name([...])`, which only knows functions of the 3.x API; `None` if the function
    /// is uncertain.
    fn call_legacy_function(
        &mut self,
        _name: &str,
        _arguments: Vec<Value>,
    ) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }

    /// Calls the lambda passed to the function; `None` if there is none.
    fn call_lambda(&mut self, _arguments: Vec<Value>) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }

    /// Returns true if a lambda was passed to the function.
    fn has_lambda(&self) -> bool {
        false
    }

    /// Calls a member of a Puppet object; `None` if it has no known member of that name.
    fn call_member(
        &mut self,
        _object: &Value,
        _name: &str,
        _arguments: &[Value],
    ) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }

    /// Returns true if the 3.x API knows the function.
    fn is_legacy_function(&self, _name: &str) -> Option<bool> {
        None
    }

    /// Records a log message with its level: `debug`, `info`, `notice`, `warning`, `err`.
    fn log(&mut self, _level: &str, _message: &str) {}
}

/// Files of modules and of the machine.
pub trait HostFiles {
    /// Resolves a path relative to the `lib` folder of any module; `None` if there is no such file.
    fn required(&mut self, _path: &str) -> Option<RequiredFile> {
        Some(RequiredFile::Unknown)
    }

    /// Reads a file by its absolute path.
    fn file(&mut self, _path: &str) -> HostFile {
        HostFile::Unknown
    }

    /// Reads a data file as Hiera does.
    fn data_file(&mut self, _path: &str) -> Option<Value> {
        None
    }

    /// Resolves `module/name` in a folder of the module (`templates`, `files`) to an absolute path. The inner
    /// `None` means that there is no such file, the outer one that this is not known.
    fn module_file(&mut self, _folder: &str, _name: &str) -> Option<Option<String>> {
        None
    }

    /// Returns the providers of a resource type, with their files.
    fn providers(&mut self, _resource_type: &str) -> Vec<(SmolStr, Arc<RubyProgram>)> {
        Vec::new()
    }
}

/// Settings, facts, and declared resources.
pub trait HostSystem {
    /// Returns a Puppet setting.
    fn setting(&mut self, _name: &str) -> Option<Value> {
        None
    }

    /// Returns a fact that Facter provides without the evaluated files. Elements of structured facts are
    /// separated by dots.
    fn fact(&mut self, _name: &str) -> HostFact {
        HostFact::Unknown
    }

    /// Returns true if files cannot change the result of [`HostSystem::fact`].
    fn is_final_fact(&self, _name: &str) -> bool {
        false
    }

    /// Returns the major version of Puppet, 7 or 8, which determines the Ruby versions.
    fn puppet_version(&self) -> Option<u32> {
        None
    }

    /// Returns true if a resource has been declared.
    fn is_declared(&mut self, _type_name: &str, _title: &str) -> Option<bool> {
        None
    }

    /// Returns the attributes of a type that have resource defaults at the call.
    fn resource_defaults(&mut self, _type_name: &str) -> Option<Vec<SmolStr>> {
        None
    }

    /// Returns true if the target system is Windows.
    fn is_windows(&self) -> Option<bool> {
        None
    }
}

/// Environment of evaluated code.
pub trait Host: HostVariables + HostCalls + HostFiles + HostSystem {}

impl<H: HostVariables + HostCalls + HostFiles + HostSystem> Host for H {}
