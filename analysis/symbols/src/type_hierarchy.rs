//! Class inheritance hierarchy.

use hir::DefinitionKind;
use project::{Db, DefinitionId, File, NameKind};

use crate::search;
use crate::symbol::{self, Symbol};
use crate::target::{self, NavigationTarget};

/// A class in the type hierarchy, or a definition in the call hierarchy.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct HierarchyItem {
    /// Name as written, with its namespace.
    pub name: String,
    /// [`DefinitionKind::Main`] is a whole file: a template, or the code outside of all definitions.
    pub kind: DefinitionKind,
    pub target: NavigationTarget,
}

/// Returns the class at an offset: its definition, or a reference to it.
pub fn prepare(db: &dyn Db, file: File, offset: u32) -> Option<HierarchyItem> {
    item(db, class_at(db, file, offset)?)
}

/// Returns the parent of a class; `offset` is the location of its name.
pub fn supertypes(db: &dyn Db, file: File, offset: u32) -> Vec<HierarchyItem> {
    let Some(class) = class_at(db, file, offset) else { return Vec::new() };
    let parent = project::signature(db, class).as_ref().and_then(|it| it.inherits.clone());
    let parent = parent.and_then(|name| project::resolve_in_file(db, class.file(db), NameKind::Class, &name));
    parent.and_then(|it| item(db, it)).into_iter().collect()
}

/// Returns the classes that inherit a class; `offset` is the location of its name.
pub fn subtypes(db: &dyn Db, file: File, offset: u32) -> Vec<HierarchyItem> {
    let Some(class) = class_at(db, file, offset) else { return Vec::new() };
    direct_subclasses(db, class).into_iter().filter_map(|it| item(db, it)).collect()
}

/// Returns the classes that directly inherit `class`, by path.
pub(crate) fn direct_subclasses(db: &dyn Db, class: DefinitionId) -> Vec<DefinitionId> {
    let name = &class.key(db).name;
    let mut found = Vec::new();
    for file in search::candidate_files(db, class.file(db), &Symbol::Definition(class)) {
        for definition in project::definitions(db, file) {
            let Some(signature) = project::signature(db, definition) else { continue };
            let inherits = signature.inherits.as_ref();
            let is_subclass = inherits.is_some_and(|it| hir::fold_name(it) == *name)
                && project::resolve_in_file(db, file, NameKind::Class, name) == Some(class);
            if is_subclass {
                found.push(definition);
            }
        }
    }
    found
}

/// Returns the classes that inherit a class, directly or indirectly.
pub fn all_subclasses(db: &dyn Db, class: DefinitionId) -> Vec<DefinitionId> {
    let mut found = vec![class];
    let mut next = 0;
    while let Some(class) = found.get(next).copied() {
        next += 1;
        for subclass in direct_subclasses(db, class) {
            if !found.contains(&subclass) {
                found.push(subclass);
            }
        }
    }
    found.remove(0);
    found
}

fn class_at(db: &dyn Db, file: File, offset: u32) -> Option<DefinitionId> {
    let name_use = symbol::name_use_at(db, file, offset)?;
    match symbol::resolve(db, file, &name_use)? {
        Symbol::Definition(definition) if definition.key(db).kind == DefinitionKind::Class => {
            Some(definition)
        }
        _ => None,
    }
}

/// Converts a definition to an item; `None` for types, which call nothing.
pub fn item(db: &dyn Db, definition: DefinitionId) -> Option<HierarchyItem> {
    let key = definition.key(db);
    let name = match key.kind {
        DefinitionKind::TypeAlias | DefinitionKind::TypeMapping | DefinitionKind::TypeDefinition => {
            return None;
        }
        DefinitionKind::Main => definition.file(db).path(db).file_name().to_owned(),
        DefinitionKind::Node => key.name.to_string(),
        _ => project::signature(db, definition).as_ref()?.name.to_string(),
    };
    Some(HierarchyItem { name, kind: key.kind, target: target::definition_target(db, definition)? })
}
