//! Metaparameters that define the order of resources.

/// Relationship metaparameter.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RelationshipMetaparameter {
    Before,
    Notify,
    Require,
    Subscribe,
}

impl RelationshipMetaparameter {
    pub const ALL: [RelationshipMetaparameter; 4] = [
        RelationshipMetaparameter::Before,
        RelationshipMetaparameter::Notify,
        RelationshipMetaparameter::Require,
        RelationshipMetaparameter::Subscribe,
    ];

    /// Returns the metaparameter `name`.
    pub fn from_name(name: &str) -> Option<RelationshipMetaparameter> {
        RelationshipMetaparameter::ALL.into_iter().find(|it| it.name() == name)
    }

    pub const fn name(self) -> &'static str {
        match self {
            RelationshipMetaparameter::Before => "before",
            RelationshipMetaparameter::Notify => "notify",
            RelationshipMetaparameter::Require => "require",
            RelationshipMetaparameter::Subscribe => "subscribe",
        }
    }

    /// Returns true if the resource with the metaparameter comes before the resources that the value names.
    pub const fn comes_first(self) -> bool {
        matches!(self, RelationshipMetaparameter::Before | RelationshipMetaparameter::Notify)
    }

    /// Returns true if the later resource is notified of changes to the earlier one.
    pub const fn notifies(self) -> bool {
        matches!(self, RelationshipMetaparameter::Notify | RelationshipMetaparameter::Subscribe)
    }
}
