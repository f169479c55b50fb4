//! Helpers for implementations of functions.

use codes::Code;
use scalars::regexp::RegexpError;
use types::{Type, TypeEnvironment, Value};

use crate::call::Call;
use crate::error::{Exit, LogLevel, Outcome};

/// Code of errors raised by the implementation of a function.
pub const RUNTIME_ERROR: Code = Code::RuntimeError;

impl Call<'_, '_> {
    /// Returns an error raised by the function itself.
    pub fn refuse(&self, message: impl Into<String>) -> Exit {
        self.fail(RUNTIME_ERROR, message)
    }

    /// Returns an error for a pattern that cannot be compiled or matched.
    pub fn refuse_pattern(&self, error: &RegexpError) -> Exit {
        self.refuse(error.to_string())
    }

    /// Counts elements of a result. Returns an error if there are too many.
    pub fn grow(&mut self, length: usize) -> Outcome<()> {
        if length > self.evaluator.world.settings.bounds.size {
            return Err(self.fail(Code::TooLarge, "value is too large"));
        }
        self.step(1)
    }

    /// Logs a warning at most once per run.
    pub fn warn_once(&mut self, text: &str) {
        if !self.evaluator.diagnostics.has_logged(text) {
            self.log(LogLevel::Warning, text);
        }
    }

    /// Returns an error for a value that is too large to visit; shared parts count each time they occur.
    pub fn weigh(&mut self, value: &Value) -> Outcome<()> {
        let mut weight = 0;
        self.weigh_part(value, &mut weight)
    }

    fn weigh_part(&mut self, value: &Value, weight: &mut usize) -> Outcome<()> {
        match value {
            Value::Array(elements) => {
                for element in elements.iter() {
                    self.weigh_part(element, weight)?;
                }
            }
            Value::Hash(entries) => {
                for (key, value) in entries.iter() {
                    self.weigh_part(key, weight)?;
                    self.weigh_part(value, weight)?;
                }
            }
            Value::String(text) => *weight += text.len() / 16,
            _ => {}
        }
        *weight += 1;
        self.grow(*weight)
    }

    /// Returns an unknown value of a type, with the least trustworthy origin among the arguments.
    pub fn unknown(&self, ty: Type) -> Value {
        let origin = self.arguments.iter().filter_map(Value::least_trustworthy).max();
        Value::unknown(ty, origin.unwrap_or(types::Origin::Join))
    }
}

/// Returns the union of the types of several values.
pub fn union_of<'v>(values: impl IntoIterator<Item = &'v Value>, env: &dyn TypeEnvironment) -> Type {
    // Elements are often all of one kind: a long list of literals would add no information.
    const MAX_COUNT: usize = 8;
    let values: Vec<&Value> = values.into_iter().collect();
    if values.len() <= MAX_COUNT {
        let types = values.into_iter().map(|value| types::infer::infer_set(value, env));
        // Normalized twice: adjacent ranges are merged one at a time.
        types::common::normalize(&types::common::union(types, env), env)
    } else {
        let mut generic: Vec<Type> = Vec::new();
        for value in values {
            let ty = types::common::generalize(&types::infer::infer_set(value, env), env);
            if !generic.contains(&ty) {
                generic.push(ty);
            }
            if generic.len() > MAX_COUNT {
                return Type::Any;
            }
        }
        types::common::union(generic, env)
    }
}
