//! Values and nested keys in Hiera data, determined by the type of the class parameter that the key sets.

use hir::DefinitionKind;
use project::{Db, File};
use symbols::hiera_data::parameter_of_key;
use syntax::TextRange;
use types::{Type, TypeEnvironment, Value};

use super::interpolations;
use super::yaml_cursor::{self, YamlCursor};
use crate::item::{CompletionItem, CompletionKind};
use crate::sources::hiera_keys;
use crate::sources::values::{alternatives, element, entry, find};
use crate::{Completions, environment, rank};

/// Merge behaviors for `lookup_options`.
const MERGES: &[(&str, &str)] = &[
    ("first", "first value found"),
    ("unique", "all values as one array without duplicates"),
    ("hash", "all hashes, merged at their top level"),
    ("deep", "all hashes, merged at all levels"),
];

/// Options of the merge behavior `deep`, with their documentation.
const MERGE_OPTIONS: &[(&str, &str)] = &[
    ("strategy", "merge behavior"),
    ("knockout_prefix", "prefix of elements to remove"),
    ("sort_merged_arrays", "sort all merged arrays"),
    ("merge_hash_arrays", "merge hashes in arrays"),
];

/// Returns the completions at an offset of a YAML data file: values, nested keys and interpolations.
pub(crate) fn completions(db: &dyn Db, file: File, offset: u32) -> Option<Completions> {
    let is_yaml = matches!(file.path(db).extension(), Some("yaml" | "yml" | "eyaml"));
    if !is_yaml || !project::is_hiera_data(db, file) {
        return None;
    }
    let text = project::text(db, file)?;
    let cursor = yaml_cursor::cursor(&text, offset as usize)?;
    let (items, typed, end) = match interpolations::open(&cursor) {
        Some(open) => {
            let items = interpolations::items(db, file, &cursor, &open, true, &text[offset as usize..]);
            (items, open.typed, offset)
        }
        None => (items(db, file, &cursor), cursor.typed, u32::try_from(cursor.end).ok()?),
    };
    let (mut items, is_incomplete) = rank::ranked(items, typed, &text, offset);
    if rank::is_complete(&items, typed) {
        items.clear();
    }
    let range = TextRange::new(offset - u32::try_from(typed.len()).ok()?, end);
    (!items.is_empty()).then_some(Completions { range, items, is_incomplete })
}

fn items(db: &dyn Db, file: File, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    match (&cursor.steps()[..], cursor.is_value) {
        ([], _) => Vec::new(),
        (["classes", "*"], _) => classes(db, file),
        (["lookup_options"], false) => keys_with_options(db, file, cursor),
        (["lookup_options", _, "merge"], false) => {
            let left = MERGE_OPTIONS.iter().filter(|it| !is_given(cursor, it.0));
            left.map(|it| key(it.0, it.1, cursor)).collect()
        }
        (["lookup_options", _, "merge", "sort_merged_arrays" | "merge_hash_arrays"], true) => {
            ["true", "false"].map(|it| CompletionItem::new(CompletionKind::Value, it).once()).into()
        }
        (["lookup_options", _], false) => {
            let keys = [("merge", "how values are combined"), ("convert_to", "type of the result")];
            keys.iter().filter(|it| !is_given(cursor, it.0)).map(|it| key(it.0, it.1, cursor)).collect()
        }
        (["lookup_options", _, "merge"], true) | (["lookup_options", _, "merge", "strategy"], true) => {
            MERGES.iter().map(|(name, detail)| value(name, cursor).detail(*detail)).collect()
        }
        (["lookup_options", _, "convert_to"], true) => vec![value("Sensitive", cursor)],
        (["lookup_options", ..], _) => Vec::new(),
        _ => of_parameter(db, file, cursor).unwrap_or_default(),
    }
}

/// Returns the keys that `lookup_options` may configure: those of the file, those of other data files, and the
/// parameters of classes.
fn keys_with_options(db: &dyn Db, file: File, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let Some(environment) = file.environments(db).first().copied() else { return Vec::new() };
    let data = project::hiera_data(db, file);
    let all = project::keys_with_data(db, environment);
    let known = all.iter().map(|name| {
        let tier = u8::from(data.entry(name).is_none());
        CompletionItem::new(CompletionKind::Key, name.to_string()).tier(tier)
    });
    let parameters = hiera_keys::items(db, file, cursor.typed, "", true).into_iter();
    let parameters = parameters.map(|item| {
        let tier = item.tier + 2;
        item.tier(tier)
    });
    let all = known.chain(parameters);
    let left = all.filter(|it| it.label != "lookup_options" && !is_given(cursor, &it.label));
    left.map(|item| {
        let text = if cursor.has_colon { item.label.clone() } else { format!("{}:", item.label) };
        item.text(text).once()
    })
    .collect()
}

