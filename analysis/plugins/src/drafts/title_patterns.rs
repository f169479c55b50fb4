//! Title patterns of resource types.

use smol_str::SmolStr;

use crate::{TitlePart, TitlePattern};

/// Returns a title pattern of the Resource API, whose groups are named after attributes.
pub fn title_pattern_of_groups(pattern: SmolStr) -> TitlePattern {
    let part = |attribute: String| TitlePart { attribute: attribute.into(), is_verbatim: true };
    let parts = group_names(&pattern).into_iter().map(part).collect();
    TitlePattern { pattern, parts }
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
