//! Renders a template where a call of `template()` or `inline_template()` stands.

use std::sync::Arc;

use erb::{Host, HostExit, Object, Renderer, Stop};
use eval::{Call, Exit, FunctionKind, FunctionSource, Outcome, VariableState};
use plugins::erb::ErbTemplate;
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use types::{Origin, Type, TypeEnvironment, Value};
use validation::Strict;

/// The text that a template gives, or an unknown string. `what` names the template in messages.
///
/// # Errors
/// What is wrong with the Ruby code, and what it raises.
pub(crate) fn render(call: &mut Call, what: &str, text: &str) -> Outcome {
    let template = read(call, text);
    if let Some(failure) = &template.finding {
        let line = line_of(text, failure.range.start);
        return Err(call.refuse(format!("{what}, line {line}, is no Ruby: {}", failure.message)));
    }
    let (function, arguments, block) = (call.function, call.arguments.clone(), call.block);
    let (frame, expr) = (call.frame, call.expr);
    call.evaluator.deeper(frame, expr, |evaluator| {
        let mut call = Call { evaluator, function, arguments, block, frame, expr };
        match Renderer::new(&mut CallHost(&mut call), &template).run() {
            Ok(text) => Ok(Value::string(text)),
            Err((Stop::Unknown(origin), _)) => {
                if origin == Origin::Template && changes_values(text) {
                    let named: FxHashSet<&str> = text.split('@').skip(1).map(first_word).collect();
                    call.evaluator.lose_collections(call.frame, |name| named.contains(name));
                }
                Ok(Value::unknown(Type::STRING, origin))
            }
            // A jump that nothing catches ends the template in ways of its own.
            Err((Stop::Next(_) | Stop::Break(_) | Stop::Return(_), _)) => {
                Ok(Value::unknown(Type::STRING, Origin::Template))
            }
            Err((Stop::Raise(message), at)) => {
                let line = at.map(|at| format!(", line {},", line_of(text, at))).unwrap_or_default();
                Err(call.refuse(format!("{what}{line} fails: {message}")))
            }
            Err((Stop::Exit(HostExit(exit)), _)) => {
                Err(*exit.downcast::<Exit>().expect("what this host ended with"))
            }
        }
    })
}

/// The line of a place in a text, from 1.
pub(crate) fn line_of(text: &str, at: u32) -> usize {
    text.get(..at as usize).map_or(1, |before| before.matches('\n').count() + 1)
}

/// May the code change what variables hold?
fn changes_values(text: &str) -> bool {
    const WAYS: &[&str] = &[
        "<<", "!", ".push", ".append", ".concat", ".unshift", ".prepend", ".insert", ".delete", ".clear",
        "]=",
    ];
    WAYS.iter().any(|way| text.contains(way))
}

fn first_word(text: &str) -> &str {
    let end = text.find(|c: char| c != '_' && !c.is_alphanumeric()).unwrap_or(text.len());
    &text[..end]
}

/// The same text is read once.
fn read(call: &mut Call, text: &str) -> Arc<ErbTemplate> {
    if let Some(read_before) = call.evaluator.world.program.erb_template(text) {
        return read_before;
    }
    if let Some(template) = call.evaluator.erb_templates.get(text) {
        return template.clone();
    }
    let template = Arc::new(plugins::erb::read(text));
    call.evaluator.erb_templates.insert(SmolStr::new(text), template.clone());
    template
}

/// A call that a template asks.
struct CallHost<'h, 'c, 'w>(&'h mut Call<'c, 'w>);

/// What the evaluation ends with ends the template.
fn host_exit(exit: Exit) -> HostExit {
    HostExit(Box::new(exit))
}

