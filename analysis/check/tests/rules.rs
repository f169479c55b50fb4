//! The documentation of the rules: its form, and whether its examples are what it says.

use check::{Rule, Tier, diagnostics, rule_table};
use codes::Code;
use compile::{CompileRequest, EntryPoint};
use fixture::Fixture;
use project::File;
use project::testing::TestWorkspace;
use project::vfs::{ChangeBatch, DiskState, FilePath};

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
            codes.extend(found.iter().map(|it| it.code.as_str()));
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

/// What no page can show, and how it is shown here.
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

/// Codes that no text here can lead to: a test of `syntax` shows what it says of a file of 4 GiB.
const OUT_OF_REACH: &[Code] = &[Code::FileTooLarge];

/// Codes that other tests show: those of settings files are the server's, and the other is one of `types`.
const SHOWN_ELSEWHERE: &[Code] =
    &[Code::IgnoredSetting, Code::InheritsFromItself, Code::InvalidSetting, Code::UnknownSetting];

/// Is the code one that a compile shows, and no check?
fn is_shown_by_compiles(rule: &Rule) -> bool {
    let text = rule.documentation;
    let says_so = text.contains("shows this code") || text.contains("show this code");
    says_so || rule.code == Code::DeliberateFailure
}

/// The codes of all that a compile for a node finds: of the main manifest, or of the example if it is one text.
fn codes_of_compile(fixture: &str) -> Vec<&'static str> {
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
    let findings = compiled.error(db).into_iter().chain(compiled.circle(db)).chain(compiled.findings(db));
    findings.map(|it| it.code.as_str()).collect()
}

/// The settings under which the examples of a rule hold: those of its first example, and the rule on.
fn workspace(rule: &Rule, example: &str) -> String {
    if example.starts_with("//- environment:") {
        return example.to_owned();
    }
    let level = if rule.level() == project::LintLevel::Off {
        format!(" lint={}:warning", rule.code)
    } else {
        String::new()
    };
    let files =
        if example.starts_with("//-") { example.to_owned() } else { format!("//- /main.pp\n{example}") };
    format!("//- environment: roots=/ module_path=/modules{level}\n{files}")
}

/// Codes of what Puppet accepts, and why it is told all the same.
const ACCEPTED_BY_PUPPET: &[(Code, &str)] = &[
    (Code::DataDuplicateKey, "the last one counts"),
    (Code::DataUnknownParameter, "what nothing asks for is never read"),
    (Code::DoubleNegation, "it is only hard to read"),
    (Code::DuplicateDefinition, "the one that is loaded first counts"),
    (Code::MetadataDuplicate, "the last one counts"),
    (Code::MetadataUnknownKey, "nothing reads it"),
    (Code::MetadataVersion, "only the Forge reads it"),
    (Code::NonLiteralParameterType, "version 7, which was asked, does not look at it"),
    (Code::PrivateUse, "a comment says it"),
    (Code::SensitiveDefault, "the value is readable in the code"),
    (Code::UndeclaredDependency, "the module is here"),
    (Code::UndocumentedParameter, "comments are not read"),
    (Code::UnknownFact, "the value is undef"),
    (Code::UnknownParamTag, "comments are not read"),
    (Code::UnknownTemplateVariable, "the value is nil"),
    (Code::UnreachableCode, "nothing fails"),
    (Code::UnusedParameter, "nothing fails"),
    (Code::UnusedVariable, "nothing fails"),
];

/// What the recording says of an example of a page: `accepted`, `warned`, `refused` or `not asked`.
fn verdict_of_puppet<'t>(table: &'t str, code: Code, kind: &str, number: usize) -> Option<&'t str> {
    let start = format!("{code}\t{kind}\t{number}\t");
    let row = table.lines().find_map(|row| row.strip_prefix(&start))?;
    row.split('\t').next()
}

