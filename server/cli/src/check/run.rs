//! The phases of a check, once the files have been read: compiling, checking, and masking of secrets.

use std::path::{Path, PathBuf};
use std::time::Instant;

use catalog_view::text::plural;
use cli_common::forge::ForgeSnapshot;
use disk::config::Config;
use ide::{Analysis, Breadth, Cancelled, Diagnostic, DiskState, SecretValues, Settings, Tier};
use measure::WorkMeter;
use output::secrets::SecretKeys;
use syntax::{Language, Severity};
use validation::{ValidationSettings, validate};

use super::ahead::compile_ahead;
use super::arguments::CheckArguments;
use super::baseline;
use super::checked::{Checked, RenderedFile};
use super::nodes::NodeFindings;
use super::reporting::RunReport;
use super::sources::{SourcesToCheck, states_of};
use super::unseen::{LookedAt, Unseen, UnseenOfFile};
use super::upgrade::Upgrade;
use super::wanted::WantedFindings;
use crate::files::{self, FileFailure, display_path};
use crate::printed_diagnostic::{PrintedDiagnostic, printed, show_from_root};
use crate::report::{self, SortOrder};
use crate::terminal::verbose::VerbosePhase;
use crate::terminal::{ProgressLine, RunProgress};
use crate::workspace::{self, Workspace};
use crate::{ColorChoice, CommandOutcome, terminal};

/// Tiers that are run on files whose code is not evaluated.
pub(crate) const UNEVALUATED: [Tier; 3] = [Tier::Syntax, Tier::Names, Tier::Style];

/// The loaded files, twice if findings of two Puppet versions are compared.
pub(super) struct Workspaces {
    pub(super) current: Workspace,
    /// The same files for the previous Puppet version.
    pub(super) earlier: Option<Workspace>,
}

/// Snapshots of [`Workspaces`].
struct Snapshots {
    current: Analysis,
    earlier: Option<Analysis>,
}

impl Workspaces {
    pub(super) fn new(current: Workspace) -> Workspaces {
        Workspaces { current, earlier: None }
    }

    fn snapshots(&self) -> Snapshots {
        Snapshots {
            current: self.current.analysis(),
            earlier: self.earlier.as_ref().map(Workspace::analysis),
        }
    }

    /// Returns all workspaces, the earlier one first.
    fn all(&mut self) -> impl Iterator<Item = &mut Workspace> {
        self.earlier.iter_mut().chain([&mut self.current])
    }
}

/// A file to check: its index, path, and contents.
struct NumberedSource {
    number: usize,
    path: PathBuf,
    state: DiskState,
}

/// A check of files with one set of options.
pub(super) struct CheckRun<'r> {
    wanted: WantedFindings<'r>,
    config: &'r Config,
    /// Failures of nodes, if they were compiled.
    pub(super) nodes: Option<NodeFindings>,
    /// Releases on the Forge, if they are known.
    pub(super) forge: Option<ForgeSnapshot>,
    /// The upgrade to prepare, and the settings of the earlier workspace.
    earlier: Option<(Upgrade, Settings)>,
    color: ColorChoice,
    /// True if the text report is colored; `None` for machine-readable reports.
    style: Option<bool>,
}

