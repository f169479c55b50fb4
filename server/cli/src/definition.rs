//! `definition`: location of the definition of the symbol at a position.

use super::position::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, PositionArguments};

pub(super) fn run(arguments: &PositionArguments) -> anyhow::Result<CommandOutcome> {
    position::query(arguments, |analysis, query| {
        let mut printer = LocationPrinter::new(analysis);
        let mut text = String::new();
        let mut locations: Vec<PrintedLocation> = Vec::new();
        let found = analysis.definition(query.file, query.offset)?;
        for target in found.map(|it| it.targets).unwrap_or_default() {
            let location = printer.location(target.file, target.focus)?;
            let line = printer.line(target.file, target.focus.start)?;
            text.push_str(&format!("{}: {line}\n", location.label()));
            locations.push(location);
        }
        Ok((text, locations))
    })
}
