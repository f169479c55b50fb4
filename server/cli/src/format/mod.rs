//! `format`: formats manifests in place, or shows the changes.

use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};

use catalog_view::text::plural;
use disk::TrustedFolders;
use disk::config::{Config, FormatLayer};
use disk::replacement;
use format::{FormatEdit, Formatted, UnformattedReason};
use git::unified;
use syntax::{LineMap, Parse, TextRange};

use super::files::{self, FileFailure, display_path};
use super::report::github;
use super::{ColorChoice, CommandOutcome, terminal, workspace};

pub(super) const EXAMPLES: &str = "\
Code between `# format:off` and `# format:on`, and the statement after `# format:ignore`, is not formatted.

Exit codes:
  0  success; with --check or --diff: all files are formatted
  1  with --check or --diff: some files would change
  2  usage error, or a file that could not be read, written or completely formatted

Examples:
  puppet-analyzer format
  puppet-analyzer format --check manifests
  puppet-analyzer format --diff site.pp
  puppet-analyzer format --range 10:20 site.pp
  cat site.pp | puppet-analyzer format -";

#[derive(clap::Args, Debug)]
pub(super) struct FormatArguments {
    /// Files and folders to format; `-` reads standard input and prints the result. Folders are searched for
    /// `.pp` and `.epp` files; ignore files are respected
    #[arg(value_name = "PATH", default_value = ".")]
    paths: Vec<PathBuf>,

    /// List the files that would change instead of writing them
    #[arg(long)]
    check: bool,

    /// Print a diff instead of writing files
    #[arg(long)]
    diff: bool,

    /// Output format of `--check` and `--diff`
    #[arg(long, value_enum, default_value_t = FormatOutput::Text)]
    format: FormatOutput,

    /// Only format the statements on these lines of a single file, counted from 1
    #[arg(long, value_name = "FROM:TO", value_parser = line_range)]
    range: Option<RangeInclusive<u32>>,

    /// Path to assume for standard input
    #[arg(long, value_name = "PATH")]
    stdin_path: Option<PathBuf>,

    /// Also skip named files that a search would skip: excluded and hidden ones, and those of other kinds
    #[arg(long)]
    force_exclude: bool,
}

/// Output format of the changes that would be made.
#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum FormatOutput {
    /// Names of the files, or a diff
    Text,
    /// GitHub workflow commands that annotate the lines
    Github,
}

fn line_range(text: &str) -> Result<RangeInclusive<u32>, String> {
    let (from, to) = text.split_once(':').unwrap_or((text, text));
    let number = |it: &str| it.parse::<u32>().ok().filter(|it| *it > 0);
    match (number(from), number(to)) {
        (Some(from), Some(to)) if from <= to => Ok(from..=to),
        _ => Err("expected a line range such as `10:20`".to_owned()),
    }
}

/// State shared by all files.
struct FormatRun<'a> {
    arguments: &'a FormatArguments,
    settings: FormatLayer,
    trusted: TrustedFolders,
    has_tasks: bool,
}

/// Result of formatting a file.
struct FormattedFile {
    path: PathBuf,
    text: String,
    edits: Vec<FormatEdit>,
    /// Parts that were not formatted: the line where each begins, and the reason.
    left: Vec<(u32, UnformattedReason)>,
}

