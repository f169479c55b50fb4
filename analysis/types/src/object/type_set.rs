//! Construction of `TypeSet[{...}]` types from their initialization hash.

use codes::Code;
use std::sync::{Arc, OnceLock};

use smol_str::SmolStr;

use super::from_hash::{assert_instance, initializer_of, object_type_from_hash};
use super::{Annotations, ObjectError, ObjectType, TypeSet, TypeSetReference};
use crate::assign::unfold_alias;
use crate::environment::TypeEnvironment;
use crate::ty::Type;
use crate::value::{HashValue, Value};
use scalars::semver::{Version, VersionRange};

const RUNTIME_NAME_AUTHORITY: &str = "http://puppet.com/2016.1/runtime";

/// Gives an object type its declared name if the type is written inline or is anonymous.
pub fn named_object(ty: Type, name: &SmolStr, is_written: bool) -> Type {
    match ty {
        Type::Object(Some(object))
            if is_written || object.name.as_ref().is_none_or(|it| it.starts_with("::")) =>
        {
            Type::Object(Some(Arc::new(ObjectType { name: Some(name.clone()), ..(*object).clone() })))
        }
        // `Object[{}]` on its own is the default type; with a name, it can be instantiated.
        Type::Object(None) if is_written => {
            Type::Object(Some(Arc::new(ObjectType { name: Some(name.clone()), ..ObjectType::default() })))
        }
        Type::TypeSet(Some(set)) if set.name.is_none() => {
            Type::TypeSet(Some(Arc::new(TypeSet { name: Some(name.clone()), ..(*set).clone() })))
        }
        ty => ty,
    }
}

/// Returns the type set described by the hash and its name: `name` if it is declared with one, or else the
/// name in the hash.
///
/// # Errors
/// If the hash does not describe a type set, its Pcore version is unsupported, or its references are
/// contradictory or cannot be resolved.
pub fn type_set_from_hash(
    hash: &HashValue,
    name: Option<&str>,
    env: &dyn TypeEnvironment,
) -> Result<TypeSet, ObjectError> {
    static INITIALIZER: OnceLock<Type> = OnceLock::new();
    let initializer = INITIALIZER.get_or_init(|| initializer_of("Pcore::TypeSetType"));
    let whole = Value::Hash(Arc::new(hash.clone()));
    assert_instance("type set initializer", initializer, &whole, env)?;
    let text = |key: &str| hash.get_text(key).and_then(text_of);
    let declared_name = name;
    let name: Option<SmolStr> = name.map(SmolStr::from).or_else(|| text("name"));
    let label = name.clone().unwrap_or_default();
    let pcore_version = text("pcore_version");
    if let Some(version) = &pcore_version {
        check_pcore_version(version)?;
    }
    let name_authority =
        text("name_authority").or_else(|| declared_name.map(|_| SmolStr::new(RUNTIME_NAME_AUTHORITY)));
    let version = text("version");
    if let Some(version) = &version {
        parse_version(version)?;
    }
    let types = types(hash.get_text("types").and_then(Value::as_hash), &label, env)?;
    let references = references(
        hash.get_text("references").and_then(Value::as_hash),
        &label,
        name_authority.as_deref(),
        &types,
        declared_name.is_some(),
        env,
    )?;
    Ok(TypeSet {
        name,
        name_authority,
        version,
        pcore_uri: text("pcore_uri"),
        pcore_version,
        types,
        references,
        annotations: Annotations::of(hash),
    })
}

fn text_of(value: &Value) -> Option<SmolStr> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::SemVer(version) => Some(version.to_string().into()),
        Value::SemVerRange(range) => Some(range.to_string().into()),
        _ => None,
    }
}

fn parse_version(text: &str) -> Result<Version, ObjectError> {
    Version::parse(text)
        .map_err(|error| ObjectError { code: Code::InvalidVersion, message: error.to_string() })
}

fn parse_range(text: &str) -> Result<VersionRange, ObjectError> {
    VersionRange::parse(text)
        .map_err(|error| ObjectError { code: Code::InvalidVersion, message: error.to_string() })
}

fn check_pcore_version(text: &str) -> Result<(), ObjectError> {
    let version = parse_version(text)?;
    if parse_range("1.x")?.includes(&version) {
        return Ok(());
    }
    let message = format!("unsupported Pcore version: expected 1.x, got {version}");
    Err(ObjectError { code: Code::PcoreVersion, message })
}

