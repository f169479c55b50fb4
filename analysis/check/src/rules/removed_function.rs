#![doc = include_str!("../../pages/removed-function.md")]

use codes::{Code, DowngradeReason};
use hir::{Access, NameUseKind};
use project::{FileRole, FunctionTarget};
use scalars::semver::{Version, VersionRange};
use syntax::{Severity, TextRange};
use validation::PuppetVersion;

use crate::context::RuleContext;
use crate::{Diagnostic, DiagnosticTag, FixData};

/// Functions that are removed or deprecated, with a replacement.
const FUNCTIONS: &[(&str, &str)] = &[
    ("hiera", "`lookup('key')`"),
    ("hiera_array", "`lookup('key', { 'merge' => 'unique' })`"),
    ("hiera_hash", "`lookup('key', { 'merge' => 'hash' })`"),
    ("hiera_include", "`lookup('key', { 'merge' => 'unique' }).include`"),
];

/// Functions of stdlib up to version 8, with a replacement by the language, Puppet, or stdlib 9.
const OF_STDLIB: &[(&str, &str)] = &[
    ("dig44", "`$data.dig(...)`"),
    ("has_key", "`'key' in $hash`"),
    ("hash", "`Hash(...)`"),
    ("is_absolute_path", "`$x =~ Stdlib::Absolutepath`"),
    ("is_array", "`$x =~ Array`"),
    ("is_bool", "`$x =~ Boolean`"),
    ("is_domain_name", "`$x =~ Stdlib::Fqdn`"),
    ("is_email_address", "`$x =~ Stdlib::Email`"),
    ("is_float", "`$x =~ Float`"),
    ("is_function_available", "`stdlib::has_function`"),
    ("is_hash", "`$x =~ Hash`"),
    ("is_integer", "`$x =~ Integer`"),
    ("is_ip_address", "`$x =~ Stdlib::IP::Address`"),
    ("is_ipv4_address", "`$x =~ Stdlib::IP::Address::V4`"),
    ("is_ipv6_address", "`$x =~ Stdlib::IP::Address::V6`"),
    ("is_mac_address", "`$x =~ Stdlib::MAC`"),
    ("is_numeric", "`$x =~ Numeric`"),
    ("is_string", "`$x =~ String`"),
    ("private", "`assert_private()`"),
    ("sprintf_hash", "`sprintf`"),
    ("try_get_value", "`get` or `$data.dig(...)`"),
    ("type3x", "`type($x)`"),
    ("validate_absolute_path", "a parameter of type `Stdlib::Absolutepath`"),
    ("validate_array", "a parameter of type `Array`"),
    ("validate_bool", "a parameter of type `Boolean`"),
    ("validate_hash", "a parameter of type `Hash`"),
    ("validate_integer", "a parameter of type `Integer`"),
    ("validate_ip_address", "a parameter of type `Stdlib::IP::Address`"),
    ("validate_ipv4_address", "a parameter of type `Stdlib::IP::Address::V4`"),
    ("validate_ipv6_address", "a parameter of type `Stdlib::IP::Address::V6`"),
    ("validate_numeric", "a parameter of type `Numeric`"),
    ("validate_re", "a parameter of type `Pattern` or `Enum`"),
    ("validate_slength", "a parameter of type `String[min, max]`"),
    ("validate_string", "a parameter of type `String`"),
];

/// Functions that stdlib 9 has in its namespace, and without it only for old code.
const MOVED: &[&str] = &[
    "batch_escape",
    "ensure_packages",
    "fqdn_rand_string",
    "fqdn_rotate",
    "has_interface_with",
    "os_version_gte",
    "parsehocon",
    "powershell_escape",
    "seeded_rand",
    "seeded_rand_string",
    "shell_escape",
    "to_json",
    "to_json_pretty",
    "to_python",
    "to_ruby",
    "to_toml",
    "to_yaml",
    "type_of",
    "validate_domain_name",
    "validate_email_address",
];

