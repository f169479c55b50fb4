//! Walk over the tree that applies the rules to each node and finds statements without effect.

use std::collections::VecDeque;

use codes::{Code, with_help};
use syntax::ast::{ApplyExpr, AssignmentExpr, CollectExpr, NodeDefinition, ResourceForm};
use syntax::ast::{AstNode, Expr, Heredoc, HeredocBody, resource_form};
use syntax::{Language, Parse, SyntaxElement, SyntaxKind::*, SyntaxNode, TextFinding, TextRange};

use super::ValidationSettings;
use super::context::{PendingHeredoc, Walk, resource_without_title};
use super::findings::{ScopedFindings, StatementScopeId};
use super::{assignments, catalog, definitions, heredocs, literals, names, parameters, types};

/// Returns the findings of a text inside `nesting` heredocs.
pub(super) fn validate_nested(
    parse: &Parse,
    settings: &ValidationSettings,
    nesting: u32,
) -> Vec<TextFinding> {
    let root = parse.syntax();
    let mut walk = Walk {
        findings: ScopedFindings::new(parse),
        settings,
        language: parse.language(),
        nesting,
        in_parameter_default: false,
        in_apply: false,
        pending_heredocs: VecDeque::new(),
    };
    if parse.language() == Language::Epp {
        parameters::check_template(&mut walk, &root);
    }
    visit_statements(&mut walk, &root);
    walk.findings.into_findings(parse)
}

/// Summary of a list of statements.
#[derive(Default)]
pub(super) struct Statements {
    /// True if no statement can have an effect.
    pub(super) without_effect: bool,
    pub(super) last: Option<LastStatement>,
}

pub(super) struct LastStatement {
    pub(super) range: TextRange,
    pub(super) without_effect: bool,
    pub(super) id: StatementScopeId,
    pub(super) previous: StatementScopeId,
}

/// Visits the statements of a block or file, and reports those without effect.
pub(super) fn visit_statements(walk: &mut Walk<'_>, list: &SyntaxNode) -> Statements {
    let around = walk.findings.current_scope();
    walk.findings.enter_list(list.text_range());
    let mut result = Statements { without_effect: true, last: None };
    let mut count = 0;
    // Range of the name in `name; { }`, which is treated as a resource without a title if nothing else
    // follows.
    let mut maybe_resource: Option<TextRange> = None;
    let mut first_kind = EOF;
    let mut previous_kind = EOF;
    let mut run_reported = false;
    for child in list.children() {
        let kind = child.kind();
        let is_statement = Expr::can_cast(kind);
        if !is_statement && kind != ERROR {
            visit(walk, &child);
            continue;
        }
        let range = child.text_range();
        let outer = walk.findings.current_scope();
        let id = walk.findings.enter_statement(range);
        if is_statement && list.kind() == SOURCE_FILE {
            definitions::check_top_construct(walk, &child);
        }
        let without_effect = visit(walk, &child);
        walk.findings.leave(outer);

        let previous = result.last.as_ref().map_or(outer, |it| it.id);
        if kind == ERROR {
            walk.findings.mark_doubtful(previous);
        }
        if previous_kind == ERROR {
            walk.findings.mark_doubtful(id);
        }
        previous_kind = kind;
        if let Some(last) = &result.last {
            if !last.without_effect {
                run_reported = false;
            } else if count == 1
                && first_kind == QUALIFIED_NAME
                && kind == HASH_EXPR
                && walk.language != Language::Plan
            {
                maybe_resource = Some(last.range);
            } else if !run_reported {
                let range = maybe_resource.take().unwrap_or(last.range);
                let message = with_help(
                    "expression has no effect",
                    "assign its value, use it, or remove the expression",
                );
                let finding = TextFinding::new(Code::IdemExpressionNotLast, range, message);
                walk.findings.report_whole(finding, last.id, [last.previous, id]);
                run_reported = true;
            }
        }
        if count == 0 {
            first_kind = kind;
        }
        count += 1;
        result.without_effect &= without_effect;
        result.last = Some(LastStatement { range, without_effect, id, previous });
    }
    if let (Some(range), Some(last)) = (maybe_resource, &result.last) {
        let finding = resource_without_title(range);
        walk.findings.report_whole(finding, last.id, [last.previous, last.id]);
    }
    if walk.findings.has_errors() && list.kind() == BLOCK && list.token(R_BRACE).is_none() {
        walk.findings.mark_broken();
    }
    walk.findings.leave(around);
    result
}

