//! The report of a check, and its outcome.

use anyhow::Context;
use codes::Code;
use output::secrets::SecretKeys;
use syntax::Severity;

use super::arguments::{CheckArguments, FailLevel, MinLevel};
use super::checked::{Checked, RenderedFile};
use super::unseen::Unseen;
use crate::files::{self, FileFailure, display_path};
use crate::printed_diagnostic::PrintedDiagnostic;
use crate::report::text::RunCounts;
use crate::report::{self, FileDiagnostics, ReportContent, ReportFormat};
use crate::terminal::verbose;
use crate::workspace::Workspace;
use crate::{ColorChoice, CommandOutcome, terminal};

/// Findings of a check, and what could not be checked.
pub(super) struct RunReport<'r> {
    arguments: &'r CheckArguments,
    files: Vec<FileDiagnostics>,
    /// Text report of all files.
    rendered: RenderedFile,
    /// Number of findings below the level of `--min-level`.
    hidden: usize,
    failures: Vec<FileFailure>,
    unseen: Unseen,
    secrets: SecretKeys,
    /// True if nodes fail, but not because of code in a checked file.
    pub(super) fails_elsewhere: bool,
}

/// A rendered report. The last line of a terminal is the result, so the summary is printed after everything
/// else.
struct RenderedReport {
    report: String,
    summary: String,
}

impl<'r> RunReport<'r> {
    pub(super) fn new(
        arguments: &'r CheckArguments,
        checked: Vec<Checked>,
        failures: Vec<FileFailure>,
        unseen: Unseen,
        secrets: SecretKeys,
    ) -> RunReport<'r> {
        let (files, rendered) = (Vec::new(), RenderedFile::default());
        let (hidden, fails_elsewhere) = (0, false);
        let mut report =
            RunReport { arguments, files, rendered, hidden, failures, unseen, secrets, fails_elsewhere };
        for Checked { path, diagnostics, hidden, rendered, unseen, .. } in checked {
            report.hidden += hidden;
            report.rendered.first.push_str(&rendered.first);
            report.rendered.rest.push_str(&rendered.rest);
            report.unseen.add(unseen);
            report.files.push(FileDiagnostics { path: display_path(&path), diagnostics });
        }
        report
    }

    /// Prints the findings and what could not be checked, and returns the outcome.
    pub(super) fn print(
        mut self,
        workspace: &Workspace,
        color: ColorChoice,
    ) -> anyhow::Result<CommandOutcome> {
        let arguments = self.arguments;
        let styled = arguments.output.is_none() && arguments.is_text() && terminal::stdout_has_color(color);
        let RenderedReport { report, summary } = self.render(styled)?;
        match (&arguments.output, arguments.format) {
            (Some(file), _) => {
                files::write(file, (report + &summary).as_bytes())
                    .with_context(|| format!("cannot write `{}`", display_path(file)))?;
                self.print_unseen(workspace);
            }
            (None, ReportFormat::Github) if !arguments.statistics => {
                terminal::print_commands(&report)?;
                self.print_unseen(workspace);
            }
            (None, _) => {
                terminal::print_text(&report, styled)?;
                self.print_unseen(workspace);
                terminal::print_text(&summary, styled)?;
            }
        }
        Ok(self.outcome(color))
    }

    fn render(&mut self, styled: bool) -> serde_json::Result<RenderedReport> {
        let arguments = self.arguments;
        let hidden = (arguments.min_level == MinLevel::Error).then_some(self.hidden);
        let counts = RunCounts { unreadable: self.failures.len(), hidden };
        let mut summary = String::new();
        let report = match (arguments.format, arguments.statistics) {
            (ReportFormat::Json, true) => report::statistics::json(&self.files)?,
            (ReportFormat::Markdown, true) => report::statistics::markdown(&self.files),
            (_, true) => report::statistics::render(&self.files),
            (ReportFormat::Text, false) => {
                if !arguments.quiet {
                    summary = report::text::summary(&self.files, counts, styled);
                }
                let RenderedFile { first, rest } = std::mem::take(&mut self.rendered);
                first + &rest
            }
            (format, false) => {
                let content = ReportContent {
                    files: &self.files,
                    open: &self.unseen.parts(),
                    failures: &self.failures,
                    secrets: &self.secrets,
                    order: arguments.sort,
                };
                report::render(format, &content)?
            }
        };
        Ok(RenderedReport { report, summary })
    }

    /// Prints what could not be checked, and warnings about the settings of environments.
    fn print_unseen(&self, workspace: &Workspace) {
        if self.arguments.quiet {
            return;
        }
        for line in self.unseen.lines(verbose::is_enabled()) {
            terminal::print_to_stderr(&format!("{line}\n"));
        }
        let analysis = workspace.analysis();
        let mut lines = Vec::new();
        for environment in analysis.environments() {
            for line in workspace.settings_warnings(&analysis, environment) {
                if !lines.contains(&line) {
                    lines.push(line);
                }
            }
        }
        lines.iter().for_each(|line| terminal::print_to_stderr(line));
    }

    /// Returns the outcome of a run and warns if there were no files.
    fn outcome(&self, color: ColorChoice) -> CommandOutcome {
        let arguments = self.arguments;
        if self.files.is_empty() {
            let print = if arguments.require_files { terminal::print_error } else { terminal::print_warning };
            print(color, "no Puppet files found");
        }
        let fails = |it: &PrintedDiagnostic| match arguments.fail_on {
            _ if arguments.exit_zero => false,
            FailLevel::Error => it.severity == Severity::Error || is_unchecked(it),
            FailLevel::Warning => it.severity != Severity::Hint,
            FailLevel::Never => false,
        };
        let passes_all = arguments.exit_zero || arguments.fail_on == FailLevel::Never;
        let has_findings = self.files.iter().flat_map(|it| &it.diagnostics).any(fails)
            || self.fails_elsewhere && !passes_all;
        if !self.failures.is_empty() || arguments.require_files && self.files.is_empty() {
            CommandOutcome::Failure
        } else if has_findings || arguments.deny_open && !self.unseen.open.is_empty() {
            CommandOutcome::Findings
        } else {
            CommandOutcome::Clean
        }
    }
}

/// Returns true for a file that could not be checked, which is no success.
pub(super) fn is_unchecked(found: &PrintedDiagnostic) -> bool {
    matches!(found.code, Code::LargeFile | Code::NotUtf8)
}
