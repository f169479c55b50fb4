//! `Object` types, their instances, and type sets.

pub mod built_in;
pub mod construct;
pub mod from_hash;
pub mod init;
pub mod members;
mod model;
mod notation;
pub mod type_set;

pub use built_in::{BuiltInTypes, built_in_named_type, built_in_type_names, metatype_of};
pub use construct::{attribute_value, call_member, constructor_parameters, equal_objects, new_object};
pub use from_hash::object_type_from_hash;
pub use model::{
    Annotations, ObjectAttribute, ObjectAttributeKind, ObjectError, ObjectFunction, ObjectType, ObjectValue,
    TypeSet, TypeSetReference,
};
pub use type_set::{named_object, type_set_from_hash, type_set_member};
