//! Extraction of statements to a new defined type or class.

use hir::{Access, DefinitionKind, NameUse, NameUseKind, VariableBinding};
use project::{FileRole, NameKind};
use symbols::FileId;
use symbols::symbol::{self, Symbol};
use syntax::SyntaxKind::*;
use syntax::ast::{self, Expr};
use syntax::{AstNode, SyntaxNode, TextRange};

use super::context::AssistContext;
use super::expressions;
use crate::code_action::{CodeAction, CodeActionKind};
use crate::lines::indentation_step;
use crate::{SourceChange, SourceEdit};

/// Functions with a lambda that are evaluated where they are called, and functions that only log.
const LOCAL_FUNCTIONS: &[&str] =
    &["each", "filter", "map", "reduce", "slice", "with", "any", "then", "fail", "warning", "notice", "info"];

/// Functions whose results depend on the resources that were declared before.
const CATALOG_FUNCTIONS: &[&str] = &[
    "defined",
    "defined_with_params",
    "ensure_newuser",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "get_param",
    "getparam",
];

/// Maximum number of files with used definitions that are searched for [`CATALOG_FUNCTIONS`].
const MAX_SEARCHED_FILES: usize = 100;

/// Heads of types that do not accept `undef`.
const DEFINED_TYPES: &[&str] = &[
    "Array", "Boolean", "Enum", "Float", "Hash", "Integer", "Numeric", "Pattern", "String", "Stdlib",
    "Struct",
];

/// Statements to move, with the class or defined type around them.
struct SelectedStatements {
    statements: Vec<SyntaxNode>,
    range: TextRange,
    /// Class or defined type that contains the statements.
    owner: ast::Definition,
    /// Qualified name of `owner`.
    owner_name: String,
    is_class: bool,
}

/// Parameter of the new definition.
struct NewParameter {
    name: String,
    type_text: String,
    may_be_undef: bool,
}

/// Moves the selected statements to a new defined type and to a new class.
pub(super) fn extract_definition(ctx: &AssistContext<'_>) -> Vec<CodeAction> {
    let Some(selection) = selection(ctx).filter(is_movable) else { return Vec::new() };
    let Some(parameters) = parameters(ctx, &selection) else { return Vec::new() };
    let name = format!("{}::extracted", selection.owner_name);
    let mut actions = Vec::new();
    if !reads_catalog(ctx, &selection) {
        actions.extend(new_definition(ctx, &selection, &parameters, &name, false));
    }
    // A defined type may be declared several times, a class only once.
    if selection.is_class {
        actions.extend(new_definition(ctx, &selection, &parameters, &name, true));
    }
    actions
}

/// Returns the selected statements, if they are complete.
fn selection(ctx: &AssistContext<'_>) -> Option<SelectedStatements> {
    if ctx.range.is_empty() {
        return None;
    }
    let element = ctx.root.covering_element(ctx.range)?;
    let node = element.as_node().cloned().or_else(|| element.parent())?;
    // A single selected statement may have the range of its node.
    let block = node
        .ancestors()
        .find(|it| it.kind() == BLOCK && it.text_range() != ctx.range)
        .filter(|it| it.text_range().contains_range(ctx.range))?;
    let selected = block.children().filter(|it| ctx.range.intersects(it.text_range()));
    let statements: Vec<SyntaxNode> = selected.collect();
    let range = statements.first()?.text_range().cover(statements.last()?.text_range());
    let owner_node = block.ancestors().find_map(ast::Definition::cast)?;
    let is_class = matches!(owner_node, ast::Definition::ClassDefinition(_));
    let is_definition = is_class || matches!(owner_node, ast::Definition::DefinedType(_));
    let is_repeated = expressions::is_inside(&block, &[LAMBDA, APPLY_EXPR]);
    // Only a class that is not nested has its own file.
    let is_nested = owner_node.syntax().parent().is_none_or(|it| it.kind() != SOURCE_FILE);
    if range != ctx.range || !is_definition || is_repeated || is_nested {
        return None;
    }
    let owner_name = owner_node.qualified_name()?.to_lowercase();
    Some(SelectedStatements { statements, range, owner: owner_node, owner_name, is_class })
}

