//! Variables that are visible at the cursor.

use plugins::built_in;
use project::NameKind;
use rustc_hash::FxHashMap;
use symbols::parameters::one_line;
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxKind, SyntaxNode};
use validation::VersionDifference;

use super::{fact_names, qualified_variables};
use crate::CompletionRequest;

use crate::context::position::{CursorPosition, Expectation};
use crate::item::{CompletionItem, CompletionKind};

pub(crate) fn items(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    // Inside of `${`, and before anything is typed, the replaced text has no `$`.
    let sign = if matches!(request.context.position, CursorPosition::Interpolation) { "" } else { "$" };
    let typed = request.context.typed.trim_start_matches('$');
    let mut items = Vec::new();
    if !typed.contains("::") {
        items.extend(local(request));
        items.extend(inherited(request));
        items.extend(of_the_language(request));
    }
    if typed.starts_with("::") {
        items.extend(fact_names::top_scope(request).into_iter().map(|item| {
            let name = format!("::{}", item.label);
            CompletionItem { text: name.clone(), filter: name.clone(), label: name, ..item }.tier(2)
        }));
    } else if !typed.contains("::") && !lacks_legacy_facts(request) {
        items.extend(fact_names::top_scope(request).into_iter().map(|item| item.tier(4)));
    }
    items.extend(qualified_variables::items(request, typed));
    if let CursorPosition::Variable { target: Some(target) } = &request.context.position {
        // `port => $port`, `$port = $other::port`
        for item in items.iter_mut().filter(|it| it.label.rsplit("::").next() == Some(target)) {
            item.weight = 1;
            item.tier = 0;
            item.is_repeated = false;
            item.is_unread = true;
        }
    }
    let is_bare = request.context.typed.is_empty() || !request.context.typed.starts_with('$');
    for item in &mut items {
        item.text = format!("{sign}{}", item.text);
        item.label = format!("{sign}{}", item.label);
        item.filter = if is_bare { item.filter.clone() } else { format!("${}", item.filter) };
    }
    items
}

fn lacks_legacy_facts(request: &CompletionRequest<'_>) -> bool {
    let environment = request.file.environments(request.db).first();
    environment.is_none_or(|it| it.puppet_version(request.db).has(VersionDifference::LegacyFacts))
}

/// Returns the parameters and assigned variables of the scopes around the cursor.
fn local(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let offset = request.context.range.start;
    let Some(scope) = definition_node(request.root, offset) else { return Vec::new() };
    let own = match &request.context.position {
        CursorPosition::Expression(Expectation::Default(parameter)) => Some(parameter.text_range().start),
        _ => None,
    };
    let mut found: FxHashMap<String, Option<String>> = FxHashMap::default();
    let mut order = Vec::new();
    let mut add = |name: String, detail: Option<String>| {
        if !name.is_empty() && !name.contains("::") && !found.contains_key(&name) {
            order.push(name.clone());
            found.insert(name, detail);
        }
    };
    for node in scope.descendants() {
        if node.text_range().start >= offset {
            break;
        }
        match node.kind() {
            SyntaxKind::PARAMETER if is_visible(&node, &scope, offset) => {
                let Some(parameter) = ast::Parameter::cast(node) else { continue };
                // Except for the parameter whose default is being written.
                let range = parameter.syntax().text_range();
                let is_around = range.start < offset && offset <= range.end;
                if own == Some(range.start) || is_around && !is_in_body(&parameter, offset) {
                    continue;
                }
                let ty = parameter.type_expr().map(|it| one_line(it.syntax().text()));
                add(parameter.name().unwrap_or_default(), ty.or(Some("parameter".to_owned())));
            }
            SyntaxKind::ASSIGNMENT_EXPR if is_visible(&node, &scope, offset) => {
                // The target of an assignment is not defined on its right side.
                if node.text_range().end >= offset {
                    continue;
                }
                let lhs = ast::AssignmentExpr::cast(node).and_then(|it| it.lhs());
                assigned(lhs.as_ref(), &mut |name| add(name, None));
            }
            _ => {}
        }
    }
    let mentions = mentions(scope.text());
    order
        .into_iter()
        .map(|name| {
            let detail = found.remove(&name).flatten();
            let is_unread = mentions.get(name.as_str()).is_none_or(|count| *count < 2);
            CompletionItem::new(CompletionKind::Variable, name)
                .detail(detail.unwrap_or_default())
                .owner(offset.to_string())
                .tier(0)
                .unread(is_unread)
        })
        .collect()
}

