//! Every message that states its cure has a quick fix, or a reason why it has none.
//!
//! The messages are those of the examples on the pages of the rules, and of `fixtures.rs`. A fix is applied, and
//! must remove the diagnostic without a new one. `cures.txt` lists all messages with a fix; `WITHOUT_FIX` lists
//! the others. All advice in the sources must occur, except for `NOT_IN_EDITORS`.

mod advice;
mod fixtures;
mod without_fix;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use check::{Diagnostic, Rule, Tier, rule_table};
use codes::Code;
use expect_test::expect_file;
use fixture::Fixture;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState};
use project::{File, LintLevel};
use refactoring::{CodeAction, CodeActionKind, code_actions};

use advice::advice_sites;
use fixtures::MANIFESTS;
use without_fix::{NOT_IN_EDITORS, WITHOUT_FIX};

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
    let has_reason = |(code, message): &&(Code, String)| {
        WITHOUT_FIX.iter().any(|(known, of, _)| (known, *of) == (code, message.as_str()))
    };
    for (code, message) in without.iter().filter(|it| !has_reason(it)) {
        let _ = writeln!(failures, "no fix: {code}: {message}");
    }
    for (code, message, _) in WITHOUT_FIX {
        if !without.contains(&(*code, (*message).to_owned())) {
            let _ = writeln!(failures, "no message of `{code}` lacks a fix: {message}");
        }
    }
    let produced: BTreeSet<String> =
        fixes.keys().chain(&without).map(|(_, message)| message.clone()).collect();
    failures.push_str(&advice_without_fixture(&produced));
    assert!(failures.is_empty(), "{failures}");
    expect_file!["cures.txt"].assert_eq(&listed(&fixes));
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

/// Returns a row for each message, with the titles of its fixes.
fn listed(fixes: &BTreeMap<(Code, String), BTreeSet<String>>) -> String {
    let mut listed = String::new();
    for ((code, message), titles) in fixes {
        let titles: Vec<&str> = titles.iter().map(String::as_str).collect();
        let _ = writeln!(listed, "{code}\t{message}\t{}", titles.join(" | "));
    }
    listed
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

/// Settings of fixtures that have none.
const ENVIRONMENT: &str = "//- environment: roots=/ module_path=/modules";

/// Returns the fixtures: the bad examples of all pages, and the manifests.
fn fixtures() -> Vec<String> {
    let examples = rule_table().iter().flat_map(|rule| {
        let fixtures = examples(rule).into_iter().map(|it| workspace(rule, &it));
        fixtures.collect::<Vec<_>>()
    });
    let fixture = |it: &&str| match () {
        () if it.starts_with("//- environment:") => (*it).to_owned(),
        () if it.starts_with("//-") => format!("{ENVIRONMENT}\n{it}"),
        () => format!("//- /main.pp\n{it}\n"),
    };
    let manifests = MANIFESTS.iter().map(fixture);
    examples.chain(manifests).collect()
}

fn files(workspace: &TestWorkspace, fixture: &str) -> Vec<File> {
    let checked = [".conf", ".pp", ".epp", ".erb", ".rb", ".yaml", ".json", "/Puppetfile"];
    let files = Fixture::parse(fixture).files.into_iter();
    files
        .filter(|it| checked.iter().any(|end| it.path.ends_with(end)))
        .map(|it| workspace.file(&it.path))
        .collect()
}

/// Returns the bad examples on the page of a rule as fixtures; see `analysis/check/tests/rules.rs`.
fn examples(rule: &Rule) -> Vec<String> {
    let Some((_, text)) = rule.documentation.split_once("## Example\n") else { return Vec::new() };
    let text = text.split("\n## ").next().unwrap_or_default();
    let header = text.lines().find_map(|it| it.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    let header = header.map(|it| format!("//- {it}\n")).unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    let mut parts = text.split("```");
    let mut before = parts.next().unwrap_or_default();
    while let (Some(fence), Some(after)) = (parts.next(), parts.next()) {
        let body = fence.split_once('\n').map_or("", |(_, text)| text);
        let path =
            before.trim_end().rsplit('\n').next().and_then(|it| it.strip_prefix('`')?.strip_suffix("`:"));
        match path {
            None => found.push(format!("{header}{body}")),
            Some(path) => {
                let file = format!("//- /{path}\n");
                let continues = before.lines().filter(|it| !it.trim().is_empty()).count() == 1;
                match found.last_mut().filter(|it| continues && it.contains("//- /") && !it.contains(&file)) {
                    Some(example) => example.push_str(&format!("{file}{body}")),
                    None => found.push(format!("{header}{file}{body}")),
                }
            }
        }
        before = after;
    }
    found
}

/// Returns an example as a workspace in which the rule is on.
fn workspace(rule: &Rule, example: &str) -> String {
    if example.starts_with("//- environment:") {
        return example.to_owned();
    }
    let level = match rule.level() {
        LintLevel::Off => format!(" lint={}:warning", rule.code),
        _ => String::new(),
    };
    let files =
        if example.starts_with("//-") { example.to_owned() } else { format!("//- /main.pp\n{example}") };
    format!("{ENVIRONMENT}{level}\n{files}")
}
