//! ERB templates and Ruby plugins, which are parsed and evaluated without side effects, and never
//! executed.

use std::sync::Arc;

use ruby::{FunctionCall, HostCalls, HostExit, HostFiles, HostSystem, HostVariables, Object};
use types::{NoTypes, TypeEnvironment, Value};

pub(crate) fn run(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    if let Some(finding) = plugins::erb::read(&text).finding {
        assert!(text.get(finding.range.as_range()).is_some(), "{finding:?} is not in the text");
    }
    for path in [
        "lib/puppet/functions/a.rb",
        "lib/puppet/type/a.rb",
        "lib/facter/a.rb",
        "lib/puppet/parser/functions/a.rb",
    ] {
        let _ = ruby::read_declarations(path, &text);
    }
    evaluate(&text);
    // The body of a function is evaluated, too.
    evaluate(&format!("Puppet::Parser::Functions.newfunction(:a) do |args|\n{text}\nend\n"));
}

fn evaluate(text: &str) {
    let program = Arc::new(plugins::code::read("lib/puppet/functions/a.rb", text));
    let arguments = [Value::string("a"), Value::Undef];
    let call = FunctionCall { program, name: "a", arguments: &arguments, signature: (0, 1) };
    let mut host = NoProgram { steps: 0 };
    let outcome = ruby::call_function(&mut host, &call);
    if let Err(ruby::Stop::Unknown(_)) = &outcome.result {
        assert!(outcome.reason.is_some(), "an unknown outcome has a reason");
    }
}

/// Host without definitions that stops after 20,000 steps.
struct NoProgram {
    steps: usize,
}

impl HostVariables for NoProgram {
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

impl HostCalls for NoProgram {
    fn step(&mut self, steps: usize) -> Result<(), HostExit> {
        self.steps += steps;
        if self.steps > 20_000 { Err(HostExit { exit: Box::new(()), is_error: false }) } else { Ok(()) }
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

impl HostFiles for NoProgram {}

impl HostSystem for NoProgram {}
