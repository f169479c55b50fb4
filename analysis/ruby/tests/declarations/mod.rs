//! Analysis of Ruby files: source and expected definitions.

mod data_types;
mod facts_and_providers;
mod functions;
mod hostile;
mod render;
mod resource_types;

use expect_test::Expect;

/// Analyzes `text` as the file at `path` and compares its definitions with `expected`.
fn check(path: &str, text: &str, expected: Expect) {
    expected.assert_eq(&render::file(&ruby::read_declarations(path, text), text));
}
