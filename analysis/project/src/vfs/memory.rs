//! Memory usage by kind of data.

use std::collections::BTreeMap;
use std::mem::size_of;

use crate::vfs::Vfs;
use crate::{Contents, File, ProjectDatabase};

/// Memory usage of all data of one kind.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPart {
    pub name: String,
    pub count: usize,
    /// Size in bytes. Indirect allocations are included only if they are tracked.
    pub bytes: usize,
}

/// Returns the memory usage of the inputs and of memoized results. Blocks until no other thread holds the
/// database.
pub fn memory_parts(db: &mut ProjectDatabase, vfs: &Vfs) -> Vec<MemoryPart> {
    let mut parts = text_parts(db, vfs);
    let database: &mut dyn salsa::Database = db;
    let usage = database.memory_usage();
    let bytes = |it: &salsa::IngredientInfo| {
        it.size_of_fields() + it.size_of_metadata() + it.heap_size_of_fields().unwrap_or_default()
    };
    for it in &usage.structs {
        // Pages are allocated for many values at a time.
        let unused = it.page_info().map_or(0, |pages| pages.excess_capacity());
        let each = bytes(it).checked_div(it.count()).unwrap_or_default();
        parts.push(MemoryPart {
            name: format!("struct {}", it.debug_name()),
            count: it.count(),
            bytes: bytes(it) + unused * each,
        });
    }
    for (name, it) in &usage.queries {
        parts.push(MemoryPart { name: format!("query {name}"), count: it.count(), bytes: bytes(it) });
    }
    parts.retain(|part| part.count > 0);
    parts.sort_by(|a, b| b.bytes.cmp(&a.bytes).then_with(|| a.name.cmp(&b.name)));
    parts
}

/// Returns the memory usage of the texts of all files, and of their paths.
fn text_parts(db: &ProjectDatabase, vfs: &Vfs) -> Vec<MemoryPart> {
    let mut parts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    let mut add = |name, bytes| {
        let (count, sum) = parts.entry(name).or_default();
        *count += 1;
        *sum += bytes;
    };
    for file in vfs.table().all_files() {
        match file.contents(db) {
            Contents::Text(text) => add("texts", text.len()),
            Contents::Packed(packed) => add("texts, packed", packed.size()),
            _ => {}
        }
        // The path itself, its entries in the tables of files, of the layout and of modules, and the
        // relative path in its module.
        let path = file.path(db).as_str().len();
        add("paths", 2 * path + TABLES_PER_PATH * (size_of::<usize>() * 2 + size_of::<File>()));
    }
    let part =
        |(name, (count, bytes)): (&str, (usize, usize))| MemoryPart { name: name.to_owned(), count, bytes };
    parts.into_iter().map(part).collect()
}

/// Number of tables that contain each path.
const TABLES_PER_PATH: usize = 6;