/// Returns true if the statements mean the same in another definition.
fn is_movable(selection: &SelectedStatements) -> bool {
    let declares = |it: &SyntaxNode| it.descendants().any(|it| it.kind() == RESOURCE_EXPR);
    // Defaults and overrides depend on the scope.
    let uses_scope = selection.owner.syntax().descendants().any(|it| {
        matches!(it.kind(), RESOURCE_DEFAULTS | RESOURCE_OVERRIDE)
            || ast::CollectExpr::cast(it).is_some_and(|it| it.operations().next().is_some())
    });
    let inherits = selection.owner.syntax().children().any(|it| it.kind() == INHERITS_CLAUSE);
    let nodes = || selection.statements.iter().flat_map(SyntaxNode::descendants);
    selection.statements.iter().any(declares)
        && !uses_scope
        && !inherits
        && nodes().all(|it| is_movable_node(&it))
        && selection.statements.iter().all(|it| !expressions::has_multiline_string(it))
}

/// Returns true if the code around the statements, or a definition that it or they use, may depend on which resources
/// are declared: a defined type declares its resources later, and thereby after others.
fn reads_catalog(ctx: &AssistContext<'_>, selection: &SelectedStatements) -> bool {
    let mut files = vec![ctx.file];
    let mut searched = 0;
    while let Some(file) = files.get(searched).copied() {
        let is_own = file == ctx.file;
        let is_outside = |it: &SyntaxNode| !is_own || !selection.range.contains_range(it.text_range());
        let root = project::parse(ctx.db, file).syntax();
        let reads = root.descendants().any(|it| reads_declared(&it) && is_outside(&it));
        searched += 1;
        if reads || searched > MAX_SEARCHED_FILES {
            return true;
        }
        for name_use in project::name_uses(ctx.db, file).iter() {
            let kind = match name_use.kind {
                NameUseKind::Class => NameKind::Class,
                NameUseKind::ResourceType => NameKind::DefinedType,
                NameUseKind::Function => NameKind::Function,
                _ => continue,
            };
            let named = project::resolve_in_file(ctx.db, file, kind, &name_use.name);
            files.extend(named.map(|it| it.file(ctx.db)).filter(|it| !files.contains(it)));
        }
    }
    false
}

/// Returns true if the value of a node depends on the resources that were declared before.
fn reads_declared(node: &SyntaxNode) -> bool {
    let name = match node.kind() {
        STATEMENT_CALL => ast::StatementCall::cast(node.clone()).and_then(|it| it.name()).map(|it| it.text()),
        CALL_EXPR => ast::CallExpr::cast(node.clone())
            .and_then(|it| it.functor())
            .map(|it| it.syntax().text().to_owned()),
        METHOD_CALL_EXPR => ast::MethodCallExpr::cast(node.clone())
            .and_then(|it| it.name_token())
            .map(|it| it.text().to_owned()),
        ACCESS_EXPR => return reads_parameter(node),
        _ => None,
    };
    name.is_some_and(|name| {
        let name = name.trim_start_matches("::");
        CATALOG_FUNCTIONS.contains(&name.strip_prefix("stdlib::").unwrap_or(name))
    })
}

/// Returns true for `Type['title']['parameter']`, which may be set later.
fn reads_parameter(node: &SyntaxNode) -> bool {
    ast::AccessExpr::cast(node.clone())
        .and_then(|it| it.lhs())
        .is_some_and(|it| matches!(&it, Expr::AccessExpr(inner) if starts_with_type(inner)))
}

fn is_movable_node(node: &SyntaxNode) -> bool {
    let is_known = |name: &str| expressions::is_movable_function(name) || LOCAL_FUNCTIONS.contains(&name);
    match node.kind() {
        HEREDOC | COLLECT_EXPR | APPLY_EXPR | UNTITLED_RESOURCE | VIRTUAL_EXPR => false,
        STATEMENT_CALL => ast::StatementCall::cast(node.clone())
            .and_then(|it| it.name())
            .is_some_and(|it| is_known(&it.text())),
        CALL_EXPR => ast::CallExpr::cast(node.clone())
            .and_then(|it| it.functor())
            .is_some_and(|it| matches!(it, Expr::QualifiedReference(_)) || is_known(it.syntax().text())),
        METHOD_CALL_EXPR => ast::MethodCallExpr::cast(node.clone())
            .and_then(|it| it.name_token())
            .is_some_and(|it| is_known(it.text())),
        ACCESS_EXPR => !reads_parameter(node),
        // Classes are contained by the class that declares them.
        RESOURCE_EXPR => ast::ResourceExpr::cast(node.clone())
            .and_then(|it| it.type_expr())
            .is_some_and(|it| it.syntax().text() != "class"),
        _ => ast::Definition::cast(node.clone()).is_none(),
    }
}

