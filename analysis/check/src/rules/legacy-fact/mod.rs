#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use plugins::built_in;
use syntax::{Severity, SyntaxKind, TextRange};
use validation::{PuppetVersion, VersionDifference};

use crate::context::RuleContext;
use crate::rules::unknown_variable;
use crate::{Diagnostic, DiagnosticTag, FixData};
use project::{Db, Environment};

/// Reports the legacy fact `name`; `range` is the range of the name.
pub(super) fn report(context: &mut RuleContext<'_>, name: &str, range: TextRange) {
    let replacement = built_in::replacement_of_legacy_fact(name);
    let mut diagnostic = self::diagnostic(context.version(), name, range, replacement.as_deref());
    if is_argument(context, range) {
        let path = replacement.as_deref().and_then(path_of_access);
        if let Some(path) = path.as_deref().and_then(|it| it.strip_prefix("facts.")) {
            diagnostic = diagnostic.with_data(FixData::ReplaceWith { range, text: path.into() });
        }
        return context.report(diagnostic);
    }
    if let (Some(text), Some((range, is_interpolated))) = (replacement, whole_access(context, range)) {
        let text = if is_interpolated { format!("{{{}}}", text.trim_start_matches('$')) } else { text };
        let text = if is_interpolated { format!("${text}") } else { text };
        diagnostic = diagnostic.with_data(FixData::ReplaceWith { range, text: text.into() });
    }
    context.report(diagnostic);
}

/// Creates the diagnostic for a legacy fact in a Hiera interpolation; `range` is the part that reads it.
pub(crate) fn interpolated(version: PuppetVersion, name: &str, range: TextRange) -> Diagnostic {
    let path = built_in::replacement_of_legacy_fact(name).and_then(|it| path_of_access(&it));
    let advice = path.as_ref().map(|it| format!("%{{{it}}}"));
    let diagnostic = diagnostic(version, name, range, advice.as_deref());
    match path {
        Some(path) => diagnostic.with_data(FixData::ReplaceWith { range, text: path.into() }),
        None => diagnostic,
    }
}

/// Legacy facts whose names are common for variables as well.
const COMMON_WORDS: [&str; 16] = [
    "architecture",
    "domain",
    "gid",
    "hostname",
    "id",
    "interfaces",
    "manufacturer",
    "netmask",
    "network",
    "productname",
    "selinux",
    "serialnumber",
    "uptime",
    "uuid",
    "zonename",
    "zones",
];

/// Returns true for the name of a legacy fact that variables of classes often have as well.
pub(crate) fn is_common_word(name: &str) -> bool {
    COMMON_WORDS.contains(&name)
}

/// Creates the diagnostic for a legacy fact that cannot be replaced as it is, such as one in
/// `has_variable?('fqdn')` or in an inline template. The advice begins with `sigil`.
pub(crate) fn in_test(version: PuppetVersion, name: &str, range: TextRange, sigil: char) -> Diagnostic {
    let replacement = built_in::replacement_of_legacy_fact(name);
    let replacement = replacement.and_then(|it| Some(format!("{sigil}{}", it.strip_prefix('$')?)));
    diagnostic(version, name, range, replacement.as_deref())
}

/// Returns the keys of the value that replaces a legacy fact: `os`, `family`; `None` if it is not the value of
/// one key.
pub(crate) fn path_of(name: &str) -> Option<Vec<String>> {
    let path = path_of_access(&built_in::replacement_of_legacy_fact(name)?)?;
    let keys: Vec<String> = path.strip_prefix("facts.")?.split('.').map(str::to_owned).collect();
    (keys.len() > 1).then_some(keys)
}

/// Creates the diagnostic for a legacy fact in an ERB template; `range` is the expression that reads it.
pub(crate) fn in_template(version: PuppetVersion, name: &str, range: TextRange) -> Diagnostic {
    let replacement = built_in::replacement_of_legacy_fact(name);
    // `$facts['x']` is the instance variable `@facts` of the template.
    let replacement = replacement.and_then(|it| Some(format!("@{}", it.strip_prefix('$')?)));
    let diagnostic = diagnostic(version, name, range, replacement.as_deref());
    match replacement {
        // Part of the name is computed.
        Some(text) if !name.ends_with('*') => {
            diagnostic.with_data(FixData::ReplaceWith { range, text: text.into() })
        }
        _ => diagnostic,
    }
}

/// Creates the diagnostic for a legacy fact. `replacement` is the suggested expression.
pub(crate) fn diagnostic(
    version: PuppetVersion,
    name: &str,
    range: TextRange,
    replacement: Option<&str>,
) -> Diagnostic {
    let severity = severity_since(version, VersionDifference::LegacyFacts);
    let problem = format!("legacy fact `{name}` is not available in Puppet 8 by default");
    let message = match replacement {
        Some(replacement) => codes::with_help(problem, format!("use `{replacement}`")),
        None => problem,
    };
    Diagnostic::new(Code::LegacyFact, range, message)
        .downgraded(DowngradeReason::Version, severity)
        .with_tag(DiagnosticTag::Deprecated)
}

