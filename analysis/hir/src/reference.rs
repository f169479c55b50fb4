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
    /// By the name of the type, in lower case.
    pub fn of(type_name: &str) -> ReferenceKind {
        match type_name {
            "class" => ReferenceKind::Class,
            "resource" => ReferenceKind::Resource,
            _ => ReferenceKind::OfType,
        }
    }

    /// A title as titles are compared: those of classes are names.
    pub fn folded_title(self, title: &str) -> Name {
        match self {
            ReferenceKind::Class => fold_name(title),
            ReferenceKind::Resource | ReferenceKind::OfType => title.into(),
        }
    }
}
