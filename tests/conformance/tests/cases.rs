//! Small cases, each with the outcome in real Puppet: same acceptance, same syntax tree.

use std::path::Path;

use conformance::words::read_words;
use conformance::{Question, answer};
use fixture::cases::{RecordedCase, RecordedOutcome, read_cases};

fn question(case: &RecordedCase) -> Question {
    let mut question = Question { strict: "warning".to_owned(), ..Question::default() };
    for option in &case.options {
        match option.split_once('=') {
            None if option == "epp" => question.is_template = true,
            None if option == "file" => {} // how Puppet was given the source
            None if option == "tasks" => question.tasks = true,
            Some(("strict", value)) => question.strict = value.to_owned(),
            Some(("path", path)) => question.location = conformance::location_of(path),
            _ => panic!("{}: unknown option {option}", case.place),
        }
    }
    question
}

/// Checks our answer to a case; the error describes the difference.
fn check(case: &RecordedCase) -> Result<(), String> {
    let Ok(source) = std::str::from_utf8(&case.source) else {
        // A byte order mark never reaches the parser.
        let mark = ide::ByteOrderMark::of(&case.source);
        return match &case.outcome {
            RecordedOutcome::Refused(complaints)
                if (complaints[0].code == "ILLEGAL_BOM") == mark.is_some() =>
            {
                Ok(())
            }
            RecordedOutcome::Refused(complaints) => Err(format!("{mark:?}; Puppet says {complaints:?}")),
            _ => Err("Puppet accepts a source that is not UTF-8".to_owned()),
        };
    };
    let ours = answer(source, &question(case));
    let errors = || {
        ours.findings
            .iter()
            .filter(|it| it.is_error)
            .map(|it| format!("{}:{} {}", it.line, it.column, it.message))
    };
    match (&case.outcome, &ours.pn) {
        (RecordedOutcome::Refused(complaints), Some(_)) => {
            Err(format!("accepted; Puppet says {complaints:?}"))
        }
        (RecordedOutcome::Refused(_), None) | (RecordedOutcome::AcceptedWithoutPn, Some(_)) => Ok(()),
        (_, None) => Err(format!("rejected: {}", errors().collect::<Vec<_>>().join("; "))),
        (RecordedOutcome::Accepted { pn }, Some(ours)) if pn == ours.as_bytes() => Ok(()),
        // Our tree holds the text of a heredoc once, even if it is also part of a string, a
        // comment, or a template.
        (RecordedOutcome::Accepted { .. }, Some(_))
            if ours.findings.iter().any(|it| it.code == "heredoc-in-string") =>
        {
            Ok(())
        }
        (RecordedOutcome::Accepted { pn }, Some(ours)) => {
            Err(format!("different tree:\n    Puppet {}\n    ours   {ours}", String::from_utf8_lossy(pn)))
        }
    }
}

#[test]
fn cases_agree_with_puppet() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("cases");
    let mut files: Vec<_> = std::fs::read_dir(&folder)
        .expect("the folder of cases exists")
        .flatten()
        .map(|it| it.path())
        .collect();
    files.sort();
    let mut count = 0;
    let mut wrong = Vec::new();
    for file in files.iter().filter(|it| it.extension().is_some_and(|it| it == "md")) {
        let text = std::fs::read_to_string(file).expect("readable");
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        for case in read_cases(&name, &text) {
            count += 1;
            let source = String::from_utf8_lossy(&case.source).into_owned();
            if let Err(error) = check(&case) {
                wrong.push(format!("{}: {source:?}\n  {error}", case.place));
            }
        }
    }
    assert!(count > 5000, "only {count} cases were read");
    assert!(wrong.is_empty(), "{} of {count} differ:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn words_agree_with_puppet() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("words.md");
    let cases = read_words(&std::fs::read_to_string(&path).expect("readable"));
    assert!(cases.len() > 90_000, "only {} cases were read", cases.len());
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|case| {
            let error = check(case).err()?;
            Some(format!(
                "{}: {:?} {:?}\n  {error}",
                case.place,
                String::from_utf8_lossy(&case.source),
                case.options
            ))
        })
        .collect();
    assert!(wrong.is_empty(), "{} of {} differ:\n{}", wrong.len(), cases.len(), wrong.join("\n"));
}
