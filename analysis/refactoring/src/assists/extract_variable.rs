//! Extraction of an expression to a variable.

use project::FileRole;
use syntax::SyntaxKind::*;
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxNode, TextRange};

use super::context::AssistContext;
use super::expressions;
use crate::SourceEdit;
use crate::code_action::{CodeAction, CodeActionKind};

/// Names of variables that Puppet sets, or that are common as facts in old code.
const RESERVED_NAMES: &[&str] = &[
    "title",
    "name",
    "facts",
    "trusted",
    "server_facts",
    "module_name",
    "caller_module_name",
    "environment",
    "clientcert",
    "clientversion",
    "servername",
    "serverip",
    "serverversion",
    "settings",
    "architecture",
    "domain",
    "fqdn",
    "hostname",
    "ipaddress",
    "kernel",
    "operatingsystem",
    "osfamily",
    "path",
    "timezone",
    "uptime",
    "virtual",
    "tag",
];

/// Assigns the selected expression to a new variable before its statement.
pub(super) fn extract_variable(ctx: &AssistContext<'_>) -> Option<CodeAction> {
    if ctx.range.is_empty() {
        return None;
    }
    let node = selected_expr(ctx)?;
    let statement = expressions::statement_around(&node)?;
    if node == statement
        || node.kind() == VARIABLE_EXPR
        || !expressions::is_movable(&node)
        || !is_value(&node)
        || !starts_freely(&statement)
        || is_conditional(&node, &statement) && !expressions::is_constant(&node)
        || sets_variables(&statement)
    {
        return None;
    }
    let name = new_name(ctx, &node);
    let mut value = node.text().to_owned();
    // `${name['key']}` has no `$` for the variable.
    let starts_bare =
        node.first_token().is_some_and(|it| it.kind() == VARIABLE && !it.text().starts_with('$'));
    if starts_bare {
        value.insert(0, '$');
    }
    let is_interpolated = node.parent().is_some_and(|it| it.kind() == INTERPOLATION);
    let start = statement.text_range().start;
    let indent = expressions::indentation(ctx.text(), start);
    let edits = vec![
        SourceEdit { range: TextRange::empty(start), text: format!("${name} = {value}\n{indent}") },
        SourceEdit {
            range: node.text_range(),
            text: if is_interpolated { name.clone() } else { format!("${name}") },
        },
    ];
    ctx.action(CodeActionKind::RefactorExtract, format!("Extract to variable `${name}`"), edits)
}

/// Returns the outermost expression whose text is selected.
fn selected_expr(ctx: &AssistContext<'_>) -> Option<SyntaxNode> {
    let element = ctx.root.covering_element(ctx.range)?;
    let innermost = match element.as_node() {
        Some(node) => node.clone(),
        None => element.parent()?,
    };
    let is_selected = |it: &SyntaxNode| it.text_range() == ctx.range && Expr::can_cast(it.kind());
    innermost.ancestors().take_while(|it| it.text_range().len() <= ctx.range.len()).filter(is_selected).last()
}

/// Returns true if a variable may replace an expression in its position.
fn is_value(node: &SyntaxNode) -> bool {
    let Some(parent) = node.parent() else { return false };
    let is_first = parent.children().next().as_ref() == Some(node);
    let is_name = match parent.kind() {
        ASSIGNMENT_EXPR | RESOURCE_EXPR | RESOURCE_DEFAULTS | RESOURCE_OVERRIDE | CALL_EXPR => is_first,
        // A literal name is resolved in advance.
        STATEMENT_CALL | COLLECT_EXPR | HOST_LIST | INHERITS_CLAUSE | TYPE_ALIAS | RETURN_TYPE => true,
        CASE_OPTION | SELECTOR_ENTRY => is_first && node.kind() == QUALIFIED_NAME,
        _ => false,
    };
    let fixed = [
        VIRTUAL_QUERY,
        EXPORTED_QUERY,
        PARAMETER_LIST,
        HEREDOC_BODY,
        TYPE_ALIAS,
        TYPE_MAPPING,
        RETURN_TYPE,
        HOST_LIST,
        APPLY_EXPR,
        UNTITLED_RESOURCE,
    ];
    !is_name && !expressions::is_inside(node, &fixed)
}

