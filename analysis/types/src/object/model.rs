//! What an object type, an object and a type set are made of.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::ty::Type;
use crate::value::Value;

/// `Object[{...}]`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectType {
    /// As it is declared; `None` for an anonymous one.
    pub name: Option<SmolStr>,
    pub parent: Option<Type>,
    pub type_parameters: Box<[(SmolStr, Type)]>,
    /// Its own, without those of its parent; constants included.
    pub attributes: Box<[ObjectAttribute]>,
    pub functions: Box<[ObjectFunction]>,
    /// Names of the attributes that decide equality; `None`: all.
    pub equality: Option<Box<[SmolStr]>>,
    pub equality_include_type: bool,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectAttribute {
    pub name: SmolStr,
    pub ty: Type,
    pub kind: ObjectAttributeKind,
    pub is_final: bool,
    pub overrides: bool,
    /// The default of an optional attribute, or the value of a constant.
    pub value: Option<Value>,
}

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum ObjectAttributeKind {
    Plain,
    Constant,
    Derived,
    GivenOrDerived,
    Reference,
}

impl ObjectAttributeKind {
    /// Its name in the definition of a type; plain attributes have none.
    pub(crate) fn word(self) -> Option<&'static str> {
        match self {
            ObjectAttributeKind::Plain => None,
            ObjectAttributeKind::Constant => Some("constant"),
            ObjectAttributeKind::Derived => Some("derived"),
            ObjectAttributeKind::GivenOrDerived => Some("given_or_derived"),
            ObjectAttributeKind::Reference => Some("reference"),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectFunction {
    pub name: SmolStr,
    pub ty: Type,
    pub is_final: bool,
    pub overrides: bool,
}

/// An instance.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectValue {
    pub ty: Arc<ObjectType>,
    /// The values of its attributes, by name, in the order of their declaration, the parents' first.
    pub names: Arc<[SmolStr]>,
    pub values: Box<[Value]>,
}

impl ObjectValue {
    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&Value> {
        let at = self.names.iter().position(|it| it == name)?;
        self.values.get(at)
    }
}

/// `TypeSet[{...}]`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeSet {
    pub name: Option<SmolStr>,
    pub name_authority: Option<SmolStr>,
    pub version: Option<SmolStr>,
    pub pcore_uri: Option<SmolStr>,
    pub pcore_version: Option<SmolStr>,
    pub types: Box<[(SmolStr, Type)]>,
    pub references: Box<[(SmolStr, TypeSetReference)]>,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeSetReference {
    pub name: SmolStr,
    pub version_range: SmolStr,
    pub name_authority: Option<SmolStr>,
}

/// Why something is no object type, or makes no object.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectError {
    /// As Puppet's issue codes, where it has one.
    pub code: codes::Code,
    pub message: String,
}

impl std::fmt::Display for ObjectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
