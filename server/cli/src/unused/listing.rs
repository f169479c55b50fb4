//! Listing of unused and open items, as text and JSON.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use catalog_view::text::plural;
use ide::{Analysis, ItemKind, ItemPlace, ItemUse, ItemUses, UseVerdict};
use output::visible;
use serde_json::{Value as Json, json};
use syntax::TextRange;

use crate::position::LocationPrinter;

/// An item with its printable locations.
struct ListedItem<'u> {
    item: &'u ItemUse,
    places: Vec<ListedPlace>,
}

/// Location of an item.
struct ListedPlace {
    file: String,
    line: u32,
    /// Number of lines; `None` for files that are no text of the project.
    lines: Option<u32>,
    /// Date of the last change of the file: `2026-11-30`.
    changed: Option<String>,
}

/// Items to print.
pub(super) struct UnusedListing<'u> {
    unused: Vec<ListedItem<'u>>,
    /// Open items by reason.
    open: BTreeMap<&'u str, Vec<ListedItem<'u>>>,
    /// Location of the code that a reason names, by reason.
    origins: BTreeMap<&'u str, String>,
    used: usize,
    /// Modules whose items are not listed.
    foreign_modules: &'u [String],
}

impl<'u> UnusedListing<'u> {
    /// Prepares the items for printing. `changes` are the times of the last changes of files.
    pub(super) fn new(
        analysis: &Analysis,
        uses: &'u ItemUses,
        changes: &BTreeMap<PathBuf, u64>,
    ) -> anyhow::Result<UnusedListing<'u>> {
        let mut printer = LocationPrinter::new(analysis);
        let mut listing = UnusedListing {
            unused: Vec::new(),
            open: BTreeMap::new(),
            origins: BTreeMap::new(),
            used: 0,
            foreign_modules: &uses.foreign_modules,
        };
        for item in &uses.items {
            if item.verdict == UseVerdict::Used {
                listing.used += 1;
                continue;
            }
            let places = item.locations.iter().map(|it| place(&mut printer, analysis, changes, it));
            let listed = ListedItem { item, places: places.collect::<anyhow::Result<_>>()? };
            match &item.verdict {
                UseVerdict::Open(reason) => listing.open.entry(reason).or_default().push(listed),
                _ => listing.unused.push(listed),
            }
        }
        for (reason, file, range) in &uses.origins {
            if listing.open.contains_key(reason.as_str()) {
                let at = printer.location(*file, *range)?;
                let label = format!("{}:{}", at.file, at.line);
                listing.origins.entry(reason).or_insert(label);
            }
        }
        Ok(listing)
    }

    /// Formats the items by kind, and counts the open ones.
    pub(super) fn text(&self, shows_open: bool) -> String {
        let mut text = String::new();
        for listed in &self.unused {
            let _ = writeln!(text, "{}", line(listed));
        }
        for (reason, listed) in &self.open {
            let origin =
                self.origins.get(reason).map(|it| format!(" at {}", visible(it))).unwrap_or_default();
            let _ = writeln!(text, "{} open: {}{origin}", listed.len(), visible(reason));
            for listed in listed.iter().filter(|_| shows_open) {
                let _ = writeln!(text, "  {}", line(listed));
            }
        }
        let open: usize = self.open.values().map(Vec::len).sum();
        if !self.foreign_modules.is_empty() {
            let count = plural(self.foreign_modules.len(), "module", "modules");
            let _ = writeln!(
                text,
                "{count} not examined, with `metadata.json` or installed by the `Puppetfile`: {}",
                visible(&self.foreign_modules.join(", "))
            );
        }
        let _ = writeln!(text, "{} unused, {open} open, {} used", self.unused.len(), self.used);
        text
    }

    pub(super) fn json(&self) -> Json {
        let unused = self.unused.iter().map(json_item).collect::<Vec<_>>();
        let open = self.open.iter().map(|(reason, listed)| {
            json!({
                "reason": reason,
                "origin": self.origins.get(reason),
                "items": listed.iter().map(json_item).collect::<Vec<_>>(),
            })
        });
        json!({
            "unused": unused,
            "open": open.collect::<Vec<_>>(),
            "used": self.used,
            "not_examined": self.foreign_modules,
        })
    }
}

fn place(
    printer: &mut LocationPrinter<'_>,
    analysis: &Analysis,
    changes: &BTreeMap<PathBuf, u64>,
    place: &ItemPlace,
) -> anyhow::Result<ListedPlace> {
    let at = printer.location(place.file, place.range)?;
    let text = analysis.text(place.file)?;
    let lines = text.map(|text| {
        let whole = TextRange::new(0, text.len() as u32);
        let range = if place.full.start == place.full.end { whole } else { place.full };
        text.get(range.as_range()).map_or(0, |it| it.lines().count() as u32)
    });
    let changed = changes.get(Path::new(&analysis.path(place.file).to_native())).map(|it| date(*it));
    Ok(ListedPlace { file: at.file, line: at.line, lines, changed })
}

pub(super) fn kind_name(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::Module => "module",
        ItemKind::Class => "class",
        ItemKind::DefinedType => "defined type",
        ItemKind::Function => "function",
        ItemKind::DataType => "data type",
        ItemKind::Template => "template",
        ItemKind::File => "file",
        ItemKind::Level => "hierarchy level",
        ItemKind::DataFile => "data file",
        ItemKind::HieraKey => "Hiera key",
    }
}

/// Formats an item in one line: location, kind, name, and size.
fn line(ListedItem { item, places }: &ListedItem<'_>) -> String {
    let mut line = match places.first() {
        Some(place) => format!("{}:{}: ", visible(&place.file), place.line),
        None => String::new(),
    };
    let _ = write!(line, "{} `{}`", kind_name(item.kind), visible(&item.name));
    let mut details = Vec::new();
    let lines: u32 = places.iter().filter_map(|it| it.lines).sum();
    if lines > 0 && item.kind != ItemKind::Module {
        details.push(plural(lines as usize, "line", "lines"));
    }
    if places.len() > 1 {
        details.push(format!("at {}", plural(places.len(), "location", "locations")));
    }
    if let Some(changed) = places.iter().filter_map(|it| it.changed.as_ref()).max() {
        details.push(format!("changed {changed}"));
    }
    if item.verdict == (UseVerdict::Unused { only_tests: true }) {
        details.push("only tests use it".to_owned());
    }
    if !details.is_empty() {
        let _ = write!(line, " ({})", details.join(", "));
    }
    line
}

fn json_item(ListedItem { item, places }: &ListedItem<'_>) -> Json {
    let places = places
        .iter()
        .map(|it| json!({ "file": it.file, "line": it.line, "lines": it.lines, "changed": it.changed }));
    json!({
        "kind": kind_name(item.kind),
        "name": item.name,
        "only_tests": item.verdict == (UseVerdict::Unused { only_tests: true }),
        "locations": places.collect::<Vec<_>>(),
    })
}

/// Formats a time as a date (UTC).
fn date(seconds: u64) -> String {
    // Days since 0000-03-01 in the proleptic Gregorian calendar, where each era has 400 years.
    let days = seconds / 86_400 + 719_468;
    let (era, of_era) = (days / 146_097, days % 146_097);
    let year = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}
