//! For people: each finding with its source line and carets, as compilers print it, and a summary line.

use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
use syntax::{LineMap, Severity, TextRange};

use super::FileFindings;
use crate::cli::finding::Finding;

/// The findings of one file with the lines they are about. Each ends with an empty line.
pub(in crate::cli) fn render_file(path: &str, text: &str, findings: &[Finding], color: bool) -> String {
    if findings.is_empty() {
        return String::new();
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    let lines = LineMap::new(text);
    let mut out = String::new();
    for finding in findings {
        out.push_str(&render_finding(&renderer, path, text, &lines, finding));
        out.push_str("\n\n");
    }
    out
}

fn render_finding(renderer: &Renderer, path: &str, text: &str, lines: &LineMap, finding: &Finding) -> String {
    let level = match finding.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
        Severity::Deprecation => Level::WARNING.with_name("deprecation"),
        Severity::Hint => Level::HELP.with_name("hint"),
    };
    // Only the lines that matter are handed over: the renderer reads all it gets, for each finding anew.
    let here = || finding.related.iter().filter(|it| it.path.is_none());
    let places = here().map(|it| it.place.range);
    let extent = places.fold(finding.place.range, TextRange::cover);
    let first_line = lines.line(extent.start);
    let shown = TextRange::new(lines.line_start(first_line), lines.line_range(lines.line(extent.end)).end);
    let local = |range: TextRange| (range.start - shown.start) as usize..(range.end - shown.start) as usize;

    let mut snippet = Snippet::source(&text[shown.as_range()])
        .line_start(first_line as usize + 1)
        .path(path)
        .annotation(AnnotationKind::Primary.span(local(finding.place.range)));
    for it in here() {
        snippet = snippet.annotation(AnnotationKind::Context.span(local(it.place.range)).label(&it.message));
    }
    let mut group = level.primary_title(&finding.message).id(finding.code.as_str()).element(snippet);
    for it in &finding.related {
        if let Some(path) = &it.path {
            let at = it.place.start;
            let text = format!("{}: {path}:{}:{}", it.message, at.line + 1, at.column + 1);
            group = group.element(Level::NOTE.message(text));
        }
    }
    renderer.render(&[group])
}

/// What came of the whole run, in one line.
pub(in crate::cli) fn summary(files: &[FileFindings], unreadable: usize, color: bool) -> String {
    let count =
        |severity| files.iter().flat_map(|it| &it.findings).filter(|it| it.severity == severity).count();
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

    let affected = files.iter().filter(|it| !it.findings.is_empty()).count();
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
