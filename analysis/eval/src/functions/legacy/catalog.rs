//! Functions of the 3.x API that change the catalog.

use smol_str::SmolStr;
use types::{HashValue, Origin, Type, TypeEnvironment, Value};

use crate::call::Call;
use crate::error::Outcome;
use crate::functions::ruby;
use crate::program::NameKind;

pub(super) fn create_resources(call: &mut Call) -> Outcome {
    let (type_name, resources) = match (call.argument(0), call.argument(1)) {
        (Value::String(name), Value::Hash(resources)) => (name.clone(), resources.clone()),
        _ => {
            call.evaluator.note_unknown_resources();
            return Ok(Value::Undef);
        }
    };
    let plain = type_name.trim_start_matches('@').to_lowercase();
    let is_class = plain == "class";
    if is_class && plain.len() < type_name.len() {
        return Err(call.refuse("a class cannot be virtual or exported"));
    }
    let defaults = match call.argument(2) {
        Value::Hash(defaults) => (**defaults).clone(),
        _ => HashValue::default(),
    };
    for (title, attributes) in resources.iter() {
        let mut values = defaults.clone();
        match attributes {
            Value::Hash(own) => values.extend(own.iter().map(|(name, value)| (name.clone(), value.clone()))),
            _ => call.evaluator.note_unknown_resources(),
        }
        values.retain(|_, value| !value.is_undef());
        for title in ruby::flatten(std::slice::from_ref(title)) {
            match ruby::to_s(&title, call.env()) {
                Some(title) if is_class => {
                    let caller = (call.frame, call.expr);
                    call.evaluator.declare_class(caller, &title, &values)?;
                }
                Some(title) => declare(call, &plain, &title, values.clone())?,
                None => call.evaluator.note_unknown_resources(),
            }
        }
    }
    Ok(Value::Undef)
}

/// Declares a resource that must not be there yet.
pub(in crate::functions) fn declare(
    call: &mut Call,
    type_name: &str,
    title: &str,
    values: HashValue,
) -> Outcome<()> {
    let name = hir::fold_name(type_name);
    let program = call.evaluator.world.program;
    if !program.resource_type_exists(&name) && !program.may_define(NameKind::Type, &name) {
        return Err(call.fail("unknown-resource-type", format!("there is no resource type '{name}'")));
    }
    if call.evaluator.is_declared(&name, title) == Some(true) {
        let message = format!(
            "the resource {}['{title}'] is declared already",
            types::display::capitalized_segments(&name)
        );
        return Err(call.fail("duplicate-declaration", message));
    }
    let caller = (call.frame, call.expr);
    call.evaluator.declare_defined_type(caller, &name, &title.into(), &values)?;
    call.evaluator.note_resource(&name, title, values);
    Ok(())
}

pub(super) fn realize(_: &mut Call) -> Outcome {
    Ok(Value::Undef)
}

pub(super) fn tag(call: &mut Call) -> Outcome {
    for tag in ruby::flatten(&call.arguments) {
        if tag.is_undef() {
            continue;
        }
        if let Some(text) = ruby::to_s(&tag, call.env())
            && !is_valid_tag(&text)
        {
            return Err(call.refuse(format!("'{text}' is no valid tag")));
        }
    }
    Ok(Value::Undef)
}

/// Specification: the section on tags in the chapter on names.
fn is_valid_tag(text: &str) -> bool {
    let text = text.strip_suffix('\n').unwrap_or(text);
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.starts_with(is_word) && text.chars().all(|c| is_word(c) || matches!(c, ':' | '.' | '-'))
}

pub(super) fn tagged(_: &mut Call) -> Outcome {
    Ok(Value::unknown(Type::BOOLEAN, Origin::Ruby))
}

/// Type and title of `File[/etc/motd]`, as Ruby code writes references.
pub(in crate::functions) fn type_and_title(
    reference: &Value,
    env: &dyn TypeEnvironment,
) -> Option<(SmolStr, SmolStr)> {
    let text = ruby::to_s(reference, env)?;
    let (type_name, title) = text.split_once('[')?;
    Some((type_name.into(), title.strip_suffix(']')?.into()))
}
