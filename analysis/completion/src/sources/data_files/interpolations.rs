//! Names and keys inside of `%{...}` in Hiera data and `hiera.yaml`.

use plugins::built_in::{self, Fact};
use project::{Db, File};

use super::yaml_cursor::YamlCursor;
use crate::item::{CompletionItem, CompletionKind};

/// Maximum nesting depth of the facts that are offered.
const MAX_DEPTH: usize = 3;

/// Interpolation functions; the ones before `literal` accept a key.
const FUNCTIONS: &[(&str, &str)] = &[
    ("lookup", "value of a key, as a string"),
    ("alias", "value of a key, of any type"),
    ("scope", "value of a variable"),
    ("literal", "literal text, such as `%`"),
];

/// Open interpolation at the cursor.
pub(super) struct OpenInterpolation<'t> {
    /// Text after `%{`, or after the quote of a function's argument.
    pub(super) typed: &'t str,
    /// Function whose argument is being typed.
    function: Option<&'t str>,
}

/// Returns the interpolation that is open at the cursor.
pub(super) fn open<'t>(cursor: &YamlCursor<'t>) -> Option<OpenInterpolation<'t>> {
    let start = cursor.typed.rfind("%{")? + 2;
    let inner = &cursor.typed[start..];
    if inner.contains('}') {
        return None;
    }
    let typed = inner.trim_start();
    let Some((function, argument)) = typed.split_once('(') else {
        return Some(OpenInterpolation { typed, function: None });
    };
    let argument = argument.trim_start_matches(['\\', '\'', '"']);
    let is_complete = argument.contains(['\'', '"']);
    (!is_complete).then_some(OpenInterpolation { typed: argument, function: Some(function.trim()) })
}

/// Returns the items for an interpolation. `after` is the text after the replaced word.
pub(super) fn items(
    db: &dyn Db,
    file: File,
    cursor: &YamlCursor<'_>,
    open: &OpenInterpolation<'_>,
    allows_functions: bool,
    after: &str,
) -> Vec<CompletionItem> {
    match open.function {
        Some("lookup" | "alias" | "hiera") if allows_functions => keys(db, file),
        Some("scope") if allows_functions => names(db, file, ""),
        Some(_) => Vec::new(),
        None => {
            let end = if after.trim_start().starts_with('}') { "" } else { "}" };
            let mut items = names(db, file, end);
            if allows_functions {
                items
                    .extend(FUNCTIONS.iter().map(|(name, detail)| function(name, detail, cursor.quote, end)));
            }
            items
        }
    }
}

fn function(name: &str, detail: &str, outer: Option<char>, end: &str) -> CompletionItem {
    let quote = if outer == Some('\'') { '"' } else { '\'' };
    CompletionItem::new(CompletionKind::Function, name)
        .detail(detail)
        .text(format!("{name}({quote}{quote}){end}"))
        .snippet(Some(format!("{name}({quote}$1{quote}){}", end.replace('}', "\\}"))))
        .tier(1)
}

/// Returns the keys that data sets.
fn keys(db: &dyn Db, file: File) -> Vec<CompletionItem> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let keys = project::keys_with_data(db, environment);
    let keys = keys.iter().filter(|it| *it != "lookup_options");
    keys.map(|it| CompletionItem::new(CompletionKind::Key, it.as_str()).once()).collect()
}

/// Returns the facts and variables of the top scope, as dotted paths.
fn names(db: &dyn Db, file: File, end: &str) -> Vec<CompletionItem> {
    let mut items = Vec::new();
    for (tier, variable) in ["trusted", "facts", "server_facts"].into_iter().enumerate() {
        let facts = match variable {
            "facts" => built_in::facts(),
            _ => built_in::variable(variable).map_or(&[][..], |it| &it.parts),
        };
        let tier = u8::try_from(tier).unwrap_or_default();
        facts.iter().for_each(|it| add_fact(variable, it, 1, tier, end, &mut items));
    }
    let environments = file.environments(db).iter().copied();
    let custom = environments.flat_map(|it| project::custom_facts(db, it));
    items.extend(custom.map(|(_, fact)| name(&format!("facts.{}", fact.name), "custom fact", 1, end)));
    items.push(name("environment", "name of the environment", 0, end));
    items
}

fn add_fact(owner: &str, fact: &Fact, depth: usize, tier: u8, end: &str, items: &mut Vec<CompletionItem>) {
    if fact.is_legacy || fact.name.contains(['*', '#']) {
        return;
    }
    let path = format!("{owner}.{}", fact.name);
    items.push(name(&path, &fact.type_text, tier, end));
    if depth < MAX_DEPTH {
        fact.parts.iter().for_each(|it| add_fact(&path, it, depth + 1, tier, end, items));
    }
}

fn name(path: &str, detail: &str, tier: u8, end: &str) -> CompletionItem {
    CompletionItem::new(CompletionKind::Fact, path)
        .detail(detail)
        .text(format!("{path}{end}"))
        .tier(tier)
        .once()
}
