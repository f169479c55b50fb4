//! What is read from Ruby files: a text, and what comes out.

mod data_types;
mod facts_and_providers;
mod functions;
mod hostile;
mod render;
mod resource_types;

use expect_test::Expect;

/// Reads `text` as the file at `path` and compares what it defines.
fn check(path: &str, text: &str, expected: Expect) {
    expected.assert_eq(&render::file(&plugins::ruby::read(path, text), text));
}
