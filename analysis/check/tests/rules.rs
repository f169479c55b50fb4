//! Documentation of the rules: its form, and whether its examples have the documented findings.

use check::{Rule, Tier, diagnostics, rule_table};
use codes::Code;
use compile::{CompileRequest, EntryPoint};
use fixture::Fixture;
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
    let examples = examples(rule, "Example");
    let found = examples.iter().flat_map(|example| {
        let fixture = workspace(rule, example);
        if is_shown_by_compiles(rule) { findings_of_compile(&fixture) } else { findings_in(&fixture) }
    });
    let without_page = findings_without_page(rule.code).into_iter();
    let mut messages: Vec<String> =
        found.chain(without_page).filter(|(code, _)| *code == rule.code).map(|(_, it)| it).collect();
    messages.sort();
    messages.dedup();
    messages
}

/// Returns the text below a heading, up to the next heading of the same level; `None` if the page has no such heading.
fn section<'a>(rule: &'a Rule, heading: &str) -> Option<&'a str> {
    let start = format!("## {heading}\n");
    let rest = match rule.documentation.strip_prefix(&start) {
        Some(rest) => rest,
        None => rule.documentation.split_once(&format!("\n{start}"))?.1,
    };
    rest.split("\n## ").next()
}

/// Returns the examples below a heading as fixtures. A fenced block is a separate example unless a line above
/// it names its file (`` `modules/a/manifests/init.pp`: ``); such blocks form one example until a path
/// repeats or other text follows. An HTML comment before the first block contains the environment header.
fn examples(rule: &Rule, heading: &str) -> Vec<String> {
    let text = section(rule, heading).unwrap_or_default();
    let header = text.lines().find_map(|it| it.strip_prefix("<!-- ")?.strip_suffix(" -->"));
    let header = header.map(|it| format!("//- {it}\n")).unwrap_or_default();
    let mut found: Vec<String> = Vec::new();
    let mut parts = text.split("```");
    let mut before = parts.next().unwrap_or_default();
    while let (Some(fence), Some(after)) = (parts.next(), parts.next()) {
        let body = fence.split_once('\n').map_or("", |(_language, text)| text);
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

/// Codes that only a compile reports.
const SHOWN_BY_COMPILES: &[Code] = &[
    Code::DeliberateFailure,
    Code::DependencyCycle,
    Code::EndlessCatalog,
    Code::IllegalBreak,
    Code::IllegalJump,
    Code::IllegalOverriddenType,
    Code::IllegalOverride,
    Code::IllegalReference,
    Code::IllegalTitle,
    Code::LateOverride,
    Code::LookupError,
    Code::MissingData,
    Code::MissingMultiAssignmentVariable,
    Code::MissingNodeDefinition,
    Code::MissingOverrideTarget,
    Code::MissingRealizeTarget,
    Code::MissingRelationshipTarget,
    Code::RegexpLimit,
    Code::RequiredParameterAfterOptional,
    Code::TooDeep,
    Code::TooLarge,
    Code::TooManySteps,
    Code::UnknownParameter,
    Code::UnknownResource,
    Code::UnknownResourceParameter,
    Code::UnknownStage,
    Code::UnresolvableAlias,
    Code::UnresolvedType,
];

/// Returns true if only a compile reports the code.
fn is_shown_by_compiles(rule: &Rule) -> bool {
    SHOWN_BY_COMPILES.contains(&rule.code)
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

/// Returns an example with the settings of the rule's first example and the rule turned on.
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

/// Codes of problems that Puppet accepts, with the reason for reporting them.
const ACCEPTED_BY_PUPPET: &[(Code, &str)] = &[
    (Code::BoltConfiguration, "only Bolt reads it"),
    (Code::DataDuplicateKey, "the last one counts"),
    (Code::DataEncrypted, "only the backend hiera-eyaml decrypts it"),
    (Code::DataKey, "what nothing asks for is never read"),
    (Code::DataUnknownParameter, "what nothing asks for is never read"),
    (Code::DetachedDocumentation, "comments are not read"),
    (Code::DoubleNegation, "it is only hard to read"),
    (Code::DuplicateDefinition, "the one that is loaded first counts"),
    (Code::HieraPath, "missing files are skipped"),
    (Code::LongSummary, "comments are not read"),
    (Code::MetadataDuplicate, "the last one counts"),
    (Code::MetadataLicense, "only the Forge reads it"),
    (Code::MetadataObsolete, "only the Forge reads it"),
    (Code::MetadataOpenRange, "the installed version is in the range"),
    (Code::MetadataUnknownKey, "nothing reads it"),
    (Code::MetadataVersion, "only the Forge reads it"),
    (Code::MetadataVersionBound, "only module installers read it"),
    (Code::MissingReturnTag, "comments are not read"),
    (Code::NonLiteralParameterType, "version 7, which was asked, does not look at it"),
    (Code::ParamTagType, "comments are not read"),
    (Code::PrivateUse, "a comment says it"),
    (Code::RemovedRubyApi, "the Ruby of version 7 has the method"),
    (Code::RedactedText, "the string contains other text"),
    (Code::ReturnTagType, "comments are not read"),
    (Code::SecurityDefaultAdmin, "the account exists"),
    (Code::SecurityEmptyPassword, "an empty string is a string"),
    (Code::SecurityExposedSecret, "the value is no secret to Puppet"),
    (Code::SecurityHardcodedPassword, "the value is readable in the code"),
    (Code::SecurityHardcodedSecret, "the value is readable in the code"),
    (Code::SecurityOpenBind, "it is an address"),
    (Code::SecurityPipeToShell, "only an agent runs commands"),
    (Code::SecurityPlainHttp, "it is a URL"),
    (Code::SecurityPrivateKey, "the value is readable in the code"),
    (Code::SecurityReadableKey, "the mode is valid"),
    (Code::SecurityShellInjection, "only an agent runs commands"),
    (Code::SecuritySuspiciousComment, "comments are not read"),
    (Code::SecurityUnsignedRepository, "the option exists"),
    (Code::SecurityUnverifiedDownload, "only an agent downloads"),
    (Code::SecurityWeakCipher, "it is a string"),
    (Code::SecurityWeakHash, "it is a string"),
    (Code::SecurityWorldWritable, "the mode is valid"),
    (Code::SensitiveDefault, "the value is readable in the code"),
    (Code::TaskMetadata, "only Bolt reads it"),
    (Code::UndeclaredDependency, "the module is here"),
    (Code::UndocumentedParameter, "comments are not read"),
    (Code::UnknownDocTag, "comments are not read"),
    (Code::UnknownFact, "the value is undef"),
    (Code::UnknownParamTag, "comments are not read"),
    (Code::UnknownPlan, "only Bolt runs plans"),
    (Code::UnknownTask, "only Bolt runs tasks"),
    (Code::UnknownTemplateVariable, "the value is nil"),
    (Code::UnreachableCode, "nothing fails"),
    (Code::UnreachableLevel, "missing files are skipped"),
    (Code::UntitledExample, "comments are not read"),
    (Code::UnusedClass, "nothing fails"),
    (Code::UnusedDefine, "nothing fails"),
    (Code::UnusedFile, "nothing fails"),
    (Code::UnusedFunction, "nothing fails"),
    (Code::UnusedHieraKey, "what nothing asks for is never read"),
    (Code::UnusedModule, "nothing fails"),
    (Code::UnusedParameter, "nothing fails"),
    (Code::UnusedTemplate, "nothing fails"),
    (Code::UnusedType, "nothing fails"),
    (Code::UnusedVariable, "nothing fails"),
    (Code::YamlPlan, "only Bolt reads it"),
];

/// Returns the recorded outcome of an example: `accepted`, `warned`, `refused` or `not asked`.
fn verdict_of_puppet<'t>(table: &'t str, code: Code, kind: &str, number: usize) -> Option<&'t str> {
    let start = format!("{code}\t{kind}\t{number}\t");
    let row = table.lines().find_map(|row| row.strip_prefix(&start))?;
    row.split('\t').next()
}

#[test]
fn puppet_accepts_the_good_examples_only() {
    let table = include_str!("../../../tests/conformance/pages.tsv");
    let mut findings = Vec::new();
    let mut rows = 0;
    for rule in rule_table() {
        if rule.code.is_style() {
            // Puppet does not check style, and these examples are fragments.
            rows += examples(rule, "Example").len() + examples(rule, "Use instead").len();
            continue;
        }
        let is_accepted = ACCEPTED_BY_PUPPET.iter().any(|(code, _)| *code == rule.code);
        let bad: &[&str] =
            if is_accepted { &["accepted", "not asked"] } else { &["refused", "warned", "not asked"] };
        for (kind, heading, fine) in
            [("bad", "Example", bad), ("good", "Use instead", &["accepted", "not asked"])]
        {
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
fn examples_have_the_documented_findings() {
    let mut findings = Vec::new();
    let mut without_examples = Vec::new();
    for rule in rule_table() {
        let has_text = |heading| section(rule, heading).is_some_and(|it| !it.trim().is_empty());
        if !["What it does", "Why is this bad?", "Use instead"].into_iter().all(has_text) {
            findings.push(format!("{}: a section is missing", rule.code));
        }
        if !rule.title().ends_with('.') || rule.documentation.contains("\n//-") {
            findings
                .push(format!("{}: the first line is a sentence, and no fixture header is shown", rule.code));
        }
        let bad = examples(rule, "Example");
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
            let fixture = workspace(rule, example);
            let found = if is_shown_by_compiles(rule) {
                findings_of_compile(&fixture)
            } else {
                findings_in(&fixture)
            };
            found.iter().any(|(code, _)| *code == rule.code).then_some(()).ok_or(found)
        };
        for example in bad {
            if let Err(found) = is_reported(&example) {
                findings.push(format!("not found by {}: {found:?}\n{example}", rule.code));
            }
        }
        for example in examples(rule, "Use instead") {
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
