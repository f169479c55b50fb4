//! Rendering of differences as text and JSON.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;

use catalog_view::open::AbsentModule;
use catalog_view::text::plural;
use output::visible;
use serde_json::{Value as Json, json};

use super::report::{DiffReport, PlacedComparison, on_platform};
use crate::report::open_lines;
use crate::terminal::verbose;
use cli_common::entry::CompiledEntry;
use comparison::compare::{
    ChangeKind, Comparison, Difference, ParameterChange, PossibleChange, ResourceChange,
};

/// Maximum length of a value in characters; longer ones are truncated.
const MAX_VALUE_LENGTH: usize = 120;

/// Version of the objects in JSON. Keys are added without a new version.
const VERSION: u32 = 1;

/// Maximum number of names listed for one reason.
const MAX_NAMED: usize = 10;

/// Entries with the same difference.
pub(super) struct DifferenceGroup<'c> {
    /// Names of entries, with their platforms.
    pub(super) subjects: Vec<(Vec<&'c str>, Vec<&'c str>)>,
    pub(super) difference: &'c Difference,
}

/// Differences of one entry, with their platforms.
type EntryDifferences<'c> = (&'c str, Vec<(&'c Difference, Vec<&'c str>)>);

/// Possible changes of data, each with the entries whose catalogs it may affect.
fn possible_changes(report: &DiffReport) -> Vec<(&PossibleChange, Vec<&str>)> {
    let mut changes: Vec<(&PossibleChange, Vec<&str>)> = Vec::new();
    for PlacedComparison { entry, comparison, .. } in &report.compared {
        for change in &comparison.possible {
            match changes.iter_mut().find(|(known, _)| *known == change) {
                Some((_, names)) if names.contains(&entry.name.as_str()) => {}
                Some((_, names)) => names.push(&entry.name),
                None => changes.push((change, vec![&entry.name])),
            }
        }
    }
    changes
}

/// Formats the result of [`possible_changes`] as lines, each with its sign.
pub(super) fn possible_lines(report: &DiffReport) -> Vec<(char, String)> {
    let mut lines = Vec::new();
    for (PossibleChange { key, before, after }, names) in possible_changes(report) {
        lines.push(('~', format!("{} of {}", visible(key), visible(&shortened(&names)))));
        let line = |sign: char, value: &String| (sign, format!("    {}", truncated(&visible(value))));
        lines.extend(before.iter().map(|value| line('-', value)));
        lines.extend(after.iter().map(|value| line('+', value)));
    }
    lines
}

/// Joins names; at most [`MAX_NAMED`] are listed.
pub(super) fn shortened(names: &[&str]) -> String {
    let listed = names[..names.len().min(MAX_NAMED)].join(", ");
    match names.len().saturating_sub(MAX_NAMED) {
        0 => listed,
        more => format!("{listed} and {more} more"),
    }
}

/// Groups equal differences.
pub(super) fn groups(report: &DiffReport) -> Vec<DifferenceGroup<'_>> {
    let mut by_entry: Vec<EntryDifferences<'_>> = Vec::new();
    for (PlacedComparison { entry, platform, .. }, difference) in report.differences() {
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
            let Some(group) = groups.iter_mut().find(|it| it.difference == difference) else {
                groups.push(DifferenceGroup { subjects: vec![(vec![name], platforms)], difference });
                continue;
            };
            match group.subjects.iter_mut().find(|(_, known)| *known == platforms) {
                Some((names, _)) => names.push(name),
                None => group.subjects.push((vec![name], platforms)),
            }
        }
    }
    groups
}

/// Returns the lines of a difference: a sign (`+`, `-`, `~`, space) and the text after it.
pub(super) fn lines(difference: &Difference) -> Vec<(char, String)> {
    let one_line = |text: &str| visible(&codes::single_line(text).replace('\n', " ")).into_owned();
    match difference {
        Difference::New(count) => {
            vec![('+', format!("new, with {}", plural(*count, "resource", "resources")))]
        }
        Difference::Gone => vec![('-', "removed".to_owned())],
        Difference::FailsNow(message) => vec![('-', format!("fails now: {}", one_line(message)))],
        Difference::CompilesNow(message) => {
            vec![('+', format!("compiles now; failed before: {}", one_line(message)))]
        }
        Difference::FailsDifferently { before, after } => vec![
            ('-', format!("failed: {}", one_line(before))),
            ('+', format!("fails:  {}", one_line(after))),
        ],
        Difference::Resources(changes) => changes.iter().flat_map(change_lines).collect(),
    }
}

