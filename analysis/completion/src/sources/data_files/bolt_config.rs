//! Completion in `bolt-project.yaml`, and in the `inventory.yaml` beside it: options, and their accepted values.

use plugins::built_in::bolt_options::{BoltOption, BoltOptionKind, options_of};
use project::{Db, File, FileKind, FileRole};
use syntax::TextRange;

use super::yaml_cursor::{self, YamlCursor};
use crate::item::{CompletionItem, CompletionKind};
use crate::{Completions, rank};

/// Names of the options that represent any element of an array, and any other key.
const ELEMENT: &str = "[]";
const ANY_KEY: &str = "*";

/// Returns the name of the table of options for a file; `None` if it is not one of Bolt's.
pub(crate) fn table_of(db: &dyn Db, file: File) -> Option<&'static str> {
    if project::file_kind(db, file) == FileKind::BoltProject {
        return Some("bolt-project.yaml");
    }
    let FileRole::Module { module, relative } = file.role(db) else { return None };
    let is_inventory = relative == "inventory.yaml" && module.files(db).contains_key("bolt-project.yaml");
    is_inventory.then_some("inventory.yaml")
}

/// Returns the completions at an offset of a file with the options of `table`.
pub(crate) fn completions(db: &dyn Db, file: File, table: &str, offset: u32) -> Option<Completions> {
    let text = project::text(db, file)?;
    let cursor = yaml_cursor::cursor(&text, offset as usize)?;
    let mut option = options_of(table)?;
    for step in cursor.steps() {
        option = child(option, step)?;
    }
    let mut items = if cursor.is_value { Vec::new() } else { keys(option, &cursor) };
    items.extend(values(option, &cursor));
    let range =
        TextRange::new(offset - u32::try_from(cursor.typed.len()).ok()?, u32::try_from(cursor.end).ok()?);
    let (mut items, is_incomplete) = rank::ranked(items, cursor.typed, &text, offset);
    if rank::is_complete(&items, cursor.typed) {
        items.clear();
    }
    (!items.is_empty()).then_some(Completions { range, items, is_incomplete })
}

/// Returns the options of a hash, or of the elements of an array.
fn options(option: &'static BoltOption) -> &'static [BoltOption] {
    let group = option.group.and_then(options_of);
    group.map_or(&option.options, |it| &it.options)
}

/// Returns the option at a step of the path to the cursor: a key, or `*` for an element of an array.
fn child(option: &'static BoltOption, step: &str) -> Option<&'static BoltOption> {
    let named = |name: &str| options(option).iter().find(|it| it.name == name);
    if step == "*" && named(ELEMENT).is_some() {
        return named(ELEMENT);
    }
    named(step).filter(|it| it.name != ELEMENT).or_else(|| named(ANY_KEY))
}

/// Returns the options that are not given yet.
fn keys(option: &'static BoltOption, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let is_left = |it: &&BoltOption| {
        it.name != ELEMENT && it.name != ANY_KEY && !cursor.given.iter().any(|given| given == it.name)
    };
    let item = |option: &BoltOption| {
        let kinds: Vec<&str> = option.kinds.iter().map(|it| it.describe()).collect();
        let item = CompletionItem::new(CompletionKind::Key, option.name).detail(kinds.join(" or ")).once();
        if cursor.has_colon || cursor.quote.is_some() {
            return item;
        }
        let nested = " ".repeat(cursor.column + 2);
        let (text, snippet) = match option.kinds.as_slice() {
            [BoltOptionKind::Array] => {
                (format!("{}:", option.name), Some(format!("{}:\n{nested}- $1", option.name)))
            }
            [BoltOptionKind::Hash] => {
                (format!("{}:", option.name), Some(format!("{}:\n{nested}$1", option.name)))
            }
            _ => (format!("{}: ", option.name), None),
        };
        item.text(text).snippet(snippet)
    };
    options(option).iter().filter(is_left).map(item).collect()
}

/// Returns the accepted values.
fn values(option: &BoltOption, cursor: &YamlCursor<'_>) -> Vec<CompletionItem> {
    let is_boolean = option.kinds.contains(&BoltOptionKind::Boolean) && cursor.quote.is_none();
    let booleans = if is_boolean { &["true", "false"][..] } else { &[] };
    let known = option.accepted.iter().chain(booleans);
    known.map(|it| CompletionItem::new(CompletionKind::Value, *it)).collect()
}
