//! Form of the messages: every code has one, and all of them follow the style guide (`docs/style.md`).
//!
//! The block `messages` of each rule's cases lists the messages that the examples of its page produce. The recorded
//! tables of `tests/conformance` add those of whole programs.

use check::rule_table;
use codes::{Code, split_message};
use fixture::rule_cases::RuleCases;

use super::rules::{OUT_OF_REACH, SHOWN_ELSEWHERE, messages_of_examples};

/// Openings with a capital letter: names, and sentences that Puppet itself prints.
const CAPITALS: &[&str] = &[
    "Could not ",
    "Duplicate declaration: ",
    "EPP",
    "ERB",
    "Evaluation Error",
    "Facter",
    "Hiera",
    "Puppet",
    "Ruby",
    "Unknown variable: ",
    "Unicode",
    "YAML",
    "JSON",
    "Bolt",
];

/// Words that address the reader or talk about the tool.
const OUT_OF_PLACE: &[&str] = &["you", "your", "please", "puppet-analyzer", "sorry", "oops"];

/// Returns the violations of the style guide in one line of a message.
fn violations(line: &str, is_help: bool) -> Vec<&'static str> {
    let mut found = Vec::new();
    let starts_upper = line.starts_with(|it: char| it.is_uppercase());
    if starts_upper && !CAPITALS.iter().any(|it| line.starts_with(it)) && !is_name(line) {
        found.push("starts with a capital letter");
    }
    if line.trim() != line || line.is_empty() {
        found.push("is empty or has surrounding whitespace");
    }
    if line.ends_with('.') && !line.ends_with("...") {
        found.push("ends with a period");
    }
    if line.matches('`').count() % 2 == 1 {
        found.push("has an unpaired backtick");
    }
    let line = if is_help { line.trim_start_matches("did you mean ") } else { line };
    let prose: String = line.split('`').step_by(2).collect::<Vec<_>>().join(" ").to_lowercase();
    let mut words = prose.split(|it: char| !it.is_alphanumeric() && it != '-');
    if words.any(|it| OUT_OF_PLACE.contains(&it)) {
        found.push("addresses the reader or explains the tool");
    }
    if !is_help && line.contains("did you mean") {
        found.push("has a suggestion outside of its help");
    }
    found
}

/// Returns true if the line opens with a name in capitals, such as `Class[a]` or `Integer`.
fn is_name(line: &str) -> bool {
    let word: String = line.chars().take_while(|it| !it.is_whitespace()).collect();
    word.contains('[') || word.contains("::") || word.chars().skip(1).any(char::is_uppercase)
}

fn check(message: &str) -> Vec<&'static str> {
    let (problem, help) = split_message(message);
    let mut found = violations(problem, false);
    if problem.contains('\n') {
        found.push("has several lines that are no help");
    }
    found.extend(help.into_iter().flat_map(|it| violations(it, true)));
    found
}

#[test]
fn every_code_has_a_message_in_the_form_of_the_style_guide() {
    let mut wrong = Vec::new();
    for rule in rule_table() {
        let is_elsewhere = |it: &[Code]| it.contains(&rule.code);
        if is_elsewhere(OUT_OF_REACH) || is_elsewhere(SHOWN_ELSEWHERE) || rule.code == Code::UnloadableFile {
            continue;
        }
        let messages = messages_of_examples(rule);
        let recorded: String = messages.iter().map(|it| format!("{}\n", it.replace('\n', " | "))).collect();
        wrong.extend(RuleCases::beside(rule.page).compare("messages", &recorded));
        if messages.is_empty() {
            wrong.push(format!("{}: no message", rule.code));
        }
        for message in messages {
            // Overloads of a function, and messages of stdlib's own `validate_*` functions.
            let is_puppets = [Code::ArgumentMismatch, Code::ValidationFailed].contains(&rule.code);
            let found = if is_puppets { Vec::new() } else { check(&message) };
            wrong.extend(found.into_iter().map(|it| format!("{}: {it}: {message}", rule.code)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn recorded_messages_have_the_form_of_the_style_guide() {
    let tables = [
        include_str!("../../../tests/conformance/messages.md"),
        include_str!("../../../tests/conformance/warnings.md"),
    ];
    let ours = tables.iter().flat_map(|it| it.lines()).filter_map(|it| it.strip_prefix("=? "));
    let (mut count, mut wrong) = (0, Vec::new());
    for line in ours {
        let Some((_, message)) = line.split_once(' ').and_then(|(_, rest)| rest.split_once(": ")) else {
            continue;
        };
        count += 1;
        let message = message.replace(" | help: ", "\nhelp: ");
        wrong.extend(check(&message).into_iter().map(|it| format!("{it}: {message}")));
    }
    assert!(count > 100, "{count} messages");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