pub(super) fn run(arguments: &FormatArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let is_stdin = arguments.paths == [Path::new("-")];
    if arguments.range.is_some() && !is_stdin && !matches!(arguments.paths.as_slice(), [one] if one.is_file())
    {
        anyhow::bail!("`--range` requires exactly one file");
    }
    let config = Config::load(&workspace::settings_folder(&arguments.paths))?;
    let run = FormatRun {
        arguments,
        settings: config.format,
        trusted: config.trusted(&trusted_folders(arguments)),
        has_tasks: config.settings.tasks,
    };
    for message in &config.ignored {
        terminal::print_warning(color, message);
    }
    if is_stdin {
        return format_stdin(&run, color);
    }
    let excluded = &config.settings.excluded_paths;
    let named = if arguments.force_exclude {
        &files::without_excluded(&arguments.paths, excluded, is_formatted)
    } else {
        &arguments.paths
    };
    let (paths, failures) = files::find_files(named, excluded, is_formatted);
    let limit = config.settings.large_file_limit;
    let work = |(): &(), path: &PathBuf| {
        let is_named = arguments.paths.contains(path);
        let text = if is_named {
            files::read_named_text(path)?
        } else {
            files::read_found_text(path, &run.trusted)?
        };
        if text.len() > limit {
            let reason = format!("file is larger than {limit} bytes (`large-file-limit`)");
            return Err(FileFailure { path: path.clone(), reason, is_undecoded: false });
        }
        let formatted = run.format(path, text);
        if !arguments.check && !arguments.diff && !formatted.edits.is_empty() {
            let failure = |error| FileFailure::unwritten(path, &error);
            replacement::write(path, &formatted.result()).map_err(failure)?;
        }
        Ok::<_, FileFailure>(formatted)
    };
    let results = files::in_parallel(&paths, files::default_threads(), || (), work, |_| {})?;
    let mut failures: Vec<FileFailure> = failures;
    let mut formatted = Vec::new();
    for result in results {
        match result {
            Ok(file) => formatted.push(file),
            Err(failure) => failures.push(failure),
        }
    }
    print_results(arguments, color, &formatted, &failures)
}

/// Returns the folders of the files, whose settings apply.
fn trusted_folders(arguments: &FormatArguments) -> Vec<PathBuf> {
    let here = PathBuf::from(".");
    let folder = |path: &PathBuf| {
        if path.is_dir() {
            path.clone()
        } else {
            path.parent().filter(|it| !it.as_os_str().is_empty()).map_or(here.clone(), Path::to_owned)
        }
    };
    arguments.paths.iter().map(folder).chain([here.clone()]).collect()
}

fn is_formatted(path: &Path) -> bool {
    files::is_evaluated_file(path)
}

fn format_stdin(run: &FormatRun<'_>, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let path = run.arguments.stdin_path.clone().unwrap_or_else(|| PathBuf::from("<stdin>"));
    let text = match files::read_stdin(&path) {
        Ok(text) => text,
        Err(failure) => {
            terminal::print_error(color, &failure.to_string());
            return Ok(CommandOutcome::Failure);
        }
    };
    // Formatting walks trees recursively.
    let file = files::on_deep_stack(|| run.format(&path, text))?;
    if !run.arguments.check && !run.arguments.diff {
        terminal::print_bytes(file.result().as_bytes())?;
    }
    print_results(run.arguments, color, std::slice::from_ref(&file), &[])
}

impl FormatRun<'_> {
    fn format(&self, path: &Path, text: String) -> FormattedFile {
        let absolute = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        let options = self.settings.options_for(&absolute, &self.trusted);
        let parse = || files::parse(&absolute, &text, self.has_tasks);
        let Formatted { mut edits, unformatted: left } = match files::language(&absolute, self.has_tasks) {
            Some(language) => format::format_text(&text, language, &options),
            None => format::format(&parse(), &options),
        };
        if let Some(range) = &self.arguments.range {
            let parse = parse();
            edits = format::edits_in_range(&parse, edits, range_of_lines(&parse, range));
        }
        let lines = std::cell::LazyCell::new(|| LineMap::new(&text));
        let left = left.iter().map(|(range, reason)| (lines.line(range.start) + 1, *reason)).collect();
        FormattedFile { path: path.to_owned(), text, edits, left }
    }
}

