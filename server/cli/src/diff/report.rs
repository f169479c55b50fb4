//! Result of comparing all catalogs.

use crate::CommandOutcome;
use catalog_view::values::REDACTED;
use cli_common::entry::CompiledEntry;
use comparison::compare::{Comparison, Difference, PossibleChange};
use comparison::octocatalog::OctoDiff;
use ide::SecretValues;

/// Result of comparing an entry on a platform.
pub(super) struct PlacedComparison {
    pub(super) entry: CompiledEntry,
    pub(super) platform: String,
    pub(super) comparison: Comparison,
    /// Differences in the format of octocatalog-diff, if they are wanted, or the reasons why there are none.
    pub(super) octocatalog: Option<Result<OctoDiff, Vec<String>>>,
}

impl PlacedComparison {
    /// Returns the name of the entry with its platform.
    pub(super) fn name(&self) -> String {
        on_platform(&self.entry.name, &self.platform)
    }
}

/// Returns names with their platforms; catalogs from files have none.
pub(super) fn on_platform(names: &str, platforms: &str) -> String {
    if platforms.is_empty() { names.to_owned() } else { format!("{names} on {platforms}") }
}

/// Result of a run.
pub(super) struct DiffReport {
    /// In the order of the entries.
    pub(super) compared: Vec<PlacedComparison>,
    /// Entries without a catalog on either side, with the reason.
    pub(super) not_compiled: Vec<(CompiledEntry, &'static str)>,
    /// Limitations of reading the base revision that affect all catalogs.
    pub(super) gaps: Vec<String>,
}

impl DiffReport {
    pub(super) fn differences(&self) -> impl Iterator<Item = (&PlacedComparison, &Difference)> {
        self.compared.iter().filter_map(|placed| Some((placed, placed.comparison.difference.as_ref()?)))
    }

    fn is_inconclusive(&self) -> bool {
        let has_gaps = |it: &PlacedComparison| {
            let Comparison { failure_of_both, open, possible, .. } = &it.comparison;
            failure_of_both.is_some() || !open.is_empty() || !possible.is_empty()
        };
        !self.not_compiled.is_empty() || !self.gaps.is_empty() || self.compared.iter().any(has_gaps)
    }

    pub(super) fn outcome(&self) -> CommandOutcome {
        match (self.differences().next(), self.is_inconclusive()) {
            (Some(_), _) => CommandOutcome::Findings,
            (None, true) => CommandOutcome::Inconclusive,
            (None, false) => CommandOutcome::Clean,
        }
    }
}

/// Masks secret values in a report that leaves the machine.
pub(super) fn masked(mut report: DiffReport, secrets: &SecretValues) -> DiffReport {
    let mask = |text: &mut String| *text = secrets.masked(text);
    for PlacedComparison { comparison, .. } in &mut report.compared {
        let Comparison { difference, failure_of_both, open, possible, .. } = comparison;
        open.iter_mut().chain(failure_of_both).for_each(mask);
        for PossibleChange { key, before, after } in possible {
            let is_secret = secrets.is_secret(key);
            for value in [before, after].into_iter().flatten() {
                *value = if is_secret { REDACTED.to_owned() } else { secrets.masked(value) };
            }
        }
        if let Some(difference) = difference {
            difference.mask(secrets);
        }
    }
    report.gaps.iter_mut().for_each(mask);
    report
}
