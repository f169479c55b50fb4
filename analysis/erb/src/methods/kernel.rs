//! What a template calls without a receiver.

use super::super::renderer::Renderer;
use super::super::value::{Object, Ruby, raise, unsupported};
use super::enumerations::elements;
use super::texts::formatted;
use super::{MANY, MethodInvocation, MethodRow, TEMPLATE, described, row};

pub(super) const TABLE: &[MethodRow] = &[
    row("scope", TEMPLATE, 0, 0, |_, _| Ok(Object::Scope)),
    row("has_variable?", TEMPLATE, 1, 1, |renderer, it| {
        let name = renderer.text_of(it.argument(0))?;
        super::scope::has_variable(renderer, &name)
    }),
    row("Array", TEMPLATE, 1, 1, |renderer, it| match it.argument(0) {
        Object::Nil => Ok(Object::array(Vec::new())),
        array @ Object::Array(_) => Ok(array.clone()),
        other @ (Object::Hash(_) | Object::Range(_) | Object::Enumerator(_)) => {
            Ok(Object::array(elements(renderer, other)?))
        }
        Object::Foreign(_) | Object::Match(_) => unsupported(),
        other => Ok(Object::array(vec![other.clone()])),
    }),
    row("String", TEMPLATE, 1, 1, |renderer, it| match it.argument(0) {
        text @ Object::Text(_) => Ok(text.clone()),
        other => Ok(Object::text(renderer.text_of(other)?)),
    }),
    row("Integer", TEMPLATE, 1, 1, |_, it| match it.argument(0) {
        Object::Integer(value) => Ok(Object::Integer(*value)),
        Object::Float(value) if value.abs() < 9e18 => Ok(Object::Integer(*value as i64)),
        Object::Nil => raise("can't convert nil into Integer"),
        Object::Text(text) => {
            let text = text.content.borrow();
            match scalars::numbers::integer_from_text(&text, None) {
                Ok(value) => {
                    i64::try_from(value).map_or_else(|_| unsupported(), |value| Ok(Object::Integer(value)))
                }
                Err(_) => raise(format!("invalid value for Integer(): {text:?}")),
            }
        }
        Object::Boolean(_) | Object::Array(_) | Object::Hash(_) => {
            raise(format!("can't convert {} into Integer", described(it.argument(0))?))
        }
        _ => unsupported(),
    }),
    row("Float", TEMPLATE, 1, 1, |_, it| match it.argument(0) {
        Object::Integer(value) => Ok(Object::Float(*value as f64)),
        Object::Float(value) => Ok(Object::Float(*value)),
        Object::Nil => raise("can't convert nil into Float"),
        Object::Text(text) => {
            let text = text.content.borrow();
            match scalars::numbers::float_from_text(&text) {
                Ok(value) => Ok(Object::Float(value)),
                Err(_) => raise(format!("invalid value for Float(): {text:?}")),
            }
        }
        _ => unsupported(),
    }),
    row("format", TEMPLATE, 1, MANY, format),
    row("sprintf", TEMPLATE, 1, MANY, format),
    // Only of one number is it certain which.
    row("rand", TEMPLATE, 1, 1, |_, it| match it.argument(0) {
        Object::Integer(1 | -1) => Ok(Object::Integer(0)),
        _ => unsupported(),
    }),
    row("raise", TEMPLATE, 0, 3, raised),
    row("fail", TEMPLATE, 0, 3, raised),
    // Libraries are there or not, and what they define is not followed.
    row("require", TEMPLATE, 1, 1, |_, _| Ok(Object::Unknown(types::Origin::Template))),
    row("instance_variable_get", TEMPLATE, 1, 1, |renderer, it| {
        let name = renderer.text_of(it.argument(0))?;
        match name.strip_prefix('@') {
            Some(name) => Ok(renderer.instance_variable(&name.into())),
            None => raise(format!("'{name}' is not allowed as an instance variable name")),
        }
    }),
];

fn format<'t>(renderer: &mut Renderer<'t>, it: &MethodInvocation<'t>) -> Ruby {
    let format = it.text_argument(0)?;
    formatted(renderer, &format, &it.arguments[1..])
}

/// `raise`: of what class the error is does not matter, where nothing rescues it.
fn raised(renderer: &mut Renderer<'_>, it: &MethodInvocation<'_>) -> Ruby {
    match it.arguments.as_slice() {
        [] => raise("unhandled exception"),
        [Object::Text(message)] => raise(message.content.borrow().clone()),
        [Object::Constant(class)] => raise(class.to_string()),
        [Object::Constant(_), message, ..] => raise(renderer.text_of(message)?),
        _ => unsupported(),
    }
}
