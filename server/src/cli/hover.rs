//! `hover`: what the thing at a place is, and what it is worth.

use serde::Serialize;

use super::place::{self, Location, Places};
use super::{Outcome, PlaceArguments};

#[derive(Serialize)]
struct Answer {
    #[serde(flatten)]
    location: Location,
    markdown: String,
}

pub(super) fn run(arguments: &PlaceArguments) -> anyhow::Result<Outcome> {
    place::ask(arguments, |analysis, asked| {
        let Some(hover) = analysis.hover(asked.file, asked.offset)? else { return Ok((String::new(), None)) };
        let location = Places::new(analysis).location(asked.file, hover.range)?;
        let text = format!("{}\n", hover.markdown.trim_end());
        Ok((text, Some(Answer { location, markdown: hover.markdown })))
    })
}
