//! Properties of types that depend on their notation rather than on their value.

use syntax::ast::UnaryOperator;

use crate::ExprArena;
use crate::body::{Body, Expr, ExprId, StringPart};

/// Returns true if `Array[Any]` occurs within an `Init`. The type equals `Array`, but Puppet does not
/// consider that its simplest form.
pub fn contains_init_of_any_array(exprs: &ExprArena, root: ExprId) -> bool {
    let is_named = |at: ExprId, name: &str| matches!(&exprs[at], Expr::TypeReference(it) if it.eq_ignore_ascii_case(name));
    let mut open = vec![(root, false)];
    while let Some((at, is_inside)) = open.pop() {
        match &exprs[at] {
            Expr::Access { lhs, keys } => {
                let is_any = keys.first().is_some_and(|it| is_named(*it, "any"));
                if is_inside && is_named(*lhs, "array") && is_any {
                    return true;
                }
                let is_inside = is_inside || is_named(*lhs, "init");
                open.extend(keys.iter().map(|it| (*it, is_inside)));
            }
            Expr::Array(elements) => open.extend(elements.iter().map(|it| (*it, is_inside))),
            Expr::Hash(entries) => {
                open.extend(entries.iter().flat_map(|(key, value)| [(*key, is_inside), (*value, is_inside)]));
            }
            _ => {}
        }
    }
    false
}

/// Types that do not accept an array literal as parameter.
const WITHOUT_ARRAYS: [&str; 21] = [
    "array",
    "boolean",
    "class",
    "collection",
    "enum",
    "float",
    "hash",
    "integer",
    "iterable",
    "iterator",
    "notundef",
    "optional",
    "pattern",
    "regexp",
    "semver",
    "sensitive",
    "string",
    "timespan",
    "timestamp",
    "type",
    "variant",
];

/// Returns true if an array literal is a parameter of a type that accepts none.
pub fn has_array_parameter(exprs: &ExprArena, expr: &Expr) -> bool {
    let Expr::Access { lhs, keys } = expr else { return false };
    let Expr::TypeReference(name) = &exprs[*lhs] else { return false };
    keys.iter().any(|it| matches!(exprs[*it], Expr::Array(_)))
        && WITHOUT_ARRAYS.iter().any(|it| name.eq_ignore_ascii_case(it))
}

/// Returns true if the body is an object type and not the name of one.
pub fn is_object_type(body: &Body) -> bool {
    let Expr::Access { lhs, .. } = &body[body.root] else { return false };
    matches!(&body[*lhs], Expr::TypeReference(name) if name.eq_ignore_ascii_case("object"))
}

/// Returns true if the expression is allowed in a type alias, which Puppet interprets without evaluation:
/// only names, types and literals, without parentheses (a block).
pub fn is_allowed_in_alias(body: &Body, expr: &Expr) -> bool {
    match expr {
        Expr::Unary { operator, operand } => {
            *operator == UnaryOperator::Minus
                && matches!(body[*operand], Expr::Integer(_) | Expr::Float(_) | Expr::Missing)
        }
        Expr::Interpolated(parts) => parts.iter().all(|part| matches!(part, StringPart::Text(_))),
        Expr::Missing | Expr::InvalidNumber | Expr::Undef | Expr::Default | Expr::Boolean(_) => true,
        Expr::Integer(_) | Expr::Float(_) | Expr::String(_) | Expr::Name(_) | Expr::ReservedWord(_) => true,
        Expr::Heredoc { .. } | Expr::Regex(_) | Expr::TypeReference(_) | Expr::Array(_) => true,
        Expr::Access { lhs, .. } => matches!(body[*lhs], Expr::TypeReference(_) | Expr::Missing),
        Expr::Hash(_) | Expr::Definition(_) => true,
        _ => false,
    }
}
