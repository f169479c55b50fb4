//! Top-scope variables that code of an environment sets while it is evaluated.

use std::sync::Arc;

use hir::{DefinitionKind, Name, ScopeId};
use plugins::built_in;
use project::{Db, Environment, File};
use validation::VersionDifference;

/// Returns the variables that a file sets outside of classes and defined types, where all declared classes
/// can read them.
#[salsa::tracked(returns(clone))]
pub fn variables_of_manifest(db: &dyn Db, file: File) -> Arc<[Name]> {
    let mut names = Vec::new();
    for definition in project::definitions(db, file) {
        if matches!(definition.key(db).kind, DefinitionKind::Main | DefinitionKind::Node) {
            let body = project::body(db, definition);
            names.extend(body.slots.iter().filter(|it| it.scope == ScopeId::ROOT).map(|it| it.name.clone()));
        }
    }
    names.into()
}

/// Returns the sorted names of the variables that Ruby functions set; `*` represents a name computed at run
/// time.
#[salsa::tracked(returns(ref))]
fn variables_set_in_ruby(db: &dyn Db, environment: Environment) -> Vec<Name> {
    let mut names = Vec::new();
    for module in environment.modules(db).values() {
        for (path, file) in module.files(db).iter() {
            if !path.starts_with("lib/puppet/") || !path.contains("/functions/") {
                continue;
            }
            let Some(text) = project::text(db, *file) else { continue };
            for (at, word) in text.match_indices("setvar") {
                let rest = text[at + word.len()..].trim_start_matches(['(', ' ']);
                let quote = rest.chars().next().filter(|it| matches!(it, '\'' | '"'));
                let name = quote.and_then(|quote| rest[1..].split(quote).next());
                names.push(match name {
                    Some(name) if !name.contains('#') => Name::new(name.trim_start_matches("::")),
                    _ => Name::new("*"),
                });
            }
        }
    }
    names.sort_unstable();
    names.dedup();
    names
}

/// Returns true if a Ruby function may set a variable of this name.
pub fn may_be_set_in_ruby(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let set = variables_set_in_ruby(db, environment);
    let has = |name: &str| set.binary_search_by(|it| it.as_str().cmp(name)).is_ok();
    has(name) || has("*")
}

/// Maximum length of the string with a fact's name.
const MAX_FACT_NAME: usize = 256;

/// Known start and end of the name of a fact.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct FactNamePattern {
    start: Name,
    end: Name,
}

/// Returns the names with interpolations in `Facter.add("net_#{name}")`. Names without known characters are
/// ignored.
#[salsa::tracked(returns(ref))]
fn computed_fact_names(db: &dyn Db, environment: Environment) -> Vec<FactNamePattern> {
    let mut patterns = Vec::new();
    for module in environment.modules(db).values() {
        for (path, file) in module.files(db).iter() {
            if !path.starts_with("lib/facter/") {
                continue;
            }
            let Some(text) = project::text(db, *file) else { continue };
            for (at, word) in text.match_indices("Facter.add") {
                let rest = text[at + word.len()..].trim_start_matches(['(', ' ', ':']);
                let known = rest.strip_prefix('"').and_then(ends_of_interpolation);
                let Some((start, end)) = known.filter(|(start, end)| start.len() + end.len() > 0) else {
                    continue;
                };
                let lower = |part: &str| Name::new(part.to_lowercase());
                patterns.push(FactNamePattern { start: lower(start), end: lower(end) });
            }
        }
    }
    patterns.sort_unstable();
    patterns.dedup();
    patterns
}

/// Returns the start and the end of a string around its interpolations; `None` if it has none. `text` begins
/// after the opening quote.
fn ends_of_interpolation(text: &str) -> Option<(&str, &str)> {
    let (mut depth, mut start, mut end) = (0, None, 0);
    for (at, character) in text.char_indices().take(MAX_FACT_NAME) {
        match character {
            '\n' => return None,
            '"' if depth == 0 => return start.map(|start| (&text[..start], &text[end..at])),
            '{' if depth > 0 => depth += 1,
            '{' if text[..at].ends_with('#') => {
                depth = 1;
                start.get_or_insert(at - 1);
            }
            '}' if depth > 0 => {
                depth -= 1;
                end = at + 1;
            }
            _ => {}
        }
    }
    None
}

/// Returns true if a module may add a fact of this name, which it computes.
pub fn may_be_computed_fact(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let matches = |it: &FactNamePattern| {
        name.strip_prefix(it.start.as_str()).is_some_and(|rest| rest.ends_with(it.end.as_str()))
    };
    computed_fact_names(db, environment).iter().any(matches)
}

/// Returns true if the main manifest, its nodes, or a Ruby function may set a top-scope variable.
pub(crate) fn may_be_set_at_top(db: &dyn Db, environment: Environment, name: &str) -> bool {
    let mut manifests = environment.main_manifests(db).iter();
    manifests.any(|it| variables_of_manifest(db, *it).iter().any(|known| known == name))
        || may_be_set_in_ruby(db, environment, name)
}

/// Returns true for a legacy fact that an agent does not send: all of them in Puppet 8. Names that only match a
/// pattern, such as `network_*`, may be those of other variables.
pub(crate) fn is_unsent_fact(db: &dyn Db, environment: Environment, name: &str) -> bool {
    environment.puppet_version(db).has(VersionDifference::LegacyFacts)
        && built_in::fact(name).is_some_and(|fact| fact.is_legacy && fact.name == name)
}
