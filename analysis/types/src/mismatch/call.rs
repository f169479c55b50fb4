//! Messages about arguments of calls, and parameters of declared classes and resources, that do not match.

use std::borrow::Borrow;

use smol_str::SmolStr;

use super::{describe, expected_text, range_text, report};
use crate::assign::{is_assignable, is_instance};
use crate::environment::TypeEnvironment;
use crate::infer::infer_set;
use crate::ty::{CallableType, IntegerRange, Type};
use crate::value::Value;

/// Signature with the names of its parameters, the block excluded.
pub struct NamedSignature<'a> {
    pub callable: &'a CallableType,
    pub names: &'a [SmolStr],
}

/// Describes why no signature of `function` accepts arguments of these types and a block of the type `block`.
pub fn describe_call_mismatch<C: Borrow<CallableType>>(
    function: &str,
    signatures: &[C],
    arguments: &[Type],
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> String {
    describe_callable_mismatch(&format!("{function}()"), signatures, arguments, block, env)
}

/// Describes a mismatch like [`describe_call_mismatch`], for any callable. The message starts with `subject`
/// as it is.
pub fn describe_callable_mismatch<C: Borrow<CallableType>>(
    subject: &str,
    signatures: &[C],
    arguments: &[Type],
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> String {
    let named: Vec<NamedSignature<'_>> = signatures
        .iter()
        .map(|callable| NamedSignature { callable: callable.borrow(), names: &[] })
        .collect();
    describe_named_call_mismatch(subject, &named, arguments, block, env)
}

/// Describes why the constructor of a type does not accept the arguments.
pub fn describe_constructor_mismatch(
    type_name: &str,
    signatures: &[CallableType],
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> String {
    let types: Vec<Type> = arguments.iter().map(|argument| infer_set(argument, env)).collect();
    describe_callable_mismatch(&format!("{type_name}.new"), signatures, &types, None, env)
}

/// Describes a mismatch like [`describe_call_mismatch`], with the names of parameters.
pub fn describe_named_call_mismatch(
    subject: &str,
    signatures: &[NamedSignature<'_>],
    arguments: &[Type],
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> String {
    let right_count: Vec<&NamedSignature<'_>> = signatures
        .iter()
        .filter(|signature| size_of(signature.callable).contains(arguments.len() as i64))
        .collect();
    match (signatures, &right_count[..]) {
        ([], _) => format!("{subject} cannot be called"),
        (all, []) => {
            let sizes = all.iter().map(|signature| size_of(signature.callable));
            let size = sizes.reduce(IntegerRange::hull).unwrap_or(IntegerRange::SIZE);
            let is_one = size.max == 1 || (size.min == 1 && size.max == i64::MAX);
            let plural = if is_one { "" } else { "s" };
            let count = if size.max == 0 { "no".to_owned() } else { range_text(size) };
            let mut text = if size.contains(arguments.len() as i64) {
                format!("no signature of {subject} takes {} arguments", arguments.len())
            } else {
                format!("{subject} expects {count} argument{plural}, got {}", arguments.len())
            };
            if all.len() > 1 {
                list_signatures(&mut text, subject, all, env);
            }
            text
        }
        (_, [one]) => match mismatch_of(subject, one, arguments, block, env) {
            Some(mismatch) => mismatch,
            None => format!("{subject} does not take these arguments"),
        },
        (all, fitting) => {
            let only_block =
                fitting.iter().any(|it| mismatch_of_arguments(subject, it, arguments, env).is_none());
            if only_block {
                if let Some(near) = near_without_block(fitting, arguments, block, env) {
                    return mismatch_of_arguments(subject, near, arguments, env).unwrap_or_default();
                }
                let mismatch =
                    fitting.iter().find_map(|it| mismatch_of_block(subject, it.callable, block, env));
                return mismatch.unwrap_or_else(|| format!("{subject} does not take these arguments"));
            }
            if let Some(text) = same_argument(subject, fitting, arguments, env) {
                return text;
            }
            let mut text = format!("no signature of {subject} takes these arguments:");
            for signature in all {
                text.push_str("\n  ");
                text.push_str(&signature_text(subject, signature, env));
                let mismatch = if size_of(signature.callable).contains(arguments.len() as i64) {
                    mismatch_of("", signature, arguments, block, env).unwrap_or_default()
                } else {
                    format!("got {} arguments", arguments.len())
                };
                text.push_str("\n    ");
                text.push_str(mismatch.trim_start_matches([',', ' ']));
            }
            text
        }
    }
}

/// Returns the most likely intended signature: the one that accepts the given block (or none) and differs
/// from the given arguments only in the contents of one argument.
fn near_without_block<'s, 'a>(
    signatures: &[&'s NamedSignature<'a>],
    arguments: &[Type],
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> Option<&'s NamedSignature<'a>> {
    let is_near = |signature: &&&NamedSignature<'_>| {
        first_misfit(signature, arguments, env)
            .is_some_and(|(index, parameter)| is_same_container(parameter, &arguments[index]))
    };
    let takes_block =
        |signature: &&&NamedSignature<'_>| mismatch_of_block("", signature.callable, block, env).is_none();
    signatures.iter().filter(takes_block).find(is_near).copied()
}

/// Returns true if both are lists or both are hashes, whatever their contents.
fn is_same_container(expected: &Type, actual: &Type) -> bool {
    match expected {
        Type::Hash(_) | Type::Struct(_) => matches!(actual, Type::Hash(_) | Type::Struct(_)),
        Type::Array(_) | Type::Tuple(_) => matches!(actual, Type::Array(_) | Type::Tuple(_)),
        Type::Optional(Some(expected)) => is_same_container(expected, actual),
        Type::Variant(types) => types.iter().any(|it| is_same_container(it, actual)),
        _ => false,
    }
}

fn list_signatures(
    text: &mut String,
    subject: &str,
    signatures: &[NamedSignature<'_>],
    env: &dyn TypeEnvironment,
) {
    text.push(':');
    for signature in signatures {
        text.push_str("\n  ");
        text.push_str(&signature_text(subject, signature, env));
    }
}

fn size_of(callable: &CallableType) -> IntegerRange {
    match &callable.parameters {
        None => IntegerRange::SIZE,
        Some(tuple) => tuple.size(),
    }
}

fn mismatch_of(
    subject: &str,
    signature: &NamedSignature<'_>,
    arguments: &[Type],
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> Option<String> {
    mismatch_of_arguments(subject, signature, arguments, env)
        .or_else(|| mismatch_of_block(subject, signature.callable, block, env))
}

/// Returns the index of the argument that all signatures with a suitable arity refuse, or `None` if they
/// disagree.
pub fn misfitting_argument<C: Borrow<CallableType>>(
    signatures: &[C],
    arguments: &[Type],
    env: &dyn TypeEnvironment,
) -> Option<usize> {
    let callables = signatures.iter().map(Borrow::borrow);
    let fitting = callables.filter(|callable| size_of(callable).contains(arguments.len() as i64));
    let mut misfits = fitting.map(|callable| {
        let signature = NamedSignature { callable, names: &[] };
        first_misfit(&signature, arguments, env).map(|(index, _)| index)
    });
    let first = misfits.next()??;
    misfits.all(|other| other == Some(first)).then_some(first)
}

/// Returns the first argument that does not fit. An argument about which too little is known counts as
/// fitting.
fn first_misfit<'s>(
    signature: &'s NamedSignature<'_>,
    arguments: &[Type],
    env: &dyn TypeEnvironment,
) -> Option<(usize, &'s Type)> {
    let parameters = signature.callable.parameters.as_ref()?;
    arguments.iter().enumerate().find_map(|(index, argument)| {
        let parameter = parameters.element(index)?;
        let may_fit = is_assignable(parameter, argument, env) || is_assignable(argument, parameter, env);
        (!may_fit).then_some((index, parameter))
    })
}

fn mismatch_of_arguments(
    subject: &str,
    signature: &NamedSignature<'_>,
    arguments: &[Type],
    env: &dyn TypeEnvironment,
) -> Option<String> {
    let (index, parameter) = first_misfit(signature, arguments, env)?;
    let subject_of_argument = argument_place(subject, index, signature.names);
    Some(report(
        &subject_of_argument,
        &describe::mismatches(parameter, &arguments[index], env),
        parameter,
        &arguments[index],
        env,
    ))
}

fn argument_place(subject: &str, index: usize, names: &[SmolStr]) -> String {
    let name = names.get(index).or(if index >= names.len() { names.last() } else { None });
    let subject_of_argument = match name {
        Some(name) => format!("parameter '{name}'"),
        None => format!("argument {}", index + 1),
    };
    if subject.is_empty() { subject_of_argument } else { format!("{subject}, {subject_of_argument}") }
}

fn mismatch_of_block(
    subject: &str,
    callable: &CallableType,
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> Option<String> {
    let prefix = if subject.is_empty() { String::new() } else { format!("{subject} ") };
    match (&callable.block, block) {
        (None, Some(_)) => Some(format!("{prefix}does not expect a block")),
        (Some(wanted), None) if !is_assignable(wanted, &Type::Undef, env) => {
            Some(format!("{prefix}expects a block"))
        }
        (Some(wanted), Some(given)) if !is_assignable(wanted, given, env) => {
            let subject_of_argument =
                if subject.is_empty() { "block".to_owned() } else { format!("{subject}, block") };
            Some(report(&subject_of_argument, &describe::mismatches(wanted, given, env), wanted, given, env))
        }
        _ => None,
    }
}

/// If all signatures refuse the same argument as a whole, describes the accepted types.
fn same_argument(
    subject: &str,
    signatures: &[&NamedSignature<'_>],
    arguments: &[Type],
    env: &dyn TypeEnvironment,
) -> Option<String> {
    let misfits: Vec<(usize, &Type)> =
        signatures.iter().filter_map(|signature| first_misfit(signature, arguments, env)).collect();
    let (index, _) = *misfits.first()?;
    if misfits.len() != signatures.len() || misfits.iter().any(|(other, _)| *other != index) {
        return None;
    }
    let expected = crate::common::union(misfits.into_iter().map(|(_, ty)| ty.clone()), env);
    let names = signatures[0].names;
    let all_have_it = signatures.iter().all(|signature| signature.names.get(index) == names.get(index));
    let subject_of_argument = argument_place(subject, index, if all_have_it { names } else { &[] });
    Some(report(
        &subject_of_argument,
        &describe::mismatches(&expected, &arguments[index], env),
        &expected,
        &arguments[index],
        env,
    ))
}

/// Formats a signature as `name(Integer a, String b?)`.
fn signature_text(subject: &str, signature: &NamedSignature<'_>, env: &dyn TypeEnvironment) -> String {
    let name = subject.trim_end_matches("()");
    let Some(parameters) = &signature.callable.parameters else { return format!("{name}(...)") };
    let size = parameters.size();
    let count = parameters.types.len();
    let mut strings: Vec<String> = Vec::new();
    for (index, ty) in parameters.types.iter().enumerate() {
        let mark = if index + 1 == count && size.max > count as i64 {
            let before = index as i64;
            match (size.min - before, size.max) {
                (1, i64::MAX) => "+".to_owned(),
                (min, i64::MAX) if min <= 0 => "*".to_owned(),
                (min, i64::MAX) => format!("{{{min} or more}}"),
                (min, max) if min == max - before => format!("{{{min}}}"),
                (min, max) => format!("{{{} to {}}}", min.max(0), max - before),
            }
        } else if index as i64 >= size.min {
            "?".to_owned()
        } else {
            String::new()
        };
        let name = signature.names.get(index).map(|name| format!(" {name}")).unwrap_or_default();
        strings.push(format!("{}{name}{mark}", expected_text(ty, env)));
    }
    match &signature.callable.block {
        Some(Type::Optional(_)) => strings.push("block?".to_owned()),
        Some(_) => strings.push("block".to_owned()),
        None => {}
    }
    format!("{name}({})", strings.join(", "))
}

/// Parameter of a class, a defined type or a plan.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterDeclaration {
    pub name: SmolStr,
    pub ty: Type,
    pub is_required: bool,
}

/// Problem with one parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterMismatch {
    pub name: SmolStr,
    pub message: String,
}

/// Reports problems with arguments passed by name: unknown parameters, mismatched types and missing values.
/// Only certain problems are reported.
pub fn parameter_mismatches(
    declared: &[ParameterDeclaration],
    given: &[(SmolStr, Value)],
    env: &dyn TypeEnvironment,
) -> Vec<ParameterMismatch> {
    let mut mismatches = Vec::new();
    let mut mismatch =
        |name: &SmolStr, message: String| mismatches.push(ParameterMismatch { name: name.clone(), message });
    for (name, _) in given {
        if !declared.iter().any(|parameter| parameter.name == *name) {
            mismatch(name, format!("has no parameter named '{name}'"));
        }
    }
    for parameter in declared {
        match given.iter().find(|(name, _)| *name == parameter.name) {
            None if parameter.is_required => {
                let ty = expected_text(&parameter.ty, env);
                mismatch(
                    &parameter.name,
                    format!("expects a value for parameter '{}' ({ty})", parameter.name),
                );
            }
            None => {}
            Some((name, value)) => {
                let never = if value.is_known() {
                    !is_instance(&parameter.ty, value, env)
                } else {
                    crate::assign::fits(&parameter.ty, value, env) == crate::assign::Fit::Never
                };
                if never {
                    let subject = format!("parameter '{name}'");
                    mismatch(name, super::describe_value_mismatch(&subject, &parameter.ty, value, env));
                }
            }
        }
    }
    mismatches
}
