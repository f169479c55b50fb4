//! Pure conversions between values: constructors (`Type.new`), string formats, and strings as Ruby prints
//! them.
//!
//! The `types` crate decides which arguments a constructor accepts; this crate computes the result.
//!
//! * `new_instance`: constructors of each type, also for unknown arguments (`predicted`).
//! * `string_format`: the formats of `String.new`, for single values and containers.
//! * `ruby`: `to_s` and `inspect` of values, and conversions of strings as Ruby performs them.
//! * `flattening`: arrays of nested collections.
//!
//! Outcomes are recorded from Puppet, and compared for known and unknown arguments: the result for an unknown
//! argument includes that for each known one.

pub mod flattening;
mod new_instance;
pub mod ruby;
pub mod string_format;

pub use new_instance::{may_refuse, new_instance};

use types::Value;

/// Returns a component of a URI, or `None` if there is no component with this name.
pub fn uri_member(uri: &scalars::uri::Uri, name: &str) -> Option<Value> {
    let part = match name {
        "scheme" => uri.scheme(),
        "userinfo" => uri.userinfo(),
        "host" => uri.host(),
        "port" => return Some(uri.port().map_or(Value::Undef, |port| Value::Integer(i64::from(port)))),
        "path" => uri.path(),
        "query" => uri.query(),
        "fragment" => uri.fragment(),
        "opaque" => uri.opaque(),
        _ => return None,
    };
    Some(part.map_or(Value::Undef, Value::string))
}
