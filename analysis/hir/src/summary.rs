//! Summary of the definitions in a file, as far as other files need it: without bodies and offsets.

use std::sync::Arc;

use syntax::ast::{AstNode, Definition, ParameterList};
use syntax::{Parse, SyntaxKind, SyntaxNode, SyntaxToken};

use crate::body::{ExprArena, ExprId, HostMatch, ScopeId};
use crate::definition::{FileDefinitions, KeyOrder};
use crate::lower::{Lowering, hosts, inherited_name};
use crate::{DefinitionKey, DefinitionKind, Name};

/// Definitions of a file: its main program first, then the others in source order.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ItemSummary {
    pub definitions: Vec<DefinitionSummary>,
    order: KeyOrder,
}

impl ItemSummary {
    pub fn new(definitions: Vec<DefinitionSummary>) -> ItemSummary {
        let order = KeyOrder::new(definitions.len(), |at| &definitions[at].key);
        ItemSummary { definitions, order }
    }

    pub fn get(&self, key: &DefinitionKey) -> Option<&DefinitionSummary> {
        self.definitions.get(self.position(key)?)
    }

    /// Returns the index of a definition in [`ItemSummary::definitions`].
    pub fn position(&self, key: &DefinitionKey) -> Option<usize> {
        self.order.position(key, self.definitions.len(), |at| &self.definitions[at].key)
    }
}

/// Signature of a definition.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DefinitionSummary {
    pub key: DefinitionKey,
    /// Qualified name as written; empty for the main program and for a missing name.
    pub name: Name,
    /// Index of the enclosing definition in [`ItemSummary::definitions`].
    pub parent: Option<u32>,
    /// Comment directly above the definition, without the `#` and the space after it.
    pub documentation: Option<Arc<str>>,
    pub parameters: Box<[ParameterSummary]>,
    pub return_type: Option<ExprId>,
    /// Target of a type alias.
    pub aliased: Option<ExprId>,
    /// Parent class of a class, as written.
    pub inherits: Option<Name>,
    /// Hosts of a node definition.
    pub hosts: Box<[HostMatch]>,
    /// Type expressions referenced by the other fields.
    pub types: ExprArena,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParameterSummary {
    pub name: Name,
    /// Type in [`DefinitionSummary::types`].
    pub type_expr: Option<ExprId>,
    pub has_default: bool,
    /// True for `*$rest`.
    pub captures_rest: bool,
}

impl DefinitionSummary {
    /// Returns the summary of a main program without parameters.
    pub fn of_main_program() -> DefinitionSummary {
        DefinitionSummary {
            key: DefinitionKey::main(),
            name: Name::default(),
            parent: None,
            documentation: None,
            parameters: Box::default(),
            return_type: None,
            aliased: None,
            inherits: None,
            hosts: Box::default(),
            types: ExprArena::default(),
        }
    }

    /// Returns the summary without its documentation, so that comment edits do not change it.
    pub fn without_documentation(&self) -> DefinitionSummary {
        DefinitionSummary { documentation: None, ..self.clone() }
    }
}

/// Returns the summary of a tree.
pub fn summarize(parse: &Parse) -> ItemSummary {
    let definitions = FileDefinitions::new(parse);
    let tree = parse.tree();
    let mut summaries = Vec::with_capacity(definitions.entries.len() + 1);
    let mut main = Lowering::new(&definitions);
    let parameters = parameter_summaries(&mut main, tree.epp_parameters());
    let types = main.into_exprs();
    summaries.push(DefinitionSummary { parameters, types, ..DefinitionSummary::of_main_program() });
    for entry in &definitions.entries {
        let mut lowering = Lowering::new(&definitions);
        let parameters = parameter_summaries(&mut lowering, entry.node.parameters());
        let (mut return_type, mut aliased, mut inherits, mut host_matches) =
            (None, None, None, Box::default());
        match &entry.node {
            Definition::ClassDefinition(class) => inherits = inherited_name(class.inherits()),
            Definition::TypeDefinition(definition) => inherits = inherited_name(definition.inherits()),
            Definition::FunctionDefinition(function) => {
                return_type = lowering.return_type(function.return_type(), ScopeId::ROOT);
            }
            Definition::TypeAlias(alias) => aliased = Some(lowering.aliased_type(alias)),
            Definition::NodeDefinition(node) => host_matches = hosts(node),
            Definition::DefinedType(_) | Definition::PlanDefinition(_) | Definition::TypeMapping(_) => {}
        }
        summaries.push(DefinitionSummary {
            key: entry.key.clone(),
            name: if entry.key.kind == DefinitionKind::Node { Name::default() } else { entry.name.clone() },
            parent: entry.parent.map(|index| index as u32 + 1),
            documentation: documentation_comment(entry.node.syntax()),
            parameters,
            return_type,
            aliased,
            inherits,
            hosts: host_matches,
            types: lowering.into_exprs(),
        });
    }
    ItemSummary::new(summaries)
}

fn parameter_summaries(lowering: &mut Lowering<'_>, list: Option<ParameterList>) -> Box<[ParameterSummary]> {
    let Some(list) = list else { return Box::default() };
    let summaries = list.parameters().map(|parameter| ParameterSummary {
        name: parameter.name().unwrap_or_default().into(),
        type_expr: parameter.type_expr().map(|it| lowering.expr(it, ScopeId::ROOT)),
        has_default: parameter.syntax().token(SyntaxKind::EQ).is_some(),
        captures_rest: parameter.splat().is_some(),
    });
    summaries.collect()
}

/// Returns the text of the `#` comments directly above a definition, without a blank line in between.
fn documentation_comment(node: &SyntaxNode) -> Option<Arc<str>> {
    let tokens = documentation_tokens(node);
    let lines: Vec<&str> = tokens
        .iter()
        .map(|comment| {
            let text = comment.text().trim_end();
            let text = text.strip_prefix('#').unwrap_or(text);
            text.strip_prefix(' ').unwrap_or(text)
        })
        .collect();
    (!lines.is_empty()).then(|| lines.join("\n").into())
}

/// Returns the comments directly above a definition in source order. Each must be alone on its line, without
/// blank lines in between.
pub(crate) fn documentation_tokens(node: &SyntaxNode) -> Vec<SyntaxToken> {
    let mut comments = Vec::new();
    let mut token = node.first_token().and_then(|it| it.prev_token());
    // The tokens before it on its line have not been examined yet.
    let mut candidate: Option<SyntaxToken> = None;
    let mut line_breaks = 0;
    while let Some(current) = token {
        let is_comment = current.kind() == SyntaxKind::COMMENT;
        if !is_comment && current.kind() != SyntaxKind::WHITESPACE {
            candidate = None;
            break;
        }
        let text = current.text();
        let ends_line = if is_comment { text.ends_with('\n') } else { text.contains('\n') };
        if is_comment && !ends_line && candidate.take().is_some() {
            break;
        }
        if ends_line {
            comments.extend(candidate.take());
        }
        token = current.prev_token();
        if !is_comment {
            line_breaks += text.bytes().filter(|it| *it == b'\n').count();
        } else if line_breaks + usize::from(ends_line) == 1 {
            line_breaks = 0;
            candidate = Some(current);
        } else {
            break;
        }
    }
    comments.extend(candidate);
    comments.reverse();
    comments
}
