//! Names that are built into Puppet 8 and cannot be redefined.

use hir::ReferenceKind;

/// Returns whether every scope has the variable and no code may assign it; `name` has no `$`.
pub(super) fn is_variable(name: &str) -> bool {
    const NAMES: &[&str] = &["facts", "trusted", "server_facts"];
    let is_capture = !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit());
    is_capture || NAMES.contains(&name)
}

/// Returns whether every resource has the attribute.
pub(super) fn is_metaparameter(name: &str) -> bool {
    plugins::built_in::metaparameter(name).is_some()
}

/// Returns whether Puppet itself defines the function. Its own loader comes first, so no module can replace
/// it.
pub(super) fn is_function(name: &str) -> bool {
    functions::built_in(name).is_some()
}

/// Returns whether the built-in function reads like a keyword.
pub(super) fn is_statement(name: &str) -> bool {
    matches!(name, "include" | "contain" | "require" | "realize" | "return" | "next" | "break" | "fail")
}

/// Returns whether the name is a resource type of Puppet itself, or `class`.
pub(super) fn is_resource_type(name: &str) -> bool {
    ReferenceKind::is_class(name) || plugins::built_in::is_core_resource_type(name)
}

/// Returns whether the name is a data type of the language, or a reference to a built-in resource type.
pub(super) fn is_data_type(name: &str) -> bool {
    let is_lower_case_type = is_resource_type(&name.to_ascii_lowercase());
    plugins::built_in::data_types().iter().any(|it| it.name == name) || is_lower_case_type
}

#[cfg(test)]
#[path = "built_in_tests.rs"]
mod tests;
