//! Questions of kind `lint`: findings of the style checks in a manifest, and the result of each of
//! their fixes.

use lint::{CheckOrigin, Level, Options, StyleFinding};
use serde_json::{Value, json};
use syntax::{Language, SyntaxKind};

/// Checks `source` as the contents of `file` with all checks of puppet-lint and its plugins.
/// `fixes` names the checks whose fixed source is returned.
pub fn lint(request: &Value) -> Value {
    let source = request["source"].as_str().unwrap_or_default();
    let file = request["file"].as_str().unwrap_or_default();
    let found = findings(source, &format!("/{file}"), |it| it.origin != CheckOrigin::Own);
    let definitions = Definitions::of(source);
    let reported = found.iter().flat_map(|it| std::iter::repeat_n(it, definitions.repetitions(it)));
    let problems: Vec<Value> =
        reported.map(|it| json!([it.check, kind(it), it.line, it.column, it.message])).collect();
    let fixes = request["fixes"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let fixes: serde_json::Map<String, Value> =
        fixes.map(|check| (check.to_owned(), apply_fix(source, &format!("/{file}"), check).into())).collect();
    json!({ "problems": problems, "fixes": fixes })
}

fn findings(source: &str, file: &str, wanted: impl Fn(&lint::StyleCheck) -> bool) -> Vec<StyleFinding> {
    let parse = syntax::parse(source, Language::Manifest);
    lint::lint(&parse, file, &Options::default(), wanted)
}

fn kind(finding: &StyleFinding) -> &'static str {
    match (&finding.ignored, finding.level) {
        (Some(_), _) => "ignored",
        (None, Level::Warning) => "warning",
        (None, Level::Error) => "error",
    }
}

fn apply_fix(source: &str, file: &str, check: &str) -> String {
    let found = findings(source, file, |it| it.name == check);
    lint::apply(source, found.iter().filter(|it| it.ignored.is_none()))
}

/// Ranges of the classes and defined types of a file (true for a defined type), and its number of
/// resources.
struct Definitions(Vec<(syntax::TextRange, bool)>, usize);

impl Definitions {
    fn of(source: &str) -> Definitions {
        let root = syntax::parse(source, Language::Manifest).syntax();
        let definitions = root.descendants().filter_map(|it| match it.kind() {
            SyntaxKind::DEFINED_TYPE => Some((it.text_range(), true)),
            SyntaxKind::CLASS_DEFINITION => Some((it.text_range(), false)),
            _ => None,
        });
        let resources = root.descendants().filter(|it| it.kind() == SyntaxKind::RESOURCE_BODY).count();
        Definitions(definitions.collect(), resources)
    }

    /// Returns how many times puppet-lint reports a finding when all checks are on. Four of the
    /// plugins append the defined types to the list of classes that all checks share, so later
    /// checks see each defined type again.
    fn repetitions(&self, finding: &StyleFinding) -> usize {
        let times = match finding.check {
            "parameter_documentation" => 2,
            "parameter_types" | "params_empty_string_assignment" => 3,
            "params_not_optional_with_undef" => 4,
            // This check scans the whole file once per resource.
            "resource_reference_without_whitespace" => return self.1.max(1),
            _ => return 1,
        };
        let ends_after = |(range, _): &&(syntax::TextRange, bool)| range.end > finding.range.start;
        let owner = self.0.iter().filter(ends_after).min_by_key(|(range, _)| range.end);
        if owner.is_some_and(|(_, is_defined_type)| *is_defined_type) { times } else { 1 }
    }
}
