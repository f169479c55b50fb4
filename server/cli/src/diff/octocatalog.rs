//! `diff --format octocatalog`: the JSON and the exit codes of octocatalog-diff.

use catalog_view::text::plural;
use comparison::compare::{ComparedCatalog, Comparison, Difference};
use comparison::octocatalog::{DiffItem, OctoCatalog, OctoDiff, catalog_of, diff, render, resources_of_file};
use comparison::served::ServedFiles;
use ide::{Analysis, EnvironmentId, SecretValues};

use super::report::DiffReport;
use super::rules::RunRules;
use crate::{ColorChoice, CommandOutcome, terminal};

/// Result that octocatalog-diff ends with 0 for.
const SAME: CommandOutcome = CommandOutcome::Clean;

/// Result that octocatalog-diff ends with 1 for.
pub(super) const FAILED: CommandOutcome = CommandOutcome::Findings;

/// Result that octocatalog-diff ends with 2 for.
const DIFFERENT: CommandOutcome = CommandOutcome::Failure;

/// One side of a comparison.
pub(super) struct OctoSide<'s, 'c, 'r> {
    catalog: &'s ComparedCatalog<'c>,
    analysis: &'s Analysis,
    environment: EnvironmentId,
    served: Option<&'s ServedFiles<'r>>,
}

impl<'s, 'c, 'r> OctoSide<'s, 'c, 'r> {
    /// Creates a side, if there is a catalog.
    pub(super) fn of(
        catalog: Option<&'s ComparedCatalog<'c>>,
        analysis: &'s Analysis,
        environment: EnvironmentId,
        served: Option<&'s ServedFiles<'r>>,
    ) -> Option<OctoSide<'s, 'c, 'r>> {
        catalog.map(|catalog| OctoSide { catalog, analysis, environment, served })
    }

    fn resources(&self) -> anyhow::Result<OctoCatalog> {
        let Some(compiled) = self.catalog.compiled() else { return Ok(OctoCatalog::default()) };
        catalog_of(self.analysis, self.environment, compiled, self.served)
    }
}

/// Differences between two compiled catalogs, or the reasons why they cannot be compared.
pub(super) fn of_compiled(
    before: &OctoSide<'_, '_, '_>,
    after: &OctoSide<'_, '_, '_>,
    rules: &RunRules,
) -> anyhow::Result<Result<OctoDiff, Vec<String>>> {
    let (old, new) = (before.resources()?, after.resources()?);
    if !new.missing_sources.is_empty() {
        return Ok(Err(new.missing_sources));
    }
    Ok(Ok(diff(&old.resources, &new.resources, &rules.rules, rules.defaults)))
}

/// Differences between two catalogs from files.
pub(super) fn of_files(
    before: &comparison::catalog_file::CatalogFile,
    after: &comparison::catalog_file::CatalogFile,
    rules: &RunRules,
) -> OctoDiff {
    diff(&resources_of_file(before), &resources_of_file(after), &rules.rules, rules.defaults)
}

/// Differences between a catalog from a file, which is that before the change or after it, and a compiled one, or the
/// reasons why they cannot be compared.
pub(super) fn of_file_and_compiled(
    file: &comparison::catalog_file::CatalogFile,
    is_before: bool,
    compiled: &OctoSide<'_, '_, '_>,
    rules: &RunRules,
) -> anyhow::Result<Result<OctoDiff, Vec<String>>> {
    let compiled = compiled.resources()?;
    if is_before && !compiled.missing_sources.is_empty() {
        return Ok(Err(compiled.missing_sources));
    }
    let of_file = resources_of_file(file);
    let (old, new) =
        if is_before { (&of_file, &compiled.resources) } else { (&compiled.resources, &of_file) };
    Ok(Ok(diff(old, new, &rules.rules, rules.defaults)))
}