fn starts_with_type(access: &ast::AccessExpr) -> bool {
    access.syntax().first_token().is_some_and(|it| it.kind() == CLASSREF)
}

/// Returns the variables that the statements read from outside. `None` if that cannot be determined, or if
/// something outside reads what they set.
fn parameters(ctx: &AssistContext<'_>, selection: &SelectedStatements) -> Option<Vec<NewParameter>> {
    let uses = project::name_uses(ctx.db, ctx.file);
    let is_in = |it: &NameUse| selection.range.contains_range(it.range);
    let mut parameters: Vec<NewParameter> = Vec::new();
    for name_use in uses.iter().filter(|it| is_in(it)) {
        let NameUseKind::Variable(binding) = &name_use.kind else { continue };
        match binding {
            VariableBinding::Qualified { .. } => {}
            VariableBinding::Free => match symbol::resolve(ctx.db, ctx.file, name_use)? {
                Symbol::Fact(_) => {}
                Symbol::BuiltInVariable(name)
                    if matches!(name.as_str(), "facts" | "trusted" | "module_name") => {}
                _ => return None,
            },
            VariableBinding::Local { variable, .. } => {
                let is_same = |it: &&NameUse| matches!(&it.kind, NameUseKind::Variable(VariableBinding::Local { variable: own, .. }) if own == variable);
                let own: Vec<&NameUse> = uses.iter().filter(is_same).collect();
                let set = *own.iter().find(|it| it.access != Access::Read)?;
                if own.iter().any(|it| it.access != Access::Read && is_in(it)) {
                    // Set by the statements themselves.
                    let is_class_variable =
                        selection.is_class && !is_read_here_only(ctx, name_use, own.len());
                    if is_class_variable || !own.iter().all(|it| is_in(it)) {
                        return None;
                    }
                } else if parameters.iter().all(|it| it.name != name_use.name) {
                    parameters.push(parameter(ctx, selection, set)?);
                }
            }
        }
    }
    Some(parameters)
}

fn is_read_here_only(ctx: &AssistContext<'_>, name_use: &NameUse, count: usize) -> bool {
    match symbol::resolve(ctx.db, ctx.file, name_use) {
        Some(symbol @ Symbol::Variable { definition, .. }) => {
            let files = symbols::search::candidate_files(ctx.db, ctx.file, &symbol);
            let uses = files.into_iter().map(|it| symbols::references::uses_in(ctx.db, it, &symbol).len());
            uses.sum::<usize>() == count
                && crate::rename::is_unread_by_templates(ctx.db, definition, &name_use.name)
        }
        symbol => matches!(symbol, Some(Symbol::LambdaVariable { .. })),
    }
}

/// Returns the parameter for a variable that is set at `set`, before the statements in any case.
fn parameter(ctx: &AssistContext<'_>, selection: &SelectedStatements, set: &NameUse) -> Option<NewParameter> {
    let name = set.name.to_string();
    let is_metaparameter = plugins::built_in::metaparameter(&name).is_some();
    if is_metaparameter || matches!(name.as_str(), "title" | "name") || name.starts_with('_') {
        return None;
    }
    let token = ctx.root.tokens_at(set.range.end.saturating_sub(1)).last()?;
    let parent = token.parent()?;
    if let Some(declared) = ast::Parameter::cast(parent.clone()) {
        let type_text = declared.type_expr().map(|it| it.syntax().text().to_owned()).unwrap_or_default();
        let head = type_text.split(['[', ':']).next().unwrap_or_default();
        let is_defined = DEFINED_TYPES.contains(&head) && !type_text.contains('$');
        let is_optional = head == "Optional" && !type_text.contains('$');
        let type_text = if is_defined || is_optional { type_text } else { "Any".to_owned() };
        return Some(NewParameter { name, type_text, may_be_undef: !is_defined });
    }
    let statement = expressions::statement_around(&parent)?;
    let block = statement.parent()?;
    let is_before = statement.text_range().end <= selection.range.start;
    let is_always_set = statement.kind() == ASSIGNMENT_EXPR
        && block.text_range().contains_range(selection.range)
        && !expressions::is_inside(&parent, &[LAMBDA]);
    (is_before && is_always_set).then(|| NewParameter {
        name,
        type_text: "Any".to_owned(),
        may_be_undef: true,
    })
}