/// Returns true if another statement may be inserted before a statement: its first token could not continue it.
fn starts_freely(statement: &SyntaxNode) -> bool {
    statement.first_token().is_some_and(|it| {
        matches!(
            it.kind(),
            NAME | WORD | VARIABLE | CLASSREF | IF_KW | UNLESS_KW | CASE_KW | CLASS_KW | AT | AT_AT
        )
    })
}

/// Returns true if a part of a statement may not be evaluated.
fn is_conditional(node: &SyntaxNode, statement: &SyntaxNode) -> bool {
    let mut inner = node.clone();
    for outer in node.ancestors().skip(1) {
        let is_rhs = || outer.children().nth(1).as_ref() == Some(&inner);
        let depends = match outer.kind() {
            ELSIF_CLAUSE | CASE_OPTION | SELECTOR_ENTRY | LAMBDA => true,
            BINARY_EXPR => {
                let operator = ast::BinaryExpr::cast(outer.clone()).and_then(|it| it.operator_token());
                operator.is_some_and(|it| matches!(it.kind(), AND_KW | OR_KW)) && is_rhs()
            }
            _ => false,
        };
        if depends {
            return true;
        }
        if outer == *statement {
            break;
        }
        inner = outer;
    }
    false
}

/// Returns true if a statement assigns variables in its parts, outside of blocks.
fn sets_variables(statement: &SyntaxNode) -> bool {
    statement.descendants().skip(1).any(|it| {
        it.kind() == ASSIGNMENT_EXPR && expressions::statement_around(&it).as_ref() == Some(statement)
    })
}

/// Returns an unused name for the value of an expression.
fn new_name(ctx: &AssistContext<'_>, node: &SyntaxNode) -> String {
    let base = base_name(node).unwrap_or_default();
    let mut name: String =
        base.to_ascii_lowercase().chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
    name = name.trim_matches('_').to_owned();
    if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        name = "value".to_owned();
    }
    let is_keyword = syntax::parse(&format!("{name} {{ 'x': }}"), syntax::Language::Plan).errors().len();
    if RESERVED_NAMES.contains(&name.as_str()) || is_keyword > 0 {
        name.push_str("_value");
    }
    let is_used = |name: &str| is_used_here(ctx, name) || is_used_in_templates(ctx, name);
    if !is_used(&name) {
        return name;
    }
    (2..).map(|number| format!("{name}_{number}")).find(|it| !is_used(it)).unwrap_or(name)
}

fn is_used_here(ctx: &AssistContext<'_>, name: &str) -> bool {
    ctx.root.descendants_with_tokens().any(|it| {
        it.as_token().is_some_and(|token| {
            token.kind() == VARIABLE && token.text().trim_start_matches('$').rsplit("::").next() == Some(name)
        })
    })
}

/// Returns true if a template of the module may read a variable of this name, whichever definition renders it.
fn is_used_in_templates(ctx: &AssistContext<'_>, name: &str) -> bool {
    let FileRole::Module { module, .. } = ctx.file.role(ctx.db) else { return false };
    let is_read = |text: &str| {
        let before = |at: usize| text[..at].ends_with(['@', '$', '{', '\'', '"', ':']);
        text.match_indices(name).any(|(at, _)| before(at))
    };
    module.files(ctx.db).iter().any(|(path, file)| {
        path.starts_with("templates/") && file.contents(ctx.db).text().is_some_and(|text| is_read(&text))
    })
}

/// Returns the name of the attribute, key or function that an expression belongs to.
fn base_name(node: &SyntaxNode) -> Option<String> {
    let parent = node.parent()?;
    if let Some(attribute) = ast::Attribute::cast(parent.clone()) {
        return Some(attribute.name_token()?.text().to_owned());
    }
    if let Some(entry) = ast::KeyedEntry::cast(parent.clone())
        && entry.value().is_some_and(|it| it.syntax() == node)
    {
        return match entry.key()? {
            Expr::LiteralString(key) => Some(key.value()),
            Expr::QualifiedName(key) => Some(key.text()),
            _ => None,
        };
    }
    if ast::ResourceBody::can_cast(parent.kind()) {
        return Some("resource_title".to_owned());
    }
    match Expr::cast(node.clone())? {
        Expr::AccessExpr(access) => match access.keys()?.arguments().pop()? {
            ast::AccessOrCallArgument::Expr(Expr::LiteralString(key)) => Some(key.value()),
            _ => None,
        },
        _ => None,
    }
}
