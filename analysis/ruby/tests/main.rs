//! Comparison with real Ruby, and malicious code.

mod declarations;
mod expressions;
mod hostile;

use std::sync::Arc;

use ruby::{
    FunctionCall, FunctionOutcome, HostCalls, HostExit, HostFiles, HostSystem, HostVariables, Object,
};
use types::{NoTypes, TypeEnvironment, Value};

/// Host without variables and functions. Limits are those of the interpreter.
struct EmptyHost;

impl HostVariables for EmptyHost {
    fn variable(&self, _: &str) -> Option<Value> {
        None
    }

    fn lookup(&mut self, _: &str) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }

    fn own_variable(&self, _: &str) -> Option<Object> {
        None
    }

    fn set_variable(&mut self, _: &str, _: Object) -> bool {
        false
    }
}

impl HostCalls for EmptyHost {
    fn step(&mut self, _: usize) -> Result<(), HostExit> {
        Ok(())
    }

    fn env(&self) -> &dyn TypeEnvironment {
        &NoTypes
    }

    fn call_function(&mut self, _: &str, _: Vec<Value>) -> Result<Value, HostExit> {
        Ok(Value::Undef)
    }

    fn call_legacy_function(&mut self, _: &str, _: Vec<Value>) -> Result<Option<Value>, HostExit> {
        Ok(None)
    }
}

impl HostFiles for EmptyHost {}

impl HostSystem for EmptyHost {}

/// Returns the result of a function with this body.
fn evaluate(body: &str) -> FunctionOutcome {
    let text = format!("Puppet::Parser::Functions.newfunction(:f, type: :rvalue) do |_|\n{body}\nend\n");
    let program = Arc::new(plugins::code::read("lib/puppet/parser/functions/f.rb", &text));
    let call = FunctionCall { program, name: "f", arguments: &[], signature: (0, 1) };
    ruby::call_function(&mut EmptyHost, &call)
}
