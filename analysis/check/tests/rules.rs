//! The documentation of the rules: its form, and whether its examples are what it says.

use check::{Rule, Tier, diagnostics, rule_table};
use fixture::Fixture;
use project::testing::TestWorkspace;

/// The codes of everything found in the files of a fixture, whatever its level.
fn codes(fixture: &str) -> Vec<&'static str> {
    let workspace = TestWorkspace::new(fixture);
    let mut codes = Vec::new();
    for file in Fixture::parse(fixture).files {
        let is_looked_at = |end: &&str| file.path.ends_with(*end);
        if ![".pp", ".epp", ".erb", ".yaml", ".json", "/Puppetfile"].iter().any(is_looked_at) {
            continue;
        }
        for tier in Tier::ALL {
            let found = diagnostics(&workspace.db, workspace.file(&file.path), tier);
            codes.extend(found.iter().map(|it| it.code));
        }
    }
    codes
}

/// The text below a heading, up to the next one; `None` where there is no such heading.
fn section<'a>(rule: &'a Rule, heading: &str) -> Option<&'a str> {
    let (_, rest) = rule.documentation.split_once(&format!("\n## {heading}\n"))?;
    rest.split("\n## ").next()
}

/// The examples below a heading, in whatever language.
fn examples<'a>(rule: &'a Rule, heading: &str) -> Vec<&'a str> {
    let mut fences = section(rule, heading).unwrap_or_default().split("```").skip(1);
    let mut found = Vec::new();
    while let Some(fence) = fences.next() {
        found.push(fence.split_once('\n').map_or("", |(_language, text)| text));
        fences.next();
    }
    found
}

/// What no page can show: bytes, hundreds of brackets, a file without a line break at its end; and what no text leads to.
const WITHOUT_EXAMPLES: usize = 31;

/// Is the code one that only compiles of a whole node or the server's settings show?
fn is_shown_elsewhere(rule: &Rule) -> bool {
    let text = rule.documentation;
    text.contains("shows this code")
        || text.contains("show this code")
        || SHOWN_ELSEWHERE.contains(&rule.code)
}

const SHOWN_ELSEWHERE: &[&str] = &["deliberate-failure", "invalid-setting", "unknown-setting"];

/// The settings under which the examples of a rule hold: those of its first example, and the rule on.
fn workspace(rule: &Rule, example: &str) -> String {
    if example.starts_with("//- environment:") {
        return example.to_owned();
    }
    let level = if rule.level == project::LintLevel::Off {
        format!(" lint={}:warning", rule.code)
    } else {
        String::new()
    };
    let files =
        if example.starts_with("//-") { example.to_owned() } else { format!("//- /main.pp\n{example}") };
    format!("//- environment: roots=/ module_path=/modules{level}\n{files}")
}

#[test]
fn examples_are_what_the_documentation_says() {
    let mut problems = Vec::new();
    let mut without_examples = Vec::new();
    for rule in rule_table() {
        let has_text = |heading| section(rule, heading).is_some_and(|it| !it.trim().is_empty());
        if !has_text("Why") || !has_text("Fix") || !rule.title().ends_with('.') {
            problems.push(format!("{}: a sentence, why, and what to do", rule.code));
        }
        let bad = examples(rule, "Bad");
        if bad.is_empty() {
            without_examples.push(rule.code);
            continue;
        }
        if is_shown_elsewhere(rule) {
            continue;
        }
        for example in bad {
            let found = codes(&workspace(rule, example));
            if !found.contains(&rule.code) {
                problems.push(format!("not found by {}: {found:?}\n{example}", rule.code));
            }
        }
        for example in examples(rule, "Good") {
            if codes(&workspace(rule, example)).contains(&rule.code) {
                problems.push(format!("found by {}:\n{example}", rule.code));
            }
        }
    }
    assert!(problems.is_empty(), "{}", problems.join("\n\n"));
    assert_eq!(without_examples.len(), WITHOUT_EXAMPLES, "{without_examples:?}");
}

#[test]
fn codes_are_names_of_their_own() {
    let mut names: Vec<&str> = rule_table().iter().map(|rule| rule.code).collect();
    let is_kebab =
        |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    assert!(names.iter().all(is_kebab), "{names:?}");
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "a code stands twice in the table");
}
