//! `references`: all references to the symbol at a position, including declarations.

use ide::ReferenceAccess;
use serde::Serialize;

use super::PositionArguments;
use super::{LocationPrinter, PrintedLocation};
use crate::CommandOutcome;

#[derive(Serialize)]
struct PrintedReference {
    #[serde(flatten)]
    location: PrintedLocation,
    access: &'static str,
}

pub(crate) fn run(arguments: &PositionArguments) -> anyhow::Result<CommandOutcome> {
    super::query(arguments, |analysis, query| {
        let found = analysis.references(query.file, query.offset, true)?.unwrap_or_default();
        let mut printer = LocationPrinter::new(analysis);
        let mut text = String::new();
        let mut answers = Vec::new();
        for it in found {
            let location = printer.location(it.file, it.range)?;
            text.push_str(&format!("{}: {}\n", location.label(), printer.line(it.file, it.range.start)?));
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
