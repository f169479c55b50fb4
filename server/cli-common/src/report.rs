//! Output formats for findings, one module each.

pub mod concise;
mod content;
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
use clap::ValueEnum;

pub use content::{FileDiagnostics, ReportContent, SortOrder, UnseenPart};

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

/// Returns true for formats whose reports are uploaded or shown to others.
pub fn leaves_machine(format: ReportFormat) -> bool {
    !matches!(format, ReportFormat::Text | ReportFormat::Json)
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

/// Returns the warning about unsafe fixes that were not applied.
pub fn unsafe_fixes_message(fixes: &str) -> String {
    let problem = format!("{fixes} not applied: unsafe fixes may change behavior");
    codes::with_help(problem, "use `--unsafe-fixes` to apply them")
}
