//! Rename of classes, defined types, functions, plans and type aliases, including the file that Puppet's
//! autoloader expects them in.

use hir::{Access, DefinitionKind, Name, NameUseKind, fold_name};
use plugins::built_in;
use project::vfs::FilePath;
use project::{Db, DefinitionId, File, FileKind, FileRole, ModuleTree, NameKind};
use symbols::symbol::Symbol;
use symbols::{FileId, references, search};
use syntax::{SyntaxKind, TextRange};

use super::edits::{Edits, RenameRefusal, refuse};
use super::names::kind_label;
use super::{names, set_types, specs};
use crate::SourceChange;

/// New path of a file.
struct Move {
    file: File,
    to: FilePath,
}

/// Checks that a definition of this kind can be renamed.
///
/// # Errors
/// Returns a [`RenameRefusal`] if it has no name, or is defined more than once.
pub(super) fn check_kind(db: &dyn Db, definition: DefinitionId) -> Result<NameKind, RenameRefusal> {
    let key = definition.key(db);
    let kind = match key.kind {
        DefinitionKind::Class => NameKind::Class,
        DefinitionKind::DefinedType => NameKind::DefinedType,
        DefinitionKind::Function => NameKind::Function,
        DefinitionKind::Plan => NameKind::Plan,
        DefinitionKind::TypeAlias => NameKind::TypeAlias,
        DefinitionKind::Main
        | DefinitionKind::Node
        | DefinitionKind::TypeMapping
        | DefinitionKind::TypeDefinition => return refuse("this definition has no name"),
    };
    if project::resolve_in_file(db, definition.file(db), kind, &key.name) != Some(definition) {
        return refuse(format!("`{}` is defined more than once", key.name));
    }
    Ok(kind)
}

/// Renames a definition, and moves its file if the autoloader derives the path from the name.
///
/// # Errors
/// Returns a [`RenameRefusal`] if the new name is invalid, taken, or does not fit the location.
pub(super) fn rename(
    db: &dyn Db,
    from: File,
    definition: DefinitionId,
    new_name: &str,
) -> Result<SourceChange, RenameRefusal> {
    let kind = check_kind(db, definition)?;
    let file = definition.file(db);
    let new_name = full_name(db, definition, names::definition(definition.key(db).kind, new_name)?);
    check_taken(db, file, definition, kind, &new_name)?;
    let moved = new_location(db, definition, kind, &new_name)?;
    let mut edits = Edits::default();
    edit_names(db, from, definition, &new_name, &mut edits);
    set_types::edit_set_name(db, from, definition, &new_name, &mut edits);
    let tests = specs::edit(db, from, definition, &new_name, &mut edits);
    let moves = moved.into_iter().map(|it| (FileId(it.file), it.to)).chain(tests);
    Ok(edits.finish(moves.collect()))
}

/// Completes an unqualified name with the namespace of the old one, unless it is the name of a module.
fn full_name(db: &dyn Db, definition: DefinitionId, name: &str) -> String {
    let old = project::signature(db, definition).as_ref().map(|it| it.name.clone()).unwrap_or_default();
    let file = definition.file(db);
    match old.rsplit_once("::") {
        Some((namespace, _))
            if !name.contains("::") && project::module_named(db, file, &fold_name(name)).is_none() =>
        {
            format!("{namespace}::{name}")
        }
        _ => name.to_owned(),
    }
}

/// Refuses a name that is already defined.
fn check_taken(
    db: &dyn Db,
    file: File,
    definition: DefinitionId,
    kind: NameKind,
    name: &str,
) -> Result<(), RenameRefusal> {
    let folded = fold_name(name);
    if folded == definition.key(db).name {
        return Ok(());
    }
    let defined = |kind: NameKind| project::resolve_in_file(db, file, kind, &folded).is_some();
    let is_taken = match kind {
        NameKind::Class | NameKind::DefinedType => {
            defined(NameKind::Class)
                || defined(NameKind::DefinedType)
                || defined(NameKind::TypeAlias)
                || project::resolve_resource_type(db, file, &folded).is_some()
        }
        NameKind::Function => {
            functions::built_in(&folded).is_some() || project::resolve_function(db, file, &folded).is_some()
        }
        NameKind::TypeAlias => {
            defined(NameKind::TypeAlias)
                || project::ruby_data_type(db, file, &folded).is_some()
                || project::resolve_resource_type(db, file, &folded).is_some()
                || built_in::data_types().iter().any(|it| it.name.eq_ignore_ascii_case(&folded))
        }
        NameKind::Plan => defined(NameKind::Plan),
    };
    if is_taken { refuse(format!("`{name}` is already defined")) } else { Ok(()) }
}

