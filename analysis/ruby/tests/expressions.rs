//! Comparison with Ruby's results for thousands of expressions, recorded by `record.rb`.

use ruby::Stop;
use types::Value;

/// Maximum number of recorded expressions with an unknown result.
const MAX_UNKNOWN: usize = 2_160;

fn unescaped(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text.chars();
    while let Some(c) = rest.next() {
        match (c, c == '\\') {
            (_, true) => match rest.next() {
                Some('n') => out.push('\n'),
                Some('t') => out.push('\t'),
                Some(other) => out.push(other),
                None => {}
            },
            (c, false) => out.push(c),
        }
    }
    out
}

#[test]
fn expressions_match_ruby_or_are_unknown() {
    let (mut wrong, mut unknown, mut equal) = (Vec::new(), Vec::new(), 0);
    for line in include_str!("expressions.tsv").lines() {
        let (code, expected) = line.split_once('\t').expect("a code and what comes of it");
        let code = if code.starts_with("<<~") { unescaped(code) } else { code.to_owned() };
        let outcome = super::evaluate(&format!("(begin\n{code}\nend).inspect"));
        let known = match &outcome.result {
            Ok(Value::String(text)) => format!("= {text}"),
            Err(Stop::Raise(error)) => {
                if error.class.is_empty() || !expected.starts_with('!') {
                    "!".to_owned()
                } else {
                    format!("! {}", error.class)
                }
            }
            _ => {
                let reason = outcome.reason.map_or_else(String::new, |it| it.what);
                unknown.push(format!("{code}\t{reason}"));
                continue;
            }
        };
        let expected = unescaped(expected);
        let is_equal = match known.as_str() {
            "!" => expected.starts_with('!'),
            known => known == expected,
        };
        if is_equal {
            equal += 1;
        } else {
            wrong.push(format!("{code}\n    Ruby: {expected}\n    here: {known}"));
        }
    }
    if let Ok(path) = std::env::var("RUBY_UNKNOWN") {
        std::fs::write(path, unknown.join("\n")).expect("the list is written");
    }
    println!("{equal} equal, {} unknown, {} wrong", unknown.len(), wrong.len());
    assert!(wrong.is_empty(), "{} are wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(unknown.len() <= MAX_UNKNOWN, "{} are unknown", unknown.len());
}
