//! Output formats for findings, one module each.

pub mod concise;
pub mod github;
pub mod gitlab;
pub mod json;
pub mod junit;
mod markdown;
pub mod sarif;
pub mod statistics;
pub mod text;

use std::collections::HashSet;

use catalog_view::open::{self, AbsentModule, OpenGroup};
use catalog_view::text::plural;
use clap::ValueEnum;
use output::secrets::SecretKeys;

use super::files::FileFailure;
use super::printed_diagnostic::PrintedDiagnostic;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ReportFormat {
    /// Compiler-style messages
    Text,
    /// One line per finding
    Concise,
    /// JSON array with one object per finding
    Json,
    /// GitHub workflow commands
    Github,
    /// SARIF 2.1.0
    Sarif,
    /// GitLab Code Quality report
    Gitlab,
    /// JUnit XML
    Junit,
    /// Markdown: findings by the effort that they take
    Markdown,
}

/// Order of the findings in a report.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SortOrder {
    /// Errors first, then everything else; each by path and location
    Level,
    /// By path and location
    Path,
}

/// Returns true for formats whose reports are uploaded or shown to others.
pub fn leaves_machine(format: ReportFormat) -> bool {
    !matches!(format, ReportFormat::Text | ReportFormat::Json)
}

/// A file with its findings, sorted by location.
#[derive(Debug)]
pub struct FileDiagnostics {
    /// Display path.
    pub path: String,
    pub diagnostics: Vec<PrintedDiagnostic>,
}

/// Contents of a report.
pub struct ReportContent<'r> {
    pub files: &'r [FileDiagnostics],
    /// Parts that could not be checked.
    pub open: &'r [UnseenPart],
    /// Files that could not be read.
    pub failures: &'r [FileFailure],
    /// Keys whose values are masked in formats that leave the machine.
    pub secrets: &'r SecretKeys,
    pub order: SortOrder,
}

/// Renders a machine-readable report.
pub fn render(format: ReportFormat, content: &ReportContent<'_>) -> serde_json::Result<String> {
    match format {
        ReportFormat::Text | ReportFormat::Json => json::render(content),
        ReportFormat::Concise => Ok(concise::render(content)),
        ReportFormat::Gitlab => gitlab::render(content),
        ReportFormat::Junit => Ok(junit::render(content)),
        ReportFormat::Markdown => Ok(markdown::render(content)),
        ReportFormat::Github => Ok(github::render(content)),
        ReportFormat::Sarif => sarif::render(content),
    }
}

/// Maximum number of causes that are listed.
const MAX_CAUSES: usize = 12;

/// Formats parts that could not be checked, each with the affected names: one line per cause, with advice, or
/// one line per part if `is_verbose`. `module_of` returns the missing module that a part is due to.
pub fn open_lines<'r>(
    parts: &'r [(String, Vec<String>)],
    module_of: impl Fn(&str) -> Option<AbsentModule<'r>>,
    is_verbose: bool,
) -> Vec<String> {
    if is_verbose {
        return parts.iter().map(|(what, of)| UnseenPart::open_line(what, of)).collect();
    }
    let reasons: Vec<&str> = parts.iter().map(|(reason, _)| reason.as_str()).collect();
    let mut lines = Vec::new();
    let groups = open::grouped(&reasons, module_of);
    let shortens = groups.len() < reasons.len() || groups.len() > MAX_CAUSES;
    for OpenGroup { what, help, reasons } in groups.iter().take(MAX_CAUSES) {
        let mut of = Vec::new();
        let mut known = HashSet::new();
        for name in reasons.iter().flat_map(|at| &parts[*at].1) {
            if known.insert(name) {
                of.push(name.clone());
            }
        }
        lines.push(UnseenPart::open_line(what, &of));
        lines.extend(help.iter().map(|help| format!("  help: {}", output::visible(help))));
    }
    match groups.len().saturating_sub(MAX_CAUSES) {
        _ if !shortens => {}
        0 => lines.push("  `--verbose` lists each part".to_owned()),
        more => lines.push(format!("{more} more causes; `--verbose` lists each part")),
    }
    lines
}

/// A part that a run could not check.
#[derive(Debug)]
pub struct UnseenPart {
    pub what: String,
    /// Affected classes and nodes; empty if it affects the whole run.
    pub of: Vec<String>,
}

impl UnseenPart {
    /// Formats the part on one line, without a line break.
    pub fn line(&self) -> String {
        match self.of.as_slice() {
            [] => output::visible(&self.what).into_owned(),
            of => UnseenPart::open_line(&self.what, of),
        }
    }

    /// Formats an inconclusive part with the affected names on one line, without a line break.
    fn open_line(what: &str, of: &[String]) -> String {
        let what = output::visible(what);
        let Some((first, others)) = of.split_first() else { return format!("open: {what}") };
        let others = match others.len() {
            0 => String::new(),
            count => format!(" and {}", plural(count, "other", "others")),
        };
        format!("open: {what}; in {}{others}", output::visible(first))
    }
}

/// Returns the warning about unsafe fixes that were not applied.
pub fn unsafe_fixes_message(fixes: &str) -> String {
    let problem = format!("{fixes} not applied because they may change behavior");
    codes::with_help(problem, "use `--unsafe-fixes` to apply them")
}
