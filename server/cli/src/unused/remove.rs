//! `unused --remove`: deletes unused items, and restores them unless the catalogs stay as they are.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Permissions};
use std::path::{Path, PathBuf};

use anyhow::Context;
use catalog_view::text::plural;
use git::Repository;
use hiera::data::{self, DataFormat, HieraData};
use ide::{Analysis, FileId, ItemKind, ItemPlace, ItemUse, ItemUses, UseVerdict};
use output::visible;
use syntax::ast::{self, AstNode};
use syntax::{Language, TextRange};

use super::arguments::UnusedArguments;
use crate::compile::subject::Subject;
use crate::diff::compare_with_head;
use crate::files::display_path;
use crate::{CommandOutcome, terminal};

/// A file to change: its contents afterwards, or `None` to delete it.
struct PlannedChange {
    before: Vec<u8>,
    permissions: Option<Permissions>,
    after: Option<Vec<u8>>,
}

/// Changes to files, and the items that they remove.
#[derive(Default)]
struct RemovalPlan {
    changes: BTreeMap<PathBuf, PlannedChange>,
    /// Names of the items that are removed.
    removed: Vec<String>,
    /// Names of the items that are left, with the reason.
    left: Vec<(String, &'static str)>,
    classes: BTreeSet<String>,
}

/// Removes the unused items, and proves that no catalog changes.
pub(super) fn run(
    arguments: &UnusedArguments,
    subject: &Subject,
    uses: &ItemUses,
) -> anyhow::Result<CommandOutcome> {
    let folder = subject.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let repository = Repository::around(&folder)?;
    let repository =
        repository.with_context(|| format!("`{}` is not in a Git repository", display_path(&folder)))?;
    if let Some(path) = repository.changed_files()?.first() {
        let help = "help: commit or stash the changes, or run `git status` to refresh the index";
        anyhow::bail!("the work tree is not clean: `{}` differs from the last commit\n{help}", visible(path));
    }
    let index = repository.index()?;
    let tracked: BTreeSet<PathBuf> = index.entries.keys().map(|path| repository.top().join(path)).collect();
    let plan = plan(&subject.workspace.analysis(), uses, &tracked)?;
    let mut text = String::new();
    for (name, reason) in &plan.left {
        text.push_str(&format!("left: {}: {reason}\n", visible(name)));
    }
    if plan.changes.is_empty() {
        terminal::print_text(&format!("{text}nothing to remove\n"), false)?;
        return Ok(if plan.left.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Findings });
    }
    let doubts = apply_and_compare(arguments, &plan)?;
    match doubts {
        Ok(equal) => {
            plan.removed.iter().for_each(|name| text.push_str(&format!("removed: {}\n", visible(name))));
            let catalogs = plural(equal, "catalog is", "catalogs are");
            text.push_str(&format!("{} removed; {catalogs} equal\n", plan.removed.len()));
            terminal::print_text(&text, false)?;
            Ok(if plan.left.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Findings })
        }
        Err(doubts) => {
            doubts.iter().for_each(|doubt| text.push_str(&format!("open: {}\n", visible(doubt))));
            text.push_str("nothing removed: it is not proven that all catalogs stay equal\n");
            terminal::print_text(&text, false)?;
            Ok(CommandOutcome::Inconclusive)
        }
    }
}

/// Maximum number of printed doubts.
const MAX_DOUBTS: usize = 10;

/// Changes the files and compares all catalogs. Returns the number of equal catalogs; or the doubts, with all files
/// restored.
fn apply_and_compare(
    arguments: &UnusedArguments,
    plan: &RemovalPlan,
) -> anyhow::Result<Result<usize, Vec<String>>> {
    let compared = apply(plan)
        .and_then(|()| compare_with_head(&arguments.listing.project, &|name| plan.classes.contains(name)));
    let doubts = match compared {
        Ok(compared) if compared.doubts.is_empty() && compared.equal > 0 => return Ok(Ok(compared.equal)),
        Ok(compared) if compared.doubts.is_empty() => vec!["there are no catalogs to compare".to_owned()],
        Ok(compared) => compared.doubts.into_iter().take(MAX_DOUBTS).collect(),
        Err(error) => {
            restore(plan)?;
            return Err(error);
        }
    };
    restore(plan)?;
    Ok(Err(doubts))
}

