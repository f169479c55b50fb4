//! Differences as text, JSON and Markdown.

use std::fmt::Write;

use catalog_view::text::plural;
use serde_json::{Value as Json, json};

use super::PlacedDifference;
use super::compare::{ChangeKind, Difference, ResourceChange};

/// Longer values are cut off for people.
const LONGEST_VALUE: usize = 120;

/// Entries that change in the same way, and the platforms on which they do.
struct DifferenceGroup<'c> {
    names: Vec<&'c str>,
    platforms: Vec<&'c str>,
    difference: &'c Difference,
}

/// What changes in one entry, and on which platforms.
type OfEntry<'c> = (&'c str, Vec<(&'c Difference, Vec<&'c str>)>);

/// What changes alike is told once.
fn groups(changed: &[PlacedDifference]) -> Vec<DifferenceGroup<'_>> {
    let mut by_entry: Vec<OfEntry<'_>> = Vec::new();
    for PlacedDifference { entry, platform, difference } in changed {
        if by_entry.last().is_none_or(|(name, _)| *name != entry.name) {
            by_entry.push((&entry.name, Vec::new()));
        }
        if let Some((_, differences)) = by_entry.last_mut() {
            match differences.iter_mut().find(|(known, _)| *known == difference) {
                Some((_, platforms)) => platforms.push(platform),
                None => differences.push((difference, vec![platform])),
            }
        }
    }
    let mut groups: Vec<DifferenceGroup<'_>> = Vec::new();
    for (name, differences) in by_entry {
        for (difference, platforms) in differences {
            let same = groups.iter_mut().find(|it| it.difference == difference && it.platforms == platforms);
            match same {
                Some(group) => group.names.push(name),
                None => groups.push(DifferenceGroup { names: vec![name], platforms, difference }),
            }
        }
    }
    groups
}

/// A line of a difference: its sign (`+`, `-`, `~`, blank) and the text behind it.
fn lines(difference: &Difference) -> Vec<(char, String)> {
    let one_line = |text: &str| text.replace('\n', " ");
    match difference {
        Difference::New(count) => {
            vec![('+', format!("is new, with {}", plural(*count, "resource", "resources")))]
        }
        Difference::Gone => vec![('-', "is gone".to_owned())],
        Difference::FailsNow(message) => vec![('-', format!("fails now: {}", one_line(message)))],
        Difference::CompilesNow(message) => {
            vec![('+', format!("compiles now; before it failed: {}", one_line(message)))]
        }
        Difference::FailsDifferently { before, after } => vec![
            ('-', format!("failed: {}", one_line(before))),
            ('+', format!("fails:  {}", one_line(after))),
        ],
        Difference::Resources(changes) => changes.iter().flat_map(change_lines).collect(),
    }
}

fn change_lines(change: &ResourceChange) -> Vec<(char, String)> {
    let sign = match change.kind {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Changed => '~',
    };
    let mut lines = vec![(sign, change.reference.replace('\n', "\\n"))];
    for (name, before, after) in &change.parameters {
        match (before, after) {
            // What must not be seen is only known to differ.
            (Some(before), Some(after)) if before == after => {
                lines.push(('~', format!("    {name} => {before} (it changes)")));
            }
            _ => {
                let line = |sign: char, value: &String| (sign, format!("    {name} => {}", cut(value)));
                lines.extend(before.iter().map(|value| line('-', value)));
                lines.extend(after.iter().map(|value| line('+', value)));
            }
        }
    }
    lines
}

fn cut(text: &str) -> String {
    match text.chars().count() > LONGEST_VALUE {
        true => text.chars().take(LONGEST_VALUE).chain(['…']).collect(),
        false => text.to_owned(),
    }
}

fn summary(changed: &[PlacedDifference], compared: usize) -> String {
    match changed.len() {
        0 => format!("no difference in {}", plural(compared, "catalog", "catalogs")),
        count => {
            let verb = if count == 1 { "differs" } else { "differ" };
            format!("{count} of {} {verb}", plural(compared, "catalog", "catalogs"))
        }
    }
}

/// For people.
pub(super) fn text(changed: &[PlacedDifference], compared: usize, is_colored: bool) -> String {
    let paint = |style: &str, text: &str| match is_colored {
        true => format!("\x1b[{style}m{text}\x1b[0m"),
        false => text.to_owned(),
    };
    let mut out = String::new();
    for group in groups(changed) {
        let names = paint("1", &group.names.join(", "));
        let _ = writeln!(out, "{names} on {}", group.platforms.join(", "));
        for (sign, line) in lines(group.difference) {
            let style = match sign {
                '+' => "32",
                '-' => "31",
                _ => "33",
            };
            let _ = writeln!(out, "  {}", paint(style, &format!("{sign} {line}")));
        }
        out.push('\n');
    }
    let _ = writeln!(out, "{}", paint("1", &summary(changed, compared)));
    out
}

/// For a comment on a merge request.
pub(super) fn markdown(changed: &[PlacedDifference], compared: usize, base: &str) -> String {
    let mut out = format!(
        "### Catalogs compared with `{}`\n\n{}.\n",
        base.replace('`', ""),
        summary(changed, compared)
    );
    for group in groups(changed) {
        let names: Vec<String> = group.names.iter().map(|name| format!("`{name}`")).collect();
        let body: String = lines(group.difference)
            .iter()
            .map(|(sign, line)| match sign {
                '~' => format!("! {line}\n"),
                sign => format!("{sign} {line}\n"),
            })
            .collect();
        let longest = body.split(|c| c != '`').map(str::len).max().unwrap_or(0);
        let fence = "`".repeat(longest.max(2) + 1);
        let _ = write!(
            out,
            "\n**{}** on {}\n\n{fence}diff\n{body}{fence}\n",
            names.join(", "),
            group.platforms.join(", ")
        );
    }
    out
}

/// For programs.
pub(super) fn json(changed: &[PlacedDifference]) -> anyhow::Result<String> {
    let shown: Vec<Json> = changed
        .iter()
        .map(|PlacedDifference { entry, platform, difference }| {
            let kind = if entry.is_class { "class" } else { "node" };
            let mut shown = json!({ kind: entry.name, "platform": platform });
            match difference {
                Difference::New(_) => shown["change"] = json!("new"),
                Difference::Gone => shown["change"] = json!("gone"),
                Difference::FailsNow(message) => {
                    shown["change"] = json!("fails");
                    shown["error"] = json!(message);
                }
                Difference::CompilesNow(message) => {
                    shown["change"] = json!("compiles");
                    shown["errorBefore"] = json!(message);
                }
                Difference::FailsDifferently { before, after } => {
                    shown["change"] = json!("fails-differently");
                    shown["errorBefore"] = json!(before);
                    shown["error"] = json!(after);
                }
                Difference::Resources(changes) => {
                    shown["change"] = json!("resources");
                    shown["resources"] = changes.iter().map(json_change).collect();
                }
            }
            shown
        })
        .collect();
    Ok(serde_json::to_string_pretty(&shown)? + "\n")
}

fn json_change(change: &ResourceChange) -> Json {
    let parameters: Vec<Json> = change
        .parameters
        .iter()
        .map(|(name, before, after)| json!({ "name": name, "before": before, "after": after }))
        .collect();
    json!({ "resource": change.reference, "change": change.kind.name(), "parameters": parameters })
}
