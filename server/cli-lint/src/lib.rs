//! `lint`: a replacement for puppet-lint with its options, checks and output, including those of its plugins.

mod fix;
mod options;
mod report;

use std::path::{Path, PathBuf};

use catalog_view::text::plural;
use disk::TrustedFolders;
use disk::config::Config;
use disk::replacement;
use lint::{StyleCheck, StyleFinding};
use syntax::{LineMap, Parse};

use cli_common::files::{self, FileFailure, display_path};
use cli_common::report::unsafe_fixes_message;
use cli_common::{ColorChoice, CommandOutcome, terminal, workspace};

use self::options::{LintOptions, LintRequest};

/// Exit codes and examples of the command's help.
pub const EXAMPLES: &str = "\
Exit codes:
  0  no errors
  1  errors, unreadable files, or usage error; with --fail-on-warnings also warnings

Examples:
  puppet-analyzer lint --fail-on-warnings .
  puppet-analyzer lint --fix manifests
  puppet-analyzer lint --only-checks hard_tabs,trailing_whitespace site.pp
  puppet-analyzer lint --list-checks";

/// A finding in a file.
struct Problem {
    check: &'static str,
    kind: ProblemKind,
    line: u32,
    column: u32,
    message: String,
    /// Reason given in the comment that suppresses the finding.
    reason: Option<String>,
    /// Source line of the finding.
    context: String,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum ProblemKind {
    Warning,
    Error,
    Fixed,
    Ignored,
}

impl ProblemKind {
    fn name(self) -> &'static str {
        match self {
            ProblemKind::Warning => "warning",
            ProblemKind::Error => "error",
            ProblemKind::Fixed => "fixed",
            ProblemKind::Ignored => "ignored",
        }
    }
}

/// Maximum length of a file in bytes. The tokens of a longer one would take hundreds of megabytes.
const MAX_LENGTH: usize = 5 << 20;

/// A file and its findings.
#[derive(Default)]
struct LintedFile {
    path: PathBuf,
    problems: Vec<Problem>,
    /// Number of unsafe fixes that were not applied.
    held_back: usize,
    /// Findings whose fix could not be applied.
    unapplied: Vec<Problem>,
    /// Messages about unmatched control comments.
    unmatched: Vec<String>,
    /// Text after fixing, if it changed.
    fixed: Option<String>,
}

/// Runs the command. Exit codes are those of `puppet-lint`: 1 for usage errors as well.
pub fn run(arguments: &[String], color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let options = match options::read(arguments, color) {
        Ok(LintRequest::Lint(options)) => *options,
        Ok(LintRequest::Print(text)) => {
            terminal::print_text(&text, false)?;
            return Ok(CommandOutcome::Clean);
        }
        Err(message) => {
            terminal::print_error(color, &message);
            return Ok(CommandOutcome::Findings);
        }
    };
    let config = Config::load(&workspace::settings_folder(&options.paths))?;
    let excluded = &config.settings.excluded_paths;
    let named = if options.force_exclude {
        &files::without_excluded(&options.paths, excluded, is_linted)
    } else {
        &options.paths
    };
    let (paths, mut failures) = files::find_files(named, excluded, is_linted);
    let mut paths: Vec<PathBuf> =
        paths.into_iter().filter(|it| !options.is_ignored(&display_path(it))).collect();
    // As in puppet-lint, findings are printed in the order in which the files were named.
    paths.sort_by_key(|path| options.paths.iter().position(|named| path.starts_with(named)));
    let trusted = config.trusted(&options.paths);
    let work = |(): &(), path: &PathBuf| {
        Ok::<_, FileFailure>(lint_file(path, &read(&options, path, &trusted)?, &options))
    };
    let results = files::in_parallel(&paths, files::default_threads(), || (), work, |_| {})?;
    let mut linted = Vec::new();
    for result in results {
        match result {
            Ok(mut file) => {
                if let Some(text) = &file.fixed
                    && let Err(error) = replacement::write(&file.path, text)
                {
                    failures.push(FileFailure::unwritten(&file.path, &error));
                    file.problems.retain(|it| it.kind != ProblemKind::Fixed);
                }
                linted.push(file);
            }
            Err(failure) => failures.push(failure),
        }
    }
    report::print_unmatched(&linted, &options);
    report::print(&linted, &options)?;
    for failure in &failures {
        terminal::print_error(color, &failure.to_string());
    }
    let held_back: usize = linted.iter().map(|it| it.held_back).sum();
    if held_back > 0 {
        let fixes = plural(held_back, "fix", "fixes");
        terminal::print_warning(color, &unsafe_fixes_message(&fixes));
    }
    warn_of_unapplied_fixes(&linted, color);
    let has = |kind| linted.iter().flat_map(|it| &it.problems).any(|it| it.kind == kind);
    let fails = has(ProblemKind::Error)
        || options.fail_on_warnings && has(ProblemKind::Warning)
        || !failures.is_empty();
    Ok(if fails { CommandOutcome::Findings } else { CommandOutcome::Clean })
}

