//! Replacement of the uses of a variable by its value.

use hir::{Access, NameUse, NameUseKind, VariableBinding};
use symbols::symbol::{self, Symbol};
use symbols::{references, search};
use syntax::SyntaxKind::*;
use syntax::ast::{self, AssignmentOperator};
use syntax::{AstNode, SyntaxNode, SyntaxToken};

use super::context::AssistContext;
use super::{expressions, quotes};
use crate::SourceEdit;
use crate::code_action::{CodeAction, CodeActionKind};

/// Replaces the uses of the variable at the cursor by its value and removes the assignment.
pub(super) fn inline_variable(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    let token = ctx.token().filter(|it| it.kind() == VARIABLE)?;
    let name_use = symbol::name_use_at(ctx.db, ctx.file, token.text_range().end.saturating_sub(1))?;
    let NameUseKind::Variable(VariableBinding::Local { variable, .. }) = name_use.kind else { return None };
    let all = project::name_uses(ctx.db, ctx.file);
    let is_own = |it: &&NameUse| matches!(it.kind, NameUseKind::Variable(VariableBinding::Local { variable: own, .. }) if own == variable);
    let own: Vec<&NameUse> = all.iter().filter(is_own).collect();
    let (sets, reads): (Vec<&NameUse>, Vec<&NameUse>) = own.iter().partition(|it| it.access != Access::Read);
    let [set] = &sets[..] else { return None };
    if set.access != Access::Write || reads.is_empty() {
        return None;
    }
    let assignment = assignment_of(ctx, set)?;
    let value = assignment.rhs()?.syntax().clone();
    let statement = assignment.syntax();
    let block = statement.parent()?;
    let is_after = |it: &NameUse| {
        it.range.start >= statement.text_range().end && block.text_range().contains_range(it.range)
    };
    if !expressions::is_statement(statement)
        || !expressions::is_movable(&value)
        || expressions::has_call(&value) && reads.len() > 1
        || expressions::has_multiline_string(&value)
        || !reads.iter().all(|it| is_after(it))
        || !is_read_here_only(ctx, &name_use, own.len())
        || is_shadowed(ctx, &value)
    {
        return None;
    }
    let mut edits = Vec::new();
    for read in reads {
        edits.push(replacement(ctx, read, &value, statement)?);
    }
    edits.push(SourceEdit {
        range: crate::lines::removed_lines(ctx.text(), statement.text_range()),
        text: String::new(),
    });
    ctx.action(CodeActionKind::RefactorInline, format!("Inline variable `${}`", name_use.name), edits)
}

/// Returns the assignment whose left side is a name.
fn assignment_of(ctx: &AssistContext<'_>, name_use: &NameUse) -> Option<ast::AssignmentExpr> {
    let token = ctx.root.tokens_at(name_use.range.end.saturating_sub(1)).last()?;
    let variable = token.parent()?;
    let assignment = ast::AssignmentExpr::cast(variable.parent()?)?;
    let is_plain = assignment.operator() == Some(AssignmentOperator::Assign);
    (is_plain && assignment.lhs()?.syntax() == &variable).then_some(assignment)
}

/// Returns true if neither other files nor code that names variables at run time can read the variable.
fn is_read_here_only(ctx: &AssistContext<'_>, name_use: &NameUse, count: usize) -> bool {
    let by_name = ["getvar", "inline_template", "inline_epp", "create_resources", "scope["];
    if by_name.iter().any(|it| ctx.text().contains(it)) {
        return false;
    }
    match symbol::resolve(ctx.db, ctx.file, name_use) {
        Some(Symbol::LambdaVariable { .. }) => true,
        Some(symbol @ Symbol::Variable { definition, .. }) => {
            let files = search::candidate_files(ctx.db, ctx.file, &symbol);
            let uses = files.into_iter().map(|file| references::uses_in(ctx.db, file, &symbol).len());
            uses.sum::<usize>() == count
                && crate::rename::is_unread_by_templates(ctx.db, definition, &name_use.name)
        }
        _ => false,
    }
}

/// Returns true if a variable of the value has the same name as another variable of the file, which might be the
/// one that a use sees.
fn is_shadowed(ctx: &AssistContext<'_>, value: &SyntaxNode) -> bool {
    let all = project::name_uses(ctx.db, ctx.file);
    let is_variable = |it: &&NameUse| matches!(it.kind, NameUseKind::Variable(_));
    let inner = all.iter().filter(is_variable).filter(|it| value.text_range().contains_range(it.range));
    inner.into_iter().any(|inner| {
        let mut others = all.iter().filter(is_variable).filter(|it| it.name == inner.name);
        others.any(|it| it.kind != inner.kind)
    })
}

