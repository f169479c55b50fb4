//! Methods of Ruby's and Puppet's classes and modules, one table row per method.

pub(super) mod addresses;
mod data;
mod digests;
pub(crate) mod files;
pub(super) mod others;
pub(super) mod shell;
pub(super) mod uris;

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::methods::{CONSTANT, MethodImplementation, MethodRow, row};
use super::puppet::{evaluator, resources};

/// Method of a class or module.
pub(super) struct ModuleRow {
    path: &'static str,
    method: MethodRow,
}

pub(super) const fn of(
    path: &'static str,
    name: &'static str,
    fewest: usize,
    most: usize,
    call: MethodImplementation,
) -> ModuleRow {
    ModuleRow { path, method: row(name, CONSTANT, fewest, most, call) }
}

static TABLES: &[&[ModuleRow]] = &[
    addresses::MODULE_TABLE,
    data::TABLE,
    digests::TABLE,
    files::TABLE,
    others::TABLE,
    shell::MODULE_TABLE,
    uris::MODULE_TABLE,
    evaluator::TABLE,
    resources::MODULE_TABLE,
];

/// Finds a method of a built-in class or module.
pub(super) fn find(path: &str, name: &str) -> Option<&'static MethodRow> {
    static BY_NAME: LazyLock<FxHashMap<(&'static str, &'static str), &'static MethodRow>> =
        LazyLock::new(|| {
            let rows = TABLES.iter().copied().flatten();
            rows.map(|row| ((row.path, row.method.name), &row.method)).collect()
        });
    BY_NAME.get(&(path, name)).copied()
}

/// Returns true if any table has methods of the class or module.
pub(super) fn has_module(path: &str) -> bool {
    TABLES.iter().copied().flatten().any(|row| row.path == path)
}
