//! Names and versions of the modules in a `Puppetfile`.

use crate::metadata_rules::check_module_name;
use crate::{Diagnostic, FixData};
use codes::{Code, DowngradeReason};
use plugins::puppetfile::{PuppetfileModule, PuppetfileValue, PuppetfileValueKind};
use scalars::semver::Version;
use syntax::{Severity, TextRange};

pub(super) fn with_suggestion(problem: String, similar: Option<&&str>) -> String {
    match similar {
        Some(known) => codes::with_help(problem, format!("did you mean `{known}`?")),
        None => problem,
    }
}

/// Reports the name of a module with the option `type: 'forge'` that lacks the author.
pub(super) fn full_name(module: &PuppetfileModule, is_for_librarian: bool) -> Option<Diagnostic> {
    let message = check_module_name(&module.name)?;
    let is_short = !module.name.contains(['-', '/']);
    is_short.then(|| diagnostic(Code::PuppetfileName, module.name_range, message, !is_for_librarian))
}

/// Reports an invalid name. r10k rejects the file if the name is not one word or two; the Forge has no module
/// with any other invalid name.
pub(super) fn name(module: &PuppetfileModule, is_for_librarian: bool) -> Option<Diagnostic> {
    let is_word =
        |text: &str| !text.is_empty() && text.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let mut parts = module.name.split(['-', '/']);
    let words = parts.clone().count();
    let is_accepted = words <= 2 && parts.all(is_word);
    let is_of_forge = module.options.is_empty() && !module.has_unknown_options;
    // Only librarian-puppet accepts any name of a module from another source.
    if !is_of_forge && (is_accepted || is_for_librarian) {
        return None;
    }
    let message = match check_module_name(&module.name) {
        Some(message) if is_of_forge => message,
        None if is_accepted => return None,
        _ => format!("invalid module name `{}`; expected `MODULE` or `AUTHOR-MODULE`", module.name),
    };
    let is_fatal = !is_for_librarian && (!is_accepted || words == 1);
    Some(diagnostic(Code::PuppetfileName, module.name_range, message, is_fatal))
}

/// Checks the version of a module from the Forge. Only librarian-puppet accepts ranges.
pub(super) fn forge_version(version: &PuppetfileValue, is_for_librarian: bool) -> Option<Diagnostic> {
    let is_valid = match version.kind {
        PuppetfileValueKind::String => Version::parse(&version.text).is_ok(),
        PuppetfileValueKind::Symbol => version.text == "latest",
        PuppetfileValueKind::Nil | PuppetfileValueKind::Computed => true,
        PuppetfileValueKind::Number | PuppetfileValueKind::Boolean | PuppetfileValueKind::Collection => false,
    };
    if is_valid {
        return None;
    }
    let is_string = version.kind == PuppetfileValueKind::String;
    if is_for_librarian && is_string && scalars::semver::VersionRange::parse(&version.text).is_ok() {
        return None;
    }
    let is_latest = is_string && version.text == "latest";
    let help =
        if is_latest { "use the symbol `:latest`" } else { "use a version such as `1.2.3`, or `:latest`" };
    let message = codes::with_help(format!("`{}` is not a version of a Forge module", version.written), help);
    let mut diagnostic = Diagnostic::new(Code::PuppetfileVersion, version.range, message);
    if is_latest {
        diagnostic.data = Some(FixData::ReplaceWith { range: version.range, text: ":latest".into() });
    }
    Some(diagnostic)
}

pub(super) fn diagnostic(
    code: Code,
    range: TextRange,
    message: impl Into<String>,
    is_fatal: bool,
) -> Diagnostic {
    let diagnostic = Diagnostic::new(code, range, message);
    if is_fatal { diagnostic } else { diagnostic.downgraded(DowngradeReason::Tolerated, Severity::Warning) }
}
