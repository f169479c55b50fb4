//! Our messages for programs with a mistake and for programs that Puppet warns about:
//! `messages.md`, `warnings.md`; and our outcomes for programs that versions treat differently: `versions.md`.

use ide::{Analysis, AnalysisHost, Compiled, Diagnostic, EnvironmentId, FileId, SourceLocation};
use serde_json::{Value as Json, json};
use syntax::{ColumnUnit, LineMap, Severity};
use validation::{PuppetVersion, Strict, VersionDifference};

use crate::catalogs;

/// Program of the table with its recorded outcomes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RecordedMessage {
    pub name: String,
    /// Files as pairs of a path relative to the environment and the contents.
    pub files: Vec<(String, String)>,
    /// Outcome lines: Puppet's message, our message, and the reason why ours is as good.
    pub outcomes: Vec<String>,
}

/// Returns the programs of a table that are in fences of this kind.
pub fn recorded(table: &str, fence: &str) -> Vec<RecordedMessage> {
    let mut found: Vec<RecordedMessage> = Vec::new();
    let mut is_inside = false;
    for line in table.lines() {
        if let Some(name) = line.strip_prefix(fence) {
            found.push(RecordedMessage { name: name.to_owned(), ..RecordedMessage::default() });
            is_inside = true;
            continue;
        }
        let Some(program) = found.last_mut().filter(|_| is_inside) else { continue };
        match line {
            "```" => is_inside = false,
            line if is_outcome(line) => program.outcomes.push(line.to_owned()),
            line => add_line(&mut program.files, line),
        }
    }
    found
}

fn add_line(files: &mut Vec<(String, String)>, line: &str) {
    if let Some(path) = line.strip_prefix("//- ") {
        return files.push((path.to_owned(), String::new()));
    }
    if files.is_empty() {
        files.push(("manifests/site.pp".to_owned(), String::new()));
    }
    if let Some((_, text)) = files.last_mut() {
        text.push_str(line);
        text.push('\n');
    }
}

/// Returns true for a line that states the outcome of a program.
pub fn is_outcome(line: &str) -> bool {
    ["=! ", "=7 ", "=8 ", "=9 ", "=> ", "=? ", "=~ "].iter().any(|mark| line.starts_with(mark))
}

/// Returns the lines with our messages for a program: the error that ends its compilation, and the
/// errors and warnings of all its files.
pub fn our_lines(program: &RecordedMessage, facts: &Json) -> Vec<String> {
    let settings = json!({ "strict": "error", "strict_variables": true, "puppet_version": 7 });
    let request = request_of(program, facts, &settings);
    let host = catalogs::project_of_request(&request);
    let mut lines = vec![compile_line(&host, &request)];
    lines.extend(check_lines(&host.analysis(), program, Severity::Warning));
    lines
}

/// Returns the lines with our messages for a program that Puppet warns about: the warnings logged
/// by a compilation with each version, and all diagnostics of its files.
pub fn our_warnings(program: &RecordedMessage, facts: &Json) -> Vec<String> {
    let mut reported = Vec::new();
    for version in [7, 8] {
        let settings = json!({ "strict": "warning", "strict_variables": false, "puppet_version": version });
        let request = request_of(program, facts, &settings);
        let host = catalogs::project_of_request(&request);
        reported
            .push((warning_lines(&host, &request), check_lines(&host.analysis(), program, Severity::Hint)));
    }
    let (logged_8, found_8) = reported.pop().unwrap_or_default();
    let (logged_7, found_7) = reported.pop().unwrap_or_default();
    let mut lines = Vec::new();
    for (older, newer) in [(logged_7, logged_8), (found_7, found_8)] {
        let only_newer = newer.iter().filter(|it| !older.contains(it)).map(|it| format!("{it} (8)"));
        lines
            .extend(older.iter().map(|it| if newer.contains(it) { it.clone() } else { format!("{it} (7)") }));
        lines.extend(only_newer);
    }
    lines
}
/// Returns what a compilation with the defaults of a version logs and how it ends, in the form of `versions.md`.
pub fn our_outcomes(program: &RecordedMessage, facts: &Json, version: PuppetVersion) -> Vec<String> {
    let strict = match version.default_strict() {
        Strict::Off => "off",
        Strict::Warning => "warning",
        Strict::Error => "error",
    };
    let settings = json!({
        "strict": strict,
        "strict_variables": version.has(VersionDifference::StrictVariables),
        "puppet_version": version.major(),
    });
    let request = request_of(program, facts, &settings);
    let host = catalogs::project_of_request(&request);
    let analysis = host.analysis();
    let compiled = catalogs::compile_of_project(&analysis, &request).and_then(|(_, compiled)| compiled);
    let Some(compiled) = compiled else { return Vec::new() };
    let logs = analysis.logs(&compiled).unwrap_or_default();
    let is_shown = |level: &str| matches!(level, "notice" | "warning");
    let shown = logs.iter().filter(|it| is_shown(it.level));
    let mut lines: Vec<String> = shown.map(|it| format!("{}: {}", it.level, one_line(&it.message))).collect();
    lines.extend(compiled.problem().map(|it| format!("refused: {}", one_line(&it.message))));
    lines
}

