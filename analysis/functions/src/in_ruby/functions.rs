//! Functions of modules that are written in Ruby, run from their own code.

use eval::{Call, DeclaredFunction, Evaluator, Outcome, PassedLambda, RubyReason, Site, resource_object};
use plugins::FunctionApi;
use ruby::{FunctionCall, FunctionOutcome, Stop};
use types::Value;

use super::host::{CallHost, IN_RUBY, exit_of};
use super::known_functions;

/// Calls a function in Ruby; `None` if the result is unknown.
///
/// # Errors
/// The exception that the code raises.
pub(crate) fn call(
    evaluator: &mut Evaluator<'_>,
    site: Site,
    function: &DeclaredFunction,
    signature: usize,
    arguments: &[Value],
    block: Option<PassedLambda>,
) -> Outcome<Option<Value>> {
    let Some(code) = &function.code else { return Ok(None) };
    let count = function.signatures.len();
    evaluator.enter_call(site, |evaluator| {
        let mut call = Call { evaluator, function: &IN_RUBY, arguments: Vec::new(), block, site };
        let arguments = match code.api {
            FunctionApi::V4 => arguments.to_vec(),
            // The conversion of arguments for the 3.x API may fail.
            FunctionApi::V3 { .. } => {
                let converted: Result<Vec<Value>, _> = arguments
                    .iter()
                    .map(|it| operators::legacy_argument(it.clone(), call.env(), resource_object))
                    .collect();
                match converted {
                    Ok(converted) => converted,
                    Err(_) => return Ok(None),
                }
            }
        };
        let asked = FunctionCall {
            program: code.program.clone(),
            name: &function.name,
            arguments: &arguments,
            signature: (signature, count),
        };
        let outcome = known_functions::call_function(&mut CallHost(&mut call), &asked);
        finish_call(&mut call, function, code.api, outcome)
    })
}

fn finish_call(
    call: &mut Call<'_, '_>,
    function: &DeclaredFunction,
    api: FunctionApi,
    outcome: FunctionOutcome,
) -> Outcome<Option<Value>> {
    let FunctionOutcome { result, reason, assumes_constant } = outcome;
    if assumes_constant {
        call.evaluator.world.program.note_assumed_constant(function);
    }
    let is_known = matches!(&result, Ok(value) if value.is_known());
    if let Some(reason) =
        reason.filter(|_| !is_known && !matches!(result, Err(Stop::Raise(_) | Stop::Exit(_))))
    {
        let place = call.evaluator.place(call.site);
        let (what, path, line) = (reason.what, reason.path, reason.line);
        let name = function.name.clone();
        call.evaluator.diagnostics.ruby_reasons.push(RubyReason { place, function: name, what, path, line });
    }
    match result {
        // A statement has no value.
        Ok(_) if matches!(api, FunctionApi::V3 { is_statement: true, .. }) => Ok(Some(Value::Undef)),
        Ok(value) => Ok(Some(value)),
        // Most messages begin with the name of the function.
        Err(Stop::Raise(error)) if error.message.starts_with(&format!("{}()", function.name)) => {
            Err(call.refuse(error.message.to_string()))
        }
        Err(Stop::Raise(error)) => {
            Err(call.refuse(format!("function `{}` failed: {}", function.name, error.message)))
        }
        Err(Stop::Exit(exit)) => Err(exit_of(exit)),
        Err(Stop::Unknown(_) | Stop::Next(_) | Stop::Break(..) | Stop::Return(..) | Stop::Retry) => Ok(None),
    }
}
