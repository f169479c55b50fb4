//! Table of sources with variables of known types, and their results.
//!
//! A line of `unknown.txt` consists of the types of `$x`, `$y`, ... (separated by `;`), `|`, the source,
//! `==>`, and the outcome: the type of an unknown result, `= VALUE` for a known one, `! CODE` for a certain
//! error. `#` begins a comment.

use eval::EvaluationSettings;
use types::{NoTypes, Origin, Value};

const TABLE: &str = include_str!("unknown.txt");
const VARIABLES: [&str; 3] = ["x", "y", "z"];

fn outcome(types: &str, source: &str) -> String {
    let mut session = functions::session(EvaluationSettings::version_7());
    for (name, ty) in VARIABLES.into_iter().zip(types.split(';')) {
        let ty =
            types::parse::parse_type(ty.trim(), &NoTypes).unwrap_or_else(|error| panic!("{ty}: {error}"));
        session.set_variable(name, Value::unknown(ty, Origin::Parameter));
    }
    match session.evaluate("", source).result {
        Ok(Value::Unknown(unknown)) => types::display::type_text(&unknown.ty, &NoTypes),
        Ok(value) => format!("= {}", types::text::to_notation(&value, &NoTypes)),
        Err(failures) => format!("! {}", failures.first().map_or("", |failure| failure.code.as_str())),
    }
}

#[test]
fn unknown_operands_give_the_narrowest_type() {
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in TABLE.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (types, rest) = line.split_once(" | ").unwrap_or_else(|| panic!("no types: {line}"));
        let (source, expected) = rest.rsplit_once(" ==> ").unwrap_or_else(|| panic!("no outcome: {line}"));
        let found = outcome(types, source);
        count += 1;
        if found != expected {
            wrong.push(format!("{types} | {source} => {found}    (not {expected})"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(count > 150, "the table has {count} rows");
}
