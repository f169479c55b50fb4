//! References to resources as values.

use hir::ReferenceKind;
use smol_str::SmolStr;
use types::display::capitalized_segments;
use types::{Type, Value};

/// Returns a reference to a resource.
pub(super) fn reference(type_name: &str, title: &str) -> Value {
    let title = match ReferenceKind::of(type_name) {
        // Capitalized like a type name, as in Puppet.
        ReferenceKind::Class => capitalized_segments(&hir::fold_name(title)),
        _ => title.into(),
    };
    Value::ty(Type::resource(Some(capitalized_segments(type_name)), Some(title)))
}

/// Returns the type, in lower case, and the title of a reference to a resource or class, given as a type or
/// as a string.
pub(super) fn referenced(value: &Value) -> Option<(SmolStr, SmolStr)> {
    match value {
        Value::Type(ty) => match &**ty {
            Type::Class(Some(name)) => Some((ReferenceKind::CLASS.into(), hir::fold_name(name))),
            Type::Resource(resource) => {
                let (type_name, title) =
                    (hir::fold_name(resource.type_name.as_ref()?), resource.title.as_ref()?);
                let title = ReferenceKind::of(&type_name).folded_title(title);
                Some((type_name, title))
            }
            _ => None,
        },
        Value::String(text) => {
            let (type_name, title) = text.strip_suffix(']')?.split_once('[')?;
            Some((hir::fold_name(type_name), title.into()))
        }
        _ => None,
    }
}
