//! Call hierarchy: callers and callees of functions, plans, classes and defined types; entries of type hierarchies.

use hir::{Access, DefinitionKind, NameUse, NameUseKind};
use project::{Db, DefinitionId, File};
use rustc_hash::FxHashMap;
use symbols::navigation::NavigationTarget;
use symbols::symbol::{self, Symbol};
use symbols::type_hierarchy::{HierarchyItem, item};
use symbols::{references, search};
use syntax::TextRange;

use crate::SymbolKind;

/// A class in the type hierarchy, or a definition in the call hierarchy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HierarchyEntry {
    /// Name as written, with its namespace.
    pub name: String,
    /// `None` for a whole file: a template, or the code outside of all definitions.
    pub kind: Option<SymbolKind>,
    pub target: NavigationTarget,
}

impl HierarchyEntry {
    pub(crate) fn of(item: HierarchyItem) -> HierarchyEntry {
        let HierarchyItem { name, kind, target } = item;
        HierarchyEntry { name, kind: SymbolKind::of_definition(kind), target }
    }
}

/// A caller or callee, with the ranges of the calls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallHierarchyCall {
    /// The caller (for incoming calls) or the callee (for outgoing calls).
    pub item: HierarchyEntry,
    /// Ranges of the calls in the caller's file.
    pub ranges: Vec<TextRange>,
}

/// Returns the definition that the name at `offset` refers to or introduces.
pub(crate) fn prepare(db: &dyn Db, file: File, offset: u32) -> Option<HierarchyEntry> {
    item(db, definition_at(db, file, offset)?).map(HierarchyEntry::of)
}

/// Returns the definitions that call, include or declare the definition named at `offset`.
pub(crate) fn incoming(db: &dyn Db, file: File, offset: u32) -> Vec<CallHierarchyCall> {
    let Some(definition) = definition_at(db, file, offset) else { return Vec::new() };
    let symbol = Symbol::Definition(definition);
    let mut calls = Calls::default();
    for file in search::candidate_files(db, file, &symbol) {
        for it in references::uses_in(db, file, &symbol).iter().filter(|it| is_call(it)) {
            if let Some(caller) = symbol::definition_of_use(db, file, it) {
                calls.add(caller, it.range);
            }
        }
    }
    calls.finish(db)
}

/// Returns the definitions that the definition named at `offset` calls, includes or declares.
pub(crate) fn outgoing(db: &dyn Db, file: File, offset: u32) -> Vec<CallHierarchyCall> {
    let Some(caller) = definition_at(db, file, offset) else { return Vec::new() };
    let file = caller.file(db);
    let summary = project::item_summary(db, file);
    let Some(index) = summary.definitions.iter().position(|it| it.key == *caller.key(db)) else {
        return Vec::new();
    };
    let mut calls = Calls::default();
    for it in project::name_uses(db, file).iter().filter(|it| it.definition as usize == index && is_call(it))
    {
        if let Some(Symbol::Definition(callee)) = symbol::resolve(db, file, it) {
            calls.add(callee, it.range);
        }
    }
    calls.finish(db)
}

/// Returns whether `name_use` calls a function or plan, or includes a class or declares a resource.
fn is_call(name_use: &NameUse) -> bool {
    match name_use.kind {
        NameUseKind::Function | NameUseKind::Plan => name_use.access == Access::Call,
        NameUseKind::Class | NameUseKind::ResourceType => name_use.access == Access::Read,
        _ => false,
    }
}

fn definition_at(db: &dyn Db, file: File, offset: u32) -> Option<DefinitionId> {
    match symbol::symbol_at(db, file, offset)?.0 {
        Symbol::Definition(definition) if definition.key(db).kind != DefinitionKind::TypeAlias => {
            Some(definition)
        }
        _ => None,
    }
}

/// Call ranges grouped by the other definition, in order of first occurrence.
#[derive(Default)]
struct Calls {
    order: Vec<DefinitionId>,
    ranges: FxHashMap<DefinitionId, Vec<TextRange>>,
}

impl Calls {
    fn add(&mut self, other: DefinitionId, range: TextRange) {
        let ranges = self.ranges.entry(other).or_default();
        if ranges.is_empty() {
            self.order.push(other);
        }
        ranges.push(range);
    }

    fn finish(mut self, db: &dyn Db) -> Vec<CallHierarchyCall> {
        let calls = self.order.iter().filter_map(|other| {
            let ranges = self.ranges.remove(other).unwrap_or_default();
            Some(CallHierarchyCall { item: HierarchyEntry::of(item(db, *other)?), ranges })
        });
        calls.collect()
    }
}
