//! What code asks the program for that evaluates it.

use std::sync::Arc;

use plugins::code::RubyProgram;
use smol_str::SmolStr;
use types::{TypeEnvironment, Value};

use super::value::{HostExit, Object};

/// A file that code requires.
#[derive(Clone, Debug)]
pub enum RequiredFile {
    Program(Arc<RubyProgram>),
    /// It is not known here what it defines.
    Unknown,
}

/// A file that code reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum HostFile {
    Text(Arc<str>),
    Missing,
    Unknown,
}

/// A fact that Facter finds itself.
#[derive(Clone, PartialEq, Debug)]
pub enum HostFact {
    Known(Value),
    Absent,
    Unknown,
}

/// What code can ask of the program that evaluates it.
pub trait Host {
    /// Counts work.
    fn step(&mut self, steps: usize) -> Result<(), HostExit>;
    fn env(&self) -> &dyn TypeEnvironment;
    /// What an instance variable of a template is; `None` where there is none, or it is `undef`.
    fn variable(&self, name: &str) -> Option<Value>;
    /// `scope['name']`: as [`Host::variable`], and Puppet says so where there is none.
    fn lookup(&mut self, name: &str) -> Result<Option<Value>, HostExit>;
    /// A variable of the top scope; one of a class by its whole name.
    fn top_variable(&mut self, _name: &str) -> Result<Option<Value>, HostExit> {
        Ok(Some(Value::unknown(types::Type::Any, types::Origin::Ruby)))
    }
    /// Sets a variable of the top scope; false where there is one already.
    fn set_top_variable(&mut self, _name: &str, _value: Value) -> bool {
        false
    }
    /// A variable that a template has set in the scope.
    fn own_variable(&self, name: &str) -> Option<Object>;
    /// Sets a variable for this template and those that are rendered after it; false where there is one already.
    fn set_variable(&mut self, name: &str, value: Object) -> bool;
    fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, HostExit>;
    /// `scope.function_name([...])`, which knows functions of the 3.x API only; `None` where that is not clear.
    fn call_legacy_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, HostExit>;

    /// Calls the lambda that the function was given; `None` where there is none.
    fn call_lambda(&mut self, _arguments: Vec<Value>) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }

    /// Was the function given a lambda?
    fn has_lambda(&self) -> bool {
        false
    }

    /// Calls a member of an object of Puppet's; `None` where it has none of that name that is known.
    fn call_member(
        &mut self,
        _object: &Value,
        _name: &str,
        _arguments: &[Value],
    ) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }

    /// The file below the `lib` folder of some module that a path means; `None` where there is none.
    fn required(&mut self, _path: &str) -> Option<RequiredFile> {
        Some(RequiredFile::Unknown)
    }

    /// A file by its full path.
    fn file(&mut self, _path: &str) -> HostFile {
        HostFile::Unknown
    }

    /// Data in a file, as Hiera reads it.
    fn data_file(&mut self, _path: &str) -> Option<Value> {
        None
    }

    /// The full path of `module/name` in a folder of that module (`templates`, `files`); the inner `None` where there is no
    /// such file, the outer one where that is not known.
    fn module_file(&mut self, _folder: &str, _name: &str) -> Option<Option<String>> {
        None
    }

    /// A setting of Puppet.
    fn setting(&mut self, _name: &str) -> Option<Value> {
        None
    }

    /// A fact that Facter finds without the files that are evaluated; parts of one have dots between them.
    fn fact(&mut self, _name: &str) -> HostFact {
        HostFact::Unknown
    }

    /// Is a fact what [`Host::fact`] says, whatever files add to it?
    fn is_settled_fact(&self, _name: &str) -> bool {
        false
    }

    /// The Puppet that evaluates the code: 7 or 8. Each has its versions of Ruby.
    fn puppet_version(&self) -> Option<u32> {
        None
    }

    /// Does the 3.x API know a function of that name?
    fn is_of_old_api(&self, _name: &str) -> Option<bool> {
        None
    }

    /// The providers of a resource type, with their files.
    fn providers(&mut self, _resource_type: &str) -> Vec<(SmolStr, Arc<RubyProgram>)> {
        Vec::new()
    }

    /// Is a resource declared by now?
    fn is_declared(&mut self, _type_name: &str, _title: &str) -> Option<bool> {
        None
    }

    /// The attributes of a type that have defaults where the code is called.
    fn resource_defaults(&mut self, _type_name: &str) -> Option<Vec<SmolStr>> {
        None
    }

    /// Is the code for Windows?
    fn is_windows(&self) -> Option<bool> {
        None
    }

    /// A message for the log: `debug`, `info`, `notice`, `warning`, `err`.
    fn log(&mut self, _level: &str, _message: &str) {}
}
