//! Names that Puppet 8 brings along and that nothing can replace.

use hir::ReferenceKind;

/// Variables that every scope has and that no code may set; the name comes without `$`.
pub(super) fn is_variable(name: &str) -> bool {
    const NAMES: &[&str] = &["facts", "trusted", "server_facts"];
    let is_capture = !name.is_empty() && name.bytes().all(|it| it.is_ascii_digit());
    is_capture || NAMES.contains(&name)
}

/// Attributes that every resource has.
pub(super) fn is_metaparameter(name: &str) -> bool {
    plugins::built_in::metaparameter(name).is_some()
}

/// Functions of Puppet itself; its own loader comes first, so no module can replace them.
pub(super) fn is_function(name: &str) -> bool {
    functions::built_in(name).is_some()
}

/// Resource types of Puppet itself, and `class`.
pub(super) fn is_resource_type(name: &str) -> bool {
    ReferenceKind::is_class(name) || plugins::built_in::is_core_resource_type(name)
}

/// Data types of the language, and the references to its resource types.
pub(super) fn is_data_type(name: &str) -> bool {
    let is_lower_case_type = is_resource_type(&name.to_ascii_lowercase());
    plugins::built_in::data_types().iter().any(|it| it.name == name) || is_lower_case_type
}

#[cfg(test)]
#[path = "built_in_tests.rs"]
mod tests;
