//! Outline of a file: definitions, their parameters, and the resources they declare.

mod data;
pub(crate) mod document_symbol;

use project::{Db, File};
use syntax::ast::{self, Expr, ResourceForm};
use syntax::{AstNode, Parse, SyntaxKind::*, SyntaxNode, TextRange};

use self::document_symbol::{DocumentSymbol, DocumentSymbolKind};
use crate::SymbolKind;

/// Maximum length of source text in a name or detail, in characters.
const MAX_TEXT_LENGTH: usize = 80;

/// Returns the outline of a file in source order.
pub(crate) fn outline(db: &dyn Db, file: File) -> Vec<DocumentSymbol> {
    match data::data_symbols(db, file) {
        Some(symbols) => symbols,
        None => document_symbols(&project::parse(db, file)),
    }
}

/// Returns the outline of a manifest or template in source order. Works on incomplete trees: a definition without a name is
/// included.
fn document_symbols(parse: &Parse) -> Vec<DocumentSymbol> {
    let mut top_level = Vec::new();
    let mut open: Vec<DocumentSymbol> = Vec::new();
    for node in parse.syntax().descendants() {
        let Some(symbol) = symbol(&node) else { continue };
        while open.last().is_some_and(|outer| !outer.range.contains_range(symbol.range)) {
            close_last(&mut open, &mut top_level);
        }
        open.push(symbol);
    }
    while !open.is_empty() {
        close_last(&mut open, &mut top_level);
    }
    top_level
}

fn close_last(open: &mut Vec<DocumentSymbol>, top_level: &mut Vec<DocumentSymbol>) {
    let Some(symbol) = open.pop() else { return };
    match open.last_mut() {
        Some(outer) => outer.children.push(symbol),
        None => top_level.push(symbol),
    }
}

fn symbol(node: &SyntaxNode) -> Option<DocumentSymbol> {
    match node.kind() {
        PARAMETER => parameter(node),
        ASSIGNMENT_EXPR => variable(node),
        RESOURCE_BODY => resource(node),
        RESOURCE_DEFAULTS => {
            let type_expr = ast::ResourceDefaults::cast(node.clone())?.type_expr();
            Some(resource_like(node, type_expr, DocumentSymbolKind::ResourceDefaults, "defaults"))
        }
        RESOURCE_OVERRIDE => {
            let reference = ast::ResourceOverride::cast(node.clone())?.reference();
            Some(resource_like(node, reference, DocumentSymbolKind::ResourceOverride, "override"))
        }
        COLLECT_EXPR => collector(node),
        _ => definition(&ast::Definition::cast(node.clone())?),
    }
}

fn definition(definition: &ast::Definition) -> Option<DocumentSymbol> {
    let node = definition.syntax();
    let inherits = ast_child::<ast::InheritsClause>(node).map(|it| one_line(it.syntax()));
    let (kind, detail) = match definition {
        ast::Definition::ClassDefinition(_) => (SymbolKind::Class, inherits),
        ast::Definition::DefinedType(_) => (SymbolKind::DefinedType, None),
        ast::Definition::FunctionDefinition(function) => {
            let return_type = function.return_type().map(|it| one_line(it.syntax()));
            (SymbolKind::Function, return_type)
        }
        ast::Definition::PlanDefinition(_) => (SymbolKind::Plan, None),
        ast::Definition::NodeDefinition(_) => (SymbolKind::Node, inherits),
        ast::Definition::TypeAlias(alias) => {
            let type_expr = alias.type_expr().map(|it| one_line(it.syntax()));
            (SymbolKind::Type, type_expr)
        }
        ast::Definition::TypeMapping(mapping) => {
            (SymbolKind::Type, mapping.mapping().map(|it| one_line(it.syntax())))
        }
        ast::Definition::TypeDefinition(_) => (SymbolKind::Type, inherits),
    };
    let name_node = match definition {
        ast::Definition::NodeDefinition(it) => it.hosts().map(|it| it.syntax().clone()),
        ast::Definition::TypeMapping(it) => it.type_expr().map(|it| it.syntax().clone()),
        _ => definition.name().map(|it| it.syntax().clone()),
    };
    let qualified = definition.qualified_name().filter(|it| !it.is_empty());
    let name = qualified.or_else(|| name_node.as_ref().map(one_line)).unwrap_or_default();
    let keyword = node.first_token().map(|it| it.text_range());
    let selection = name_node.map(|it| it.text_range()).or(keyword).unwrap_or(node.text_range());
    Some(new_symbol(name, detail, DocumentSymbolKind::Named(kind), node.text_range(), selection))
}

fn parameter(node: &SyntaxNode) -> Option<DocumentSymbol> {
    let parameter = ast::Parameter::cast(node.clone())?;
    let owner = node.parent().and_then(|list| list.parent());
    if owner.is_some_and(|it| it.kind() == LAMBDA) {
        return None;
    }
    let variable = parameter.variable()?;
    let detail = parameter.type_expr().map(|it| one_line(it.syntax()));
    let name = variable.text().to_owned();
    Some(new_symbol(
        name,
        detail,
        DocumentSymbolKind::Named(SymbolKind::Parameter),
        node.text_range(),
        variable.text_range(),
    ))
}

