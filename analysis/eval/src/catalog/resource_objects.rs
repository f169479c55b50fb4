//! References in parameter values: distinct objects that print as `File[/x]` and that no reference is equal
//! to.
//!
//! Attribute values and defaults of parameters of classes and defined types are converted, also inside of
//! arrays and hashes; values from Hiera and the content of a `Sensitive` are not. Functions of the 3.x API
//! get such objects, too.

use codes::Code;
use hir::ReferenceKind;
use operators::Failure;
use types::{Type, Value};

use super::store::type_display;

/// Converts a value to the form that a parameter holds.
///
/// # Errors
/// The value contains an iterator, or a reference with neither type nor title.
pub fn parameter_value(value: Value) -> Result<Value, Failure> {
    if !needs_conversion(&value) {
        return Ok(value);
    }
    Ok(match value {
        Value::Type(ty) => match resource_object(&ty)? {
            Some(object) => Value::ty(object),
            None => Value::Type(ty),
        },
        Value::Array(elements) => {
            let elements: Result<Vec<Value>, Failure> =
                elements.iter().map(|element| parameter_value(element.clone())).collect();
            Value::array(elements?)
        }
        Value::Hash(entries) => {
            let entries: Result<Vec<(Value, Value)>, Failure> = entries
                .iter()
                .map(|(key, value)| Ok((parameter_value(key.clone())?, parameter_value(value.clone())?)))
                .collect();
            Value::hash(entries?)
        }
        Value::Iterator(_) => {
            return Err(Failure::new(
                Code::RuntimeError,
                "an `Iterator` cannot be the value of an attribute",
            ));
        }
        // A reference to a class becomes one to a resource.
        Value::Unknown(unknown) => Value::unknown(Type::type_of(Type::CatalogEntry), unknown.origin),
        other => other,
    })
}

fn needs_conversion(value: &Value) -> bool {
    match value {
        Value::Type(ty) => is_reference(ty) && !ty.is_resource_object(),
        Value::Array(elements) => elements.iter().any(needs_conversion),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| needs_conversion(key) || needs_conversion(value))
        }
        // Puppet does not recognize the result of `tree_each` as an Iterator.
        Value::Iterator(_) => !types::iterate::is_tree(value),
        Value::Unknown(unknown) => {
            matches!(&unknown.ty, Type::Type(Some(inner)) if matches!(**inner, Type::Class(_)))
        }
        _ => false,
    }
}

fn is_reference(ty: &Type) -> bool {
    matches!(ty, Type::CatalogEntry | Type::Class(_) | Type::Resource(_))
}

/// Returns the object for a class.
pub(super) fn class_object(name: &str) -> Type {
    Type::resource_object(type_display(ReferenceKind::CLASS), type_display(name))
}

/// Returns the object for a reference; `None` if the type is not a reference.
///
/// # Errors
/// The reference has neither type nor title.
pub fn resource_object(ty: &Type) -> Result<Option<Type>, Failure> {
    let refuse = |what: &str| {
        Err(Failure::new(Code::RuntimeError, format!("`{what}` without a title is not a resource reference")))
    };
    match ty {
        Type::Class(Some(name)) => Ok(Some(class_object(name))),
        Type::Class(None) => refuse("Class"),
        Type::CatalogEntry => refuse("CatalogEntry"),
        Type::Resource(resource) if resource.is_object => Ok(None),
        Type::Resource(resource) => match (&resource.type_name, &resource.title) {
            (None, _) => refuse("Resource"),
            (Some(name), None) if ReferenceKind::is_class(name) => refuse("Class"),
            (Some(name), title) => {
                let title = title.clone().unwrap_or_default();
                Ok(Some(if ReferenceKind::is_class(name) {
                    class_object(&title)
                } else {
                    Type::resource_object(type_display(name), title)
                }))
            }
        },
        _ => Ok(None),
    }
}
