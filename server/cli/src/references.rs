//! `references`: everything that names the thing at a place, declarations included.

use ide::ReferenceAccess;
use serde::Serialize;

use super::place::{self, LocationPrinter, PrintedLocation};
use super::{CommandOutcome, PlaceArguments};

#[derive(Serialize)]
struct PrintedReference {
    #[serde(flatten)]
    location: PrintedLocation,
    access: &'static str,
}

pub(super) fn run(arguments: &PlaceArguments) -> anyhow::Result<CommandOutcome> {
    place::ask(arguments, |analysis, asked| {
        let found = analysis.references(asked.file, asked.offset, true)?.unwrap_or_default();
        let mut places = LocationPrinter::new(analysis);
        let mut text = String::new();
        let mut answers = Vec::new();
        for it in found {
            let location = places.location(it.file, it.range)?;
            text.push_str(&format!("{}: {}\n", location.label(), places.line(it.file, it.range.start)?));
            answers.push(PrintedReference { location, access: access(it.access) });
        }
        Ok((text, answers))
    })
}

fn access(access: ReferenceAccess) -> &'static str {
    match access {
        ReferenceAccess::Declaration => "declaration",
        ReferenceAccess::Read => "read",
        ReferenceAccess::Write => "write",
        ReferenceAccess::Documentation => "documentation",
    }
}