/// Returns the replacement of a function that stdlib 9 no longer has.
pub(super) fn replacement_in_stdlib_9(name: &str) -> Option<&'static str> {
    OF_STDLIB.iter().find(|(old, _)| *old == name).map(|(_, instead)| *instead)
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.kind != NameUseKind::Function || it.access != Access::Call {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if let Some((_, instead)) = FUNCTIONS.iter().find(|(old, _)| *old == name) {
            let (severity, condition) = match context.version() {
                PuppetVersion::V7 => (Severity::Hint, ""),
                PuppetVersion::V8 => (Severity::Warning, " and requires Hiera 3 with Puppet 8"),
            };
            let problem = format!("function `{name}` is deprecated{condition}");
            let message = codes::with_help(problem, format!("use {instead}"));
            context.report(
                Diagnostic::new(Code::RemovedFunction, range, message)
                    .downgraded(DowngradeReason::Version, severity)
                    .with_tag(DiagnosticTag::Deprecated),
            );
        } else if let Some(diagnostic) = of_stdlib(context, &name, range) {
            context.report(diagnostic);
        }
    }
}

/// Checks a call of a function of stdlib.
fn of_stdlib(context: &RuleContext<'_>, name: &str, range: TextRange) -> Option<Diagnostic> {
    let replacement = replacement_in_stdlib_9(name);
    if replacement.is_none() && !MOVED.contains(&name) && name != "validate_legacy" {
        return None;
    }
    let diagnostic = |problem: String, help: String, severity: Severity| {
        Diagnostic::new(Code::RemovedFunction, range, codes::with_help(problem, help))
            .downgraded(DowngradeReason::Version, severity)
            .with_tag(DiagnosticTag::Deprecated)
    };
    let target = project::resolve_function(context.db, context.file, name);
    let is_of_stdlib = match &target {
        Some(FunctionTarget::Ruby { file, .. }) => matches!(file.role(context.db),
            FileRole::Module { module, .. } if module.name(context.db) == "stdlib"),
        // Another module or Puppet itself defines it.
        Some(_) => return None,
        None => false,
    };
    let is_installed = project::module_named(context.db, context.file, "stdlib").is_some();
    if let Some(instead) = replacement {
        // An unknown function of an installed stdlib is reported as such.
        let is_reported = if target.is_some() { is_of_stdlib } else { !is_installed };
        let problem = format!("function `{name}` was removed in stdlib 9");
        return (is_reported && is_for_stdlib_9(context))
            .then(|| diagnostic(problem, format!("use {instead}"), Severity::Hint));
    }
    if !is_of_stdlib {
        return None;
    }
    if name == "validate_legacy" {
        let (severity, consequence) = match context.version() {
            PuppetVersion::V7 => (Severity::Hint, "deprecated"),
            PuppetVersion::V8 => (Severity::Warning, "deprecated and fails in Puppet 8"),
        };
        let problem = format!("function `validate_legacy` is {consequence}");
        return Some(diagnostic(problem, "use a parameter with a type".to_owned(), severity));
    }
    let moved = format!("stdlib::{name}");
    project::resolve_function(context.db, context.file, &moved)?;
    let problem = format!("function `{name}` is deprecated in stdlib 9");
    let fix = FixData::ReplaceWith { range, text: moved.as_str().into() };
    Some(diagnostic(problem, format!("use `{moved}`"), Severity::Hint).with_data(fix))
}

/// Returns true if the metadata of the file's module allows version 9 of stdlib.
fn is_for_stdlib_9(context: &RuleContext<'_>) -> bool {
    let db = context.db;
    let FileRole::Module { module, .. } = context.file.role(db) else { return false };
    let Some(metadata) = project::metadata_file(db, *module) else { return false };
    let metadata = project::module_metadata(db, metadata);
    let Ok(first) = Version::parse("9.0.0") else { return false };
    metadata.dependencies().iter().filter(|it| it.module() == "stdlib").any(|it| {
        let range = it.version_requirement.as_ref().and_then(|it| VersionRange::parse(&it.text).ok());
        range.is_some_and(|it| it.includes(&first))
    })
}
