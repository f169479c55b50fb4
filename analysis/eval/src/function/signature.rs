//! Signatures of built-in functions, parsed from the strings in the table.

use plugins::ParameterKind;
use smol_str::SmolStr;
use types::object::BuiltInTypes;
use types::{CallableType, IntegerRange, TupleType, Type};

/// Parameters and return type of an overload.
#[derive(Clone, PartialEq, Debug)]
pub struct Signature {
    pub parameters: Box<[SignatureParameter]>,
    /// Block parameter, if any; `Optional` if the block may be omitted.
    pub block: Option<SignatureParameter>,
    pub returns: Type,
    /// The signature as a `Callable` type.
    pub callable: CallableType,
}

#[derive(Clone, PartialEq, Debug)]
pub struct SignatureParameter {
    pub name: SmolStr,
    pub ty: Type,
    /// Type as written in the table.
    pub type_text: SmolStr,
    pub kind: ParameterKind,
}

/// Parses a signature. An invalid type gives `Any`; a test checks that the tables have none.
pub(super) fn parse(text: &str) -> Signature {
    let (list, returns) = match text.rsplit_once(">>") {
        Some((list, returns)) => (list.trim(), parse_type(returns)),
        None => (text.trim(), Type::Any),
    };
    let list = list.strip_prefix('(').and_then(|list| list.strip_suffix(')')).unwrap_or(list);
    let mut parameters = Vec::new();
    let mut block = None;
    for part in split(list) {
        let (is_block, parameter) = parse_parameter(part);
        if is_block {
            block = Some(parameter);
        } else {
            parameters.push(parameter);
        }
    }
    let mut size = IntegerRange { min: 0, max: 0 };
    for parameter in &parameters {
        let (min, max) = parameter.kind.counts();
        size = IntegerRange { min: size.min + min, max: size.max.saturating_add(max) };
    }
    let types: Box<[Type]> = parameters.iter().map(|parameter| parameter.ty.clone()).collect();
    let size = (size != IntegerRange::exactly(types.len() as i64)).then_some(size);
    let callable = CallableType {
        parameters: Some(TupleType { types, size }),
        block: block.as_ref().map(|block: &SignatureParameter| block.ty.clone()),
        returns: Some(returns.clone()),
    };
    Signature { parameters: parameters.into(), block, returns, callable }
}

fn parse_parameter(text: &str) -> (bool, SignatureParameter) {
    let (text, has_default) = match text.split_once(" = ") {
        Some((text, _)) => (text, true),
        None => (text, false),
    };
    let (type_text, name) = text.trim().rsplit_once(' ').unwrap_or(("Any", text.trim()));
    let mark = name.chars().next().unwrap_or('$');
    let kind = match mark {
        '*' => ParameterKind::Repeated,
        '+' => ParameterKind::RequiredRepeated,
        _ if has_default => ParameterKind::Optional,
        _ => ParameterKind::Required,
    };
    let name = name.trim_start_matches(['*', '+', '&', '$']);
    let type_text = type_text.trim();
    (
        mark == '&',
        SignatureParameter {
            name: name.into(),
            ty: parse_type(type_text),
            type_text: type_text.into(),
            kind,
        },
    )
}

fn parse_type(text: &str) -> Type {
    types::parse::parse_type(text.trim(), &BuiltInTypes).unwrap_or(Type::Any)
}

/// Splits a list at commas outside of brackets and quotes.
fn split(list: &str) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start, mut quote) = (0, 0, None);
    for (index, c) in list.char_indices() {
        match (quote, c) {
            (Some(open), _) if open == c => quote = None,
            (Some(_), _) => {}
            (None, '\'' | '"') => quote = Some(c),
            (None, '[' | '{' | '(') => depth += 1,
            (None, ']' | '}' | ')') => depth -= 1,
            (None, ',') if depth == 0 => {
                parts.push(&list[start..index]);
                start = index + 1;
            }
            _ => {}
        }
    }
    if !list[start..].trim().is_empty() {
        parts.push(&list[start..]);
    }
    parts
}
