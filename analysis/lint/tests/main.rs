//! Findings of the checks in small manifests, and the result of their fixes: the cases of the rules, in `cases.md`.

use fixture::rule_cases::RuleCases;
use lint::{CheckOrigin, Options, PuppetLintConfiguration, StyleCheck, StyleFinding};
use syntax::Language;

/// A case of `cases.md` begins with `## name`. The block `puppet` is the manifest, `found` lists the findings (1-based
/// line and column), and `fixed` is the text after fixing if it differs.
#[test]
fn cases() {
    let (mut failures, mut missing) = (Vec::new(), Vec::new());
    for check in lint::CHECKS {
        let cases = RuleCases::beside(&page_of(check));
        let is_of_check = |heading: &str| heading.split_whitespace().next() == Some(check.name);
        let mut count = 0;
        for (heading, body) in cases.headings().filter(|(heading, _)| is_of_check(heading)) {
            count += 1;
            failures.extend(failure_of_case(heading, body));
        }
        if count == 0 {
            missing.push(check.name);
        }
    }
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    assert!(missing.is_empty(), "no case for {missing:?}");
}

/// Returns the path of the page of a check.
fn page_of(check: &StyleCheck) -> String {
    let folder = if check.is_own_rule() { "analysis/lint/src/checks" } else { "analysis/check/src/rules" };
    format!("{folder}/{}/page.md", check.code)
}

fn failure_of_case(heading: &str, body: &str) -> Option<String> {
    let checks: Vec<&str> = heading.split_whitespace().collect();
    let manifest = block(body, "puppet").unwrap_or_default();
    let found = findings(&manifest, &checks);
    let rendered: String = found.iter().map(|it| format!("{}\n", line(it))).collect();
    if rendered != block(body, "found").unwrap_or_default() {
        return Some(format!("{heading}: found\n{rendered}"));
    }
    let fixed = lint::apply(&manifest, found.iter().filter(|it| it.ignored.is_none()));
    let expected = block(body, "fixed").unwrap_or_else(|| manifest.clone());
    (fixed != expected).then(|| format!("{heading}: fixed\n{fixed}"))
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
    configuration.read_rakefile(ruby);
    configuration.read_gemfile(gemfile);
    let names: Vec<&str> = configuration.checks().map(|it| it.name).collect();
    let is_usual = |it: &&StyleCheck| it.is_default && it.origin == CheckOrigin::PuppetLint;
    let usual: Vec<&str> = lint::CHECKS.iter().filter(is_usual).map(|it| it.name).collect();
    let missing: Vec<&str> = usual.iter().copied().filter(|it| !names.contains(it)).collect();
    let added: Vec<&str> = names.iter().copied().filter(|it| !usual.contains(it)).collect();
    assert_eq!((missing, added), (off.to_vec(), on.to_vec()), "{rc:?} {ruby} {gemfile}");
    configuration
}

/// Checks the enabled checks and ignored paths that a `Rakefile` and the versions of gems lead to.
#[test]
fn tasks_and_versions_of_gems() {
    let configuration = |rakefile: &str, gemfile: &str, lock: &str| {
        let mut configuration = PuppetLintConfiguration::default();
        configuration.read_rakefile(rakefile);
        configuration.read_gemfile(gemfile);
        configuration.read_gemfile_lock(lock);
        configuration
    };
    let vox = "begin\n  require 'voxpupuli/test/rake'\nrescue LoadError\nend\n";
    let spec_helper = "require 'puppetlabs_spec_helper/rake_tasks'\n";
    let test = |version: &str| format!("gem 'voxpupuli-test', '{version}', :require => false\n");
    // Columns: tasks, `Gemfile`, lock file, and whether `140chars` is on, types are ignored, each bracket
    // indents once, and `exec_idempotency` is on.
    let cases = [
        (vox, test("~> 14.0"), "", [false, false, false, true]),
        (vox, test("~> 12.0"), "", [false, false, false, false]),
        (vox, test("~> 7.0"), "", [false, true, true, false]),
        (spec_helper, test("~> 7.0"), "", [false, true, true, false]),
        (spec_helper, test(">= 5"), "", [false, true, false, true]),
        ("# require 'voxpupuli/test/rake'\n", test("> 1"), "", [true, false, false, true]),
        (vox, test("~> 14"), "    voxpupuli-puppet-lint-plugins (5.0.0)\n", [false, false, true, false]),
        (vox, test("~> 14"), "    puppet-lint-strict_indent-check (3.0.0)\n", [false, false, true, true]),
        ("", "gem 'voxpupuli-puppet-lint-plugins', '~> 5.0'\n".into(), "", [true, false, true, false]),
        ("", "gem 'voxpupuli-puppet-lint-plugins', '>= 5', '< 7'\n".into(), "", [true, false, false, false]),
        ("", "gem 'voxpupuli-puppet-lint-plugins'\n".into(), "", [true, false, false, true]),
        ("", "gem 'puppet-lint-strict_indent-check', '3.0.0'\n".into(), "", [true, false, true, false]),
    ];
    for (rakefile, gemfile, lock, expected) in cases {
        let found = configuration(rakefile, &gemfile, lock);
        let has = |name: &str| found.checks().any(|it| it.name == name);
        let ignored = found.ignored_paths.iter().flatten();
        let found = [
            has("140chars"),
            ignored.clone().any(|it| it == "types/*.pp"),
            found.indents_each_bracket(),
            has("exec_idempotency"),
        ];
        assert_eq!(found, expected, "{rakefile}{gemfile}{lock}");
    }
}

