//! puppet-lint's options: from its files of settings, then from the command line.

use std::path::{Path, PathBuf};

use disk::TrustedFolders;
use lint::{CHECKS, Options};

use crate::{ColorChoice, files, terminal};

/// What the user wants.
pub(super) enum LintRequest {
    Lint(Box<LintOptions>),
    /// Only this is to be printed.
    Print(String),
}

/// How findings are printed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    Text,
    Json,
    Sarif,
}

pub(super) struct LintOptions {
    pub(super) paths: Vec<PathBuf>,
    pub(super) lint: Options,
    /// The names of the checks that look.
    pub(super) checks: Vec<&'static str>,
    pub(super) fix: bool,
    pub(super) unsafe_fixes: bool,
    pub(super) fail_on_warnings: bool,
    pub(super) format: Format,
    pub(super) log_format: Option<String>,
    /// Does the user want lines that are commands to GitHub?
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
Look for what puppet-lint and the plugins of Vox Pupuli look for

Usage: puppet-analyzer lint [OPTIONS] PATH...

Options are those of puppet-lint. They are read from /etc/puppet-lint.rc, ~/.puppet-lint.rc and ./.puppet-lint.rc first,
one on a line. What writes (--fix, --codeclimate-report-file) counts in your own file and on the command line only.

      --fix                            Mend what can be mended and stays the same to Puppet
      --unsafe-fixes                   With --fix: what may change the catalog too
      --only-checks NAME,NAME          Look for these alone
      --no-NAME-check, --NAME-check    Do not look for one; look for one that is off
      --list-checks                    Print the names of the checks
      --fail-on-warnings               Warnings count for the exit code
      --error-level all|warning|error  What is printed
      --show-ignored                   Print what a comment `lint:ignore:NAME` keeps quiet, too
      --relative                       Paths begin below the module
      --ignore-paths PATTERN,PATTERN   Pass over these files [default: vendor/**/*.pp]
      --top-scope-variables NAME,NAME  Variables of the top scope that are no facts
      --chars-per-indent N             How many blanks a level takes [default: 2]
      --log-format FORMAT              With %{filename} %{path} %{fullpath} %{line} %{column} %{kind} %{KIND} %{check} %{message}
      --with-filename, --with-context  Print the path; print the line
      --json, --sarif                  Print for programs
      --codeclimate-report-file FILE   Write a report for Code Climate
  -c, --config FILE                    Read options from a file
      --no-config                      Read no file of settings but that

Exit codes:
  0  nothing found that is an error
  1  an error found; with --fail-on-warnings, or a warning; or something could not be read; or wrong usage
";

/// Who has written an option.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Author {
    User,
    /// A file of the repository: it may not write or load anything.
    Repository,
}

struct Reader {
    options: LintOptions,
    color: ColorChoice,
    print: Option<String>,
}

