//! `check`: finds files, parses them, applies the static rules, and reports.
//!
//! What needs no other file is asked of `syntax` directly: no database, one pass, the tree dropped at once.

use std::io::{self, IsTerminal};
use std::path::Path;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use syntax::validation::{Strict, ValidationSettings, validate};

use super::files::{self, FileTrouble, Progress, display_path};
use super::finding::{Finding, findings};
use super::location::Layout;
use super::report::{self, FileFindings};
use super::{CheckArguments, ColorChoice, Outcome, ReportFormat, terminal};

/// A run that takes longer than this shows how far it is.
const PROGRESS_AFTER: Duration = Duration::from_secs(1);

struct Checked {
    path: std::path::PathBuf,
    result: Result<(Vec<Finding>, String), FileTrouble>,
}

pub(super) fn run(arguments: &CheckArguments, color: ColorChoice) -> anyhow::Result<Outcome> {
    let strict = arguments.version.strict();
    let is_text = arguments.format == ReportFormat::Text;
    let styled = is_text && terminal::stdout_has_color(color);

    let layout = Layout::default();
    let check_text = |path: &Path, text: String| {
        let found = check_text(&layout, path, &text, strict);
        let rendered = if is_text {
            report::text::render_file(&display_path(path), &text, &found, styled)
        } else {
            String::new()
        };
        (found, rendered)
    };

    let stdin = Path::new("-");
    let (paths, from_stdin): (Vec<_>, Vec<_>) = arguments.paths.iter().cloned().partition(|it| it != stdin);
    let mut checked = Vec::new();
    if !from_stdin.is_empty() {
        let path = arguments.stdin_path.as_deref().unwrap_or(Path::new("<stdin>"));
        let result = files::read_stdin(path).map(|text| check_text(path, text));
        checked.push(Checked { path: path.to_owned(), result });
    }

    let mut progress = ProgressLine::new(is_text);
    let threads = arguments.threads.unwrap_or_else(files::default_threads);
    let check_file = |path: &Path| Checked {
        path: path.to_owned(),
        result: files::read_text(path).map(|text| check_text(path, text)),
    };
    let (results, mut troubles) =
        files::for_each_file(&paths, threads, check_file, |now| progress.show(now))?;
    progress.finish();
    checked.extend(results);
    checked.sort_by(|a, b| a.path.cmp(&b.path));

    let mut texts = String::new();
    let mut files = Vec::new();
    for Checked { path, result } in checked {
        match result {
            Ok((findings, rendered)) => {
                texts.push_str(&rendered);
                files.push(FileFindings { path: display_path(&path), findings });
            }
            Err(trouble) => troubles.push(trouble),
        }
    }
    troubles.sort_by(|a, b| a.path.cmp(&b.path));

    let output = match arguments.format {
        ReportFormat::Text => texts + &report::text::summary(&files, troubles.len(), styled),
        ReportFormat::Json => report::json::render(&files)?,
        ReportFormat::Github => report::github::render(&files),
        ReportFormat::Sarif => report::sarif::render(&files, &troubles)?,
    };
    for trouble in &troubles {
        terminal::print_error(color, &trouble.to_string());
    }
    match terminal::print_bytes(output.as_bytes()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => return Err(error.into()),
        _ => {}
    }

    Ok(if !troubles.is_empty() {
        Outcome::Trouble
    } else if files.iter().any(|it| !it.findings.is_empty()) {
        Outcome::Findings
    } else {
        Outcome::Clean
    })
}

/// All that is wrong in one file, as far as the file alone can tell.
fn check_text(layout: &Layout, path: &Path, text: &str, strict: Strict) -> Vec<Finding> {
    let place = layout.place(path);
    let parse = syntax::parse(text, place.language);
    let settings = ValidationSettings { strict, location: place.location, ..Default::default() };
    let mut diagnostics = parse.errors().to_vec();
    diagnostics.extend(validate(&parse, &settings));
    findings(text, diagnostics)
}

/// A progress bar that stays away from short runs, from pipes and from formats for programs.
struct ProgressLine {
    wanted: bool,
    bar: Option<ProgressBar>,
}

impl ProgressLine {
    fn new(is_text: bool) -> ProgressLine {
        ProgressLine { wanted: is_text && io::stderr().is_terminal(), bar: None }
    }

    fn show(&mut self, progress: Progress) {
        if !self.wanted || progress.elapsed < PROGRESS_AFTER {
            return;
        }
        let bar = self.bar.get_or_insert_with(|| {
            let style = ProgressStyle::with_template("{bar:40} {pos}/{len} files, {eta} left");
            ProgressBar::new(0).with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        });
        bar.set_length(progress.total.unwrap_or(progress.done) as u64);
        bar.set_position(progress.done as u64);
    }

    fn finish(self) {
        if let Some(bar) = self.bar {
            bar.finish_and_clear();
        }
    }
}
