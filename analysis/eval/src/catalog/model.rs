//! A catalog as others see it: plain data.

use scalars::tags::Tags;
use smol_str::SmolStr;
use types::Value;

use crate::error::ExprPlace;

/// What a compile gives.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Catalog {
    /// In the order in which they were declared. Virtual ones that nothing realised are not in it.
    pub resources: Vec<CatalogResource>,
    /// Containment: indices of the container and of what it contains.
    pub edges: Vec<(usize, usize)>,
    /// The names of the classes, in the order in which they were evaluated.
    pub classes: Vec<SmolStr>,
}

/// A resource of a catalog.
#[derive(Clone, PartialEq, Debug)]
pub struct CatalogResource {
    /// As references write it: `Apache::Vhost`.
    pub type_name: SmolStr,
    /// As references write it; `None` where it is not known.
    pub title: Option<SmolStr>,
    /// By name, without those that are undef. What was Sensitive is not wrapped any more: see `sensitive`.
    pub parameters: Vec<(SmolStr, Value)>,
    pub is_exported: bool,
    /// Does it depend on something unknown whether it is there?
    pub is_possible: bool,
    pub tags: Tags,
    /// The parameters that must not be shown.
    pub sensitive: Vec<SmolStr>,
    /// Where it was declared; `None` for what Puppet adds itself.
    pub place: Option<ExprPlace>,
}

/// What a resource of a catalog is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum CatalogResourceKind {
    Class,
    Stage,
    Node,
    /// Of a resource type or defined type, as declared.
    OfType,
}

impl CatalogResource {
    pub fn kind(&self) -> CatalogResourceKind {
        match self.type_name.as_str() {
            "Class" => CatalogResourceKind::Class,
            "Stage" => CatalogResourceKind::Stage,
            "Node" => CatalogResourceKind::Node,
            _ => CatalogResourceKind::OfType,
        }
    }

    pub fn is_class(&self) -> bool {
        self.kind() == CatalogResourceKind::Class
    }

    /// The class that holds what stands outside of all classes.
    pub fn is_main_class(&self) -> bool {
        self.is_class() && self.title.as_deref() == Some("main")
    }

    /// The class of Puppet's settings, which every catalog has.
    pub fn is_settings_class(&self) -> bool {
        self.is_class() && self.title.as_deref() == Some("Settings")
    }

    /// The stage that every catalog has.
    pub fn is_main_stage(&self) -> bool {
        self.kind() == CatalogResourceKind::Stage && self.title.as_deref() == Some("main")
    }
}
