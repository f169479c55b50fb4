//! The types with names that Puppet brings along: `Error`, `Deferred`, `Pcore::...`, `Puppet::AST::...`.

use std::sync::{Arc, OnceLock};

use rustc_hash::FxHashMap;
use smol_str::SmolStr;

use super::notation::{type_from_text, value_from_text};
use super::{ObjectAttribute, ObjectAttributeKind, ObjectFunction, ObjectType, TypeSet};
use crate::environment::{NamedType, TypeEnvironment};
use crate::ty::Type;

/// Written by `data/generate.rb`, which says what the lines mean.
const TABLE: &str = include_str!("../../data/named_types.txt");

struct BuiltInEntry {
    lines: &'static str,
    read: OnceLock<Option<NamedType>>,
}

fn entries() -> &'static FxHashMap<String, BuiltInEntry> {
    static ENTRIES: OnceLock<FxHashMap<String, BuiltInEntry>> = OnceLock::new();
    ENTRIES.get_or_init(|| {
        let mut entries = FxHashMap::default();
        let mut rest = TABLE;
        while !rest.is_empty() {
            let end = rest.match_indices('\n').map(|(at, _)| at + 1).find(|at| !rest[*at..].starts_with(' '));
            let (lines, after) = rest.split_at(end.unwrap_or(rest.len()));
            rest = after;
            if let Some(name) = lines.split_whitespace().nth(1) {
                entries.insert(name.to_ascii_lowercase(), BuiltInEntry { lines, read: OnceLock::new() });
            }
        }
        entries
    })
}

/// The type of that name, which is no type of the language itself. The case after the first letters does not matter.
pub fn built_in_named_type(name: &str) -> Option<NamedType> {
    let name = name.trim_start_matches("::");
    let entry = match entries().get(name) {
        Some(entry) => entry,
        None => entries().get(&name.to_ascii_lowercase())?,
    };
    entry.read.get_or_init(|| read(entry.lines)).clone()
}

/// Knows the names that Puppet itself gives to types.
pub struct BuiltInTypes;

impl TypeEnvironment for BuiltInTypes {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        built_in_named_type(name)
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        false
    }
}

/// The names of all of them, as they are declared, in the order of the alphabet.
pub fn built_in_type_names() -> impl Iterator<Item = &'static str> {
    let is_head = |line: &&str| !line.starts_with(' ');
    TABLE.lines().filter(is_head).filter_map(|line| line.split_whitespace().nth(1))
}

/// The parameters of a constructor whose order does not follow from the attributes.
pub(super) fn constructor_order(name: &str) -> Option<Vec<&'static str>> {
    let entry = entries().get(&name.to_ascii_lowercase())?;
    let line = entry.lines.lines().find_map(|line| line.strip_prefix("  new "))?;
    Some(line.split_whitespace().collect())
}

/// The object type of which a type of the language is an instance: `Pcore::IntegerType` for `Integer[1]`.
pub fn metatype_of(ty: &Type) -> Option<Type> {
    let name = match ty {
        Type::Data | Type::RichData | Type::RichDataKey => "TypeAlias",
        Type::ObjectExtension(_) => "ObjectTypeExten",
        ty => ty.base_name(),
    };
    built_in_named_type(&format!("Pcore::{name}Type")).map(|named| named.ty)
}

fn read(lines: &str) -> Option<NamedType> {
    let (head, body) = lines.split_once('\n')?;
    let (kind, head) = head.split_once(' ')?;
    let (name, rest) = head.split_once(' ').unwrap_or((head, ""));
    let ty = match kind {
        "alias" => type_from_text(rest)?,
        "object" => Type::Object(Some(Arc::new(read_object(name, rest.strip_prefix("< "), body)?))),
        "typeset" => Type::TypeSet(Some(Arc::new(read_type_set(name, rest, body)?))),
        _ => return None,
    };
    Some(NamedType { name: name.into(), ty })
}

fn read_object(name: &str, parent: Option<&str>, body: &str) -> Option<ObjectType> {
    let mut object = ObjectType {
        name: Some(name.into()),
        parent: match parent {
            Some(parent) => Some(type_from_text(parent)?),
            None => None,
        },
        type_parameters: Box::new([]),
        attributes: Box::new([]),
        functions: Box::new([]),
        equality: None,
        equality_include_type: true,
    };
    let mut type_parameters: Vec<(SmolStr, Type)> = Vec::new();
    let mut attributes: Vec<ObjectAttribute> = Vec::new();
    let mut functions: Vec<ObjectFunction> = Vec::new();
    for line in body.lines() {
        let (word, rest) = line.trim_start().split_once(' ')?;
        let (name, rest) = rest.split_once(' ').unwrap_or((rest, ""));
        match word {
            "parameter" => type_parameters.push((name.into(), type_from_text(rest)?)),
            "attribute" | "constant" => attributes.push(read_attribute(name, word == "constant", rest)?),
            "function" => {
                let words = MemberWords::of(rest);
                functions.push(ObjectFunction {
                    name: name.into(),
                    ty: type_from_text(words.rest)?,
                    is_final: words.is_final,
                    overrides: words.overrides,
                });
            }
            "equality" => {
                object.equality =
                    Some(std::iter::once(name).chain(rest.split_whitespace()).map(Into::into).collect());
            }
            _ => {}
        }
    }
    object.type_parameters = type_parameters.into();
    object.attributes = attributes.into();
    object.functions = functions.into();
    Some(object)
}

fn read_attribute(name: &str, is_constant: bool, text: &str) -> Option<ObjectAttribute> {
    let words = MemberWords::of(text);
    let (ty, value) = match words.rest.rsplit_once(" = ") {
        Some((ty, value)) => (ty, Some(value_from_text(value)?)),
        None => (words.rest, None),
    };
    let kind = if is_constant { ObjectAttributeKind::Constant } else { words.kind };
    Some(ObjectAttribute {
        name: name.into(),
        ty: type_from_text(ty)?,
        kind,
        is_final: words.is_final || is_constant,
        overrides: words.overrides,
        value,
    })
}

fn read_type_set(name: &str, version: &str, body: &str) -> Option<TypeSet> {
    let mut types: Vec<(SmolStr, Type)> = Vec::new();
    for line in body.lines() {
        let (name, ty) = line.trim_start().strip_prefix("type ")?.split_once(' ')?;
        types.push((name.into(), type_from_text(ty)?));
    }
    Some(TypeSet {
        name: Some(name.into()),
        name_authority: None,
        version: (!version.is_empty()).then(|| version.into()),
        pcore_uri: None,
        pcore_version: Some("1.0.0".into()),
        types: types.into(),
        references: Box::new([]),
    })
}

/// The words in front of the type of a member.
struct MemberWords<'a> {
    is_final: bool,
    overrides: bool,
    kind: ObjectAttributeKind,
    rest: &'a str,
}

impl MemberWords<'_> {
    fn of(text: &str) -> MemberWords<'_> {
        let mut words =
            MemberWords { is_final: false, overrides: false, kind: ObjectAttributeKind::Plain, rest: text };
        while let Some((word, rest)) = words.rest.split_once(' ') {
            match word {
                "final" => words.is_final = true,
                "override" => words.overrides = true,
                "derived" => words.kind = ObjectAttributeKind::Derived,
                "given_or_derived" => words.kind = ObjectAttributeKind::GivenOrDerived,
                "reference" => words.kind = ObjectAttributeKind::Reference,
                _ => break,
            }
            words.rest = rest;
        }
        words
    }
}
