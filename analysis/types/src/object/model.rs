//! Data model of object types, objects and type sets.

use std::sync::Arc;

use smol_str::SmolStr;

use crate::ty::Type;
use crate::value::{HashValue, Value};

/// `Object[{...}]`
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectType {
    /// Declared name, or `None` if the type is anonymous.
    pub name: Option<SmolStr>,
    pub parent: Option<Type>,
    pub type_parameters: Box<[(SmolStr, Type)]>,
    /// Attributes of the type itself, constants included, without inherited ones.
    pub attributes: Box<[ObjectAttribute]>,
    pub functions: Box<[ObjectFunction]>,
    /// Names of the attributes that take part in equality, or `None` for all of them.
    pub equality: Option<Box<[SmolStr]>>,
    pub equality_include_type: bool,
    /// Value of `checks`, which has no effect.
    pub checks: Option<Value>,
    pub annotations: Annotations,
}

/// Annotations of a type or member by annotation type. Comparisons ignore them.
#[derive(Clone, Default, Debug)]
pub struct Annotations(pub Option<Arc<HashValue>>);

impl PartialEq for Annotations {
    fn eq(&self, _: &Annotations) -> bool {
        true
    }
}

impl Eq for Annotations {}

impl std::hash::Hash for Annotations {
    fn hash<H: std::hash::Hasher>(&self, _: &mut H) {}
}

impl Annotations {
    /// Returns the annotations in an initialization hash.
    pub(crate) fn of(hash: &HashValue) -> Annotations {
        match hash.get_text("annotations") {
            Some(Value::Hash(entries)) => Annotations(Some(entries.clone())),
            _ => Annotations(None),
        }
    }
}

impl Default for ObjectType {
    /// Returns the anonymous type without any members.
    fn default() -> ObjectType {
        ObjectType {
            name: None,
            parent: None,
            type_parameters: Box::default(),
            attributes: Box::default(),
            functions: Box::default(),
            equality: None,
            equality_include_type: true,
            checks: None,
            annotations: Annotations::default(),
        }
    }
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectAttribute {
    pub name: SmolStr,
    pub ty: Type,
    pub kind: ObjectAttributeKind,
    pub is_final: bool,
    pub overrides: bool,
    /// Default of an optional attribute, or value of a constant.
    pub value: Option<Value>,
    pub annotations: Annotations,
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
    /// Returns the keyword for this kind in a type definition; plain attributes have none.
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
    pub annotations: Annotations,
}

/// Instance of an object type.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct ObjectValue {
    pub ty: Arc<ObjectType>,
    /// Attribute names in declaration order, inherited ones first.
    pub names: Arc<[SmolStr]>,
    pub values: Box<[Value]>,
}

impl ObjectValue {
    /// Returns the value of an attribute.
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
    pub annotations: Annotations,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct TypeSetReference {
    pub name: SmolStr,
    pub version_range: SmolStr,
    pub name_authority: Option<SmolStr>,
}

/// Error of an object type definition or of an object's construction.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ObjectError {
    /// Puppet's issue code, if there is one.
    pub code: codes::Code,
    pub message: String,
}

impl std::fmt::Display for ObjectError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}
