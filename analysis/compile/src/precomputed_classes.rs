//! Precomputed classes: those that only set variables, as `params` does, are evaluated once for a platform.
//! Compiles read these variables one by one, so that an edit affects only the compiles that read a changed
//! variable.

use std::sync::Arc;

use hir::{Body, Expr, Name, VariableRef};
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashMap;
use types::{CachedValue, Value};

use crate::checked_facts::FactSetId;

use crate::class_checks::requests::class_request;
use crate::compile_request::variables_of_class;

/// Pure functions: their value depends on their arguments alone, and they declare nothing.
const PURE_FUNCTIONS: &[&str] = &[
    "abs",
    "all",
    "any",
    "any2array",
    "assert_type",
    "bool2str",
    "capitalize",
    "ceiling",
    "compact",
    "concat",
    "count",
    "delete",
    "delete_undef_values",
    "dig",
    "downcase",
    "each",
    "empty",
    "fail",
    "filter",
    "flatten",
    "floor",
    "get",
    "has_key",
    "index",
    "intersection",
    "join",
    "keys",
    "length",
    "lest",
    "lstrip",
    "map",
    "match",
    "max",
    "member",
    "merge",
    "min",
    "new",
    "pick",
    "pick_default",
    "prefix",
    "range",
    "reduce",
    "regsubst",
    "reverse_each",
    "round",
    "rstrip",
    "size",
    "slice",
    "sort",
    "split",
    "sprintf",
    "step",
    "str2bool",
    "strip",
    "suffix",
    "then",
    "unique",
    "upcase",
    "values",
    "versioncmp",
    "with",
];

/// Returns the variables that a class sets with a fact set, wherever it is included; `None` if the class does
/// anything else.
#[salsa::tracked(returns(clone))]
fn variables(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> CachedValue<Option<Arc<FxHashMap<Name, Value>>>> {
    CachedValue(variables_if_precomputed(db, environment, class, facts))
}

/// Returns true if a class may be precomputed, for some facts. For an empty class, evaluation is just as
/// fast.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_be_precomputed(db: &dyn Db, environment: Environment, class: DefinitionId) -> bool {
    let body = project::body(db, class);
    let does_something = body.exprs.iter().any(|(_, expr)| !matches!(expr, Expr::Block(_)));
    (does_something || body.inherits.is_some())
        && parents(db, environment, class).is_some_and(|parents| only_sets_variables(&body, &parents))
}

fn variables_if_precomputed(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<Arc<FxHashMap<Name, Value>>> {
    if !may_be_precomputed(db, environment, class) {
        return None;
    }
    let parents = parents(db, environment, class)?;
    // The parents of that class are then precomputed as well.
    if let Some((_, parent)) = parents.first()
        && !is_precomputed(db, environment, *parent, facts)
    {
        return None;
    }
    let request = class_request(db, environment, &class.key(db).name, facts)?;
    variables_of_class(db, environment, &request, class, facts).map(Arc::new)
}

/// Returns true if compiles may take the variables of a class from [`precomputed_variable`].
#[salsa::tracked]
pub(crate) fn is_precomputed(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> bool {
    variables(db, environment, class, facts).is_some()
}

/// Returns a variable of a class that [`is_precomputed`].
#[salsa::tracked(returns(clone))]
pub(crate) fn precomputed_variable(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
    name: Name,
) -> CachedValue<Option<Value>> {
    CachedValue(variables(db, environment, class, facts).0.and_then(|them| them.get(&name).cloned()))
}

/// Maximum number of ancestors of a precomputed class.
const MAX_PARENTS: usize = 100;

/// Returns the ancestors of a class, the nearest first; `None` if one of them is missing or inherits itself,
/// or if there are too many.
fn parents(db: &dyn Db, environment: Environment, class: DefinitionId) -> Option<Vec<(Name, DefinitionId)>> {
    let mut found: Vec<(Name, DefinitionId)> = Vec::new();
    let mut current = class;
    while let Some(parent) = &project::signature(db, current).as_ref()?.inherits {
        let parent = hir::fold_name(parent);
        current = project::resolve_in_modules(db, environment, project::NameKind::Class, &parent)?;
        if current == class || found.len() >= MAX_PARENTS || found.iter().any(|(name, _)| *name == parent) {
            return None;
        }
        found.push((parent, current));
    }
    Some(found)
}

/// Returns true if a class does nothing but set variables, from facts, constants, and variables of itself and
/// its ancestors.
fn only_sets_variables(body: &Body, parents: &[(Name, DefinitionId)]) -> bool {
    let is_pure = |functor: &Expr| match functor {
        Expr::Name(name) => PURE_FUNCTIONS.contains(&name.as_str()),
        Expr::TypeReference(_) | Expr::Access { .. } => true,
        _ => false,
    };
    body.parameters.iter().all(|parameter| parameter.default.is_some())
        && body.exprs.iter().all(|(_, expr)| match expr {
            Expr::Interpolated(_)
            | Expr::Heredoc { .. }
            | Expr::TypeReference(_)
            | Expr::Array(_)
            | Expr::Hash(_)
            | Expr::Unary { .. }
            | Expr::Binary { .. }
            | Expr::Assignment { .. }
            | Expr::Selector { .. }
            | Expr::Lambda { .. }
            | Expr::Block(_)
            | Expr::If { .. }
            | Expr::Unless { .. }
            | Expr::Case { .. } => true,
            // `File['/x']['mode']` reads the catalog.
            Expr::Access { lhs, .. } => !matches!(&body[*lhs], Expr::Access { lhs, .. }
                if matches!(&body[*lhs], Expr::TypeReference(_))),
            Expr::Variable(variable) => match variable {
                VariableRef::Slot(_) | VariableRef::Match(_) => true,
                VariableRef::Free(name) => name != "caller_module_name",
                VariableRef::Qualified { scope, .. } => {
                    let scope = hir::fold_name(scope);
                    scope.is_empty() || parents.iter().any(|(parent, _)| *parent == scope)
                }
                VariableRef::Missing => false,
            },
            Expr::Call { functor, .. } => is_pure(&body[*functor]),
            Expr::MethodCall { name, .. } => PURE_FUNCTIONS.contains(&name.as_str()),
            other => other.is_constant(),
        })
}
