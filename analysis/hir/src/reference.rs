//! What a reference to a resource is of, and the declaration of one.

use crate::{Name, fold_name};

/// What the name in front of a title stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceKind {
    /// `Class['a']`, `class { 'a': }`
    Class,
    /// `Resource['file', '/a']`: the first title is the name of the type.
    Resource,
    /// `File['/a']`, `file { '/a': }`
    OfType,
}

impl ReferenceKind {
    /// The name of the type that classes have where they are resources.
    pub const CLASS: &str = "class";

    /// By the name of the type, in any case.
    pub fn of(type_name: &str) -> ReferenceKind {
        match type_name.len() {
            5 if type_name.eq_ignore_ascii_case(ReferenceKind::CLASS) => ReferenceKind::Class,
            8 if type_name.eq_ignore_ascii_case("resource") => ReferenceKind::Resource,
            _ => ReferenceKind::OfType,
        }
    }

    /// Does a type of this name, in any case, stand for classes?
    pub fn is_class(type_name: &str) -> bool {
        ReferenceKind::of(type_name) == ReferenceKind::Class
    }

    /// A title as titles are compared: those of classes are names.
    pub fn folded_title(self, title: &str) -> Name {
        match self {
            ReferenceKind::Class => fold_name(title),
            ReferenceKind::Resource | ReferenceKind::OfType => title.into(),
        }
    }
}
