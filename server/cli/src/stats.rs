//! `stats`: measures each phase over a tree of files, sequentially on one thread.

pub(super) mod arguments;
mod memory;
mod unknown;

use std::fmt::Write;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use disk::TrustedFolders;
use disk::config::Config;
use ide::Analysis;
use serde::Serialize;
use syntax::{Language, Parse, Severity, SyntaxElement};
use validation::{ExpectedNamespace, ValidationSettings, validate};

use self::arguments::StatsArguments;
use self::memory::peak_memory;
use super::check::UNEVALUATED;
use super::files::FileFailure;
use super::workspace::{self, Workspace};
use super::{ColorChoice, CommandOutcome, files, terminal};

pub(super) const EXAMPLES: &str = "\
Examples:
  puppet-analyzer stats
  puppet-analyzer stats --json --repeat 5 modules
  puppet-analyzer stats --unknown modules/apache";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Stats {
    files: usize,
    bytes: usize,
    lines: usize,
    tokens: usize,
    nodes: usize,
    syntax_errors: usize,
    findings: usize,
    phases: Vec<Phase>,
    #[serde(skip_serializing_if = "Option::is_none")]
    peak_memory_bytes: Option<u64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Phase {
    name: &'static str,
    seconds: f64,
    megabytes_per_second: f64,
}

impl Phase {
    /// Creates a phase that took `time` for `bytes`.
    fn new(name: &'static str, time: Duration, bytes: usize) -> Phase {
        let seconds = time.as_secs_f64();
        Phase { name, seconds, megabytes_per_second: bytes as f64 / 1e6 / seconds.max(1e-9) }
    }
}

struct SourceText {
    path: PathBuf,
    text: String,
}

pub(super) fn run(arguments: &StatsArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    if arguments.unknown {
        return unknown::run(arguments);
    }
    files::on_deep_stack(|| run_here(arguments, color))?
}

fn run_here(arguments: &StatsArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    if arguments.memory {
        return memory::run(arguments);
    }
    let config = Config::load(&workspace::settings_folder(&arguments.paths))?;
    let excluded = &config.settings.excluded_paths;
    let ((paths, mut failures), find) =
        timed(arguments.repeat, || files::find_files(&arguments.paths, excluded, files::is_checked_file));
    let trusted = config.trusted(&arguments.paths);
    let (reads, read) = timed(arguments.repeat, || read_all(&paths, &trusted));
    let (all, undecoded) = readable(paths, reads, &mut failures);
    let texts = all.iter().map(|it| (it.path.clone(), it.text.as_str().into()));
    let workspace = Workspace::with_surroundings(&config, &arguments.paths, texts);
    let analysis = workspace.analysis();
    let (findings, check) = timed(1, || count_findings(&analysis, &all));
    let (files, all_bytes) = (all.len() + undecoded, all.iter().map(|it| it.text.len()).sum());
    // The first phases only depend on the language.
    let sources: Vec<SourceText> = all.into_iter().filter(|it| files::is_puppet_file(&it.path)).collect();
    let languages = languages(&analysis, &sources);
    let (parses, parse) = timed(arguments.repeat, || {
        let sources = sources.iter().zip(&languages);
        sources.map(|(source, (language, _))| syntax::parse(&source.text, *language)).collect::<Vec<_>>()
    });
    let ((), validation) = timed(arguments.repeat, || validate_all(&parses, &languages));
    let ((nodes, tokens), visit) = timed(arguments.repeat, || count_elements(&parses));
    let syntax_errors = parses.iter().map(|it| it.errors().len()).sum();

    let bytes = sources.iter().map(|it| it.text.len()).sum();
    let phase = |name, time: Duration| Phase::new(name, time, bytes);
    let stats = Stats {
        files,
        bytes,
        lines: sources.iter().map(|it| it.text.lines().count()).sum(),
        tokens,
        nodes,
        syntax_errors,
        findings: findings? + undecoded,
        phases: vec![
            phase("find", find),
            phase("read", read),
            phase("parse", parse),
            phase("validate", validation),
            phase("visit", visit),
            Phase::new("check", check, all_bytes),
        ],
        peak_memory_bytes: peak_memory(),
    };

    for failure in &failures {
        terminal::print_error(color, &failure.to_string());
    }
    let output = if arguments.json { serde_json::to_string_pretty(&stats)? + "\n" } else { table(&stats) };
    terminal::print_text(&output, false)?;
    Ok(if failures.is_empty() { CommandOutcome::Clean } else { CommandOutcome::Failure })
}

