//! For people: each finding with its source line and carets, as compilers print it, and a summary line.

use std::ops::Range;

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use output::secrets::{mask, masked_source};
use output::{visible, visible_message, visible_source};
use syntax::{LineMap, Severity, TextRange};

use super::FileDiagnostics;
use crate::printed_diagnostic::PrintedDiagnostic;

/// The findings of one file with the lines they are about. Each ends with an empty line.
pub(crate) fn render_file(path: &str, text: &str, diagnostics: &[PrintedDiagnostic], color: bool) -> String {
    if diagnostics.is_empty() {
        return String::new();
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let lines = LineMap::new(text);
    let mut out = String::new();
    for diagnostic in diagnostics {
        out.push_str(&render_diagnostic(&renderer, path, text, &lines, diagnostic));
        out.push_str("\n\n");
    }
    out
}

fn render_diagnostic(
    renderer: &Renderer,
    path: &str,
    text: &str,
    lines: &LineMap,
    diagnostic: &PrintedDiagnostic,
) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Deprecation => Level::WARNING.with_name("deprecation"),
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    // Only the lines that matter are handed over: the renderer reads all it gets, for each finding anew.
    let here = || diagnostic.related.iter().filter(|it| it.path.is_none());
    let places = here().map(|it| it.span.range);
    let extent = places.fold(diagnostic.span.range, TextRange::cover);
    let first_line = lines.line(extent.start);
    let shown = TextRange::new(lines.line_start(first_line), lines.line_range(lines.line(extent.end)).end);
    let local = |range: TextRange| (range.start - shown.start) as usize..(range.end - shown.start) as usize;
    let mut source = masked_source(&text[shown.as_range()]);
    let primary = local(diagnostic.span.range);
    if diagnostic.hides_source(&text[diagnostic.span.range.as_range()]) {
        let stars = mask(&source[primary.clone()]);
        source.replace_range(primary, &stars);
    }
    let source = visible_source(&source);
    let local = |range: TextRange| {
        let Range { start, end } = local(range);
        source.offset(start)..source.offset(end)
    };
    let message = diagnostic.visible_message();

    let mut snippet = Snippet::source(&source.text)
        .line_start(first_line as usize + 1)
        .path(visible(path))
        .annotation(AnnotationKind::Primary.span(local(diagnostic.span.range)));
    for it in here() {
        snippet = snippet.annotation(
            AnnotationKind::Context.span(local(it.span.range)).label(visible_message(&it.message)),
        );
    }
    let mut group = level.primary_title(&*message).id(diagnostic.code.as_str()).element(snippet);
    for it in &diagnostic.related {
        if let Some(path) = &it.path {
            let at = it.span.start;
            let (message, path) = (visible_message(&it.message), visible(path));
            let text = format!("{message}: {path}:{}:{}", at.line + 1, at.column + 1);
            group = group.element(Level::NOTE.message(text));
        }
    }
    renderer.render(&[group])
}

/// What came of the whole run, in one line.
pub(crate) fn summary(files: &[FileDiagnostics], unreadable: usize, color: bool) -> String {
    let count =
        |severity| files.iter().flat_map(|it| &it.diagnostics).filter(|it| it.severity == severity).count();
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
    let found = match counts.as_slice() {
        [] => "nothing found".to_owned(),
        [all @ .., last] => {
            let joined = if all.is_empty() { last.clone() } else { format!("{} and {last}", all.join(", ")) };
            format!("{joined} in {}", plural(affected, "file", "files"))
        }
    };
    let unread = match unreadable {
        0 => String::new(),
        _ => format!("; {} could not be read", plural(unreadable, "path", "paths")),
    };
    let line = format!("{} checked: {found}{unread}", plural(files.len(), "file", "files"));
    if color { format!("\x1b[1m{line}\x1b[0m\n") } else { format!("{line}\n") }
}

fn plural(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}
