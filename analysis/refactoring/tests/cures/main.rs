//! Every message that states its cure has a quick fix, or a reason why it has none.
//!
//! The messages are those of the examples on the pages of the rules, and of the blocks `advice` of their cases. A fix
//! is applied, and must remove the diagnostic without a new one. The block `fixes` lists the messages of a rule with a
//! fix; `without-fix` lists the others. All advice in the sources must occur, except for `NOT_IN_EDITORS`.

mod advice;
mod not_in_editors;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use check::{Diagnostic, Rule, Tier, rule_table};
use codes::Code;
use fixture::Fixture;
use fixture::rule_cases::{RuleCases, examples, workspace_of as workspace_of_example};
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState};
use project::{File, LintLevel};
use refactoring::{CodeAction, CodeActionKind, code_actions};

use advice::advice_sites;
use not_in_editors::NOT_IN_EDITORS;

/// Codes reported once for several statements, each of which has a fix.
const REPORTED_ONCE: &[Code] = &[Code::IdemExpressionNotLast];

#[test]
fn messages_with_advice_have_fixes() {
    let mut fixes: BTreeMap<(Code, String), BTreeSet<String>> = BTreeMap::new();
    let mut without: BTreeSet<(Code, String)> = BTreeSet::new();
    let mut failures = String::new();
    for fixture in fixtures() {
        let mut workspace = workspace_of(&fixture);
        for file in files(&workspace, &fixture) {
            for diagnostic in diagnostics(&workspace, file).iter().filter(|it| has_help(it)) {
                let message = (diagnostic.code, generalized(&diagnostic.message));
                let Some(action) = fix(&workspace, file, diagnostic) else {
                    without.insert(message);
                    continue;
                };
                let title = generalized(&action.title);
                let preferred = if action.is_preferred { " (preferred)" } else { "" };
                fixes.entry(message).or_default().insert(format!("{title}{preferred}"));
                if let Err(problem) = check_fix(&mut workspace, file, diagnostic, &action) {
                    let _ = writeln!(failures, "{}: {}: {problem}\n{fixture}", diagnostic.code, action.title);
                }
            }
        }
    }
    for rule in rule_table() {
        failures.push_str(&unrecorded(rule, &fixes, &without));
    }
    let produced: BTreeSet<String> =
        fixes.keys().chain(&without).map(|(_, message)| message.clone()).collect();
    failures.push_str(&advice_without_fixture(&produced));
    assert!(failures.is_empty(), "{failures}");
}

/// Returns a line for each message of a rule whose fix, or lack of one, its cases do not state.
fn unrecorded(
    rule: &Rule,
    fixes: &BTreeMap<(Code, String), BTreeSet<String>>,
    without: &BTreeSet<(Code, String)>,
) -> String {
    let cases = RuleCases::beside(rule.page);
    let reasons = cases.block("without-fix").unwrap_or_default();
    let known: BTreeSet<&str> = reasons.lines().filter_map(|it| Some(it.split_once(" => ")?.0)).collect();
    let found: BTreeSet<&str> =
        without.iter().filter(|(code, _)| *code == rule.code).map(|(_, message)| message.as_str()).collect();
    let mut failures = String::new();
    for message in found.difference(&known) {
        let _ = writeln!(failures, "no fix: {}: {message}", rule.code);
    }
    for message in known.difference(&found) {
        let _ = writeln!(failures, "no message of `{}` lacks a fix: {message}", rule.code);
    }
    let of_rule = fixes.iter().filter(|((code, _), _)| *code == rule.code);
    let line = |((_, message), titles): (&(Code, String), &BTreeSet<String>)| {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        format!("{message} => {}\n", titles.join(" | "))
    };
    failures.extend(cases.compare("fixes", &of_rule.map(line).collect::<String>()));
    failures
}

