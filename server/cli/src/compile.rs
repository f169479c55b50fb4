//! `compile`: the catalog of a node, class or text, or of all of them on all platforms.

mod dot;
pub(super) mod failure;
mod json;
pub(super) mod matrix;
pub(super) mod subject;

use catalog_view::text;
use clap::ValueEnum;
use compile::{ANY_NODE, CompileRequest, EntryPoint, FileReader, NodeHost};
use ide::{Analysis, Compiled, EnvironmentId, Verdict};
use smol_str::SmolStr;
use syntax::Severity;

use self::subject::{Classification, NamedFacts, NodeArguments, ProjectArguments, Subject, classification};
use super::place::LocationPrinter;
use super::{ColorChoice, CommandOutcome, files, terminal, workspace};

#[derive(clap::Args, Debug)]
pub(super) struct CompileArguments {
    /// The name of the node [default: what the facts say]
    #[arg(value_name = "NODE")]
    node: Option<String>,

    /// Compile a class in the place of the main manifest
    #[arg(long, value_name = "NAME", conflicts_with_all = ["code", "all"])]
    class: Option<String>,

    /// Compile a text in the place of the main manifest
    #[arg(long, value_name = "CODE", conflicts_with = "all")]
    code: Option<String>,

    /// Compile every node definition (without any: every class) for every platform, and print which of them compile
    #[arg(long, conflicts_with = "node")]
    all: bool,

    /// Fail where something was not looked at, too
    #[arg(long)]
    deny_open: bool,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// How the catalog is printed
    #[arg(long, value_enum, default_value_t = CatalogFormat::Text)]
    format: CatalogFormat,

    /// How many threads work with --all [default: one per core, at least 2]
    #[arg(long, value_name = "N", requires = "all")]
    threads: Option<usize>,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CatalogFormat {
    /// For people: a tree of what contains what
    Text,
    /// The shape of Puppet's own catalogs
    Json,
    /// A graph for Graphviz
    Dot,
}

pub(super) fn run(arguments: &CompileArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| compile(arguments, color))?
}

fn compile(arguments: &CompileArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    let facts = subject.facts(&arguments.facts)?;
    let classification = classification(&arguments.facts)?;
    if arguments.all {
        anyhow::ensure!(arguments.format != CatalogFormat::Dot, "--all has no graph: --format text or json");
        let how = matrix::MatrixOptions {
            is_json: arguments.format == CatalogFormat::Json,
            threads: arguments.threads.unwrap_or_else(files::default_threads),
            denies_open: arguments.deny_open,
        };
        return matrix::run(&subject, &facts, &classification, &how, color);
    }
    compile_one(arguments, &subject, facts, &classification, color)
}

fn compile_one(
    arguments: &CompileArguments,
    subject: &Subject,
    facts: Vec<NamedFacts>,
    classification: &Classification,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    let is_unknown = facts.is_empty();
    let facts = subject::facts_of_node(facts, arguments.node.as_deref())?;
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let lines = subject.workspace.odd_settings(&analysis, environment);
    lines.iter().for_each(|line| terminal::print_to_stderr(line));
    let entry = match (&arguments.class, &arguments.code) {
        (Some(class), _) => class_entry(&analysis, environment, class)?,
        (None, Some(code)) => EntryPoint::Code(code.as_str().into()),
        (None, None) => EntryPoint::MainManifest,
    };
    let is_main = entry == EntryPoint::MainManifest;
    if is_main && !analysis.has_main_manifest(environment) && classification.classes.is_empty() {
        anyhow::bail!("there is no main manifest; say what to compile with --class, --code or --enc");
    }
    let entry_of_node = match arguments.node.as_deref().filter(|_| is_main) {
        Some(name) => named_node(&analysis, environment, name)?,
        None => None,
    };
    let node = entry_of_node.as_ref().and_then(CompiledEntry::node).or(arguments.node.as_deref());
    let mut request = subject.request(&analysis, environment, entry, node, &facts, classification);
    request.has_invented_node |= entry_of_node.as_ref().is_some_and(|it| it.is_invented);
    let reader = subject.workspace.disk();
    let compiled = judged(&analysis, environment, &request, &reader)?;
    if node.is_none() && facts.node_name.is_none() && is_main {
        let name = &request.node_name;
        terminal::print_to_stderr(&format!("no node is named: this is the catalog of {name}\n"));
    }
    compiled.logs().iter().for_each(|log| terminal::print_log(color, log.level, &log.message));
    print_diagnostics(&analysis, &compiled, color)?;
    if is_unknown && arguments.format == CatalogFormat::Text {
        terminal::print_to_stderr("no facts are given (--os, --facts): what depends on them is not known\n");
    }
    let names = (request.node_name.as_str(), request.environment_name.as_str());
    let printed = print_catalog(&analysis, environment, &compiled, names, arguments.format, color)?;
    for part in compiled.open_parts() {
        terminal::print_to_stderr(&format!("open: {}\n", output::visible(part)));
    }
    Ok(match (compiled.verdict(), printed) {
        (Verdict::Open, _) if arguments.deny_open => CommandOutcome::Findings,
        // There is no catalog, and nobody knows whether Puppet has one.
        (Verdict::Open, CommandOutcome::Findings) => CommandOutcome::Open,
        (_, printed) => printed,
    })
}

