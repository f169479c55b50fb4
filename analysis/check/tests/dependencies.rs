//! What a query of one file, definition or module depends on does not grow with the workspace: **no query of one file reads all
//! files**.

use std::collections::BTreeMap;

use check::{Tier, diagnostics};
use project::testing::TestWorkspace;

use crate::scale::modules;

/// The queries about a whole environment. What they depend on grows with it, so whoever changes one file must not make many of
/// them anew; what they say has to be equal after most edits.
const OF_AN_ENVIRONMENT: &[&str] = &[
    // Made of one small answer for each file or module.
    "custom_facts",
    "data_key_index",
    "data_sources",
    "far_names",
    "first_to_miss",
    "has_all_dependencies",
    "interpolated_keys",
    "modules_with_unread_templates",
    "variables_set_in_ruby",
    // Made for each name that is used: all modules may have it.
    "data_type_in",
    "function_in_environment",
    "mentioned_in",
    "modules_like",
    "ruby_resource_type",
];

/// By query: how many answers there are, and the bytes that what they depend on takes for all of them.
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
        // Bytes for each answer; the first modules are asked for by all others.
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
