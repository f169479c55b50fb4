//! Additions of Bolt to the language in plans: functions, object types and type aliases.

use std::sync::LazyLock;

use smol_str::SmolStr;
use syntax::TextRange;

use super::notation::{self, NotationEntry};
use crate::{
    DataType, FunctionApi, ParameterKind, RubyFunction, WrittenBlock, WrittenParameter, WrittenSignature,
};

/// Type alias.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoltTypeAlias {
    pub name: SmolStr,
    /// Aliased type in Puppet syntax.
    pub type_text: SmolStr,
    pub documentation: SmolStr,
}

/// Attribute or method of one of Bolt's object types.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BoltMember {
    pub name: SmolStr,
    /// Type of the attribute, or a `Callable`.
    pub type_text: SmolStr,
    pub is_method: bool,
    pub documentation: SmolStr,
}

/// Returns the plan functions, by name. None of them works in manifests.
pub fn functions() -> &'static [RubyFunction] {
    &BOLT.functions
}

/// Returns the plan function `name`.
pub fn function(name: &str) -> Option<&'static RubyFunction> {
    functions().iter().find(|it| it.name == name)
}

/// Returns the object types, by name. `Target` is one of them.
pub fn types() -> &'static [DataType] {
    &BOLT.types
}

/// Returns the attributes and methods of an object type; empty for other names.
pub fn members(type_name: &str) -> &'static [BoltMember] {
    let index = types().iter().position(|it| it.name == type_name);
    index.and_then(|index| BOLT.members.get(index)).map_or(&[], |members| members)
}

/// Returns true if any object type has an attribute or method `name`.
pub fn is_member(name: &str) -> bool {
    BOLT.members.iter().flatten().any(|it| it.name == name)
}

/// Returns the type aliases, by name.
pub fn aliases() -> &'static [BoltTypeAlias] {
    &BOLT.aliases
}

/// Returns true if Bolt defines a type or alias `name`. Case is ignored.
pub fn is_type(name: &str) -> bool {
    types().iter().any(|it| it.name.eq_ignore_ascii_case(name))
        || aliases().iter().any(|it| it.name.eq_ignore_ascii_case(name))
}

#[derive(Default)]
struct Bolt {
    functions: Vec<RubyFunction>,
    types: Vec<DataType>,
    /// Members of each type, in the order of `types`.
    members: Vec<Vec<BoltMember>>,
    aliases: Vec<BoltTypeAlias>,
}

/// Empty if the data file is malformed; a test makes sure that it is not.
static BOLT: LazyLock<Bolt> = LazyLock::new(|| read_bolt(FILE).unwrap_or_default());

const FILE: &str = include_str!("../../data/bolt.txt");

fn read_bolt(file: &'static str) -> Result<Bolt, String> {
    let mut bolt = Bolt::default();
    for entry in notation::read(file)? {
        match entry.word {
            "function" => bolt.functions.push(function_of(&entry)?),
            "type" => {
                let members = entry.below.iter().map(member).collect::<Result<Vec<_>, _>>()?;
                bolt.types.push(DataType {
                    name: entry.rest.into(),
                    range: TextRange::empty(0),
                    interface: interface(&members).into(),
                    documentation: entry.documentation.as_str().into(),
                });
                bolt.members.push(members);
            }
            "alias" => {
                let (name, type_text) = entry.rest.split_once(" = ").ok_or_else(|| mistake(&entry))?;
                bolt.aliases.push(BoltTypeAlias {
                    name: name.into(),
                    type_text: type_text.into(),
                    documentation: entry.documentation.as_str().into(),
                });
            }
            _ => return Err(mistake(&entry)),
        }
    }
    Ok(bolt)
}

fn mistake(entry: &NotationEntry) -> String {
    format!("line {}: {} {}", entry.line, entry.word, entry.rest)
}

fn function_of(entry: &NotationEntry) -> Result<RubyFunction, String> {
    let signatures = entry.below.iter().map(signature).collect::<Result<Vec<_>, _>>()?;
    Ok(RubyFunction {
        name: entry.rest.into(),
        range: TextRange::empty(0),
        api: FunctionApi::V4,
        signatures,
        is_incomplete: false,
        refusal: None,
        local_types: Vec::new(),
        documentation: entry.documentation.as_str().into(),
    })
}

/// Parses `call (Target target, Hash ?options, Callable &block) >> Any`.
fn signature(entry: &NotationEntry) -> Result<WrittenSignature, String> {
    let parts = (entry.word == "call").then_some(entry.rest).and_then(|text| text.rsplit_once(") >> "));
    let (list, returns) = parts.ok_or_else(|| mistake(entry))?;
    let list = list.strip_prefix('(').ok_or_else(|| mistake(entry))?;
    let mut signature = WrittenSignature { return_type: Some(returns.into()), ..WrittenSignature::default() };
    for part in split_at_commas(list) {
        let (type_text, name) = part.rsplit_once(' ').ok_or_else(|| mistake(entry))?;
        if let Some(name) = name.strip_prefix('&') {
            let (is_required, name) = (!name.starts_with('?'), name.trim_start_matches('?'));
            signature.block =
                Some(WrittenBlock { name: name.into(), type_text: type_text.into(), is_required });
            continue;
        }
        let kind = match name.as_bytes().first() {
            Some(b'?') => ParameterKind::Optional,
            Some(b'*') => ParameterKind::Repeated,
            Some(b'+') => ParameterKind::RequiredRepeated,
            _ => ParameterKind::Required,
        };
        let name = name.trim_start_matches(['?', '*', '+']);
        signature.parameters.push(WrittenParameter { name: name.into(), type_text: type_text.into(), kind });
    }
    Ok(signature)
}

/// Splits a list at the commas outside of brackets.
fn split_at_commas(list: &str) -> Vec<&str> {
    let (mut parts, mut depth, mut start) = (Vec::new(), 0, 0);
    for (index, character) in list.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth -= 1,
            ',' if depth == 0 => {
                parts.push(list[start..index].trim());
                start = index + 1;
            }
            _ => {}
        }
    }
    parts.push(list[start..].trim());
    parts.retain(|it| !it.is_empty());
    parts
}

fn member(entry: &NotationEntry) -> Result<BoltMember, String> {
    let is_method = match entry.word {
        "attribute" => false,
        "method" => true,
        _ => return Err(mistake(entry)),
    };
    let (name, type_text) = entry.name_and_rest();
    Ok(BoltMember {
        name: name.into(),
        type_text: type_text.into(),
        is_method,
        documentation: entry.documentation.as_str().into(),
    })
}

/// Returns the contents of an `Object[{ ... }]` type with these members.
fn interface(members: &[BoltMember]) -> String {
    let list = |is_method: bool| {
        let members = members.iter().filter(|it| it.is_method == is_method);
        let lines = members.map(|it| format!("'{}' => {}", it.name, it.type_text));
        lines.collect::<Vec<_>>().join(", ")
    };
    format!("attributes => {{ {} }}, functions => {{ {} }}", list(false), list(true))
}

#[cfg(test)]
#[path = "bolt_tests.rs"]
mod tests;
