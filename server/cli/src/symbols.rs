//! `symbols`: definitions in a folder, by name.

use std::path::{Path, PathBuf};

use anyhow::Context;
use ide::Analysis;
use serde::Serialize;

use super::arguments::AnswerArguments;
use super::daemon::with_workspace;
use super::files::{self, display_path};
use super::position::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, workspace};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  match found
  1  no match
  2  usage error, or unreadable folder

Examples:
  puppet-analyzer symbols
  puppet-analyzer symbols prweb               finds `profile::web`
  puppet-analyzer symbols --path site-modules --format json";

#[derive(clap::Args, Debug)]
pub(super) struct SymbolsArguments {
    /// Fuzzy pattern for the names [default: all names]
    #[arg(value_name = "PATTERN", default_value = "", hide_default_value = true)]
    pattern: String,

    /// Only list definitions in this folder or file [default: the root]
    #[arg(long, value_name = "FOLDER")]
    path: Option<PathBuf>,

    #[command(flatten)]
    pub(super) answer: AnswerArguments,
}

#[derive(Serialize)]
struct PrintedSymbol {
    name: String,
    kind: &'static str,
    container: String,
    #[serde(flatten)]
    location: PrintedLocation,
}

pub(super) fn run(arguments: &SymbolsArguments) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| run_here(arguments))?
}

/// Prints matching names, best match first; without a pattern all names, sorted by location.
fn run_here(arguments: &SymbolsArguments) -> anyhow::Result<CommandOutcome> {
    let root = &arguments.answer.root;
    let folder = arguments.path.as_ref().unwrap_or(root);
    if !folder.exists() {
        anyhow::bail!("`{}` not found", display_path(folder));
    }
    // Documentation is not printed.
    with_workspace(root, Some("none"), Vec::new(), |workspace| list(arguments, folder, &workspace.analysis()))
}

fn list(arguments: &SymbolsArguments, folder: &Path, analysis: &Analysis) -> anyhow::Result<CommandOutcome> {
    let below = workspace::absolute_path(folder)
        .with_context(|| format!("invalid path `{}`", display_path(folder)))?;
    let mut answers = Vec::new();
    let mut printer = LocationPrinter::new(analysis);
    for it in analysis.symbols_below(&below, &arguments.pattern)? {
        let location = printer.location(it.file, it.range)?;
        answers.push(PrintedSymbol {
            name: it.name,
            kind: it.kind.label(),
            container: it.container,
            location,
        });
    }
    if arguments.pattern.is_empty() {
        answers.sort_by(|a, b| {
            let key = |it: &PrintedSymbol| (it.location.file.clone(), it.location.line, it.location.column);
            key(a).cmp(&key(b))
        });
    }
    let line =
        |it: &PrintedSymbol| format!("{}: {} {}\n", it.location.label(), it.kind, output::visible(&it.name));
    let text: String = answers.iter().map(line).collect();
    position::print(arguments.answer.format, &text, &answers)
}
