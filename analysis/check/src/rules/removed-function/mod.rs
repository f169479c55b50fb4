#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use hir::{Access, NameUseKind};
use project::{FileRole, FunctionTarget};
use rewrites::calls::{Rewrite, rewritten_call};
use scalars::semver::{Version, VersionRange};
use syntax::{Severity, TextRange};
use validation::{PuppetVersion, VersionDifference};

use super::legacy_fact::severity_since;
use crate::context::RuleContext;
use crate::{Diagnostic, DiagnosticTag, FixData};

/// Functions that are removed or deprecated, with a replacement.
const FUNCTIONS: &[(&str, &str, Rewrite)] = &[
    ("hiera", "`lookup('key')`", Rewrite::Lookup { merge: None, includes: false }),
    (
        "hiera_array",
        "`lookup('key', { 'merge' => 'unique' })`",
        Rewrite::Lookup { merge: Some("unique"), includes: false },
    ),
    (
        "hiera_hash",
        "`lookup('key', { 'merge' => 'hash' })`",
        Rewrite::Lookup { merge: Some("hash"), includes: false },
    ),
    (
        "hiera_include",
        "`lookup('key', { 'merge' => 'unique' }).include`",
        Rewrite::Lookup { merge: Some("unique"), includes: true },
    ),
];

/// Functions of stdlib up to version 8, with a replacement by the language, Puppet, or stdlib 9.
const OF_STDLIB: &[(&str, &str, Rewrite)] = &[
    ("dig44", "`$data.dig(...)`", Rewrite::Dig),
    ("has_key", "`'key' in $hash`", Rewrite::KeyIn),
    ("hash", "`Hash(...)`", Rewrite::Rename("Hash")),
    (
        "is_absolute_path",
        "`$x =~ Stdlib::Absolutepath`",
        Rewrite::Match { ty: "Stdlib::Absolutepath", is_exact: false },
    ),
    ("is_array", "`$x =~ Array`", Rewrite::Match { ty: "Array", is_exact: true }),
    ("is_bool", "`$x =~ Boolean`", Rewrite::Match { ty: "Boolean", is_exact: true }),
    ("is_domain_name", "`$x =~ Stdlib::Fqdn`", Rewrite::Match { ty: "Stdlib::Fqdn", is_exact: false }),
    ("is_email_address", "`$x =~ Stdlib::Email`", Rewrite::Match { ty: "Stdlib::Email", is_exact: false }),
    ("is_float", "`$x =~ Float`", Rewrite::Match { ty: "Float", is_exact: false }),
    ("is_function_available", "`stdlib::has_function`", Rewrite::Rename("stdlib::has_function")),
    ("is_hash", "`$x =~ Hash`", Rewrite::Match { ty: "Hash", is_exact: true }),
    ("is_integer", "`$x =~ Integer`", Rewrite::Match { ty: "Integer", is_exact: false }),
    (
        "is_ip_address",
        "`$x =~ Stdlib::IP::Address`",
        Rewrite::Match { ty: "Stdlib::IP::Address", is_exact: false },
    ),
    (
        "is_ipv4_address",
        "`$x =~ Stdlib::IP::Address::V4`",
        Rewrite::Match { ty: "Stdlib::IP::Address::V4", is_exact: false },
    ),
    (
        "is_ipv6_address",
        "`$x =~ Stdlib::IP::Address::V6`",
        Rewrite::Match { ty: "Stdlib::IP::Address::V6", is_exact: false },
    ),
    ("is_mac_address", "`$x =~ Stdlib::MAC`", Rewrite::Match { ty: "Stdlib::MAC", is_exact: false }),
    ("is_numeric", "`$x =~ Numeric`", Rewrite::Match { ty: "Numeric", is_exact: false }),
    ("is_string", "`$x =~ String`", Rewrite::Match { ty: "String", is_exact: false }),
    ("private", "`assert_private()`", Rewrite::Rename("assert_private")),
    ("sprintf_hash", "`sprintf`", Rewrite::Rename("sprintf")),
    ("try_get_value", "`get` or `$data.dig(...)`", Rewrite::Manual),
    ("type3x", "`type($x)`", Rewrite::Manual),
    (
        "validate_absolute_path",
        "a parameter of type `Stdlib::Absolutepath`",
        Rewrite::Assert("Stdlib::Absolutepath"),
    ),
    ("validate_array", "a parameter of type `Array`", Rewrite::Assert("Array")),
    ("validate_bool", "a parameter of type `Boolean`", Rewrite::Assert("Boolean")),
    ("validate_hash", "a parameter of type `Hash`", Rewrite::Assert("Hash")),
    ("validate_integer", "a parameter of type `Integer`", Rewrite::AssertRange("Integer")),
    (
        "validate_ip_address",
        "a parameter of type `Stdlib::IP::Address`",
        Rewrite::Assert("Stdlib::IP::Address"),
    ),
    (
        "validate_ipv4_address",
        "a parameter of type `Stdlib::IP::Address::V4`",
        Rewrite::Assert("Stdlib::IP::Address::V4"),
    ),
    (
        "validate_ipv6_address",
        "a parameter of type `Stdlib::IP::Address::V6`",
        Rewrite::Assert("Stdlib::IP::Address::V6"),
    ),
    ("validate_numeric", "a parameter of type `Numeric`", Rewrite::AssertRange("Numeric")),
    ("validate_re", "a parameter of type `Pattern` or `Enum`", Rewrite::AssertPattern),
    ("validate_slength", "a parameter of type `String[min, max]`", Rewrite::AssertLength),
    ("validate_string", "a parameter of type `String`", Rewrite::Assert("String")),
];

