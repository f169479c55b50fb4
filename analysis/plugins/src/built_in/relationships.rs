//! The metaparameters that say in which order resources come.

/// One of the metaparameters that name other resources.
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

    /// The one of that name.
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

    /// Does the resource that has it come before those that it names?
    pub const fn comes_first(self) -> bool {
        matches!(self, RelationshipMetaparameter::Before | RelationshipMetaparameter::Notify)
    }

    /// Is the later resource told when the earlier one changes?
    pub const fn notifies(self) -> bool {
        matches!(self, RelationshipMetaparameter::Notify | RelationshipMetaparameter::Subscribe)
    }
}
