//! Definition of survival after a mistake.

use layouts::survival::{Healthy, Mistake};
use syntax::Language;

/// Source, wrong token (and its index among equal tokens), kind of mistake, number of features
/// outside the mistake, and number of those that changed.
const MISTAKES: &[(&str, &str, Mistake, usize, usize)] = &[
    ("class a { include b }\nclass c ($d) { }", "b", Mistake::Deleted, 2, 0),
    ("class a { include b }\nclass c ($d) { }", "include", Mistake::Doubled, 2, 0),
    ("$a = 1\n$b = 2\n$c = 3", "2", Mistake::Deleted, 2, 0),
    ("$a = 1\nnotice 'b'\n$c = 3", "1", Mistake::Swapped, 1, 0),
];

fn check(text: &str, token: &str, mistake: Mistake, expected: usize, lost: usize) -> Option<String> {
    let healthy = Healthy::new(text.to_owned(), Language::Manifest).expect("no errors");
    let at = healthy
        .tokens
        .iter()
        .position(|(_, range)| &text[range.as_range()] == token)
        .expect("the token exists");
    let survival = healthy.survive(mistake, at);
    let found = (survival.expected, survival.gone.len() + survival.changed.len());
    let what = mistake.name();
    (found != (expected, lost)).then(|| format!("{text:?}, {token} {what}: {found:?}, {:?}", survival.errors))
}

#[test]
fn survival_after_a_mistake() {
    let wrong: Vec<String> = MISTAKES
        .iter()
        .filter_map(|(text, token, mistake, expected, lost)| check(text, token, *mistake, *expected, *lost))
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