/// Compiles, and says where the class that is compiled cannot be included as it is.
fn judged(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: &CompileRequest,
    reader: &dyn FileReader,
) -> anyhow::Result<Compiled> {
    let compiled = match &request.entry {
        // A class that is not here is what the user wants, and nothing that may be elsewhere.
        EntryPoint::Class(_) => analysis.compile(environment, request, Some(reader))?,
        _ => analysis.judge(environment, request, Some(reader))?,
    };
    Ok(match alone(analysis, environment, request, reader)? {
        // It names what the user has written.
        Some((_, alone)) if compiled.verdict() == Verdict::Fails => alone,
        Some((name, alone)) => {
            let message = output::visible(alone.problem().map(|it| it.message.as_str()).unwrap_or_default());
            terminal::print_to_stderr(&format!(
                "`include {name}` alone fails ({message}): what declares the class has to complete it\n"
            ));
            compiled
        }
        None => compiled,
    })
}

/// A class as `--all` compiles it; one that is not here as Puppet does.
fn class_entry(analysis: &Analysis, environment: EnvironmentId, name: &str) -> anyhow::Result<EntryPoint> {
    let folded = name.trim_start_matches("::").to_lowercase();
    let is_known = analysis.classes(environment)?.contains(&folded);
    Ok(match is_known {
        true => EntryPoint::ClassWithAnyParameters(folded.into()),
        false => EntryPoint::Class(name.into()),
    })
}

/// The node definition that is named as it is written, where that is no name of a node.
fn named_node(
    analysis: &Analysis,
    environment: EnvironmentId,
    name: &str,
) -> anyhow::Result<Option<CompiledEntry>> {
    let mut hosts = analysis.nodes(environment)?.into_iter();
    let found = hosts.find(|host| host.is_invented && host.written == name).map(CompiledEntry::of_host);
    anyhow::ensure!(
        found.as_ref().is_none_or(|it| it.node().is_some()),
        "no name is known that {name} fits; name such a node"
    );
    Ok(found)
}

/// What comes of including a class that is compiled as what declares it may complete it; `None` of all else.
fn alone(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: &CompileRequest,
    reader: &dyn FileReader,
) -> anyhow::Result<Option<(SmolStr, Compiled)>> {
    let EntryPoint::ClassWithAnyParameters(name) = &request.entry else { return Ok(None) };
    let alone = CompileRequest { entry: EntryPoint::Class(name.clone()), ..request.clone() };
    let alone = analysis.judge(environment, &alone, Some(reader))?;
    Ok(Some((name.clone(), alone)).filter(|(_, alone)| alone.verdict() == Verdict::Fails))
}

fn print_catalog(
    analysis: &Analysis,
    environment: EnvironmentId,
    compiled: &Compiled,
    names: (&str, &str),
    format: CatalogFormat,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    if let Some(found) = &compiled.failure {
        let is_colored = terminal::stderr_has_color(color);
        terminal::print_to_stderr(&failure::render(analysis, compiled, found, is_colored)?);
        return Ok(CommandOutcome::Findings);
    }
    let is_colored = terminal::stdout_has_color(color);
    match format {
        CatalogFormat::Text => {
            terminal::print_text(&render_text(analysis, compiled, is_colored)?, is_colored)?
        }
        CatalogFormat::Json => terminal::print_json(&json::render(analysis, environment, compiled, names)?)?,
        CatalogFormat::Dot => terminal::print_text(&dot::render(compiled.catalog()), false)?,
    }
    match &compiled.circle {
        Some(circle) => {
            let is_colored = terminal::stderr_has_color(color);
            terminal::print_to_stderr(&failure::render(analysis, compiled, circle, is_colored)?);
            Ok(CommandOutcome::Findings)
        }
        None => Ok(CommandOutcome::Clean),
    }
}

