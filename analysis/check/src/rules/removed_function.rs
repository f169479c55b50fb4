#![doc = include_str!("../../pages/removed-function.md")]

use codes::{Code, DowngradeReason};
use hir::{Access, NameUseKind};
use project::{FileRole, FunctionTarget};
use scalars::semver::{Version, VersionRange};
use syntax::Severity;
use validation::PuppetVersion;

use crate::context::RuleContext;
use crate::{Diagnostic, DiagnosticTag};

/// Functions that are gone or about to go, and what to write instead.
const FUNCTIONS: &[(&str, &str)] = &[
    ("hiera", "lookup('key')"),
    ("hiera_array", "lookup('key', { 'merge' => 'unique' })"),
    ("hiera_hash", "lookup('key', { 'merge' => 'hash' })"),
    ("hiera_include", "lookup('key', { 'merge' => 'unique' }).include"),
];

/// Functions of stdlib up to version 8 whose work Puppet's own language does.
const OF_STDLIB: &[(&str, &str)] = &[
    ("validate_absolute_path", "a parameter of the type Stdlib::Absolutepath"),
    ("validate_array", "a parameter of the type Array"),
    ("validate_bool", "a parameter of the type Boolean"),
    ("validate_hash", "a parameter of the type Hash"),
    ("validate_integer", "a parameter of the type Integer"),
    ("validate_ip_address", "a parameter of the type Stdlib::IP::Address"),
    ("validate_ipv4_address", "a parameter of the type Stdlib::IP::Address::V4"),
    ("validate_ipv6_address", "a parameter of the type Stdlib::IP::Address::V6"),
    ("validate_numeric", "a parameter of the type Numeric"),
    ("validate_re", "a parameter of the type Pattern or Enum"),
    ("validate_slength", "a parameter of the type String[min, max]"),
    ("validate_string", "a parameter of the type String"),
    ("is_absolute_path", "$x =~ Stdlib::Absolutepath"),
    ("is_array", "$x =~ Array"),
    ("is_bool", "$x =~ Boolean"),
    ("is_float", "$x =~ Float"),
    ("is_hash", "$x =~ Hash"),
    ("is_integer", "$x =~ Integer"),
    ("is_numeric", "$x =~ Numeric"),
    ("is_string", "$x =~ String"),
];

pub(super) fn check(context: &mut RuleContext<'_>) {
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        if it.kind != NameUseKind::Function || it.access != Access::Call {
            continue;
        }
        let (name, range) = (it.name.clone(), it.range);
        if let Some((_, instead)) = FUNCTIONS.iter().find(|(old, _)| *old == name) {
            let (severity, when) = match context.version() {
                PuppetVersion::V7 => (Severity::Hint, "is deprecated"),
                PuppetVersion::V8 => {
                    (Severity::Warning, "is deprecated: it needs a Hiera of version 3 beside Puppet 8")
                }
            };
            let message = format!("the function '{name}' {when}; write {instead}");
            context.report(
                Diagnostic::new(Code::RemovedFunction, range, message)
                    .downgraded(DowngradeReason::Version, severity)
                    .with_tag(DiagnosticTag::Deprecated),
            );
        } else if let Some((_, instead)) = OF_STDLIB.iter().find(|(old, _)| *old == name) {
            // Where somebody else has such a function, it is not stdlib's.
            let Some(FunctionTarget::Ruby { file, .. }) =
                project::resolve_function(context.db, context.file, &name)
            else {
                continue;
            };
            let is_of_stdlib = matches!(file.place(context.db),
                FileRole::Module { module, .. } if module.name(context.db) == "stdlib");
            if is_of_stdlib && is_for_stdlib_9(context) {
                let message = format!("stdlib 9 has no function '{name}' any more; write {instead}");
                context.report(
                    Diagnostic::new(Code::RemovedFunction, range, message)
                        .downgraded(DowngradeReason::Version, Severity::Hint)
                        .with_tag(DiagnosticTag::Deprecated),
                );
            }
        }
    }
}

/// Do the metadata of a file's module say that it works with version 9 of stdlib?
fn is_for_stdlib_9(context: &RuleContext<'_>) -> bool {
    let db = context.db;
    let FileRole::Module { module, .. } = context.file.place(db) else { return false };
    let Some(metadata) = project::metadata_file(db, *module) else { return false };
    let metadata = project::module_metadata(db, metadata);
    let Ok(first) = Version::parse("9.0.0") else { return false };
    metadata.dependencies().iter().filter(|it| it.module() == "stdlib").any(|it| {
        let range = it.version_requirement.as_ref().and_then(|it| VersionRange::parse(&it.text).ok());
        range.is_some_and(|it| it.includes(&first))
    })
}
