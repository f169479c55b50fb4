//! Host for files with functions that are evaluated once for many calls. It notes when code asks for anything that the
//! call determines.

use std::cell::Cell;
use std::sync::Arc;

use plugins::code::{MethodDefinition, RubyProgram};
use ruby::{
    ChangedCollection, Host, HostCalls, HostExit, HostFact, HostFile, HostFiles, HostSystem, HostVariables,
    Object, RequiredFile, TemplateMethod,
};
use smol_str::SmolStr;
use types::{TypeEnvironment, Value};

pub(super) struct LoadingHost<'h> {
    host: &'h mut dyn Host,
    /// Files that were required so far, each with the result.
    pub(super) required: Vec<(String, Option<RequiredFile>)>,
    /// Number of steps so far.
    pub(super) steps: usize,
    depends_on_call: Cell<bool>,
}

impl<'h> LoadingHost<'h> {
    pub(super) fn new(host: &'h mut dyn Host) -> LoadingHost<'h> {
        LoadingHost { host, required: Vec::new(), steps: 0, depends_on_call: Cell::new(false) }
    }

    /// Returns true if the evaluation so far may depend on the call. Its results are invalid then.
    pub(super) fn has_depended_on_call(&self) -> bool {
        self.depends_on_call.get()
    }
}

impl HostVariables for LoadingHost<'_> {
    fn variable(&self, _name: &str) -> Option<Value> {
        self.depends_on_call.set(true);
        None
    }

    fn element(&self, _variable: &str, _keys: &[&str]) -> Option<Value> {
        self.depends_on_call.set(true);
        None
    }

    fn lookup(&mut self, _name: &str) -> Result<Option<Value>, HostExit> {
        self.depends_on_call.set(true);
        Ok(None)
    }

    fn check_is_evaluated(&self, _name: &str) -> Result<(), HostExit> {
        self.depends_on_call.set(true);
        Ok(())
    }

    fn top_variable(&mut self, _name: &str) -> Result<Option<Value>, HostExit> {
        self.depends_on_call.set(true);
        Ok(None)
    }

    fn set_top_variable(&mut self, _name: &str, _value: Value) -> bool {
        self.depends_on_call.set(true);
        false
    }

    fn define_template_method(&mut self, _definition: &Arc<MethodDefinition>) {
        self.depends_on_call.set(true);
    }

    fn template_method(&self, _name: &str) -> TemplateMethod {
        self.depends_on_call.set(true);
        TemplateMethod::Missing
    }

    fn own_variable(&self, _name: &str) -> Option<Object> {
        self.depends_on_call.set(true);
        None
    }

    fn set_variable(&mut self, _name: &str, _value: Object) -> bool {
        self.depends_on_call.set(true);
        false
    }

    fn change_collections(&mut self, _changes: &[ChangedCollection]) -> bool {
        self.depends_on_call.set(true);
        false
    }
}

impl HostCalls for LoadingHost<'_> {
    fn step(&mut self, steps: usize) -> Result<(), HostExit> {
        self.steps += steps;
        Ok(())
    }

    fn env(&self) -> &dyn TypeEnvironment {
        self.host.env()
    }

    fn call_function(&mut self, _name: &str, _arguments: Vec<Value>) -> Result<Value, HostExit> {
        self.depends_on_call.set(true);
        Ok(Value::Undef)
    }

    fn call_function_at_top(&mut self, _name: &str, _arguments: Vec<Value>) -> Result<Value, HostExit> {
        self.depends_on_call.set(true);
        Ok(Value::Undef)
    }

    fn call_legacy_function(
        &mut self,
        _name: &str,
        _arguments: Vec<Value>,
    ) -> Result<Option<Value>, HostExit> {
        self.depends_on_call.set(true);
        Ok(None)
    }

    fn call_lambda(&mut self, _arguments: Vec<Value>) -> Result<Option<Value>, HostExit> {
        self.depends_on_call.set(true);
        Ok(None)
    }

    fn has_lambda(&self) -> bool {
        self.depends_on_call.set(true);
        false
    }

    fn call_member(
        &mut self,
        _object: &Value,
        _name: &str,
        _arguments: &[Value],
    ) -> Result<Option<Value>, HostExit> {
        self.depends_on_call.set(true);
        Ok(None)
    }

    fn is_legacy_function(&self, _name: &str) -> Option<bool> {
        self.depends_on_call.set(true);
        None
    }

    fn log(&mut self, _level: &str, _message: &str) {
        self.depends_on_call.set(true);
    }
}

impl HostFiles for LoadingHost<'_> {
    fn required(&mut self, path: &str) -> Option<RequiredFile> {
        let found = self.host.required(path);
        self.required.push((path.to_owned(), found.clone()));
        found
    }

    fn file(&mut self, _path: &str) -> HostFile {
        self.depends_on_call.set(true);
        HostFile::Unknown
    }

    fn data_file(&mut self, _path: &str) -> Option<Value> {
        self.depends_on_call.set(true);
        None
    }

    fn module_file(&mut self, _folder: &str, _name: &str) -> Option<Option<String>> {
        self.depends_on_call.set(true);
        None
    }

    fn providers(&mut self, _resource_type: &str) -> Vec<(SmolStr, Arc<RubyProgram>)> {
        self.depends_on_call.set(true);
        Vec::new()
    }
}

impl HostSystem for LoadingHost<'_> {
    fn puppet_version(&self) -> Option<u32> {
        self.host.puppet_version()
    }

    fn setting(&mut self, _name: &str) -> Option<Value> {
        self.depends_on_call.set(true);
        None
    }

    fn fact(&mut self, _name: &str) -> HostFact {
        self.depends_on_call.set(true);
        HostFact::Unknown
    }

    fn is_final_fact(&self, _name: &str) -> bool {
        self.depends_on_call.set(true);
        false
    }

    fn is_declared(&mut self, _type_name: &str, _title: &str) -> Option<bool> {
        self.depends_on_call.set(true);
        None
    }

    fn resource_defaults(&mut self, _type_name: &str) -> Option<Vec<SmolStr>> {
        self.depends_on_call.set(true);
        None
    }

    fn is_windows(&self) -> Option<bool> {
        self.depends_on_call.set(true);
        None
    }
}
