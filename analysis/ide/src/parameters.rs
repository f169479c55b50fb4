//! The parameters of definitions, as they are written.

use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Name, fold_name};
use project::{Db, DefinitionId};
use syntax::AstNode;
use syntax::ast::{self, Definition};

/// A parameter from the outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ParameterText {
    pub(crate) name: Name,
    /// In one line; empty when there is none.
    pub(crate) type_text: String,
    /// In one line; `None` when there is none.
    pub(crate) default: Option<String>,
    pub(crate) is_repeated: bool,
    /// What `@param` says about it.
    pub(crate) documentation: Option<String>,
}

impl ParameterText {
    pub(crate) fn is_required(&self) -> bool {
        self.default.is_none() && !self.is_repeated
    }
}

/// The parameters of a definition; of a template those of the template.
#[salsa::tracked(returns(clone), lru = 512)]
pub(crate) fn parameters(db: &dyn Db, definition: DefinitionId) -> Arc<[ParameterText]> {
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
    let documents = comment.map(|text| documented_parameters(&text)).unwrap_or_default();
    let text = |parameter: ast::Parameter| {
        let name: Name = parameter.name().unwrap_or_default().into();
        let documentation = documents.iter().find(|(it, _)| *it == name).map(|(_, text)| text.clone());
        ParameterText {
            type_text: parameter.type_expr().map(|it| one_line(&it.syntax().text())).unwrap_or_default(),
            default: parameter.default().map(|it| one_line(&it.syntax().text())),
            is_repeated: parameter.splat().is_some(),
            documentation,
            name,
        }
    };
    list.into_iter().flat_map(|list| list.parameters().map(text).collect::<Vec<_>>()).collect()
}

fn find(tree: &ast::SourceFile, key: &DefinitionKey) -> Option<Definition> {
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

/// What a function in Puppet says that it returns.
pub(crate) fn return_type(db: &dyn Db, definition: DefinitionId) -> Option<String> {
    let parse = project::parse_once(db, definition.file(db));
    let Definition::FunctionDefinition(function) = find(&parse.tree(), definition.key(db))? else {
        return None;
    };
    let ty = function.return_type()?.type_expr()?;
    Some(one_line(&ty.syntax().text()))
}

/// A text without line breaks.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What a comment says behind each `@param`.
fn documented_parameters(comment: &str) -> Vec<(Name, String)> {
    let mut found: Vec<(Name, String)> = Vec::new();
    let mut is_open = false;
    for line in comment.lines() {
        if let Some(tag) = line.strip_prefix('@') {
            let rest = tag.strip_prefix("param").filter(|rest| rest.starts_with(char::is_whitespace));
            is_open = rest.is_some();
            let Some(rest) = rest else { continue };
            // A type may stand in front of the name, or behind it.
            let rest = without_type(rest.trim());
            let (name, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
            found.push((name.into(), without_type(rest.trim()).to_owned()));
        } else if is_open && (line.starts_with([' ', '\t']) || line.trim().is_empty()) {
            if let Some((_, text)) = found.last_mut() {
                if !text.is_empty() {
                    text.push('\n');
                }
                text.push_str(line.trim());
            }
        } else {
            is_open = false;
        }
    }
    for (_, text) in &mut found {
        *text = text.trim().to_owned();
    }
    found.retain(|(_, text)| !text.is_empty());
    found
}

fn without_type(text: &str) -> &str {
    if !text.starts_with('[') {
        return text;
    }
    let mut depth = 0usize;
    for (at, character) in text.char_indices() {
        match character {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 {
            return text[at + 1..].trim_start();
        }
    }
    text
}
