//! Types built only from Puppet's own types, and metadata of modules. Both are the same in every compile, so
//! they are evaluated only once.

use std::sync::Arc;

use eval::{EvaluationSettings, Evaluator, Exit, Frame, FrameId, Unit, UnitId, World};
use hir::{Body, Expr, ExprId, ScopeId};
use project::{Db, DefinitionId, File};
use syntax::TextRange;
use types::{CachedValue, Type, Value};

/// Returns the declared types of a definition's parameters, in order; `None` for those that are not closed.
#[salsa::tracked(returns(clone))]
pub(crate) fn closed_parameter_types(
    db: &dyn Db,
    definition: DefinitionId,
) -> CachedValue<Arc<[Option<Type>]>> {
    let body = project::body(db, definition);
    let declared: Vec<Option<ExprId>> = body.parameters.iter().map(|parameter| parameter.type_expr).collect();
    let types = evaluate(db, definition, body, &declared);
    CachedValue(types.into_iter().map(|ty| Some((*ty?).clone())).collect())
}

/// Returns the code, message, and range of the first error in the parameter types of a definition. Only closed
/// types and closed parts of types are evaluated.
#[salsa::tracked(returns(clone))]
pub(crate) fn closed_type_error(
    db: &dyn Db,
    definition: DefinitionId,
) -> Option<(codes::Code, String, TextRange)> {
    let body = project::body(db, definition);
    let mut closed = Vec::new();
    for expr in body.parameters.iter().filter_map(|it| it.type_expr) {
        add_closed(&body, expr, &mut closed);
    }
    let error = with_evaluator(db, definition, &body, |evaluator, frame| {
        closed.into_iter().find_map(|expr| match evaluator.evaluate(frame.at(expr)) {
            Err(Exit::Error(error)) if !error.is_silent => Some(error),
            _ => None,
        })
    })?;
    let range = project::body_source_map(db, definition).node(error.place.expr)?.range;
    Some((error.code, error.message, range))
}

/// Adds the largest closed parts of a type.
fn add_closed(body: &Body, expr: ExprId, closed: &mut Vec<ExprId>) {
    if is_closed(body, expr) {
        closed.push(expr);
        return;
    }
    match &body[expr] {
        Expr::Access { keys: parts, .. } | Expr::Array(parts) => {
            parts.iter().for_each(|part| add_closed(body, *part, closed));
        }
        Expr::Hash(entries) => entries.iter().for_each(|(_, value)| add_closed(body, *value, closed)),
        _ => {}
    }
}

/// Returns the aliased type of a type alias, if it is closed.
#[salsa::tracked(returns(clone))]
pub(crate) fn precomputed_alias(db: &dyn Db, definition: DefinitionId) -> CachedValue<Option<Arc<Type>>> {
    let body = project::body(db, definition);
    let root = body.root;
    let ty = evaluate(db, definition, body, &[Some(root)]).pop().flatten();
    CachedValue(ty.and_then(|ty| types::common::alias_type(&ty, &types::NoTypes).ok()).map(Arc::new))
}

/// Returns the contents of a module's `metadata.json` as a value.
#[salsa::tracked(returns(clone))]
pub(crate) fn metadata_value(db: &dyn Db, file: File) -> CachedValue<Option<Arc<Value>>> {
    let text = file.contents(db).text();
    CachedValue(text.and_then(|text| hiera::json::parse(&text).ok()).map(Arc::new))
}

fn evaluate(
    db: &dyn Db,
    definition: DefinitionId,
    body: Arc<Body>,
    expressions: &[Option<ExprId>],
) -> Vec<Option<Arc<Type>>> {
    with_evaluator(db, definition, &body, |evaluator, frame| {
        let mut value_of = |expr: ExprId| match evaluator.evaluate(frame.at(expr)) {
            Ok(Value::Type(ty)) => Some(ty),
            _ => None,
        };
        expressions.iter().map(|expr| value_of(expr.filter(|expr| is_closed(&body, *expr))?)).collect()
    })
}

/// Calls `work` with an evaluator that knows no definitions, and a frame of `definition`.
fn with_evaluator<R>(
    db: &dyn Db,
    definition: DefinitionId,
    body: &Arc<Body>,
    work: impl FnOnce(&mut Evaluator<'_>, FrameId) -> R,
) -> R {
    let program = functions::source_program();
    let world = World::new(&program, EvaluationSettings::version_7());
    let mut evaluator = Evaluator::new(&world);
    let key = definition.key(db);
    let unit = Unit::new(UnitId(0), key.name.clone(), key.kind, body.clone());
    let frame = evaluator.open_frame(Frame::new(unit.into(), ScopeId::ROOT));
    work(&mut evaluator, frame)
}

/// Returns true if a type does not depend on definitions or variables.
fn is_closed(body: &Body, expr: ExprId) -> bool {
    match &body[expr] {
        // Puppet's errors about an `Init` type are reported where the type is used.
        Expr::TypeReference(name) => {
            types::access::built_in_type(name).is_some_and(|ty| !matches!(ty, Type::Init(_)))
        }
        Expr::Access { lhs, keys } => is_closed(body, *lhs) && keys.iter().all(|key| is_closed(body, *key)),
        Expr::Hash(entries) => {
            entries.iter().all(|(key, value)| is_closed(body, *key) && is_closed(body, *value))
        }
        Expr::Array(elements) => elements.iter().all(|element| is_closed(body, *element)),
        other => other.is_constant(),
    }
}
