//! Comparison of ranges, parameters and ancestors for assignability checks.

use std::sync::Arc;

use super::is_assignable;
use crate::environment::TypeEnvironment;
use crate::object::ObjectType;
use crate::object::members::{LINEAGE_LIMIT, is_same_object_type, parent_object};
use crate::ty::TimeRange;
use crate::value::Value;
use scalars::semver::{Version, VersionRange};
use scalars::uri::Uri;

/// Returns true if each of the given ranges is contained in one of the wanted ranges.
pub(super) fn version_ranges_cover(wanted: &[VersionRange], given: &[VersionRange]) -> bool {
    wanted.is_empty()
        || !given.is_empty() && given.iter().all(|given| wanted.iter().any(|wanted| covers(wanted, given)))
}

fn covers(wanted: &VersionRange, given: &VersionRange) -> bool {
    wanted.min() <= given.min()
        && (wanted.max() > given.max()
            || wanted.max() == given.max() && (!wanted.excludes_max() || given.excludes_max()))
}

/// Returns true if some version is in a range of both lists.
pub(super) fn version_ranges_overlap(a: &[VersionRange], b: &[VersionRange]) -> bool {
    a.is_empty() || b.is_empty() || a.iter().any(|a| b.iter().any(|b| !a.intersection(b).is_empty()))
}

pub(super) fn version_ranges_include(ranges: &[VersionRange], version: &Version) -> bool {
    ranges.is_empty() || ranges.iter().any(|range| range.includes(version))
}

pub(super) fn is_in_time_range<T: PartialOrd>(range: Option<&TimeRange<T>>, time: &T) -> bool {
    range.is_none_or(|range| {
        range.from.as_ref().is_none_or(|from| from <= time) && range.to.as_ref().is_none_or(|to| time <= to)
    })
}

/// Returns true if `object` is `ancestor` or inherits from it.
pub(super) fn inherits(object: &Arc<ObjectType>, ancestor: &ObjectType, env: &dyn TypeEnvironment) -> bool {
    let mut object = object.clone();
    for _ in 0..LINEAGE_LIMIT {
        if is_same_object_type(&object, ancestor) {
            return true;
        }
        match parent_object(&object, env) {
            Some(parent) => object = parent,
            None => return false,
        }
    }
    false
}

/// Returns true if the type parameters in `given`, those of the narrower type, match the wanted ones.
pub(super) fn type_parameters_match(
    wanted: &[(smol_str::SmolStr, Value)],
    given: &[(smol_str::SmolStr, Value)],
    env: &dyn TypeEnvironment,
) -> bool {
    wanted.iter().filter(|(_, wanted)| !matches!(wanted, Value::Default)).all(|(name, wanted)| {
        given
            .iter()
            .find(|(given, value)| given == name && !matches!(value, Value::Default))
            .is_some_and(|(_, given)| parameter_takes(wanted, given, env))
    })
}

fn parameter_takes(wanted: &Value, given: &Value, env: &dyn TypeEnvironment) -> bool {
    matches(given, wanted, env)
        || matches!((wanted, given), (Value::Type(wanted), Value::Type(given)) if is_assignable(wanted, given, env))
}

/// Returns true if the URI components in `given` match those in `wanted`.
pub(super) fn uri_takes(wanted: Option<&Value>, given: Option<&Value>, env: &dyn TypeEnvironment) -> bool {
    let Some(wanted) = wanted.and_then(Value::as_hash) else { return true };
    let given = given.and_then(Value::as_hash);
    wanted.iter().all(|(name, wanted)| {
        given.and_then(|given| given.get(name)).is_some_and(|given| parameter_takes(wanted, given, env))
    })
}

pub(super) fn uri_matches(wanted: Option<&Value>, uri: &Uri, env: &dyn TypeEnvironment) -> bool {
    let Some(wanted) = wanted.and_then(Value::as_hash) else { return true };
    wanted.iter().all(|(name, wanted)| {
        let text = |part: Option<&str>| part.map_or(Value::Undef, Value::string);
        let part = match name.as_str() {
            Some("scheme") => text(uri.scheme()),
            Some("userinfo") => text(uri.userinfo()),
            Some("host") => text(uri.host()),
            Some("port") => uri.port().map_or(Value::Undef, |port| Value::Integer(i64::from(port))),
            Some("path") => text(uri.path()),
            Some("query") => text(uri.query()),
            Some("fragment") => text(uri.fragment()),
            Some("opaque") => text(uri.opaque()),
            _ => return false,
        };
        matches(&part, wanted, env)
    })
}

/// Returns true if a value matches an option as in a `case` expression. Does not set match variables.
pub(super) fn matches(value: &Value, option: &Value, env: &dyn TypeEnvironment) -> bool {
    match option {
        Value::Default => true,
        Value::Type(ty) => super::is_instance(ty, value, env),
        Value::Regexp(regexp) => value.as_str().is_some_and(|text| regexp.is_match(text).unwrap_or(false)),
        Value::SemVer(version) => match value {
            Value::SemVer(value) => value == version,
            Value::String(text) => Version::parse(text).is_ok_and(|value| value == **version),
            _ => false,
        },
        Value::SemVerRange(range) => match value {
            Value::SemVer(value) => range.includes(value),
            Value::String(text) => Version::parse(text).is_ok_and(|value| range.includes(&value)),
            _ => false,
        },
        Value::Array(options) => value.as_array().is_some_and(|elements| {
            elements.len() == options.len()
                && elements.iter().zip(options.iter()).all(|(element, option)| matches(element, option, env))
        }),
        Value::Hash(options) => value.as_hash().is_some_and(|entries| {
            options
                .iter()
                .all(|(key, option)| matches(entries.get(key).unwrap_or(&Value::Undef), option, env))
        }),
        Value::String(option) => value.as_str().is_some_and(|text| text.eq_ignore_ascii_case(option)),
        Value::Integer(_) | Value::Float(_) => match (value, option) {
            (Value::Integer(value), Value::Integer(option)) => value == option,
            _ => value.as_number().is_some_and(|value| Some(value) == option.as_number()),
        },
        option => value == option,
    }
}