/// Returns the number of occurrences of each variable: `$name`, `${name`.
fn mentions(text: &str) -> FxHashMap<String, usize> {
    let mut counts = FxHashMap::default();
    for (at, _) in text.match_indices('$') {
        let rest = text[at + 1..].trim_start_matches('{');
        let length = rest.bytes().take_while(|it| it.is_ascii_alphanumeric() || *it == b'_').count();
        if length > 0 {
            *counts.entry(rest[..length].to_owned()).or_default() += 1;
        }
    }
    counts
}

/// Returns true if the offset is after the parameter list.
fn is_in_body(parameter: &ast::Parameter, offset: u32) -> bool {
    let list = parameter.syntax().parent();
    list.is_none_or(|list| offset > list.text_range().end)
}

/// Adds the variables on the left side of `=`.
fn assigned(lhs: Option<&Expr>, add: &mut dyn FnMut(String)) {
    match lhs {
        Some(Expr::VariableExpr(variable)) => add(variable.name().unwrap_or_default()),
        Some(Expr::ArrayExpr(list)) => {
            for node in list.syntax().children() {
                assigned(Expr::cast(node).as_ref(), add);
            }
        }
        _ => {}
    }
}

/// Returns the definition around an offset, or the root of the file.
fn definition_node(root: &SyntaxNode, offset: u32) -> Option<SyntaxNode> {
    let token = root.tokens_at(offset).find(|it| it.text_range().start < offset);
    let Some(token) = token.or_else(|| root.tokens_at(offset).next()) else { return Some(root.clone()) };
    let is_scope =
        |node: &SyntaxNode| ast::Definition::can_cast(node.kind()) && node.text_range().start < offset;
    let around = token.ancestors().find(is_scope).filter(|node| {
        let closes = node.last_token().is_some_and(|it| it.kind() == SyntaxKind::R_BRACE);
        !closes || offset < node.text_range().end
    });
    Some(around.unwrap_or_else(|| root.clone()))
}

/// Returns true if a variable declared by `node` is visible at an offset: it is not in another definition or
/// in a lambda.
fn is_visible(node: &SyntaxNode, scope: &SyntaxNode, offset: u32) -> bool {
    node.ancestors().skip(1).take_while(|it| it != scope).all(|around| {
        let keeps = around.kind() == SyntaxKind::LAMBDA || ast::Definition::can_cast(around.kind());
        let range = around.text_range();
        let is_closed = around.last_token().is_some_and(|it| it.kind() == SyntaxKind::R_BRACE);
        !keeps || range.start < offset && (offset < range.end || !is_closed && offset == range.end)
    })
}

/// Returns the variables of the ancestors of the class around the cursor.
fn inherited(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    let mut definition = request.definition();
    for _ in 0..8 {
        let Some(current) = definition else { break };
        let signature = project::signature(request.db, current).as_ref();
        let Some(parent) = signature.and_then(|it| it.inherits.clone()) else { break };
        definition = project::resolve_in_file(request.db, request.file, NameKind::Class, &parent);
        let Some(class) = definition else { break };
        for name in qualified_variables::of_class(request.db, class).iter() {
            let item = CompletionItem::new(CompletionKind::Variable, name.to_string());
            items.push(item.detail(format!("of {parent}")).owner(format!("class {parent}")).tier(1));
        }
    }
    items
}

/// Returns the built-in variables.
fn of_the_language(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let in_declaration = request.definition().is_some_and(|it| {
        matches!(it.key(request.db).kind, hir::DefinitionKind::Class | hir::DefinitionKind::DefinedType)
    });
    let is_known = |name: &str| in_declaration || !matches!(name, "title" | "name");
    let all = built_in::variables().iter().filter(|it| is_known(&it.name));
    all.map(|variable| {
        CompletionItem::new(CompletionKind::Variable, variable.name.to_string())
            .detail(variable.type_text.to_string())
            .owner("puppet")
            .tier(if variable.name == "facts" || variable.name == "title" { 1 } else { 3 })
    })
    .collect()
}