impl<'r> CheckRun<'r> {
    pub(super) fn new(wanted: WantedFindings<'r>, config: &'r Config, color: ColorChoice) -> CheckRun<'r> {
        let arguments = wanted.arguments;
        let is_colored = arguments.output.is_none() && terminal::stdout_has_color(color);
        let style = arguments.is_text().then_some(is_colored);
        CheckRun { wanted, config, nodes: None, forge: None, earlier: None, color, style }
    }

    /// Compares with the findings for other settings.
    pub(super) fn set_earlier(&mut self, upgrade: Upgrade, settings: Settings) {
        self.earlier = Some((upgrade, settings));
    }

    fn arguments(&self) -> &'r CheckArguments {
        self.wanted.arguments
    }

    /// Runs all phases and reports the findings. `states` are the same files if their texts have not changed.
    pub(super) fn run(
        &mut self,
        workspaces: &mut Workspaces,
        sources: SourcesToCheck,
        states: Option<Vec<(PathBuf, DiskState)>>,
    ) -> anyhow::Result<CommandOutcome> {
        let arguments = self.arguments();
        let unreadable = sources.failures.iter().map(|it| it.path.as_path());
        let found = sources.undecoded.iter().map(PathBuf::as_path).chain(unreadable);
        let mut unseen = Unseen::new(workspaces.current.skipped_files(found));
        unseen.other.extend(Upgrade::of(arguments)?.iter().flat_map(Upgrade::unchecked));
        let SourcesToCheck { texts, undecoded, mut failures, .. } = sources;
        let mut states = states.unwrap_or_else(|| states_of(&texts, arguments));
        drop(texts);
        states.extend(undecoded.into_iter().map(|path| (path, DiskState::Text("".into()))));
        states.sort_by(|a, b| a.0.cmp(&b.0));
        for workspace in workspaces.all() {
            compile_ahead(arguments, workspace, &states)?;
        }
        let numbered = states.into_iter().enumerate();
        let sources: Vec<NumberedSource> =
            numbered.map(|(number, (path, state))| NumberedSource { number, path, state }).collect();
        let mut checked = self.check(workspaces, &sources)?;
        failures.sort_by(|a, b| a.path.cmp(&b.path));
        self.print_problems(&workspaces.current, &failures)?;
        if let Some(file) = arguments.baseline.as_ref().filter(|_| arguments.write_baseline) {
            baseline::write(file, &checked)?;
            let is_complete = failures.is_empty();
            return Ok(if is_complete { CommandOutcome::Clean } else { CommandOutcome::Failure });
        }
        let secrets = SecretKeys::with(&self.config.secret_keys);
        let NodeFindings { unseen: mut of_nodes, fails_elsewhere, .. } =
            self.nodes.take().unwrap_or_default();
        if report::leaves_machine(arguments.format) {
            mask(&mut checked, &mut of_nodes, &sources, &secrets, &workspaces.current.analysis())?;
        }
        unseen.add(of_nodes);
        let mut report = RunReport::new(arguments, checked, failures, unseen, secrets);
        report.fails_elsewhere = fails_elsewhere;
        report.print(&workspaces.current, self.color)
    }

    /// Checks all files, up to the work limit.
    fn check(&self, workspaces: &mut Workspaces, sources: &[NumberedSource]) -> anyhow::Result<Vec<Checked>> {
        let meter = WorkMeter::new(self.wanted.evaluation_limit);
        let phase = VerbosePhase::start();
        let results = files::on_deep_stack(|| self.check_all(workspaces, sources, &meter))??;
        phase.end(|| format!("checked {}", plural(sources.len(), "file", "files")));
        let results = results.into_iter().collect::<Result<Vec<Checked>, Cancelled>>();
        // There are no concurrent writes, so nothing is cancelled.
        let mut checked = results.map_err(|error| anyhow::anyhow!("{error}"))?;
        let counted = meter.counted(sources.len());
        files::on_deep_stack(|| self.check_again(workspaces, &mut checked[counted..], &sources[counted..]))??;
        Ok(checked)
    }

    /// Checks files module by module and evicts intermediate results after each one.
    fn check_all(
        &self,
        workspaces: &mut Workspaces,
        sources: &[NumberedSource],
        meter: &WorkMeter,
    ) -> std::io::Result<Vec<Result<Checked, Cancelled>>> {
        let started = Instant::now();
        let mut progress = ProgressLine::new(self.arguments().is_text(), "files checked");
        let threads = self.arguments().threads.count();
        let check = |snapshots: &Snapshots, source: &NumberedSource| {
            let evaluated = meter.run(source.number, || {
                let work = evaluation_work(&snapshots.current, &source.path)?;
                Ok((self.look(snapshots, source, &Tier::LIVE)?, work))
            })?;
            evaluated.map_or_else(|| self.look(snapshots, source, &UNEVALUATED), Ok)
        };
        let mut checked = Vec::with_capacity(sources.len());
        while checked.len() < sources.len() {
            let (done, rest) = (checked.len(), &sources[checked.len()..]);
            let length = workspaces.current.slice_length(rest.iter().map(|it| it.path.as_path()));
            let start = || workspaces.snapshots();
            checked.extend(files::in_parallel_here(&rest[..length], threads, start, check, |now| {
                progress.show(RunProgress {
                    done: done + now,
                    total: sources.len(),
                    elapsed: started.elapsed(),
                });
            })?);
            workspaces.all().for_each(Workspace::evict);
        }
        progress.finish();
        Ok(checked)
    }

    /// Checks files again that a thread has evaluated beyond the limit.
    fn check_again(
        &self,
        workspaces: &mut Workspaces,
        checked: &mut [Checked],
        sources: &[NumberedSource],
    ) -> Result<(), Cancelled> {
        let snapshots = workspaces.snapshots();
        for (checked, source) in checked.iter_mut().zip(sources).filter(|(it, _)| it.is_evaluated) {
            *checked = self.look(&snapshots, source, &UNEVALUATED)?;
        }
        Ok(())
    }

    /// Runs some tiers on a file.
    fn look(
        &self,
        snapshots: &Snapshots,
        source: &NumberedSource,
        tiers: &[Tier],
    ) -> Result<Checked, Cancelled> {
        let NumberedSource { path, state, .. } = source;
        let analysis = &snapshots.current;
        let text = &*state.text().unwrap_or_default();
        let reports_unused = self.wanted.reports_unused(&self.config.settings);
        let file = FileToLookAt { path, text, tiers, compiles: self.arguments().compile, reports_unused };
        let is_evaluated = tiers.contains(&Tier::Evaluation);
        let mut found = file.diagnostics(analysis, &self.config.settings)?;
        if let (Some(earlier), Some((upgrade, settings))) = (&snapshots.earlier, &self.earlier) {
            // Both versions have the same findings about style.
            found.retain(|it| !it.code.is_style());
            if !found.iter().all(|it| upgrade.reports_known(it)) {
                let known = file.diagnostics(earlier, settings)?;
                found.retain(|it| upgrade.reports_known(it) || !known.contains(it));
            }
        }
        let looked_at = LookedAt { is_evaluated, compiles: file.compiles };
        let mut unseen = UnseenOfFile::new(analysis, path, &found, looked_at)?;
        let text_of = |path: &_| analysis.text(analysis.file_id(path)?).ok()?;
        let of_forge = self.forge.as_ref().map(|it| it.check(path, text)).unwrap_or_default();
        found.extend(self.at_levels(analysis, path, of_forge.diagnostics)?);
        let of_nodes = self.nodes.as_ref().zip(workspace::file(analysis, path));
        if let Some((nodes, file)) = of_nodes {
            let failures = nodes.diagnostics(analysis, file)?;
            found.retain(|it| {
                !failures.iter().any(|failure| (failure.code, failure.range) == (it.code, it.range))
            });
            found.extend(failures);
        }
        unseen.add_unknown_modules(path, &of_forge.unknown);
        let mut found = printed(text, found, &text_of);
        if let Some((nodes, file)) = of_nodes {
            nodes.name_nodes(file, &mut found);
        }
        if path.is_absolute() {
            show_from_root(&mut found);
        }
        let (found, hidden) = self.wanted.of(path, found);
        let render = |styled| self.rendered(path, text, &found, styled);
        let rendered = self.style.map(render).unwrap_or_default();
        Ok(Checked { path: path.clone(), is_evaluated, diagnostics: found, hidden, rendered, unseen })
    }

    /// Returns findings at their configured levels.
    fn at_levels(
        &self,
        analysis: &Analysis,
        path: &Path,
        found: Vec<Diagnostic>,
    ) -> Result<Vec<Diagnostic>, Cancelled> {
        match workspace::file(analysis, path).filter(|_| !found.is_empty()) {
            Some(file) => analysis.apply_settings(file, found),
            None => Ok(found),
        }
    }

    fn rendered(&self, path: &Path, text: &str, found: &[PrintedDiagnostic], styled: bool) -> RenderedFile {
        let is_by_path = self.arguments().sort == SortOrder::Path;
        let is_first = |it: &&PrintedDiagnostic| is_by_path || it.severity == Severity::Error;
        let (first, rest): (Vec<_>, Vec<_>) = found.iter().partition(is_first);
        let render = |found: Vec<&PrintedDiagnostic>| {
            report::text::render_file(&display_path(path), text, found, styled)
        };
        RenderedFile { first: render(first), rest: render(rest) }
    }

    /// Prints what goes before the report, on a clear screen if files are watched.
    fn print_problems(&self, workspace: &Workspace, failures: &[FileFailure]) -> anyhow::Result<()> {
        if self.arguments().watch {
            terminal::clear_screen()?;
        }
        workspace.print_notes(self.color);
        for failure in failures {
            terminal::print_error(self.color, &failure.to_string());
        }
        Ok(())
    }
}