fn read_all(paths: &[PathBuf], trusted: &TrustedFolders) -> Vec<Result<String, FileFailure>> {
    let read = |path: &PathBuf| {
        let text = files::read_found_text(path, trusted)?;
        files::bounded_text(path, text, ide::MAX_TEXT_LENGTH)
    };
    paths.iter().map(read).collect()
}

/// Returns the texts that could be read, and the number of templates that are not text: for these, `check` reports
/// a finding. All other failures are added to `failures`.
fn readable(
    paths: Vec<PathBuf>,
    reads: Vec<Result<String, FileFailure>>,
    failures: &mut Vec<FileFailure>,
) -> (Vec<SourceText>, usize) {
    let mut texts = Vec::new();
    for (path, read) in paths.into_iter().zip(reads) {
        match read {
            Ok(text) => texts.push(SourceText { path, text }),
            Err(failure) => failures.push(failure),
        }
    }
    let failure_count = failures.len();
    failures.retain(|failure| !failure.is_undecoded || !files::checks_encoding(&failure.path));
    (texts, failure_count - failures.len())
}

/// Runs the syntax-only rules.
fn validate_all(parses: &[Parse], languages: &[(Language, ExpectedNamespace)]) {
    for (parse, (_, location)) in parses.iter().zip(languages) {
        let settings = ValidationSettings { location: location.clone(), ..Default::default() };
        std::hint::black_box(validate(parse, &settings));
    }
}

/// Counts the findings of `check` without hints. Like `check`, it does not evaluate code beyond a limit.
fn count_findings(analysis: &Analysis, sources: &[SourceText]) -> anyhow::Result<usize> {
    let limit = compile::summary_limit(sources.iter().map(|it| it.text.len()).sum());
    let (mut count, mut work) = (0, 0);
    for source in sources {
        if let Some(file) = workspace::file(analysis, &source.path) {
            let found = if work > limit {
                analysis.diagnostics_of_tiers(file, &UNEVALUATED)?
            } else {
                work += analysis.evaluation_work(file)?;
                analysis.all_diagnostics(file)?
            };
            count += found.iter().filter(|it| it.severity() != Severity::Hint).count();
        }
    }
    Ok(count)
}

/// Returns the language of each source and the namespace that its definitions must have.
fn languages(analysis: &Analysis, sources: &[SourceText]) -> Vec<(Language, ExpectedNamespace)> {
    let language = |path| {
        let file = workspace::file(analysis, path)?;
        Some((analysis.language(file).ok()?, analysis.location(file).ok()?))
    };
    sources.iter().map(|it| language(&it.path).unwrap_or_default()).collect()
}

/// Runs `work` `repeat` times. Returns its result and the shortest duration.
fn timed<T>(repeat: u32, mut work: impl FnMut() -> T) -> (T, Duration) {
    let mut run = || {
        let started = Instant::now();
        let result = work();
        (result, started.elapsed())
    };
    let (mut result, mut fastest) = run();
    for _ in 1..repeat {
        drop(result);
        let (again, time) = run();
        (result, fastest) = (again, fastest.min(time));
    }
    (result, fastest)
}

/// Counts nodes and tokens.
fn count_elements(parses: &[Parse]) -> (usize, usize) {
    let mut nodes = 0;
    let mut tokens = 0;
    for parse in parses {
        for element in parse.syntax().descendants_with_tokens() {
            match element {
                SyntaxElement::Node(_) => nodes += 1,
                SyntaxElement::Token(_) => tokens += 1,
            }
        }
    }
    (nodes, tokens)
}

fn table(stats: &Stats) -> String {
    let mut out = String::new();
    for (name, count) in [
        ("files", stats.files),
        ("bytes", stats.bytes),
        ("lines", stats.lines),
        ("tokens", stats.tokens),
        ("nodes", stats.nodes),
        ("syntax errors", stats.syntax_errors),
        ("findings", stats.findings),
    ] {
        let _ = writeln!(out, "{name:<16}{count:>12}");
    }
    if let Some(bytes) = stats.peak_memory_bytes {
        let _ = writeln!(out, "{:<16}{:>9.1} MB", "peak memory", bytes as f64 / 1e6);
    }
    let _ = writeln!(out, "\n{:<16}{:>12}{:>12}", "phase", "ms", "MB/s");
    for phase in &stats.phases {
        let milliseconds = phase.seconds * 1e3;
        let _ = writeln!(out, "{:<16}{milliseconds:>12.1}{:>12.1}", phase.name, phase.megabytes_per_second);
    }
    out
}