fn new_definition(
    ctx: &AssistContext<'_>,
    selection: &SelectedStatements,
    parameters: &[NewParameter],
    name: &str,
    is_class: bool,
) -> Option<CodeAction> {
    let FileRole::Module { .. } = ctx.file.role(ctx.db) else { return None };
    let kind = if is_class { DefinitionKind::Class } else { DefinitionKind::DefinedType };
    let path = crate::code_actions::autoload_path(ctx.db, ctx.file, kind, name)?;
    if is_taken(ctx, name) {
        return None;
    }
    let (keyword, noun) = if is_class { ("class", "class") } else { ("define", "defined type") };
    let text = definition_text(ctx, selection, parameters, keyword, name);
    let indent = expressions::indentation(ctx.text(), selection.range.start);
    let call = declaration(selection, parameters, name, is_class, indent);
    let edit = SourceEdit { range: selection.range, text: call };
    let change = SourceChange {
        edits: vec![(FileId(ctx.file), vec![edit])],
        creates: vec![(path, text)],
        ..SourceChange::default()
    };
    ctx.change(CodeActionKind::RefactorExtract, format!("Extract to {noun} `{name}`"), change)
}

/// Returns true if a class or defined type has the name.
fn is_taken(ctx: &AssistContext<'_>, name: &str) -> bool {
    [NameKind::Class, NameKind::DefinedType]
        .into_iter()
        .any(|kind| project::resolve_in_file(ctx.db, ctx.file, kind, name).is_some())
}

/// Returns the text of the file with the new definition.
fn definition_text(
    ctx: &AssistContext<'_>,
    selection: &SelectedStatements,
    parameters: &[NewParameter],
    keyword: &str,
    name: &str,
) -> String {
    let step = indentation_step(ctx.text());
    let mut text = format!("# @summary Part of `{}`\n", selection.owner_name);
    if !parameters.is_empty() {
        text.push_str("#\n");
    }
    for it in parameters {
        text.push_str(&format!("# @param {}\n#   Value of `${}`\n", it.name, it.name));
    }
    text.push_str(&format!("{keyword} {name} "));
    if !parameters.is_empty() {
        text.push_str("(\n");
        for it in parameters {
            let default = if it.may_be_undef { " = undef" } else { "" };
            text.push_str(&format!("{step}{} ${}{default},\n", it.type_text, it.name));
        }
        text.push_str(") ");
    }
    let indent = expressions::indentation(ctx.text(), selection.range.start);
    let body = expressions::reindented(ctx.slice(selection.range), indent, step);
    text.push_str(&format!("{{\n{step}{body}\n}}\n"));
    text
}

/// Returns the code that declares the new definition.
fn declaration(
    selection: &SelectedStatements,
    parameters: &[NewParameter],
    name: &str,
    is_class: bool,
    indent: &str,
) -> String {
    let width = parameters.iter().map(|it| it.name.chars().count()).max().unwrap_or_default();
    let attributes: Vec<String> =
        parameters.iter().map(|it| format!("{indent}  {:width$} => ${},\n", it.name, it.name)).collect();
    let attributes = attributes.concat();
    let contain = format!("contain {name}");
    match (is_class, attributes.is_empty()) {
        (true, true) => contain,
        (true, false) => format!("class {{ '{name}':\n{attributes}{indent}}}\n{indent}{contain}"),
        (false, _) => {
            let title =
                if selection.is_class { format!("'{}'", selection.owner_name) } else { "$title".to_owned() };
            let end =
                if attributes.is_empty() { " }".to_owned() } else { format!("\n{attributes}{indent}}}") };
            format!("{name} {{ {title}:{end}")
        }
    }
}
