//! Every keyword and reserved word in every position: `words.md`. README.md describes its grammar.

use fixture::case_file::read_raw_cases;
use fixture::cases::{RecordedCase, case_of};

/// Expands `words.md` into cases: each position with each word.
pub fn read_words(text: &str) -> Vec<RecordedCase> {
    let words: Vec<&str> = text
        .lines()
        .skip_while(|line| *line != "```word-list")
        .skip(1)
        .take_while(|line| *line != "```")
        .flat_map(str::split_whitespace)
        .collect();
    let mut cases = Vec::new();
    for raw in read_raw_cases("words.md", text, "words", &["=>", "=!", "=?", "=m", "=p", "=b"]) {
        for is_plan in [false, true] {
            let own_mark = if is_plan { "=p" } else { "=m" };
            let groups = groups(&raw.outcomes, own_mark);
            if groups.is_empty() {
                continue; // templates are asked once
            }
            let named: Vec<&str> = groups.iter().flat_map(|(_, words)| words.iter().copied()).collect();
            for (outcomes, of) in &groups {
                for word in &words {
                    if !of.contains(word) && (!of.contains(&"...") || named.contains(word)) {
                        continue;
                    }
                    let options = raw.words.iter().copied().chain(is_plan.then_some("tasks"));
                    let outcomes = outcomes.iter().map(|(mark, rest)| (*mark, with_word(rest, word)));
                    cases.push(case_of(
                        &raw.place,
                        &with_word(&raw.source, word),
                        options.map(str::to_owned).collect(),
                        outcomes,
                    ));
                }
            }
        }
    }
    cases
}

/// Outcomes of a position with the words that have them.
type Group<'a> = (Vec<(&'a str, &'a str)>, Vec<&'a str>);

/// Collects the outcomes for one of the modes.
fn groups<'a>(lines: &[(&'a str, &'a str)], own_mark: &str) -> Vec<Group<'a>> {
    let mut groups = Vec::new();
    let mut outcomes: Vec<(&str, &str)> = Vec::new();
    let mut is_complete = false;
    for &(mark, rest) in lines {
        if !matches!(mark, "=m" | "=p" | "=b") {
            if std::mem::take(&mut is_complete) {
                outcomes.clear();
            }
            outcomes.push((mark, rest));
            continue;
        }
        is_complete = true;
        if mark == own_mark || mark == "=b" {
            groups.push((outcomes.clone(), rest.split_whitespace().collect()));
        }
    }
    groups
}

fn with_word(text: &str, word: &str) -> String {
    let capitalized: String =
        word.chars().take(1).flat_map(char::to_uppercase).chain(word.chars().skip(1)).collect();
    text.replace("<word>", word).replace("<Word>", &capitalized)
}

#[cfg(test)]
#[path = "words_tests.rs"]
mod tests;
