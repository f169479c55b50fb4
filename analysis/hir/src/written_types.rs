//! What can be told of types only as they are written.

use crate::ExprArena;
use crate::body::{Expr, ExprId};

/// Is `Array[Any]` written within an `Init`? The type is `Array`, but to Puppet that is not in its simplest form.
pub fn writes_init_of_any_array(exprs: &ExprArena, root: ExprId) -> bool {
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
