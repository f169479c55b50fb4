//! Definitions that can be evaluated.

use std::sync::Arc;

use hir::{Body, DefinitionKind, ExprId, Name};
use rustc_hash::FxHashSet;

/// Id of a definition that can be evaluated, assigned by the program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct UnitId(pub u32);

/// Definition with its body.
#[derive(Clone, PartialEq, Debug)]
pub struct Unit {
    pub id: UnitId,
    /// Name as written: `apache::params`.
    pub name: Name,
    pub kind: DefinitionKind,
    pub body: Arc<Body>,
    /// True for a class with precomputed variables ([`crate::Precomputed::precomputed_variable`]). Its body is empty.
    pub is_precomputed: bool,
    /// Expressions that the program tracks ([`crate::ReadObserver::begin_platform_expression`]).
    pub platform_expressions: Option<Arc<FxHashSet<ExprId>>>,
}

impl Unit {
    pub fn new(id: UnitId, name: Name, kind: DefinitionKind, body: Arc<Body>) -> Unit {
        Unit { id, name, kind, body, is_precomputed: false, platform_expressions: None }
    }
}
