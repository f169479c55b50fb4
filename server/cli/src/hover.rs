//! `hover`: what the thing at a place is, and what it is worth.

use serde::Serialize;

use super::place::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, PlaceArguments};

#[derive(Serialize)]
struct PrintedHover {
    #[serde(flatten)]
    location: PrintedLocation,
    markdown: String,
}

pub(super) fn run(arguments: &PlaceArguments) -> anyhow::Result<CommandOutcome> {
    place::ask(arguments, |analysis, asked| {
        let Some(hover) = analysis.hover(asked.file, asked.offset)? else { return Ok((String::new(), None)) };
        let location = LocationPrinter::new(analysis).location(asked.file, hover.range)?;
        let text = format!("{}\n", hover.markdown.trim_end());
        Ok((text, Some(PrintedHover { location, markdown: hover.markdown })))
    })
}
