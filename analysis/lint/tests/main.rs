//! Findings of the checks in small manifests, and the result of their fixes: the cases of `checks.md`.

use lint::{CheckOrigin, Options, PuppetLintConfiguration, StyleCheck, StyleFinding};
use syntax::Language;

/// A case begins with `## name`. The first block is the manifest, `found` lists the findings, and `fixed` is
/// the text after fixing.
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
        let rendered: String = found.iter().map(|it| format!("{}\n", line(it))).collect();
        if rendered != block(body, "found").unwrap_or_default() {
            failures.push(format!("{name}: found\n{rendered}"));
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

#[test]
fn every_check_has_a_case() {
    let cases = include_str!("checks.md");
    let missing: Vec<&str> =
        lint::CHECKS.iter().map(|it| it.name).filter(|it| !cases.contains(&format!("\n## {it}\n"))).collect();
    assert!(missing.is_empty(), "no case for {missing:?}");
}

fn findings(manifest: &str, checks: &[&str]) -> Vec<StyleFinding> {
    findings_in("/m/manifests/init.pp", manifest, checks)
}

fn findings_in(path: &str, manifest: &str, checks: &[&str]) -> Vec<StyleFinding> {
    let parse = syntax::parse(manifest, Language::Manifest);
    lint::lint(&parse, path, &Options::default(), |it| checks.contains(&it.name))
}

/// `plan` is a keyword only in a `plans` folder.
#[test]
fn parameter_order_applies_to_plans() {
    let plan = "# What it does.\nplan m::p(Integer $a = 1, String $b, Boolean $c = true) { }\n";
    let rendered = |path: &str| {
        let found = findings_in(path, plan, &["parameter_order"]);
        found.iter().map(line).collect::<Vec<_>>()
    };
    assert_eq!(rendered("/m/plans/p.pp"), ["2:34 required parameter after an optional one"]);
    assert!(rendered("/m/manifests/p.pp").is_empty());
}

fn line(finding: &StyleFinding) -> String {
    let ignored = finding.ignored.as_ref().map(|it| format!(" (ignored: {it})")).unwrap_or_default();
    format!("{}:{} {}{ignored}", finding.line, finding.column, finding.message)
}

/// Returns the contents of a fenced block; `¶` is a carriage return, `→` a tab, and `·` a space.
fn block(body: &str, language: &str) -> Option<String> {
    let (_, rest) = body.split_once(&format!("```{language}\n"))?;
    let (text, _) = rest.split_once("```")?;
    Some(text.replace('¶', "\r").replace('→', "\t").replace('·', " ").replace("∎\n", ""))
}

#[test]
fn path_patterns() {
    let cases = [
        ("vendor/**/*.pp", "vendor/a/b.pp", true),
        ("vendor/**/*.pp", "vendor/a/b/c.pp", true),
        ("vendor/**/*.pp", "vendor/b.pp", false),
        ("stdlib/*", "stdlib/manifests/init.pp", true),
        ("*.pp", "a/b.pp", true),
        ("a?c", "abc", true),
        ("a[b-d]e", "ace", true),
        ("a[!b-d]e", "ace", false),
        ("", "a", false),
        ("*a*a*a*a*a*b", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", false),
    ];
    for (pattern, path, expected) in cases {
        assert_eq!(lint::path_fits(pattern.as_bytes(), path.as_bytes()), expected, "{pattern} {path}");
    }
}

/// Checks which checks a repository turns off among the default ones, and which it adds.
#[track_caller]
fn check_configuration(
    rc: Option<&str>,
    ruby: &str,
    gemfile: &str,
    off: &[&str],
    on: &[&str],
) -> PuppetLintConfiguration {
    let mut configuration = PuppetLintConfiguration::default();
    if let Some(rc) = rc {
        configuration.read_rc(rc);
    }
    configuration.read_ruby(ruby);
    configuration.read_gemfile(gemfile);
    let names: Vec<&str> = configuration.checks().map(|it| it.name).collect();
    let is_usual = |it: &&StyleCheck| it.is_default && it.origin == CheckOrigin::PuppetLint;
    let usual: Vec<&str> = lint::CHECKS.iter().filter(is_usual).map(|it| it.name).collect();
    let missing: Vec<&str> = usual.iter().copied().filter(|it| !names.contains(it)).collect();
    let added: Vec<&str> = names.iter().copied().filter(|it| !usual.contains(it)).collect();
    assert_eq!((missing, added), (off.to_vec(), on.to_vec()), "{rc:?} {ruby} {gemfile}");
    configuration
}

#[test]
fn puppet_lint_configuration_of_a_repository() {
    let rc = "--fail-on-warnings\n# words\n--no-140chars-check\n--no-not_there-check\n--80chars-check\n\
              --ignore-paths=vendor/*,x\n--top-scope-variables\na,b\n--fix\n--load=./lint.rb\n";
    let found = check_configuration(Some(rc), "", "", &["140chars"], &["80chars"]);
    assert_eq!(found.ignored_paths, Some(vec!["vendor/*".to_owned(), "x".to_owned()]));
    assert_eq!(found.top_scope_variables, Some(vec!["a".to_owned(), "b".to_owned()]));
    assert_eq!((found.refused, found.loaded), (vec!["--fix".to_owned()], vec!["./lint.rb".to_owned()]));

    let ruby = "PuppetLint.configuration.send('disable_140chars') # or not\n\
                # PuppetLint.configuration.send('disable_documentation')\n\
                PuppetLint.configuration.send(\"disable_hard_tabs\")\nPuppetLint.configuration.chars_per_indent = 4\n\
                PuppetLint::RakeTask.new :lint do |config|\n  config.disable_checks = [\n    'file_mode',\n  ]\n\
                  config.ignore_paths = %w[a spec/**/*.pp]\nend\n\
                %w[star_comments slash_comments].each { |it| PuppetLint.configuration.send(\"disable_#{it}\") }\n";
    let off = ["slash_comments", "star_comments", "file_mode", "140chars", "hard_tabs"];
    let found = check_configuration(None, ruby, "", &off, &[]);
    assert_eq!(found.chars_per_indent, Some(4));
    assert_eq!(found.ignored_paths, Some(["a", "spec/**/*.pp", "spec/*.pp"].map(str::to_owned).to_vec()));
    assert!(found.is_used);

    let gems = "gem 'puppet-lint-trailing_comma-check', require: false\n# gem 'puppet-lint-anchor-check'\n\
                gem \"puppet-lint-unquoted_string-check\"\n";
    let on = ["trailing_comma", "unquoted_string_in_case", "unquoted_string_in_selector"];
    let found = check_configuration(None, "task :x", gems, &[], &on);
    assert!(!found.is_used);
}
