//! Every message that states its cure has a quick fix, or a reason why it has none.
//!
//! The messages are those of the examples on the pages of the rules, and of the manifests below. A fix is
//! applied and must remove the diagnostic without a new syntax error.

use std::collections::BTreeMap;
use std::fmt::Write;

use check::{Diagnostic, Rule, Tier, rule_table};
use codes::Code;
use fixture::Fixture;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState};
use project::{File, LintLevel};
use refactoring::{CodeAction, CodeActionKind, code_actions};

/// Codes whose advice cannot be followed by an edit, with the reason.
const WITHOUT_FIX: &[(Code, &str)] = &[
    (Code::DataInterpolation, "the intended method is not known"),
    (Code::Deprecation, "the replacement depends on the arguments"),
    (Code::FutureReservedWord, "the new name is the author's choice; rename changes all uses"),
    (Code::HeredocInString, "the end of the string is not known"),
    (Code::HeredocSyntax, "the intended tag is not known"),
    (Code::HieraConfiguration, "the intended location or data function is not known"),
    (Code::IllegalEpp, "the template is the text of a string"),
    (Code::IllegalEppParameters, "the parentheses may not be meant as parameters"),
    (Code::IllegalExpression, "the intended function is not known"),
    (Code::IllegalHostnameInterpolation, "the name depends on data"),
    (Code::IllegalQueryExpression, "queries have no such operator"),
    (Code::IllegalUnicodeEscape, "the intended character is not known"),
    (Code::IncompleteModuleData, "the value is not known"),
    (Code::MetadataMissingKey, "the text is the author's choice"),
    (Code::MetadataObsolete, "the supported versions of Puppet are not known"),
    (Code::MetadataOpenRange, "the supported versions are not known"),
    (Code::MissingModule, "installing a module is not an edit"),
    (Code::NestedHeredoc, "the inner text is part of the outer one"),
    (Code::NonLiteralParameterType, "the value of the expression may differ between nodes"),
    (Code::NotRvalue, "the position of the statement is the author's choice"),
    (Code::NotSupportedInPlan, "the targets of the `apply` block are not known"),
    (Code::PuppetfileOption, "the source of the module is not known"),
    (Code::PuppetfileOtherVersion, "installing a module is not an edit"),
    (Code::PuppetfileVersion, "the intended version is not known"),
    (Code::RedactedText, "the uses of the string must accept a sensitive value"),
    (Code::ReservedTypeName, "the new name is the author's choice; rename changes all uses"),
    (Code::SensitiveDefault, "the encryption needs a key"),
    (
        Code::SyntaxError,
        "a delimiter that is missing since a string has no end is found once the string is closed",
    ),
    (Code::UntitledExample, "the title is the author's choice"),
];

/// Codes reported once for several statements, each of which has a fix.
const REPORTED_ONCE: &[Code] = &[Code::IdemExpressionNotLast];

/// Manifests with messages that no page shows.
const MANIFESTS: &[&str] = &[
    "class a ($x, $x) { }",
    "class a { $x = { 'k' => 1, 'k' => 2 } notice($x) }",
    "class a { $x = { 'k' => 1,\n  'l' => 3,\n  'k' => 2,\n } notice($x) }",
    "define a ($title) { notice($title) }",
    "class a { $b::c = 1 }",
    "class a { case $facts['x'] { default: { } default: { notice('x') } } }",
    "@class { 'x': }",
    "class a ($Big) { }",
    "class a ($x::y) { }",
    "class a ($1) { }",
    "class a (*$x) { }",
    "class a { [1].each |*$a, $b| { } }",
    "class a { $1 = 2 }",
    "class a { notice($Foo::bar, $007) }",
    "class a { $x = [1] $x += [2] }",
    "class a { $x = { 'a' => 1 } $x['b'] = 2 }",
    "class a { x = 1 }",
    "class a ($x = $y = 1) { }",
    "node a inherits b { }",
    "class a { @File { mode => '0644' } }",
    "class a { file { '/x': mode +> '0644' } }",
    "class a { file { '/x': * => $b, mode => '0644', * => $c } }",
    "class a { file { ensure => file } }",
    "class a { notice(attr) }",
    "class a::Big { }",
    "class a-b { }",
    "type a = Integer",
    "type A inherits B { }",
    "class a { $x = 'abc\n}\n",
    "class a { notice(\"a ${b\") }\n",
    "class a { notice(@(END) }\n  x\n  | END\n",
    "class a {\n  notice(@(END))\n  x\n",
    "class a { notice(@(END/q))\n  x\n  | END\n}\n",
    "class a { class { } }",
    "class a { class { ensure => 1 } }",
    "class a { case $x { } }",
    "class a { $x = $y ? { } }",
    "class a { notice(\"x ${} y\") }",
    "class 'a' { }",
    "/* comment",
    "class a { notice('x' }",
    "class a { notice(05m, 1x, 0xZ) }",
    "class a { $x = hiera_hash('k', { }) $y = hiera_array('l') hiera_include('m') }",
    "class a { notice(\"${true}\") }",
    "class a { notify { 'x': tag => 'a b' } }",
    "class a { 1 2 3 notice('x') 4 }",
    "class a (x) { }",
    "class a { notice(${x}) }",
    "a inherits b {\n}",
    "class a {\n  $x {\n    'a': { }\n  }\n}",
    "class a { $x = 'a' => 1\n}",
    "class a {\n  notice('x')\n",
    "class a { notice(['x') }",
    "class a {\n  foo $x, $y\n}",
];