fn is_given(cursor: &YamlCursor<'_>, key: &str) -> bool {
    cursor.given.iter().any(|it| it == key)
}

/// Returns the names of all classes.
fn classes(db: &dyn Db, file: File) -> Vec<CompletionItem> {
    let all = environment::definitions(db, file, DefinitionKind::Class).into_iter();
    all.map(|it| CompletionItem::new(CompletionKind::Class, it.name.to_string()).once()).collect()
}

/// Returns the values, or the nested keys, that the type of a class parameter allows at the cursor.
fn of_parameter(db: &dyn Db, file: File, cursor: &YamlCursor<'_>) -> Option<Vec<CompletionItem>> {
    let environment = *file.environments(db).first()?;
    let (first, rest) = cursor.path.split_first()?;
    let (class, parameter) = parameter_of_key(db, environment, first.as_deref()?)?;
    let signature = project::signature(db, class).as_ref()?;
    let index = signature.parameters.iter().position(|it| it.name == parameter.name)?;
    let ty = compile::parameter_types(db, class).get(index)?.clone()?;
    compile::with_world(db, class, |world| {
        let ty = rest.iter().try_fold(ty, |ty, step| match step {
            None => element(&ty, world),
            Some(key) => entry(&ty, key, world),
        })?;
        let is_item = rest.last().is_some_and(Option::is_none);
        let mut items = Vec::new();
        if cursor.is_value || is_item {
            let mut values = Vec::new();
            alternatives(&ty, world, 0, &mut values);
            items.extend(values.iter().filter_map(|it| value_item(it, cursor)));
        }
        if !cursor.is_value {
            items.extend(members(&ty, world, cursor));
        }
        Some(items)
    })?
}

/// Returns the keys that a struct type declares and the mapping does not set yet.
fn members(ty: &Type, env: &dyn TypeEnvironment, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let members = find(ty, env, 0, &|ty| match ty {
        Type::Struct(members) => {
            let member = |it: &types::StructMember| {
                let is_optional = it.key == types::StructKey::Optional;
                (it.name.to_string(), types::display::type_text(&it.value, env), is_optional)
            };
            Some(members.iter().map(member).collect::<Vec<_>>())
        }
        _ => None,
    });
    let left = members.unwrap_or_default().into_iter().filter(|(name, ..)| !is_given(cursor, name));
    left.map(|(name, ty, is_optional)| key(&name, &ty, cursor).tier(u8::from(is_optional))).collect()
}

fn key(name: &str, detail: &str, cursor: &YamlCursor<'_>) -> CompletionItem {
    let text = if cursor.has_colon || cursor.quote.is_some() { name.to_owned() } else { format!("{name}: ") };
    CompletionItem::new(CompletionKind::Key, name).detail(detail).text(text).once()
}

fn value(text: &str, cursor: &YamlCursor<'_>) -> CompletionItem {
    let is_bare = cursor.quote.is_some() || is_bare_string(text);
    let written = if is_bare { text.to_owned() } else { format!("'{}'", text.replace('\'', "''")) };
    CompletionItem::new(CompletionKind::Value, text).text(written).once()
}

fn value_item(of: &Value, cursor: &YamlCursor<'_>) -> Option<CompletionItem> {
    let bare = |text: &str| CompletionItem::new(CompletionKind::Value, text).once();
    Some(match of {
        Value::String(text) => value(text, cursor),
        _ if cursor.quote.is_some() => return None,
        Value::Boolean(true) => bare("true"),
        Value::Boolean(false) => bare("false"),
        // Data cannot set a parameter to `undef`: for `~`, the parameter gets its default.
        _ => return None,
    })
}

/// Returns true for strings that YAML reads as strings without quotes.
fn is_bare_string(text: &str) -> bool {
    const OTHER_VALUES: [&str; 10] = ["true", "false", "yes", "no", "on", "off", "null", "y", "n", "~"];
    let is_first = text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '_');
    let is_rest = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | '+');
    is_first && text.chars().all(is_rest) && !OTHER_VALUES.iter().any(|it| it.eq_ignore_ascii_case(text))
}
