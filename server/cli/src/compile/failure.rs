//! What ended a compile, with its source and the way that led there.

use ide::{Analysis, CompileDiagnostic, Compiled, Diagnostic, Related, SourcePlace};
use serde_json::{Value as Json, json};
use syntax::Severity;

use crate::place::LocationPrinter;
use crate::printed_diagnostic::printed;
use crate::report;

/// Calls, includes and declarations that are shown above a failure.
const MOST_CALLS: usize = 8;

/// What stands for the name of the text that was compiled.
const CODE: &str = "<code>";

/// A failure as compilers print it.
pub(crate) fn render(
    analysis: &Analysis,
    compiled: &Compiled,
    failure: &CompileDiagnostic,
    is_colored: bool,
) -> anyhow::Result<String> {
    render_as(Severity::Error, analysis, compiled, failure, is_colored)
}

/// Something that is wrong, or may be, as compilers print it.
pub(crate) fn render_as(
    severity: Severity,
    analysis: &Analysis,
    compiled: &Compiled,
    failure: &CompileDiagnostic,
    is_colored: bool,
) -> anyhow::Result<String> {
    let Some(place) = failure.place.or(failure.calls.first().copied()) else {
        let (start, end) = if is_colored { ("\x1b[1m\x1b[91m", "\x1b[0m") } else { ("", "") };
        let message = output::visible_message(&failure.message);
        return Ok(format!("{start}error[{}]{end}: {message}\n\n", failure.code));
    };
    let mut diagnostic = Diagnostic::new(failure.code, place.range, failure.message.clone());
    if let Some(earlier) = failure.earlier {
        let path = earlier.file.filter(|file| Some(*file) != place.file).map(|file| analysis.path(file));
        if path.is_some() || earlier.file == place.file {
            let message = "it stands here first".to_owned();
            diagnostic.related.push(Related { path, range: earlier.range, message });
        }
    }
    let calls_in_code = add_calls(&mut diagnostic, analysis, place, failure);
    let (path, text) = match place.file {
        Some(file) => {
            let text = analysis.text(file)?.unwrap_or_default();
            (LocationPrinter::new(analysis).location(file, place.range)?.file, text)
        }
        None => (CODE.to_owned(), compiled.code().unwrap_or_default().into()),
    };
    let text_of = |path: &_| analysis.text(analysis.file_id(path)?).ok()?;
    let mut found = printed(&text, vec![diagnostic], &text_of);
    found.iter_mut().for_each(|it| it.severity = severity);
    let mut out = report::text::render_file(&path, &text, &found, is_colored);
    if let Some(call) = calls_in_code.first() {
        let code = compiled.code().unwrap_or_default();
        let called = code.get(call.range.as_range()).unwrap_or_default();
        if !called.is_empty() {
            let end = out.trim_end().len();
            out.insert_str(end, &format!("\n  = note: called from {CODE}: {}", output::visible(called)));
        }
    }
    Ok(out)
}

/// Tells the calls that led to a failure at `place`; those in code without a file are returned.
fn add_calls<'f>(
    diagnostic: &mut Diagnostic,
    analysis: &Analysis,
    place: SourcePlace,
    failure: &'f CompileDiagnostic,
) -> Vec<&'f SourcePlace> {
    let note = if failure.is_circle() { "this is part of the circle" } else { "called here" };
    let mut in_code = Vec::new();
    // What begins at the same place is told once.
    let mut told = vec![(place.file, place.range.start)];
    for call in &failure.calls {
        if told.len() > MOST_CALLS || told.contains(&(call.file, call.range.start)) {
            continue;
        }
        told.push((call.file, call.range.start));
        match call.file {
            file if file == place.file => {
                let related = Related { path: None, range: call.range, message: note.to_owned() };
                diagnostic.related.push(related);
            }
            Some(file) => {
                let (path, message) = (Some(analysis.path(file)), note.to_owned());
                diagnostic.related.push(Related { path, range: call.range, message });
            }
            None => in_code.push(call),
        }
    }
    in_code
}

/// A failure for programs.
pub(crate) fn json(analysis: &Analysis, failure: &CompileDiagnostic) -> anyhow::Result<Json> {
    let mut places = LocationPrinter::new(analysis);
    let mut shown = |place: &SourcePlace| -> anyhow::Result<Json> {
        let file = match place.file {
            Some(file) => Some(places.location(file, place.range)?.file),
            None => None,
        };
        Ok(json!({ "file": file, "line": place.line, "column": place.column }))
    };
    let place = failure.place.as_ref().map(&mut shown).transpose()?;
    let earlier = failure.earlier.as_ref().map(&mut shown).transpose()?;
    let calls = failure.calls.iter().map(shown).collect::<anyhow::Result<Vec<_>>>()?;
    let mut json =
        json!({ "code": failure.code.as_str(), "message": failure.message, "place": place, "calls": calls });
    if let Some(earlier) = earlier {
        json["earlier"] = earlier;
    }
    Ok(json)
}
