#![doc = include_str!("../../pages/removed-function.md")]

use codes::{Code, DowngradeReason};
use hir::{Access, NameUseKind};
use project::{FileRole, FunctionTarget};
use scalars::semver::{Version, VersionRange};
use syntax::Severity;
use validation::PuppetVersion;

use crate::context::RuleContext;
use crate::{Diagnostic, DiagnosticTag};

/// Functions that are removed or deprecated, with a replacement.
const FUNCTIONS: &[(&str, &str)] = &[
    ("hiera", "`lookup('key')`"),
    ("hiera_array", "`lookup('key', { 'merge' => 'unique' })`"),
    ("hiera_hash", "`lookup('key', { 'merge' => 'hash' })`"),
    ("hiera_include", "`lookup('key', { 'merge' => 'unique' }).include`"),
];

/// Functions of stdlib up to version 8 that the Puppet language has made redundant, with a replacement.
const OF_STDLIB: &[(&str, &str)] = &[
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
    ("is_absolute_path", "`$x =~ Stdlib::Absolutepath`"),
    ("is_array", "`$x =~ Array`"),
    ("is_bool", "`$x =~ Boolean`"),
    ("is_float", "`$x =~ Float`"),
    ("is_hash", "`$x =~ Hash`"),
    ("is_integer", "`$x =~ Integer`"),
    ("is_numeric", "`$x =~ Numeric`"),
    ("is_string", "`$x =~ String`"),
];

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
        } else if let Some((_, instead)) = OF_STDLIB.iter().find(|(old, _)| *old == name) {
            // A function of this name in another module is not stdlib's.
            let Some(FunctionTarget::Ruby { file, .. }) =
                project::resolve_function(context.db, context.file, &name)
            else {
                continue;
            };
            let is_of_stdlib = matches!(file.role(context.db),
                FileRole::Module { module, .. } if module.name(context.db) == "stdlib");
            if is_of_stdlib && is_for_stdlib_9(context) {
                let problem = format!("function `{name}` was removed in stdlib 9");
                let message = codes::with_help(problem, format!("use {instead}"));
                context.report(
                    Diagnostic::new(Code::RemovedFunction, range, message)
                        .downgraded(DowngradeReason::Version, Severity::Hint)
                        .with_tag(DiagnosticTag::Deprecated),
                );
            }
        }
    }
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
