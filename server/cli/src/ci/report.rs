//! The report of `ci`: the output of each step, and a table of the results.

use std::fmt::Write;

use output::markdown::{code_block, code_span};
use serde_json::{Value as Json, json};

use super::changed::ChangedFiles;

use super::step::{CiStep, StepResult, StepStatus};
use clap::ValueEnum;

/// Maximum length in bytes of the output of a step in a comment. GitHub accepts 65,536 characters in all.
const MAX_COMMENT_LENGTH: usize = 12_000;

/// Renders the output of a step.
pub(super) fn step(result: &StepResult, format: CiFormat) -> String {
    let StepResult { step, status, command, output } = result;
    let name = step.name();
    let is_skipped = matches!(status, StepStatus::Skipped(_));
    match format {
        CiFormat::Json => String::new(),
        _ if is_skipped => String::new(),
        CiFormat::Sarif if *step == CiStep::Check => String::new(),
        CiFormat::Text | CiFormat::Sarif => format!("==> {name}: {command}\n{output}\n"),
        // Annotations need no group, and GitHub does not show those in groups.
        CiFormat::Github if matches!(step, CiStep::Format | CiStep::Check) => output.clone(),
        CiFormat::Github => {
            let lines: String = output.lines().map(|line| format!("{}\n", inert(line))).collect();
            format!("::group::{name}: {}\n{lines}::endgroup::\n", status.text())
        }
        CiFormat::Markdown if output.trim().is_empty() => String::new(),
        CiFormat::Markdown => {
            let body = match step {
                CiStep::Diff => output.clone(),
                _ => code_block("text", &shortened(output)),
            };
            let open = if *status == StepStatus::Failed { " open" } else { "" };
            format!("\n<details{open}><summary>{name}: {}</summary>\n\n{body}\n\n</details>\n", status.text())
        }
    }
}

/// Returns a line that is not a workflow command.
fn inert(line: &str) -> String {
    if line.trim_start().starts_with("::") || line.starts_with("##[") {
        format!("| {line}")
    } else {
        line.to_owned()
    }
}

fn shortened(output: &str) -> String {
    if output.len() <= MAX_COMMENT_LENGTH {
        return output.to_owned();
    }
    let mut shown = String::new();
    let mut lines = output.lines();
    for line in lines.by_ref() {
        if shown.len() + line.len() > MAX_COMMENT_LENGTH {
            break;
        }
        shown.push_str(line);
        shown.push('\n');
    }
    let left = lines.count() + 1;
    let _ = writeln!(shown, "… {left} more lines");
    shown
}

/// Renders the results of all steps.
pub(super) fn summary(
    results: &[StepResult],
    changed: &ChangedFiles,
    format: CiFormat,
) -> serde_json::Result<String> {
    let base = changed.base.as_deref().map(|it| it.chars().take(10).collect::<String>());
    Ok(match format {
        CiFormat::Text | CiFormat::Github => {
            let line = |it: &StepResult| format!("{:8} {}\n", it.step.name(), it.status.text());
            results.iter().map(line).collect()
        }
        CiFormat::Markdown => {
            let base =
                base.map(|it| format!(" for the changes since {}", code_span(&it))).unwrap_or_default();
            let mut out = format!("### puppet-analyzer{base}\n\n| Step | Result |\n|---|---|\n");
            for it in results {
                let _ = writeln!(out, "| {} | {} |", it.step.name(), it.status.text());
            }
            out
        }
        CiFormat::Json => {
            let report = json!({
                "version": 1,
                "base": changed.base,
                "steps": results.iter().map(json_step).collect::<Vec<_>>(),
            });
            output::escaped_json(&(serde_json::to_string_pretty(&report)? + "\n")).into_owned()
        }
        CiFormat::Sarif => {
            let check = results.iter().find(|it| it.step == CiStep::Check);
            check.map(|it| it.output.clone()).unwrap_or_default()
        }
    })
}

fn json_step(result: &StepResult) -> Json {
    let status = match result.status {
        StepStatus::Passed => "passed",
        StepStatus::Failed => "failed",
        StepStatus::Unusable => "unusable",
        StepStatus::Differs => "differs",
        StepStatus::Open => "open",
        StepStatus::Skipped(_) => "skipped",
    };
    let mut shown = json!({ "step": result.step.name(), "status": status });
    match result.status {
        StepStatus::Skipped(reason) => shown["reason"] = json!(reason),
        _ => {
            shown["command"] = json!(result.command);
            // The output of `format --check` is a list of lines.
            shown["result"] = serde_json::from_str(&result.output)
                .unwrap_or_else(|_| result.output.lines().map(Json::from).collect());
        }
    }
    shown
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CiFormat {
    /// Output of each step, and a table of the results
    Text,
    /// Table of the results with the output of each step, for a comment on a merge request
    Markdown,
    /// GitHub workflow commands, with a group of lines per step
    Github,
    /// JSON object with the result of each step
    Json,
    /// SARIF 2.1.0 with the findings of `check`; the other steps are printed to standard error
    Sarif,
}
