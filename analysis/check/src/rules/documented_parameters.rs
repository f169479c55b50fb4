//! Parameters in documentation comments, for the codes `unknown-param-tag` and `undocumented-parameter`.

use codes::Code;
use hir::{DefinitionKind, Name};
use syntax::{SyntaxKind, SyntaxNode, SyntaxToken, TextRange};

use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, FixData, UnknownNameKind};
use eval::similar::similar;

use super::unknown::with_suggestion;

/// Maximum number of definitions checked per file; more only occur in generated files.
const MAX_DEFINITIONS: usize = 1000;

pub(super) fn check(context: &mut RuleContext<'_>) {
    check_documented(context, check_definition);
}

/// Runs `check` for each definition that puppet-strings documents and that has no syntax error.
pub(super) fn check_documented(
    context: &mut RuleContext<'_>,
    check: impl Fn(&RuleContext<'_>, &SectionDefinition<'_>, &mut Vec<Diagnostic>),
) {
    let mut found = Vec::new();
    for definition in context.definitions.iter().take(MAX_DEFINITIONS) {
        let is_documented_kind = matches!(
            definition.key.kind,
            DefinitionKind::Class
                | DefinitionKind::DefinedType
                | DefinitionKind::Function
                | DefinitionKind::Plan
        );
        if is_documented_kind && !definition.is_broken {
            check(context, definition, &mut found);
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let Some(documentation) = project::documentation(context.db, definition.id) else { return };
    if !documentation.contains("@param") {
        return;
    }
    let Some(node) = context.definition_node(definition) else { return };
    let parameters: Vec<Name> = definition.body.parameters.iter().map(|it| it.name.clone()).collect();
    let mut described = Vec::new();
    for (name, range) in comments_above(&node).iter().filter_map(tag) {
        // Available in every defined type, and described where they matter.
        let is_of_puppet = matches!(name.as_str(), "name" | "title");
        if !is_of_puppet && !parameters.contains(&name) {
            let similar = similar(&name, parameters.iter().map(|it| it.as_str()));
            let owner = &definition.key.name;
            let message = with_suggestion(format!("`{owner}` has no parameter `{name}`"), similar.first());
            let data = FixData::UnknownName { kind: UnknownNameKind::Attribute, name: name.clone(), similar };
            let code = Code::UnknownParamTag;
            found.push(Diagnostic::new(code, range, message).with_data(data));
        }
        described.push(name);
    }
    let heads = context.uses.iter().filter(|it| it.access == hir::Access::Declaration);
    let whole = node.text_range();
    for it in heads.filter(|it| {
        matches!(it.kind, hir::NameUseKind::Variable(hir::VariableBinding::Local { of_lambda: false, .. }))
    }) {
        if whole.contains_range(it.range) && parameters.contains(&it.name) && !described.contains(&it.name) {
            let message = format!("undocumented parameter `${}`", it.name);
            found.push(Diagnostic::new(Code::UndocumentedParameter, it.range, message));
        }
    }
}

/// Returns the comments on the lines directly above a definition, in source order.
pub(super) fn comments_above(node: &SyntaxNode) -> Vec<SyntaxToken> {
    let mut comments = Vec::new();
    let mut token = node.first_token().and_then(|it| it.prev_token());
    while let Some(current) = token {
        match current.kind() {
            SyntaxKind::WHITESPACE if current.text().matches('\n').count() <= 1 => {}
            SyntaxKind::COMMENT => comments.push(current.clone()),
            _ => break,
        }
        token = current.prev_token();
    }
    comments.reverse();
    comments
}

/// Returns the name after `@param` in a comment: `# @param [Integer] port the port`, `# @param port the
/// port`.
fn tag(comment: &SyntaxToken) -> Option<(Name, TextRange)> {
    let text = comment.text();
    let at = text.find("@param")?;
    // A `@param` in the middle of a sentence is not a tag.
    if !text[..at].trim_start_matches('#').trim().is_empty() {
        return None;
    }
    let mut start = at + "@param".len();
    if !text[start..].starts_with([' ', '\t']) {
        return None;
    }
    start += text[start..].len() - text[start..].trim_start().len();
    if text[start..].starts_with('[') {
        start += closing_bracket(&text[start..])?;
        start += text[start..].len() - text[start..].trim_start().len();
    }
    start += text[start..].len() - text[start..].trim_start_matches(['$', '*', '&']).len();
    let length =
        text[start..].bytes().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'_' | b':')).count();
    if length == 0 {
        return None;
    }
    let offset = comment.text_range().start + start as u32;
    Some((text[start..start + length].into(), TextRange::new(offset, offset + length as u32)))
}

pub(super) fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '[' => depth += 1,
            ']' if depth == 1 => return Some(at + 1),
            ']' => depth -= 1,
            _ => {}
        }
    }
    None
}