/// Returns the range of some lines without leading indentation.
fn range_of_lines(parse: &Parse, wanted: &RangeInclusive<u32>) -> TextRange {
    let lines: &LineMap = parse.lines();
    let last = lines.line_count().saturating_sub(1);
    let first = lines.line_range((wanted.start() - 1).min(last));
    let end = lines.line_range((wanted.end() - 1).min(last)).end;
    let text = &parse.text()[first.start as usize..end as usize];
    let indent = text.len() - text.trim_start().len();
    TextRange::new(first.start + indent as u32, first.start + (text.trim_end().len().max(indent)) as u32)
}

impl FormattedFile {
    fn result(&self) -> String {
        format::apply(&self.text, &self.edits)
    }
}

/// Prints the results and returns the outcome.
fn print_results(
    arguments: &FormatArguments,
    color: ColorChoice,
    files: &[FormattedFile],
    failures: &[FileFailure],
) -> anyhow::Result<CommandOutcome> {
    let mut out = String::new();
    let changed = files.iter().filter(|it| !it.edits.is_empty());
    let is_github = arguments.format == FormatOutput::Github && (arguments.check || arguments.diff);
    for file in changed.clone() {
        let name = output::visible(&display_path(&file.path)).into_owned();
        if is_github {
            out.push_str(&annotations(&name, file));
        } else if arguments.diff {
            out.push_str(&unified::diff(&name, &file.text, &file.edits));
        } else if arguments.check {
            out.push_str(&format!("{name}\n"));
        }
    }
    if is_github {
        terminal::print_commands(&out)?
    } else {
        terminal::print_text(&out, false)?
    }
    for file in files {
        for (line, reason) in &file.left {
            let name = output::visible(&display_path(&file.path)).into_owned();
            terminal::print_warning(
                color,
                &format!("{name}:{line}: not formatted: {}", reason_text(*reason)),
            );
        }
    }
    for failure in failures {
        terminal::print_error(color, &failure.to_string());
    }
    print_counts(arguments, files.len(), changed.clone().count());
    let is_incomplete = !failures.is_empty() || files.iter().any(|it| !it.left.is_empty());
    let would_change = (arguments.check || arguments.diff) && changed.count() > 0;
    Ok(match (is_incomplete, would_change) {
        (true, _) => CommandOutcome::Failure,
        (false, true) => CommandOutcome::Findings,
        (false, false) => CommandOutcome::Clean,
    })
}

/// Returns GitHub workflow commands that annotate the lines of a file that would change.
fn annotations(name: &str, file: &FormattedFile) -> String {
    let command = |lines: std::ops::Range<usize>| {
        let first = if lines.is_empty() { lines.start.max(1) } else { lines.start + 1 };
        let (name, last) = (github::escape_property(name), lines.end.max(first));
        format!("::warning file={name},line={first},endLine={last},title=format::would be reformatted\n")
    };
    unified::changed_ranges(&file.text, &file.edits).into_iter().map(command).collect()
}

/// Prints how many files were, or would be, changed.
fn print_counts(arguments: &FormatArguments, all: usize, changed: usize) {
    if arguments.paths == [Path::new("-")] {
        return;
    }
    let changed_files = plural(changed, "file", "files");
    let unchanged = plural(all - changed, "file", "files");
    let line = match (arguments.check || arguments.diff, changed, all - changed) {
        (true, 0, _) => format!("{unchanged} already formatted"),
        (true, _, 0) => format!("{changed_files} would be reformatted"),
        (true, ..) => format!("{changed_files} would be reformatted, {unchanged} already formatted"),
        (false, 0, _) => format!("{unchanged} left unchanged"),
        (false, _, 0) => format!("{changed_files} reformatted"),
        (false, ..) => format!("{changed_files} reformatted, {unchanged} left unchanged"),
    };
    terminal::print_to_stderr(&format!("{line}\n"));
}

fn reason_text(reason: UnformattedReason) -> &'static str {
    match reason {
        UnformattedReason::SyntaxError => "syntax error",
        UnformattedReason::Meaning => "formatting would change its meaning",
    }
}
