//! Compiler-style messages with source lines and carets, and a summary.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Origin, Renderer, Snippet, Title};
use output::secrets::{mask, masked_source};
use output::{Escaped, visible, visible_message, visible_source};
use syntax::{LineMap, Severity, TextRange};

use super::content::FileDiagnostics;
use crate::printed_diagnostic::{FixSafety, PrintedDiagnostic, RelatedPlace};
use crate::terminal;

/// Renders the findings of one file. Each ends with an empty line.
pub fn render_file<'d>(
    path: &str,
    text: &str,
    diagnostics: impl IntoIterator<Item = &'d PrintedDiagnostic>,
    color: bool,
) -> String {
    let mut diagnostics = diagnostics.into_iter().peekable();
    if diagnostics.peek().is_none() {
        return String::new();
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let links = color && terminal::shows_links();
    let lines = LineMap::new(text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&render_diagnostic(&renderer, links, path, text, &lines, diagnostic));
        out.push_str("\n\n");
    }
    out
}

/// Maximum length of a source excerpt in bytes. The renderer processes the whole excerpt for each finding,
/// and a longer one would be unreadable.
const MAX_SHOWN_LENGTH: usize = 8_000;

fn render_diagnostic(
    renderer: &Renderer,
    links: bool,
    path: &str,
    text: &str,
    lines: &LineMap,
    diagnostic: &PrintedDiagnostic,
) -> String {
    let level = level_of(diagnostic.severity);
    // Only the relevant lines are passed to the renderer.
    let lines_of = |range: TextRange| {
        TextRange::new(lines.line_start(lines.line(range.start)), lines.line_range(lines.line(range.end)).end)
    };
    let range = diagnostic.span.range;
    let (nearby, far): (Vec<&RelatedPlace>, Vec<&RelatedPlace>) = diagnostic.related.iter().partition(|it| {
        it.path.is_none() && lines_of(range.cover(it.span.range)).len() as usize <= MAX_SHOWN_LENGTH
    });
    let extent = nearby.iter().map(|it| it.span.range).fold(range, TextRange::cover);
    let shown = lines_of(extent);
    let (message, shown_path) = (diagnostic.visible_message(), visible(path));
    let (problem, help) = codes::split_message(&message);
    let group = linked_title(level.primary_title(problem), diagnostic.code, links);
    let (label, notes) = primary_label(&help);
    let source;
    let mut group = if shown.len() as usize <= MAX_SHOWN_LENGTH {
        source = ShownSource::new(text, shown, diagnostic);
        let primary = AnnotationKind::Primary.span(source.span(range));
        let mut snippet = Snippet::source(&source.text.text)
            .line_start(lines.line(extent.start) as usize + 1)
            .path(shown_path)
            .annotation(match &label {
                Some(label) => primary.label(label.as_str()),
                None => primary,
            });
        for it in nearby {
            let label = visible_message(&it.message);
            snippet =
                snippet.annotation(AnnotationKind::Context.span(source.span(it.span.range)).label(label));
        }
        group.element(snippet)
    } else {
        let at = diagnostic.span.start;
        let origin = Origin::path(shown_path);
        let group = group.element(origin.line(at.line as usize + 1).char_column(at.column as usize + 1));
        match &label {
            Some(_) => group.element(Level::HELP.message(help[0])),
            None => group,
        }
    };
    for it in far {
        let (path, at) = (visible(it.path.as_deref().unwrap_or(path)), it.span.start);
        let text = format!("{}: {path}:{}:{}", visible_message(&it.message), at.line + 1, at.column + 1);
        group = group.element(Level::NOTE.message(text));
    }
    for it in notes {
        group = group.element(Level::HELP.message(*it));
    }
    renderer.render(&[group])
}

/// Returns a title with the name of the rule, which leads to its page if `links`.
fn linked_title(title: Title<'_>, code: codes::Code, links: bool) -> Title<'_> {
    let title = title.id(code.as_str());
    if links { title.id_url(ide::rule(code).url()) } else { title }
}

fn level_of(severity: Severity) -> Level<'static> {
    match severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Deprecation => Level::WARNING.with_name("deprecation"),
        Severity::Hint => Level::HELP.with_name("hint"),
    }
}

