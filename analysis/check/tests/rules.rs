//! Documentation of the rules: its form, and whether its examples have the documented findings.

use check::{Rule, Tier, diagnostics, rule_table};
use codes::Code;
use compile::{CompileRequest, EntryPoint};
use fixture::Fixture;
use fixture::rule_cases::{RuleCases, examples, section, workspace_of};
use project::File;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState, FilePath};

/// Code and message of a finding.
pub(crate) type FoundMessage = (Code, String);

/// Returns all findings in the files of a fixture, at any level.
fn findings_in(fixture: &str) -> Vec<FoundMessage> {
    let workspace = TestWorkspace::new(fixture);
    let mut findings = Vec::new();
    for file in Fixture::parse(fixture).files {
        let is_looked_at = |end: &&str| file.path.ends_with(*end);
        if ![".pp", ".epp", ".erb", ".yaml", ".json", "/Puppetfile"].iter().any(is_looked_at) {
            continue;
        }
        for tier in Tier::ALL {
            let found = diagnostics(&workspace.db, workspace.file(&file.path), tier);
            findings.extend(found.into_iter().map(|it| (it.code, it.message)));
        }
    }
    findings
}

/// Returns the messages of a rule that its bad examples show.
pub(crate) fn messages_of_examples(rule: &Rule) -> Vec<String> {
    let examples = examples(rule.documentation, "Example");
    let found = examples.iter().flat_map(|example| findings_of_example(rule, example));
    let without_page = findings_without_page(rule.code).into_iter();
    let mut messages: Vec<String> =
        found.chain(without_page).filter(|(code, _)| *code == rule.code).map(|(_, it)| it).collect();
    messages.sort();
    messages.dedup();
    messages
}

/// Returns the state of a file that no page can show.
fn state_without_page(code: Code) -> Option<DiskState> {
    match code {
        Code::HeredocWithoutText => Some(DiskState::Text("notice(@(END))".into())),
        Code::NestingTooDeep => {
            Some(DiskState::Text(format!("$a = {}{}", "[".repeat(600), "]".repeat(600)).into()))
        }
        Code::ManifestWhitespaceMissingNewlineEndOfFile => Some(DiskState::Text("include ntp".into())),
        Code::NotUtf8 => Some(DiskState::NotUtf8(None)),
        Code::UnreadableFile => Some(DiskState::Unreadable("permission denied".to_owned())),
        _ => None,
    }
}

/// Codes that cannot be tested here; a test of `syntax` covers files of 4 GiB.
pub(crate) const OUT_OF_REACH: &[Code] = &[Code::FileTooLarge];

/// Codes covered by other tests: those of settings files in the server, and one in `types`.
pub(crate) const SHOWN_ELSEWHERE: &[Code] =
    &[Code::IgnoredSetting, Code::InheritsFromItself, Code::InvalidSetting, Code::UnknownSetting];

/// Returns the findings in an example: those that an editor shows, or those of a compile if only a compile reports the
/// rule.
fn findings_of_example(rule: &Rule, example: &str) -> Vec<FoundMessage> {
    let fixture = workspace(rule, example);
    if is_shown_by_compiles(rule) { findings_of_compile(&fixture) } else { findings_in(&fixture) }
}

/// Returns true if only a compile reports the rule.
fn is_shown_by_compiles(rule: &Rule) -> bool {
    RuleCases::beside(rule.page).block("phase") == Some("compile\n")
}

/// Returns all failures of a compile: of the main manifest, or of a single-file example.
fn findings_of_compile(fixture: &str) -> Vec<FoundMessage> {
    let workspace = TestWorkspace::new(fixture);
    let entry = match Fixture::parse(fixture).files.iter().find(|it| it.path == "/main.pp") {
        Some(file) => EntryPoint::Code(file.text.as_str().into()),
        None => EntryPoint::MainManifest,
    };
    let request = CompileRequest { node_name: "web1.example.com".into(), ..CompileRequest::new(entry) };
    let db = &workspace.db;
    let is_manifest = |file: &File| file.path(db).extension() == Some("pp");
    let manifest = workspace.files().into_iter().find(is_manifest).expect("a manifest");
    let environment = manifest.environments(db)[0];
    let compiled = compile::compile_project(db, environment, &request, None);
    let findings = compiled
        .error(db)
        .into_iter()
        .chain(compiled.cycle(db))
        .chain(compiled.refused(db))
        .chain(compiled.findings(db));
    findings.map(|it| (it.code, it.message.to_string())).collect()
}

/// Returns an example as a workspace in which the rule is on.
fn workspace(rule: &Rule, example: &str) -> String {
    let is_off = rule.level() == project::LintLevel::Off;
    workspace_of(example, is_off.then_some(rule.code.as_str()))
}