/// Returns a line for each advice in the sources that no fixture produces, and for each outdated row of
/// `NOT_IN_EDITORS`.
fn advice_without_fixture(produced: &BTreeSet<String>) -> String {
    let sites = advice_sites();
    let mut failures = String::new();
    for site in &sites {
        let is_produced = produced.iter().any(|it| site.creates(it));
        match NOT_IN_EDITORS.iter().find(|(known, _)| *known == site.template) {
            None if !is_produced => {
                let _ = writeln!(failures, "no fixture: {}: {}", site.path, site.template);
            }
            Some(_) if is_produced => {
                let _ = writeln!(failures, "a fixture produces this: {}", site.template);
            }
            _ => {}
        }
    }
    for (known, _) in NOT_IN_EDITORS.iter().filter(|(known, _)| sites.iter().all(|it| it.template != *known))
    {
        let _ = writeln!(failures, "no message has this advice: {known}");
    }
    failures
}

/// Returns a message with `_` instead of each quoted text and number.
fn generalized(message: &str) -> String {
    let mut general = String::new();
    for (at, part) in message.replace('\n', " / ").split('`').enumerate() {
        match at % 2 {
            0 => general.push_str(&without_numbers(part)),
            _ => general.push_str("`_`"),
        }
    }
    general
}

/// Returns a text with `_` instead of each number.
fn without_numbers(text: &str) -> String {
    let is_digit = |it: char| it.is_ascii_digit();
    let mut general = String::new();
    for word in text.split_inclusive(|it: char| !is_digit(it)) {
        let end = word.trim_start_matches(is_digit);
        general.push_str(if end.len() < word.len() { "_" } else { "" });
        general.push_str(end);
    }
    general
}

fn has_help(diagnostic: &Diagnostic) -> bool {
    !codes::split_message(&diagnostic.message).1.is_empty()
}

fn diagnostics(workspace: &TestWorkspace, file: File) -> Vec<Diagnostic> {
    let tiers = Tier::LIVE.into_iter();
    tiers.flat_map(|tier| check::diagnostics(&workspace.db, file, tier)).collect()
}

/// Returns the first fix of a diagnostic, other than hiding it.
fn fix(workspace: &TestWorkspace, file: File, diagnostic: &Diagnostic) -> Option<CodeAction> {
    let is_fix = |it: &CodeAction| {
        it.kind == CodeActionKind::QuickFix
            && it.diagnostic == Some((diagnostic.code, diagnostic.range))
            && !it.is_for_workspace
            && !it.title.starts_with("Ignore")
    };
    code_actions(&workspace.db, file, diagnostic.range).into_iter().find(is_fix)
}

