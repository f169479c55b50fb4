//! Functions that declare or query classes. Specification: the chapter on classes.

use eval::{BuiltInFunction, Call, MissingNameKind, Outcome, ResourceId, VariableState};
use hir::ReferenceKind;
use types::{Origin, Type, Value};

use super::support::{function, open};

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "include",
        "Declares classes, unless they are declared already.",
        &[open("(Any +$names) >> Array[Type[Class]]", include)],
    ),
    function(
        "contain",
        "Declares classes, and makes the enclosing class contain them.",
        &[open("(Any +$names) >> Array[Type[Class]]", contain)],
    ),
    function(
        "require",
        "Declares classes, and makes the enclosing class require them.",
        &[open("(Any +$names) >> Array[Type[Class]]", require)],
    ),
    function(
        "defined",
        "Returns true if something is defined: a class or resource type by its name, a variable by its name with `$`, or a resource in the catalog by a reference.",
        &[open("(Variant[String, Type[CatalogEntry], Type[Type[CatalogEntry]]] +$vals) >> Boolean", defined)],
    ),
];

fn include(call: &mut Call) -> Outcome {
    declare(call, |_, _| {})
}

fn contain(call: &mut Call) -> Outcome {
    declare(call, |call, class| call.evaluator.contain(call.site.frame, class))
}

fn require(call: &mut Call) -> Outcome {
    declare(call, |call, class| call.evaluator.require(call.site, class))
}

/// Declares the classes named by the arguments, and returns references to them.
fn declare(call: &mut Call, mut then: impl FnMut(&mut Call, ResourceId)) -> Outcome {
    let mut names = Vec::new();
    let arguments = call.arguments.clone();
    let mut is_known = true;
    for argument in &arguments {
        is_known &= class_names(call, argument, &mut names)?;
    }
    for class in call.evaluator.include_classes(call.site, &names)? {
        then(call, class);
    }
    if !is_known {
        call.evaluator.note_unknown_resources(call.site);
        call.evaluator.world().program.note_unknown_class();
    }
    if is_known {
        Ok(Value::array(names.into_iter().map(|name| Value::ty(Type::Class(Some(name)))).collect::<Vec<_>>()))
    } else {
        Ok(call.unknown(Type::array_of(Type::type_of(Type::Class(None)))))
    }
}

/// Adds the names of classes. Returns false if some of them are unknown.
fn class_names(call: &mut Call, value: &Value, names: &mut Vec<hir::Name>) -> Outcome<bool> {
    call.step(1)?;
    let name = match value {
        Value::Array(elements) => {
            let mut is_known = true;
            for element in elements.iter() {
                is_known &= class_names(call, element, names)?;
            }
            return Ok(is_known);
        }
        Value::Unknown(_) => return Ok(false),
        Value::Undef => return Err(call.refuse("`undef` is not a class name")),
        Value::String(text) if text.is_empty() => {
            return Err(call.refuse("an empty string is not a class name"));
        }
        Value::String(text) => text.clone(),
        Value::Type(ty) => match &**ty {
            Type::Class(Some(name)) => name.clone(),
            Type::Class(None) => return Err(call.refuse("`Class` without a title does not name a class")),
            Type::Resource(resource)
                if resource.type_name.as_deref().is_some_and(ReferenceKind::is_class) =>
            {
                match &resource.title {
                    Some(title) => title.clone(),
                    None => return Err(call.refuse("`Class` without a title does not name a class")),
                }
            }
            _ => return Err(call.refuse("expected a class name or a class reference")),
        },
        _ => return Err(call.refuse("expected a class name or a class reference")),
    };
    names.push(hir::fold_name(name.strip_prefix("::").unwrap_or(&name)));
    Ok(true)
}

fn defined(call: &mut Call) -> Outcome {
    let mut result = Some(false);
    for value in call.arguments.clone() {
        match is_defined(call, &value)? {
            Some(true) => return Ok(Value::Boolean(true)),
            Some(false) => {}
            None => result = None,
        }
    }
    match result {
        Some(result) => Ok(Value::Boolean(result)),
        None => {
            let origin = call.arguments.iter().filter_map(Value::least_trustworthy).max();
            Ok(Value::unknown(Type::BOOLEAN, origin.unwrap_or(Origin::Join)))
        }
    }
}

/// Returns true if a variable has a value; `None` if that is unknown.
fn is_set(call: &Call, variable: &str) -> Option<bool> {
    // Parameters are variables before they have values.
    if call.evaluator.check_is_evaluated(call.site, variable).is_err() {
        return Some(true);
    }
    match call.evaluator.slot_by_name(call.site.frame, variable) {
        VariableState::Set(_) => Some(true),
        VariableState::Possible(_) => None,
        VariableState::Unset => Some(false),
    }
}

/// Implements `defined()`. `None` means unknown, as for everything that may or may not be in a catalog.
fn is_defined(call: &Call, value: &Value) -> Outcome<Option<bool>> {
    let program = call.evaluator.world.program;
    let exists = |kind: MissingNameKind, exists: bool, name: &str| {
        if exists {
            Some(true)
        } else if program.may_define(kind, name) {
            None
        } else {
            Some(false)
        }
    };
    let class_exists = |name: &str| exists(MissingNameKind::Class, program.class_exists(name), name);
    let type_exists = |name: &str| exists(MissingNameKind::Type, program.resource_type_exists(name), name);
    Ok(match value {
        Value::String(text) if text.starts_with('$') && text.len() > 1 => is_set(call, &text[1..]),
        Value::String(text) => match text.as_str() {
            "" => Some(false),
            "main" => Some(true),
            text => {
                let name = hir::fold_name(text);
                // Names of core resource types have no leading `::`, in contrast to defined types.
                let is_refused = text.starts_with("::") && plugins::built_in::is_core_resource_type(&name);
                let ty = if is_refused { Some(false) } else { type_exists(&name) };
                match (ty, class_exists(&name)) {
                    (Some(true), _) | (_, Some(true)) => Some(true),
                    (Some(false), Some(false)) => Some(false),
                    _ => None,
                }
            }
        },
        Value::Type(ty) => match &**ty {
            Type::Type(Some(inner)) => match &**inner {
                Type::Class(Some(name)) => class_exists(name),
                inner => return is_defined(call, &Value::ty(inner.clone())),
            },
            Type::Alias(name) => {
                let problem = format!("`{name}` is a type alias");
                return Err(call.refuse(codes::with_help(problem, "write the type that it resolves to")));
            }
            Type::Class(None) => return Err(call.refuse("`Class` without a title does not name a class")),
            Type::Class(Some(name)) => match class_exists(name) {
                Some(false) => Some(false),
                _ => call.evaluator.is_class_declared(name),
            },
            Type::Resource(resource) => match (&resource.type_name, &resource.title) {
                (None, _) => {
                    return Err(call.refuse("`Resource` without a type does not name a resource type"));
                }
                (Some(type_name), None) => type_exists(&hir::fold_name(type_name)),
                // The object for a class has no type that could be looked up.
                (Some(type_name), Some(_)) if resource.is_object && ReferenceKind::is_class(type_name) => {
                    Some(false)
                }
                (Some(type_name), Some(title)) => call.evaluator.is_declared(type_name, title),
            },
            _ => None,
        },
        _ => None,
    })
}