fn apply(plan: &RemovalPlan) -> anyhow::Result<()> {
    for (path, change) in &plan.changes {
        let written = match &change.after {
            Some(bytes) => fs::write(path, bytes),
            None => fs::remove_file(path),
        };
        written.with_context(|| format!("cannot change `{}`", display_path(path)))?;
        if change.after.is_none() {
            remove_empty_folders(path);
        }
    }
    Ok(())
}

/// Removes the folders that a deleted file leaves empty.
fn remove_empty_folders(path: &Path) {
    let folders = path.ancestors().skip(1);
    let _ = folders.take_while(|folder| fs::remove_dir(folder).is_ok()).count();
}

fn restore(plan: &RemovalPlan) -> anyhow::Result<()> {
    let mut failure = None;
    for (path, change) in &plan.changes {
        let folder = path.parent().map_or(Ok(()), fs::create_dir_all);
        let written = folder.and_then(|()| fs::write(path, &change.before));
        let restored = written.and_then(|()| match &change.permissions {
            Some(permissions) => fs::set_permissions(path, permissions.clone()),
            None => Ok(()),
        });
        if let Err(error) = restored {
            failure = Some((path, error));
        }
    }
    match failure {
        Some((path, error)) => Err(error)
            .with_context(|| format!("cannot restore `{}`\nhelp: run `git restore .`", display_path(path))),
        None => Ok(()),
    }
}

/// Plans the removal of all items that are certainly unused.
fn plan(analysis: &Analysis, uses: &ItemUses, tracked: &BTreeSet<PathBuf>) -> anyhow::Result<RemovalPlan> {
    let mut plan = RemovalPlan::default();
    // Ranges to cut, with the names of the items, by file.
    let mut cuts: BTreeMap<PathBuf, (FileId, Vec<(TextRange, String)>)> = BTreeMap::new();
    for item in &uses.items {
        let name = format!("{} `{}`", super::listing::kind_name(item.kind), item.name);
        match &item.verdict {
            UseVerdict::Unused { only_tests: false } => {}
            UseVerdict::Unused { only_tests: true } => {
                plan.left.push((name, "tests use it"));
                continue;
            }
            UseVerdict::Used | UseVerdict::Open(_) => continue,
        }
        if let Some(reason) = reason_to_keep(analysis, item, tracked) {
            plan.left.push((name, reason));
            continue;
        }
        if item.kind == ItemKind::Class {
            plan.classes.insert(item.name.clone());
        }
        for place in &item.locations {
            let path = native(analysis, place);
            if place.full.start == place.full.end {
                let before =
                    fs::read(&path).with_context(|| format!("cannot read `{}`", display_path(&path)))?;
                let permissions = fs::metadata(&path).ok().map(|it| it.permissions());
                plan.changes.insert(path, PlannedChange { before, permissions, after: None });
            } else {
                let of_file = cuts.entry(path).or_insert((place.file, Vec::new()));
                of_file.1.push((place.full, name.clone()));
            }
        }
        if item.locations.iter().all(|it| it.full.start == it.full.end) {
            plan.removed.push(name);
        }
    }
    let mut removed = BTreeSet::new();
    for (path, (file, ranges)) in cuts {
        let text = analysis.text(file)?.unwrap_or_default();
        let names: Vec<String> = ranges.iter().map(|(_, name)| name.clone()).collect();
        let ranges: Vec<TextRange> = ranges.into_iter().map(|(range, _)| range).collect();
        let after = match DataFormat::of_path(&path.to_string_lossy()) {
            Some(format) => data_without(format, &text, &ranges).map(Some),
            None => manifest_without(&text, &ranges),
        };
        match after {
            Some(after) => {
                let before = text.as_bytes().to_vec();
                let after = after.map(String::into_bytes);
                let permissions = fs::metadata(&path).ok().map(|it| it.permissions());
                plan.changes.insert(path, PlannedChange { before, permissions, after });
                removed.extend(names);
            }
            None => plan.left.extend(names.into_iter().map(|it| (it, "it is not on lines of its own"))),
        }
    }
    plan.removed.extend(removed);
    Ok(plan)
}

fn native(analysis: &Analysis, place: &ItemPlace) -> PathBuf {
    PathBuf::from(analysis.path(place.file).to_native())
}