/// Returns the new path of the definition's file; `None` if it stays where it is.
fn new_location(
    db: &dyn Db,
    definition: DefinitionId,
    kind: NameKind,
    new_name: &str,
) -> Result<Option<Move>, RenameRefusal> {
    let file = definition.file(db);
    let key = definition.key(db);
    check_nested(db, definition, new_name)?;
    let FileRole::Module { module, relative } = file.role(db) else { return Ok(None) };
    let folded = fold_name(new_name);
    let old_paths = project::candidate_paths(kind, &key.name);
    if !old_paths.iter().any(|it| it == relative.as_str()) {
        // The autoloader never finds the definition here, so the path does not matter.
        return Ok(None);
    }
    let new_module = folded.split("::").next().unwrap_or_default();
    let target: ModuleTree = if new_module == module.name(db).as_str() {
        *module
    } else {
        match project::module_named(db, file, new_module) {
            Some(found) => found,
            None => return refuse(format!("module `{new_module}` not found")),
        }
    };
    let new_paths = project::candidate_paths(kind, &folded);
    let is_own_file = old_paths.first().is_some_and(|it| it == relative.as_str());
    let stays = target == *module && new_paths.iter().any(|it| it == relative.as_str());
    let is_main_class = key.name == *module.name(db);
    if stays && (!is_own_file || new_paths.first().is_some_and(|it| it == relative.as_str())) {
        return Ok(None);
    }
    if is_main_class && target != *module {
        return refuse("the main class of a module must have the name of the module");
    }
    if !is_own_file {
        let what = kind_label(key.kind);
        return refuse(format!("Puppet cannot autoload {what} `{new_name}` from `{relative}`"));
    }
    let others = project::defined_names(db, file).len();
    if others > 1 {
        return refuse(format!(
            "`{relative}` has other definitions, which Puppet could not autoload elsewhere"
        ));
    }
    let Some(path) = new_paths.into_iter().next() else {
        return refuse(format!("`{new_name}` must start with the name of a module"));
    };
    if target.files(db).get(path.as_str()).is_some_and(|it| *it.contents(db) != project::Contents::Missing) {
        return refuse(format!("file `{path}` already exists"));
    }
    Ok(Some(Move { file, to: target.root(db).join(&path) }))
}

/// Refuses if nested definitions would have to be renamed too, or if the new name lacks the prefix of the
/// enclosing definition.
fn check_nested(db: &dyn Db, definition: DefinitionId, new_name: &str) -> Result<(), RenameRefusal> {
    let definitions = &project::item_summary(db, definition.file(db)).definitions;
    let Some(index) = definitions.iter().position(|it| it.key == *definition.key(db)) else { return Ok(()) };
    let has_inner = definitions.iter().any(|it| it.parent == Some(index as u32));
    if has_inner {
        return refuse("nested definitions would have to be renamed too");
    }
    let outer = definitions[index].parent.and_then(|it| definitions.get(it as usize));
    match outer {
        Some(outer)
            if prefixes_names(outer.key.kind) && !new_name.starts_with(&format!("{}::", outer.name)) =>
        {
            refuse(format!("the name must start with `{}::`", outer.name))
        }
        _ => Ok(()),
    }
}

fn prefixes_names(kind: DefinitionKind) -> bool {
    matches!(kind, DefinitionKind::Class | DefinitionKind::Plan)
}

/// Adds the edits for all references to the definition.
pub(super) fn edit_names(
    db: &dyn Db,
    from: File,
    definition: DefinitionId,
    new_name: &str,
    edits: &mut Edits,
) {
    let symbol = Symbol::Definition(definition);
    let old_name = definition.key(db).name.clone();
    for file in search::candidate_files(db, from, &symbol) {
        let Some(text) = project::text(db, file) else { continue };
        for it in references::uses_in(db, file, &symbol) {
            let old = &text[it.range.as_range()];
            let text = match it.access {
                Access::Declaration => head_text(db, definition, old, &old_name, new_name),
                _ => name_like(old, new_name, definition.key(db).kind),
            };
            edits.add(db, file, it.range, text);
        }
        if definition.key(db).kind == DefinitionKind::Class {
            edit_keys(db, file, &text, &old_name, new_name, edits);
        }
        if old_name.contains("::") {
            edit_comments(db, file, &text, &old_name, new_name, edits);
        }
    }
}