/// Returns the lines of a changed resource, as [`lines`] does.
pub(super) fn change_lines(change: &ResourceChange) -> Vec<(char, String)> {
    let sign = match change.kind {
        ChangeKind::Added => '+',
        ChangeKind::Removed => '-',
        ChangeKind::Changed => '~',
    };
    let mut lines = vec![(sign, visible(&change.reference).into_owned())];
    for ParameterChange { name, before, after, .. } in &change.parameters {
        match (before, after) {
            // Values that must not be shown are only known to differ.
            (Some(before), Some(after)) if before == after => {
                lines.push(('~', format!("    {name} => {} (changed)", truncated(before))));
            }
            _ => {
                let line = |sign: char, value: &String| {
                    (sign, format!("    {name} => {}", truncated(&visible(value))))
                };
                lines.extend(before.iter().map(|value| line('-', value)));
                lines.extend(after.iter().map(|value| line('+', value)));
            }
        }
    }
    lines
}

fn truncated(text: &str) -> String {
    if text.chars().count() > MAX_VALUE_LENGTH {
        text.chars().take(MAX_VALUE_LENGTH).chain(['…']).collect()
    } else {
        text.to_owned()
    }
}

/// Catalogs that share a reason.
type ReasonWithCatalogs = (String, Vec<String>);

/// Reasons in the order in which they were added.
#[derive(Default)]
struct Reasons {
    list: Vec<ReasonWithCatalogs>,
    positions: HashMap<String, usize>,
}

impl Reasons {
    fn add(&mut self, reason: String, catalog: String) {
        match self.positions.get(&reason) {
            Some(position) => self.list[*position].1.push(catalog),
            None => {
                self.positions.insert(reason.clone(), self.list.len());
                self.list.push((reason, vec![catalog]));
            }
        }
    }
}

/// Returns the reasons why entries were not compared, with those entries.
fn not_compared(report: &DiffReport) -> Vec<ReasonWithCatalogs> {
    let mut reasons = Reasons::default();
    for placed in &report.compared {
        let comparison = &placed.comparison;
        if let Some(message) = comparison.failure_of_both.as_ref() {
            let reason = format!("fails before and after: {}", message.replace('\n', " "));
            reasons.add(reason, placed.name());
        }
        for part in comparison.open.iter().filter(|_| comparison.is_skipped) {
            reasons.add(format!("open: {part}"), placed.name());
        }
    }
    for (entry, reason) in &report.not_compiled {
        reasons.add(format!("not compiled: {reason}"), entry.name.clone());
    }
    let mut reasons = reasons.list;
    reasons.extend(report.gaps.iter().map(|gap| (gap.clone(), Vec::new())));
    reasons
}

/// Formats the result of [`not_compared`] as lines.
fn not_compared_lines(report: &DiffReport) -> Vec<String> {
    let mut lines = Vec::new();
    for (reason, of) in not_compared(report) {
        lines.push(visible(&reason).into_owned());
        lines.extend(of.iter().take(MAX_NAMED).map(|it| format!("    {}", visible(it))));
        if of.len() > MAX_NAMED {
            lines.push(format!("    and {} more", of.len() - MAX_NAMED));
        }
    }
    lines
}

/// Describes the unknown parts of the compared catalogs: one line per cause, or per part if `is_verbose`.
fn partly_compared_lines(report: &DiffReport, is_verbose: bool) -> Vec<String> {
    let mut parts = Reasons::default();
    let mut missing: BTreeMap<&str, AbsentModule<'_>> = BTreeMap::new();
    for placed in report.compared.iter().filter(|it| !it.comparison.is_skipped) {
        for part in &placed.comparison.open {
            parts.add(part.clone(), placed.name());
        }
        for (reason, module) in &placed.comparison.missing_modules {
            missing.insert(reason, AbsentModule { name: &module.name, help: module.help });
        }
    }
    open_lines(&parts.list, |reason| missing.get(reason).copied(), is_verbose)
}

/// Parts of a report after the differences: a title, and its lines.
pub(super) fn open_sections(report: &DiffReport, is_verbose: bool) -> Vec<(&'static str, Vec<String>)> {
    let sections = [
        ("Compared in part", partly_compared_lines(report, is_verbose)),
        ("Not compared", not_compared_lines(report)),
    ];
    sections.into_iter().filter(|(_, lines)| !lines.is_empty()).collect()
}

/// Counts the catalogs by result. Each catalog is counted once, except for `partly_compared`.
pub(super) fn summary(report: &DiffReport) -> String {
    let count =
        |is: &dyn Fn(&Comparison) -> bool| report.compared.iter().filter(|it| is(&it.comparison)).count();
    let is_open = |it: &Comparison| !it.open.is_empty() || !it.possible.is_empty();
    let differs = |it: &Comparison| it.difference.is_some();
    let fails = |it: &Comparison| !differs(it) && it.failure_of_both.is_some();
    let skipped = count(&|it| it.is_skipped);
    let differing = count(&differs);
    let partly_compared = count(&|it| differs(it) && is_open(it));
    let failing = count(&fails);
    let open = count(&|it| !differs(it) && !fails(it) && !it.is_skipped && is_open(it));
    let unchanged = report.compared.len() - differing - failing - open - skipped;
    let all = plural(report.compared.len(), "catalog", "catalogs");
    let mut parts = vec![match differing {
        0 if open + skipped > 0 => format!("no known difference in {all}"),
        0 => format!("no difference in {all}"),
        1 => format!("1 of {all} differs"),
        count => format!("{count} of {all} differ"),
    }];
    if partly_compared > 0 {
        parts[0].push_str(&format!(" ({partly_compared} compared in part)"));
    }
    let mut add = |count: usize, one: &str, many: &str| {
        if count > 0 {
            parts.push(format!("{count} {}", if count == 1 { one } else { many }));
        }
    };
    add(failing, "fails before and after", "fail before and after");
    add(open, "is open", "are open");
    add(skipped, "is not compared", "are not compared");
    if unchanged < report.compared.len() {
        add(unchanged, "is unchanged", "are unchanged");
    }
    add(report.not_compiled.len(), "is not compiled", "are not compiled");
    add(report.gaps.len(), "limitation", "limitations");
    add(ignored(report), "ignored change", "ignored changes");
    parts.join("; ")
}

