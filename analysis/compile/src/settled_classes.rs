//! Classes that only set variables, as `params` does: they are evaluated once for a platform. Compiles take their variables
//! from there one by one, so that an edit concerns only those that read what it changed.

use std::sync::Arc;

use hir::{Body, Expr, Name, VariableRef};
use project::{Db, DefinitionId, Environment};
use rustc_hash::FxHashMap;
use types::{Remembered, Value};

use crate::checked_facts::FactSetId;
use crate::class_checks::class_request;
use crate::compile_request::variables_of_class;

/// Functions whose value follows from their arguments alone, and that declare nothing.
const CALLABLE: &[&str] = &[
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

/// The variables that a class sets with some facts, wherever it is included; `None` unless that is all that
/// it does.
#[salsa::tracked(returns(clone))]
fn variables(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Remembered<Option<Arc<FxHashMap<Name, Value>>>> {
    Remembered(variables_if_settled(db, environment, class, facts))
}

/// May a class be settled, whatever the facts? What does nothing at all is evaluated as fast.
#[salsa::tracked(returns(copy))]
pub(crate) fn may_be_settled(db: &dyn Db, environment: Environment, class: DefinitionId) -> bool {
    let body = project::body(db, class);
    let does_something = body.exprs.iter().any(|(_, expr)| !matches!(expr, Expr::Block(_)));
    (does_something || body.inherits.is_some())
        && parents(db, environment, class).is_some_and(|parents| only_sets_variables(&body, &parents))
}

fn variables_if_settled(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> Option<Arc<FxHashMap<Name, Value>>> {
    if !may_be_settled(db, environment, class) {
        return None;
    }
    let parents = parents(db, environment, class)?;
    // What that inherits is settled as well, then.
    if let Some((_, parent)) = parents.first()
        && !is_settled(db, environment, *parent, facts)
    {
        return None;
    }
    let request = class_request(db, environment, &class.key(db).name, facts)?;
    variables_of_class(db, environment, &request, class, facts).map(Arc::new)
}

/// May compiles take the variables of a class from [`settled_variable`]?
#[salsa::tracked]
pub(crate) fn is_settled(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
) -> bool {
    variables(db, environment, class, facts).is_some()
}

/// A variable of a class that [`is_settled`].
#[salsa::tracked(returns(clone))]
pub(crate) fn settled_variable(
    db: &dyn Db,
    environment: Environment,
    class: DefinitionId,
    facts: FactSetId,
    name: Name,
) -> Remembered<Option<Value>> {
    Remembered(variables(db, environment, class, facts).0.and_then(|them| them.get(&name).cloned()))
}

/// A class with more classes above it is not looked at.
const MAX_PARENTS: usize = 100;

/// What a class inherits, then what that inherits; `None` where a class of these is not there, or inherits itself, or where they are
/// too many.
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

/// Does a class do nothing but set variables, to what follows from facts, constants, and variables of its own and of what it
/// inherits?
fn only_sets_variables(body: &Body, parents: &[(Name, DefinitionId)]) -> bool {
    let is_callable = |functor: &Expr| match functor {
        Expr::Name(name) => CALLABLE.contains(&name.as_str()),
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
            // `File['/x']['mode']` asks the catalog.
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
            Expr::Call { functor, .. } => is_callable(&body[*functor]),
            Expr::MethodCall { name, .. } => CALLABLE.contains(&name.as_str()),
            other => other.is_constant(),
        })
}