/// Reads the files of settings and the arguments; `Err` says what is wrong with them.
pub(super) fn read(arguments: &[String], color: ColorChoice) -> Result<LintRequest, String> {
    let mut reader = Reader { options: LintOptions::new(), color, print: None };
    if !arguments.iter().any(|it| it == "--no-config") {
        reader.file(Path::new("/etc/puppet-lint.rc"), Author::User)?;
        if let Some(home) = std::env::home_dir().filter(|it| it.is_absolute()) {
            reader.file(&home.join(".puppet-lint.rc"), Author::User)?;
        }
        reader.file(Path::new(".puppet-lint.rc"), Author::Repository)?;
    }
    reader.arguments(arguments, Author::User)?;
    if let Some(text) = reader.print {
        return Ok(LintRequest::Print(text));
    }
    let mut options = reader.options;
    if options.paths.is_empty() {
        return Err("no file is named; `puppet-analyzer lint --help` tells how".to_owned());
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

    /// Whether the user wants a file to be passed over.
    pub(super) fn is_ignored(&self, path: &str) -> bool {
        self.ignored_paths.iter().any(|it| lint::path_fits(it.as_bytes(), path.as_bytes()))
    }

    fn enable(&mut self, name: &'static str, on: bool) {
        self.checks.retain(|it| *it != name);
        if on {
            self.checks.push(name);
        }
    }
}

impl Reader {
    /// A file with an option on each line. One that is not there has none.
    fn file(&mut self, path: &Path, author: Author) -> Result<(), String> {
        if !path.exists() {
            return Ok(());
        }
        let here = std::env::current_dir().map_err(|error| error.to_string())?;
        let text = match author {
            Author::User => files::read_named_text(path),
            Author::Repository => files::read_found_text(path, &TrustedFolders::new([here], [])),
        };
        let text = text.map_err(|failure| failure.to_string())?;
        let lines: Vec<String> =
            text.lines().map(str::trim).filter(|it| !it.is_empty()).map(str::to_owned).collect();
        self.arguments(&lines, author)
    }

    fn arguments(&mut self, arguments: &[String], author: Author) -> Result<(), String> {
        let mut rest = arguments.iter().map(String::as_str);
        while let Some(argument) = rest.next() {
            if argument == "--" {
                self.options.paths.extend(rest.by_ref().map(PathBuf::from));
                break;
            }
            if !argument.starts_with('-') || argument == "-" {
                if author == Author::User {
                    self.options.paths.push(PathBuf::from(argument));
                }
                continue;
            }
            let (name, value) = match argument.split_once('=') {
                Some((name, value)) if name.starts_with("--") => (name, Some(value)),
                _ => (argument, None),
            };
            let mut value = || value.or_else(|| rest.next()).ok_or_else(|| format!("`{name}` wants a value"));
            self.option(name, &mut value, author)?;
        }
        Ok(())
    }

    fn option<'a>(
        &mut self,
        name: &str,
        value: &mut dyn FnMut() -> Result<&'a str, String>,
        author: Author,
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
                return if author == Author::User { self.file(&file, author) } else { self.refuse(name) };
            }
            "-l" | "--load" | "--load-from-puppet" => {
                value()?;
                self.warn("Ruby is not run: the checks of a file that is loaded are not looked for");
            }
            "-f" | "--fix" if author == Author::User => options.fix = true,
            "--unsafe-fixes" if author == Author::User => options.unsafe_fixes = true,
            "-f" | "--fix" | "--unsafe-fixes" => return self.refuse(name),
            "--codeclimate-report-file" => match (value()?, author) {
                (path, Author::User) => options.code_climate = Some(path.into()),
                _ => return self.refuse(name),
            },
            "--log-format" => {
                let format = value()?;
                options.prints_commands = author == Author::User && format.starts_with("::");
                options.log_format = Some(format.to_owned());
            }
            "--ignore-paths" => options.ignored_paths = list(value()?),
            "--top-scope-variables" => options.lint.top_scope_variables = list(value()?),
            "--docs-allowed-styles" => options.lint.docs_allowed_styles = list(value()?),
            "--chars-per-indent" => {
                let text = value()?;
                options.lint.chars_per_indent =
                    text.parse().map_err(|_| format!("`--chars-per-indent` wants a number, not `{text}`"))?;
            }
            "--error-level" => {
                let level = value()?;
                options.shows_warnings = matches!(level, "all" | "warning");
                options.shows_errors = matches!(level, "all" | "error");
                if !options.shows_warnings && !options.shows_errors {
                    return Err(format!("`--error-level` is `all`, `warning` or `error`, not `{level}`"));
                }
            }
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

    /// What takes no value: `--json`, `--no-NAME-check`, `--NAME-check`.
    fn switch(&mut self, option: &str) -> Result<(), String> {
        let options = &mut self.options;
        match option {
            "--with-context" => options.with_context = true,
            "--with-filename" => options.with_filename = true,
            "--fail-on-warnings" => options.fail_on_warnings = true,
            "--show-ignored" => options.show_ignored = true,
            "--relative" => options.lint.relative = true,
            "--json" => options.format = Format::Json,
            "--sarif" => options.format = Format::Sarif,
            _ => return self.switch_check(option),
        }
        Ok(())
    }

    /// `--no-NAME-check` or `--NAME-check`.
    fn switch_check(&mut self, option: &str) -> Result<(), String> {
        let name = option.strip_prefix("--").and_then(|it| it.strip_suffix("-check"));
        let Some(name) = name else { return Err(format!("there is no option `{option}`")) };
        match name.strip_prefix("no-") {
            Some(name) => self.check(name, false),
            None => self.check(name, true),
        }
        Ok(())
    }

    /// Checks that nobody here knows are the user's own, or gone: no reason to stop.
    fn check(&mut self, name: &str, on: bool) {
        match CHECKS.iter().find(|it| it.name == name) {
            Some(check) => self.options.enable(check.name, on),
            None => self.warn(&format!("there is no check `{name}`")),
        }
    }

    fn refuse(&self, option: &str) -> Result<(), String> {
        self.warn(&format!(
            "`{option}` in the repository's own .puppet-lint.rc does not count: say it yourself"
        ));
        Ok(())
    }

    fn warn(&self, message: &str) {
        terminal::print_warning(self.color, message);
    }
}