/// What may be wrong depends on what is not known, so it is a warning.
fn print_diagnostics(analysis: &Analysis, compiled: &Compiled, color: ColorChoice) -> anyhow::Result<()> {
    let is_colored = terminal::stderr_has_color(color);
    for diagnostic in &compiled.diagnostics {
        let text = failure::render_as(Severity::Warning, analysis, compiled, diagnostic, is_colored)?;
        terminal::print_to_stderr(&text);
    }
    Ok(())
}

fn render_text(analysis: &Analysis, compiled: &Compiled, is_colored: bool) -> anyhow::Result<String> {
    let mut places = LocationPrinter::new(analysis);
    text::render(compiled.catalog(), is_colored, |place| {
        let place = analysis.place_of(compiled, place)?;
        let Some((file, place)) = place.and_then(|place| Some((place.file?, place))) else { return Ok(None) };
        anyhow::Ok(Some(format!("{}:{}", places.location(file, place.range)?.file, place.line)))
    })
}

/// What is compiled, when everything is: node definitions or classes, with the module that each belongs to.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(super) struct CompiledEntry {
    /// As it is written.
    pub(super) name: String,
    pub(super) is_class: bool,
    /// The name of the node; `None` of a class, and where none is known.
    node: Option<String>,
    /// Is that name an example only?
    pub(super) is_invented: bool,
}

impl CompiledEntry {
    pub(super) fn class(name: String) -> CompiledEntry {
        CompiledEntry { name, is_class: true, node: None, is_invented: false }
    }

    /// A node of that name.
    pub(super) fn named(name: String) -> CompiledEntry {
        CompiledEntry { node: Some(name.clone()), name, is_class: false, is_invented: false }
    }

    pub(super) fn of_host(host: NodeHost) -> CompiledEntry {
        let node = host.node.map(|it| it.to_string());
        CompiledEntry { name: host.written, is_class: false, node, is_invented: host.is_invented }
    }

    /// The name of the module that a class belongs to.
    fn module(&self) -> Option<String> {
        self.is_class.then(|| module_of(&self.name).to_owned())
    }

    pub(super) fn entry_point(&self) -> EntryPoint {
        match self.is_class {
            true => EntryPoint::ClassWithAnyParameters(self.name.as_str().into()),
            false => EntryPoint::MainManifest,
        }
    }

    /// The name of the node.
    pub(super) fn node(&self) -> Option<&str> {
        self.node.as_deref()
    }
}

/// The name of the module that a class belongs to.
fn module_of(class: &str) -> &str {
    class.split("::").next().unwrap_or_default()
}

/// The node definitions of an environment; without any what its main manifest does for all nodes, and its classes: those below the folder
/// that the user means.
pub(super) fn entries(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
) -> anyhow::Result<Vec<CompiledEntry>> {
    let nodes = analysis.nodes(environment)?;
    let is_any = |it: &NodeHost| it.written == ANY_NODE;
    if !nodes.iter().all(is_any) {
        return Ok(nodes.into_iter().map(CompiledEntry::of_host).collect());
    }
    let folder = subject.folder.as_deref().and_then(workspace::absolute_path);
    let is_meant = |class: &String| {
        let root = analysis.module_root(environment, module_of(class));
        root.is_some_and(|root| folder.as_ref().is_none_or(|folder| root.starts_with(folder)))
    };
    let classes = analysis.classes(environment)?.into_iter().filter(is_meant).map(CompiledEntry::class);
    // First what the main manifest does for all nodes.
    Ok(nodes.into_iter().map(CompiledEntry::of_host).chain(classes).collect())
}

/// The facts with which an entry is compiled: those that the user names, else those of the platforms that the module of a
/// class supports.
pub(super) fn facts_of(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    entry: &CompiledEntry,
    named: &[NamedFacts],
) -> anyhow::Result<Vec<NamedFacts>> {
    if !named.is_empty() {
        return Ok(named.to_vec());
    }
    let version = subject.puppet_version();
    let root = entry.is_class.then(|| analysis.module_root(environment, module_of(&entry.name))).flatten();
    let metadata = match root {
        Some(root) => match analysis.file_id(&root.join("metadata.json")) {
            Some(file) => analysis.text(file)?,
            None => None,
        },
        None => None,
    };
    let metadata = metadata.filter(|it| it.len() <= subject.config.settings.large_file_limit);
    let platforms = facts::supported(metadata.as_deref()).platforms;
    Ok(platforms.into_iter().map(|platform| subject::of_platform(platform, version)).collect())
}