/// Returns the severity of a finding about a difference: a hint for versions that do not have it yet.
pub(crate) fn severity_since(version: PuppetVersion, difference: VersionDifference) -> Severity {
    if version.has(difference) { Severity::Warning } else { Severity::Hint }
}

/// Creates the diagnostic for a legacy fact in Ruby code; `read` is the expression that reads it, such as
/// `lookupvar('::osfamily')`, with its range.
pub(crate) fn in_ruby(version: PuppetVersion, name: &str, read: &str, range: TextRange) -> Diagnostic {
    let replacement = built_in::replacement_of_legacy_fact(name);
    let path = replacement.and_then(|it| it.strip_prefix("$facts").map(str::to_owned));
    let parts =
        path.zip(read.find(['\'', '"'])).zip(read.chars().last().filter(|it| matches!(it, ']' | ')')));
    let replacement = parts.map(|((path, at), end)| format!("{}'facts'{end}{path}", &read[..at]));
    let diagnostic = self::diagnostic(version, name, range, replacement.as_deref());
    match replacement {
        Some(text) if !name.ends_with('*') => {
            diagnostic.with_data(FixData::ReplaceWith { range, text: text.into() })
        }
        _ => diagnostic,
    }
}

/// Creates the diagnostic for a legacy fact that Ruby code reads from the hash of facts.
pub(crate) fn in_ruby_hash(version: PuppetVersion, name: &str, range: TextRange) -> Diagnostic {
    let replacement = built_in::replacement_of_legacy_fact(name);
    let path = replacement.and_then(|it| it.strip_prefix("$facts").map(str::to_owned));
    diagnostic(version, name, range, path.as_deref())
}

/// Converts `$facts['os']['family']` to `facts.os.family`; `None` for other expressions and for keys that
/// need quotes.
fn path_of_access(access: &str) -> Option<String> {
    let mut segments = access.strip_prefix('$')?.strip_suffix("']")?.split("['");
    let mut path = segments.next()?.to_owned();
    for segment in segments {
        let segment = segment.strip_suffix("']").unwrap_or(segment);
        if segment.is_empty() || !segment.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_') {
            return None;
        }
        path = path + "." + segment;
    }
    Some(path)
}

/// Returns true if the name is an argument of a function, as in `fact('osfamily')`.
fn is_argument(context: &RuleContext<'_>, range: TextRange) -> bool {
    let node = context.tree().covering_element(range).and_then(|it| it.parent());
    let nearest = node.into_iter().flat_map(|it| it.ancestors().collect::<Vec<_>>()).find(|it| {
        matches!(
            it.kind(),
            SyntaxKind::ARGUMENT_LIST
                | SyntaxKind::VARIABLE_EXPR
                | SyntaxKind::ACCESS_EXPR
                | SyntaxKind::INTERPOLATION
        )
    });
    let list = nearest.filter(|it| it.kind() == SyntaxKind::ARGUMENT_LIST);
    list.and_then(|it| it.parent()).is_some_and(|it| it.kind() == SyntaxKind::CALL_EXPR)
}

/// Returns the range of the expression that reads the fact (`$::name`, `$facts['name']`), and whether it is a
/// whole interpolation, so that the replacement needs braces.
fn whole_access(context: &RuleContext<'_>, range: TextRange) -> Option<(TextRange, bool)> {
    let node = context.tree().covering_element(range)?.parent()?;
    let access = node.ancestors().find(|it| {
        matches!(it.kind(), SyntaxKind::VARIABLE_EXPR | SyntaxKind::ACCESS_EXPR | SyntaxKind::INTERPOLATION)
    })?;
    match access.kind() {
        SyntaxKind::INTERPOLATION => Some((access.text_range(), true)),
        _ => {
            let parent = access.parent()?;
            Some(match parent.kind() {
                SyntaxKind::INTERPOLATION => (parent.text_range(), true),
                // Without braces, `"$facts['x']"` only interpolates `$facts`.
                SyntaxKind::INTERPOLATED_STRING | SyntaxKind::HEREDOC_BODY => (access.text_range(), true),
                _ => (access.text_range(), false),
            })
        }
    }
}

/// Returns true if the name is a legacy fact and no module defines a fact of this name, for files without
/// code.
pub(crate) fn is_legacy_fact(db: &dyn Db, environment: Environment, name: &str) -> bool {
    built_in::fact(name).is_some_and(|fact| fact.is_legacy)
        && !unknown_variable::is_custom_fact(db, environment, name)
}
