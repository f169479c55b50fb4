//! Rename in rspec-puppet tests, which name the tested definition in strings and are stored under paths
//! derived from its name.

use std::sync::LazyLock;

use hir::{DefinitionKind, fold_name};
use project::vfs::FilePath;
use project::{Db, DefinitionId, File, FileRole};
use regex::Regex;
use symbols::{FileId, search};
use syntax::TextRange;

use super::edits::Edits;

/// Matches `describe 'a::b'`, `contain_class('a::b')`, `contain_a__b(`, and references in strings such as
/// `'Class[A::B]'`.
static NAMES: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r#"(?x)
        \b(?:describe|context) \s*\(?\s* ['"] (?:::)? (?<described>[\w:]+) ['"]
        | \b(?:contain|include|create|compile)_class \s*\(?\s* ['"] (?:::)? (?<class>[\w:]+) ['"]
        | \b(?:contain|create)_ (?<matcher>[a-z]\w*__\w+)
        | \bClass\[ (?:::)? (?<reference>[\w:]+) \]
        | \b (?<resource>[A-Z]\w*(?:::[A-Z]\w*)+) \["#,
    )
    .ok()
});

/// Adds the edits for spec files that name a definition. Returns the spec files whose path is derived from
/// its name, with their new paths.
pub(super) fn edit(
    db: &dyn Db,
    from: File,
    definition: DefinitionId,
    new_name: &str,
    edits: &mut Edits,
) -> Vec<(FileId, FilePath)> {
    let old_name = definition.key(db).name.clone();
    let kind = definition.key(db).kind;
    let mut moves = Vec::new();
    for file in search::spec_files(db, from, &old_name) {
        let Some(text) = project::text(db, file) else { continue };
        let mut is_described = false;
        for (group, range) in named(&text) {
            let written = &text[range.as_range()];
            let is_meant = match group {
                "described" => fold_name(written) == old_name,
                "class" => kind == DefinitionKind::Class && fold_name(written) == old_name,
                "reference" => kind == DefinitionKind::Class && fold_name(written) == old_name,
                "matcher" => kind == DefinitionKind::DefinedType && written.replace("__", "::") == *old_name,
                _ => kind == DefinitionKind::DefinedType && fold_name(written) == old_name,
            };
            if !is_meant {
                continue;
            }
            is_described |= group == "described";
            let new = match group {
                "matcher" => new_name.replace("::", "__"),
                "described" | "class" => new_name.to_owned(),
                _ if written.starts_with(|it: char| it.is_ascii_lowercase()) => new_name.to_owned(),
                _ => hir::capitalized(new_name),
            };
            edits.add(db, file, range, new);
        }
        if is_described {
            moves
                .extend(new_location(db, file, &old_name, &fold_name(new_name)).map(|to| (FileId(file), to)));
        }
    }
    moves
}

fn named(text: &str) -> Vec<(&'static str, TextRange)> {
    const GROUPS: [&str; 5] = ["described", "class", "matcher", "reference", "resource"];
    let found = NAMES.iter().flat_map(|regex| regex.captures_iter(text));
    let named = found.filter_map(|it| {
        let (group, name) = GROUPS.into_iter().find_map(|group| Some((group, it.name(group)?)))?;
        Some((group, TextRange::new(name.start() as u32, name.end() as u32)))
    });
    named.collect()
}

/// Returns the ways to write a name in the path of a spec file, below `spec/classes` and similar folders.
fn forms(name: &str) -> [String; 5] {
    let local = name.split_once("::").map_or("init", |(_, local)| local);
    [
        local.replace("::", "/"),
        local.replace("::", "_"),
        name.replace("::", "/"),
        name.replace("::", "_"),
        name.replace("::", "__"),
    ]
}

fn new_location(db: &dyn Db, file: File, old_name: &str, new_name: &str) -> Option<FilePath> {
    let FileRole::Module { module, relative } = file.role(db) else { return None };
    let (root, stem) = relative.strip_suffix("_spec.rb")?.strip_prefix("spec/")?.split_once('/')?;
    let (_, new) = forms(old_name).into_iter().zip(forms(new_name)).find(|(old, _)| old == stem)?;
    let new_module = new_name.split("::").next().unwrap_or_default();
    let target = match project::module_named(db, file, new_module) {
        Some(target) if *module.name(db) == *old_name.split("::").next().unwrap_or_default() => target,
        _ => *module,
    };
    let path = format!("spec/{root}/{new}_spec.rb");
    let existing = target.files(db).get(path.as_str());
    let is_free = existing.is_none_or(|it| *it.contents(db) == project::Contents::Missing);
    (is_free && new != stem).then(|| target.root(db).join(&path))
}