fn variable(node: &SyntaxNode) -> Option<DocumentSymbol> {
    let Some(Expr::VariableExpr(variable)) = ast::AssignmentExpr::cast(node.clone())?.lhs() else {
        return None;
    };
    let local = [LAMBDA, FUNCTION_DEFINITION, DEFINED_TYPE, PLAN_DEFINITION, ARGUMENT_LIST, RENDER_EXPR];
    let mut owners = node.ancestors().skip(1).take_while(|it| it.kind() != CLASS_DEFINITION);
    if owners.any(|it| local.contains(&it.kind())) {
        return None;
    }
    let token = variable.token()?;
    let name = token.text().to_owned();
    Some(new_symbol(
        name,
        None,
        DocumentSymbolKind::Named(SymbolKind::Variable),
        node.text_range(),
        token.text_range(),
    ))
}

fn resource(node: &SyntaxNode) -> Option<DocumentSymbol> {
    let body = ast::ResourceBody::cast(node.clone())?;
    let expression = node.ancestors().find_map(ast::ResourceExpr::cast);
    let type_name = expression.as_ref().and_then(|it| it.type_expr()).map(|it| one_line(it.syntax()));
    let title = body.title().map(|it| title_text(&it)).unwrap_or_default();
    let name = match type_name {
        Some(type_name) => format!("{}[{title}]", hir::capitalized(type_name.trim_start_matches("::"))),
        None => format!("[{title}]"),
    };
    let detail = expression.map(|it| ast::resource_form(it.syntax())).and_then(|form| match form {
        ResourceForm::Regular => None,
        ResourceForm::Virtual => Some("virtual".to_owned()),
        ResourceForm::Exported => Some("exported".to_owned()),
    });
    let selection = body.title().map_or(node.text_range(), |it| it.syntax().text_range());
    Some(new_symbol(
        name,
        detail,
        DocumentSymbolKind::Named(SymbolKind::Resource),
        node.text_range(),
        selection,
    ))
}

fn resource_like(
    node: &SyntaxNode,
    named: Option<Expr>,
    kind: DocumentSymbolKind,
    detail: &str,
) -> DocumentSymbol {
    let name = named.as_ref().map(|it| one_line(it.syntax())).unwrap_or_default();
    let selection = named.map_or(node.text_range(), |it| it.syntax().text_range());
    new_symbol(name, Some(detail.to_owned()), kind, node.text_range(), selection)
}

fn collector(node: &SyntaxNode) -> Option<DocumentSymbol> {
    let collector = ast::CollectExpr::cast(node.clone())?;
    let type_expr = collector.type_expr().map(|it| it.syntax().text_range());
    let query = collector.query().map(|it| it.syntax().text_range());
    let selection = type_expr.into_iter().chain(query).reduce(TextRange::cover).unwrap_or(node.text_range());
    let type_text = collector.type_expr().map(|it| one_line(it.syntax())).unwrap_or_default();
    let query_text = collector.query().map(|it| one_line(it.syntax())).unwrap_or_default();
    let name = format!("{type_text} {query_text}");
    Some(new_symbol(name, None, DocumentSymbolKind::Collector, node.text_range(), selection))
}

fn new_symbol(
    name: String,
    detail: Option<String>,
    kind: DocumentSymbolKind,
    range: TextRange,
    selection: TextRange,
) -> DocumentSymbol {
    let name = if name.trim().is_empty() { "(unnamed)".to_owned() } else { name };
    let selection = if range.contains_range(selection) { selection } else { range };
    let detail = detail.filter(|it| !it.is_empty());
    DocumentSymbol { name, detail, kind, range, selection, children: Vec::new() }
}

fn ast_child<N: AstNode>(node: &SyntaxNode) -> Option<N> {
    node.children().find_map(N::cast)
}

/// Formats a title as a catalog would show it: literal strings without quotes, arrays with commas, anything
/// else as in the source.
fn title_text(title: &Expr) -> String {
    match title {
        Expr::LiteralString(string) => {
            let text = one_line(string.syntax());
            let unquoted = ["'", "\""].iter().find_map(|quote| {
                text.strip_prefix(quote).and_then(|it| it.strip_suffix(quote)).map(str::to_owned)
            });
            unquoted.unwrap_or(text)
        }
        Expr::ArrayExpr(array) => {
            let elements = array.elements();
            let titles = elements.iter().map(|element| match element {
                ast::AccessOrCallArgument::Expr(expr) => title_text(expr),
                ast::AccessOrCallArgument::BareHash(_) => "{}".to_owned(),
            });
            shortened(&titles.collect::<Vec<_>>().join(", "))
        }
        other => one_line(other.syntax()),
    }
}

/// Returns the source text of a node without comments, with whitespace collapsed, truncated to
/// [`MAX_TEXT_LENGTH`].
fn one_line(node: &SyntaxNode) -> String {
    let mut line = String::new();
    for token in node.descendants_with_tokens().filter_map(|it| it.into_token()) {
        match token.kind() {
            COMMENT | BLOCK_COMMENT | EPP_COMMENT => {}
            _ if line.len() > 4 * MAX_TEXT_LENGTH => break,
            _ => line.push_str(token.text()),
        }
    }
    shortened(&line.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_TEXT_LENGTH) {
        Some((end, _)) => format!("{}…", text[..end].trim_end()),
        None => text.to_owned(),
    }
}

#[cfg(test)]
#[path = "document_symbols_tests.rs"]
mod tests;