/// Applies a fix, checks the file again, and restores it.
fn check_fix(
    workspace: &mut TestWorkspace,
    file: File,
    diagnostic: &Diagnostic,
    action: &CodeAction,
) -> Result<(), String> {
    let before = diagnostics(workspace, file);
    let mut restored = ChangeBatch::default();
    let mut batch = ChangeBatch::default();
    for (file, edits) in &action.change.edits {
        let path = file.0.path(&workspace.db).clone();
        let Some(original) = project::text(&workspace.db, file.0) else { return Err("no text".to_owned()) };
        let mut text = original.to_string();
        for edit in edits.iter().rev() {
            text.replace_range(edit.range.as_range(), &edit.text);
        }
        restored.disk.push((path.clone(), DiskState::Text(original)));
        batch.disk.push((path, DiskState::Text(text.as_str().into())));
    }
    for (path, text) in &action.change.creates {
        restored.disk.push((path.clone(), DiskState::Missing));
        batch.disk.push((path.clone(), DiskState::Text(text.as_str().into())));
    }
    for (file, path) in &action.change.moves {
        let old = file.0.path(&workspace.db).clone();
        let Some(text) = project::text(&workspace.db, file.0) else { return Err("no text".to_owned()) };
        restored
            .disk
            .extend([(old.clone(), DiskState::Text(text.clone())), (path.clone(), DiskState::Missing)]);
        batch.disk.extend([(old, DiskState::Missing), (path.clone(), DiskState::Text(text))]);
    }
    if batch.disk.is_empty() {
        return Ok(());
    }
    let edited: Vec<String> = batch
        .disk
        .iter()
        .map(|(path, state)| match state {
            DiskState::Text(text) => format!("--- {path}\n{text}"),
            _ => String::new(),
        })
        .collect();
    workspace.apply(batch);
    let after = diagnostics(workspace, file);
    workspace.apply(restored);
    let is_same = |it: &&Diagnostic| it.code == diagnostic.code && it.message == diagnostic.message;
    let count = |all: &[Diagnostic]| all.iter().filter(is_same).count();
    if count(&after) >= count(&before) && !REPORTED_ONCE.contains(&diagnostic.code) {
        return Err(format!("the diagnostic stays\n{}", edited.concat()));
    }
    // A syntax error hides what other rules find.
    let is_syntax_error = |it: &Diagnostic| it.code.is_fixed();
    let hides_others = before.iter().any(is_syntax_error);
    let codes: BTreeSet<Code> = after.iter().map(|it| it.code).collect();
    for code in codes {
        let of_code = |all: &[Diagnostic]| all.iter().filter(|it| it.code == code).count();
        let is_new = of_code(&after) > of_code(&before);
        if let Some(new) = after.iter().rfind(|it| it.code == code && is_new)
            && (is_syntax_error(new) || !hides_others)
        {
            return Err(format!("new: {code}: {}\n{}", new.message, edited.concat()));
        }
    }
    Ok(())
}

/// Creates the workspace of a fixture. Files with `\u{ff}` are encoded as Latin-1, so that they are not UTF-8.
fn workspace_of(fixture: &str) -> TestWorkspace {
    let mut workspace = TestWorkspace::new(fixture);
    let mut batch = ChangeBatch::default();
    for file in Fixture::parse(fixture).files.iter().filter(|it| it.text.contains('\u{ff}')) {
        let bytes = file.text.chars().map(|it| u32::from(it) as u8).collect();
        batch.disk.push((workspace.file(&file.path).path(&workspace.db).clone(), DiskState::of_bytes(bytes)));
    }
    if !batch.disk.is_empty() {
        workspace.apply(batch);
    }
    workspace
}

/// Returns the fixtures of all rules: the bad examples of the pages, and those of the blocks `advice`.
fn fixtures() -> Vec<String> {
    let mut found = Vec::new();
    for rule in rule_table() {
        let enabled = (rule.level() == LintLevel::Off).then_some(rule.code.as_str());
        let examples = examples(rule.documentation, "Example").into_iter();
        found.extend(examples.map(|it| workspace_of_example(&it, enabled)));
        let cases = RuleCases::beside(rule.page);
        found.extend(cases.blocks("advice").map(|it| workspace_of_advice(&unescaped(it))));
    }
    found
}

/// Returns the fixture of a block: files, or the text of the only one.
fn workspace_of_advice(text: &str) -> String {
    if text.starts_with("//-") {
        workspace_of_example(text, None)
    } else {
        format!(
            "//- /main.pp
{text}"
        )
    }
}

/// Returns the text of a block: `∎` removes the line break after it, and `␀` and `‹FEFF›` represent characters.
fn unescaped(block: &str) -> String {
    let block = block.replace("∎\n", "");
    block.replace('␀', "\0").replace("‹FEFF›", "\u{feff}").replace("‹FF›", "\u{ff}").replace("‹FE›", "\u{fe}")
}

fn files(workspace: &TestWorkspace, fixture: &str) -> Vec<File> {
    let checked = [".conf", ".pp", ".epp", ".erb", ".rb", ".yaml", ".yml", ".json", "/Puppetfile"];
    let files = Fixture::parse(fixture).files.into_iter();
    files
        .filter(|it| checked.iter().any(|end| it.path.ends_with(end)))
        .map(|it| workspace.file(&it.path))
        .collect()
}
