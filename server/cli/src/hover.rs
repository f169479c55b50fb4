//! `hover`: type, value and documentation at a position.

use serde::Serialize;

use super::position::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, PositionArguments};

#[derive(Serialize)]
struct PrintedHover {
    #[serde(flatten)]
    location: PrintedLocation,
    markdown: String,
}

pub(super) fn run(arguments: &PositionArguments) -> anyhow::Result<CommandOutcome> {
    position::query(arguments, |analysis, query| {
        let Some(mut hover) = analysis.hover(query.file, query.offset)? else {
            return Ok((String::new(), None));
        };
        if let Some(class) = analysis.class_with_values(query.file, query.offset)? {
            let values = analysis.platform_values(class)?;
            let values = analysis.values_by_platform(query.file, query.offset, &values)?;
            hover.markdown.extend(values.map(|it| format!("\n\n{it}")));
        }
        let location = LocationPrinter::new(analysis).location(query.file, hover.range)?;
        let text = format!("{}\n", hover.markdown.trim_end());
        Ok((text, Some(PrintedHover { location, markdown: hover.markdown })))
    })
}