/// Returns the name to write in the header, without the prefix of enclosing classes.
fn head_text(db: &dyn Db, definition: DefinitionId, written: &str, old_name: &str, new_name: &str) -> String {
    if definition.key(db).kind == DefinitionKind::TypeAlias {
        return new_name.to_owned();
    }
    let outer_length = old_name.len().saturating_sub(written.len());
    let outer = &old_name[..outer_length];
    match new_name.get(..outer_length) {
        // The enclosing class is renamed, too.
        Some(new_outer) if !new_outer.eq_ignore_ascii_case(outer) => written.to_owned(),
        _ => new_name.get(outer_length..).unwrap_or(new_name).to_owned(),
    }
}

/// Returns the new name with the capitalization of the old one.
fn name_like(old: &str, new_name: &str, kind: DefinitionKind) -> String {
    let is_capitalized = old.starts_with(|c: char| c.is_ascii_uppercase());
    match (kind, is_capitalized) {
        (DefinitionKind::TypeAlias, _) => new_name.to_owned(),
        (_, true) => hir::capitalized(new_name),
        (_, false) => new_name.to_owned(),
    }
}

/// Adds the edits for Hiera keys that set parameters of the class.
fn edit_keys(db: &dyn Db, file: File, text: &str, old_name: &Name, new_name: &str, edits: &mut Edits) {
    let uses = project::name_uses(db, file);
    // A key with a dot accesses a nested value.
    for it in uses.iter().filter(|it| it.kind == NameUseKind::HieraKey && !it.name.contains('.')) {
        let class = it.name.rsplit_once("::").map(|(class, _)| fold_name(class));
        if class.as_ref() == Some(old_name) {
            let own = it.name.rsplit("::").next().map_or(0, str::len) as u32;
            let range = TextRange::new(it.range.start, it.range.end - own - 2);
            let lead = if text[range.as_range()].starts_with("::") { 2 } else { 0 };
            edits.add(db, file, TextRange::new(range.start + lead, range.end), new_name.to_owned());
        }
    }
}

/// Adds the edits for mentions in comments. Only called for names with `::`, which are unambiguous.
fn edit_comments(db: &dyn Db, file: File, text: &str, old_name: &str, new_name: &str, edits: &mut Edits) {
    let kind = project::file_kind(db, file);
    if !matches!(kind, FileKind::Manifest | FileKind::EppTemplate) {
        return;
    }
    let capitalized = hir::capitalized(old_name);
    let parse = project::parse(db, file);
    let tokens = parse.syntax().descendants_with_tokens().filter_map(|it| it.into_token());
    let comments = tokens.filter(|token| {
        matches!(token.kind(), SyntaxKind::COMMENT | SyntaxKind::BLOCK_COMMENT | SyntaxKind::EPP_COMMENT)
    });
    for comment in comments {
        let start = comment.text_range().start;
        for (old, new) in
            [(old_name, new_name.to_owned()), (capitalized.as_str(), hir::capitalized(new_name))]
        {
            for (at, _) in comment.text().match_indices(old) {
                let range = TextRange::new(start + at as u32, start + (at + old.len()) as u32);
                if is_whole_name(text, range) {
                    edits.add(db, file, range, new.clone());
                }
            }
        }
    }
}

/// Returns whether the name at `range` is not part of a longer name.
fn is_whole_name(text: &str, range: TextRange) -> bool {
    let (before, after) = (&text[..range.start as usize], &text[range.end as usize..]);
    let continues_before = before.bytes().next_back().is_some_and(|b| names::is_word(b) || b == b'$')
        || before.ends_with("::") && !before.trim_end_matches("::").ends_with(|c: char| !c.is_alphanumeric());
    let continues_after = after.bytes().next().is_some_and(names::is_word)
        || after.starts_with("::") && after.as_bytes().get(2).copied().is_some_and(names::is_word);
    !continues_before && !continues_after
}
