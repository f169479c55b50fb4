//! `impact`: nodes whose catalogs contain what a file defines, or a resource.

mod report;

use std::path::Path;
use std::sync::Arc;
use std::time::Instant;

use catalog_view::text::plural;
use comparison::contents::ImpactTarget;
use compile::{CompileRequest, EntryPoint, FleetExports, GlobalHiera};
use disk::Disk;
use fleet::nodes::{FleetNode, NodeSet, RawNode, SeenNames};
use ide::{Analysis, EnvironmentId, Verdict};
use measure::WorkMeter;

use self::report::{CatalogImpact, ImpactReport, ImpactedCatalog, UnknownReason};
use crate::arguments::{AnswerFormat, ThreadArguments};
use crate::compile::matrix::{NothingToCompile, Task, begin, tasks};
use crate::compile::subject::{
    Classification, NamedFacts, NodeArguments, ProjectArguments, Subject, classification, request,
};
use crate::terminal::verbose::VerbosePhase;
use crate::terminal::{ProgressLine, RunProgress};
use crate::{ColorChoice, CommandOutcome, files, terminal, workspace};
use cli_common::nodes::exports::{ExportRun, NodeSetArguments};
use comparison::sharing::{NodeHashes, ReadOfCompile, SharedResults};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  some catalogs contain one of the files or resources
  1  no catalog contains them
  2  usage error, or unreadable input
  3  some catalogs fail or are open, so that it is unknown whether they contain them

Examples:
  puppet-analyzer impact --nodes nodes.snapshot modules/motd/manifests/init.pp
  puppet-analyzer impact --nodes nodes.snapshot 'File[/etc/motd]' --format json
  puppet-analyzer impact --os debian12 site-modules/profile/templates/motd.epp";

#[derive(clap::Args, Debug)]
pub(super) struct ImpactArguments {
    /// Manifests, EPP templates, files in the `files` folders of modules, or resources such as `File[/etc/motd]`
    #[arg(value_name = "FILE|TYPE[TITLE]", required = true)]
    targets: Vec<String>,

    #[command(flatten)]
    nodes: NodeSetArguments,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,

    #[command(flatten)]
    threads: ThreadArguments,
}

pub(super) fn run(arguments: &ImpactArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| impact(arguments, color))?
}

fn impact(arguments: &ImpactArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    let named = subject.facts(&arguments.facts)?;
    let classification = classification(&arguments.facts)?;
    let analysis = subject.workspace.analysis();
    let environment = begin(&subject, &analysis, color)?;
    let targets = arguments
        .targets
        .iter()
        .map(|it| ImpactTarget::new(&analysis, environment, it, workspace::absolute_path));
    let targets = targets.collect::<anyhow::Result<Vec<_>>>()?;
    let disk = subject.workspace.disk();
    let mut run = ImpactRun {
        environment,
        targets: &targets,
        disk: &disk,
        shared: SharedResults::default(),
        puppet_version: subject.puppet_version(),
        global_hiera: subject.global_hiera().cloned(),
        classification: &classification,
        enc_dir: arguments.nodes.enc_dir.as_deref(),
        exports: None,
    };
    if let (Some(source), Some(nodes)) = (arguments.nodes.exported, &arguments.nodes.path) {
        let request = |analysis: &Analysis, node| run.request(analysis, node);
        let compiles = ExportRun {
            nodes,
            environment,
            reader: &disk,
            request: &request,
            threads: arguments.threads.count(),
            is_shared: true,
            shows_progress: arguments.format == AnswerFormat::Text,
        };
        let exports = source.read(&compiles, &|| subject.workspace.analysis())?;
        run.exports = Some(exports);
    }
    let run = run;
    let catalogs = match &arguments.nodes.path {
        Some(path) => run.nodes(arguments, &subject, path)?,
        None => run.entries(arguments, &subject, &named)?,
    };
    let noun = if arguments.nodes.path.is_some() { ("node", "nodes") } else { ("catalog", "catalogs") };
    let report = ImpactReport::new(&targets, catalogs, noun);
    match arguments.format {
        AnswerFormat::Text => terminal::print_text(&report.text(), false)?,
        AnswerFormat::Json => terminal::print_json(&report.json())?,
    }
    Ok(report.outcome())
}