/// Returns the reasons why a catalog was not compared, or only in part. The second value is true if there are no
/// two catalogs.
pub(super) fn reasons(comparison: &Comparison) -> (Vec<String>, bool) {
    let failures: Vec<String> = match &comparison.difference {
        Some(Difference::New(_)) => vec!["it only exists after the change".to_owned()],
        Some(Difference::Gone) => vec!["it only exists before the change".to_owned()],
        Some(Difference::FailsNow(message)) => vec![format!("fails: {message}")],
        Some(Difference::CompilesNow(message)) => vec![format!("failed before the change: {message}")],
        Some(Difference::FailsDifferently { before, after }) => {
            vec![format!("failed before the change: {before}"), format!("fails: {after}")]
        }
        Some(Difference::Resources(_)) | None => Vec::new(),
    };
    let fails = comparison.failure_of_both.iter().map(|it| format!("fails before and after: {it}"));
    let failures: Vec<String> = failures.into_iter().chain(fails).collect();
    let is_missing = !failures.is_empty() || comparison.is_skipped;
    let open = comparison.open.iter().map(|part| format!("open: {part}"));
    let possible = comparison
        .possible
        .iter()
        .map(|it| format!("open: the data of `{}` changed, and may apply to this node", it.key));
    let mut reasons: Vec<String> = failures.into_iter().chain(open).chain(possible).collect();
    if comparison.is_skipped && reasons.is_empty() {
        reasons.push("open: a limit was reached".to_owned());
    }
    (reasons, is_missing)
}

/// Renders the differences of a node as one line, with secrets masked.
pub(super) fn line(mut items: Vec<DiffItem>, header: Option<&str>, secrets: &SecretValues) -> String {
    conceal(&mut items, secrets);
    render(&items, header) + "\n"
}

/// Masks secrets.
pub(super) fn conceal(items: &mut [DiffItem], secrets: &SecretValues) {
    for item in items {
        item.conceal(&|name| secrets.is_secret(name), &|text| secrets.masked(text));
    }
}

/// Prints a report: one line per catalog, and reasons on standard error.
pub(super) fn print(
    mut report: DiffReport,
    rules: &RunRules,
    secrets: &SecretValues,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let mut failures: Vec<String> = report.gaps.iter().map(|gap| secrets.masked(gap)).collect();
    let (mut differs, mut ignored) = (false, 0);
    for placed in &mut report.compared {
        let (reasons, is_missing) = reasons(&placed.comparison);
        let name = placed.name();
        failures.extend(reasons.iter().map(|reason| format!("{name}: {}", secrets.masked(reason))));
        if is_missing {
            continue;
        }
        match placed.octocatalog.take() {
            Some(Ok(OctoDiff { items, ignored: of_node })) => {
                differs |= !items.is_empty();
                ignored += of_node;
                let header = rules.header.of_node(&placed.entry.name);
                terminal::print_json_text(&line(items, header.as_deref(), secrets))?;
            }
            Some(Err(reasons)) => {
                failures.extend(reasons.iter().map(|reason| format!("{name}: {}", secrets.masked(reason))));
            }
            None => failures.push(format!("{name}: not compared")),
        }
    }
    let not_compiled = report.not_compiled.iter();
    failures.extend(not_compiled.map(|(entry, reason)| format!("{}: not compiled: {reason}", entry.name)));
    Ok(outcome(&failures, differs, ignored, color))
}

/// Prints what the output itself does not say, and returns the outcome.
pub(super) fn outcome(
    failures: &[String],
    differs: bool,
    ignored: usize,
    color: ColorChoice,
) -> CommandOutcome {
    if ignored > 0 {
        terminal::print_to_stderr(&format!("{} ignored\n", plural(ignored, "difference", "differences")));
    }
    failures.iter().for_each(|failure| terminal::print_error(color, failure));
    match (failures.is_empty(), differs) {
        (false, _) => FAILED,
        (true, true) => DIFFERENT,
        (true, false) => SAME,
    }
}
