//! Indices into the catalog under construction.

/// Index of a resource, in order of declaration.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ResourceId(pub(crate) u32);

/// Scope of an evaluated class, defined type or node. Specification: the section on dynamic scope in the
/// chapter on resources.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct DynamicScopeId(pub(crate) u32);

impl DynamicScopeId {
    pub(crate) const TOP: DynamicScopeId = DynamicScopeId(0);
}

/// Index of a collector.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct CollectorId(pub(crate) usize);
