//! Interpolations (`%{...}`) in values: reports those that Hiera rejects, and those that never have a value.

use codes::{Code, DowngradeReason};
use hiera::data::{Content, DataNode, HieraData};
use hiera::interpolation::{self, DataInterpolation, InterpolationExpression};
use hiera::key::{self, KeySegment};
use project::{Db, Environment, File};
use syntax::{Severity, TextRange};
use validation::Strict;

use crate::metadata_rules::similar::is_similar;
use crate::rules::unknown_fact;
use crate::{Diagnostic, FixData};

/// Keys are not checked, since data seldom interpolates them.
pub(super) fn check(db: &dyn Db, file: File, text: &str, data: &HieraData, found: &mut Vec<Diagnostic>) {
    for entry in data.entries() {
        entry.value.walk(&mut |node: &DataNode| in_node(db, file, text, node, found));
    }
}

/// Reports the variables of a configuration that cannot have a value.
pub(super) fn check_configuration(
    db: &dyn Db,
    file: File,
    text: &str,
    data: &HieraData,
    found: &mut Vec<Diagnostic>,
) {
    let Some(root) = &data.root else { return };
    root.walk(&mut |node: &DataNode| {
        for interpolation in interpolation::interpolations_of(text, node) {
            if matches!(interpolation.expression, InterpolationExpression::Variable(_)) {
                found.extend(without_value(db, file, &interpolation));
            }
        }
    });
}

fn in_node(db: &dyn Db, file: File, text: &str, node: &DataNode, found: &mut Vec<Diagnostic>) {
    let is_scalar = matches!(node.content, Content::Scalar { .. });
    let Some(written) = text.get(node.range.as_range()).filter(|it| is_scalar && it.contains("%{")) else {
        return;
    };
    let after_quotes = written.trim_start_matches(['"', '\'']);
    let inner = after_quotes.trim_end_matches(['"', '\'']);
    // `alias` must be the entire string between the quotes.
    let start = node.range.start + (written.len() - after_quotes.len()) as u32;
    for interpolation in interpolation::interpolations_of(text, node) {
        let local = DataInterpolation {
            range: TextRange::new(
                interpolation.range.start.saturating_sub(start),
                interpolation.range.end.saturating_sub(start),
            ),
            ..interpolation.clone()
        };
        match interpolation::failure(&local, inner, true) {
            Some(message) => {
                found.push(Diagnostic::new(Code::DataInterpolation, interpolation.range, message));
            }
            None => found.extend(without_value(db, file, &interpolation)),
        }
    }
    found.extend(unclosed(written, node.range.start));
}

/// Reports `%{` without `}`, which stays in the value as it is written.
fn unclosed(written: &str, start: u32) -> Option<Diagnostic> {
    let at = written.rfind("%{")?;
    if written[at..].contains('}') {
        return None;
    }
    let end = written[at..].find(['\n', '"', '\'']).map_or(written.len(), |it| at + it);
    let end = written[..end].trim_end().len();
    let message = codes::with_help("unclosed interpolation is not replaced", "add the closing `}`");
    let range = TextRange::new(start + at as u32, start + end as u32);
    let diagnostic = Diagnostic::new(Code::DataInterpolation, range, message);
    Some(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning))
}

/// Reports an interpolation that is never more than an empty string.
fn without_value(db: &dyn Db, file: File, interpolation: &DataInterpolation<'_>) -> Option<Diagnostic> {
    let environment = file.environments(db).first().copied()?;
    match interpolation.expression {
        InterpolationExpression::Variable(name) => match no_variable(name) {
            Some(message) => {
                let is_strict = environment.strict(db) == Strict::Error;
                let severity = if is_strict { Severity::Error } else { Severity::Warning };
                let diagnostic = Diagnostic::new(Code::DataInterpolation, interpolation.range, message);
                Some(diagnostic.downgraded(DowngradeReason::Strict, severity))
            }
            None => no_fact(name, interpolation.range)
                .or_else(|| unknown_trusted_key(name, interpolation.name_range))
                .or_else(|| unknown_fact_key(db, environment, name, interpolation.name_range)),
        },
        InterpolationExpression::Lookup(key) | InterpolationExpression::Alias(key) => {
            missing_key(db, environment, key, interpolation.range)
        }
        _ => None,
    }
}

/// Functions that interpolations can call.
const METHODS: &[&str] = &["lookup", "hiera", "alias", "scope", "literal"];

/// Returns the message for an expression that Hiera reads as the name of a variable that cannot exist.
fn no_variable(name: &str) -> Option<String> {
    let segments = key::split(name)?;
    let Some(KeySegment::Name(root)) = segments.first() else { return None };
    // Facts may have almost any name.
    let is_odd =
        |c: char| matches!(c, '(' | ')' | '[' | ']' | '$' | '\'' | '"' | '`' | ',') || c.is_whitespace();
    if !root.contains(is_odd) {
        return None;
    }
    let problem = format!("`{name}` is read as the name of a variable, which cannot exist");
    let call = name.split_once('(').map(|(method, rest)| (method.trim(), rest.trim_end_matches(')').trim()));
    Some(match call {
        Some((method, argument)) if METHODS.contains(&method) => {
            let argument = argument.trim_matches(['\'', '"', ' ']);
            codes::with_help(problem, format!("quote the argument: `%{{{method}('{argument}')}}`"))
        }
        None if name.contains(['[', '$']) => {
            let path = name.trim_start_matches('$').replace(']', "").replace('[', ".");
            let path = path.replace(['\'', '"'], "");
            codes::with_help(problem, format!("write `%{{{path}}}`"))
        }
        _ => problem,
    })
}

