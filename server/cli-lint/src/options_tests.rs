use cli_common::ColorChoice;
use lint::CHECKS;

use super::{Format, LintOptions, LintRequest, read};

/// Reads a command line without configuration files.
fn options(arguments: &[&str]) -> Result<LintOptions, String> {
    let arguments: Vec<String> = ["--no-config"].iter().chain(arguments).map(|it| (*it).to_owned()).collect();
    match read(&arguments, ColorChoice::Never)? {
        LintRequest::Lint(options) => Ok(*options),
        LintRequest::Print(text) => Err(text),
    }
}

fn defaults() -> Vec<&'static str> {
    CHECKS.iter().filter(|it| it.is_default).map(|it| it.name).collect()
}

#[test]
fn checks_are_switched_by_name() {
    let checks = |arguments: &[&str]| options(arguments).map(|it| it.checks).expect("valid options");
    assert_eq!(checks(&[]), defaults());
    let without: Vec<&str> = defaults().into_iter().filter(|it| *it != "140chars").collect();
    assert_eq!(checks(&["--no-140chars-check"]), without);
    assert_eq!(checks(&["--no-140chars-check", "--140chars-check"]).last(), Some(&"140chars"));
    assert_eq!(checks(&["--only-checks", "80chars,hard_tabs"]), ["80chars", "hard_tabs"]);
    // Unknown checks may be those of plugins.
    assert_eq!(checks(&["--only-checks=80chars,of_a_plugin"]), ["80chars"]);
}

#[test]
fn invalid_options_are_usage_errors() {
    let cases = [
        (&["--only-checks"][..], "option `--only-checks` requires a value"),
        (&["--not-there"], "unknown option `--not-there`"),
        (&["--chars-per-indent", "x"], "invalid value `x` for `--chars-per-indent`; expected a number"),
        (
            &["--error-level=some"],
            "invalid value `some` for `--error-level`; expected `all`, `warning` or `error`",
        ),
    ];
    for (arguments, expected) in cases {
        assert_eq!(options(arguments).err().as_deref(), Some(expected), "{arguments:?}");
    }
}

#[test]
fn levels_and_formats() {
    let levels = |level: &str| {
        let found = options(&["--error-level", level]).expect("a level");
        (found.shows_warnings, found.shows_errors)
    };
    assert_eq!(
        [levels("all"), levels("warning"), levels("error")],
        [(true, true), (true, false), (false, true)]
    );
    let format = |option: &str| options(&[option]).expect("a format").format;
    assert!(format("--json") == Format::Json && format("--sarif") == Format::Sarif);
    assert!(options(&[]).is_ok_and(|it| it.format == Format::Text));
}

#[test]
fn paths_and_ignored_paths() {
    let found = options(&["a.pp", "--", "--fix"]).expect("valid options");
    assert_eq!(found.paths, [std::path::Path::new("a.pp"), std::path::Path::new("--fix")]);
    assert!(found.with_filename && !found.fix);
    assert!(found.is_ignored("vendor/a/b.pp") && !found.is_ignored("manifests/a.pp"));
    let found = options(&["--ignore-paths", "a/*,b/*"]).expect("valid options");
    assert!(found.is_ignored("b/x.pp") && !found.is_ignored("vendor/a/b.pp"));
    // Without a path, the current folder is checked.
    assert_eq!(found.paths, [std::path::Path::new(".")]);
}

#[test]
fn texts_that_are_printed() {
    let printed = |option: &str| options(&[option]).err().unwrap_or_default();
    assert!(printed("--help").contains("\nExit codes:\n"));
    assert_eq!(printed("--list-checks").lines().count(), CHECKS.len());
}

/// Only the user's own format may produce workflow commands.
#[test]
fn log_formats() {
    let found = options(&["--log-format", "::error file=%{path}::%{message}"]).expect("a format");
    assert!(found.prints_commands);
    assert!(options(&["--log-format", "%{path}"]).is_ok_and(|it| !it.prints_commands));
}
