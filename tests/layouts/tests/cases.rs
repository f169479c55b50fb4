//! Every accepted source of `conformance/cases/` in every layout: the tree without trivia, its
//! Puppet notation, and the findings of the static rules stay the same.

use std::path::Path;

use fixture::cases;
use layouts::{Layout, Source, shape};
use syntax::{Language, Severity};
use validation::{ValidationSettings, validate};

/// Meaning of a source: its errors, tree without trivia, tree in Puppet's notation, and codes of
/// its findings.
#[derive(PartialEq, Debug)]
struct Meaning {
    errors: Vec<String>,
    shape: String,
    pn: String,
    findings: Vec<codes::Code>,
}

fn meaning(text: &str, language: Language) -> Meaning {
    let parse = syntax::parse(text, language);
    let errors = parse.errors().iter().filter(|it| it.severity() == Severity::Error);
    let mut findings: Vec<_> =
        validate(&parse, &ValidationSettings::default()).into_iter().map(|it| it.code).collect();
    findings.sort_unstable();
    Meaning {
        errors: errors.map(|it| format!("{}: {}", it.range.start, it.message)).collect(),
        shape: shape(&parse.syntax()),
        pn: syntax::pn::to_pn(&parse),
        findings,
    }
}

/// Returns the differences that appear when `text` is written in other layouts.
fn check(text: &str, language: Language, seed: u64) -> Vec<String> {
    let Some(source) = Source::read(text, language) else { return Vec::new() };
    let expected = meaning(text, language);
    let mut wrong = Vec::new();
    for layout in Layout::ALL {
        let variant = source.lay(layout, seed);
        let found = meaning(&variant, language);
        let what = match () {
            () if !found.errors.is_empty() => format!("rejected: {}", found.errors[0]),
            () if found.shape != expected.shape => "another tree".to_owned(),
            () if found.pn != expected.pn => format!("PN differs: {}, expected {}", found.pn, expected.pn),
            () if found.findings != expected.findings => {
                format!("findings {:?}, expected {:?}", found.findings, expected.findings)
            }
            () => continue,
        };
        wrong.push(format!("{} of {text:?}\n    {variant:?}\n    {what}", layout.name()));
    }
    wrong
}

#[test]
fn meaning_is_independent_of_layout() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../conformance/cases");
    let mut files: Vec<_> =
        std::fs::read_dir(folder).expect("the folder of cases exists").flatten().collect();
    files.sort_by_key(std::fs::DirEntry::file_name);
    let (mut count, mut wrong) = (0, Vec::new());
    for file in files {
        let text = std::fs::read_to_string(file.path()).expect("readable");
        for case in cases::read_cases(&file.file_name().to_string_lossy(), &text) {
            let is_accepted = !matches!(case.outcome, cases::RecordedOutcome::Refused(_));
            let Ok(source) = std::str::from_utf8(&case.source) else { continue };
            if !is_accepted {
                continue;
            }
            let language = match case.options.iter().map(String::as_str).next() {
                Some("epp") => Language::Epp,
                Some("tasks") => Language::Plan,
                _ => Language::Manifest,
            };
            count += 1;
            wrong.extend(check(source, language, count).iter().map(|it| format!("{}: {it}", case.place)));
        }
    }
    assert!(count > 2500, "only {count} sources were read");
    assert!(wrong.is_empty(), "{} variants differ:\n{}", wrong.len(), wrong.join("\n"));
}
