//! Regular expressions compared with Ruby (`tests/record/regexp.rb`), and limits.

use scalars::regexp::{Captures, Regexp, RegexpError, escape};
use serde_json::{Value, json};

fn groups(captures: &Captures) -> Value {
    captures.iter().map(|group| group.map(|it| json!([it.start, it.end]))).collect()
}

fn answer(row: &Value) -> Result<Value, RegexpError> {
    let text = row["t"].as_str().unwrap_or_default();
    let replacement = row["r"].as_str().unwrap_or_default();
    let pattern = row["p"].as_str().expect("every row has a pattern");
    let operation = row["o"].as_str().expect("every row has an operation");
    if operation == "refused" {
        return Ok(json!(matches!(Regexp::new(pattern), Err(RegexpError::Syntax(_)))));
    }
    let regexp = Regexp::new(pattern)?;
    Ok(match operation {
        "match" => regexp.captures_at(text, 0)?.as_ref().map_or(Value::Null, groups),
        "scan" => regexp.scan(text)?.iter().map(groups).collect(),
        "split" => json!(regexp.split(text)?),
        "sub" => json!(regexp.sub(text, replacement).ok()),
        "gsub" => json!(regexp.gsub(text, replacement).ok()),
        "names" => json!(regexp.group_names().collect::<Vec<_>>()),
        "print" => json!([regexp.to_source_text(), regexp.to_delimited_text()]),
        "escape" => json!(escape(text)),
        other => panic!("what is {other}?"),
    })
}

#[test]
fn matches_ruby() {
    let mut wrong = Vec::new();
    for line in include_str!("recorded/regexp.jsonl").lines() {
        let row: Value = serde_json::from_str(line).expect("a recorded row");
        match answer(&row) {
            Ok(found) if found == row["e"] => {}
            found => wrong.push(format!("{line}\n  {found:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn hostile_patterns_terminate() {
    let long = "a".repeat(50_000);
    let short = "a".repeat(40);
    for (pattern, text, expected) in [
        ("(a+)+$b", &long, Ok(false)),
        ("^(a|a)*$", &long, Ok(true)),
        (r"(?=(a+)+b)c", &short, Ok(false)),
        (r"(a*)*\1b", &short, Err(RegexpError::BacktrackLimit)),
        (r"(a+a+)+\1b", &short, Err(RegexpError::BacktrackLimit)),
        ("(?:(?:a{1000}){1000}){1000}", &short, Err(RegexpError::TooComplex)),
        (r"(?:(?:(?!b)a{1000}){1000}){1000}", &short, Ok(false)),
        (r"[[:alpha:]]{100000}", &short, Err(RegexpError::TooComplex)),
        (r"\p{InBasicLatin}", &short, Err(RegexpError::Unsupported("block `inbasiclatin`".to_owned()))),
    ] {
        let found = Regexp::new(pattern).and_then(|it| it.is_match(text));
        assert_eq!(found, expected, "{pattern}");
    }
    // Each of the matches scans to the end of the string.
    let ahead = Regexp::new("(?=a*)").expect("a pattern");
    assert_eq!(ahead.gsub(&long, "b"), Err(RegexpError::BacktrackLimit));
    assert_eq!(ahead.split(&long), Err(RegexpError::BacktrackLimit));
    assert!(ahead.gsub(&long[..1000], "b").is_ok());
    let deep = "(".repeat(5000) + "a" + &")".repeat(5000);
    assert_eq!(Regexp::new(&deep), Err(RegexpError::TooComplex));
    let nested = "(?:a(?!b)".repeat(150) + &")".repeat(150);
    assert!(
        Regexp::new(&nested)
            .is_ok_and(|it| it.is_match("a").is_ok_and(|found| !found) || it.is_match("a").is_err())
    );
}

/// Long strings use separate engines.
#[test]
fn text_after_a_match_is_ignored() {
    let text = "key = 'a\\n' # b\nnext_key: 12.5\n\n";
    let long = format!("{text}{}", " ".repeat(20_000));
    for pattern in [
        "^(\\w+)\\s*[=:]\\s*(.*)$",
        "(?<=# )b$",
        "(?<n>\\d+)\\.(\\d)",
        "\\Akey|^next",
        "(a|b){1,900}",
        "k(?!ey)|'",
        "^$",
        "z",
    ] {
        let regexp = Regexp::new(pattern).expect("a pattern");
        let found = |text: &str| regexp.captures_at(text, 0).map(|it| it.as_ref().map(groups));
        assert_eq!(found(text), found(&long), "{pattern}");
        assert_eq!(regexp.is_match(text), regexp.is_match(&long), "{pattern}");
    }
}

#[test]
fn types_may_contain_invalid_patterns() {
    let regexp = Regexp::unchecked("+a");
    assert_eq!(regexp.source(), "+a");
    for text in ["a", &"a".repeat(20_000)] {
        assert!(matches!(regexp.is_match(text), Err(RegexpError::Syntax(_))));
    }
}

#[test]
fn replacements_name_groups() {
    let regexp = Regexp::new("(?<x>a)").expect("a pattern");
    assert_eq!(regexp.gsub("ab", r"\k<y>"), Err(RegexpError::UndefinedGroup("y".to_owned())));
    assert_eq!(regexp.gsub("ab", r"\k<y"), Err(RegexpError::UnfinishedGroupName));
    assert_eq!(regexp.gsub("bb", r"\k<y>"), Ok("bb".to_owned()));
    let captures = regexp.captures_at("aba", 1).expect("no error").expect("a match");
    assert_eq!(captures.name("x"), Some(2..3));
    assert_eq!(captures.names().collect::<Vec<_>>(), ["x"]);
    assert_eq!(Regexp::new("é").and_then(|it| it.captures_at("é", 1)).map(|it| it.is_none()), Ok(true));
}

#[test]
fn equality_compares_sources() {
    let (a, b) = (Regexp::new("a+"), Regexp::new("a+"));
    assert_eq!(a, b);
    assert_ne!(a, Regexp::new("(a+)"));
    fn shared<T: Send + Sync + Clone>(_: &T) {}
    shared(&a);
}
