//! Custom facts of modules, written in Ruby and evaluated over the known facts of Facter.

use std::sync::{Arc, LazyLock};

use plugins::code::RubyProgram;
use smol_str::SmolStr;
use types::Value;

use super::super::interpreter::{Interpreter, StopReason};
use super::super::value::{Object, Ruby, Stop};

/// Model of Facter in Ruby, evaluated before the files that add facts.
static BASE: LazyLock<Arc<RubyProgram>> =
    LazyLock::new(|| Arc::new(plugins::code::read("", include_str!("facts.rb"))));

/// File that adds facts.
#[derive(Clone, Debug)]
pub struct FactFile {
    pub program: Arc<RubyProgram>,
    /// Names of the facts that it adds, in lowercase.
    pub names: Vec<SmolStr>,
}

/// Result of evaluating a fact.
#[derive(Clone, PartialEq, Debug)]
pub enum FactOutcome {
    Known(Value),
    Absent,
    /// Value that depends on the machine.
    Unknown(StopReason),
}

impl Interpreter<'_> {
    /// Evaluates the facts added by files, all of them together as an agent loads them.
    pub(in super::super) fn facts_of_files(mut self, files: &[FactFile]) -> Vec<(SmolStr, FactOutcome)> {
        if self.run_file(BASE.clone()).is_err() {
            return Vec::new();
        }
        // A file that cannot be evaluated may add resolutions to any of its facts.
        let mut unclear: Vec<(SmolStr, StopReason)> = Vec::new();
        for file in files {
            self.reason = None;
            let result = self.run_file(file.program.clone());
            let reason = self.reason.take().unwrap_or_else(StopReason::unnamed);
            match result {
                Ok(()) => {}
                Err(Stop::Exit(_)) => return Vec::new(),
                // Facter continues with the next file and keeps definitions before the error.
                Err(_) => unclear.extend(file.names.iter().map(|name| (name.clone(), reason.clone()))),
            }
        }
        let mut names: Vec<SmolStr> = files.iter().flat_map(|file| file.names.iter().cloned()).collect();
        names.sort_unstable();
        names.dedup();
        // Facts that read an unclear one must not treat it as absent.
        for (name, _) in &unclear {
            let marked = self.mark_unclear(name);
            if marked.is_err() {
                return Vec::new();
            }
        }
        names
            .into_iter()
            .map(|name| {
                let reason = unclear.iter().find(|(unclear, _)| *unclear == name).map(|(_, reason)| reason);
                let outcome = match reason {
                    Some(reason) => FactOutcome::Unknown(reason.clone()),
                    None => self.fact_outcome(&name),
                };
                (name, outcome)
            })
            .collect()
    }

    fn mark_unclear(&mut self, name: &SmolStr) -> Ruby {
        let facter = self.constant("Facter")?;
        self.call_method_of(&facter, "mark_unclear", vec![Object::text(name.as_str())])
    }

    fn fact_outcome(&mut self, name: &SmolStr) -> FactOutcome {
        self.reason = None;
        let value = self
            .constant("Facter")
            .and_then(|facter| self.call_method_of(&facter, "value", vec![Object::text(name.as_str())]));
        match value {
            Ok(Object::Nil) => FactOutcome::Absent,
            Ok(value) => match self.as_value(&value) {
                Ok(value) if value.is_known() => FactOutcome::Known(value),
                _ => FactOutcome::Unknown(self.reason.take().unwrap_or_else(StopReason::unnamed)),
            },
            Err(_) => FactOutcome::Unknown(self.reason.take().unwrap_or_else(StopReason::unnamed)),
        }
    }
}
