//! Output of findings in puppet-lint's formats.

use std::fmt::Write as _;

use anyhow::Context;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::options::{Format, LintOptions};
use super::{LintedFile, Problem, ProblemKind};
use cli_common::files::{self, display_path};
use cli_common::terminal;

/// Prints the findings and writes the requested Code Climate report.
pub(super) fn print(linted: &[LintedFile], options: &LintOptions) -> anyhow::Result<()> {
    let output = match options.format {
        Format::Text => text(linted, options),
        Format::Json => pretty(&all_as_json(linted, options))?,
        Format::Sarif => pretty(&sarif(linted, options))?,
    };
    if options.prints_commands && options.format == Format::Text {
        terminal::print_commands(&output)?
    } else {
        terminal::print_text(&output, false)?
    }
    if let Some(path) = &options.code_climate {
        let report = pretty(&code_climate(linted))?;
        files::write(path, report.as_bytes())
            .with_context(|| format!("cannot write `{}`", display_path(path)))?;
    }
    Ok(())
}

/// Prints the messages about unmatched control comments to standard error, in puppet-lint's format.
pub(super) fn print_unmatched(linted: &[LintedFile], options: &LintOptions) {
    for file in linted {
        let path = if options.with_filename { format!("{} - ", path_of(file)) } else { String::new() };
        for message in &file.unmatched {
            terminal::print_to_stderr(&format!("{path}WARNING: {}\n", output::visible(message)));
        }
    }
}

fn pretty(value: &Value) -> anyhow::Result<String> {
    Ok(output::escaped_json(&(serde_json::to_string_pretty(value)? + "\n")).into_owned())
}

fn shown<'l>(file: &'l LintedFile, options: &'l LintOptions) -> impl Iterator<Item = &'l Problem> {
    file.problems.iter().filter(move |it| match it.kind {
        ProblemKind::Fixed => true,
        ProblemKind::Ignored => options.show_ignored && options.shows_warnings && options.shows_errors,
        ProblemKind::Warning => options.shows_warnings,
        ProblemKind::Error => options.shows_errors,
    })
}

fn text(linted: &[LintedFile], options: &LintOptions) -> String {
    let mut output = String::new();
    for file in linted {
        for problem in shown(file, options) {
            let line = match &options.log_format {
                Some(format) => formatted(format, file, problem),
                None => default_line(file, problem, options.with_filename),
            };
            let _ = writeln!(output, "{line}");
            if let Some(reason) = &problem.reason {
                let _ = writeln!(output, "  {}", output::visible(reason));
            }
            if options.with_context && problem.kind != ProblemKind::Fixed && problem.check != "documentation"
            {
                context(problem, &mut output);
            }
            if options.annotates {
                annotation(file, problem, &mut output);
            }
        }
    }
    output
}

fn default_line(file: &LintedFile, problem: &Problem, with_filename: bool) -> String {
    let path = if with_filename { format!("{} - ", path_of(file)) } else { String::new() };
    let Problem { check, line, .. } = problem;
    format!(
        "{path}{}: {} on line {line} (check: {check})",
        problem.kind.name().to_uppercase(),
        message(problem)
    )
}

fn path_of(file: &LintedFile) -> String {
    output::visible(&display_path(&file.path)).to_string()
}

fn full_path(file: &LintedFile) -> String {
    let path = std::path::absolute(&file.path).unwrap_or_else(|_| file.path.clone());
    output::visible(&display_path(&path)).to_string()
}

fn name_of(file: &LintedFile) -> String {
    let name = file.path.file_name().unwrap_or_default().to_string_lossy();
    output::visible(&name).to_string()
}

fn message(problem: &Problem) -> String {
    output::visible(&problem.message).to_string()
}

/// Expands `%{line}` and the other placeholders of a log format.
fn formatted(format: &str, file: &LintedFile, problem: &Problem) -> String {
    let mut output = String::new();
    let mut rest = format;
    while let Some((before, tail)) = rest.split_once("%{") {
        output.push_str(before);
        let Some((name, tail)) = tail.split_once('}') else {
            output.push_str("%{");
            rest = tail;
            continue;
        };
        let value = match name {
            "filename" => name_of(file),
            "path" => path_of(file),
            "fullpath" => full_path(file),
            "line" => problem.line.to_string(),
            "column" => problem.column.to_string(),
            "kind" => problem.kind.name().to_owned(),
            "KIND" => problem.kind.name().to_uppercase(),
            "check" => problem.check.to_owned(),
            "message" => message(problem),
            _ => format!("%{{{name}}}"),
        };
        output.push_str(&value);
        rest = tail;
    }
    output.push_str(rest);
    output
}

