//! Output of a report in one of the formats.

use super::{html, markdown, octocatalog, render};
use crate::diff::format::DiffFormat;
use crate::diff::report::{DiffReport, masked};
use crate::diff::rules::RunRules;
use crate::{ColorChoice, CommandOutcome, terminal};
use ::fleet::page;
use ide::SecretValues;

/// Output of reports.
pub(super) struct ReportPrinter<'r> {
    /// Name of the catalogs before the change.
    pub(super) base: &'r str,
    pub(super) format: DiffFormat,
    pub(super) rules: &'r RunRules,
    pub(super) color: ColorChoice,
}

impl ReportPrinter<'_> {
    /// Prints a report. `secrets` are read for the formats that leave the machine.
    pub(super) fn print(
        &self,
        report: DiffReport,
        secrets: impl Fn() -> anyhow::Result<SecretValues>,
    ) -> anyhow::Result<CommandOutcome> {
        let ReportPrinter { base, format, rules, color } = *self;
        let outcome = report.outcome();
        let is_colored = terminal::stdout_has_color(color);
        match format {
            DiffFormat::Text => terminal::print_text(&render::text(&report, is_colored), is_colored)?,
            DiffFormat::Json => terminal::print_json(&render::json(&masked(report, &secrets()?)))?,
            DiffFormat::Markdown => {
                terminal::print_text(&markdown::render(&masked(report, &secrets()?), base), false)?;
            }
            DiffFormat::Html => {
                let report = html::of_catalogs(&masked(report, &secrets()?));
                terminal::print_text(&page::render(report, base, page::CATALOGS), false)?;
            }
            DiffFormat::Octocatalog => return octocatalog::print(report, rules, &secrets()?, color),
        }
        Ok(outcome)
    }
}
