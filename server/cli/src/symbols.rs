//! `symbols`: what is defined in a folder, by name.

use anyhow::Context;
use serde::Serialize;

use super::files::{self, display_path};
use super::place::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, SymbolsArguments, workspace};

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

/// Prints the names that fit best first; without a pattern all names, by place.
fn run_here(arguments: &SymbolsArguments) -> anyhow::Result<CommandOutcome> {
    let root = &arguments.answer.root;
    let folder = arguments.path.as_ref().unwrap_or(root);
    if !folder.exists() {
        anyhow::bail!("cannot read {}: no such file or folder", display_path(folder));
    }
    let workspace = place::load(root, Vec::new())?;
    let analysis = workspace.analysis();
    let below = workspace::absolute_path(folder)
        .with_context(|| format!("{} is no path of this system", display_path(folder)))?;
    let mut answers = Vec::new();
    let mut places = LocationPrinter::new(&analysis);
    for it in analysis.symbols_below(&below, &arguments.pattern)? {
        let location = places.location(it.file, it.range)?;
        answers.push(PrintedSymbol {
            name: it.name,
            kind: it.kind.label(),
            container: it.container,
            location,
        });
    }
    if arguments.pattern.is_empty() {
        answers.sort_by(|a, b| {
            let place = |it: &PrintedSymbol| (it.location.file.clone(), it.location.line, it.location.column);
            place(a).cmp(&place(b))
        });
    }
    let line =
        |it: &PrintedSymbol| format!("{}: {} {}\n", it.location.label(), it.kind, output::visible(&it.name));
    let text: String = answers.iter().map(line).collect();
    place::print(arguments.answer.format, &text, &answers)
}
