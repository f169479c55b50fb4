//! Rules on type aliases, type mappings, type definitions and return types.

use codes::{Code, with_help};
use syntax::SyntaxNode;
use syntax::ast::{AccessOrCallArgument, AstNode, Expr, ReturnType, TypeAlias, TypeDefinition, TypeMapping};

use super::context::Walk;
use super::definitions::{check_location, header_range, report_future_word};
use super::names;

pub(super) fn check_definition(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if let Some(alias) = TypeAlias::cast(node.clone()) {
        check_location(walk, node, true);
        check_alias(walk, &alias);
    } else if let Some(mapping) = TypeMapping::cast(node.clone()) {
        check_location(walk, node, false);
        check_mapping(walk, &mapping);
    } else if let Some(definition) = TypeDefinition::cast(node.clone()) {
        check_location(walk, node, true);
        let name = definition.name().map(|it| it.text()).unwrap_or_default();
        let message = with_help("unsupported type definition", format!("write `type {name} = ...`"));
        walk.error(Code::UnsupportedExpression, header_range(node), message);
    }
}

fn check_alias(walk: &mut Walk<'_>, alias: &TypeAlias) {
    if let Some(name) = alias.name() {
        let text = name.text();
        if !names::is_type_name(&text) {
            // The syntax requires uppercase letters already.
            let message = with_help(format!("invalid type name `{text}`"), "remove the leading `::`");
            walk.error(Code::IllegalDefinitionName, name.syntax().text_range(), message);
        }
    }
    match alias.type_expr() {
        // `type A = { }` and `type A = B { }` are short for `Object[{ }]`.
        None | Some(Expr::HashExpr(_)) => {}
        Some(_) if alias.hash().is_some() => {}
        Some(target) => check_type_reference(walk, &target),
    }
}

pub(super) fn check_return_type(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if let Some(reference) = ReturnType::cast(node.clone()).and_then(|it| it.type_expr()) {
        check_type_reference(walk, &reference);
    }
}

fn check_type_reference(walk: &mut Walk<'_>, expr: &Expr) {
    let base = match expr {
        Expr::AccessExpr(access) => access.lhs(),
        other => Some(other.clone()),
    };
    let range = expr.syntax().text_range();
    match base {
        Some(Expr::QualifiedReference(reference)) if reference.text().eq_ignore_ascii_case("plan") => {
            report_future_word(walk, "Plan", range);
        }
        None | Some(Expr::QualifiedReference(_)) => {}
        Some(_) => {
            walk.error(Code::IllegalExpression, range, "expected a type such as `String` or `Array[Integer]`")
        }
    }
}

/// Kind of the left side of a type mapping.
#[derive(PartialEq, Eq)]
enum MappingKind {
    One,
    Pattern,
}

fn check_mapping(walk: &mut Walk<'_>, mapping: &TypeMapping) {
    let Some(mapped) = mapped_side(mapping) else {
        let range =
            mapping.type_expr().map_or_else(|| mapping.syntax().text_range(), |it| it.syntax().text_range());
        let message = with_help(
            "only `Runtime[...]` can be mapped to a type",
            "use a plain name on the left side of an alias",
        );
        walk.error(Code::UnsupportedExpression, range, message);
        return;
    };
    let mut sides = mapping.syntax().children().filter_map(Expr::cast).skip(1);
    let Some(target) = sides.next() else { return };
    let range = target.syntax().text_range();
    let is_shorthand = sides.next().is_some();
    if mapped == MappingKind::One {
        if is_shorthand || !is_type_reference(&target) {
            walk.error(Code::IllegalTypeMapping, range, "expected a type as the target of the mapping");
        }
    } else if is_shorthand || !is_pattern_with_replacement(&target) {
        let message = "expected `[/regular expression/, 'replacement']` as the target of the mapping";
        walk.error(Code::IllegalTypeMapping, range, message);
    }
}

fn mapped_side(mapping: &TypeMapping) -> Option<MappingKind> {
    let Some(Expr::AccessExpr(access)) = mapping.type_expr() else { return None };
    let Some(Expr::QualifiedReference(base)) = access.lhs() else { return None };
    if base.text() != "Runtime" {
        return None;
    }
    let keys = access.keys()?.arguments();
    match &keys[..] {
        [_, AccessOrCallArgument::Expr(pattern)] if is_pattern_with_replacement(pattern) => {
            Some(MappingKind::Pattern)
        }
        _ => Some(MappingKind::One),
    }
}

fn is_pattern_with_replacement(expr: &Expr) -> bool {
    let Expr::ArrayExpr(list) = expr else { return false };
    matches!(
        &list.elements()[..],
        [
            AccessOrCallArgument::Expr(Expr::LiteralRegex(_)),
            AccessOrCallArgument::Expr(Expr::LiteralString(_))
        ]
    )
}

fn is_type_reference(expr: &Expr) -> bool {
    match expr {
        Expr::AccessExpr(access) => matches!(access.lhs(), Some(Expr::QualifiedReference(_))),
        other => matches!(other, Expr::QualifiedReference(_)),
    }
}
