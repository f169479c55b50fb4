//! Findings of the style checks of puppet-lint and its plugins that are enabled.

use std::sync::Arc;

use codes::Code;
use lint::{CHECKS, Options, StyleCheck, StyleFinding};
use memchr::memmem;
use project::{Db, Environment, File, FileKind, LintLevel};
use syntax::TextRange;

use crate::rule_table::level;
use crate::{Diagnostic, FixData};

/// Returns the findings of the enabled style checks in a manifest, by position; none if the file has a syntax
/// error.
#[salsa::tracked(returns(clone))]
pub fn style_diagnostics(db: &dyn Db, file: File) -> Arc<[Diagnostic]> {
    let _span = tracing::info_span!("style_diagnostics").entered();
    let Some(environment) = file.environments(db).first().copied() else { return Arc::new([]) };
    if project::file_kind(db, file) != FileKind::Manifest || file.is_large(db) {
        return Arc::new([]);
    }
    let Some(text) = project::text(db, file) else { return Arc::new([]) };
    let wanted: Vec<Code> = CHECKS
        .iter()
        .filter(|it| it.is_own_rule() && is_wanted(db, environment, it.code))
        .map(|it| it.code)
        .filter(|it| may_be_in(*it, &text))
        .collect();
    if wanted.is_empty() || crate::syntax_rules::has_syntax_errors(db, file) {
        return Arc::new([]);
    }
    let options = environment.rule_options(db);
    let options = Options {
        chars_per_indent: options.chars_per_indent,
        top_scope_variables: options.top_scope_variables.clone(),
        indents_each_bracket: options.indents_each_bracket,
        ..Options::default()
    };
    let parse = project::parse_once(db, file);
    let is_wanted = |check: &StyleCheck| check.is_own_rule() && wanted.contains(&check.code);
    let found = lint::lint(&parse, file.path(db).as_str(), &options, is_wanted);
    let mut diagnostics: Vec<Diagnostic> = found.iter().filter_map(diagnostic).collect();
    crate::findings::sort(&mut diagnostics);
    diagnostics.into()
}

fn is_wanted(db: &dyn Db, environment: Environment, code: Code) -> bool {
    level(db, environment, code).map_or(!code.is_off(), |it| it != LintLevel::Off)
}

/// Returns false if the check cannot have findings in the text.
///
/// Most files have none for the check that is on by default, and need not be tokenized.
fn may_be_in(code: Code, text: &str) -> bool {
    code != Code::UnquotedFileMode
        || memmem::find_iter(text.as_bytes(), b"mode").any(|at| may_be_bare(&text[at + "mode".len()..]))
}

/// Returns true if the text after the name of an attribute may be a value without quotes. After a comment,
/// anything may follow.
fn may_be_bare(rest: &str) -> bool {
    let is_comment = |text: &str| text.starts_with(['#', '/']);
    let rest = rest.trim_start();
    let value = rest.strip_prefix("=>").map(str::trim_start);
    let is_bare = |value: &str| value.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | ':'));
    is_comment(rest) || value.is_some_and(|value| is_comment(value) || is_bare(value))
}

fn diagnostic(finding: &StyleFinding) -> Option<Diagnostic> {
    if finding.ignored.is_some() {
        return None;
    }
    let check = CHECKS.iter().find(|it| it.name == finding.check)?;
    let range = TextRange::new(finding.range.start, finding.range.end);
    let diagnostic = Diagnostic::new(check.code, range, finding.message.clone());
    if finding.fix.is_empty() {
        return Some(diagnostic);
    }
    let edits = finding.fix.iter().map(|it| (TextRange::new(it.start, it.end), it.text.as_str().into()));
    let mut edits: Vec<_> = edits.collect();
    edits.sort();
    Some(diagnostic.with_data(FixData::Edits { edits, is_safe: finding.is_safe() }))
}