/// A file, and how deeply it is checked.
pub(super) struct FileToLookAt<'s> {
    pub(super) path: &'s Path,
    pub(super) text: &'s str,
    pub(super) tiers: &'s [Tier],
    pub(super) compiles: bool,
    /// True to report what no node of a control repository can reach.
    pub(super) reports_unused: bool,
}

impl FileToLookAt<'_> {
    /// Returns all findings in the file. A named file that Puppet would not load is checked in isolation.
    pub(super) fn diagnostics(
        &self,
        analysis: &Analysis,
        settings: &Settings,
    ) -> Result<Vec<Diagnostic>, Cancelled> {
        if let Some(file) = workspace::file(analysis, self.path) {
            let mut found = analysis.diagnostics_of_tiers(file, self.tiers)?;
            if self.compiles {
                found.extend(analysis.diagnostics_of_compiles(file, Breadth::All)?);
            }
            if self.reports_unused {
                found.extend(analysis.unused_diagnostics(file)?);
            }
            return Ok(found);
        }
        if files::is_template(self.path) || files::is_ruby_plugin(self.path) {
            return Ok(Vec::new());
        }
        let parse = syntax::parse(self.text, Language::Manifest);
        let settings = ValidationSettings {
            strict: settings.strict(),
            version: settings.puppet_version,
            ..Default::default()
        };
        let mut diagnostics = parse.errors().to_vec();
        diagnostics.extend(validate(&parse, &settings));
        Ok(diagnostics.iter().map(Diagnostic::from).collect())
    }
}