/// Counts the changed resources and parameters that rules ignore.
pub(super) fn ignored(report: &DiffReport) -> usize {
    report.compared.iter().map(|it| it.comparison.ignored).sum()
}

/// Returns text in a style, if the output is colored.
pub(super) fn painted(style: &str, text: &str, is_colored: bool) -> String {
    if is_colored { format!("\x1b[{style}m{text}\x1b[0m") } else { text.to_owned() }
}

/// Returns the line of a difference with its sign, which decides the color.
pub(super) fn painted_line(sign: char, line: &str, is_colored: bool) -> String {
    let style = match sign {
        '+' => "32",
        '-' => "31",
        _ => "33",
    };
    painted(style, &format!("{sign} {line}"), is_colored)
}

/// Renders a report as text.
pub(super) fn text(report: &DiffReport, is_colored: bool) -> String {
    let paint = |style: &str, text: &str| painted(style, text, is_colored);
    let mut out = String::new();
    for group in groups(report) {
        for (names, platforms) in &group.subjects {
            let names = paint("1", &visible(&names.join(", ")));
            let _ = writeln!(out, "{}", on_platform(&names, &visible(&platforms.join(", "))));
        }
        for (sign, line) in lines(group.difference) {
            let _ = writeln!(out, "  {}", painted_line(sign, &line, is_colored));
        }
        out.push('\n');
    }
    let possible = possible_lines(report);
    if !possible.is_empty() {
        let _ =
            writeln!(out, "{}", paint("33", "Possible changes, unless the data of a node takes precedence:"));
        for (sign, line) in possible {
            let _ = writeln!(out, "  {sign} {line}");
        }
        out.push('\n');
    }
    for (title, lines) in open_sections(report, verbose::is_enabled()) {
        let _ = writeln!(out, "{}", paint("33", &format!("{title}:")));
        lines.iter().for_each(|line| out.push_str(&format!("{line}\n")));
        out.push('\n');
    }
    let _ = writeln!(out, "{}", paint("1", &summary(report)));
    out
}

/// Renders a report as JSON: differences, and what could not be compared.
pub(super) fn json(report: &DiffReport) -> Vec<Json> {
    let kind = |entry: &CompiledEntry| if entry.is_class { "class" } else { "node" };
    let mut shown: Vec<Json> = Vec::new();
    for PlacedComparison { entry, platform, comparison, .. } in &report.compared {
        let mut one = json!({ "version": VERSION, kind(entry): entry.name, "platform": platform });
        if platform.is_empty() {
            one["platform"] = Json::Null;
        }
        match (&comparison.difference, &comparison.failure_of_both) {
            (Some(difference), _) => json_difference(&mut one, difference),
            (None, Some(message)) => {
                one["change"] = json!("fails-before-and-after");
                one["error"] = json!(message);
            }
            (None, None) if !comparison.has_remarks() => continue,
            (None, None) => one["change"] = json!("none"),
        }
        if !comparison.open.is_empty() {
            one["open"] = json!(comparison.open);
        }
        if !comparison.possible.is_empty() {
            one["possible"] = comparison.possible.iter().map(json_possible).collect();
        }
        if comparison.ignored > 0 {
            one["ignored"] = json!(comparison.ignored);
        }
        shown.push(one);
    }
    for (entry, reason) in &report.not_compiled {
        let change = "not-compiled";
        shown
            .push(json!({ "version": VERSION, kind(entry): entry.name, "change": change, "open": [reason] }));
    }
    let gap = |gap: &String| json!({ "version": VERSION, "change": "not-known", "open": [gap] });
    shown.extend(report.gaps.iter().map(gap));
    shown
}

/// Renders a possible change as JSON.
pub(super) fn json_possible(change: &PossibleChange) -> Json {
    json!({ "key": change.key, "before": change.before, "after": change.after })
}

/// Adds a difference to a JSON object.
pub(super) fn json_difference(shown: &mut Json, difference: &Difference) {
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
            shown["resources"] = json!(changes);
        }
    }
}
