//! puppet-lint's options, read from its configuration files and the command line.

use std::path::{Path, PathBuf};

use disk::TrustedFolders;
use lint::{CHECKS, Options};

use cli_common::{ColorChoice, files, terminal};

/// Parsed command line.
pub(super) enum LintRequest {
    Lint(Box<LintOptions>),
    /// Print this text and exit.
    Print(String),
}

/// Output format.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Sarif,
}

pub(super) struct LintOptions {
    pub(super) paths: Vec<PathBuf>,
    pub(super) lint: Options,
    /// Names of the enabled checks.
    pub(super) checks: Vec<&'static str>,
    pub(super) fix: bool,
    pub(super) unsafe_fixes: bool,
    pub(super) fail_on_warnings: bool,
    /// True if named files are skipped as if they had been found by a search.
    pub(super) force_exclude: bool,
    pub(super) format: Format,
    pub(super) log_format: Option<String>,
    /// True if the user's log format produces workflow commands for GitHub.
    pub(super) prints_commands: bool,
    pub(super) with_context: bool,
    pub(super) with_filename: bool,
    pub(super) show_ignored: bool,
    pub(super) shows_warnings: bool,
    pub(super) shows_errors: bool,
    pub(super) annotates: bool,
    pub(super) code_climate: Option<PathBuf>,
    ignored_paths: Vec<String>,
}

const HELP: &str = "\
Run the checks of puppet-lint and Vox Pupuli's plugins

Usage: puppet-analyzer lint [OPTIONS] PATH...

The options are those of puppet-lint. They are first read from /etc/puppet-lint.rc, ~/.puppet-lint.rc and ./.puppet-lint.rc,
one per line. Options that write files (--fix, --codeclimate-report-file) are ignored in ./.puppet-lint.rc.

      --fix                            Apply safe fixes
      --unsafe-fixes                   With --fix: apply fixes that may change behavior as well
      --only-checks NAME,NAME          Only run these checks
      --no-NAME-check, --NAME-check    Disable or enable a check
      --list-checks                    List the names of all checks
      --fail-on-warnings               Exit with code 1 on warnings
      --error-level all|warning|error  Severities to print
      --show-ignored                   Print findings suppressed by `lint:ignore:NAME` comments as well
      --relative                       Check paths relative to the module
      --ignore-paths PATTERN,PATTERN   Files to skip [default: vendor/**/*.pp]
      --force-exclude                  Also skip named files that a search would skip
      --top-scope-variables NAME,NAME  Top-scope variables that are not facts
      --chars-per-indent N             Number of spaces per indentation level [default: 2]
      --log-format FORMAT              Line format with %{filename} %{path} %{fullpath} %{line} %{column} %{kind} %{KIND} %{check} %{message}
      --with-filename, --with-context  Print the path, or the source line
      --json, --sarif                  Print JSON or SARIF
      --codeclimate-report-file FILE   Write a Code Climate report
  -c, --config FILE                    Read options from FILE
      --no-config                      Do not read other configuration files

Exit codes:
  0  no errors
  1  errors, unreadable files, or usage error; with --fail-on-warnings also warnings
";

/// Source of an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OptionSource {
    User,
    /// A file of the repository, whose options must not write or load files.
    Repository,
}

struct Reader {
    options: LintOptions,
    color: ColorChoice,
    print: Option<String>,
}

