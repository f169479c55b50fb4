//! Title patterns of resource types, returned by their method `title_patterns`.

use ruby_prism::Node;
use syntax::TextRange;

use super::context::DefinitionContext;
use super::interpreter::{RubyInterpreter, constant_name};
use super::value::{RubyArguments, RubyClosure, RubyCode, RubyValue, entry};
use crate::{TitlePart, TitlePattern, TitlePatterns};

impl<'pr> RubyInterpreter<'pr> {
    /// Evaluates the method of the type under construction, if it has one.
    pub(super) fn read_title_patterns(&mut self, type_range: TextRange) {
        let Some(DefinitionContext::Type(draft)) = self.contexts.last() else { return };
        if draft.resource_type.title_patterns != TitlePatterns::Unknown {
            return;
        }
        let was_open = draft.resource_type.is_incomplete;
        let patterns = self.method("title_patterns").and_then(|method| {
            let value = self.invoke(&method, &RubyArguments::default(), type_range);
            parse_patterns(&value)
        });
        // Another file may define the methods that it calls.
        self.has_missing_definition |= patterns.is_none();
        if let Some(DefinitionContext::Type(draft)) = self.contexts.last_mut() {
            // Its code cannot add attributes.
            draft.resource_type.is_incomplete = was_open;
            draft.resource_type.title_patterns =
                patterns.map_or(TitlePatterns::Unknown, TitlePatterns::Listed);
        }
    }
}

/// Parses `[[/(.*)/, [[:name], [:other, lambda { |it| it }]]]]`.
fn parse_patterns(value: &RubyValue<'_>) -> Option<Vec<TitlePattern>> {
    let RubyValue::Array(patterns) = value else { return None };
    patterns.iter().map(title_pattern).collect()
}

fn title_pattern(value: &RubyValue<'_>) -> Option<TitlePattern> {
    let RubyValue::Array(pair) = value else { return None };
    let [RubyValue::Pattern(pattern), RubyValue::Array(parts)] = pair.as_slice() else { return None };
    let parts: Option<Vec<TitlePart>> = parts.iter().map(title_part).collect();
    Some(TitlePattern { pattern: pattern.clone(), parts: parts? })
}

fn title_part(value: &RubyValue<'_>) -> Option<TitlePart> {
    let RubyValue::Array(part) = value else { return None };
    let attribute = part.first()?;
    let (RubyValue::Symbol(attribute), true) = (attribute, part.len() <= 2) else { return None };
    let is_verbatim = match part.get(1) {
        None | Some(RubyValue::Nil) => true,
        Some(RubyValue::Block(block)) => is_identity(block),
        Some(_) => false,
    };
    Some(TitlePart { attribute: attribute.clone(), is_verbatim })
}

/// Returns true for `lambda { |it| it }`.
fn is_identity(block: &RubyClosure<'_>) -> bool {
    let (parameters, body) = match &block.code {
        RubyCode::Block(node) => (node.parameters(), node.body()),
        RubyCode::Lambda(node) => (node.parameters(), node.body()),
    };
    let parameter = parameters
        .and_then(|it| it.as_block_parameters_node()?.parameters())
        .and_then(|it| exactly_one(it.requireds().iter())?.as_required_parameter_node())
        .map(|it| constant_name(&it.name()));
    let result = body
        .and_then(|it| exactly_one(it.as_statements_node()?.body().iter())?.as_local_variable_read_node())
        .map(|it| constant_name(&it.name()));
    parameter.is_some() && parameter == result
}

fn exactly_one<'pr>(mut nodes: impl Iterator<Item = Node<'pr>>) -> Option<Node<'pr>> {
    let first = nodes.next()?;
    nodes.next().is_none().then_some(first)
}

/// Parses the Resource API notation, in which groups are named after attributes: `[{ pattern: /(?<name>.*)/,
/// desc: 'all of it' }]`.
pub(super) fn parse_named_groups(value: &RubyValue<'_>) -> TitlePatterns {
    let pattern = |description: &RubyValue<'_>| {
        let RubyValue::Hash(entries) = description else { return None };
        let RubyValue::Pattern(pattern) = &entry(entries, "pattern")?.value else { return None };
        let part = |attribute: String| TitlePart { attribute: attribute.into(), is_verbatim: true };
        let parts = group_names(pattern).into_iter().map(part).collect();
        Some(TitlePattern { pattern: pattern.clone(), parts })
    };
    match value {
        RubyValue::Array(descriptions) => {
            let patterns: Option<Vec<TitlePattern>> = descriptions.iter().map(pattern).collect();
            patterns.map_or(TitlePatterns::Unknown, TitlePatterns::Listed)
        }
        _ => TitlePatterns::Unknown,
    }
}

/// Returns the group names of a pattern, in the order of their first occurrences.
fn group_names(pattern: &str) -> Vec<String> {
    let Ok(Some(pattern)) = scalars::ruby_regex::parse(pattern) else { return Vec::new() };
    let mut names: Vec<(u32, String)> = pattern
        .names
        .iter()
        .filter_map(|(name, groups)| Some((*groups.iter().min()?, name.iter().collect())))
        .collect();
    names.sort();
    names.into_iter().map(|(_, name)| name).collect()
}
