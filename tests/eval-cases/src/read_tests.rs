use super::*;

#[test]
fn all_tables_parse() {
    let cases = read_all_eval_cases().unwrap_or_else(|error| panic!("{error}"));
    assert!(cases.len() >= 1_500, "only {} cases were read", cases.len());
}

#[test]
fn all_parts_of_a_case_are_parsed() {
    let table = "# A title\n\n```eval strict=error strict_variables facts={\"a\":1}\n\n$x\n  +␉1\n=# notice: a␊b␠\n=# warning UNKNOWN_VARIABLE\n=! NOT_NUMERIC 2:3\n\n'‹E2 80 BA›'\n=> '‹E2 80 BA›'\n=: String\n```\n";
    let cases = read_eval_cases("t.md", table).unwrap_or_else(|error| panic!("{error}"));
    let [failed, valued] = cases.as_slice() else { panic!("{cases:?}") };
    assert_eq!((failed.place.as_str(), failed.source.as_str()), ("t.md:7", "$x\n  +\t1"));
    assert_eq!((failed.settings.strict.as_str(), failed.settings.strict_variables), ("error", true));
    assert_eq!(failed.settings.facts["a"], 1);
    let program = LogMessage::Program("a\nb ".to_owned());
    let puppet = LogMessage::Puppet(Some("UNKNOWN_VARIABLE".to_owned()));
    assert_eq!(failed.logs[0], EvalLog { level: "notice".to_owned(), message: program });
    assert_eq!(failed.logs[1], EvalLog { level: "warning".to_owned(), message: puppet });
    let error = EvalError { code: "NOT_NUMERIC".to_owned(), line: Some(2), column: Some(3) };
    assert_eq!(failed.error, Some(error));
    assert_eq!((valued.value.as_deref(), valued.r#type.as_deref()), (Some("'›'"), Some("String")));
    assert_eq!(valued.source, "'›'");
}

#[test]
fn shared_lines_are_prepended_to_later_sources() {
    let outcome = "=> 1\n=: Integer[1, 1]\n";
    let table = format!("```eval\n$a = 1\n=+\n$a\n{outcome}$a + 0\n{outcome}```\n```eval\n1\n{outcome}```\n");
    let cases = read_eval_cases("t.md", &table).unwrap_or_else(|error| panic!("{error}"));
    let sources: Vec<&str> = cases.iter().map(|it| it.source.as_str()).collect();
    assert_eq!(sources, ["$a = 1\n$a", "$a = 1\n$a + 0", "1"]);
}

#[test]
fn case_without_outcome_is_rejected() {
    for table in ["```eval\n1\n=> 1\n```", "```eval\n1\n=# notice: x\n```", "```eval other\n1\n=! A -\n```"] {
        assert!(read_eval_cases("t.md", table).is_err(), "{table}");
    }
}
