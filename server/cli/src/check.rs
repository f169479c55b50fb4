//! `check`: finds files, asks the analysis what is wrong in them, and reports.

mod unseen;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use disk::config::Config;
use ide::{Analysis, Cancelled, Diagnostic, Settings, Tier};
use output::secrets::SecretKeys;
use syntax::{Language, Severity};
use validation::{ValidationSettings, validate};

use self::unseen::{Unseen, UnseenOfFile};
use super::files::{self, FileFailure, display_path};
use super::printed_diagnostic::{PrintedDiagnostic, printed};
use super::progress::ProgressLine;
use super::report::{self, FileDiagnostics, UnseenPart};
use super::workspace::{self, Workspace};
use super::{CheckArguments, ColorChoice, CommandOutcome, ReportFormat, terminal};

/// What is to be checked.
struct SourcesToCheck {
    /// The files and folders that the user has named; the standard input is the path that it stands for.
    named: Vec<PathBuf>,
    /// In the order of their paths.
    texts: Vec<(PathBuf, Arc<str>)>,
    /// Templates that are not UTF-8: a finding each, not a failure.
    undecoded: Vec<PathBuf>,
    failures: Vec<FileFailure>,
}

struct Checked {
    path: PathBuf,
    diagnostics: Vec<PrintedDiagnostic>,
    rendered: String,
    unseen: UnseenOfFile,
}

pub(super) fn run(arguments: &CheckArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let is_text = arguments.format == ReportFormat::Text;
    let styled = is_text && terminal::stdout_has_color(color);
    let threads = arguments.threads.unwrap_or_else(files::default_threads);

    let folder = workspace::settings_folder(&arguments.paths);
    let config = arguments.version.config_in(&folder)?;
    let settings = &config.settings;
    let SourcesToCheck { named, texts: mut sources, undecoded, mut failures } =
        read_sources(arguments, &config, threads)?;
    let workspace = Workspace::with_surroundings(&config, &named, sources.iter().cloned());
    let unreadable = failures.iter().map(|it| it.path.as_path());
    let mut unseen =
        Unseen::new(workspace.passed_over(undecoded.iter().map(PathBuf::as_path).chain(unreadable)));
    sources.extend(undecoded.into_iter().map(|path| (path, Arc::from(""))));
    sources.sort_by(|a, b| a.0.cmp(&b.0));
    let mut progress = ProgressLine::new(is_text, "files");
    let check = |analysis: &Analysis, (path, text): &(PathBuf, Arc<str>)| {
        let mut found = diagnostics(analysis, path, text, settings, arguments.compile)?;
        let unseen = UnseenOfFile::new(analysis, path, &found, arguments.compile)?;
        found.retain(|it| arguments.hints || it.severity() != Severity::Hint);
        let text_of = |path: &_| analysis.text(analysis.file_id(path)?).ok()?;
        let found = printed(text, found, &text_of);
        let rendered = match is_text {
            true => report::text::render_file(&display_path(path), text, &found, styled),
            false => String::new(),
        };
        Ok(Checked { path: path.clone(), diagnostics: found, rendered, unseen })
    };
    let checked: Vec<Result<Checked, Cancelled>> =
        files::in_parallel(&sources, threads, || workspace.analysis(), check, |now| progress.show(now))?;
    progress.finish();

    let mut texts = String::new();
    let mut files = Vec::new();
    for result in checked {
        // Nobody writes while this runs, so nothing is cancelled.
        let Checked { path, diagnostics, rendered, unseen: of_file } =
            result.map_err(|error| anyhow::anyhow!("{error}"))?;
        texts.push_str(&rendered);
        unseen.add(of_file);
        files.push(FileDiagnostics { path: display_path(&path), diagnostics });
    }
    failures.sort_by(|a, b| a.path.cmp(&b.path));

    let output = match arguments.format {
        ReportFormat::Text => texts + &report::text::summary(&files, failures.len(), styled),
        format => report_for_programs(format, &config, (&files, &unseen.parts()), &failures)?,
    };
    workspace.print_notes(color);
    for failure in &failures {
        terminal::print_error(color, &failure.to_string());
    }
    terminal::print_text(&output, styled)?;

    print_unseen(&workspace, &unseen);
    Ok(outcome(arguments, &files, !failures.is_empty(), &unseen, color))
}

