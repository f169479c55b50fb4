//! `lint`: takes puppet-lint's options, looks for what puppet-lint and its plugins look for, and prints it as puppet-lint does.

mod mend;
mod options;
mod report;

use std::path::{Path, PathBuf};

use disk::TrustedFolders;
use disk::config::Config;
use lint::{StyleCheck, StyleFinding};
use syntax::{Language, LineMap, Parse};

use self::options::{LintOptions, LintRequest};
use super::files::{self, FileFailure, display_path, replacement};
use super::{ColorChoice, CommandOutcome, terminal, workspace};

/// Something that is told of a file.
struct Problem {
    check: &'static str,
    kind: ProblemKind,
    line: u32,
    column: u32,
    message: String,
    /// Why a comment wants it not to be told.
    reason: Option<String>,
    /// The line it is on.
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

/// The tokens of a longer file would take hundreds of megabytes.
const MAX_LENGTH: usize = 5 << 20;

/// A file and what is told of it.
struct Linted {
    path: PathBuf,
    problems: Vec<Problem>,
    /// How many fixes there are that are made only when the user asks for them.
    held_back: usize,
    /// The text after mending, where that changes it.
    mended: Option<String>,
}

/// What `puppet-lint` itself answers with: 1 for wrong usage too.
pub(super) fn run(arguments: &[String], color: ColorChoice) -> anyhow::Result<CommandOutcome> {
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
    let (paths, mut failures) = files::find_files(&options.paths, excluded, is_linted);
    let paths: Vec<PathBuf> = paths.into_iter().filter(|it| !options.is_ignored(&display_path(it))).collect();
    let trusted = config.trusted(&options.paths);
    let work = |(): &(), path: &PathBuf| {
        Ok::<_, FileFailure>(lint_file(path, &read(&options, path, &trusted)?, &options))
    };
    let results = files::in_parallel(&paths, files::default_threads(), || (), work, |_| {})?;
    let mut linted = Vec::new();
    for result in results {
        match result {
            Ok(mut file) => {
                if let Some(text) = &file.mended
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
    report::print(&linted, &options)?;
    for failure in &failures {
        terminal::print_error(color, &failure.to_string());
    }
    let held_back: usize = linted.iter().map(|it| it.held_back).sum();
    if held_back > 0 {
        let message = format!("{held_back} fixes may change what the code does: `--unsafe-fixes` makes them");
        terminal::print_warning(color, &message);
    }
    let has = |kind| linted.iter().flat_map(|it| &it.problems).any(|it| it.kind == kind);
    let fails = has(ProblemKind::Error)
        || options.fail_on_warnings && has(ProblemKind::Warning)
        || !failures.is_empty();
    Ok(if fails { CommandOutcome::Findings } else { CommandOutcome::Clean })
}

fn is_linted(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "pp") || is_yaml(path)
}

fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|it| it == "yaml" || it == "yml")
}

fn read(options: &LintOptions, path: &PathBuf, trusted: &TrustedFolders) -> Result<String, FileFailure> {
    let text = match options.paths.contains(path) {
        true => files::read_named_text(path),
        false => files::read_found_text(path, trusted),
    }?;
    files::bounded_text(path, text, MAX_LENGTH)
}

fn lint_file(path: &Path, text: &str, options: &LintOptions) -> Linted {
    let place = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    let place = display_path(&place);
    let wanted = |check: &StyleCheck| options.checks.contains(&check.name);
    let mut linted = Linted { path: path.to_owned(), problems: Vec::new(), held_back: 0, mended: None };
    let lines: Vec<&str> = text.split('\n').collect();
    if is_yaml(path) {
        let found = lint::lint_data(text, wanted);
        linted.problems = found.iter().map(|it| problem(it, &lines)).collect();
        return linted;
    }
    let parse = syntax::parse(text, Language::Manifest);
    let found = lint::lint(&parse, &place, &options.lint, wanted);
    if !options.fix || !parse.errors().is_empty() {
        linted.problems =
            syntax_problem(&parse).into_iter().chain(found.iter().map(|it| problem(it, &lines))).collect();
        return linted;
    }
    let may = |finding: &StyleFinding| options.unsafe_fixes || is_safe(finding);
    let fixable = |it: &&StyleFinding| it.ignored.is_none() && !it.fix.is_empty();
    linted.held_back = found.iter().filter(fixable).filter(|it| !may(it)).count();
    let mended = mend::mend(text, &found, may, |text| {
        let parse = syntax::parse(text, Language::Manifest);
        parse.errors().is_empty().then(|| lint::lint(&parse, &place, &options.lint, wanted))
    });
    linted.problems =
        mended.fixed.iter().map(|it| Problem { kind: ProblemKind::Fixed, ..problem(it, &lines) }).collect();
    let lines: Vec<&str> = mended.text.split('\n').collect();
    linted.problems.extend(mended.left.iter().map(|it| problem(it, &lines)));
    linted.mended = (mended.text != text).then_some(mended.text);
    linted
}

fn is_safe(finding: &StyleFinding) -> bool {
    lint::CHECKS.iter().any(|it| it.name == finding.check && it.fix.is_safe())
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

/// A line as it is shown. One that is very long may have thousands of findings, and each of them has it.
fn context(line: &str) -> String {
    const MAX_LENGTH: usize = 4_096;
    line.get(..line.floor_char_boundary(MAX_LENGTH)).unwrap_or(line).to_owned()
}

/// The first thing in a text that Puppet does not take.
fn syntax_problem(parse: &Parse) -> Option<Problem> {
    let error = parse.errors().first()?;
    let text = parse.text();
    let place = LineMap::new(text).line_column(text, error.range.start, syntax::ColumnUnit::Utf32);
    Some(Problem {
        check: "syntax",
        kind: ProblemKind::Error,
        line: place.line + 1,
        column: place.column + 1,
        message: error.message.to_string(),
        reason: None,
        context: text.lines().nth(place.line as usize).map(context).unwrap_or_default(),
    })
}