/// Returns the edit that replaces a use.
fn replacement(
    ctx: &AssistContext<'_>,
    read: &NameUse,
    value: &SyntaxNode,
    statement: &SyntaxNode,
) -> Option<SourceEdit> {
    let token =
        ctx.root.tokens_at(read.range.end.saturating_sub(1)).last().filter(|it| it.kind() == VARIABLE)?;
    let node = token.parent()?;
    let parent = node.parent()?;
    if node.kind() != VARIABLE_EXPR
        || expressions::is_inside(&node, &[HEREDOC_BODY, VIRTUAL_QUERY, EXPORTED_QUERY])
        || expressions::statement_around(&node).as_ref() == Some(&node)
        || expressions::statement_around(&node).as_ref() == Some(statement)
    {
        return None;
    }
    match parent.kind() {
        INTERPOLATION => in_string(&parent, value),
        INTERPOLATED_STRING => in_string(&node, value),
        _ if !token.text().starts_with('$') => {
            // `${name['key']}` and `${name.call}`
            let is_path = matches!(value.kind(), VARIABLE_EXPR | ACCESS_EXPR);
            is_path.then(|| SourceEdit { range: node.text_range(), text: value.text().to_owned() })
        }
        _ => in_code(&node, &parent, value),
    }
}

fn in_code(node: &SyntaxNode, parent: &SyntaxNode, value: &SyntaxNode) -> Option<SourceEdit> {
    let text = match value.kind() {
        QUALIFIED_NAME => format!("'{}'", value.text()),
        _ if expressions::is_atomic(value) || is_delimited(node, parent) => value.text().to_owned(),
        _ => format!("({})", value.text()),
    };
    let is_first = parent.children().next().as_ref() == Some(node);
    let is_receiver = matches!(parent.kind(), METHOD_CALL_EXPR | ACCESS_EXPR) && is_first;
    // `{` may begin a block, and `1.x` a number.
    let is_ambiguous = match value.kind() {
        HASH_EXPR => {
            is_receiver
                || matches!(parent.kind(), IF_EXPR | UNLESS_EXPR | CASE_EXPR | ELSIF_CLAUSE | STATEMENT_CALL)
        }
        LITERAL_NUMBER | LITERAL_BOOLEAN | LITERAL_UNDEF | UNARY_EXPR => is_receiver,
        _ => false,
    };
    // `*$list`
    let is_splat = parent.kind() == UNARY_EXPR || parent.kind() == ATTRIBUTE_SPLAT;
    let needs_care =
        is_splat && !matches!(value.kind(), VARIABLE_EXPR | ACCESS_EXPR | ARRAY_EXPR | HASH_EXPR);
    (!is_ambiguous && !needs_care).then(|| SourceEdit { range: node.text_range(), text })
}

/// Returns true if brackets, commas, or arrows surround an expression, so that no operator applies to a part of it.
fn is_delimited(node: &SyntaxNode, parent: &SyntaxNode) -> bool {
    match parent.kind() {
        ARGUMENT_LIST => parent.text().starts_with('('),
        ARRAY_EXPR | ATTRIBUTE => true,
        KEYED_ENTRY => parent.children().last().as_ref() == Some(node),
        _ => false,
    }
}

/// Returns the edit that replaces an interpolation: strings become part of the string around it.
fn in_string(interpolation: &SyntaxNode, value: &SyntaxNode) -> Option<SourceEdit> {
    let range = interpolation.text_range();
    let edit = |text: String| Some(SourceEdit { range, text });
    match value.kind() {
        VARIABLE_EXPR | ACCESS_EXPR => return edit(format!("${{{}}}", value.text())),
        // A number or a name at the beginning would be a variable.
        BINARY_EXPR | METHOD_CALL_EXPR if value.text().starts_with('$') && !value.text().contains('"') => {
            return edit(format!("${{{}}}", value.text()));
        }
        QUALIFIED_NAME if follows_text(interpolation) => return edit(value.text().to_owned()),
        LITERAL_STRING | INTERPOLATED_STRING if follows_text(interpolation) => {}
        _ => return None,
    }
    let text = value.text();
    match text.chars().next()? {
        '"' if continues(value, interpolation) => None,
        '"' => edit(text.strip_prefix('"')?.strip_suffix('"')?.to_owned()),
        _ => edit(quotes::escaped(&ast::LiteralString::cast(value.clone())?.value())),
    }
}

/// Returns true if the end of a string in double quotes would mean something else before the text after an
/// interpolation: `$` may begin an interpolation, and the name of a variable without braces may be longer.
fn continues(value: &SyntaxNode, interpolation: &SyntaxNode) -> bool {
    let next = interpolation.last_token().and_then(|it| it.next_token());
    let next = next.filter(|it| it.kind() != DQ_END);
    let last = value.last_token().and_then(|it| if it.kind() == DQ_END { it.prev_token() } else { Some(it) });
    let (Some(next), Some(last)) = (next, last) else { return false };
    let is_name = |it: char| it.is_ascii_alphanumeric() || matches!(it, '_' | ':');
    match last.kind() {
        VARIABLE => next.text().starts_with(is_name),
        STRING_TEXT | DQ_STRING => last.text().trim_end_matches('"').ends_with('$'),
        _ => false,
    }
}

/// Returns true if text may replace an interpolation: what precedes it cannot continue into the text.
fn follows_text(interpolation: &SyntaxNode) -> bool {
    let ends_safely = |it: &SyntaxToken| match it.kind() {
        STRING_TEXT => !it.text().ends_with(['$', '\\']),
        DQ_START | INTERPOLATION_END => true,
        _ => false,
    };
    let before = interpolation.first_token().and_then(|it| it.prev_token());
    before.is_some_and(|it| ends_safely(&it))
}