/// State shared by all compiles.
struct ImpactRun<'r> {
    environment: EnvironmentId,
    targets: &'r [ImpactTarget],
    disk: &'r Disk,
    shared: SharedResults<CatalogImpact>,
    /// Major version of Puppet.
    puppet_version: u8,
    global_hiera: Option<GlobalHiera>,
    classification: &'r Classification,
    enc_dir: Option<&'r Path>,
    /// Resources that the nodes export.
    exports: Option<Arc<FleetExports>>,
}

impl ImpactRun<'_> {
    /// Compiles the nodes of a snapshot or a folder.
    fn nodes(
        &self,
        arguments: &ImpactArguments,
        subject: &Subject,
        path: &Path,
    ) -> anyhow::Result<Vec<ImpactedCatalog>> {
        let mut nodes = NodeSet::open(path)?;
        let is_classified = !self.classification.classes.is_empty() || self.enc_dir.is_some();
        anyhow::ensure!(
            is_classified || subject.workspace.analysis().has_main_manifest(self.environment),
            "main manifest not found\nhelp: name the folder of the environment with `--environment`"
        );
        let phase = VerbosePhase::start();
        let mut bar = ProgressLine::new(arguments.format == AnswerFormat::Text, "nodes compiled");
        let (started, total) = (Instant::now(), nodes.remaining());
        let threads = arguments.threads.count();
        let (mut seen, mut catalogs) = (SeenNames::default(), Vec::new());
        loop {
            let chunk = nodes.next_chunk()?;
            if chunk.is_empty() {
                break;
            }
            let done = catalogs.len();
            let work = |analysis: &Analysis, raw: &RawNode| self.node(analysis, raw);
            let start = || subject.workspace.analysis();
            let results = files::in_parallel(&chunk, threads, start, work, |now| {
                bar.show(RunProgress { done: done + now.done, total, elapsed: started.elapsed() });
            })?;
            for result in results {
                let catalog = result?;
                seen.add(&catalog.name)?;
                catalogs.push(catalog);
            }
        }
        bar.finish();
        phase.end(|| format!("compiled {}", plural(catalogs.len(), "node", "nodes")));
        catalogs.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(catalogs)
    }

    fn node(&self, analysis: &Analysis, raw: &RawNode) -> anyhow::Result<ImpactedCatalog> {
        let node = raw.parse()?;
        let name = node.certname.clone();
        let unknown = |text: &str| {
            let unknown = vec![UnknownReason { is_failure: false, text: text.to_owned() }];
            let impact = Arc::new(CatalogImpact { contained: Vec::new(), unknown });
            ImpactedCatalog { name: name.clone(), is_class: false, platform: None, impact }
        };
        if node.set.facts.is_empty() {
            return Ok(unknown("no facts"));
        }
        let Some(request) = self.request(analysis, node)? else {
            return Ok(unknown("no output of the node classifier"));
        };
        let (impact, _) = self.shared(analysis, &request)?;
        Ok(ImpactedCatalog { name, is_class: false, platform: None, impact })
    }

    /// Returns the request of a node; `None` if it is not classified.
    fn request(&self, analysis: &Analysis, node: FleetNode) -> anyhow::Result<Option<CompileRequest>> {
        let FleetNode { certname: name, set } = node;
        let Some(classification) = self.classification.of_node(self.enc_dir, &name)? else { return Ok(None) };
        let facts = NamedFacts::of_node(&name, set, self.puppet_version);
        let point = EntryPoint::MainManifest;
        Ok(Some(CompileRequest {
            global_hiera: self.global_hiera.clone(),
            exports: self.exports.clone(),
            ..request(analysis, self.environment, point, Some(&name), &facts, &classification)
        }))
    }

    /// Compiles all node definitions, or all classes, on all platforms.
    fn entries(
        &self,
        arguments: &ImpactArguments,
        subject: &Subject,
        named: &[NamedFacts],
    ) -> anyhow::Result<Vec<ImpactedCatalog>> {
        let analysis = subject.workspace.analysis();
        let all = tasks(subject, &analysis, self.environment, named, self.classification)?;
        anyhow::ensure!(!all.tasks.is_empty() || !all.not_compiled.is_empty(), NothingToCompile);
        let meter = WorkMeter::new(analysis.work_limit(self.environment)?);
        let work = |analysis: &Analysis, (index, task): &(usize, &Task)| {
            meter.run(*index, || self.shared(analysis, &task.request))
        };
        let mut bar = ProgressLine::new(arguments.format == AnswerFormat::Text, "catalogs compiled");
        let threads = arguments.threads.count();
        let numbered: Vec<(usize, &Task)> = all.tasks.iter().enumerate().collect();
        let start = || subject.workspace.analysis();
        let results = files::in_parallel(&numbered, threads, start, work, |now| bar.show(now))?;
        bar.finish();
        let counted = meter.counted(all.tasks.len());
        let mut catalogs = Vec::new();
        let unknown = |text: &str| {
            let unknown = vec![UnknownReason { is_failure: false, text: text.to_owned() }];
            Arc::new(CatalogImpact { contained: Vec::new(), unknown })
        };
        for (index, (task, result)) in all.tasks.iter().zip(results).enumerate() {
            let impact = result?.filter(|_| index < counted);
            let impact = impact.unwrap_or_else(|| unknown(compile::EXCLUDED_FROM_COMPILATION));
            let (name, is_class) = (task.name.entry.name.clone(), task.name.entry.is_class);
            let platform = Some(task.name.platform.clone());
            catalogs.push(ImpactedCatalog { name, is_class, platform, impact });
        }
        for (entry, reason) in all.not_compiled {
            let (name, is_class, impact) = (entry.name, entry.is_class, unknown(reason));
            catalogs.push(ImpactedCatalog { name, is_class, platform: None, impact });
        }
        Ok(catalogs)
    }

    /// Returns the result of a request, or of one that no compile can distinguish from it, and the work.
    fn shared(
        &self,
        analysis: &Analysis,
        request: &CompileRequest,
    ) -> anyhow::Result<(Arc<CatalogImpact>, u64)> {
        let mut node = NodeHashes::new(&[(analysis, self.environment, request)])?;
        if let Some(known) = self.shared.find(&mut node) {
            return Ok((known, 0));
        }
        let request = node.recorded(0, request);
        let mut compiled = analysis.compile_with_verdict(self.environment, &request, Some(self.disk))?;
        let mut impact = CatalogImpact::default();
        let code = analysis.code_files(&compiled)?;
        for (index, target) in self.targets.iter().enumerate() {
            match target.is_in(&compiled, &code) {
                Some(true) => impact.contained.push(index),
                Some(false) => {}
                None => {
                    let text = format!("it is unknown whether `{target}` is in the catalog");
                    impact.unknown.push(UnknownReason { is_failure: false, text });
                }
            }
        }
        match compiled.verdict() {
            Verdict::Inconclusive if impact.contained.len() < self.targets.len() => {
                let reasons = compiled.inconclusive_reasons().iter();
                let reason = |it: &String| UnknownReason { is_failure: false, text: it.clone() };
                impact.unknown.extend(reasons.map(reason));
            }
            Verdict::Compiles | Verdict::Inconclusive => {}
            // There is no catalog.
            Verdict::Fails => {
                let message = compiled.problem().map(|it| codes::single_line(&it.message));
                let text = message.unwrap_or_default().to_string();
                let unknown = vec![UnknownReason { is_failure: true, text }];
                impact = CatalogImpact { contained: Vec::new(), unknown };
            }
        }
        let (work, reads) = (compiled.work(), std::mem::take(&mut compiled.node_reads));
        let impact = Arc::new(impact);
        let reads = reads.into_iter().map(|read| ReadOfCompile { compile: 0, read });
        self.shared.add(&mut node, reads, &impact);
        Ok((impact, work))
    }
}
