//! Functions of the 3.x API that change the catalog: their arguments are checked.

use types::{Origin, Type, Value};

use crate::call::Call;
use crate::error::Outcome;
use crate::functions::ruby;

pub(super) fn create_resources(call: &mut Call) -> Outcome {
    let type_name = match call.argument(0) {
        Value::String(name) => name.clone(),
        _ => return Ok(Value::Undef),
    };
    let plain = type_name.trim_start_matches('@');
    if plain.len() < type_name.len() && plain.eq_ignore_ascii_case("class") {
        return Err(call.refuse("a class cannot be virtual or exported"));
    }
    Ok(Value::Undef)
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
