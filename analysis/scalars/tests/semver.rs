//! Versions and ranges compared with SemanticPuppet (`tests/record/semver.rb`).

use scalars::semver::{Version, VersionRange};
use serde_json::{Value, json};

fn version(text: &Value) -> Version {
    match text.as_str() {
        Some("max") => Version::MAX,
        Some("0.0.0-") => Version::MIN,
        text => Version::parse(text.expect("a version")).expect("a version"),
    }
}

fn bound(version: Option<&Version>) -> Value {
    match version {
        Some(version) if *version == Version::MAX => json!("max"),
        version => json!(version.map(Version::to_string)),
    }
}

fn range(text: &Value) -> Option<VersionRange> {
    VersionRange::parse(text.as_str().expect("a range")).ok()
}

fn joined(identifiers: Option<Vec<String>>) -> Option<String> {
    identifiers.map(|it| it.join("."))
}

struct Table {
    versions: Vec<Version>,
}

impl Table {
    fn included(&self, range: &VersionRange) -> String {
        self.versions.iter().map(|version| if range.includes(version) { '1' } else { '0' }).collect()
    }

    fn answer(&self, question: &str, subject: &Value) -> Value {
        match question {
            "version" => {
                let Ok(version) = Version::parse(subject.as_str().expect("a string")) else {
                    return Value::Null;
                };
                json!([
                    version.to_string(),
                    version.major,
                    version.minor,
                    version.patch,
                    joined(
                        version.prerelease.as_ref().map(|it| it.iter().map(ToString::to_string).collect())
                    ),
                    joined(version.build.clone()),
                    version.is_stable(),
                ])
            }
            "compare" => {
                let (a, b) = (version(&subject[0]), version(&subject[1]));
                json!([a.compare(&b) as i8, a == b])
            }
            "range" => match range(subject) {
                Some(range) => json!([
                    range.to_string(),
                    range.to_canonical_text(),
                    bound(range.min()),
                    bound(range.max()),
                    range.max().map(|_| range.excludes_max()),
                    self.included(&range),
                ]),
                None => Value::Null,
            },
            "intersection" => {
                let (Some(a), Some(b)) = (range(&subject[0]), range(&subject[1])) else {
                    return json!("no ranges");
                };
                json!([a.intersection(&b).to_string(), a == b])
            }
            "limits" => {
                let range = VersionRange::new(version(&subject[0]), version(&subject[1]), subject[2] == true);
                json!([
                    range.to_string().replace("Infinity.0.0", "max"),
                    range.to_canonical_text(),
                    self.included(&range)
                ])
            }
            "merge" => {
                let ranges = subject.as_array().expect("ranges").iter().filter_map(range).collect();
                let merged = VersionRange::merge_all(ranges);
                merged.iter().map(|it| json!([it.to_canonical_text(), self.included(it)])).collect()
            }
            other => panic!("what is {other}?"),
        }
    }
}

#[test]
fn matches_semantic_puppet() {
    let rows = include_str!("recorded/semver.jsonl").lines();
    let rows: Vec<Value> = rows.map(|line| serde_json::from_str(line).expect("a recorded row")).collect();
    let versions = rows.iter().filter(|row| row[0] == "version" && !row[2].is_null());
    // The last few are not used to probe the ranges.
    let count =
        rows.iter().find(|row| row[0] == "range").and_then(|row| row[2][5].as_str()).map_or(0, str::len);
    let table = Table { versions: versions.take(count).map(|row| version(&row[1])).collect() };
    let mut wrong = Vec::new();
    for row in &rows {
        let found = table.answer(row[0].as_str().expect("a question"), &row[1]);
        if found != row[2] {
            wrong.push(format!("{row}\n  {found}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
