//! What the checks find in small manifests, and what their fixes make of them: the cases of `checks.md`.

use lint::{Finding, Options};
use syntax::Language;

/// A case begins with `## name`; the first block is the manifest, `found` what is told, `fixed` the text after mending.
#[test]
fn cases() {
    let mut failures = Vec::new();
    let mut count = 0;
    for case in include_str!("checks.md").split("\n## ").skip(1) {
        count += 1;
        let (name, body) = case.split_once('\n').expect("a case has a body");
        let checks: Vec<&str> = name.split_whitespace().collect();
        let manifest = block(body, "puppet").unwrap_or_default();
        let found = findings(&manifest, &checks);
        let told: String = found.iter().map(|it| format!("{}\n", line(it))).collect();
        if told != block(body, "found").unwrap_or_default() {
            failures.push(format!("{name}: found\n{told}"));
        }
        let fixed = lint::apply(&manifest, found.iter().filter(|it| it.ignored.is_none()));
        let expected = block(body, "fixed").unwrap_or_else(|| manifest.clone());
        if fixed != expected {
            failures.push(format!("{name}: fixed\n{fixed}"));
        }
    }
    assert!(count > 40, "there are cases");
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

/// Every check has a case.
#[test]
fn every_check_is_tried() {
    let cases = include_str!("checks.md");
    let missing: Vec<&str> =
        lint::CHECKS.iter().map(|it| it.name).filter(|it| !cases.contains(&format!("\n## {it}\n"))).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

fn findings(manifest: &str, checks: &[&str]) -> Vec<Finding> {
    let parse = syntax::parse(manifest, Language::Manifest);
    lint::lint(&parse, "/m/manifests/init.pp", &Options::default(), |it| checks.contains(&it.name))
}

fn line(finding: &Finding) -> String {
    let ignored = finding.ignored.as_ref().map(|it| format!(" (ignored: {it})")).unwrap_or_default();
    format!("{}:{} {}{ignored}", finding.line, finding.column, finding.message)
}

/// The text of a fenced block, `¶` for a carriage return, `→` for a tab, `·` for a blank.
fn block(body: &str, language: &str) -> Option<String> {
    let (_, rest) = body.split_once(&format!("```{language}\n"))?;
    let (text, _) = rest.split_once("```")?;
    Some(text.replace('¶', "\r").replace('→', "\t").replace('·', " ").replace("∎\n", ""))
}
