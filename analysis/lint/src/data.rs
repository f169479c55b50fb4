//! Legacy facts in the `%{…}` of Hiera data.

use crate::checks::legacy_facts::is_legacy_fact;
use crate::{StyleCheck, StyleFinding, table};

/// Returns the findings of the selected checks in a YAML file. Only `legacy_facts` applies to data.
pub fn lint_data(text: &str, wanted: impl Fn(&StyleCheck) -> bool) -> Vec<StyleFinding> {
    let Some(check) = table::CHECKS.iter().find(|it| it.name == "legacy_facts" && wanted(it)) else {
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut start = 0;
    for (index, line) in text.split('\n').enumerate() {
        if !line.trim_start().starts_with('#') {
            for at in line.match_indices("%{").map(|(at, _)| at) {
                if let Some(name) = fact_name(&line[at + 2..]).filter(|it| is_legacy_fact(it)) {
                    let begin = start + at as u32;
                    let line = index as u32 + 1;
                    let range = begin..begin + 2 + name.len() as u32;
                    let message = format!("legacy fact `{name}`");
                    found.push(StyleFinding::new(check.name, check.level, line, 1, range, message));
                }
            }
        }
        start += line.len() as u32 + 1;
    }
    found
}

/// Returns the fact that an interpolation reads: `%{name}`, `%{::name}`, `%{facts.name}`; `%{name.part}` is a
/// structured one.
fn fact_name(text: &str) -> Option<&str> {
    let text = text.strip_prefix("facts.").or_else(|| text.strip_prefix("::")).unwrap_or(text);
    let end = text.find(|it: char| !it.is_ascii_alphanumeric() && it != '_')?;
    let is_access =
        text[end..].strip_prefix('.').is_some_and(|it| it.starts_with(|it: char| it.is_ascii_alphabetic()));
    (end > 0 && !is_access).then(|| &text[..end])
}
