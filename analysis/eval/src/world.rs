//! A program with its type aliases resolved.

use std::cell::RefCell;
use std::sync::Arc;

use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use types::object::{ObjectType, TypeSet};
use types::{NamedType, Type, TypeEnvironment, Value};

use crate::Evaluator;
use crate::program::Program;
use crate::settings::Settings;

/// What stays the same during a run. Answers what the type system asks about names.
pub struct World<'p> {
    pub program: &'p dyn Program,
    pub settings: Settings,
    named_types: RefCell<FxHashMap<SmolStr, Option<NamedType>>>,
}

impl<'p> World<'p> {
    pub fn new(program: &'p dyn Program, settings: Settings) -> World<'p> {
        World { program, settings, named_types: RefCell::default() }
    }

    /// What evaluating `Foo::Bar` in source gives: a type, or `None` where nothing has that name.
    pub fn type_by_name(&self, name: &str) -> Option<Type> {
        if let Some(ty) = types::access::built_in_type(name) {
            // Alone, `TypeReference` stands for a type that is not there.
            return (!matches!(ty, Type::Reference(_))).then_some(ty);
        }
        if let Some(named) = self.named_type(name) {
            return Some(match named.ty {
                Type::Object(_) | Type::TypeSet(_) => named.ty,
                _ => Type::Alias(named.name),
            });
        }
        None
    }
}

impl TypeEnvironment for World<'_> {
    fn named_type(&self, name: &str) -> Option<NamedType> {
        let key: SmolStr = hir::fold_name(name);
        if let Some(known) = self.named_types.borrow().get(&key) {
            return known.clone();
        }
        if let Some(built_in) = types::object::built_in_named_type(&key) {
            self.named_types.borrow_mut().insert(key, Some(built_in.clone()));
            return Some(built_in);
        }
        let Some(unit) = self.program.type_alias(&key) else {
            self.named_types.borrow_mut().insert(key, None);
            return None;
        };
        // While it is being resolved its name stands for itself.
        let declared = unit.name.clone();
        let unresolved = NamedType { name: declared.clone(), ty: Type::Reference(declared.clone()) };
        self.named_types.borrow_mut().insert(key.clone(), Some(unresolved));
        let mut evaluator = Evaluator::new(self);
        let ty = match evaluator.evaluate_alias(&unit) {
            Ok(Value::Type(ty)) => named_object((*ty).clone(), &declared),
            _ => Type::Reference(declared.clone()),
        };
        let named = NamedType { name: declared, ty };
        self.named_types.borrow_mut().insert(key, Some(named.clone()));
        Some(named)
    }

    fn resource_type_exists(&self, name: &str) -> bool {
        self.program.resource_type_exists(&hir::fold_name(name))
    }
}

/// An object type without a name takes the name that it is declared by.
fn named_object(ty: Type, name: &SmolStr) -> Type {
    match ty {
        Type::Object(Some(object)) if object.name.is_none() => {
            Type::Object(Some(Arc::new(ObjectType { name: Some(name.clone()), ..(*object).clone() })))
        }
        Type::TypeSet(Some(set)) if set.name.is_none() => {
            Type::TypeSet(Some(Arc::new(TypeSet { name: Some(name.clone()), ..(*set).clone() })))
        }
        ty => ty,
    }
}
