//! What takes the memory: a figure for each kind of thing that is kept.

use std::collections::BTreeMap;
use std::mem::size_of;

use crate::vfs::Vfs;
use crate::{Contents, File, ProjectDatabase};

/// All things of one kind that are kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct MemoryPart {
    pub name: String,
    pub count: usize,
    /// What they take, without what their values point to where nobody counts that.
    pub bytes: usize,
}

/// What the inputs take and what is remembered of them. Waits until nobody reads.
pub fn memory_parts(db: &mut ProjectDatabase, vfs: &Vfs) -> Vec<MemoryPart> {
    let mut parts = of_texts(db, vfs);
    let database: &mut dyn salsa::Database = db;
    let usage = database.memory_usage();
    let bytes = |it: &salsa::IngredientInfo| {
        it.size_of_fields() + it.size_of_metadata() + it.heap_size_of_fields().unwrap_or_default()
    };
    for it in &usage.structs {
        // Pages are made for many at a time.
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

/// The texts of all files, and their paths.
fn of_texts(db: &ProjectDatabase, vfs: &Vfs) -> Vec<MemoryPart> {
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
        // The text; its places in the tables of files, of the layout and of modules; below the module's folder once more.
        let path = file.path(db).as_str().len();
        add("paths", 2 * path + PLACES_OF_A_PATH * (size_of::<usize>() * 2 + size_of::<File>()));
    }
    let part =
        |(name, (count, bytes)): (&str, (usize, usize))| MemoryPart { name: name.to_owned(), count, bytes };
    parts.into_iter().map(part).collect()
}

/// In so many tables each path stands.
const PLACES_OF_A_PATH: usize = 6;
