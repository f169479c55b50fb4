//! Findings in a single file: syntax errors, the static rules, and unreadable files.

use codes::Code;
use std::sync::Arc;

use project::{Contents, Db, File, FileKind, FilePart};
use syntax::{Parse, Severity, TextFinding, TextRange};
use validation::{ValidationSettings, validate};

use crate::Diagnostic;

/// Returns the syntax errors and the findings of the static rules, by position; one finding for a file that
/// cannot be read.
#[salsa::tracked(returns(clone), lru = 0)]
pub fn syntax_diagnostics(db: &dyn Db, file: File) -> Arc<[TextFinding]> {
    let _span = tracing::info_span!("syntax_diagnostics").entered();
    if !project::file_kind(db, file).is_source() {
        return unchecked(db, file).into_iter().collect();
    }
    let start = TextRange::empty(0);
    match file.contents(db) {
        Contents::Text(_) | Contents::Packed(_) => {}
        Contents::Missing => return Arc::new([]),
        Contents::Unread => {
            let message = "file is too large to check";
            return Arc::new([TextFinding::new(Code::LargeFile, start, message)]);
        }
        Contents::NotUtf8(Some(mark)) => {
            let problem = format!("file is {}, which Puppet rejects", mark.description());
            let message = codes::with_help(problem, "save the file as UTF-8 without a byte-order mark");
            return Arc::new([TextFinding::new(Code::ByteOrderMark, start, message)]);
        }
        Contents::NotUtf8(None) => {
            let message = codes::with_help("file is not valid UTF-8", "save the file as UTF-8");
            return Arc::new([TextFinding::new(Code::NotUtf8, start, message)]);
        }
        Contents::Unreadable(why) => {
            let message = format!("cannot read file: {why}");
            return Arc::new([TextFinding::new(Code::UnreadableFile, start, message)]);
        }
    }
    let parse = project::parse_once(db, file);
    let mut diagnostics = parse.errors().to_vec();
    if diagnostics.len() >= MIN_ERRORS_OF_RUBY && is_ruby(parse.text()) {
        let range = diagnostics.first().map_or(start, |it| it.range);
        let message = "expected Puppet code; this file looks like Ruby";
        return Arc::new([TextFinding::new(Code::SyntaxError, range, message)]);
    }
    if file.is_large(db) {
        let message = "file is very large; only its syntax is checked";
        diagnostics.push(TextFinding::new(Code::LargeFile, start, message));
    } else {
        diagnostics.extend(validated(db, file, &parse));
    }
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
    diagnostics.into()
}

/// Returns the syntax errors of a manifest or template without the findings of any rule; `None` if
/// [`syntax_diagnostics`] does not report each of them.
pub fn syntax_errors(db: &dyn Db, file: File) -> Option<Vec<Diagnostic>> {
    let is_parsed = project::file_kind(db, file).is_source() && file.contents(db).has_text();
    if !is_parsed || file.is_large(db) {
        return None;
    }
    let parse = project::parse_once(db, file);
    let errors = parse.errors().iter().filter(|it| it.code.is_fixed()).map(Diagnostic::from);
    (parse.errors().len() < MIN_ERRORS_OF_RUBY).then(|| errors.collect())
}

/// Minimum number of syntax errors of a file that is reported as Ruby code with a single error.
const MIN_ERRORS_OF_RUBY: usize = 5;

/// Returns true for a text with lines that begin and end definitions in Ruby.
fn is_ruby(text: &str) -> bool {
    let lines = || text.lines().map(str::trim);
    let begins =
        |line: &str| ["def ", "require '", "require \"", "module "].iter().any(|it| line.starts_with(it));
    lines().any(|it| it == "end") && lines().any(begins)
}

/// Returns the finding for a file without Puppet code that is not checked because of its size.
fn unchecked(db: &dyn Db, file: File) -> Option<TextFinding> {
    if !file.is_large(db) && *file.contents(db) != Contents::Unread {
        return None;
    }
    let is_checked = match project::file_kind(db, file) {
        FileKind::ModuleMetadata
        | FileKind::Puppetfile
        | FileKind::TaskMetadata
        | FileKind::HieraConfiguration
        | FileKind::ErbTemplate => true,
        FileKind::Data => project::is_hiera_data(db, file),
        _ => false,
    };
    let message = "file is too large to check";
    is_checked.then(|| TextFinding::new(Code::LargeFile, TextRange::empty(0), message))
}

/// Sets the LRU capacity of the queries in this module.
pub(crate) fn set_lru_capacities(db: &mut dyn Db, files: usize) {
    syntax_diagnostics::set_lru_capacity(db, files);
}

/// Returns true if the file has a syntax error.
#[salsa::tracked(returns(copy))]
pub(crate) fn has_syntax_errors(db: &dyn Db, file: File) -> bool {
    syntax_diagnostics(db, file).iter().any(|it| it.code.is_fixed())
}

/// Returns the syntax errors and the findings of the static rules in a part, by position, relative to its
/// start.
#[salsa::tracked(returns(clone))]
pub(crate) fn part_diagnostics<'db>(db: &'db dyn Db, part: FilePart<'db>) -> Arc<[TextFinding]> {
    let parse = project::part_parse(db, part);
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(part_rules(db, part).iter().cloned());
    diagnostics.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
    diagnostics.into()
}

/// Returns the findings of the static rules in a part, relative to its start.
#[salsa::tracked(returns(clone))]
fn part_rules<'db>(db: &'db dyn Db, part: FilePart<'db>) -> Arc<[TextFinding]> {
    validate(&project::part_parse(db, part), &settings(db, part.file(db))).into()
}

fn settings(db: &dyn Db, file: File) -> ValidationSettings {
    project::validation_settings(db, file)
}

/// Rules that are unreliable if there is a syntax error anywhere in the file.
pub(crate) const UNRELIABLE_AFTER_ERRORS: [Code; 4] = [
    Code::IllegalDefinitionLocation,
    Code::IllegalTopConstructLocation,
    Code::NotAbsoluteTopLevel,
    Code::NotTopLevel,
];

/// Returns the findings of the static rules: those of the parts, if all code and all errors of the file are
/// in parts.
fn validated(db: &dyn Db, file: File, parse: &Parse) -> Vec<TextFinding> {
    let parts = project::file_parts(db, file);
    let is_in_part = |error: &TextFinding| {
        parts.iter().any(|part| project::range_in_file(db, *part).contains(error.range.start))
    };
    if parts.is_empty() || parse.top_nodes().count() != parts.len() || !parse.errors().iter().all(is_in_part)
    {
        return validate(parse, &settings(db, file));
    }
    let errors: Vec<_> = parse.errors().iter().filter(|it| it.severity() == Severity::Error).collect();
    let lost_quote = errors.iter().any(|it| it.code == Code::UnclosedString);
    let mut found = Vec::new();
    for part in parts {
        let start = part.start(db);
        found.extend(part_rules(db, *part).iter().map(|it| shifted(it, start)));
    }
    let is_unreliable =
        |code: Code| UNRELIABLE_AFTER_ERRORS.contains(&code) || lost_quote && code == Code::InvalidRegex;
    found.retain(|it| errors.is_empty() || !is_unreliable(it.code));
    found
}

fn shifted(diagnostic: &TextFinding, offset: u32) -> TextFinding {
    let mut shifted = diagnostic.clone();
    shifted.range = diagnostic.range.shifted(offset);
    shifted.related.iter_mut().for_each(|(range, _)| *range = range.shifted(offset));
    shifted
}