/// Visits a node and its descendants. Returns true if its evaluation cannot have an effect (an "idem"
/// expression in Puppet's terms).
pub(super) fn visit(walk: &mut Walk<'_>, node: &SyntaxNode) -> bool {
    match node.kind() {
        VARIABLE_EXPR | QUALIFIED_NAME | QUALIFIED_REFERENCE | LITERAL_STRING | LITERAL_BOOLEAN
        | LITERAL_UNDEF | LITERAL_DEFAULT | LITERAL_NUMBER | LITERAL_REGEX | RESERVED_WORD | HEREDOC
        | HEREDOC_BODY => {
            visit_value(walk, node);
            true
        }
        HASH_EXPR | ARRAY_EXPR => {
            literals::check_keys(walk, node);
            visit_children(walk, node);
            true
        }
        INTERPOLATED_STRING | INTERPOLATION | UNARY_EXPR | KEYED_ENTRY | ACCESS_EXPR => {
            visit_children(walk, node);
            true
        }
        BINARY_EXPR => {
            visit_children(walk, node);
            // A match sets `$0`, `$1` and so on.
            !node.tokens().any(|it| matches!(it.kind(), MATCH | NO_MATCH))
        }
        SELECTOR_EXPR => {
            catalog::check_selector_defaults(walk, node);
            visit_children(walk, node);
            true
        }
        PAREN_EXPR | IF_EXPR | UNLESS_EXPR | ELSIF_CLAUSE | ELSE_CLAUSE | CASE_OPTION => {
            visit_children(walk, node)
        }
        CASE_EXPR => {
            catalog::check_case_defaults(walk, node);
            visit_children(walk, node)
        }
        BLOCK => visit_statements(walk, node).without_effect,
        _ => {
            visit_with_effect(walk, node);
            false
        }
    }
}

fn visit_value(walk: &mut Walk<'_>, node: &SyntaxNode) {
    match node.kind() {
        VARIABLE_EXPR => names::check_variable(walk, node),
        LITERAL_NUMBER => literals::check_number(walk, node),
        LITERAL_REGEX => literals::check_regex(walk, node),
        RESERVED_WORD => names::check_reserved_word(walk, node),
        HEREDOC => expect_heredoc_body(walk, node),
        HEREDOC_BODY => visit_heredoc_body(walk, node),
        _ => {}
    }
}

/// Visits a node that has an effect, and its descendants: operators, calls, catalog expressions, definitions.
fn visit_with_effect(walk: &mut Walk<'_>, node: &SyntaxNode) {
    match node.kind() {
        // These visit their children themselves.
        ASSIGNMENT_EXPR => return visit_assignment(walk, node),
        LAMBDA => return visit_lambda(walk, node),
        APPLY_EXPR => return visit_apply(walk, node),
        CLASS_DEFINITION | DEFINED_TYPE | NODE_DEFINITION => return visit_definition(walk, node),
        PARAMETER => return visit_parameter(walk, node),

        RELATIONSHIP_EXPR => catalog::check_relationship(walk, node),
        CALL_EXPR => names::check_function_name(walk, node),
        ARGUMENT_LIST => literals::check_keys(walk, node),
        RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE => check_resource_form(walk, node),
        RESOURCE_BODY => catalog::check_splats(walk, node),
        UNTITLED_RESOURCE => catalog::check_untitled(walk, node),
        ATTRIBUTE => catalog::check_append(walk, node),
        COLLECT_EXPR => {
            catalog::check_value(walk, node);
            if let Some(collect) = CollectExpr::cast(node.clone()) {
                catalog::check_collect(walk, &collect);
            }
        }
        FUNCTION_DEFINITION | PLAN_DEFINITION => {
            catalog::check_value(walk, node);
            definitions::check_function(walk, node);
        }
        TYPE_ALIAS | TYPE_MAPPING | TYPE_DEFINITION => {
            catalog::check_value(walk, node);
            types::check_definition(walk, node);
        }
        RETURN_TYPE => types::check_return_type(walk, node),
        ERROR => walk.findings.mark_broken(),
        _ => {}
    }
    visit_children(walk, node);
}

/// Checks that a virtual or exported resource may be one.
fn check_resource_form(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if !catalog::allowed_in_plan(walk, node) || resource_form(node) == ResourceForm::Regular {
        return;
    }
    match node.kind() {
        RESOURCE_EXPR => catalog::check_virtual_class(walk, node),
        _ => catalog::report_not_virtualizable(walk, node),
    }
}

