//! MentionedNames in Hiera data, by key.

use hiera::data::{Content, DataNode, HieraData};
use hiera::interpolation::{InterpolationExpression, interpolations};
use hir::Name;
use syntax::TextRange;

use crate::mentions::{MentionSet, MentionedNames};
use crate::pattern::PatternKind;

/// A key of a data file, and what its value mentions.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct KeyMentions {
    pub(crate) name: Name,
    /// The key.
    pub(crate) range: TextRange,
    /// The key and its value.
    pub(crate) full: TextRange,
    pub(crate) mentions: MentionedNames,
}

/// Returns the keys of a data file with what their values mention.
pub(crate) fn mentions_in_data(data: &HieraData) -> Vec<KeyMentions> {
    let entry = |it: &hiera::DataEntry| {
        let name: Name = it.key.value.as_str()?.into();
        let mut found = MentionSet::default();
        let is_list_of_classes = matches!(name.as_str(), "classes" | "roles" | "profiles");
        if name != "lookup_options" {
            it.value.walk(&mut |node| value(node, is_list_of_classes, &mut found));
        }
        let full = TextRange::new(it.key.range.start, it.value.range.end.max(it.key.range.end));
        Some(KeyMentions { name, range: it.key.range, full, mentions: found.finish() })
    };
    data.entries().iter().filter_map(entry).collect()
}

fn value(node: &DataNode, is_list_of_classes: bool, found: &mut MentionSet) {
    let Content::Scalar { text, .. } = &node.content else { return };
    found.string(text);
    let parts = interpolations(text);
    let is_variable = |it: &hiera::interpolation::DataInterpolation<'_>| {
        !matches!(it.expression, InterpolationExpression::Lookup(_) | InterpolationExpression::Alias(_))
    };
    if parts.is_empty() {
        return;
    }
    let mut constants = Vec::new();
    let mut at = 0;
    for part in &parts {
        constants.push(text.get(at..part.range.start as usize).unwrap_or_default().to_owned());
        at = part.range.end as usize;
    }
    constants.push(text.get(at..).unwrap_or_default().to_owned());
    let is_bare = constants.iter().all(String::is_empty);
    let is_class = is_list_of_classes && is_bare && parts.iter().any(is_variable);
    let kind = if is_class { PatternKind::Class } else { PatternKind::Any };
    let facts = parts.iter().map(|it| fact_path(&it.expression)).collect();
    found.pattern_of_facts(kind, constants, facts, node.range);
}

/// Returns the path of a fact: `facts.os.family` for `%{facts.os.family}` and `%{::os.family}`.
fn fact_path(expression: &InterpolationExpression<'_>) -> Option<String> {
    let InterpolationExpression::Variable(name) = expression else { return None };
    let name = name.strip_prefix("::").unwrap_or(name);
    match name {
        _ if name.contains("::") => None,
        _ if name.starts_with("facts.") || name.starts_with("trusted.") => Some(name.to_owned()),
        _ => Some(format!("facts.{name}")),
    }
}