/// Maximum length, in bytes, of advice that is shown as the label of the primary span.
const MAX_LABEL_LENGTH: usize = 72;

/// Splits advice into the label of the primary span and the lines that follow the snippet.
fn primary_label<'h, 'm>(help: &'h [&'m str]) -> (Option<String>, &'h [&'m str]) {
    match help.split_first() {
        Some((first, rest)) if first.len() <= MAX_LABEL_LENGTH => (Some(format!("help: {first}")), rest),
        _ => (None, help),
    }
}

/// Source lines prepared for display: secrets masked, control characters escaped.
struct ShownSource {
    text: Escaped,
    start: u32,
}

impl ShownSource {
    fn new(text: &str, shown: TextRange, diagnostic: &PrintedDiagnostic) -> ShownSource {
        let mut source = masked_source(&text[shown.as_range()]);
        let range = diagnostic.span.range;
        if diagnostic.hides_source(&text[range.as_range()]) {
            let primary = (range.start - shown.start) as usize..(range.end - shown.start) as usize;
            let stars = mask(&source[primary.clone()]);
            source.replace_range(primary, &stars);
        }
        ShownSource { text: visible_source(&source), start: shown.start }
    }

    /// Returns the displayed span of a source range.
    fn span(&self, range: TextRange) -> Range<usize> {
        let offset = |at: u32| self.text.offset((at - self.start) as usize);
        offset(range.start)..offset(range.end)
    }
}

/// Counts of a run besides its findings.
#[derive(Clone, Copy, Debug)]
pub struct RunCounts {
    /// Paths that could not be read.
    pub unreadable: usize,
    /// Findings below the level that is reported; `None` if that is the default.
    pub hidden: Option<usize>,
}

/// Renders the last line of a run: what was found, in how many files, and what fixes it.
pub fn summary(
    files: &[FileDiagnostics],
    RunCounts { unreadable, hidden }: RunCounts,
    color: bool,
) -> String {
    let all = || files.iter().flat_map(|it| &it.diagnostics);
    let count = |severity| all().filter(|it| it.severity == severity).count();
    let counts: Vec<String> = [
        (count(Severity::Error), "error", "errors"),
        (count(Severity::Warning), "warning", "warnings"),
        (count(Severity::Deprecation), "deprecation", "deprecations"),
        (count(Severity::Hint), "hint", "hints"),
    ]
    .into_iter()
    .filter(|(count, ..)| *count > 0)
    .map(|(count, one, many)| plural(count, one, many))
    .collect();

    let affected = files.iter().filter(|it| !it.diagnostics.is_empty()).count();
    let checked = plural(files.len(), "file", "files");
    let found = match counts.as_slice() {
        [] if hidden.is_some() => format!("No errors in {checked}"),
        [] => format!("No findings in {checked}"),
        [all @ .., last] => {
            let joined = if all.is_empty() { last.clone() } else { format!("{} and {last}", all.join(", ")) };
            let of_all =
                if affected == files.len() { String::new() } else { format!("{} of ", grouped(affected)) };
            format!("Found {joined} in {of_all}{checked}")
        }
    };
    let fixable = |safety| all().filter(|it| it.fix == Some(safety)).count();
    let fixable = match (fixable(FixSafety::Safe), fixable(FixSafety::Unsafe)) {
        (0, 0) => String::new(),
        (count, 0) => format!(" ({} fixable with `--fix`)", grouped(count)),
        (0, count) => format!(" ({} fixable with `--fix --unsafe-fixes`)", grouped(count)),
        (safe, more) => {
            format!(" ({} fixable with `--fix`, {} more with `--unsafe-fixes`)", grouped(safe), grouped(more))
        }
    };
    let hidden = match hidden {
        None | Some(0) => String::new(),
        Some(count) => format!("; {} of lower levels not shown", plural(count, "finding", "findings")),
    };
    let unread = match unreadable {
        0 => String::new(),
        _ => format!("; {} could not be read", plural(unreadable, "path", "paths")),
    };
    let line = format!("{found}{fixable}{hidden}{unread}");
    if color { format!("\x1b[1m{line}\x1b[0m\n") } else { format!("{line}\n") }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{} {}", grouped(count), if count == 1 { one } else { many })
}

/// Formats a number with a comma between groups of three digits.
fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
