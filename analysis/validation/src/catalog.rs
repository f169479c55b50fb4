//! Rules on resources, collectors, relationships and conditionals.

use codes::{Code, with_help};
use syntax::ast::{
    ApplyExpr, AstNode, AttributeOperation, BinaryExpr, BinaryOperator, CaseExpr, CollectExpr, Expr,
};
use syntax::ast::{
    ParenExpr, Query, RelationshipExpr, ResourceBody, ResourceExpr, SelectorExpr, UntitledResource,
};
use syntax::{Language, SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::context::{Walk, resource_without_title};
use super::definitions::header_range;
use super::literals;

/// Returns true if catalog expressions are allowed at `node`. Otherwise reports it: in a plan, they are
/// allowed only in `apply` blocks.
pub(super) fn allowed_in_plan(walk: &mut Walk<'_>, node: &SyntaxNode) -> bool {
    if walk.is_script() {
        report_not_in_plan(walk, first_expr_range(node));
        return false;
    }
    true
}

fn report_not_in_plan(walk: &mut Walk<'_>, range: TextRange) {
    let message = with_help(
        "catalog expressions in a plan are only allowed in an `apply` block",
        "move this into an `apply` block",
    );
    walk.error(Code::NotSupportedInPlan, range, message);
}

pub(super) fn report_nested_apply(walk: &mut Walk<'_>, apply: &ApplyExpr) {
    let range =
        apply.syntax().first_token().map_or_else(|| apply.syntax().text_range(), |it| it.text_range());
    walk.error(
        Code::NotSupportedInApply,
        range,
        with_help("nested `apply`", "move it out of the enclosing `apply` block"),
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
            with_help("classes cannot be virtual or exported", "remove the `@`"),
        );
    }
}

/// Reports resource defaults or an override after `@` or `@@`.
pub(super) fn report_not_virtualizable(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let message =
        with_help("resource defaults and overrides cannot be virtual or exported", "remove the `@`");
    walk.error(Code::NotVirtualizeable, first_expr_range(node), message);
}

/// Reports all but the first `* =>` in a resource.
pub(super) fn check_splats(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(body) = ResourceBody::cast(node.clone()) else { return };
    let splats = body.operations().filter(|it| matches!(it, AttributeOperation::AttributeSplat(_)));
    for splat in splats.skip(1) {
        let message = with_help("duplicate `* =>` in a resource body", "merge the hashes with `+`");
        walk.error(Code::MultipleAttributesUnfold, splat.syntax().text_range(), message);
    }
}

/// Reports `+>` outside of overrides and collectors.
pub(super) fn check_append(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(arrow) = node.token(PLUS_ARROW) else { return };
    if node.parent().is_some_and(|it| matches!(it.kind(), RESOURCE_BODY | RESOURCE_DEFAULTS)) {
        let message = with_help("`+>` is only allowed in overrides and collectors", "use `=>`");
        walk.error(Code::IllegalAttributeAppend, arrow.text_range(), message);
    }
}

/// Checks `name { attributes }`, which is a resource without a title or a call with a hash such as `notice {
/// a => 1 }`.
pub(super) fn check_untitled(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(resource) = UntitledResource::cast(node.clone()) else { return };
    let Some(name) = resource.name() else { return };
    literals::check_attribute_names(walk, &resource);
    // Without its closing brace, the resource has a syntax error, which is about what is missing.
    if !resource.is_statement_call() && node.token(R_BRACE).is_some() {
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
        let message = with_help("exported resources cannot be collected in an `apply` block", "use `<| |>`");
        walk.error(Code::NotSupportedInApply, collect.syntax().text_range(), message);
    } else if let Some(type_expr) = collect.type_expr()
        && !matches!(type_expr, Expr::QualifiedReference(_))
    {
        let message = "expected a resource type reference such as `File` before the collector";
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

/// Checks a query, which consists of `==` and `!=`, joined by `and` and `or`.
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
            with_help("invalid collector query", "use `==` and `!=`, joined by `and`, `or` and parentheses");
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

/// Reports a collector or definition where a value is needed.
pub(super) fn check_value(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if needs_value(walk, node) {
        let (what, range) = match node.kind() {
            COLLECT_EXPR => ("collector", node.text_range()),
            _ => ("definition", header_range(node)),
        };
        walk.error(
            Code::NotRvalue,
            range,
            with_help(format!("{what} has no value"), "make it a separate statement"),
        );
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
        // The left side of `=` is reported as not assignable.
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
    let message = with_help("duplicate `default` is never reached", "remove one of them");
    let finding = TextFinding::new(Code::DuplicateDefault, range, message);
    walk.findings.report(finding.with_related(first, "first `default` here"));
}
