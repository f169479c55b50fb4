//! `scope`: Puppet's variables and functions.

use std::rc::Rc;

use types::Value;

use super::super::exceptions::RubyError;
use super::super::interpreter::Interpreter;
use super::super::value::{Object, Ruby, Stop, raise, raise_as, unsupported};
use super::{MethodInvocation, MethodRow, SCOPE, VARIABLES, row};

pub(in super::super) const TABLE: &[MethodRow] = &[
    row("[]", SCOPE, 1, 1, lookup),
    row("lookupvar", SCOPE, 1, 1, lookup),
    row("include?", SCOPE, 1, 1, |ruby, it| {
        let name = it.text_argument(0)?;
        has_variable(ruby, &name)
    }),
    row("call_function", SCOPE, 2, 2, |ruby, it| {
        if it.block.is_some() {
            return unsupported();
        }
        let name = match it.argument(0) {
            Object::Symbol(name) => name.to_string(),
            _ => it.text_argument(0)?,
        };
        // Puppet splats the arguments: `nil` is no argument, and a hash one pair per entry.
        let arguments = match it.argument(1) {
            Object::Array(array) => values(&array.elements.borrow())?,
            Object::Nil => Vec::new(),
            other => match values(std::slice::from_ref(other))?.as_slice() {
                [Value::Hash(entries)] => {
                    entries.iter().map(|(key, value)| Value::array([key.clone(), value.clone()])).collect()
                }
                [value @ (Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_))] => {
                    vec![value.clone()]
                }
                _ => return unsupported(),
            },
        };
        ruby.report_changes()?;
        if let Some(result) = ruby.call_sibling(&name, &arguments) {
            return result;
        }
        Ok(Object::from_puppet(&ruby.host.call_function(&name, arguments)?))
    }),
    // Logging has no effect on the result.
    row("debug", SCOPE, 1, super::MANY, |ruby, it| logged(ruby, it, "debug")),
    row("info", SCOPE, 1, super::MANY, |ruby, it| logged(ruby, it, "info")),
    row("notice", SCOPE, 1, super::MANY, |ruby, it| logged(ruby, it, "notice")),
    row("warning", SCOPE, 1, super::MANY, |ruby, it| logged(ruby, it, "warning")),
    row("err", SCOPE, 1, super::MANY, |ruby, it| logged(ruby, it, "err")),
    row("setvar", SCOPE, 2, 2, set_variable),
    row("[]=", SCOPE, 2, 2, set_variable),
    row("to_hash", SCOPE, 0, 0, |_, _| Ok(Object::Variables)),
    row("[]", VARIABLES, 1, 1, |ruby, it| match it.argument(0) {
        Object::Text(name) => {
            let value = ruby.host.variable(&name.content.borrow());
            let name = name.content.borrow();
            Ok(value.map_or(Object::Nil, |value| ruby.given.variable(&name, &value)))
        }
        _ => unsupported(),
    }),
    row("key?", VARIABLES, 1, 1, has_entry),
    row("has_key?", VARIABLES, 1, 1, has_entry),
    row("include?", VARIABLES, 1, 1, has_entry),
];

fn logged(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>, level: &str) -> Ruby {
    let message = ruby.shown_text(it.argument(0))?;
    ruby.host.log(level, &message);
    Ok(Object::Nil)
}

fn set_variable(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let (name, value) = (it.text_argument(0)?, it.argument(1).clone());
    // An existing variable may belong to an outer scope, in which case setting it again is allowed.
    if ruby.host.set_variable(&name, value.clone()) { Ok(value) } else { unsupported() }
}

fn has_entry(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match it.argument(0) {
        Object::Text(name) if !name.content.borrow().contains("::") => {
            let name = name.content.borrow().clone();
            is_set(ruby, &name)
        }
        _ => unsupported(),
    }
}

fn values(objects: &[Object]) -> Ruby<Vec<Value>> {
    objects.iter().map(Object::to_puppet).collect()
}

fn lookup(ruby: &mut Interpreter<'_>, it: &MethodInvocation<'_>) -> Ruby {
    let Object::Text(name) = it.argument(0) else { return unsupported() };
    let name = name.content.borrow().clone();
    if let Some(own) = ruby.host.own_variable(&name) {
        return Ok(own);
    }
    let value = match ruby.host.lookup(&name) {
        Err(exit) if exit.is_error && ruby.rescuing > 0 => return Err(undefined_variable(&name)),
        value => value?,
    };
    Ok(value.map_or(Object::Nil, |value| ruby.given.variable(&name, &value)))
}

/// Returns the exception for a missing variable, which is none of Puppet's own.
fn undefined_variable(name: &str) -> Stop {
    let error = RubyError::new("ArgumentError", format!("Undefined variable '{name}'; "));
    // Puppet appends a reason to the message for a variable of a class.
    Stop::Raise(Rc::new(RubyError { is_exact: !name.contains("::"), ..error }))
}

/// Evaluates `scope.include?`: returns true if a variable has a value other than `undef`.
pub(super) fn has_variable(ruby: &mut Interpreter<'_>, name: &str) -> Ruby {
    ruby.host.check_is_evaluated(name)?;
    is_set(ruby, name)
}

fn is_set(ruby: &Interpreter<'_>, name: &str) -> Ruby {
    match ruby.host.variable(name).map(|value| Object::from_puppet(&value)) {
        None | Some(Object::Nil) => Ok(Object::Boolean(false)),
        Some(Object::Unknown(origin)) => Err(Stop::Unknown(origin)),
        Some(_) => Ok(Object::Boolean(true)),
    }
}

impl Interpreter<'_> {
    /// Evaluates `scope.function_name([...])`.
    pub(super) fn call_legacy_function(&mut self, it: &MethodInvocation<'_>) -> Ruby {
        let name = it.name.strip_prefix("function_").unwrap_or_default();
        let [Object::Array(arguments)] = it.arguments.as_slice() else {
            return raise(format!("{name}: the arguments must be given as an array"));
        };
        // The function calls string methods on its arguments.
        if name == "versioncmp" && arguments.elements.borrow().iter().take(2).any(Object::is_other_data) {
            return raise_as("NoMethodError", "version must be a string");
        }
        self.report_changes()?;
        let arguments = values(&arguments.elements.borrow())?;
        // Here, `nil` is not converted.
        if !arguments.iter().any(Value::is_undef)
            && let Some(result) = self.call_sibling(name, &arguments)
        {
            return result;
        }
        match self.host.call_legacy_function(name, arguments)? {
            Some(value) => Ok(Object::from_puppet(&value)),
            None => unsupported(),
        }
    }
}
