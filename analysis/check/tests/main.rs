//! Findings in whole projects, one file per subject.

mod compile_increments;
mod compiles;
mod data_rules;
mod defective_files;
mod dependencies;
mod differential;
mod documentation_tags;
mod evaluation_increments;
mod frozen;
mod location_fix;
mod messages;
mod metadata_rules;
mod names;
mod parts;
mod puppetfile_rules;
mod removed_functions;
mod resource_values;
mod reused;
mod ruby_functions;
mod rule_cases;
mod rules;
mod scale;
mod security_rules;
mod shared_compiles;
mod style_rules;
mod suppressions;
mod syntax_rules;
mod task_rules;
mod yaml_plans;

use fixture::{Fixture, compare_marks};
use project::testing::TestWorkspace;
use project::{File, ProjectDatabase};
use syntax::TextRange;

/// Compares the findings with the marks in all files of a fixture whose path is `wanted`.
#[track_caller]
fn compare(
    fixture: &str,
    wanted: impl Fn(&str) -> bool,
    found: impl Fn(&ProjectDatabase, File) -> Vec<(TextRange, String)>,
) {
    let workspace = TestWorkspace::new(fixture);
    for file in Fixture::parse(fixture).files.iter().filter(|it| wanted(&it.path)) {
        let found = found(&workspace.db, workspace.file(&file.path));
        if let Some(report) = compare_marks(&file.text, &file.marks, &found) {
            panic!("{}:\n{report}", file.path);
        }
    }
}
