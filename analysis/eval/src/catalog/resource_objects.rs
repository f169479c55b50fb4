//! What parameters hold for references: objects of their own, that print as `File[/x]` and that no reference is equal to.
//!
//! Every value that an attribute is given, and every default of a parameter of a class or defined type, is converted, inside
//! of arrays and hashes too; what Hiera finds and what a Sensitive holds is not. Functions of the 3.x API get such objects, too.

use codes::Code;
use hir::ReferenceKind;
use operators::Failure;
use types::{Type, Value};

use super::store::type_display;

/// A value as a parameter holds it.
///
/// # Errors
/// For iterators, and for references that name neither a type nor a title.
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
            return Err(Failure::new(Code::RuntimeError, "an Iterator cannot be given to a resource"));
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
        // Puppet does not know what `tree_each` gives for an Iterator.
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

/// The object for a class.
pub(super) fn class_object(name: &str) -> Type {
    Type::resource_object(type_display(ReferenceKind::CLASS), type_display(name))
}

/// The object for a reference; `None` where a type is none.
///
/// # Errors
/// It names neither a type nor a title.
pub fn resource_object(ty: &Type) -> Result<Option<Type>, Failure> {
    let refuse = |what: &str| Err(Failure::new(Code::RuntimeError, format!("{what} alone is no resource")));
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
                Ok(Some(match ReferenceKind::is_class(name) {
                    true => class_object(&title),
                    false => Type::resource_object(type_display(name), title),
                }))
            }
        },
        _ => Ok(None),
    }
}
