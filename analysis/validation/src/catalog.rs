//! Resources, collectors, relationships and conditionals: what may stand in them.

use codes::Code;
use syntax::ast::{
    ApplyExpr, AstNode, AttributeOperation, BinaryExpr, BinaryOperator, CaseExpr, CollectExpr, Expr,
};
use syntax::ast::{
    ParenExpr, Query, RelationshipExpr, ResourceBody, ResourceExpr, SelectorExpr, UntitledResource,
};
use syntax::{Language, SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::definitions::header_range;
use super::literals;
use super::walk::{Walk, resource_without_title};

/// In a plan, resources and the like are for `apply` blocks. False (and reported) where `node` is not in one.
pub(super) fn allowed_in_plan(walk: &mut Walk<'_>, node: &SyntaxNode) -> bool {
    if walk.is_script() {
        report_not_in_plan(walk, first_expr_range(node));
        return false;
    }
    true
}

fn report_not_in_plan(walk: &mut Walk<'_>, range: TextRange) {
    let message = "A plan writes to a catalog only in the block of an `apply`. Put this into one.";
    walk.error(Code::NotSupportedInPlan, range, message);
}

pub(super) fn report_nested_apply(walk: &mut Walk<'_>, apply: &ApplyExpr) {
    let range =
        apply.syntax().first_token().map_or_else(|| apply.syntax().text_range(), |it| it.text_range());
    walk.error(
        Code::NotSupportedInApply,
        range,
        "An `apply` cannot stand in the block of another. Move it out.",
    );
}

fn first_expr_range(node: &SyntaxNode) -> TextRange {
    node.children().find(|it| Expr::can_cast(it.kind())).unwrap_or_else(|| node.clone()).text_range()
}

// --- resources ---

pub(super) fn check_virtual_class(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let type_expr = ResourceExpr::cast(node.clone()).and_then(|it| it.type_expr());
    if let Some(Expr::QualifiedName(name)) = type_expr
        && name.text() == "class"
    {
        let range = name.syntax().text_range();
        walk.error(
            Code::ClassNotVirtualizable,
            range,
            "A class cannot be virtual or exported. Remove the `@`.",
        );
    }
}

/// Reports resource defaults or an override behind `@` or `@@`.
pub(super) fn report_not_virtualizable(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let message = "Only resources with a title can be virtual or exported. Remove the `@`.";
    walk.error(Code::NotVirtualizeable, first_expr_range(node), message);
}

/// `* =>` once in a resource.
pub(super) fn check_splats(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(body) = ResourceBody::cast(node.clone()) else { return };
    let splats = body.operations().filter(|it| matches!(it, AttributeOperation::AttributeSplat(_)));
    for splat in splats.skip(1) {
        let message = "A resource can take attributes from one hash only. Merge the hashes with `+`.";
        walk.error(Code::MultipleAttributesUnfold, splat.syntax().text_range(), message);
    }
}

/// `+>` only where a resource is changed.
pub(super) fn check_append(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(arrow) = node.token(PLUS_ARROW) else { return };
    if node.parent().is_some_and(|it| matches!(it.kind(), RESOURCE_BODY | RESOURCE_DEFAULTS)) {
        let message =
            "`+>` adds to an attribute of a resource that is overridden or collected. Write `=>` here.";
        walk.error(Code::IllegalAttributeAppend, arrow.text_range(), message);
    }
}

/// `name { attributes }` is a resource without a title, or a call such as `notice { a => 1 }` with a hash.
pub(super) fn check_untitled(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(resource) = UntitledResource::cast(node.clone()) else { return };
    let Some(name) = resource.name() else { return };
    literals::check_attribute_names(walk, &resource);
    if !resource.is_statement_call() {
        walk.findings.report(resource_without_title(name.syntax().text_range()));
    }
}

// --- relationships ---

pub(super) fn check_relationship(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if walk.is_script() {
        let operator = RelationshipExpr::cast(node.clone()).and_then(|it| it.operator_token());
        report_not_in_plan(walk, operator.map_or_else(|| node.text_range(), |it| it.text_range()));
    }
}

// --- collectors ---

pub(super) fn check_collect(walk: &mut Walk<'_>, collect: &CollectExpr) {
    let query = collect.query();
    if walk.is_script() {
        report_not_in_plan(walk, collect.syntax().text_range());
    } else if walk.language == Language::Plan && matches!(query, Some(Query::ExportedQuery(_))) {
        let message = "An `apply` cannot collect exported resources. Use `<| |>`.";
        walk.error(Code::NotSupportedInApply, collect.syntax().text_range(), message);
    } else if let Some(type_expr) = collect.type_expr()
        && !matches!(type_expr, Expr::QualifiedReference(_))
    {
        let message = "Before a collector stands the type of the resources, with a capital: `File <| |>`.";
        walk.error(Code::IllegalExpression, type_expr.syntax().text_range(), message);
    }
    let condition = match query {
        Some(Query::VirtualQuery(query)) => query.expr(),
        Some(Query::ExportedQuery(query)) => query.expr(),
        None => None,
    };
    if let Some(condition) = condition {
        check_query(walk, &condition);
    }
}

/// A query is made of `==` and `!=`, joined by `and` and `or`.
fn check_query(walk: &mut Walk<'_>, expr: &Expr) {
    let legal = match expr {
        Expr::VariableExpr(_)
        | Expr::QualifiedName(_)
        | Expr::LiteralNumber(_)
        | Expr::LiteralString(_)
        | Expr::LiteralBoolean(_) => true,
        Expr::ParenExpr(inner) => return check_query_in_parentheses(walk, inner),
        Expr::BinaryExpr(binary) => match binary.operator() {
            Some(BinaryOperator::Equal | BinaryOperator::NotEqual) => true,
            Some(BinaryOperator::And | BinaryOperator::Or) => return check_query_sides(walk, binary),
            _ => false,
        },
        _ => false,
    };
    if !legal {
        let message =
            "A collector compares attributes with `==` and `!=`, joined by `and`, `or` and parentheses.";
        walk.error(Code::IllegalQueryExpression, expr.syntax().text_range(), message);
    }
}

fn check_query_in_parentheses(walk: &mut Walk<'_>, inner: &ParenExpr) {
    if let Some(expr) = inner.expr() {
        check_query(walk, &expr);
    }
}

fn check_query_sides(walk: &mut Walk<'_>, binary: &BinaryExpr) {
    for side in [binary.lhs(), binary.rhs()].into_iter().flatten() {
        check_query(walk, &side);
    }
}

// --- values ---

/// Collectors and definitions have no value: reports `node`, which is one, where a value is needed.
pub(super) fn check_value(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if needs_value(walk, node) {
        let (what, range) = match node.kind() {
            COLLECT_EXPR => ("A collector", node.text_range()),
            _ => ("A definition", header_range(node)),
        };
        walk.error(Code::NotRvalue, range, format!("{what} has no value. Make it a statement of its own."));
    }
}

fn needs_value(walk: &Walk<'_>, node: &SyntaxNode) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is_first = || parent.children().find(|it| Expr::can_cast(it.kind())).as_ref() == Some(node);
    match parent.kind() {
        PAREN_EXPR | UNARY_EXPR | BINARY_EXPR | INTERPOLATION | ARRAY_EXPR | KEYED_ENTRY => true,
        ATTRIBUTE | ATTRIBUTE_SPLAT | IF_EXPR | UNLESS_EXPR | ELSIF_CLAUSE | CASE_EXPR | CASE_OPTION => true,
        SELECTOR_EXPR | SELECTOR_ENTRY => is_first(),
        RENDER_EXPR => true,
        BLOCK => {
            let alone = || parent.children().filter(|it| Expr::can_cast(it.kind())).nth(1).is_none();
            parent.parent().is_some_and(|it| it.kind() == RENDER_EXPR) && alone()
        }
        // What stands left of `=` is reported as no variable.
        ASSIGNMENT_EXPR => parent.token(EQ).is_some() && !is_first(),
        RELATIONSHIP_EXPR => node.kind() != COLLECT_EXPR && !walk.is_script(),
        _ => false,
    }
}

// --- conditionals ---

pub(super) fn check_case_defaults(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(case) = CaseExpr::cast(node.clone()) else { return };
    let mut first = None;
    for option in case.options() {
        for value in option.values() {
            if let Expr::LiteralDefault(default) = value {
                check_default(walk, default.syntax().text_range(), &mut first);
            }
        }
    }
}

pub(super) fn check_selector_defaults(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(selector) = SelectorExpr::cast(node.clone()) else { return };
    let mut first = None;
    for entry in selector.entries() {
        if let Some(Expr::LiteralDefault(default)) = entry.matching() {
            check_default(walk, default.syntax().text_range(), &mut first);
        }
    }
}

fn check_default(walk: &mut Walk<'_>, range: TextRange, first: &mut Option<TextRange>) {
    let Some(first) = *first else {
        *first = Some(range);
        return;
    };
    let message = "There is a `default` already, so this is never reached. Remove one of them.";
    let finding = TextFinding::new(Code::DuplicateDefault, range, message);
    walk.findings.report(finding.with_related(first, "the first one"));
}
