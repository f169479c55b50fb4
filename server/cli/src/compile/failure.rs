//! Rendering of compile failures, with source code and call stack.

use ide::{Analysis, CompileDiagnostic, Compiled, Diagnostic, Related, SourceLocation};
use serde_json::{Value as Json, json};
use syntax::Severity;

use crate::position::LocationPrinter;
use crate::printed_diagnostic::printed;
use crate::report;

/// Maximum number of calls, includes and declarations shown for a failure.
const MAX_CALLS: usize = 8;

/// File name shown for code from the command line.
const CODE: &str = "<code>";

/// Renders a failure as a compiler-style error.
pub(crate) fn render(
    analysis: &Analysis,
    compiled: &Compiled,
    failure: &CompileDiagnostic,
    is_colored: bool,
) -> anyhow::Result<String> {
    render_as(Severity::Error, analysis, compiled, failure, is_colored)
}

/// Renders a certain or possible failure as a compiler-style message.
pub(crate) fn render_as(
    severity: Severity,
    analysis: &Analysis,
    compiled: &Compiled,
    failure: &CompileDiagnostic,
    is_colored: bool,
) -> anyhow::Result<String> {
    let part = failure.parts.first().copied();
    let Some(place) = part.or(failure.location).or(failure.calls.first().copied()) else {
        let (start, end) = if is_colored { ("\x1b[1m\x1b[91m", "\x1b[0m") } else { ("", "") };
        let message = output::visible_message(&failure.message);
        return Ok(format!("{start}error[{}]{end}: {message}\n\n", failure.code));
    };
    let (diagnostic, calls_in_code) = diagnostic_at(analysis, place, failure);
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

/// Returns the diagnostic for a failure at `place`, which is one of its locations, and the calls in code without a file.
pub(crate) fn diagnostic_at<'f>(
    analysis: &Analysis,
    place: SourceLocation,
    failure: &'f CompileDiagnostic,
) -> (Diagnostic, Vec<&'f SourceLocation>) {
    let mut diagnostic = Diagnostic::new(failure.code, place.range, failure.message.clone());
    if let Some(earlier) = failure.earlier {
        let path = earlier.file.filter(|file| Some(*file) != place.file).map(|file| analysis.path(file));
        if path.is_some() || earlier.file == place.file {
            let message = failure.code.earlier_label().to_owned();
            diagnostic.related.push(Related { path, range: earlier.range, message });
        }
    }
    add_parts(&mut diagnostic, analysis, place, failure);
    let calls_in_code = add_calls(&mut diagnostic, analysis, place, failure);
    (diagnostic, calls_in_code)
}

/// Adds labels for the other parts of a failure, and for the enclosing statement if it is elsewhere.
fn add_parts(
    diagnostic: &mut Diagnostic,
    analysis: &Analysis,
    place: SourceLocation,
    failure: &CompileDiagnostic,
) {
    let mut add = |other: &SourceLocation, message: &str| {
        let is_here = other.file == place.file;
        let path = other.file.filter(|_| !is_here).map(|file| analysis.path(file));
        if is_here || path.is_some() {
            diagnostic.related.push(Related { path, range: other.range, message: message.to_owned() });
        }
    };
    let more = failure.parts.iter().skip(1).filter(|it| (it.file, it.range) != (place.file, place.range));
    more.for_each(|part| add(part, "and here"));
    if let Some(whole) = failure.location.filter(|_| !failure.parts.is_empty()) {
        let is_around = whole.file == place.file
            && whole.range.start <= place.range.start
            && place.range.end <= whole.range.end;
        if !is_around {
            add(&whole, call_label(analysis, &whole));
        }
    }
}

/// Adds labels for the calls that led to a failure at `place`. Returns the calls in code without a file.
fn add_calls<'f>(
    diagnostic: &mut Diagnostic,
    analysis: &Analysis,
    place: SourceLocation,
    failure: &'f CompileDiagnostic,
) -> Vec<&'f SourceLocation> {
    let mut in_code = Vec::new();
    // Report each start position only once.
    let around = failure.location.filter(|_| !failure.parts.is_empty());
    let mut shown = vec![(place.file, place.range.start)];
    shown.extend(around.map(|around| (around.file, around.range.start)));
    for call in &failure.calls {
        if shown.len() > MAX_CALLS || shown.contains(&(call.file, call.range.start)) {
            continue;
        }
        shown.push((call.file, call.range.start));
        let note = if failure.is_cycle() { "part of the cycle" } else { call_label(analysis, call) };
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

/// Describes the role of the code at a location in the call stack.
fn call_label(analysis: &Analysis, place: &SourceLocation) -> &'static str {
    let text = place.file.and_then(|file| analysis.text(file).ok()).flatten().unwrap_or_default();
    let text = text.get(place.range.as_range()).unwrap_or_default();
    let word = text.split(|it: char| !it.is_alphanumeric() && !matches!(it, '_' | ':')).next();
    match word.unwrap_or_default() {
        "" if text.starts_with('{') => "in this node",
        "include" | "contain" | "require" | "hiera_include" => "included here",
        word => {
            if text[word.len()..].trim_start().starts_with('{') {
                "declared here"
            } else {
                "called here"
            }
        }
    }
}

/// Converts a failure to JSON.
pub(crate) fn json(analysis: &Analysis, failure: &CompileDiagnostic) -> anyhow::Result<Json> {
    let mut printer = LocationPrinter::new(analysis);
    let mut shown = |place: &SourceLocation| -> anyhow::Result<Json> {
        let file = match place.file {
            Some(file) => Some(printer.location(file, place.range)?.file),
            None => None,
        };
        Ok(json!({ "file": file, "line": place.line, "column": place.column }))
    };
    let place = failure.location.as_ref().map(&mut shown).transpose()?;
    let parts = failure.parts.iter().map(&mut shown).collect::<anyhow::Result<Vec<_>>>()?;
    let earlier = failure.earlier.as_ref().map(&mut shown).transpose()?;
    let calls = failure.calls.iter().map(shown).collect::<anyhow::Result<Vec<_>>>()?;
    let (message, help) = codes::split_message(&failure.message);
    let mut json =
        json!({ "code": failure.code.as_str(), "message": message, "place": place, "calls": calls });
    if !help.is_empty() {
        json["help"] = help.into();
    }
    if !parts.is_empty() {
        json["parts"] = parts.into();
    }
    if let Some(earlier) = earlier {
        json["earlier"] = earlier;
    }
    Ok(json)
}
