//! Completion in ERB templates: the variables of the definitions that render them, and functions.

use hir::{DefinitionKind, Name};
use plugins::built_in;
use project::{Db, File, NameKind};
use rustc_hash::FxHashSet;
use symbols::symbol;
use syntax::TextRange;
use validation::VersionDifference;

use super::qualified_variables;
use crate::item::{CompletionDetails, CompletionItem, CompletionKind};
use crate::{Completions, environment, rank};

/// Owner of the items for variables.
pub(crate) const OWNER: &str = "erb";

/// Text before the quoted name of a variable.
const VARIABLE_READERS: &[&str] = &["scope[", "scope.lookupvar(", "scope.lookupvar ", "has_variable?("];
const FUNCTION_CALLERS: &[&str] = &["scope.call_function(", "scope.call_function "];

/// Returns the completions at an offset of a template: names from Puppet in its Ruby code.
pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    let text = project::text(db, file)?;
    let front = text.get(..offset as usize)?;
    let open = front.rfind("<%")?;
    let code = &front[open..];
    if code.contains("%>") || code.starts_with("<%#") || code.starts_with("<%%") {
        return None;
    }
    let is_word = |it: char| it.is_ascii_alphanumeric() || it == '_';
    let start = code.len() - code.chars().rev().take_while(|it| is_word(*it) || *it == ':').count();
    let (before, typed) = code.split_at(start);
    let behind_quote = |callers: &[&str]| {
        let outside = before.strip_suffix(['\'', '"']).unwrap_or_default();
        callers.iter().any(|it| outside.ends_with(it))
    };
    let items = if before.ends_with('@') && !typed.contains(':') {
        variables(db, file)
    } else if behind_quote(VARIABLE_READERS) {
        let mut items = plain_names(variables(db, file));
        items.extend(qualified(db, file, typed));
        items
    } else if behind_quote(FUNCTION_CALLERS) {
        functions(db, file)
    } else {
        return None;
    };
    let end = text[offset as usize..].chars().take_while(|it| is_word(*it)).count() as u32;
    let range = TextRange::new(offset - typed.len() as u32, offset + end);
    let (items, is_incomplete) = rank::ranked(items, typed, &text, offset);
    Some(Completions { range, items, is_incomplete })
}

/// Returns instance variables: those of the definitions that render the template, followed by built-in
/// variables and facts.
fn variables(db: &dyn Db, file: File) -> Vec<CompletionItem> {
    let item = |kind, name: &str, detail: &str, tier| {
        let item = CompletionItem::new(kind, format!("@{name}")).text(name).filter(name);
        item.detail(detail).owner(OWNER).tier(tier)
    };
    let mut items = Vec::new();
    for renderer in symbol::renderers(db, file).iter() {
        let lineage = match renderer.key(db).kind {
            DefinitionKind::Class => symbol::class_lineage(db, *renderer),
            _ => vec![*renderer],
        };
        for (distance, definition) in lineage.into_iter().enumerate() {
            for name in qualified_variables::of_class(db, definition).iter() {
                let tier = if distance == 0 { 0 } else { 1 };
                items.push(item(CompletionKind::Variable, name, &definition.key(db).name, tier));
            }
        }
    }
    let of_puppet = built_in::variables().iter();
    items.extend(of_puppet.map(|it| item(CompletionKind::Variable, &it.name, &it.type_text, 2)));
    let version = file.environments(db).first().map(|it| it.puppet_version(db));
    let facts = built_in::facts().iter().filter(|it| !it.name.contains(['*', '#']));
    let facts =
        facts.filter(|it| !it.is_legacy || version.is_some_and(|it| !it.has(VersionDifference::LegacyFacts)));
    items.extend(facts.map(|it| item(CompletionKind::Fact, &it.name, &it.type_text, 3)));
    for environment in file.environments(db).iter().copied() {
        let custom = project::custom_facts(db, environment).iter();
        items.extend(custom.map(|(_, fact)| item(CompletionKind::Fact, &fact.name, "fact", 3)));
    }
    items
}

/// Removes the `@` from the items.
fn plain_names(items: Vec<CompletionItem>) -> Vec<CompletionItem> {
    items.into_iter().map(|it| CompletionItem { label: it.text.clone(), ..it }).collect()
}

/// Returns the qualified variables for `scope['class::name']`.
fn qualified(db: &dyn Db, file: File, typed: &str) -> Vec<CompletionItem> {
    let prefix = if typed.starts_with("::") { "::" } else { "" };
    let scope = typed.trim_start_matches("::").rsplit_once("::").map(|(scope, _)| scope);
    let mut items = Vec::new();
    let mut classes: Vec<Name> = match (scope, environment::own_module(db, file)) {
        (Some(scope), _) => {
            let inner = format!("{scope}::");
            let all = environment::definitions(db, file, DefinitionKind::Class);
            let below = all.into_iter().filter(|it| it.name.starts_with(&inner));
            items.extend(below.map(|it| {
                let name = format!("{prefix}{}::", it.name);
                CompletionItem::new(CompletionKind::Class, name).detail("class").tier(3)
            }));
            vec![Name::new(scope)]
        }
        (None, Some(module)) => vec![module.clone(), format!("{module}::params").into()],
        (None, None) => Vec::new(),
    };
    let renderers = symbol::renderers(db, file);
    if scope.is_none() {
        let of_renderers = renderers.iter().filter(|it| it.key(db).kind == DefinitionKind::Class);
        classes.extend(of_renderers.map(|it| it.key(db).name.clone()));
    }
    let mut seen = FxHashSet::default();
    for class in classes.into_iter().filter(|it| seen.insert(it.clone())) {
        let Some(found) = project::resolve_in_file(db, file, NameKind::Class, &class) else { continue };
        for name in qualified_variables::of_class(db, found).iter() {
            let item = CompletionItem::new(CompletionKind::Variable, format!("{prefix}{class}::{name}"));
            items.push(item.owner(format!("class {class}")).tier(if scope.is_some() { 0 } else { 1 }));
        }
    }
    items
}

fn functions(db: &dyn Db, file: File) -> Vec<CompletionItem> {
    let mut names: Vec<Name> =
        functions::all_built_in().map(|it| Name::new(it.name)).filter(|it| it != "import").collect();
    let defined = environment::definitions(db, file, DefinitionKind::Function);
    names.extend(defined.into_iter().map(|it| it.name));
    for environment in file.environments(db).iter().copied() {
        names.extend(project::ruby_functions(db, environment).iter().map(|(name, _)| name.clone()));
    }
    names.into_iter().map(|it| CompletionItem::new(CompletionKind::Function, it.to_string())).collect()
}

/// Returns the details of `@name`.
pub(crate) fn details(db: &dyn Db, file: File, label: &str) -> Option<CompletionDetails> {
    let about = symbols::erb::of_variable(db, file, label.trim_start_matches('@'))?;
    Some(CompletionDetails { detail: about.code, documentation: about.text })
}