/// Says what was not looked at, and from which folders modules are taken that Puppet would not look into.
fn print_unseen(workspace: &Workspace, unseen: &Unseen) {
    for part in unseen.parts() {
        terminal::print_to_stderr(&format!("{}\n", part.line()));
    }
    let analysis = workspace.analysis();
    let mut told = Vec::new();
    for environment in analysis.environments() {
        let line = workspace.further_folders(&analysis, environment);
        told.extend(line.filter(|line| !told.contains(line)));
    }
    told.iter().for_each(|line| terminal::print_to_stderr(line));
}

/// How a run ended. That there is nothing to check is told.
fn outcome(
    arguments: &CheckArguments,
    files: &[FileDiagnostics],
    has_failed: bool,
    unseen: &Unseen,
    color: ColorChoice,
) -> CommandOutcome {
    if files.is_empty() {
        let print = if arguments.require_files { terminal::print_error } else { terminal::print_warning };
        print(color, "no file was checked: there is none that could be");
    }
    let has_findings = files.iter().flat_map(|it| &it.diagnostics).any(|it| it.severity != Severity::Hint);
    if has_failed || arguments.require_files && files.is_empty() {
        CommandOutcome::Failure
    } else if has_findings || arguments.deny_open && !unseen.open.is_empty() {
        CommandOutcome::Findings
    } else {
        CommandOutcome::Clean
    }
}

/// A report that others read than whoever runs this. Those that leave the machine are without the values of secrets.
fn report_for_programs(
    format: ReportFormat,
    config: &Config,
    (files, open): (&[FileDiagnostics], &[UnseenPart]),
    failures: &[FileFailure],
) -> serde_json::Result<String> {
    let secrets = SecretKeys::with(&config.secret_keys);
    match format {
        ReportFormat::Text | ReportFormat::Json => report::json::render(files, open),
        ReportFormat::Github => Ok(report::github::render(files, open, &secrets)),
        ReportFormat::Sarif => report::sarif::render((files, open), failures, &secrets),
    }
}

fn read_sources(
    arguments: &CheckArguments,
    config: &Config,
    threads: usize,
) -> anyhow::Result<SourcesToCheck> {
    let stdin = Path::new("-");
    let (mut named, from_stdin): (Vec<_>, Vec<_>) =
        arguments.paths.iter().cloned().partition(|it| it != stdin);
    let (paths, mut failures) =
        files::find_files(&named, &config.settings.excluded_paths, files::is_checked_file);
    let trusted = config.trusted(&named);
    let read = |(): &(), path: &PathBuf| files::read_found_text(path, &trusted);
    let reads = files::in_parallel(&paths, threads, || (), read, |_| {})?;
    let mut texts: Vec<(PathBuf, Arc<str>)> = Vec::new();
    let mut undecoded = Vec::new();
    let mut take = |path: PathBuf, read: Result<String, FileFailure>| match read {
        Ok(text) => texts.push((path, text.into())),
        Err(failure) if failure.is_undecoded && files::is_template(&path) => undecoded.push(path),
        Err(failure) => failures.push(failure),
    };
    if !from_stdin.is_empty() {
        let path = arguments.stdin_path.as_deref().unwrap_or(Path::new("<stdin>"));
        named.push(path.to_owned());
        take(path.to_owned(), files::read_stdin(path));
    }
    for (path, read) in paths.into_iter().zip(reads) {
        take(path, read);
    }
    texts.sort_by(|a, b| a.0.cmp(&b.0));
    Ok(SourcesToCheck { named, texts, undecoded, failures })
}

/// All that is wrong in one file. One that Puppet would not load, but that the user has named, is checked by itself.
fn diagnostics(
    analysis: &Analysis,
    path: &Path,
    text: &str,
    settings: &Settings,
    compiles: bool,
) -> Result<Vec<Diagnostic>, Cancelled> {
    if let Some(file) = workspace::file(analysis, path) {
        let mut found = analysis.all_diagnostics(file)?;
        if compiles {
            found.extend(analysis.diagnostics(file, Tier::Catalogs)?);
        }
        return Ok(found);
    }
    if files::is_template(path) {
        return Ok(Vec::new());
    }
    let parse = syntax::parse(text, Language::Manifest);
    let settings = ValidationSettings {
        strict: settings.strict(),
        version: settings.puppet_version,
        ..Default::default()
    };
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(validate(&parse, &settings));
    Ok(diagnostics.iter().map(Diagnostic::from).collect())
}