/// Types of stdlib up to version 8 that accept the same values as the functions `validate_*`, each with a
/// replacement.
const COMPATIBLE_TYPES: &[(&str, &str)] = &[
    ("Stdlib::Compat::Absolute_path", "Stdlib::Absolutepath"),
    ("Stdlib::Compat::Array", "Array"),
    ("Stdlib::Compat::Bool", "Boolean"),
    ("Stdlib::Compat::Float", "Float"),
    ("Stdlib::Compat::Hash", "Hash"),
    ("Stdlib::Compat::Integer", "Integer"),
    ("Stdlib::Compat::Ip_address", "Stdlib::IP::Address"),
    ("Stdlib::Compat::Ipv4", "Stdlib::IP::Address::V4"),
    ("Stdlib::Compat::Ipv6", "Stdlib::IP::Address::V6"),
    ("Stdlib::Compat::Numeric", "Numeric"),
    ("Stdlib::Compat::Re", "Pattern"),
    ("Stdlib::Compat::String", "String"),
];

/// Functions that stdlib 9 has in its namespace, and without it only for old code.
const MOVED: &[&str] = &[
    "batch_escape",
    "ensure_packages",
    "fqdn_rand_string",
    "fqdn_rotate",
    "has_interface_with",
    "merge",
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
    removed_in_stdlib_9(name).map(|(_, instead, _)| *instead)
}

/// Returns the rewrite of a call of a function that stdlib 9 no longer has.
pub(super) fn fix_for_stdlib_9(context: &RuleContext<'_>, name: &str, range: TextRange) -> Option<FixData> {
    let (_, _, rewrite) = removed_in_stdlib_9(name)?;
    fix(context, *rewrite, range)
}

fn removed_in_stdlib_9(name: &str) -> Option<&'static (&'static str, &'static str, Rewrite)> {
    OF_STDLIB.iter().find(|(old, ..)| *old == name)
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let (name, range) = (it.name.clone(), it.range);
        if it.kind == NameUseKind::Type {
            let found = of_stdlib_types(context, &name, range);
            found.into_iter().for_each(|it| context.report(it));
            continue;
        }
        if it.kind != NameUseKind::Function || it.access != Access::Call {
            continue;
        }
        if let Some(mut diagnostic) = of_hiera_3(context.version(), &name, range) {
            let rewrite = FUNCTIONS.iter().find(|(old, ..)| *old == name);
            diagnostic.data = rewrite.and_then(|(.., it)| fix(context, *it, range));
            context.report(diagnostic);
        } else if let Some(diagnostic) = of_stdlib(context, &name, range) {
            context.report(diagnostic);
        }
    }
}