/// Writes the source line with a caret below the column.
fn context(problem: &Problem, output: &mut String) {
    let line = problem.context.trim();
    let indentation = problem.context.chars().take_while(|it| it.is_whitespace()).count();
    let offset = if line.is_empty() { 1 } else { indentation };
    let width = (problem.column as usize + 2).saturating_sub(offset);
    let _ = writeln!(output, "\n  {}\n{:>width$}\n", output::visible(line), "^");
}

/// Writes a workflow command for GitHub.
fn annotation(file: &LintedFile, problem: &Problem, output: &mut String) {
    let escaped = message(problem).replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A");
    let path = path_of(file).replace('%', "%25").replace(',', "%2C").replace(':', "%3A");
    let Problem { check, line, column, .. } = problem;
    let kind = problem.kind.name();
    let _ = writeln!(output, "\n::{kind} file={path},line={line},col={column}::{escaped} (check: {check})");
}

fn all_as_json(linted: &[LintedFile], options: &LintOptions) -> Value {
    let of_file = |file: &LintedFile| -> Value {
        let one = |problem: &Problem| {
            let mut value = json!({
                "message": message(problem),
                "line": problem.line,
                "column": problem.column,
                "kind": problem.kind.name(),
                "check": problem.check,
                "fullpath": full_path(file),
                "path": path_of(file),
                "filename": name_of(file),
                "KIND": problem.kind.name().to_uppercase(),
            });
            if let Some(reason) = &problem.reason {
                value["reason"] = output::visible(reason).to_string().into();
            }
            if options.with_context {
                value["context"] = output::visible(problem.context.trim()).to_string().into();
            }
            value
        };
        shown(file, options).map(one).collect()
    };
    linted.iter().map(of_file).collect()
}

fn sarif(linted: &[LintedFile], options: &LintOptions) -> Value {
    let mut rules: Vec<Value> = Vec::new();
    let mut results = Vec::new();
    for file in linted {
        for problem in shown(file, options) {
            let known = rules.iter().position(|it| it["id"] == problem.check);
            let index = known.unwrap_or_else(|| {
                let level = if problem.kind == ProblemKind::Error { "error" } else { "warning" };
                rules.push(json!({ "id": problem.check, "defaultConfiguration": { "level": level } }));
                rules.len() - 1
            });
            results.push(json!({
                "ruleId": problem.check,
                "ruleIndex": index,
                "message": { "text": message(problem) },
                "locations": [{ "physicalLocation": {
                    "artifactLocation": { "uri": path_of(file), "uriBaseId": "ROOTPATH" },
                    "region": { "startLine": problem.line, "startColumn": problem.column },
                } }],
            }));
        }
    }
    let root = std::env::current_dir().map(|it| display_path(&it)).unwrap_or_default();
    let driver = json!({
        "name": "puppet-analyzer",
        "version": env!("CARGO_PKG_VERSION"),
        "rules": rules,
    });
    json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": driver },
            "columnKind": "unicodeCodePoints",
            "originalUriBaseIds": { "ROOTPATH": { "uri": format!("file://{}/", output::visible(&root)) } },
            "results": results,
        }],
    })
}

fn code_climate(linted: &[LintedFile]) -> Value {
    let of_file = |file: &LintedFile| -> Vec<Value> {
        let reported =
            file.problems.iter().filter(|it| matches!(it.kind, ProblemKind::Warning | ProblemKind::Error));
        reported.map(|problem| issue(file, problem)).collect()
    };
    linted.iter().flat_map(of_file).collect()
}

fn issue(file: &LintedFile, problem: &Problem) -> Value {
    let path = path_of(file);
    let location = format!("{path}\0{}\0{}\0{}", problem.check, problem.line, problem.column);
    let fingerprint: String =
        Sha256::digest(location).iter().take(16).map(|it| format!("{it:02x}")).collect();
    json!({
        "type": "issue",
        "check_name": problem.check,
        "description": message(problem),
        "categories": ["Style"],
        "severity": if problem.kind == ProblemKind::Error { "major" } else { "minor" },
        "location": { "path": path, "lines": { "begin": problem.line, "end": problem.line } },
        "fingerprint": fingerprint,
    })
}
