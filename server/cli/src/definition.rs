//! `definition`: where the thing that is named at a place is made.

use super::place::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, PlaceArguments};

pub(super) fn run(arguments: &PlaceArguments) -> anyhow::Result<CommandOutcome> {
    place::ask(arguments, |analysis, asked| {
        let mut places = LocationPrinter::new(analysis);
        let mut text = String::new();
        let mut locations: Vec<PrintedLocation> = Vec::new();
        let found = analysis.definition(asked.file, asked.offset)?;
        for target in found.map(|it| it.targets).unwrap_or_default() {
            let location = places.location(target.file, target.focus)?;
            let line = places.line(target.file, target.focus.start)?;
            text.push_str(&format!("{}: {line}\n", location.label()));
            locations.push(location);
        }
        Ok((text, locations))
    })
}
