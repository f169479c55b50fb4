//! Kinds of resource references and declarations.

use crate::{Name, fold_name};

/// Kind of the name before a title.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReferenceKind {
    /// `Class['a']`, `class { 'a': }`
    Class,
    /// `Resource['file', '/a']`: the first title is the type name.
    Resource,
    /// `File['/a']`, `file { '/a': }`
    OfType,
}

impl ReferenceKind {
    /// Type name of classes used as resources.
    pub const CLASS: &str = "class";

    /// Returns the kind for a type name in any case.
    pub fn of(type_name: &str) -> ReferenceKind {
        match type_name.len() {
            5 if type_name.eq_ignore_ascii_case(ReferenceKind::CLASS) => ReferenceKind::Class,
            8 if type_name.eq_ignore_ascii_case("resource") => ReferenceKind::Resource,
            _ => ReferenceKind::OfType,
        }
    }

    /// Returns true if a type name, in any case, denotes classes.
    pub fn is_class(type_name: &str) -> bool {
        ReferenceKind::of(type_name) == ReferenceKind::Class
    }

    /// Normalizes a title for comparison: titles of classes are names.
    pub fn folded_title(self, title: &str) -> Name {
        match self {
            ReferenceKind::Class => fold_name(title),
            ReferenceKind::Resource | ReferenceKind::OfType => title.into(),
        }
    }
}
