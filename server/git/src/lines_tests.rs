use super::changed_runs;

/// Applies the ranges to the old lines.
fn patched(old: &[&str], new: &[&str]) -> Vec<String> {
    let (mut out, mut at) = (Vec::new(), 0);
    for (removed, inserted) in changed_runs(old, new) {
        out.extend(old[at..removed.start].iter().map(|it| (*it).to_owned()));
        out.extend(new[inserted].iter().map(|it| (*it).to_owned()));
        at = removed.end;
    }
    out.extend(old[at..].iter().map(|it| (*it).to_owned()));
    out
}

#[test]
fn ranges_transform_old_lines_into_new_ones() {
    let lists: Vec<Vec<&str>> =
        ["", "a", "b", "a b", "a b c d e", "x a b d e y", "c b a", "a a a b", "b a a", "e d c b a"]
            .map(|it| it.split_whitespace().collect())
            .to_vec();
    for old in &lists {
        for new in &lists {
            assert_eq!(patched(old, new), *new, "{old:?}");
        }
    }
    assert_eq!(changed_runs(&["a", "b", "c"], &["a", "x", "c", "y"]), [(1..2, 1..2), (3..3, 3..4)]);
    let many: Vec<String> = (0..5_000).map(|it| it.to_string()).collect();
    let many: Vec<&str> = many.iter().map(String::as_str).collect();
    let reversed: Vec<&str> = many.iter().rev().copied().collect();
    assert_eq!(patched(&many, &reversed), reversed);
}
