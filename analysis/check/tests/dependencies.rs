//! The dependencies of a query for one file, definition or module do not grow with the workspace: **no query
//! of one file reads all files**.

use std::collections::BTreeMap;

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

use crate::scale::modules;

/// Queries for a whole environment, whose dependencies grow with it. An edit of one file must not invalidate
/// many of them, and their results have to be equal after most edits.
const OF_AN_ENVIRONMENT: &[&str] = &[
    // Combined from one small result per file or module.
    "custom_facts",
    "data_key_index",
    "data_sources",
    "far_names",
    "first_to_miss",
    "has_all_dependencies",
    "interpolated_keys",
    "modules_with_unread_templates",
    "variables_set_in_ruby",
    // Computed per name, because any module may define it.
    "data_type_in",
    "function_in_environment",
    "mentioned_in",
    "modules_like",
    "ruby_resource_type",
];

/// Returns the number of results of each query, and the total size of their dependencies in bytes.
fn dependencies(count: usize) -> BTreeMap<&'static str, (usize, usize)> {
    let mut workspace = TestWorkspace::new(&modules(count));
    for file in workspace.files() {
        for tier in Tier::LIVE {
            diagnostics(&workspace.db, file, tier);
        }
    }
    let database: &mut dyn project::Db = &mut workspace.db;
    let queries = database.memory_usage().queries;
    queries.iter().map(|(name, info)| (*name, (info.count(), info.size_of_metadata()))).collect()
}

#[test]
fn no_query_of_one_file_reads_all_files() {
    let (few, many) = (dependencies(12), dependencies(48));
    let mut grown = Vec::new();
    for (name, (count, bytes)) in &many {
        let short = name.rsplit("::").next().unwrap_or(name);
        if OF_AN_ENVIRONMENT.contains(&short) {
            continue;
        }
        let (few_count, few_bytes) = few.get(name).copied().unwrap_or((1, 0));
        // Bytes per result. All modules depend on the first ones.
        if bytes / count > few_bytes / few_count + few_bytes / few_count / 8 {
            grown.push(format!(
                "{name}: {} bytes each in 12 modules, {} in 48",
                few_bytes / few_count,
                bytes / count
            ));
        }
    }
    assert!(grown.is_empty(), "{grown:#?}");
}