fn warning_lines(host: &AnalysisHost, request: &Json) -> Vec<String> {
    let analysis = host.analysis();
    let compiled = catalogs::compile_of_project(&analysis, request).and_then(|(_, compiled)| compiled);
    let Some(compiled) = compiled else { return Vec::new() };
    let mut lines: Vec<String> = Vec::new();
    for log in analysis.logs(&compiled).unwrap_or_default().iter().filter(|it| it.level == "warning") {
        let line = format!("=> {}", one_line(&log.message));
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.extend(compiled.problem().map(|it| format!("=> refused: {}", one_line(&it.message))));
    lines
}

fn request_of(program: &RecordedMessage, facts: &Json, settings: &Json) -> Json {
    let files: serde_json::Map<String, Json> =
        program.files.iter().map(|(path, text)| (path.clone(), json!(text))).collect();
    json!({ "files": files, "facts": facts, "node": "node1.example.com", "modulepath": [], "settings": settings })
}

fn check_lines(analysis: &Analysis, program: &RecordedMessage, mildest: Severity) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, _) in &program.files {
        let file = catalogs::file_of_project(path).and_then(|path| analysis.file_id(&path));
        let Some(file) = file else { continue };
        let found = analysis.all_diagnostics(file).unwrap_or_default();
        let reported = found.iter().filter(|it| it.severity() <= mildest);
        lines.extend(reported.map(|it| check_line(analysis, path, file, it)));
    }
    lines
}

fn check_line(analysis: &Analysis, path: &str, file: FileId, found: &Diagnostic) -> String {
    let text = analysis.text(file).ok().flatten().unwrap_or_default();
    let at = LineMap::new(&text).line_column(&text, found.range.start, ColumnUnit::Utf32);
    let message = one_line(&found.message);
    format!("=? {path}:{}:{} {}: {message}", at.line + 1, at.column + 1, found.code.as_str())
}

fn compile_line(host: &AnalysisHost, request: &Json) -> String {
    let analysis = host.analysis();
    let Some((environment, Some(compiled))) = catalogs::compile_of_project(&analysis, request) else {
        return "=> - nothing".to_owned();
    };
    let Some(problem) = compiled.problem() else { return "=> - nothing".to_owned() };
    let shown = |place: &SourceLocation| format_location(&analysis, environment, &compiled, place);
    let place = problem.parts.first().or(problem.location.as_ref());
    let mut line = format!("=> {} {}: ", place.map_or("-".to_owned(), shown), problem.code.as_str());
    line.push_str(&one_line(&problem.message));
    let rest = problem.parts.iter().skip(1).map(|it| ("and", it));
    let earlier = problem.earlier.iter().map(|it| ("first", it));
    let calls = problem.calls.iter().map(|it| ("from", it));
    for (word, place) in rest.chain(earlier).chain(calls) {
        line.push_str(&format!(" <{word} {}>", shown(place)));
    }
    line
}

fn one_line(message: &str) -> String {
    message.lines().map(str::trim).collect::<Vec<_>>().join(" | ")
}

/// Formats the position of the first character as `FILE:LINE:COLUMN`.
fn format_location(
    analysis: &Analysis,
    environment: EnvironmentId,
    compiled: &Compiled,
    place: &SourceLocation,
) -> String {
    let Some(file) = place.file else {
        return format!("{}:{}:{}", compiled.code().map_or("-", |_| "<code>"), place.line, place.column);
    };
    let text = analysis.text(file).ok().flatten().unwrap_or_default();
    let at = LineMap::new(&text).line_column(&text, place.range.start, ColumnUnit::Utf32);
    let path = analysis.path(file);
    let below = match analysis.environment_root(environment) {
        Some(root) => path.strip_prefix(&root).map(str::to_owned),
        None => None,
    };
    format!("{}:{}:{}", below.unwrap_or_else(|| path.to_native()), at.line + 1, at.column + 1)
}
