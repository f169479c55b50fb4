//! Simple constructors. The arguments already match a signature.

use scalars::regexp::{Regexp, RegexpError, escape};
use scalars::semver::{Version, VersionRange};
use scalars::uri::Uri;
use types::constructor::{ConversionError, ConversionErrorKind};
use types::parse::parse_type;
use types::{Origin, Type, TypeEnvironment, Value};

use super::Made;
use crate::string_format::FormatError;
use crate::string_format::format_value;

fn first(arguments: &[Value]) -> Result<&Value, ConversionError> {
    arguments.first().ok_or_else(ConversionError::no_argument)
}

fn text(arguments: &[Value]) -> Result<&str, ConversionError> {
    first(arguments)?.as_str().ok_or_else(ConversionError::no_argument)
}

pub(super) fn unit(arguments: &[Value]) -> Made {
    first(arguments).cloned()
}

pub(super) fn sensitive(arguments: &[Value]) -> Made {
    Ok(match first(arguments)? {
        sensitive @ Value::Sensitive(_) => sensitive.clone(),
        value => Value::sensitive(value.clone()),
    })
}

pub(super) fn type_from_text(arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    let ty =
        parse_type(text(arguments)?, env).map_err(|error| ConversionError::impossible(error.to_string()))?;
    Ok(Value::ty(ty))
}

pub(super) fn string(arguments: &[Value], env: &dyn TypeEnvironment) -> Made {
    match format_value(first(arguments)?, arguments.get(1), env) {
        Ok(text) => Ok(Value::string(text)),
        Err(FormatError::Unknown(origin)) => Ok(Value::unknown(Type::STRING, origin)),
        Err(error @ FormatError::TooLong) => {
            Err(ConversionError::new(ConversionErrorKind::TooLarge, error.to_string()))
        }
        Err(error) => Err(ConversionError::impossible(error.to_string())),
    }
}

pub(super) fn regular_expression(arguments: &[Value]) -> Made {
    let source = text(arguments)?;
    let escaped = matches!(arguments.get(1), Some(Value::Boolean(true))).then(|| escape(source));
    match Regexp::new(escaped.as_deref().unwrap_or(source)) {
        Ok(regexp) => Ok(Value::Regexp(regexp)),
        // Valid in Ruby, but not supported here.
        Err(RegexpError::Unsupported(_)) => Ok(Value::unknown(Type::Regexp(None), Origin::Bound)),
        Err(error) => Err(ConversionError::impossible(error.to_string())),
    }
}

pub(super) fn boolean(arguments: &[Value]) -> Made {
    Ok(Value::Boolean(match first(arguments)? {
        Value::Float(value) => value.0 != 0.0,
        Value::Integer(value) => *value != 0,
        Value::WideInteger(_) => true,
        Value::Boolean(value) => *value,
        Value::String(text) => !["false", "no", "n"].iter().any(|no| text.eq_ignore_ascii_case(no)),
        _ => return Err(ConversionError::no_argument()),
    }))
}

pub(super) fn version(arguments: &[Value]) -> Made {
    let part = |value: Option<&Value>| {
        let part = value.and_then(Value::as_wide_integer).unwrap_or_default();
        // The largest number means "no limit".
        u64::try_from(part).unwrap_or(u64::MAX).min(u64::MAX - 1)
    };
    let qualifier = |value: Option<&Value>| value.and_then(Value::as_str).map(str::to_owned);
    let version = match arguments {
        [Value::Hash(settings)] => Version::from_parts(
            part(settings.get_text("major")),
            part(settings.get_text("minor")),
            part(settings.get_text("patch")),
            qualifier(settings.get_text("prerelease")),
            qualifier(settings.get_text("build")),
        ),
        [Value::String(text)] => {
            Version::parse(text).map_err(|error| ConversionError::impossible(error.to_string()))?
        }
        arguments => Version::from_parts(
            part(arguments.first()),
            part(arguments.get(1)),
            part(arguments.get(2)),
            qualifier(arguments.get(3)),
            qualifier(arguments.get(4)),
        ),
    };
    Ok(Value::SemVer(version.into()))
}

pub(super) fn version_range(arguments: &[Value]) -> Made {
    let limit = |value: Option<&Value>| match value {
        Some(Value::SemVer(version)) => Some((**version).clone()),
        _ => None,
    };
    let excludes = |value: Option<&Value>| matches!(value, Some(Value::Boolean(true)));
    let range = match arguments {
        [Value::Hash(settings)] => VersionRange::from_limits(
            limit(settings.get_text("min")),
            limit(settings.get_text("max")),
            excludes(settings.get_text("exclude_max")),
        ),
        [Value::String(text)] => {
            VersionRange::parse(text).map_err(|error| ConversionError::impossible(error.to_string()))?
        }
        arguments => VersionRange::from_limits(
            limit(arguments.first()),
            limit(arguments.get(1)),
            excludes(arguments.get(2)),
        ),
    };
    Ok(Value::SemVerRange(range.into()))
}

pub(super) fn uri(arguments: &[Value]) -> Made {
    let uri = match first(arguments)? {
        Value::Hash(components) => {
            let text = |key: &str| components.get_text(key).and_then(Value::as_str);
            Uri::build(|component| match component {
                "port" => {
                    components.get_text("port").and_then(Value::as_integer).map(|port| port.to_string())
                }
                component => text(component).map(str::to_owned),
            })
        }
        value => Uri::parse(value.as_str().ok_or_else(ConversionError::no_argument)?),
    };
    uri.map(|uri| Value::Uri(uri.into())).map_err(|error| ConversionError::impossible(error.to_string()))
}
