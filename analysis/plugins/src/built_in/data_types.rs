//! The data types of the language out of their data file.

use std::sync::LazyLock;

use super::BuiltInType;
use super::notation;
use super::resource_types::expect_word;

/// What cannot be read is left out here; a test sees to it that everything can.
pub(super) static DATA_TYPES: LazyLock<Vec<BuiltInType>> =
    LazyLock::new(|| read_data_types(FILE).unwrap_or_default());

const FILE: &str = include_str!("../../data/data_types.txt");

fn read_data_types(file: &'static str) -> Result<Vec<BuiltInType>, String> {
    let mut types = Vec::new();
    for entry in notation::read(file)? {
        expect_word(&entry, &["type"])?;
        for below in &entry.below {
            expect_word(below, &["wants_arguments", "other_spelling"])?;
        }
        let (name, parameters) = entry.name_and_rest();
        let (wants_arguments, is_offered) = (entry.has("wants_arguments"), !entry.has("other_spelling"));
        // Read once, and kept for ever.
        let documentation = String::leak(entry.documentation);
        types.push(BuiltInType { name, documentation, parameters, wants_arguments, is_offered });
    }
    Ok(types)
}

#[cfg(test)]
#[path = "data_types_tests.rs"]
mod tests;
