//! Values made of other values: what constructors make (`Type.new`), formatted strings, and texts as Ruby writes them. Pure.
//!
//! What a type takes is said in `types`; here is what comes of it.

pub mod flattening;
mod new_instance;
pub mod ruby;
pub mod string_format;

pub use new_instance::new_instance;

use types::Value;

/// A member of a URI: one of its parts. `None` for a name that is none.
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