/// Reads the configuration files and the arguments.
pub(super) fn read(arguments: &[String], color: ColorChoice) -> Result<LintRequest, String> {
    let mut reader = Reader { options: LintOptions::new(), color, print: None };
    if !arguments.iter().any(|it| it == "--no-config") {
        reader.file(Path::new("/etc/puppet-lint.rc"), OptionSource::User)?;
        if let Some(home) = std::env::home_dir().filter(|it| it.is_absolute()) {
            reader.file(&home.join(".puppet-lint.rc"), OptionSource::User)?;
        }
        reader.file(Path::new(".puppet-lint.rc"), OptionSource::Repository)?;
    }
    reader.arguments(arguments, OptionSource::User)?;
    if let Some(text) = reader.print {
        return Ok(LintRequest::Print(text));
    }
    let mut options = reader.options;
    if options.paths.is_empty() {
        options.paths.push(PathBuf::from("."));
    }
    options.with_filename |= options.paths.len() > 1 || options.paths.iter().any(|it| it.is_dir());
    Ok(LintRequest::Lint(Box::new(options)))
}

impl LintOptions {
    fn new() -> LintOptions {
        LintOptions {
            paths: Vec::new(),
            lint: Options::default(),
            checks: CHECKS.iter().filter(|it| it.is_default).map(|it| it.name).collect(),
            fix: false,
            unsafe_fixes: false,
            fail_on_warnings: false,
            force_exclude: false,
            format: Format::Text,
            log_format: None,
            prints_commands: false,
            with_context: false,
            with_filename: false,
            show_ignored: false,
            shows_warnings: true,
            shows_errors: true,
            annotates: std::env::var_os("GITHUB_ACTION").is_some(),
            code_climate: std::env::var_os("CODECLIMATE_REPORT_FILE").map(PathBuf::from),
            ignored_paths: vec!["vendor/**/*.pp".to_owned()],
        }
    }

    /// Returns true if a file is skipped according to `--ignore-paths`.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        self.ignored_paths.iter().any(|it| lint::path_fits(it.as_bytes(), path.as_bytes()))
    }

    fn set_error_level(&mut self, option: &str, level: &str) -> Result<(), String> {
        self.shows_warnings = matches!(level, "all" | "warning");
        self.shows_errors = matches!(level, "all" | "error");
        if !self.shows_warnings && !self.shows_errors {
            return Err(invalid_value(option, level, "`all`, `warning` or `error`"));
        }
        Ok(())
    }

    fn enable(&mut self, name: &'static str, on: bool) {
        self.checks.retain(|it| *it != name);
        if on {
            self.checks.push(name);
        }
    }
}

impl Reader {
    /// Reads a file with one option per line, if it exists.
    fn file(&mut self, path: &Path, source: OptionSource) -> Result<(), String> {
        if !path.exists() {
            return Ok(());
        }
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        let text = match source {
            OptionSource::User => files::read_named_text(path),
            OptionSource::Repository => files::read_found_text(path, &TrustedFolders::new([here], [])),
        };
        let text = text.map_err(|failure| failure.to_string())?;
        let lines: Vec<String> =
            text.lines().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect();
        self.arguments(&lines, source)
    }

