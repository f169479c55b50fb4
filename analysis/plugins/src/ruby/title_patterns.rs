//! How a resource type takes titles apart: what its method `title_patterns` gives.

use ruby_prism::Node;
use syntax::TextRange;

use super::context::DefinitionContext;
use super::interpreter::{RubyInterpreter, constant_text};
use super::value::{RubyArguments, RubyClosure, RubyCode, RubyValue, entry};
use crate::{TitlePart, TitlePattern, TitlePatterns};

impl<'pr> RubyInterpreter<'pr> {
    /// Follows the method of the type that is being made, if it has one.
    pub(super) fn read_title_patterns(&mut self, type_range: TextRange) {
        let Some(DefinitionContext::Type(draft)) = self.contexts.last() else { return };
        if draft.resource_type.title_patterns != TitlePatterns::Unknown {
            return;
        }
        let was_open = draft.resource_type.is_open;
        let patterns = self.method("title_patterns").and_then(|method| {
            let value = self.invoke(&method, &RubyArguments::default(), type_range);
            listed(&value)
        });
        // Another file may define what it calls.
        self.misses_something |= patterns.is_none();
        if let Some(DefinitionContext::Type(draft)) = self.contexts.last_mut() {
            // Nothing that it does adds an attribute.
            draft.resource_type.is_open = was_open;
            draft.resource_type.title_patterns =
                patterns.map_or(TitlePatterns::Unknown, TitlePatterns::Listed);
        }
    }
}

/// `[[/(.*)/, [[:name], [:other, lambda { |it| it }]]]]`
fn listed(value: &RubyValue<'_>) -> Option<Vec<TitlePattern>> {
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
        Some(RubyValue::Block(block)) => gives_what_it_gets(block),
        Some(_) => false,
    };
    Some(TitlePart { attribute: attribute.clone(), is_verbatim })
}

/// Is it `lambda { |it| it }`?
fn gives_what_it_gets(block: &RubyClosure<'_>) -> bool {
    let (parameters, body) = match &block.code {
        RubyCode::Block(node) => (node.parameters(), node.body()),
        RubyCode::Lambda(node) => (node.parameters(), node.body()),
    };
    let parameter = parameters
        .and_then(|it| it.as_block_parameters_node()?.parameters())
        .and_then(|it| only(it.requireds().iter())?.as_required_parameter_node())
        .map(|it| constant_text(&it.name()));
    let result = body
        .and_then(|it| only(it.as_statements_node()?.body().iter())?.as_local_variable_read_node())
        .map(|it| constant_text(&it.name()));
    parameter.is_some() && parameter == result
}

fn only<'pr>(mut nodes: impl Iterator<Item = Node<'pr>>) -> Option<Node<'pr>> {
    let first = nodes.next()?;
    nodes.next().is_none().then_some(first)
}

/// `[{ pattern: /(?<name>.*)/, desc: 'all of it' }]`, as the Resource API has it: groups are named as what they give.
pub(super) fn with_named_groups(value: &RubyValue<'_>) -> TitlePatterns {
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

/// The names of the groups of a pattern, in the order of their first groups.
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