impl Host for CallHost<'_, '_, '_> {
    fn step(&mut self, steps: usize) -> Result<(), HostExit> {
        self.0.step(steps).map_err(host_exit)
    }

    fn env(&self) -> &dyn TypeEnvironment {
        self.0.env()
    }

    fn variable(&self, name: &str) -> Option<Value> {
        match self.0.evaluator.slot_by_name(self.0.frame, name) {
            VariableState::Set(Value::Undef) | VariableState::Unset => None,
            VariableState::Set(value) => Some(value),
            VariableState::Possible(value) => {
                Some(Value::unknown(Type::Any, value.least_trustworthy().unwrap_or(Origin::Join)))
            }
        }
    }

    fn own_variable(&self, name: &str) -> Option<Object> {
        self.0.evaluator.erb_variables.get(&(self.0.frame, SmolStr::new(name))).cloned()
    }

    fn set_variable(&mut self, name: &str, value: Object) -> bool {
        let key = (self.0.frame, SmolStr::new(name));
        if self.0.evaluator.slot_by_name(self.0.frame, name) != VariableState::Unset
            || self.0.evaluator.erb_variables.contains_key(&key)
        {
            return false;
        }
        self.0.evaluator.erb_variables.insert(key, value);
        true
    }

    fn lookup(&mut self, name: &str) -> Result<Option<Value>, HostExit> {
        if self.0.evaluator.slot_by_name(self.0.frame, name) == VariableState::Unset {
            let reason = match name.rsplit_once("::") {
                Some((class, _)) if !class.is_empty() => Some(class),
                _ => None,
            };
            match self.0.evaluator.world.settings.strict {
                Strict::Off => {}
                Strict::Warning => {
                    let reason =
                        reason.map_or_else(String::new, |class| format!("class {class} could not be found"));
                    self.0.warn_once(&format!("Undefined variable '{name}'; {reason}"));
                }
                Strict::Error => {
                    return Err(host_exit(self.0.refuse(format!("there is no variable '{name}'"))));
                }
            }
            return Ok(None);
        }
        Ok(self.variable(name))
    }

    fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, HostExit> {
        let (frame, expr) = (self.0.frame, self.0.expr);
        self.0.evaluator.call_function(frame, expr, name, arguments, None).map_err(host_exit)
    }

    fn call_legacy_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, HostExit> {
        // Arguments are not converted here, and what becomes of `nil` differs from function to function.
        if arguments.iter().any(|argument| !matches!(argument, Value::String(_) | Value::Integer(_))) {
            return Ok(None);
        }
        if let Some(function) = crate::built_in(name) {
            let is_logging = matches!(function.kind, FunctionKind::Modern) && LOGGING.contains(&name);
            return match function.kind {
                FunctionKind::Modern if is_logging || name == "versioncmp" => {
                    self.call_function(name, arguments).map(Some)
                }
                FunctionKind::Modern if OLD.contains(&name) => Ok(None),
                FunctionKind::Modern => {
                    Err(host_exit(self.0.refuse(format!("scope has no method 'function_{name}'"))))
                }
                FunctionKind::Legacy | FunctionKind::LegacyStatement => {
                    self.call_function(name, arguments).map(Some)
                }
            };
        }
        match self.0.evaluator.world.program.function(name) {
            Some(FunctionSource::Known(_)) => self.call_function(name, arguments).map(Some),
            _ => Ok(None),
        }
    }
}

/// Functions that write to the log, which the 3.x API has as well.
const LOGGING: &[&str] = &["alert", "crit", "debug", "emerg", "err", "info", "notice", "warning"];

/// Functions that the 3.x API knows by name besides those, most of which refuse to be called so.
const OLD: &[&str] = &[
    "assert_type",
    "binary_file",
    "break",
    "contain",
    "defined",
    "dig",
    "each",
    "epp",
    "filter",
    "find_file",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "include",
    "inline_epp",
    "lest",
    "lookup",
    "map",
    "match",
    "new",
    "next",
    "reduce",
    "regsubst",
    "require",
    "return",
    "reverse_each",
    "scanf",
    "slice",
    "split",
    "step",
    "strftime",
    "then",
    "type",
    "with",
];
