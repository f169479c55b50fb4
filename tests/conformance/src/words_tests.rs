use super::*;
use fixture::cases::RecordedOutcome;

#[test]
fn positions_expand_to_words() {
    let text = "```word-list\na\nb c\n```\n```words\n<word> <Word>\n=> (x \"<word>\")\n=m ...\n=! E\n=? W\n=b b\n=! F\n=p a c\n```\n";
    let read: Vec<String> = read_words(text)
        .into_iter()
        .map(|case| {
            let outcome = match case.outcome {
                RecordedOutcome::Accepted { pn } => String::from_utf8(pn).unwrap_or_default(),
                RecordedOutcome::AcceptedWithoutPn => "?".to_owned(),
                RecordedOutcome::Refused(complaints) => complaints[0].code.clone(),
            };
            let source = String::from_utf8(case.source).unwrap_or_default();
            format!("{source} {:?} {outcome} {}", case.options, case.warnings.len())
        })
        .collect();
    let expected = [
        "a A [] (x \"a\") 0",
        "c C [] (x \"c\") 0",
        "b B [] E 1",
        "b B [\"tasks\"] E 1",
        "a A [\"tasks\"] F 0",
        "c C [\"tasks\"] F 0",
    ];
    assert_eq!(read, expected);
}
