//! Construction of objects, and access to their members.

use codes::Code;
use std::sync::Arc;

use smol_str::SmolStr;

use super::members::{self, ObjectMember};
use super::{ObjectAttribute, ObjectAttributeKind, ObjectError, ObjectType, ObjectValue};
use crate::assign::{Fit, fits, is_assignable};
use crate::environment::TypeEnvironment;
use crate::infer::infer_set;
use crate::mismatch;
use crate::ty::{CallableType, IntegerRange, StructKey, StructMember, TupleType, Type};
use crate::value::{Origin, Value};

/// Returns the type of the hash that the constructor takes: `Struct[{...}]` of all settable attributes.
pub fn initializer_type(object: &ObjectType, env: &dyn TypeEnvironment) -> Type {
    let given = members::attributes(object, env)
        .into_iter()
        .filter(|it| !matches!(it.kind, ObjectAttributeKind::Constant | ObjectAttributeKind::Derived));
    let members = given.map(|attribute| {
        let may_be_missing = attribute.value.is_some() || is_assignable(&attribute.ty, &Type::Undef, env);
        let key = if may_be_missing { StructKey::Optional } else { StructKey::Required };
        StructMember { name: attribute.name, key, value: attribute.ty }
    });
    Type::Struct(members.collect())
}

/// Returns the parameter lists of the constructor: a hash of the attributes, or the attributes by position.
pub fn constructor_parameters(object: &ObjectType, env: &dyn TypeEnvironment) -> Vec<TupleType> {
    let attributes = members::constructor_attributes(object, env);
    let required = attributes.iter().filter(|attribute| attribute.value.is_none()).count();
    let size = IntegerRange::new(required as i64, attributes.len() as i64);
    let one_by_one = TupleType { types: attributes.into_iter().map(|it| it.ty).collect(), size: Some(size) };
    let from_hash = TupleType { types: [initializer_type(object, env)].into(), size: None };
    vec![from_hash, one_by_one]
}