/// Returns the amount of work for evaluating the code of a file.
fn evaluation_work(analysis: &Analysis, path: &Path) -> Result<u64, Cancelled> {
    workspace::file(analysis, path).map_or(Ok(0), |file| analysis.evaluation_work(file))
}

/// Masks secret values in the findings and in what is unknown about nodes. `sources` are the checked files in the same order.
fn mask(
    checked: &mut [Checked],
    of_nodes: &mut UnseenOfFile,
    sources: &[NumberedSource],
    secrets: &SecretKeys,
    analysis: &Analysis,
) -> anyhow::Result<()> {
    if of_nodes.is_empty() && checked.iter().all(|it| it.diagnostics.is_empty() && it.unseen.is_empty()) {
        return Ok(());
    }
    // There are no concurrent writes, so nothing is cancelled.
    let values =
        SecretValues::new(secrets.clone(), &[analysis]).map_err(|error| anyhow::anyhow!("{error}"))?;
    for (checked, source) in checked.iter_mut().zip(sources) {
        if !checked.diagnostics.is_empty() {
            let text = source.state.text().unwrap_or_default();
            let around = values.surroundings(&source.path.to_string_lossy(), text);
            for diagnostic in &mut checked.diagnostics {
                let at = diagnostic.span.range;
                let related = diagnostic.related.iter_mut().map(|it| &mut it.message);
                for message in related.chain([&mut diagnostic.message]) {
                    *message = values.masked_at(message, at, &around);
                }
            }
        }
        checked.unseen.mask(&values);
    }
    of_nodes.mask(&values);
    Ok(())
}