fn warn_of_unapplied_fixes(linted: &[LintedFile], color: ColorChoice) {
    for file in linted {
        let path = output::visible(&display_path(&file.path)).into_owned();
        for Problem { check, line, .. } in &file.unapplied {
            let reason = "it overlaps with another fix, or Puppet could not parse the result";
            let message = format!("`{path}`: did not apply the fix of {check} on line {line}: {reason}");
            terminal::print_warning(color, &message);
        }
    }
}

fn is_linted(path: &Path) -> bool {
    is_yaml(path) || path.extension().is_some_and(|it| it == "pp") && files::is_evaluated_file(path)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "yaml" || it == "yml")
}

fn read(options: &LintOptions, path: &PathBuf, trusted: &TrustedFolders) -> Result<String, FileFailure> {
    let text = if options.paths.contains(path) {
        files::read_named_text(path)?
    } else {
        files::read_found_text(path, trusted)?
    };
    files::bounded_text(path, text, MAX_LENGTH)
}

fn lint_file(path: &Path, text: &str, options: &LintOptions) -> LintedFile {
    let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let path_name = display_path(&absolute);
    let wanted = |check: &StyleCheck| options.checks.contains(&check.name);
    let mut linted = LintedFile { path: path.to_owned(), ..LintedFile::default() };
    let lines: Vec<&str> = text.split('\n').collect();
    if is_yaml(path) {
        let found = lint::lint_data(text, wanted);
        linted.problems = found.iter().map(|it| problem(it, &lines)).collect();
        return linted;
    }
    let parse = files::parse(&absolute, text, false);
    let found = lint::lint(&parse, &path_name, &options.lint, wanted);
    linted.unmatched = lint::unmatched_control_comments(&parse);
    if !options.fix || !parse.errors().is_empty() {
        linted.problems =
            syntax_problem(&parse).into_iter().chain(found.iter().map(|it| problem(it, &lines))).collect();
        return linted;
    }
    let may = |finding: &StyleFinding| options.unsafe_fixes || finding.is_safe();
    let fixable = |it: &&StyleFinding| it.ignored.is_none() && !it.fix.is_empty();
    linted.held_back = found.iter().filter(fixable).filter(|it| !may(it)).count();
    let result = fix::fix(text, &found, may, |text| {
        let parse = files::parse(&absolute, text, false);
        parse.errors().is_empty().then(|| lint::lint(&parse, &path_name, &options.lint, wanted))
    });
    linted.problems =
        result.fixed.iter().map(|it| Problem { kind: ProblemKind::Fixed, ..problem(it, &lines) }).collect();
    let lines: Vec<&str> = result.text.split('\n').collect();
    linted.problems.extend(result.left.iter().map(|it| problem(it, &lines)));
    linted.unapplied =
        result.left.iter().filter(fixable).filter(|it| may(it)).map(|it| problem(it, &lines)).collect();
    linted.fixed = (result.text != text).then_some(result.text);
    linted
}

fn problem(finding: &StyleFinding, lines: &[&str]) -> Problem {
    let kind = match (&finding.ignored, finding.level) {
        (Some(_), _) => ProblemKind::Ignored,
        (None, lint::Level::Warning) => ProblemKind::Warning,
        (None, lint::Level::Error) => ProblemKind::Error,
    };
    Problem {
        check: finding.check,
        kind,
        line: finding.line,
        column: finding.column,
        message: finding.message.clone(),
        reason: finding.ignored.clone().filter(|it| !it.is_empty()),
        context: lines.get(finding.line as usize - 1).map(|it| context(it)).unwrap_or_default(),
    }
}

/// Returns a source line, truncated if it is very long, because each of its findings stores a copy.
fn context(line: &str) -> String {
    const MAX_LENGTH: usize = 4_096;
    line.get(..line.floor_char_boundary(MAX_LENGTH)).unwrap_or(line).to_owned()
}

/// Returns the first syntax error.
fn syntax_problem(parse: &Parse) -> Option<Problem> {
    let error = parse.errors().first()?;
    let text = parse.text();
    let position = LineMap::new(text).line_column(text, error.range.start, syntax::ColumnUnit::Utf32);
    Some(Problem {
        check: "syntax",
        kind: ProblemKind::Error,
        line: position.line + 1,
        column: position.column + 1,
        message: error.message.to_string(),
        reason: None,
        context: text.lines().nth(position.line as usize).map(context).unwrap_or_default(),
    })
}
