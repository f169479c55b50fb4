//! The documentation of the rules: its form, and whether its examples are what it says.

use check::{Rule, Tier, diagnostics, rule_table};
use fixture::Fixture;
use project::testing::TestWorkspace;

/// The codes of everything found in the files of a fixture, whatever its level.
fn codes(fixture: &str) -> Vec<&'static str> {
    let workspace = TestWorkspace::new(fixture);
    let mut codes = Vec::new();
    for file in Fixture::parse(fixture).files {
        if ![".pp", ".epp", ".erb"].iter().any(|end| file.path.ends_with(end)) {
            continue;
        }
        for tier in Tier::ALL {
            let found = diagnostics(&workspace.db, workspace.file(&file.path), tier);
            codes.extend(found.iter().map(|it| it.code));
        }
    }
    codes
}

/// The text below a heading, up to the next one.
fn section<'a>(rule: &'a Rule, heading: &str) -> &'a str {
    let start = format!("\n## {heading}\n");
    let Some((_, rest)) = rule.documentation.split_once(&start) else {
        panic!("the documentation of {} has no part `## {heading}`", rule.code);
    };
    rest.split("\n## ").next().unwrap_or_default()
}

/// The examples below a heading.
fn examples<'a>(rule: &'a Rule, heading: &str) -> Vec<&'a str> {
    let blocks = section(rule, heading).split("```puppet\n").skip(1);
    let examples: Vec<&str> = blocks.filter_map(|block| Some(block.split_once("```")?.0)).collect();
    assert!(!examples.is_empty(), "the documentation of {} has no example below {heading}", rule.code);
    examples
}

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
    let documented: Vec<&Rule> = rule_table().iter().filter(|rule| rule.page.is_some()).collect();
    assert!(!documented.is_empty());
    for rule in documented {
        assert!(!section(rule, "Why").trim().is_empty(), "{} does not say why", rule.code);
        assert!(!section(rule, "Fix").trim().is_empty(), "{} does not say what to do", rule.code);
        assert!(rule.title().ends_with('.'), "the first line about {} is a sentence", rule.code);
        for example in examples(rule, "Bad") {
            let found = codes(&workspace(rule, example));
            assert!(found.contains(&rule.code), "not found by {}: {found:?}\n{example}", rule.code);
        }
        for example in examples(rule, "Good") {
            let found = codes(&workspace(rule, example));
            assert!(!found.contains(&rule.code), "found by {}:\n{example}", rule.code);
        }
    }
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
