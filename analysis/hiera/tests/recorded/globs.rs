use hiera::glob::matching;

use crate::recorded;

/// Matches of Ruby's `Dir.glob`, recorded by `tests/conformance/globs.rb`.
#[test]
fn globs_match_like_ruby() {
    let table = recorded("globs.tsv");
    let mut rows = table.lines().map(|line| line.split_once('\t').unwrap_or((line, "")));
    let files: Vec<&str> = rows.next().map(|(_, files)| files.split(' ').collect()).unwrap_or_default();
    let mut differing = Vec::new();
    for (pattern, is) in rows {
        let ours = matching(pattern, files.iter().copied()).join(" ");
        if ours != is {
            differing.push(format!("{pattern}\n    Ruby {is}\n    ours {ours}"));
        }
    }
    assert!(differing.is_empty(), "{} differ\n{}", differing.len(), differing.join("\n"));
}