#[test]
fn messages_with_advice_have_fixes() {
    let mut seen: BTreeMap<Code, Vec<String>> = BTreeMap::new();
    let mut failures = String::new();
    let mut fixed = 0;
    for fixture in fixtures() {
        let mut workspace = TestWorkspace::new(&fixture);
        for file in files(&workspace, &fixture) {
            for diagnostic in diagnostics(&workspace, file).iter().filter(|it| has_help(it)) {
                match fix(&workspace, file, diagnostic) {
                    Some(action) => {
                        fixed += 1;
                        if let Err(problem) = check_fix(&mut workspace, file, diagnostic, &action) {
                            let _ = writeln!(
                                failures,
                                "{}: {}: {problem}\n{fixture}",
                                diagnostic.code, action.title
                            );
                        }
                    }
                    None => seen.entry(diagnostic.code).or_default().push(diagnostic.message.clone()),
                }
            }
        }
    }
    for (code, messages) in &seen {
        if !WITHOUT_FIX.iter().any(|(it, _)| it == code) {
            let _ = writeln!(failures, "no fix: {code}: {}", messages[0].replace('\n', " / "));
        }
    }
    for (code, _) in WITHOUT_FIX.iter().filter(|(code, _)| !seen.contains_key(code)) {
        let _ = writeln!(failures, "every message of `{code}` has a fix");
    }
    println!("{fixed} fixes; {} codes without one", seen.len());
    assert!(failures.is_empty(), "{failures}");
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
    let of_code = |workspace: &TestWorkspace| {
        let all = diagnostics(workspace, file);
        let errors = all.iter().filter(|it| it.code == Code::SyntaxError).count();
        (all.iter().filter(|it| it.code == diagnostic.code).count(), errors)
    };
    let before = of_code(workspace);
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
    let after = of_code(workspace);
    workspace.apply(restored);
    if after.0 >= before.0 && !REPORTED_ONCE.contains(&diagnostic.code) {
        return Err(format!("the diagnostic stays\n{}", edited.concat()));
    }
    if after.1 > before.1 {
        return Err(format!("syntax error\n{}", edited.concat()));
    }
    Ok(())
}

/// Returns the fixtures: the bad examples of all pages, and the manifests.
fn fixtures() -> Vec<String> {
    let examples = rule_table().iter().flat_map(|rule| {
        let fixtures = examples(rule).into_iter().map(|it| workspace(rule, &it));
        fixtures.collect::<Vec<_>>()
    });
    let manifests = MANIFESTS.iter().map(|it| format!("//- /main.pp\n{it}\n"));
    examples.chain(manifests).collect()
}

fn files(workspace: &TestWorkspace, fixture: &str) -> Vec<File> {
    let checked = [".pp", ".epp", ".erb", ".yaml", ".json", "/Puppetfile"];
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
    format!("//- environment: roots=/ module_path=/modules{level}\n{files}")
}
