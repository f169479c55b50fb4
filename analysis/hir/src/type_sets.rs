//! Type sets: `type A = TypeSet[{ types => { B => Integer } }]` defines the name `A::B`.

use syntax::TextRange;
use syntax::ast::{self, AstNode, Expr as AstExpr};

use crate::body::{Expr, ExprId};
use crate::{ExprArena, Name};

/// Returns the types of a set with their names as written, in source order; empty for any other type.
/// `aliased` is the target of the alias.
pub fn type_set_members(exprs: &ExprArena, aliased: ExprId) -> Vec<(Name, ExprId)> {
    let Expr::Access { lhs, keys } = &exprs[aliased] else { return Vec::new() };
    let (Expr::TypeReference(name), [hash]) = (&exprs[*lhs], &keys[..]) else { return Vec::new() };
    if name != TYPE_SET {
        return Vec::new();
    }
    let entries = |hash: ExprId| match &exprs[hash] {
        Expr::Hash(entries) => entries.to_vec(),
        _ => Vec::new(),
    };
    let text = |key: ExprId| match &exprs[key] {
        Expr::String(text) | Expr::Name(text) => Some(text.clone()),
        _ => None,
    };
    let types = entries(*hash).into_iter().filter(|(key, _)| text(*key).is_some_and(|it| it == TYPES));
    types.flat_map(|(_, types)| entries(types)).filter_map(|(key, ty)| Some((text(key)?, ty))).collect()
}

/// Returns the reference to `TypeSet` and the hash after it, if the alias defines a type set.
pub(crate) fn type_set_of(alias: &ast::TypeAlias) -> Option<(AstExpr, ast::HashExpr)> {
    let is_set = |it: &AstExpr| matches!(it, AstExpr::QualifiedReference(name) if name.text() == TYPE_SET);
    let ty = alias.type_expr()?;
    if let AstExpr::AccessExpr(access) = &ty {
        let set = access.lhs().filter(is_set)?;
        let keys: Vec<_> = access.keys()?.syntax().children().filter_map(AstExpr::cast).collect();
        return match keys.as_slice() {
            [AstExpr::HashExpr(hash)] => Some((set, hash.clone())),
            _ => None,
        };
    }
    let hash = alias.hash()?;
    is_set(&ty).then_some((ty, hash))
}

/// Returns the names of the types of a set, with their ranges.
pub(crate) fn names_of_types(hash: &ast::HashExpr) -> Vec<(String, TextRange)> {
    let is_types = |entry: &ast::KeyedEntry| match entry.key() {
        Some(AstExpr::QualifiedName(name)) => name.text() == TYPES,
        Some(AstExpr::LiteralString(text)) => text.value() == TYPES,
        _ => false,
    };
    let of_entry = |entry: ast::KeyedEntry| match entry.key()? {
        AstExpr::QualifiedReference(name) => Some((name.text(), name.syntax().text_range())),
        _ => None,
    };
    let types = hash.entries().filter(is_types).filter_map(|entry| entry.value());
    types
        .filter_map(|types| match types {
            AstExpr::HashExpr(types) => Some(types.entries().filter_map(of_entry).collect::<Vec<_>>()),
            _ => None,
        })
        .flatten()
        .collect()
}

const TYPE_SET: &str = "TypeSet";
const TYPES: &str = "types";
