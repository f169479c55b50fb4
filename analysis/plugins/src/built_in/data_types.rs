//! Built-in data types, read from their data file.

use std::sync::LazyLock;

use super::notation;
use super::resource_types::expect_word;

/// Built-in data type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct BuiltInType {
    /// Name, such as `Integer`.
    pub name: &'static str,
    pub documentation: &'static str,
    /// Syntax of the parameters (`[min, max]`); empty for types without parameters.
    pub parameters: &'static str,
    /// True if the type is too general to be useful without parameters.
    pub needs_parameters: bool,
    /// True if completion offers the type. False for alternative spellings and types used only inside Puppet.
    pub is_offered: bool,
}

/// Empty if the data file is malformed; a test makes sure that it is not.
pub(super) static DATA_TYPES: LazyLock<Vec<BuiltInType>> =
    LazyLock::new(|| read_data_types(FILE).unwrap_or_default());

const FILE: &str = include_str!("../../data/data_types.txt");

fn read_data_types(file: &'static str) -> Result<Vec<BuiltInType>, String> {
    let mut types = Vec::new();
    for entry in notation::read(file)? {
        expect_word(&entry, &["type"])?;
        for below in &entry.below {
            expect_word(below, &["needs_parameters", "other_spelling"])?;
        }
        let (name, parameters) = entry.name_and_rest();
        let (needs_parameters, is_offered) = (entry.has("needs_parameters"), !entry.has("other_spelling"));
        // The data is read once and lives as long as the program.
        let documentation = String::leak(entry.documentation);
        types.push(BuiltInType { name, documentation, parameters, needs_parameters, is_offered });
    }
    Ok(types)
}

#[cfg(test)]
#[path = "data_types_tests.rs"]
mod tests;