/// `strict_indent` before version 4 counts each bracket.
#[test]
fn brackets_may_indent_separately() {
    let text = "type M::R = Struct[{\n    name => String,\n}]\ntype M::S = Struct[{\n  name => String,\n}]\n";
    let lines = |indents_each_bracket: bool| {
        let parse = syntax::parse(text, Language::Manifest);
        let options = Options { indents_each_bracket, ..Options::default() };
        let found = lint::lint(&parse, "/m/types/r.pp", &options, |it| it.name == "strict_indent");
        found.iter().map(|it| it.line).collect::<Vec<_>>()
    };
    assert_eq!((lines(false), lines(true)), (vec![2], vec![5]));
}

#[test]
fn control_comments_without_partner() {
    let check = |text: &str, expected: &[&str]| {
        let parse = syntax::parse(text, Language::Manifest);
        assert_eq!(lint::unmatched_control_comments(&parse), expected, "{text}");
    };
    let end = "lint:endignore comment with no opening lint:ignore:<check> comment found on line";
    check(
        "# lint:endignore\n# lint:ignore:140chars\n$x = 1\n",
        &[
            &format!("{end} 1"),
            "lint:ignore:140chars comment on line 2 with no closing lint:endignore comment found",
        ],
    );
    check("# lint:ignore:a lint:ignore:b\n$x = 1 # lint:ignore:c\n# lint:endignore\n", &[]);
    check("$x = 1 # lint:endignore\n", &[&format!("{end} 1")]);
    check(
        "# lint:ignore:a\n# lint:ignore:b\n# lint:endignore\n# lint:ignore-file:c\n",
        &["lint:ignore:a comment on line 1 with no closing lint:endignore comment found"],
    );
}

#[test]
fn options_may_be_shortened() {
    let check = |name: &str, expected: Result<&str, usize>| {
        let found = lint::full_option_name(name).map_err(|it| it.len());
        assert_eq!(found.as_deref().map_err(|it| *it), expected, "{name}");
    };
    check("--no-140chars", Ok("--no-140chars-check"));
    check("--no-autoloader_layout", Ok("--no-autoloader_layout-check"));
    check("--fail-on", Ok("--fail-on-warnings"));
    check("--fix", Ok("--fix"));
    check("--load", Ok("--load"));
    check("--not-there", Ok("--not-there"));
    check("--no-not_there-check", Ok("--no-not_there-check"));
    check("-f", Ok("-f"));
    check("--no-selector", Ok("--no-selector_inside_resource-check"));
    check("--with-", Err(2));
}

/// Checks that a fix that turns text into an access is not applied as a safe one.
#[test]
fn safe_fixes_keep_the_meaning() {
    let is_safe = |it: &&StyleFinding| it.is_safe() && !it.fix.is_empty();
    let text = "$w = { 'os' => { 'family' => 'Deb' } }\nnotice(\"$w[os][family] $w $w[0]x $w-y $w.z\")\n";
    let found = findings(text, &["variables_not_enclosed"]);
    let fixed = lint::apply(text, found.iter().filter(is_safe));
    assert!(fixed.ends_with("notice(\"$w[os][family] ${w} $w[0]x ${w}-y ${w}.z\")\n"), "{fixed}");
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