/// Returns the reason why an unused item is not removed.
fn reason_to_keep(analysis: &Analysis, item: &ItemUse, tracked: &BTreeSet<PathBuf>) -> Option<&'static str> {
    let is_tracked =
        |path: &PathBuf| path.canonicalize().is_ok_and(|it| tracked.contains(&it)) && !path.is_symlink();
    match item.kind {
        ItemKind::Module => Some("modules are removed by hand"),
        ItemKind::Level => Some("levels are removed by hand, as files may be added later"),
        _ if !item.locations.iter().all(|it| is_tracked(&native(analysis, it))) => {
            Some("Git does not track it")
        }
        _ => None,
    }
}

/// Returns a manifest without some definitions and the comments above them; `None` inside if nothing else is left.
/// Returns `None` if a definition shares a line with other code.
fn manifest_without(text: &str, ranges: &[TextRange]) -> Option<Option<String>> {
    let parse = syntax::parse(text, Language::Manifest);
    let statements: Vec<TextRange> = parse.tree().statements().map(|it| it.syntax().text_range()).collect();
    if !parse.errors().is_empty() || !ranges.iter().all(|it| statements.contains(it)) {
        return None;
    }
    if statements.iter().all(|it| ranges.contains(it)) {
        return Some(None);
    }
    let after = without_lines(text, ranges, |line| line.trim_start().starts_with('#'))?;
    let rest = syntax::parse(&after, Language::Manifest);
    let count = rest.tree().statements().count();
    let has_definitions = |it: ast::Expr| it.syntax().text_range().start < it.syntax().text_range().end;
    let is_right = rest.errors().is_empty()
        && count == statements.len() - ranges.len()
        && rest.tree().statements().all(has_definitions);
    is_right.then_some(Some(after))
}

/// Returns a data file without some keys; `None` if the rest would not stay the same.
fn data_without(format: DataFormat, text: &str, ranges: &[TextRange]) -> Option<String> {
    if format != DataFormat::Yaml {
        return None;
    }
    let before = data::read(format, text);
    let after_text = without_lines(text, ranges, |_| false)?;
    let after = data::read(format, &after_text);
    let kept = |data: &HieraData| -> Option<Vec<(String, String)>> {
        let entries = data.entries().iter();
        let is_kept = |range: TextRange| !ranges.iter().any(|it| it.start == range.start);
        let kept = entries.filter(|it| std::ptr::eq(data, &after) || is_kept(it.key.range));
        kept.map(|it| Some((it.key.value.as_str()?.to_owned(), format!("{:?}", it.value.value)))).collect()
    };
    let is_same = after.findings.len() <= before.findings.len() && kept(&before)? == kept(&after)?;
    is_same.then_some(after_text)
}

/// Removes ranges with the lines they are on, and the lines directly above that `belongs` accepts. Returns `None` if a
/// range shares a line with other text.
fn without_lines(text: &str, ranges: &[TextRange], belongs: impl Fn(&str) -> bool) -> Option<String> {
    let mut lines: Vec<(usize, &str)> = Vec::new();
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        lines.push((at, line));
        at += line.len();
    }
    let mut is_removed = vec![false; lines.len()];
    for range in ranges {
        let (start, end) = (range.start as usize, range.end as usize);
        let first = lines.iter().rposition(|(at, _)| *at <= start)?;
        let last = lines.iter().rposition(|(at, _)| *at < end)?;
        let is_alone = text.get(lines[first].0..start)?.trim().is_empty()
            && text.get(end..lines[last].0 + lines[last].1.len())?.split('#').next()?.trim().is_empty();
        if !is_alone {
            return None;
        }
        is_removed[first..=last].fill(true);
        let above = (0..first).rev().take_while(|it| belongs(lines[*it].1));
        above.for_each(|it| is_removed[it] = true);
        // One of the blank lines around a definition.
        if lines.get(last + 1).is_some_and(|(_, line)| line.trim().is_empty()) {
            is_removed[last + 1] = true;
        }
    }
    let kept = lines.iter().zip(is_removed).filter(|(_, is_removed)| !is_removed);
    Some(kept.map(|((_, line), _)| *line).collect())
}

#[cfg(test)]
#[path = "remove_tests.rs"]
mod tests;
