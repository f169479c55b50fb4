//! Parameters of definitions, as written.

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Name, fold_name};
use project::{Db, DefinitionId};
use syntax::AstNode;
use syntax::ast::{self, Definition};

/// Source text of a parameter.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterText {
    pub name: Name,
    /// Type in one line; empty if not declared.
    pub type_text: String,
    /// Default in one line; `None` if there is none.
    pub default: Option<String>,
    pub is_repeated: bool,
    /// Text of its `@param` tag.
    pub documentation: Option<String>,
}

/// Formats a parameter as declared in Puppet's notation; `type_text` may be empty.
pub fn format_parameter(type_text: &str, is_repeated: bool, name: &str, default: Option<&str>) -> String {
    let separator = if type_text.is_empty() { "" } else { " " };
    let splat = if is_repeated { "*" } else { "" };
    let default = default.map(|it| format!(" = {it}")).unwrap_or_default();
    format!("{type_text}{separator}{splat}${name}{default}")
}

impl ParameterText {
    /// Returns the parameter as declared.
    pub fn text(&self) -> String {
        format_parameter(&self.type_text, self.is_repeated, &self.name, self.default.as_deref())
    }

    /// Returns true if calls must pass the parameter.
    pub fn is_required(&self) -> bool {
        self.default.is_none() && !self.is_repeated
    }
}

/// Returns the parameters of a definition, or of a template.
#[salsa::tracked(returns(clone), lru = 512)]
pub fn parameters(db: &dyn Db, definition: DefinitionId) -> Arc<[ParameterText]> {
    let file = definition.file(db);
    if file.is_large(db) {
        return Arc::default();
    }
    let parse = project::parse_once(db, file);
    let tree = parse.tree();
    let key = definition.key(db);
    let list = match key.kind {
        DefinitionKind::Main => tree.epp_parameters(),
        _ => find(&tree, key).and_then(|node| node.parameters()),
    };
    let summary = project::item_summary(db, file).get(key);
    let comment = summary.and_then(|it| it.documentation.clone());
    let documents = comment.map(|text| plugins::documentation::parse(&text)).unwrap_or_default();
    let text = |parameter: ast::Parameter| {
        let name: Name = parameter.name().unwrap_or_default().into();
        let documentation = documents.param(&name).map(|it| it.text.clone()).filter(|it| !it.is_empty());
        ParameterText {
            type_text: parameter.type_expr().map(|it| one_line(it.syntax().text())).unwrap_or_default(),
            default: parameter.default().map(|it| one_line(it.syntax().text())),
            is_repeated: parameter.splat().is_some(),
            documentation,
            name,
        }
    };
    list.into_iter().flat_map(|list| list.parameters().map(text).collect::<Vec<_>>()).collect()
}

/// Returns the node of a definition in the tree of its file.
pub fn find(tree: &ast::SourceFile, key: &DefinitionKey) -> Option<Definition> {
    let is_kind = |node: &Definition| {
        matches!(
            (node, key.kind),
            (Definition::ClassDefinition(_), DefinitionKind::Class)
                | (Definition::DefinedType(_), DefinitionKind::DefinedType)
                | (Definition::FunctionDefinition(_), DefinitionKind::Function)
                | (Definition::PlanDefinition(_), DefinitionKind::Plan)
        )
    };
    let named = tree.definitions().filter(|node| {
        is_kind(node) && node.qualified_name().is_some_and(|name| fold_name(&name) == key.name)
    });
    named.into_iter().nth(key.ordinal as usize)
}

/// Returns the declared return type of a Puppet function.
pub fn return_type(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    let parse = project::parse_once(db, definition.file(db));
    let Definition::FunctionDefinition(function) = find(&parse.tree(), definition.key(db))? else {
        return None;
    };
    let ty = function.return_type()?.type_expr()?;
    Some(one_line(ty.syntax().text()))
}

/// Collapses whitespace and line breaks to single spaces.
pub fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