#[test]
fn puppet_accepts_the_good_examples_only() {
    let mut wrong = Vec::new();
    for rule in rule_table() {
        let cases = RuleCases::beside(rule.page);
        let is_accepted = cases.block("accepted").is_some_and(|reason| !reason.trim().is_empty());
        let bad: &[&str] =
            if is_accepted { &["accepted", "not-asked"] } else { &["refused", "warned", "not-asked"] };
        let mut verdicts = cases.block("verdicts").unwrap_or_default().lines();
        for (kind, heading, expected) in
            [("bad", "Example", bad), ("good", "Use instead", &["accepted", "not-asked"])]
        {
            for number in 1..=examples(rule.documentation, heading).len() {
                let row = verdicts.next().unwrap_or_default();
                let verdict =
                    row.strip_prefix(&format!("{kind} {number} ")).and_then(|it| it.split(' ').next());
                // Puppet does not check style, and these examples are fragments.
                if !verdict.is_some_and(|it| expected.contains(&it) || rule.code.is_style()) {
                    wrong.push(format!("{} {kind} {number}: {row:?}", rule.code));
                }
            }
        }
        wrong.extend(verdicts.map(|row| format!("{} has no example for {row:?}", rule.code)));
    }
    assert!(wrong.is_empty(), "the recorded verdicts are unexpected:\n{}", wrong.join("\n"));
}

#[test]
fn examples_have_the_documented_findings() {
    let mut findings = Vec::new();
    let mut without_examples = Vec::new();
    for rule in rule_table() {
        let has_text = |heading| section(rule.documentation, heading).is_some_and(|it| !it.trim().is_empty());
        if !["What it does", "Why is this bad?", "Use instead"].into_iter().all(has_text) {
            findings.push(format!("{}: a section is missing", rule.code));
        }
        if !rule.title().ends_with('.') || rule.documentation.contains("\n//-") {
            findings
                .push(format!("{}: the first line is a sentence, and no fixture header is shown", rule.code));
        }
        let bad = examples(rule.documentation, "Example");
        if bad.is_empty() {
            if state_without_page(rule.code).is_none() && rule.code != Code::UnloadableFile {
                without_examples.push(rule.code);
            }
            continue;
        }
        if SHOWN_ELSEWHERE.contains(&rule.code) {
            continue;
        }
        let is_reported = |example: &str| {
            let found = findings_of_example(rule, example);
            found.iter().any(|(code, _)| *code == rule.code).then_some(()).ok_or(found)
        };
        for example in bad {
            if let Err(found) = is_reported(&example) {
                findings.push(format!("not found by {}: {found:?}\n{example}", rule.code));
            }
        }
        for example in examples(rule.documentation, "Use instead") {
            if is_reported(&example).is_ok() {
                findings.push(format!("found by {}:\n{example}", rule.code));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n\n"));
    without_examples.sort_unstable();
    assert_eq!(without_examples, OUT_OF_REACH, "pages without an example");
}

/// Returns all findings in a file whose state on disk shows a code that no page can show.
fn findings_without_page(code: Code) -> Vec<FoundMessage> {
    let Some(state) = state_without_page(code) else { return Vec::new() };
    let level = if code.is_off() { format!(" lint={code}:warning") } else { String::new() };
    let header = format!("//- environment: roots=/ module_path=/modules{level}\n//- /main.pp\n");
    let mut workspace = TestWorkspace::new(&header);
    let path = FilePath::from_native("/main.pp").expect("absolute");
    workspace.apply(ChangeBatch { disk: vec![(path, state)], ..ChangeBatch::default() });
    let file = workspace.file("/main.pp");
    let found = Tier::LIVE.into_iter().flat_map(|tier| diagnostics(&workspace.db, file, tier));
    found.map(|it| (it.code, it.message)).collect()
}

#[test]
fn findings_without_an_example_are_reported() {
    for code in Code::ALL.iter().copied().filter(|it| state_without_page(*it).is_some()) {
        let found = findings_without_page(code);
        assert!(found.iter().any(|it| it.0 == code), "{code}: {found:?}");
    }
}

#[test]
fn codes_are_unique() {
    let mut names: Vec<&str> = rule_table().iter().map(|rule| rule.code.as_str()).collect();
    let is_kebab =
        |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    assert!(names.iter().all(is_kebab), "{names:?}");
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "a code is duplicated in the table");
}

#[test]
fn a_file_with_an_error_ends_the_compile_that_needs_it() {
    let workspace = TestWorkspace::new(
        "//- environment: roots=/ module_path=/modules\n//- /main.pp\ninclude web\n//- /modules/web/manifests/init.pp\nclass web {\n",
    );
    let environment = workspace.file("/main.pp").environments(&workspace.db)[0];
    let request = CompileRequest::new(EntryPoint::Code("include web".into()));
    let compiled = compile::compile_project(&workspace.db, environment, &request, None);
    assert_eq!(compiled.compilation.error.map(|it| it.code), Some(Code::UnloadableFile));
}
