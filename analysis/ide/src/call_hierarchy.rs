//! Which function calls which, and which class includes which.

use hir::{Access, DefinitionKind, NameUse, NameUseKind};
use project::{Db, DefinitionId, File};
use rustc_hash::FxHashMap;
use symbols::symbol::{self, Symbol};
use symbols::type_hierarchy::{HierarchyItem, item};
use symbols::{references, search};
use syntax::TextRange;

/// One caller or callee, and where it is called.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct CallHierarchyCall {
    /// Who calls, or who is called.
    pub item: HierarchyItem,
    /// Where, in the file of the caller.
    pub ranges: Vec<TextRange>,
}

/// The definition that the word at an offset names, or that has its name there.
pub(crate) fn prepare(db: &dyn Db, file: File, offset: u32) -> Option<HierarchyItem> {
    item(db, definition_at(db, file, offset)?)
}

/// Who calls, includes or declares the definition whose name stands at an offset.
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

/// What the definition whose name stands at an offset calls, includes or declares.
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

/// Does a name run what it names?
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

/// Calls by whom they concern, in the order in which those were met.
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
            Some(CallHierarchyCall { item: item(db, *other)?, ranges })
        });
        calls.collect()
    }
}
