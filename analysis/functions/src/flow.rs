//! Functions that run a block or another function, or leave one. Specification: the chapter on lambdas.

use codes::Code;
use eval::{BuiltInFunction, Call, Exit, Outcome, VariableState};
use types::{HashValue, Origin, Type, Value};

use super::support::{function, known, open};

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "break",
        "Ends the iteration that runs the block.",
        &[open("() >> Any", |call| Err(call.break_exit()))],
    ),
    function(
        "next",
        "Ends this run of the block or function and returns a value.",
        &[open("(Any $value = undef) >> Any", |call| Err(call.jump(Exit::Next)))],
    ),
    function(
        "return",
        "Ends the enclosing function, class or defined type; a function returns the value.",
        &[open("(Any $value = undef) >> Any", |call| Err(call.jump(Exit::Return)))],
    ),
    function(
        "with",
        "Runs the block once with the arguments.",
        &[open("(Any *$arg, Callable &$block)", with)],
    ),
    function(
        "then",
        "Runs the block with a value, or returns `undef` if the value is `undef`.",
        &[open("(Any $arg, Callable[1, 1] &$block)", then)],
    ),
    function(
        "lest",
        "Returns a value, or the result of the block if the value is `undef`.",
        &[open("(Any $arg, Callable[0, 0] &$block)", lest)],
    ),
    function(
        "call",
        "Calls a function by its name, or the call described by a `Deferred`.",
        &[
            open("(String $function_name, Any *$arguments, Optional[Callable] &$block)", call_by_name),
            known("(Deferred $deferred)", call_deferred),
        ],
    ),
    function(
        "import",
        "Removed: classes and defined types are loaded automatically.",
        &[open("(Any *$args)", |call| {
            Err(call.fail(Code::DiscontinuedImport, "`import()` has been removed"))
        })],
    ),
];

fn with(call: &mut Call) -> Outcome {
    let arguments = call.arguments.clone();
    call.call_block(&arguments)
}

fn then(call: &mut Call) -> Outcome {
    let value = call.argument(0).clone();
    match is_undef(call, &value) {
        Some(true) => Ok(Value::Undef),
        Some(false) => call.call_block(&[value]),
        None => {
            let defined = defined_value(call, &value);
            let origin = value.least_trustworthy().unwrap_or(types::Origin::Join);
            call.fork(2, origin, |call, branch| match branch {
                0 => Ok(Value::Undef),
                _ => call.call_block(std::slice::from_ref(&defined)),
            })
        }
    }
}

fn lest(call: &mut Call) -> Outcome {
    let value = call.argument(0).clone();
    match is_undef(call, &value) {
        Some(true) => call.call_block(&[]),
        Some(false) => Ok(value),
        None => {
            let defined = defined_value(call, &value);
            let origin = value.least_trustworthy().unwrap_or(types::Origin::Join);
            call.fork(2, origin, |call, branch| match branch {
                0 => Ok(defined.clone()),
                _ => call.call_block(&[]),
            })
        }
    }
}

/// Returns true for `undef`; `None` if that is unknown.
fn is_undef(call: &Call, value: &Value) -> Option<bool> {
    match value {
        Value::Unknown(unknown) => match types::assign::fits(&Type::Undef, value, call.env()) {
            types::assign::Fit::Always => Some(true),
            types::assign::Fit::Never => Some(false),
            types::assign::Fit::Maybe if unknown.ty == Type::Undef => Some(true),
            types::assign::Fit::Maybe => None,
        },
        value => Some(value.is_undef()),
    }
}

/// Narrows an unknown value to exclude `undef`.
fn defined_value(call: &Call, value: &Value) -> Value {
    match value {
        Value::Unknown(unknown) => {
            Value::unknown(types::narrow::exclude(&unknown.ty, &Type::Undef, call.env()), unknown.origin)
        }
        value => value.clone(),
    }
}

fn call_by_name(call: &mut Call) -> Outcome {
    let Value::String(name) = call.argument(0).clone() else {
        return Ok(call.unknown(Type::Any));
    };
    let arguments = call.arguments.get(1..).unwrap_or_default().to_vec();
    call.call_function(&name, arguments)
}

fn call_deferred(call: &mut Call) -> Outcome {
    let deferred = call.argument(0).clone();
    resolve(call, &deferred, 0)
}

/// Calls everything that is deferred in a value.
fn resolve(call: &mut Call, value: &Value, depth: usize) -> Outcome {
    const MAX_DEPTH: usize = 256;
    if depth > MAX_DEPTH {
        return Err(call.fail(Code::TooDeep, "deferred calls are nested too deeply"));
    }
    call.step(1)?;
    match value {
        Value::Object(object) if object.ty.name.as_deref() == Some("Deferred") => {
            let name = object.get("name").and_then(Value::as_str).unwrap_or_default().to_owned();
            let arguments = object.get("arguments").and_then(Value::as_array).unwrap_or_default().to_vec();
            let mut resolved = Vec::with_capacity(arguments.len());
            for argument in &arguments {
                resolved.push(resolve(call, argument, depth + 1)?);
            }
            match name.strip_prefix('$') {
                Some(variable) => {
                    let value = match call.evaluator.slot_by_name(call.site.frame, variable) {
                        VariableState::Set(value) => value,
                        VariableState::Possible(value) => {
                            Value::unknown(Type::Any, value.least_trustworthy().unwrap_or(Origin::Join))
                        }
                        VariableState::Unset => call
                            .evaluator
                            .read_variable(call.site, &hir::VariableRef::Free(variable.into()))?,
                    };
                    // Puppet calls `dig` even without a path, which only accepts collections.
                    let is_collection =
                        matches!(value, Value::Undef | Value::Array(_) | Value::Hash(_) | Value::Unknown(_));
                    if resolved.is_empty() && is_collection {
                        return Ok(value);
                    }
                    resolved.insert(0, value);
                    call.call_function("dig", resolved)
                }
                None => call.call_function(&name, resolved),
            }
        }
        Value::Array(elements) => {
            let elements = elements.clone();
            let resolved: Outcome<Vec<Value>> =
                elements.iter().map(|element| resolve(call, element, depth + 1)).collect();
            Ok(Value::array(resolved?))
        }
        Value::Hash(entries) => {
            let mut resolved = HashValue::default();
            for (key, value) in entries.clone().iter() {
                resolved.insert(resolve(call, key, depth + 1)?, resolve(call, value, depth + 1)?);
            }
            Ok(Value::Hash(resolved.into()))
        }
        value => Ok(value.clone()),
    }
}
