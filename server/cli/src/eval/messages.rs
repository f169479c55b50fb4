//! Output of logs and errors of an evaluation.

use crate::{ColorChoice, terminal};
use eval::{Evaluation, Session, SessionDiagnostic};

pub(super) fn print_logs(evaluation: &Evaluation, color: ColorChoice) {
    evaluation.logs.iter().for_each(|log| terminal::print_log(color, log.level.name(), &log.message));
}

/// Prints errors with their source code.
pub(super) fn print_diagnostics(session: &Session, diagnostics: &[SessionDiagnostic], color: ColorChoice) {
    for diagnostic in diagnostics {
        let text = shown(session, diagnostic, terminal::stderr_has_color(color));
        terminal::print_to_stderr(&text);
    }
}

pub(super) fn shown(session: &Session, diagnostic: &SessionDiagnostic, color: bool) -> String {
    use annotate_snippets::{AnnotationKind, Level, Renderer, Snippet};
    let message = output::visible_message(&diagnostic.message);
    let (problem, help) = codes::split_message(&message);
    let title = Level::ERROR.primary_title(problem).id(diagnostic.code.as_str());
    let mut group = annotate_snippets::Group::with_title(title);
    let snippet = |location: &eval::SessionLocation, kind: AnnotationKind, label: &str| {
        let source = &session.sources()[location.source];
        let range = location.range.start as usize..location.range.end as usize;
        Snippet::source(output::secrets::masked_source(&source.text))
            .path(output::visible(&source.name).into_owned())
            .annotation(kind.span(range).label(label.to_owned()))
    };
    if let Some(location) = &diagnostic.location {
        group = group.element(snippet(location, AnnotationKind::Primary, ""));
    }
    for call in diagnostic.calls.iter().take(MAX_CALLS) {
        group = group.element(snippet(call, AnnotationKind::Context, "called here"));
    }
    for it in help {
        group = group.element(Level::HELP.message(it));
    }
    let renderer = if color { Renderer::styled() } else { Renderer::plain() };
    format!("{}\n", renderer.render(&[group]))
}

/// Maximum number of calls shown for an error.
pub(super) const MAX_CALLS: usize = 8;