/// Returns the finding for a call of a function that requires Hiera 3.
pub(crate) fn of_hiera_3(version: PuppetVersion, name: &str, range: TextRange) -> Option<Diagnostic> {
    let (_, instead, _) = FUNCTIONS.iter().find(|(old, ..)| *old == name)?;
    let severity = severity_since(version, VersionDifference::Hiera3);
    let condition =
        if version.has(VersionDifference::Hiera3) { " and requires Hiera 3 with Puppet 8" } else { "" };
    let problem = format!("function `{name}` is deprecated{condition}");
    let message = codes::with_help(problem, format!("use {instead}"));
    Some(
        Diagnostic::new(Code::RemovedFunction, range, message)
            .downgraded(DowngradeReason::Version, severity)
            .with_tag(DiagnosticTag::Deprecated),
    )
}

/// Checks a call of a function of stdlib.
fn of_stdlib(context: &RuleContext<'_>, name: &str, range: TextRange) -> Option<Diagnostic> {
    let removed = removed_in_stdlib_9(name);
    if removed.is_none() && !MOVED.contains(&name) && name != "validate_legacy" {
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
    let prepares_upgrade = context.environment.prepares_upgrade(context.db);
    if let Some((_, instead, rewrite)) = removed {
        // An unknown function of an installed stdlib is reported as such.
        let is_reported = if target.is_some() { is_of_stdlib } else { !is_installed };
        let problem = format!("function `{name}` was removed in stdlib 9");
        return (is_reported && (prepares_upgrade || is_for_stdlib_9(context))).then(|| {
            let severity = if prepares_upgrade { Severity::Warning } else { Severity::Hint };
            let mut diagnostic = diagnostic(problem, format!("use {instead}"), severity);
            diagnostic.data = fix(context, *rewrite, range);
            diagnostic
        });
    }
    let is_missing = target.is_none() && !is_installed && prepares_upgrade;
    if !is_of_stdlib && !is_missing {
        return None;
    }
    if name == "validate_legacy" {
        let severity = severity_since(context.version(), VersionDifference::ValidateLegacy);
        let consequence = if context.version().has(VersionDifference::ValidateLegacy) {
            "deprecated and fails in Puppet 8"
        } else {
            "deprecated"
        };
        let problem = format!("function `validate_legacy` is {consequence}");
        let mut diagnostic = diagnostic(problem, "use a parameter with a type".to_owned(), severity);
        diagnostic.data = fix(context, Rewrite::AssertLegacy, range);
        return Some(diagnostic);
    }
    let moved = format!("stdlib::{name}");
    if !is_missing && project::resolve_function(context.db, context.file, &moved).is_none() {
        return None;
    }
    let problem = format!("function `{name}` is deprecated in stdlib 9");
    let fix = FixData::ReplaceWith { range, text: moved.as_str().into() };
    Some(diagnostic(problem, format!("use `{moved}`"), Severity::Hint).with_data(fix))
}

/// Checks the name of a type that stdlib 9 no longer has.
fn of_stdlib_types(context: &RuleContext<'_>, name: &str, range: TextRange) -> Option<Diagnostic> {
    let (old, instead) = COMPATIBLE_TYPES.iter().find(|(old, _)| old.eq_ignore_ascii_case(name))?;
    let prepares_upgrade = context.environment.prepares_upgrade(context.db);
    if !prepares_upgrade && !is_for_stdlib_9(context) {
        return None;
    }
    let problem = format!("type `{old}` was removed in stdlib 9");
    let message = codes::with_help(problem, format!("use `{instead}`"));
    let mut diagnostic = Diagnostic::new(Code::RemovedFunction, range, message)
        .downgraded(DowngradeReason::Version, Severity::Hint)
        .with_tag(DiagnosticTag::Deprecated);
    if *instead != "Pattern" {
        diagnostic.data = Some(FixData::ReplaceWith { range, text: (*instead).into() });
    }
    Some(diagnostic)
}

/// Returns the fix that replaces the call of a function; `name` is the range of the function's name.
fn fix(context: &RuleContext<'_>, rewrite: Rewrite, name: TextRange) -> Option<FixData> {
    let call = rewritten_call(context.tree(), rewrite, name)?;
    let edits = call.edits.into_iter().map(|(range, text)| (range, text.into())).collect();
    Some(FixData::Edits { edits, is_safe: call.is_safe })
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