fn visit_lambda(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let in_parameter_default = std::mem::replace(&mut walk.in_parameter_default, false);
    parameters::check_lambda(walk, node);
    visit_children(walk, node);
    walk.in_parameter_default = in_parameter_default;
}

/// Visits the children of a node. Returns true if none of them can have an effect.
fn visit_children(walk: &mut Walk<'_>, node: &SyntaxNode) -> bool {
    let mut without_effect = true;
    for child in node.children() {
        without_effect &= visit(walk, &child);
    }
    without_effect
}

fn visit_assignment(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if let Some(assignment) = AssignmentExpr::cast(node.clone()) {
        assignments::check(walk, &assignment, walk.in_parameter_default);
    }
    let in_parameter_default = std::mem::replace(&mut walk.in_parameter_default, false);
    visit_children(walk, node);
    walk.in_parameter_default = in_parameter_default;
}

fn visit_parameter(walk: &mut Walk<'_>, node: &SyntaxNode) {
    parameters::check(walk, node);
    let outside = walk.in_parameter_default;
    for element in node.children_with_tokens() {
        match element {
            SyntaxElement::Token(token) if token.kind() == EQ => walk.in_parameter_default = true,
            SyntaxElement::Node(child) => {
                visit(walk, &child);
            }
            _ => {}
        }
    }
    walk.in_parameter_default = outside;
}

/// Visits a class, defined type or node, whose body must not end in an expression without effect.
fn visit_definition(walk: &mut Walk<'_>, node: &SyntaxNode) {
    catalog::check_value(walk, node);
    let checked = match NodeDefinition::cast(node.clone()) {
        Some(definition) => definitions::check_node(walk, &definition),
        None => definitions::check_class_or_define(walk, node),
    };
    for child in node.children() {
        if child.kind() != BLOCK {
            visit(walk, &child);
            continue;
        }
        let Some(last) = visit_statements(walk, &child).last else { continue };
        if checked && last.without_effect {
            let message = with_help("last statement of the definition has no effect", "remove it");
            let finding = TextFinding::new(Code::IdemNotAllowedLast, last.range, message);
            walk.findings.report_whole(finding, last.id, [last.previous, last.id]);
        }
    }
}

fn visit_apply(walk: &mut Walk<'_>, node: &SyntaxNode) {
    if walk.in_apply
        && let Some(apply) = ApplyExpr::cast(node.clone())
    {
        catalog::report_nested_apply(walk, &apply);
    }
    for child in node.children() {
        if child.kind() == BLOCK {
            let in_apply = std::mem::replace(&mut walk.in_apply, true);
            visit(walk, &child);
            walk.in_apply = in_apply;
        } else {
            visit(walk, &child);
        }
    }
}

fn expect_heredoc_body(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(header) = Heredoc::cast(node.clone()).and_then(|it| it.header()) else { return };
    walk.pending_heredocs.push_back(PendingHeredoc {
        header,
        in_parameter_default: walk.in_parameter_default,
        in_apply: walk.in_apply,
        statement: walk.findings.current_scope(),
    });
}

/// Visits the text of a heredoc with the state at its use.
fn visit_heredoc_body(walk: &mut Walk<'_>, node: &SyntaxNode) {
    let Some(body) = HeredocBody::cast(node.clone()) else { return };
    let end = body.end_token();
    let ends_with = |tag: &str| end.as_ref().is_some_and(|it| it.text().trim_end().ends_with(tag));
    // In a text with errors, some heredocs have no text.
    let heredoc = loop {
        let Some(heredoc) = walk.pending_heredocs.pop_front() else { return };
        if ends_with(&heredoc.header.tag) {
            break heredoc;
        }
    };
    let outside = (walk.in_parameter_default, walk.in_apply, walk.findings.current_scope());
    (walk.in_parameter_default, walk.in_apply) = (heredoc.in_parameter_default, heredoc.in_apply);
    walk.findings.leave(heredoc.statement);
    // The texts of heredocs in interpolations are inside this one.
    let pending = std::mem::take(&mut walk.pending_heredocs);
    heredocs::check(walk, &heredoc.header, &body);
    visit_children(walk, node);
    walk.pending_heredocs = pending;
    (walk.in_parameter_default, walk.in_apply) = (outside.0, outside.1);
    walk.findings.leave(outside.2);
}