/// Constructs an object, or an unknown instance if too little is known about the arguments.
///
/// # Errors
/// If no signature accepts the arguments.
pub fn new_object(
    object: &Arc<ObjectType>,
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> Result<Value, ObjectError> {
    let attributes = members::constructor_attributes(object, env);
    let signatures = constructor_parameters(object, env);
    let makes_type = is_metatype(object);
    let mut unknown = false;
    for (index, signature) in signatures.iter().enumerate() {
        match takes(signature, arguments, env) {
            Fit::Always if makes_type => return Ok(Value::unknown(Type::Type(None), Origin::Ruby)),
            Fit::Always if !unknown => return Ok(instance(object, &attributes, index == 0, arguments, env)),
            Fit::Never => {}
            _ => unknown = true,
        }
    }
    if unknown {
        let origin =
            arguments.iter().filter_map(Value::least_trustworthy).max().unwrap_or(Origin::MissingDefinition);
        return Ok(Value::unknown(Type::Object(Some(object.clone())), origin));
    }
    let signatures: Vec<CallableType> = signatures
        .into_iter()
        .map(|parameters| CallableType { parameters: Some(parameters), block: None, returns: None })
        .collect();
    let name = object.name.as_deref().unwrap_or("Object");
    let message = mismatch::describe_constructor_mismatch(name, &signatures, arguments, env);
    Err(ObjectError { code: Code::ArgumentMismatch, message })
}

/// Returns true if the instances of the type are types of the language, such as those of
/// `Pcore::IntegerType`.
fn is_metatype(object: &ObjectType) -> bool {
    let name = object.name.as_deref().unwrap_or_default();
    name.strip_prefix("Pcore::").is_some_and(|rest| rest.ends_with("Type"))
        && super::built_in::built_in_named_type(name).is_some()
}

fn takes(signature: &TupleType, arguments: &[Value], env: &dyn TypeEnvironment) -> Fit {
    if !signature.size().contains(arguments.len() as i64) {
        return Fit::Never;
    }
    let mut all = Fit::Always;
    for (index, argument) in arguments.iter().enumerate() {
        match signature.element(index).map_or(Fit::Never, |ty| fits(ty, argument, env)) {
            Fit::Always => {}
            Fit::Maybe => all = Fit::Maybe,
            Fit::Never => return Fit::Never,
        }
    }
    all
}

/// Creates an instance from arguments that were already checked. `taken` lists the attributes in the order of
/// the constructor's parameters.
fn instance(
    object: &Arc<ObjectType>,
    taken: &[ObjectAttribute],
    from_hash: bool,
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> Value {
    let entries = if from_hash { arguments.first() } else { None };
    let value_of = |attribute: &ObjectAttribute| -> Value {
        let given = match entries {
            Some(Value::Hash(entries)) => entries.get_text(&attribute.name).cloned(),
            // An unknown hash that is certain to fit.
            Some(Value::Unknown(unknown)) => Some(Value::unknown(attribute.ty.clone(), unknown.origin)),
            _ => {
                let place = taken.iter().position(|it| it.name == attribute.name);
                place.and_then(|place| arguments.get(place)).cloned()
            }
        };
        given.unwrap_or_else(|| attribute.value.clone().unwrap_or(Value::Undef))
    };
    let declared: Vec<ObjectAttribute> = members::attributes(object, env)
        .into_iter()
        .filter(|attribute| taken.iter().any(|it| it.name == attribute.name))
        .collect();
    let values = declared.iter().map(value_of).collect();
    let names: Vec<SmolStr> = declared.into_iter().map(|attribute| attribute.name).collect();
    Value::Object(Arc::new(ObjectValue { ty: object.clone(), names: names.into(), values }))
}

/// Returns the value of an attribute, constants included, or `None` if there is no such attribute. Attributes
/// derived by Ruby code are unknown.
pub fn attribute_value(object: &ObjectValue, name: &str, env: &dyn TypeEnvironment) -> Option<Value> {
    if let Some(value) = object.get(name) {
        return Some(value.clone());
    }
    match members::member(&object.ty, name, env)? {
        ObjectMember::Attribute(attribute) => match attribute.kind {
            ObjectAttributeKind::Constant => attribute.value,
            _ => Some(Value::unknown(attribute.ty, Origin::Ruby)),
        },
        ObjectMember::Function(_) => None,
    }
}

/// Evaluates `object.name(arguments)` for an attribute or a function of the type. Returns `None` if the type
/// has no such member.
///
/// # Errors
/// If the member does not accept the arguments, or has no implementation: functions and derived attributes of
/// types declared in the Puppet language have none.
pub fn call_member(
    object: &ObjectValue,
    name: &str,
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> Option<Result<Value, ObjectError>> {
    let member = members::member(&object.ty, name, env)?;
    let type_name = object.ty.name.as_deref().unwrap_or("Object");
    let is_built_in = super::built_in::built_in_named_type(type_name).is_some();
    let not_implemented = |what: &str| {
        let message = format!("{what} `{name}` of `{type_name}` has no implementation");
        Some(Err(ObjectError { code: Code::NotImplemented, message }))
    };
    match member {
        ObjectMember::Attribute(_) if !arguments.is_empty() => {
            let message =
                format!("attribute `{name}` of `{type_name}` takes no arguments, got {}", arguments.len());
            Some(Err(ObjectError { code: Code::ArgumentMismatch, message }))
        }
        ObjectMember::Attribute(attribute)
            if attribute.kind == ObjectAttributeKind::Derived && !is_built_in =>
        {
            not_implemented("derived attribute")
        }
        ObjectMember::Attribute(_) => attribute_value(object, name, env).map(Ok),
        ObjectMember::Function(function) => {
            let callables = callables_of(&function.ty);
            let types: Vec<Type> = arguments.iter().map(|argument| infer_set(argument, env)).collect();
            let taken = callables.iter().find(|callable| {
                callable
                    .parameters
                    .as_ref()
                    .is_none_or(|parameters| takes(parameters, arguments, env) != Fit::Never)
            });
            let Some(taken) = taken else {
                let message = mismatch::describe_callable_mismatch(
                    &format!("{type_name}.{name}"),
                    &callables,
                    &types,
                    None,
                    env,
                );
                return Some(Err(ObjectError { code: Code::ArgumentMismatch, message }));
            };
            if type_name == "Error" && name == "message" {
                return attribute_value(object, "msg", env).map(Ok);
            }
            if !is_built_in {
                return not_implemented("function");
            }
            Some(Ok(Value::unknown(taken.returns.clone().unwrap_or(Type::Any), Origin::Ruby)))
        }
    }
}

/// Returns the signatures of a function of an object type.
fn callables_of(ty: &Type) -> Vec<CallableType> {
    let types = match ty {
        Type::Variant(types) => &types[..],
        ty => std::slice::from_ref(ty),
    };
    let callables = types.iter().filter_map(|ty| match ty {
        Type::Callable(callable) => Some((**callable).clone()),
        _ => None,
    });
    callables.collect()
}

/// Compares two instances like the `==` operator of the language: equal types, unless the type excludes
/// itself, and equal values of the attributes that take part in equality.
pub fn equal_objects(a: &ObjectValue, b: &ObjectValue, env: &dyn TypeEnvironment) -> bool {
    let lineage = members::lineage(&a.ty, env);
    // Annotations are compared by identity.
    if lineage.first().is_some_and(|root| root.name.as_deref() == Some("Annotation")) {
        return std::ptr::eq(a, b);
    }
    let type_counts = lineage.iter().any(|generation| generation.equality_include_type);
    if type_counts && !members::is_same_object_type(&a.ty, &b.ty) {
        return false;
    }
    members::equality_attributes(&a.ty, env)
        .iter()
        .all(|name| a.get(name).is_some() && a.get(name) == b.get(name))
}
