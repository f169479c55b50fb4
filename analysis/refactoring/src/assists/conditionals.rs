//! Conversions between selectors, `case` and `if`.

use syntax::SyntaxKind::*;
use syntax::ast::{self, AssignmentOperator, BinaryOperator, Expr};
use syntax::{AstNode, SyntaxNode};

use super::context::AssistContext;
use super::expressions;
use crate::SourceEdit;
use crate::code_action::{CodeAction, CodeActionKind};
use crate::lines::indentation_step;

pub(super) fn rewrites(ctx: &AssistContext<'_>) -> Vec<CodeAction> {
    let mut actions = Vec::new();
    actions.extend(selector_to_case(ctx));
    actions.extend(case_to_selector(ctx));
    actions.extend(case_to_if(ctx));
    actions.extend(if_to_case(ctx));
    actions
}

fn replaced(ctx: &AssistContext<'_>, node: &SyntaxNode, title: &str, text: String) -> Option<CodeAction> {
    let edit = SourceEdit { range: node.text_range(), text };
    ctx.action(CodeActionKind::RefactorRewrite, title, vec![edit])
}

/// Returns the innermost statement of a kind with the cursor in its head, outside of its blocks.
fn statement_at(ctx: &AssistContext<'_>, is_kind: impl Fn(&SyntaxNode) -> bool) -> Option<SyntaxNode> {
    let token = ctx.token()?;
    let node = token.ancestors().find(expressions::is_statement)?;
    is_kind(&node).then_some(node)
}

/// Converts a selector whose value is assigned to a `case` that assigns the variable. Without a default, the
/// selector fails where `case` continues.
fn selector_to_case(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let node = statement_at(ctx, |it| it.kind() == ASSIGNMENT_EXPR)?;
    let assignment = ast::AssignmentExpr::cast(node.clone())?;
    let (Some(Expr::VariableExpr(variable)), Some(Expr::SelectorExpr(selector))) =
        (assignment.lhs(), assignment.rhs())
    else {
        return None;
    };
    let entries: Vec<ast::SelectorEntry> = selector.entries().collect();
    let has_default = entries.iter().any(|it| matches!(it.matching(), Some(Expr::LiteralDefault(_))));
    let is_plain = assignment.operator() == Some(AssignmentOperator::Assign);
    if !is_plain || !has_default || expressions::has_fixed_parts(&node, false) {
        return None;
    }
    let indent = expressions::indentation(ctx.text(), node.text_range().start);
    let step = indentation_step(ctx.text());
    let name = variable.syntax().text();
    let mut text = format!("case {} {{\n", selector.lhs()?.syntax().text());
    for entry in entries {
        let (key, value) = (entry.matching()?, entry.value()?);
        if matches!(key, Expr::UnaryExpr(_)) {
            return None;
        }
        let (key, value) = (key.syntax().text(), value.syntax().text());
        text.push_str(&format!("{indent}{step}{key}: {{ {name} = {value} }}\n"));
    }
    text.push_str(&format!("{indent}}}"));
    replaced(ctx, &node, "Convert selector to `case`", text)
}

/// Converts a `case` all of whose options assign the same variable to a selector.
fn case_to_selector(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let node = statement_at(ctx, |it| it.kind() == CASE_EXPR)?;
    let case = ast::CaseExpr::cast(node.clone())?;
    if expressions::has_fixed_parts(&node, false) {
        return None;
    }
    let mut variable: Option<String> = None;
    let mut entries: Vec<(String, String)> = Vec::new();
    let mut has_default = false;
    for option in case.options() {
        let statements: Vec<Expr> = option.block()?.statements().collect();
        let [Expr::AssignmentExpr(assignment)] = &statements[..] else { return None };
        let Expr::VariableExpr(name) = assignment.lhs()? else { return None };
        let name = name.syntax().text().to_owned();
        let is_other = variable.as_ref().is_some_and(|it| *it != name);
        if is_other || assignment.operator() != Some(AssignmentOperator::Assign) {
            return None;
        }
        variable = Some(name);
        let value = assignment.rhs()?;
        let needs_parens = matches!(value, Expr::AssignmentExpr(_) | Expr::RelationshipExpr(_));
        let value = value.syntax().text();
        let value = if needs_parens { format!("({value})") } else { value.to_owned() };
        for key in option.values() {
            has_default |= matches!(key, Expr::LiteralDefault(_));
            if matches!(key, Expr::UnaryExpr(_)) {
                return None;
            }
            let is_simple = expressions::is_atomic(key.syntax())
                || matches!(
                    key,
                    Expr::LiteralDefault(_) | Expr::LiteralRegex(_) | Expr::QualifiedReference(_)
                );
            let key = key.syntax().text();
            let key = if is_simple { key.to_owned() } else { format!("({key})") };
            entries.push((key, value.clone()));
        }
    }
    if !has_default {
        return None;
    }
    let test = case.test()?;
    let is_atomic = expressions::is_atomic(test.syntax());
    let test = test.syntax().text();
    let test = if is_atomic { test.to_owned() } else { format!("({test})") };
    let indent = expressions::indentation(ctx.text(), node.text_range().start);
    let step = indentation_step(ctx.text());
    let width = entries.iter().map(|(key, _)| key.chars().count()).max()?;
    let mut text = format!("{} = {test} ? {{\n", variable?);
    for (key, value) in entries {
        text.push_str(&format!("{indent}{step}{key:width$} => {value},\n"));
    }
    text.push_str(&format!("{indent}}}"));
    replaced(ctx, &node, "Convert `case` to selector", text)
}

