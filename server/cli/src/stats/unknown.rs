//! `stats --unknown`: parameters that remain unknown when the classes of a workspace are compiled, and the
//! Ruby code that causes it.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use disk::config::Config;
use ide::{Analysis, Compiled};
use serde::Serialize;
use types::Origin;

use super::arguments::StatsArguments;
use crate::workspace::{self, Workspace};
use crate::{CommandOutcome, files, terminal};

/// Maximum number of reasons in the text output; JSON contains all.
const MAX_SHOWN: usize = 40;

#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct UnknownStats {
    classes: usize,
    /// Number of classes with unknown parameters.
    classes_with_unknown: usize,
    resources: usize,
    parameters: usize,
    unknown_parameters: usize,
    /// Number of parameters that are unknown because of Ruby code.
    unknown_through_ruby: usize,
    reasons: Vec<ReasonStats>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ReasonStats {
    /// Description of the unknown value.
    what: String,
    /// Path relative to the folder of the module, and the line.
    file: String,
    line: u32,
    /// Functions without a result because of it.
    functions: BTreeSet<String>,
    calls: usize,
    classes: usize,
    /// Number of parameters in those classes that are unknown because of Ruby code.
    parameters: usize,
}

pub(super) fn run(arguments: &StatsArguments) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| run_here(arguments))?
}

fn run_here(arguments: &StatsArguments) -> anyhow::Result<CommandOutcome> {
    let config = Config::load(&workspace::settings_folder(&arguments.paths))?;
    let workspace = Workspace::with_surroundings(&config, &arguments.paths, std::iter::empty());
    let stats = count(&workspace.analysis())?;
    let output = if arguments.json { serde_json::to_string_pretty(&stats)? + "\n" } else { table(&stats) };
    terminal::print_text(&output, false)?;
    Ok(CommandOutcome::Clean)
}

fn count(analysis: &Analysis) -> anyhow::Result<UnknownStats> {
    let mut stats = UnknownStats::default();
    let mut reasons: BTreeMap<(String, String, u32), ReasonStats> = BTreeMap::new();
    for environment in analysis.environments() {
        for name in analysis.classes(environment)? {
            let Some(class) = analysis.class_named(environment, &name)? else { continue };
            let Some(found) = analysis.class_catalog(&class, None, None, None)? else { continue };
            add(&mut stats, &mut reasons, &found.compiled);
        }
    }
    stats.reasons = reasons.into_values().collect();
    stats.reasons.sort_by_key(|reason| std::cmp::Reverse((reason.parameters, reason.classes, reason.calls)));
    Ok(stats)
}

/// Adds the result of one class.
fn add(
    stats: &mut UnknownStats,
    reasons: &mut BTreeMap<(String, String, u32), ReasonStats>,
    compiled: &Compiled,
) {
    let (mut unknown, mut through_ruby) = (0, 0);
    for resource in &compiled.catalog().resources {
        stats.resources += 1;
        for (_, value) in &resource.parameters {
            stats.parameters += 1;
            unknown += usize::from(!value.is_known());
            through_ruby += usize::from(value.least_trustworthy() == Some(Origin::Ruby));
        }
    }
    stats.classes += 1;
    stats.classes_with_unknown += usize::from(unknown > 0);
    stats.unknown_parameters += unknown;
    stats.unknown_through_ruby += through_ruby;
    let mut seen = BTreeSet::new();
    for reason in compiled.unknown_ruby_calls() {
        let key = (reason.path.to_owned(), reason.what.to_owned(), reason.line);
        let entry = reasons.entry(key.clone()).or_insert_with(|| ReasonStats {
            what: reason.what.to_owned(),
            file: reason.path.to_owned(),
            line: reason.line,
            functions: BTreeSet::new(),
            calls: 0,
            classes: 0,
            parameters: 0,
        });
        entry.functions.insert(reason.function.to_owned());
        entry.calls += 1;
        if seen.insert(key) {
            entry.classes += 1;
            entry.parameters += through_ruby;
        }
    }
}

fn table(stats: &UnknownStats) -> String {
    let mut out = String::new();
    for (name, count) in [
        ("classes", stats.classes),
        ("with unknown parameters", stats.classes_with_unknown),
        ("resources", stats.resources),
        ("parameters", stats.parameters),
        ("unknown", stats.unknown_parameters),
        ("unknown through Ruby", stats.unknown_through_ruby),
    ] {
        let _ = writeln!(out, "{name:<24} {count:>10}");
    }
    if !stats.reasons.is_empty() {
        let _ = writeln!(out, "\n{:>10} {:>8} {:>8}  what is not known", "parameters", "classes", "calls");
    }
    for reason in stats.reasons.iter().take(MAX_SHOWN) {
        let functions: Vec<&str> = reason.functions.iter().map(String::as_str).collect();
        let _ = writeln!(
            out,
            "{:>10} {:>8} {:>8}  {} ({}:{}, in {})",
            reason.parameters,
            reason.classes,
            reason.calls,
            reason.what,
            reason.file,
            reason.line,
            functions.join(", ")
        );
    }
    out
}
