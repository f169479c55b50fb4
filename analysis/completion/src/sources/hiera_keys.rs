//! Hiera keys: in data, the parameters of all classes that the file does not set yet; in code, the keys that
//! exist in data.

use hir::{DefinitionKind, Name, NameUseKind};
use project::{Db, DefinitionId, File, FileRole, ModuleTree};
use rustc_hash::FxHashSet;
use symbols::hiera_data::parameter_of_key;
use syntax::TextRange;

use crate::item::{CompletionDetails, CompletionItem, CompletionKind, quoted};
use crate::{CompletionRequest, Completions, environment, rank, usage};

/// Owner of the items for keys.
pub(crate) const OWNER: &str = "hiera";

/// Returns the completions at an offset of a YAML data file: keys at the beginning of a line.
pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    if !project::is_hiera_data(db, file)
        || !matches!(file.path(db).extension(), Some("yaml" | "yml" | "eyaml"))
    {
        return None;
    }
    let text = project::text(db, file)?;
    let front = text.get(..offset as usize)?;
    let line = &front[front.rfind(['\n', '\r']).map_or(0, |at| at + 1)..];
    let quote = line.chars().next().filter(|it| matches!(it, '"' | '\''));
    let typed = quote.map_or(line, |_| &line[1..]);
    if !typed.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '_' | ':')) {
        return None;
    }
    let rest = text.get(offset as usize..)?;
    let after =
        rest.find(|it: char| !(it.is_ascii_alphanumeric() || it == '_' || it == ':')).unwrap_or(rest.len());
    // Without the colon after the key.
    let word = rest[..after].trim_end_matches(':');
    let has_colon = rest[word.len()..].starts_with(':') || quote.is_some();
    let range = TextRange::new(offset - typed.len() as u32, offset + word.len() as u32);
    let own = format!("{typed}{word}");
    let items = items(db, file, typed, &own, has_colon);
    let (items, is_incomplete) = rank::ranked(items, typed, &text, offset);
    Some(Completions { range, items, is_incomplete })
}

/// Returns the parameters of classes that the file does not set.
pub(crate) fn items(db: &dyn Db, file: File, typed: &str, own: &str, has_colon: bool) -> Vec<CompletionItem> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let data = project::hiera_data(db, file);
    let is_given = |key: &str| key != own && data.entry(key).is_some();
    let modules = environment.modules(db);
    let own_module = match file.role(db) {
        FileRole::Module { module, .. } if module.name(db) != "environment" => Some(*module),
        _ => None,
    };
    // The data of a module are for the module itself.
    let wanted: Vec<ModuleTree> = match (own_module, typed.split_once("::")) {
        (Some(module), _) => vec![module],
        (None, Some((module, _))) => modules.get(module).copied().into_iter().collect(),
        (None, None) => modules.values().copied().collect(),
    };
    let used = usage::between_modules(db, modules.values().copied());
    let mut items = Vec::new();
    for (defined_in, key) in wanted.into_iter().flat_map(|module| project::module_definitions(db, module)) {
        if key.kind != DefinitionKind::Class {
            continue;
        }
        let class = DefinitionId::new(db, *defined_in, key.clone());
        let Some(signature) = project::signature(db, class) else { continue };
        for parameter in &signature.parameters {
            let name = format!("{}::{}", key.name, parameter.name);
            if is_given(&name) {
                continue;
            }
            let detail = if parameter.has_default { "parameter" } else { "required parameter" };
            let text = if has_colon { name.clone() } else { format!("{name}: ") };
            let item = CompletionItem::new(CompletionKind::Key, name).detail(detail).text(text).owner(OWNER);
            let is_used = own_module.is_some() || used.contains(&key.name);
            items.push(item.tier(u8::from(parameter.has_default) + if is_used { 0 } else { 2 }));
        }
    }
    if !data.entries().iter().any(|entry| entry.key.value.as_str() == Some("lookup_options")) {
        let text = if has_colon { "lookup_options" } else { "lookup_options:" };
        let item = CompletionItem::new(CompletionKind::Key, "lookup_options").text(text).owner(OWNER);
        items.push(item.detail("merge and conversion options").tier(4));
    }
    items
}

/// Maximum number of matching keys whose nested keys are listed.
const MAX_EXPANDED_KEYS: usize = 5;

/// Returns the existing keys, for the argument of `lookup()` and similar functions.
pub(crate) fn looked_up(request: &CompletionRequest<'_>) -> Vec<CompletionItem> {
    let db = request.db;
    let Some(all) = request.file.environments(db).first().copied() else { return Vec::new() };
    let own = environment::own_module(db, request.file);
    let is_own = |key: &str| own.as_deref() == Some(environment::module_of(key));
    let typed = request.context.typed.trim_matches(['\'', '"']);
    let all_keys = project::keys_with_data(db, all);
    let mut keys: Vec<Name> = all_keys.iter().filter(|key| *key != "lookup_options").cloned().collect();
    // After a dot: the keys nested in the value of a key.
    let outer: Vec<Name> = match typed.rsplit_once('.') {
        Some((outer, _)) => vec![outer.into()],
        None => keys.iter().filter(|key| !typed.is_empty() && key.starts_with(typed)).cloned().collect(),
    };
    if outer.len() <= MAX_EXPANDED_KEYS {
        for outer in outer {
            let within = project::names_within_key(db, all, &outer).into_iter();
            keys.extend(within.map(|name| Name::from(format!("{outer}.{name}"))));
        }
    }
    // A key is usually looked up only once.
    let uses = project::name_uses(db, request.file);
    let used: FxHashSet<&str> = uses
        .iter()
        .filter(|it| it.kind == NameUseKind::HieraKey && !it.range.contains_inclusive(request.offset))
        .map(|it| it.name.as_str())
        .collect();
    let item = |key: Name| {
        let text = quoted(&key, request.context.in_quotes);
        let item = CompletionItem::new(CompletionKind::Key, key.as_str()).text(text).owner(OWNER).once();
        // Nested keys come after the others until a dot is typed.
        let within = if key.contains('.') && !typed.contains('.') { 2 } else { 0 };
        item.tier(if used.contains(key.as_str()) {
            5
        } else if is_own(&key) {
            within
        } else {
            within + 1
        })
    };
    keys.into_iter().map(item).collect()
}

/// Returns the details of a key: the type, default and documentation of the parameter.
pub(crate) fn details(db: &dyn Db, file: File, label: &str) -> Option<CompletionDetails> {
    let environment = *file.environments(db).first()?;
    let (class, parameter) = parameter_of_key(db, environment, label)?;
    let ty = Some(parameter.type_text.as_str()).filter(|it| !it.is_empty()).unwrap_or("Any");
    let default = parameter.default.as_ref().map(|it| format!(" = {it}")).unwrap_or_default();
    let detail = format!("{ty} ${}{default}", parameter.name);
    let of_class = format!("Parameter of class `{}`.", class.key(db).name);
    let documentation = [Some(of_class), parameter.documentation].into_iter().flatten();
    Some(CompletionDetails { detail, documentation: Some(documentation.collect::<Vec<_>>().join("\n\n")) })
}
