//! Edits as a unified diff.

use format::FormatEdit;
use syntax::LineMap;

use crate::lines::changed_runs;

/// Number of context lines before and after a change.
const CONTEXT: usize = 3;

/// Range of lines and the lines that replace it.
struct ChangedLines {
    /// Range of the replaced lines.
    old: std::ops::Range<usize>,
    new: Vec<String>,
}

/// Returns the ranges of the lines that edits replace, counted from 0.
pub fn changed_ranges(text: &str, edits: &[FormatEdit]) -> Vec<std::ops::Range<usize>> {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    changed_lines(text, &lines, edits).into_iter().map(|it| it.old).collect()
}

/// Returns the differences between two texts as a unified diff.
pub fn diff_of_texts(name: &str, old: &str, new: &str) -> String {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut starts = vec![0_u32];
    for line in &old_lines {
        starts.push(starts.last().copied().unwrap_or_default() + line.len() as u32);
    }
    let edits = changed_runs(&old_lines, &new_lines).into_iter().map(|(removed, inserted)| FormatEdit {
        start: starts[removed.start],
        end: starts[removed.end],
        text: new_lines[inserted].concat(),
    });
    diff(name, old, &edits.collect::<Vec<_>>())
}

/// Returns the edits of a text as a unified diff.
pub fn diff(name: &str, text: &str, edits: &[FormatEdit]) -> String {
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let changes = changed_lines(text, &lines, edits);
    let mut out = format!("--- {name}\n+++ {name}\n");
    let mut at = 0;
    let mut moved = 0_isize;
    while at < changes.len() {
        let mut end = at + 1;
        while end < changes.len() && changes[end].old.start <= changes[end - 1].old.end + 2 * CONTEXT {
            end += 1;
        }
        moved = hunk(&mut out, &lines, &changes[at..end], moved);
        at = end;
    }
    out
}

/// Returns the lines touched by the edits, without unchanged lines at either end.
fn changed_lines(text: &str, lines: &[&str], edits: &[FormatEdit]) -> Vec<ChangedLines> {
    let map = LineMap::new(text);
    let mut changes = Vec::new();
    let mut at = 0;
    while at < edits.len() {
        let first = map.line(edits[at].start);
        let mut last = map.line(edits[at].end);
        let mut end = at + 1;
        while end < edits.len() && map.line(edits[end].start) <= last {
            last = last.max(map.line(edits[end].end));
            end += 1;
        }
        let start = map.line_start(first);
        let stop = lines[..(last as usize + 1).min(lines.len())].iter().map(|it| it.len()).sum::<usize>();
        let within = edits[at..end].iter().map(|it| FormatEdit {
            start: it.start - start,
            end: it.end - start,
            text: it.text.clone(),
        });
        let old = &text[start as usize..stop];
        let new = format::apply(old, &within.collect::<Vec<_>>());
        let new: Vec<&str> = new.split_inclusive('\n').collect();
        let old: Vec<&str> = old.split_inclusive('\n').collect();
        let (front, back) = syntax::common_ends(&old, &new);
        let first = first as usize;
        changes.push(ChangedLines {
            old: first + front..first + old.len() - back,
            new: new[front..new.len() - back].iter().map(|it| (*it).to_owned()).collect(),
        });
        at = end;
    }
    changes
}

/// Writes a hunk of nearby changes. Returns the line offset for the following hunks.
fn hunk(out: &mut String, lines: &[&str], changes: &[ChangedLines], moved: isize) -> isize {
    let (Some(first), Some(last)) = (changes.first(), changes.last()) else { return moved };
    let start = first.old.start.saturating_sub(CONTEXT);
    let end = (last.old.end + CONTEXT).min(lines.len());
    let grown: isize = changes.iter().map(|it| it.new.len() as isize - it.old.len() as isize).sum();
    let (old_count, new_count) = (end - start, (end - start) as isize + grown);
    let header =
        |start: isize, count: isize| format!("{},{count}", if count == 0 { start } else { start + 1 });
    let old_header = header(start as isize, old_count as isize);
    let new_header = header(start as isize + moved, new_count);
    out.push_str(&format!("@@ -{old_header} +{new_header} @@\n"));
    let mut at = start;
    for change in changes {
        lines[at..change.old.start].iter().for_each(|it| line(out, ' ', it));
        lines[change.old.clone()].iter().for_each(|it| line(out, '-', it));
        change.new.iter().for_each(|it| line(out, '+', it));
        at = change.old.end;
    }
    lines[at..end].iter().for_each(|it| line(out, ' ', it));
    moved + grown
}

fn line(out: &mut String, mark: char, text: &str) {
    out.push(mark);
    out.push_str(&output::visible_text(text));
    if !text.ends_with('\n') {
        out.push_str("\n\\ No newline at end of file\n");
    }
}
