//! Our messages for programs with a mistake, next to Puppet's: `messages.md`, whose `=!` lines are
//! recorded by `messages.rb`.

use conformance::messages::{RecordedMessage, is_outcome, our_lines, recorded};

const TABLE: &str = include_str!("../messages.md");
const FENCE: &str = "```message ";
const FACTS: &str = include_str!("../catalogs/facts.json");

/// Splits the path, line, and column after the mark of a line; `-` is unknown.
fn place(line: &str) -> (&str, &str, &str) {
    let place = line.get(3..).and_then(|rest| rest.split(' ').next()).unwrap_or_default();
    let mut parts = place.split(':');
    let mut part = || parts.next().unwrap_or("-");
    (part(), part(), part())
}

/// Returns true if one of our lines names the line that Puppet names, or a better one.
fn reports_the_line(puppet: &str, ours: &[&String]) -> bool {
    let (path, line, _) = place(puppet);
    let is_told = |it: &&String| !it.ends_with(" nothing");
    ours.iter().copied().filter(is_told).any(|it| {
        let (our_path, our_line, _) = place(it);
        path == "-" || path == our_path && (line == "-" || line == our_line)
    })
}

/// Returns the reason why the recorded lines do not show that our message is as good as Puppet's.
fn find_complaint(program: &RecordedMessage) -> Option<&'static str> {
    let with = |mark: &'static str| program.outcomes.iter().filter(move |it| it.starts_with(mark));
    let Some(puppet) = with("=! ").next() else { return Some("no line of Puppet; run: ruby messages.rb") };
    let (ours, why): (Vec<&String>, _) = (with("=> ").chain(with("=? ")).collect(), with("=~ ").next());
    if why.is_some() {
        return None;
    }
    if with("=> ").all(|it| it.ends_with(" nothing")) {
        return Some("`compile` reports nothing; explain in a `=~` line why that is as good");
    }
    (!reports_the_line(puppet, &ours))
        .then_some("Puppet reports another line; explain in a `=~` line why ours is as good")
}

#[test]
fn messages_are_as_good_as_puppets() {
    let programs = recorded(TABLE, FENCE);
    assert!(programs.len() >= 100, "only {} programs", programs.len());
    let complaints: Vec<String> = programs
        .iter()
        .filter_map(|program| {
            Some(format!("{}: {}\n{}", program.name, find_complaint(program)?, program.outcomes.join("\n")))
        })
        .collect();
    assert!(complaints.is_empty(), "{}\n{} complaints", complaints.join("\n\n"), complaints.len());
}

#[test]
fn messages_match_table() {
    compare_with_table(TABLE, FENCE, "messages.md", our_lines);
}

/// Asserts that our lines match the table. On a mismatch, writes the updated table to a temporary
/// file with this name.
pub(crate) fn compare_with_table(
    table: &str,
    fence: &str,
    name: &str,
    ask: fn(&RecordedMessage, &serde_json::Value) -> Vec<String>,
) {
    let facts = serde_json::from_str(FACTS).expect("JSON");
    let mut programs = recorded(table, fence).into_iter();
    let (mut now, mut differences) = (String::new(), Vec::new());
    let mut is_inside = false;
    for line in table.lines() {
        if line.starts_with(fence) {
            is_inside = true;
        } else if is_inside && line == "```" {
            is_inside = false;
            let program = programs.next().expect("one program per fence");
            let ours = ask(&program, &facts);
            let is_ours = |it: &&String| it.starts_with("=> ") || it.starts_with("=? ");
            let (recorded, others): (Vec<&String>, Vec<&String>) = program.outcomes.iter().partition(is_ours);
            if recorded != ours.iter().collect::<Vec<_>>() {
                differences.push(format!("{}:\n{}", program.name, ours.join("\n")));
            }
            let (why, puppet): (Vec<&String>, Vec<&String>) =
                others.into_iter().partition(|it| it.starts_with("=~ "));
            for line in puppet.into_iter().chain(&ours).chain(why) {
                now.push_str(line);
                now.push('\n');
            }
        } else if is_inside && is_outcome(line) {
            continue;
        }
        now.push_str(line);
        now.push('\n');
    }
    if !differences.is_empty() {
        let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::write(&path, now).expect("the temporary file is writable");
        let count = differences.len();
        panic!("{}\n{count} differ; the whole table is in {}", differences.join("\n\n"), path.display());
    }
}