fn types(
    specs: Option<&HashValue>,
    label: &str,
    env: &dyn TypeEnvironment,
) -> Result<Box<[(SmolStr, Type)]>, ObjectError> {
    let mut types = Vec::new();
    for (name, spec) in specs.into_iter().flat_map(|specs| specs.iter()) {
        let name = SmolStr::new(name.as_str().unwrap_or_default());
        let ty = match spec {
            Value::Hash(spec) => {
                let object = object_type_from_hash(spec, Some(&format!("{label}::{name}")), env)?;
                Type::Object(Some(Arc::new(object)))
            }
            spec => spec.as_type().cloned().unwrap_or(Type::Any),
        };
        types.push((name, ty));
    }
    Ok(types.into())
}

fn references(
    specs: Option<&HashValue>,
    label: &str,
    authority: Option<&str>,
    types: &[(SmolStr, Type)],
    is_declared: bool,
    env: &dyn TypeEnvironment,
) -> Result<Box<[(SmolStr, TypeSetReference)]>, ObjectError> {
    let mut references: Vec<(SmolStr, TypeSetReference)> = Vec::new();
    let mut ranges: Vec<VersionRange> = Vec::new();
    for (alias, spec) in specs.into_iter().flat_map(|specs| specs.iter()) {
        let (Some(alias), Some(spec)) = (alias.as_str(), spec.as_hash()) else { continue };
        let text = |key: &str| spec.get_text(key).and_then(text_of);
        let reference = TypeSetReference {
            name: text("name").unwrap_or_default(),
            version_range: text("version_range").unwrap_or_default(),
            name_authority: text("name_authority").or_else(|| authority.map(SmolStr::from)),
        };
        let range = parse_range(&reference.version_range)?;
        let overlaps = references.iter().zip(&ranges).any(|((_, known), known_range)| {
            known.name == reference.name
                && known.name_authority == reference.name_authority
                && !known_range.intersection(&range).is_empty()
        });
        if overlaps {
            let message = format!(
                "type set `{label}` has two references to `{}` with overlapping version ranges",
                reference.name
            );
            return Err(ObjectError { code: Code::OverlappingReferences, message });
        }
        if types.iter().any(|(name, _)| name == alias) {
            let message = format!("type set `{label}` has both a type and a reference named `{alias}`");
            return Err(ObjectError { code: Code::DuplicateName, message });
        }
        if is_declared {
            check_reference(&reference, &range, label, env)?;
        }
        references.push((alias.into(), reference));
        ranges.push(range);
    }
    Ok(references.into())
}

fn check_reference(
    reference: &TypeSetReference,
    range: &VersionRange,
    label: &str,
    env: &dyn TypeEnvironment,
) -> Result<(), ObjectError> {
    let target = unfold_alias(&Type::Alias(reference.name.clone()), env);
    let Some(Type::TypeSet(Some(set))) = target else {
        let message = format!("type set `{label}` references `{}`, which is not a type set", reference.name);
        return Err(ObjectError { code: Code::UnresolvedType, message });
    };
    let version = set.version.as_deref().and_then(|version| Version::parse(version).ok());
    if version.as_ref().is_some_and(|version| range.includes(version)) {
        return Ok(());
    }
    let message = format!(
        "type set `{label}` requires version `{1}` of `{0}`, found {2}",
        reference.name,
        reference.version_range,
        set.version.as_deref().unwrap_or("none")
    );
    Err(ObjectError { code: Code::TypeSetVersion, message })
}

/// Returns the type with this name in the type set, or in a set that it references (`Alias::Name`). Only the
/// case of the first letter of each segment matters.
pub fn type_set_member(set: &TypeSet, name: &str, env: &dyn TypeEnvironment) -> Option<Type> {
    member_of(set, name, env, 0)
}

fn member_of(set: &TypeSet, name: &str, env: &dyn TypeEnvironment, depth: u32) -> Option<Type> {
    if depth > 16 {
        return None;
    }
    if let Some((_, ty)) = set.types.iter().find(|(known, _)| known.eq_ignore_ascii_case(name)) {
        return Some(ty.clone());
    }
    let (first, rest) = name.split_once("::").map_or((name, None), |(first, rest)| (first, Some(rest)));
    let (_, reference) = set.references.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(first))?;
    match (unfold_alias(&Type::Alias(reference.name.clone()), env)?, rest) {
        (Type::TypeSet(Some(target)), Some(rest)) => member_of(&target, rest, env, depth + 1),
        (target @ Type::TypeSet(_), None) => Some(target),
        _ => None,
    }
}