    fn arguments(&mut self, arguments: &[String], source: OptionSource) -> Result<(), String> {
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            if argument == "--" {
                self.options.paths.extend(rest.by_ref().map(PathBuf::from));
                break;
            }
            if !argument.starts_with('-') || argument == "-" {
                if source == OptionSource::User {
                    self.options.paths.push(PathBuf::from(argument));
                }
                continue;
            }
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (argument, None),
            };
            let name = lint::full_option_name(name).map_err(|options| {
                format!("ambiguous option `{name}`\nhelp: use one of `{}`", options.join("`, `"))
            })?;
            let mut value =
                || value.or_else(|| rest.next()).ok_or_else(|| format!("option `{name}` requires a value"));
            self.option(&name, &mut value, source)?;
        }
        Ok(())
    }

    fn option<'a>(
        &mut self,
        name: &str,
        value: &mut dyn FnMut() -> Result<&'a str, String>,
        source: OptionSource,
    ) -> Result<(), String> {
        let options = &mut self.options;
        let list = |text: &str| text.split(',').map(str::to_owned).collect();
        match name {
            "--help" | "-h" => self.print = Some(HELP.to_owned()),
            "--version" => self.print = Some(format!("puppet-analyzer {}\n", env!("CARGO_PKG_VERSION"))),
            "--list-checks" => self.print = Some(CHECKS.iter().map(|it| format!("{}\n", it.name)).collect()),
            "--no-config" => {}
            "-c" | "--config" => {
                let file = PathBuf::from(value()?);
                return if source == OptionSource::User {
                    self.file(&file, source)
                } else {
                    self.refuse(name)
                };
            }
            "-l" | "--load" | "--load-from-puppet" => {
                value()?;
                self.warn("checks in Ruby files are not supported");
            }
            "-f" | "--fix" if source == OptionSource::User => options.fix = true,
            "--unsafe-fixes" if source == OptionSource::User => options.unsafe_fixes = true,
            "-f" | "--fix" | "--unsafe-fixes" => return self.refuse(name),
            "--codeclimate-report-file" => match (value()?, source) {
                (path, OptionSource::User) => options.code_climate = Some(path.into()),
                _ => return self.refuse(name),
            },
            "--log-format" => {
                let format = value()?;
                options.prints_commands = source == OptionSource::User && format.starts_with("::");
                options.log_format = Some(format.to_owned());
            }
            "--ignore-paths" => options.ignored_paths = list(value()?),
            "--top-scope-variables" => options.lint.top_scope_variables = list(value()?),
            "--docs-allowed-styles" => options.lint.docs_allowed_styles = list(value()?),
            "--chars-per-indent" => {
                let text = value()?;
                options.lint.chars_per_indent =
                    text.parse().map_err(|_| invalid_value(name, text, "a number"))?;
            }
            "--error-level" => options.set_error_level(name, value()?)?,
            "--only-checks" => {
                options.checks.clear();
                for name in value()?.split(',') {
                    self.check(name, true);
                }
            }
            _ => return self.switch(name),
        }
        Ok(())
    }

    /// Handles options without a value: `--json`, `--no-NAME-check`, `--NAME-check`.
    fn switch(&mut self, option: &str) -> Result<(), String> {
        let options = &mut self.options;
        match option {
            "--with-context" => options.with_context = true,
            "--with-filename" => options.with_filename = true,
            "--fail-on-warnings" => options.fail_on_warnings = true,
            "--force-exclude" => options.force_exclude = true,
            "--show-ignored" => options.show_ignored = true,
            "--relative" => options.lint.relative = true,
            "--json" => options.format = Format::Json,
            "--sarif" => options.format = Format::Sarif,
            _ => return self.switch_check(option),
        }
        Ok(())
    }

    /// Handles `--no-NAME-check` and `--NAME-check`.
    fn switch_check(&mut self, option: &str) -> Result<(), String> {
        let name = option.strip_prefix("--").and_then(|it| it.strip_suffix("-check"));
        let Some(name) = name else { return Err(format!("unknown option `{option}`")) };
        match name.strip_prefix("no-") {
            Some(name) => self.check(name, false),
            None => self.check(name, true),
        }
        Ok(())
    }

    /// Enables or disables a check. Unknown checks only cause a warning: they may be the user's own, or
    /// removed ones.
    fn check(&mut self, name: &str, on: bool) {
        match CHECKS.iter().find(|it| it.name == name) {
            Some(check) => self.options.enable(check.name, on),
            None => self.warn(&format!("unknown check `{name}`")),
        }
    }

    fn refuse(&self, option: &str) -> Result<(), String> {
        self.warn(&format!(
            "ignoring `{option}` in the .puppet-lint.rc of the repository\nhelp: pass it on the command line"
        ));
        Ok(())
    }

    fn warn(&self, message: &str) {
        terminal::print_warning(self.color, message);
    }
}

fn invalid_value(option: &str, value: &str, expected: &str) -> String {
    format!("invalid value `{value}` for `{option}`; expected {expected}")
}

#[cfg(test)]
#[path = "options_tests.rs"]
mod tests;