#[test]
fn puppet_takes_the_good_examples_and_not_the_bad_ones() {
    let table = include_str!("../../../tests/conformance/pages.tsv");
    let mut findings = Vec::new();
    let mut rows = 0;
    for rule in rule_table() {
        if rule.code.is_style() {
            // Puppet has no say in layout and words; the examples are pieces of programs.
            rows += examples(rule, "Bad").len() + examples(rule, "Good").len();
            continue;
        }
        let is_accepted = ACCEPTED_BY_PUPPET.iter().any(|(code, _)| *code == rule.code);
        let bad: &[&str] =
            if is_accepted { &["accepted", "not asked"] } else { &["refused", "warned", "not asked"] };
        for (kind, heading, fine) in [("bad", "Bad", bad), ("good", "Good", &["accepted", "not asked"])] {
            for number in 1..=examples(rule, heading).len() {
                rows += 1;
                let found = verdict_of_puppet(table, rule.code, kind, number);
                if !found.is_some_and(|it| fine.contains(&it)) {
                    findings.push(format!("{} {kind} {number}: {found:?}", rule.code));
                }
            }
        }
    }
    assert!(findings.is_empty(), "tests/conformance/pages.tsv says:\n{}", findings.join("\n"));
    assert_eq!(table.lines().count(), rows, "rows of pages.tsv without an example");
}

#[test]
fn examples_are_what_the_documentation_says() {
    let mut findings = Vec::new();
    let mut without_examples = Vec::new();
    for rule in rule_table() {
        let has_text = |heading| section(rule, heading).is_some_and(|it| !it.trim().is_empty());
        if !has_text("Why") || !has_text("Fix") || !rule.title().ends_with('.') {
            findings.push(format!("{}: a sentence, why, and what to do", rule.code));
        }
        let reference = section(rule, "Reference").unwrap_or_default();
        if !["\n* Since: ", "\n* Specification: "].iter().all(|it| reference.contains(it)) {
            findings.push(format!("{}: since when, and where it is specified", rule.code));
        }
        let bad = examples(rule, "Bad");
        if bad.is_empty() {
            if state_without_page(rule.code).is_none() && rule.code != Code::UnloadableFile {
                without_examples.push(rule.code);
            }
            continue;
        }
        if SHOWN_ELSEWHERE.contains(&rule.code) {
            continue;
        }
        let codes = if is_shown_by_compiles(rule) { codes_of_compile } else { codes };
        for example in bad {
            let found = codes(&workspace(rule, example));
            if !found.contains(&rule.code.as_str()) {
                findings.push(format!("not found by {}: {found:?}\n{example}", rule.code));
            }
        }
        for example in examples(rule, "Good") {
            if codes(&workspace(rule, example)).contains(&rule.code.as_str()) {
                findings.push(format!("found by {}:\n{example}", rule.code));
            }
        }
    }
    assert!(findings.is_empty(), "{}", findings.join("\n\n"));
    without_examples.sort_unstable();
    assert_eq!(without_examples, OUT_OF_REACH, "pages without an example");
}

#[test]
fn what_no_page_can_show_is_found() {
    for code in Code::ALL.iter().copied() {
        let Some(state) = state_without_page(code) else { continue };
        let level = if code.is_off() { format!(" lint={code}:warning") } else { String::new() };
        let header = format!("//- environment: roots=/ module_path=/modules{level}\n//- /main.pp\n");
        let mut workspace = TestWorkspace::new(&header);
        let path = FilePath::from_native("/main.pp").expect("absolute");
        workspace.apply(ChangeBatch { disk: vec![(path, state)], ..ChangeBatch::default() });
        let file = workspace.file("/main.pp");
        let found: Vec<_> =
            Tier::LIVE.into_iter().flat_map(|tier| diagnostics(&workspace.db, file, tier)).collect();
        assert!(found.iter().any(|it| it.code == code), "{code}: {found:?}");
    }
}

#[test]
fn codes_are_names_of_their_own() {
    let mut names: Vec<&str> = rule_table().iter().map(|rule| rule.code.as_str()).collect();
    let is_kebab =
        |name: &&str| name.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
    assert!(names.iter().all(is_kebab), "{names:?}");
    let count = names.len();
    names.dedup();
    assert_eq!(names.len(), count, "a code stands twice in the table");
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
