//! Lookup of types by name.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::assign::unfold_alias;
use crate::display::{capitalized_segments, is_declaration};
use crate::environment::TypeEnvironment;
use crate::object::built_in_named_type;
use crate::ty::*;

/// Returns the built-in type with the given name, without parameters. Each segment starts with an uppercase
/// letter; the case of the remaining letters is insignificant.
pub fn built_in_type(name: &str) -> Option<Type> {
    let name = name.trim_start_matches("::");
    if !name.split("::").all(|segment| segment.starts_with(|c: char| c.is_ascii_uppercase())) {
        return None;
    }
    Some(match name.to_ascii_lowercase().as_str() {
        "any" => Type::Any,
        "array" => Type::array_of(Type::Any),
        "binary" => Type::Binary,
        "boolean" => Type::BOOLEAN,
        "callable" => Type::callable(None, None, None),
        "catalogentry" => Type::CatalogEntry,
        "class" => Type::Class(None),
        "collection" => Type::Collection(IntegerRange::SIZE),
        "data" => Type::Data,
        "default" => Type::Default,
        "enum" => Type::enumeration::<SmolStr>([], false),
        "float" => Type::FLOAT,
        "hash" => Type::hash_of(Type::Any, Type::Any),
        "init" => Type::Init(None),
        "integer" => Type::INTEGER,
        "iterable" => Type::Iterable(None),
        "iterator" => Type::Iterator(None),
        "notundef" => Type::NotUndef(None),
        "numeric" => Type::Numeric,
        "object" => Type::Object(None),
        "optional" => Type::Optional(None),
        "pattern" => Type::Pattern(Arc::new([])),
        "regexp" => Type::Regexp(None),
        "resource" => Type::resource(None, None),
        "richdata" => Type::RichData,
        "richdatakey" => Type::RichDataKey,
        "runtime" => Type::runtime(None, None),
        "scalar" => Type::Scalar,
        "scalardata" => Type::ScalarData,
        "semver" => Type::SemVer(Arc::new([])),
        "semverrange" => Type::SemVerRange,
        "sensitive" => Type::Sensitive(None),
        "string" => Type::STRING,
        "struct" => Type::Struct(Arc::new([])),
        "timespan" => Type::Timespan(None),
        "timestamp" => Type::Timestamp(None),
        "tuple" => Type::tuple([], None),
        "type" => Type::Type(None),
        "typealias" => Type::Alias(crate::ty::BARE_ALIAS.into()),
        "typereference" => Type::Reference("UnresolvedReference".into()),
        "typeset" => Type::TypeSet(None),
        "undef" => Type::Undef,
        "uri" => Type::Uri(None),
        "variant" => Type::variant([]),
        // Resource types that always exist.
        "component" | "exec" | "file" | "filebucket" | "group" | "node" | "notify" | "package"
        | "resources" | "schedule" | "service" | "stage" | "tidy" | "user" | "whit" => {
            Type::resource(Some(capitalized_segments(&name.to_ascii_lowercase())), None)
        }
        _ => return None,
    })
}

/// Resolves a type name in source: a built-in type, a resource type, an object type, a type set, or an alias,
/// which stays a name. Returns `None` if there is no such type.
pub fn named_type(name: &str, env: &dyn TypeEnvironment) -> Option<Type> {
    if let Some(ty) = built_in_type(name) {
        return Some(ty);
    }
    let name = name.trim_start_matches("::");
    let named = match built_in_named_type(name) {
        Some(named) => Some(named),
        None if env.resource_type_exists(name) => {
            return Some(Type::resource(Some(capitalized_segments(&name.to_ascii_lowercase())), None));
        }
        None => env.named_type(name),
    };
    named.map(|named| if is_declaration(&named.ty, &named.name) { named.ty } else { Type::Alias(named.name) })
}

/// Returns the target of an alias, in which other aliases stay names, or `None` if the alias is unknown.
pub fn alias_target(name: &str, env: &dyn TypeEnvironment) -> Option<Type> {
    unfold_alias(&Type::Alias(name.into()), env)
}

/// Returns true if the string is a syntactically valid type name, such as `Foo::Bar`.
pub(crate) fn is_type_name(text: &str) -> bool {
    let text = text.strip_prefix("::").unwrap_or(text);
    text.split("::").all(|segment| {
        let mut chars = segment.chars();
        chars.next().is_some_and(|c| c.is_ascii_uppercase())
            && chars.all(|c| c.is_ascii_alphanumeric() || c == '_')
    })
}