/// Converts a `case` over constants to `if`. Matching a constant is the same as `==`.
fn case_to_if(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let node = statement_at(ctx, |it| it.kind() == CASE_EXPR)?;
    let case = ast::CaseExpr::cast(node.clone())?;
    let test = case.test()?;
    if !is_repeatable(test.syntax()) || expressions::has_fixed_parts(&node, true) {
        return None;
    }
    let indent = expressions::indentation(ctx.text(), node.text_range().start).to_owned();
    let options: Vec<ast::CaseOption> = case.options().collect();
    let mut text = String::new();
    for (index, option) in options.iter().enumerate() {
        let keys: Vec<Expr> = option.values().collect();
        let block = moved_block(ctx, option.syntax(), option.block()?.syntax(), &indent);
        if let [Expr::LiteralDefault(_)] = &keys[..] {
            if index == 0 || index + 1 < options.len() {
                return None;
            }
            text.push_str(&format!(" else {block}"));
            continue;
        }
        if !keys.iter().all(|it| is_constant(it.syntax())) {
            return None;
        }
        let test = test.syntax().text();
        let conditions: Vec<String> =
            keys.iter().map(|key| format!("{test} == {}", key.syntax().text())).collect();
        let keyword = if index == 0 { "if" } else { " elsif" };
        text.push_str(&format!("{keyword} {} {block}", conditions.join(" or ")));
    }
    replaced(ctx, &node, "Convert `case` to `if`", text)
}

/// Converts an `if` that compares one expression with constants to `case`.
fn if_to_case(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let node = statement_at(ctx, |it| it.kind() == IF_EXPR)?;
    let if_expr = ast::IfExpr::cast(node.clone())?;
    if expressions::has_fixed_parts(&node, true) {
        return None;
    }
    let indent = expressions::indentation(ctx.text(), node.text_range().start).to_owned();
    let mut branches = vec![(if_expr.condition()?, if_expr.then_block()?)];
    for clause in if_expr.elsif_clauses() {
        branches.push((clause.condition()?, clause.block()?));
    }
    let mut test: Option<String> = None;
    let mut options = String::new();
    let inner = format!("{indent}  ");
    for (condition, block) in branches {
        let mut keys = Vec::new();
        compared(&condition, &mut test, &mut keys)?;
        let block = moved_block(ctx, &node, block.syntax(), &inner);
        options.push_str(&format!("{inner}{}: {block}\n", keys.join(", ")));
    }
    if let Some(clause) = if_expr.else_clause() {
        let block = moved_block(ctx, &node, clause.block()?.syntax(), &inner);
        options.push_str(&format!("{inner}default: {block}\n"));
    }
    let text = format!("case {} {{\n{options}{indent}}}", test?);
    replaced(ctx, &node, "Convert `if` to `case`", text)
}

/// Collects the constants that a condition compares with `test` by `==` and `or`.
fn compared(condition: &Expr, test: &mut Option<String>, keys: &mut Vec<String>) -> Option<()> {
    match condition {
        Expr::ParenExpr(inner) => compared(&inner.expr()?, test, keys),
        Expr::BinaryExpr(binary) => {
            let (lhs, rhs) = (binary.lhs()?, binary.rhs()?);
            match binary.operator()? {
                BinaryOperator::Or => {
                    compared(&lhs, test, keys)?;
                    compared(&rhs, test, keys)
                }
                BinaryOperator::Equal => {
                    let is_same = test.as_ref().is_none_or(|it| it == lhs.syntax().text());
                    if !is_same || !is_repeatable(lhs.syntax()) || !is_constant(rhs.syntax()) {
                        return None;
                    }
                    *test = Some(lhs.syntax().text().to_owned());
                    keys.push(rhs.syntax().text().to_owned());
                    Some(())
                }
                _ => None,
            }
        }
        _ => None,
    }
}

/// Returns true if an expression can be evaluated for each comparison.
fn is_repeatable(node: &SyntaxNode) -> bool {
    matches!(node.kind(), VARIABLE_EXPR | ACCESS_EXPR)
        && expressions::is_movable(node)
        && !expressions::has_call(node)
}

/// Returns true for constants for which matching and equality are the same.
fn is_constant(node: &SyntaxNode) -> bool {
    matches!(node.kind(), LITERAL_STRING | LITERAL_NUMBER | LITERAL_BOOLEAN | QUALIFIED_NAME)
}

/// Returns the text of a block, indented for a line that begins with `indent`.
fn moved_block(ctx: &AssistContext<'_>, owner: &SyntaxNode, block: &SyntaxNode, indent: &str) -> String {
    let text = ctx.slice(block.text_range());
    if expressions::has_multiline_string(block) {
        return text.to_owned();
    }
    let from = expressions::indentation(ctx.text(), owner.text_range().start);
    expressions::reindented(text, from, indent)
}
