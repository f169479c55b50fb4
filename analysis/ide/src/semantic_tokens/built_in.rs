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
    FUNCTIONS.binary_search(&name).is_ok()
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

const FUNCTIONS: &[&str] = &[
    "abs",
    "alert",
    "all",
    "annotate",
    "any",
    "assert_type",
    "binary_file",
    "break",
    "call",
    "camelcase",
    "capitalize",
    "ceiling",
    "chomp",
    "chop",
    "compare",
    "contain",
    "convert_to",
    "create_resources",
    "crit",
    "debug",
    "defined",
    "dig",
    "digest",
    "downcase",
    "each",
    "emerg",
    "empty",
    "epp",
    "err",
    "eyaml_lookup_key",
    "fail",
    "file",
    "filter",
    "find_file",
    "find_template",
    "flatten",
    "floor",
    "fqdn_rand",
    "generate",
    "get",
    "getvar",
    "group_by",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "hiera_include",
    "hocon_data",
    "import",
    "include",
    "index",
    "info",
    "inline_epp",
    "inline_template",
    "join",
    "json_data",
    "keys",
    "length",
    "lest",
    "lookup",
    "lstrip",
    "map",
    "match",
    "max",
    "md5",
    "min",
    "module_directory",
    "new",
    "next",
    "notice",
    "partition",
    "realize",
    "reduce",
    "regsubst",
    "require",
    "return",
    "reverse_each",
    "round",
    "rstrip",
    "scanf",
    "sha1",
    "sha256",
    "shellquote",
    "size",
    "slice",
    "sort",
    "split",
    "sprintf",
    "step",
    "strftime",
    "strip",
    "tag",
    "tagged",
    "template",
    "then",
    "tree_each",
    "type",
    "unique",
    "unwrap",
    "upcase",
    "values",
    "versioncmp",
    "warning",
    "with",
    "yaml_data",
];

#[cfg(test)]
#[path = "built_in_tests.rs"]
mod tests;
