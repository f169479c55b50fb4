//! `definition`: location of the definition of the symbol at a position.

use super::PositionArguments;
use super::{LocationPrinter, PrintedLocation};
use crate::CommandOutcome;

pub(crate) fn run(arguments: &PositionArguments) -> anyhow::Result<CommandOutcome> {
    super::query(arguments, |analysis, query| {
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
