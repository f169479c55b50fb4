//! `hover`: type, value and documentation at a position.

use serde::Serialize;

use super::PositionArguments;
use super::{LocationPrinter, PrintedLocation};
use crate::CommandOutcome;

/// Help of `--format`.
pub(crate) const FORMAT_HELP: &str = "Output format: Markdown, or JSON with the Markdown and its location";

#[derive(Serialize)]
struct PrintedHover {
    #[serde(flatten)]
    location: PrintedLocation,
    markdown: String,
}

pub(crate) fn run(arguments: &PositionArguments) -> anyhow::Result<CommandOutcome> {
    super::query(arguments, |analysis, query| {
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
