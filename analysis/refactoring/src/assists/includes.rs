//! Conversion between `include` and `class { }`.

use hir::{Access, NameUse, NameUseKind};
use symbols::symbol;
use symbols::{references, search};
use syntax::SyntaxKind::*;
use syntax::ast::{self, AccessOrCallArgument, Expr};
use syntax::{AstNode, SyntaxNode};

use super::context::AssistContext;
use super::expressions;
use crate::SourceEdit;
use crate::code_action::{CodeAction, CodeActionKind};

pub(super) fn rewrites(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    to_resource(ctx).or_else(|| to_include(ctx))
}

/// Converts `include name` to `class { 'name': }`, if nothing else declares the class: a class that was declared
/// before cannot be declared like a resource.
fn to_resource(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let token = ctx.token()?;
    let call = token.ancestors().find(|it| matches!(it.kind(), STATEMENT_CALL | CALL_EXPR))?;
    let arguments = match call.kind() {
        STATEMENT_CALL => {
            let call = ast::StatementCall::cast(call.clone())?;
            (call.name()?.text() == "include").then(|| call.arguments())??
        }
        _ => {
            let call = ast::CallExpr::cast(call.clone())?;
            (call.functor()?.syntax().text() == "include" && call.lambda().is_none())
                .then(|| call.arguments())??
        }
    };
    let [AccessOrCallArgument::Expr(argument)] = &arguments.arguments()[..] else { return None };
    let name = class_name(argument)?;
    // Defined types, functions and lambdas may run more than once.
    let repeats = [LAMBDA, DEFINED_TYPE, FUNCTION_DEFINITION, PLAN_DEFINITION];
    if !expressions::is_statement(&call)
        || expressions::is_inside(&call, &repeats)
        || expressions::has_fixed_parts(&call, false)
        || has_class_defaults(&ctx.root)
        || !is_only_declaration(ctx, argument.syntax())
    {
        return None;
    }
    let edit = SourceEdit { range: call.text_range(), text: format!("class {{ '{name}': }}") };
    ctx.action(CodeActionKind::RefactorRewrite, "Convert to `class { }`", vec![edit])
}

/// Converts `class { 'name': }` without parameters to `include name`.
fn to_include(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let node = ctx.around(RESOURCE_EXPR)?;
    let resource = ast::ResourceExpr::cast(node.clone())?;
    let bodies: Vec<ast::ResourceBody> = resource.bodies().collect();
    let [body] = &bodies[..] else { return None };
    if resource.type_expr()?.syntax().text() != "class" || body.operations().next().is_some() {
        return None;
    }
    let name = class_name(&body.title()?)?;
    let returns_value = expressions::is_inside(&node, &[LAMBDA, FUNCTION_DEFINITION, PLAN_DEFINITION])
        && expressions::is_last_statement(&node);
    if !expressions::is_statement(&node)
        || returns_value
        || expressions::has_fixed_parts(&node, false)
        || has_class_defaults(&ctx.root)
    {
        return None;
    }
    let edit = SourceEdit { range: node.text_range(), text: format!("include {name}") };
    ctx.action(CodeActionKind::RefactorRewrite, "Convert to `include`", vec![edit])
}

/// Returns the class that a literal names, without a leading `::`.
fn class_name(expr: &Expr) -> Option<String> {
    let written = match expr {
        Expr::LiteralString(string) => string.value(),
        Expr::QualifiedName(name) => name.text(),
        _ => return None,
    };
    let name = written.strip_prefix("::").unwrap_or(&written);
    let is_segment = |it: &str| {
        it.starts_with(|c: char| c.is_ascii_lowercase())
            && it.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_')
    };
    name.split("::").all(is_segment).then(|| name.to_owned())
}

/// Returns true if `Class { }` sets defaults, which only apply to classes declared like resources.
fn has_class_defaults(root: &SyntaxNode) -> bool {
    let mut defaults = root.descendants().filter_map(ast::ResourceDefaults::cast);
    defaults.any(|it| it.type_expr().is_some_and(|it| it.syntax().text() == "Class"))
}

/// Returns true if no other code declares the class that an argument names.
fn is_only_declaration(ctx: &AssistContext<'_>, argument: &SyntaxNode) -> bool {
    let Some(symbol) = symbol::symbol_at(ctx.db, ctx.file, argument.text_range().end.saturating_sub(1))
    else {
        return false;
    };
    let symbol::Symbol::Definition(class) = &symbol.0 else { return false };
    let mut count = 0;
    for file in search::candidate_files(ctx.db, ctx.file, &symbol.0) {
        let root = project::parse(ctx.db, file).syntax();
        let is_declaration = |it: &NameUse| {
            let names_class = matches!(
                it.kind,
                NameUseKind::Class | NameUseKind::ClassOrResourceType | NameUseKind::Title { .. }
            );
            let is_definition = it.access == Access::Declaration
                && file == class.file(ctx.db)
                && it.kind == NameUseKind::Class;
            names_class && it.access != Access::Documentation && !is_definition && !is_reference(&root, it)
        };
        count += references::uses_in(ctx.db, file, &symbol.0).iter().filter(|it| is_declaration(it)).count();
    }
    count <= 1
}

/// Returns true if a name is in `Class[...]`.
fn is_reference(root: &SyntaxNode, name_use: &NameUse) -> bool {
    let token = root.tokens_at(name_use.range.start).last();
    token.is_some_and(|token| {
        token.ancestors().take(4).any(|it| {
            ast::AccessExpr::cast(it).and_then(|it| it.lhs()).is_some_and(|it| it.syntax().text() == "Class")
        })
    })
}