/// Reports a name with an uppercase letter, such as that of a header in `%{Referer}i`. Names of facts and
/// of variables in code begin with a lowercase letter.
fn no_fact(name: &str, range: TextRange) -> Option<Diagnostic> {
    if !name.starts_with(|it: char| it.is_ascii_uppercase()) {
        return None;
    }
    let message = codes::with_help(
        format!("`{name}` is read as the name of a variable, which is never set"),
        format!("write `%{{literal('%')}}{{{name}}}` if other software reads it"),
    );
    Some(
        Diagnostic::new(Code::DataInterpolation, range, message)
            .downgraded(DowngradeReason::Uncertain, Severity::Warning),
    )
}

/// Hashes that the server adds to the facts, and their keys.
const OF_SERVER: [(&str, &[&str]); 2] = [
    ("trusted", &["authenticated", "certname", "domain", "extensions", "external", "hostname"]),
    ("server_facts", &["environment", "serverip", "serverip6", "servername", "serverversion"]),
];

/// Reports a key that a hash of the server does not have.
fn unknown_trusted_key(name: &str, range: TextRange) -> Option<Diagnostic> {
    let (hash, rest) = name.strip_prefix("::").unwrap_or(name).split_once('.')?;
    let (_, keys) = OF_SERVER.iter().find(|(known, _)| *known == hash)?;
    let key = rest.split('.').next()?;
    let similar = keys.iter().find(|known| is_similar(key, known));
    // Other keys may be those of a later version.
    let similar = similar.filter(|_| !keys.contains(&key))?;
    let start = range.end - rest.len() as u32;
    let range = TextRange::new(start, start + key.len() as u32);
    let message =
        codes::with_help(format!("`{hash}` has no key `{key}`"), format!("did you mean `{similar}`?"));
    let fix = FixData::ReplaceWith { range, text: (*similar).into() };
    Some(
        Diagnostic::new(Code::DataInterpolation, range, message)
            .downgraded(DowngradeReason::Uncertain, Severity::Warning)
            .with_data(fix),
    )
}

/// Reports a path into a built-in fact that has no such key.
fn unknown_fact_key(
    db: &dyn Db,
    environment: Environment,
    name: &str,
    range: TextRange,
) -> Option<Diagnostic> {
    let path = name.strip_prefix("::").unwrap_or(name).strip_prefix("facts.")?;
    if path.contains(['\'', '"']) {
        return None;
    }
    let unknown = unknown_fact::unknown_key(db, environment, path)?;
    let end = range.end;
    let range = TextRange::new(end - unknown.name.len() as u32, end);
    Some(unknown.diagnostic(range))
}

/// Reports a key that no data has; its interpolation is an empty string.
fn missing_key(db: &dyn Db, environment: Environment, key: &str, range: TextRange) -> Option<Diagnostic> {
    let segments = key::split(key)?;
    let Some(KeySegment::Name(root)) = segments.first() else { return None };
    if !project::has_valid_configuration(db, environment) {
        return None;
    }
    let missing = if !project::may_have_data(db, environment, root) {
        root
    } else if segments.len() > 1 && lacks_path(db, environment, root, &segments[1..]) {
        key
    } else {
        return None;
    };
    let message = format!("no data has the key `{missing}`, so the interpolation is an empty string");
    let diagnostic = Diagnostic::new(Code::DataInterpolation, range, message);
    Some(diagnostic.downgraded(DowngradeReason::Uncertain, Severity::Warning))
}

/// Returns true if all values of a key are known, and none has the path into it.
fn lacks_path(db: &dyn Db, environment: Environment, root: &str, path: &[KeySegment]) -> bool {
    if project::may_have_unread_data(db, environment, root) {
        return false;
    }
    let index = project::data_key_index(db, environment);
    let Some(files) = index.get(root).filter(|_| !index.contains_key("<<")) else { return false };
    files.iter().all(|file| {
        let data = project::hiera_data(db, *file);
        data.entry(root).is_some_and(|entry| lacks_path_in(&entry.value, path))
    })
}

fn lacks_path_in(node: &DataNode, path: &[KeySegment]) -> bool {
    let Content::Mapping(entries) = &node.content else { return false };
    let Some((KeySegment::Name(name), rest)) = path.split_first() else { return false };
    let is_known =
        entries.iter().all(|it| it.key.value.as_str().is_some_and(|key| key != "<<" && !key.contains("%{")));
    match entries.iter().find(|it| it.key.value.as_str() == Some(name.as_str())) {
        Some(entry) => !rest.is_empty() && lacks_path_in(&entry.value, rest),
        None => is_known,
    }
}
