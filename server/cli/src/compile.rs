//! `compile`: the catalog of a node, a class or a code snippet, or all catalogs for all platforms.

pub(super) mod failure;
pub(super) mod matrix;
mod nodes;
mod why;

use std::collections::BTreeMap;

use catalog_view::open::AbsentModule;
use catalog_view::text;
use clap::ValueEnum;
use comparison::catalog_json;
use compile::{CompileRequest, EntryPoint, FileReader};
use ide::{Analysis, Compiled, EnvironmentId, MissingModule, Verdict};
use smol_str::SmolStr;
use syntax::Severity;

pub(super) use cli_common::subject;

use self::subject::{Classification, NamedFacts, NodeArguments, ProjectArguments, Subject, classification};
use super::arguments::ThreadArguments;
use super::position::LocationPrinter;
use super::report::open_lines;
use super::terminal::verbose::{self, VerbosePhase};
use super::{ColorChoice, CommandOutcome, files, terminal};
use cli_common::entry::CompiledEntry;
use cli_common::nodes::exports::NodeSetArguments;

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  everything compiles
  1  something does not compile; with --deny-open also if something could not be checked
  2  usage error, or unreadable input
  3  inconclusive: a limit was reached, so it is unknown whether Puppet compiles the catalog

Examples:
  puppet-analyzer compile --os debian12 web1.example.com
  puppet-analyzer compile --class profile::web --os 'RHEL 9' --format json
  puppet-analyzer compile --code 'include apache' --modulepath modules --facts facts.json
  puppet-analyzer compile --all               compile every node on every platform
  puppet-analyzer compile --all --nodes nodes.snapshot
  puppet-analyzer compile --os debian12 --why 'File[/etc/motd]' web1.example.com
  puppet-analyzer compile --os debian12 --only 'Class[ntp]' web1.example.com
  puppet-analyzer compile --class ntp --os debian12 --format dot | dot -Tsvg > ntp.svg";

#[derive(clap::Args, Debug)]
pub(super) struct CompileArguments {
    /// Name of the node [default: from the facts]
    #[arg(value_name = "NODE")]
    node: Option<String>,

    /// Compile a class instead of the main manifest
    #[arg(long, value_name = "NAME", conflicts_with_all = ["code", "all"])]
    class: Option<String>,

    /// Compile code instead of the main manifest
    #[arg(long, value_name = "CODE", conflicts_with = "all")]
    code: Option<String>,

    /// Compile every node definition (or every class, if there are none) for every platform, and print which
    /// of them compile
    #[arg(long, conflicts_with = "node")]
    all: bool,

    #[command(flatten)]
    nodes: NodeSetArguments,

    /// Only print this resource and what it contains, such as `File[/etc/motd]`; may be repeated
    #[arg(long, value_name = "TYPE[TITLE]", conflicts_with = "all")]
    only: Vec<String>,

    /// Print which declarations, collectors and overrides put this resource and its parameters into the
    /// catalog
    #[arg(long, value_name = "TYPE[TITLE]", conflicts_with_all = ["all", "only", "format"])]
    why: Option<String>,

    /// Fail if something could not be checked
    #[arg(long)]
    deny_open: bool,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = CatalogFormat::Text)]
    format: CatalogFormat,

    /// Compile on each platform and for each node, even if others have the same catalog
    #[arg(long, hide = true, requires = "all")]
    separate: bool,

    #[command(flatten)]
    threads: ThreadArguments,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CatalogFormat {
    /// Tree of the resources by container
    Text,
    /// JSON in the format of Puppet's own catalogs
    Json,
    /// Graph for Graphviz
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
        anyhow::ensure!(
            arguments.format != CatalogFormat::Dot,
            "`--all` cannot be combined with `--format dot`"
        );
        let options = matrix::MatrixOptions {
            is_json: arguments.format == CatalogFormat::Json,
            threads: arguments.threads.count(),
            denies_inconclusive: arguments.deny_open,
            compiles_separately: arguments.separate,
        };
        return match &arguments.nodes.path {
            Some(path) => {
                let enc_dir = arguments.nodes.enc_dir.as_deref();
                let exported = arguments.nodes.exported;
                let wanted = cli_common::nodes::NodesToCompile {
                    path,
                    classification: &classification,
                    enc_dir,
                    exported,
                };
                nodes::run(&subject, &wanted, &options, color)
            }
            None => matrix::run(&subject, &facts, &classification, &options, color),
        };
    }
    for (is_given, name) in
        [(arguments.nodes.path.is_some(), "--nodes"), (arguments.threads.is_given(), "--threads")]
    {
        anyhow::ensure!(!is_given, "`{name}` requires `--all`");
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
    let facts = subject::select_facts(facts, arguments.node.as_deref())?;
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let lines = subject.workspace.settings_warnings(&analysis, environment);
    lines.iter().for_each(|line| terminal::print_to_stderr(line));
    let entry = match (&arguments.class, &arguments.code) {
        (Some(class), _) => class_entry(&analysis, environment, class)?,
        (None, Some(code)) => EntryPoint::Code(code.as_str().into()),
        (None, None) => EntryPoint::MainManifest,
    };
    let is_main = entry == EntryPoint::MainManifest;
    if is_main && !analysis.has_main_manifest(environment) && classification.classes.is_empty() {
        let help = "choose what to compile with `--class`, `--code` or `--enc`";
        anyhow::bail!(codes::with_help("main manifest not found", help));
    }
    let entry_of_node = match arguments.node.as_deref().filter(|_| is_main) {
        Some(name) => named_node(&analysis, environment, name)?,
        None => None,
    };
    let node = entry_of_node.as_ref().and_then(CompiledEntry::node).or(arguments.node.as_deref());
    let mut request = subject.request(&analysis, environment, entry, node, &facts, classification);
    request.has_invented_node |= entry_of_node.as_ref().is_some_and(|it| it.is_invented);
    let reader = subject.workspace.disk();
    let phase = VerbosePhase::start();
    let compiled = compile_and_judge(&analysis, environment, &request, &reader)?;
    phase.end(|| format!("compiled the catalog of {}", request.node_name));
    if node.is_none() && facts.node_name.is_none() && is_main {
        let name = &request.node_name;
        terminal::print_to_stderr(&format!("no node given: compiling the catalog of {name}\n"));
    }
    print_logs(&analysis, &compiled, color)?;
    print_diagnostics(&analysis, &compiled, color)?;
    if is_unknown && arguments.format == CatalogFormat::Text {
        terminal::print_to_stderr(
            "no facts given (--os, --facts): values that depend on facts are unknown\n",
        );
    }
    let source = why::CompileSource { environment, request: &request, reader: &reader };
    let printed = print_catalog(&analysis, &source, &compiled, arguments, color)?;
    print_open_parts(&analysis, environment, &compiled, &request.entry)?;
    Ok(match (compiled.verdict(), printed) {
        (Verdict::Inconclusive, _) if arguments.deny_open => CommandOutcome::Findings,
        // There is no catalog, and it is unknown whether Puppet would compile one.
        (Verdict::Inconclusive, CommandOutcome::Findings) => CommandOutcome::Inconclusive,
        (_, printed) => printed,
    })
}

/// Prints the messages that the code logs; warnings with their locations.
fn print_logs(analysis: &Analysis, compiled: &Compiled, color: ColorChoice) -> anyhow::Result<()> {
    let mut printer = LocationPrinter::new(analysis);
    for log in analysis.logs(compiled)? {
        let has_location = log.message.contains("(file: ") || log.message.contains(", line: ");
        let place = log.location.filter(|_| !has_location);
        let message = match place.and_then(|place| Some((place.file?, place))) {
            Some((file, place)) => {
                let path = printer.location(file, place.range)?.file;
                format!("{} ({path}:{})", log.message, place.line)
            }
            None => log.message,
        };
        terminal::print_log(color, log.level, &message);
    }
    Ok(())
}

/// Prints the parts that were not evaluated, grouped by cause.
fn print_open_parts(
    analysis: &Analysis,
    environment: EnvironmentId,
    compiled: &Compiled,
    entry: &EntryPoint,
) -> anyhow::Result<()> {
    let missing = analysis.missing_modules(environment, compiled)?;
    let requested = match entry {
        // The error says so.
        EntryPoint::Class(name) => format!("class `{}` not found", name.to_lowercase()),
        _ => String::new(),
    };
    let parts = compiled.inconclusive_reasons().iter().filter(|it| **it != requested);
    let parts: Vec<(String, Vec<String>)> = parts.map(|part| (part.clone(), Vec::new())).collect();
    let lines = open_lines(&parts, |reason| absent_module(&missing, reason), verbose::is_enabled());
    lines.iter().for_each(|line| terminal::print_to_stderr(&format!("{line}\n")));
    Ok(())
}

/// Returns the missing module that a part is due to.
fn absent_module<'m>(missing: &'m BTreeMap<String, MissingModule>, reason: &str) -> Option<AbsentModule<'m>> {
    missing.get(reason).map(|it| AbsentModule { name: &it.name, help: it.help })
}

/// Compiles, and prints a note if the class cannot be included without parameters.
fn compile_and_judge(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: &CompileRequest,
    reader: &dyn FileReader,
) -> anyhow::Result<Compiled> {
    let compiled = match &request.entry {
        // A missing class was requested explicitly, so it is not assumed to exist elsewhere.
        EntryPoint::Class(_) => analysis.compile(environment, request, Some(reader))?,
        _ => analysis.compile_with_verdict(environment, request, Some(reader))?,
    };
    Ok(match alone(analysis, environment, request, reader)? {
        // This failure refers to the code that the user wrote.
        Some((_, alone)) if compiled.verdict() == Verdict::Fails => alone,
        Some((name, alone)) => {
            let message =
                codes::single_line(alone.problem().map(|it| it.message.as_str()).unwrap_or_default());
            let message = output::visible(&message);
            terminal::print_to_stderr(&format!(
                "`include {name}` alone fails ({message}): the class depends on the code that declares it\n"
            ));
            compiled
        }
        None => compiled,
    })
}

/// Returns the entry point of a class: as compiled by `--all`, or, for an unknown class, as Puppet compiles
/// it.
fn class_entry(analysis: &Analysis, environment: EnvironmentId, name: &str) -> anyhow::Result<EntryPoint> {
    let folded = name.trim_start_matches("::").to_lowercase();
    let is_known = analysis.classes(environment)?.contains(&folded);
    Ok(if is_known {
        EntryPoint::ClassWithAnyParameters(folded.into())
    } else {
        EntryPoint::Class(name.into())
    })
}

/// Returns the node definition with this source text, if that is not a node name itself.
fn named_node(
    analysis: &Analysis,
    environment: EnvironmentId,
    name: &str,
) -> anyhow::Result<Option<CompiledEntry>> {
    let mut hosts = analysis.nodes(environment)?.into_iter();
    let found = hosts.find(|host| host.is_invented && host.written == name).map(CompiledEntry::from_matcher);
    anyhow::ensure!(
        found.as_ref().is_none_or(|it| it.node().is_some()),
        "no known node name matches {name}\nhelp: give the name of a matching node"
    );
    Ok(found)
}

/// Returns the failure of a plain `include` of a class that is compiled with arbitrary parameters.
fn alone(
    analysis: &Analysis,
    environment: EnvironmentId,
    request: &CompileRequest,
    reader: &dyn FileReader,
) -> anyhow::Result<Option<(SmolStr, Compiled)>> {
    let EntryPoint::ClassWithAnyParameters(name) = &request.entry else { return Ok(None) };
    let alone = CompileRequest { entry: EntryPoint::Class(name.clone()), ..request.clone() };
    let alone = analysis.compile_with_verdict(environment, &alone, Some(reader))?;
    Ok(Some((name.clone(), alone)).filter(|(_, alone)| alone.verdict() == Verdict::Fails))
}

fn print_catalog(
    analysis: &Analysis,
    source: &why::CompileSource<'_>,
    compiled: &Compiled,
    arguments: &CompileArguments,
    color: ColorChoice,
) -> anyhow::Result<CommandOutcome> {
    if let Some(found) = &compiled.failure {
        let is_colored = terminal::stderr_has_color(color);
        terminal::print_to_stderr(&failure::render(analysis, compiled, found, is_colored)?);
        return Ok(CommandOutcome::Findings);
    }
    let is_colored = terminal::stdout_has_color(color);
    let catalog = compiled.catalog();
    let mut chosen = Vec::new();
    for written in arguments.only.iter().chain(&arguments.why) {
        let Some(index) = catalog_view::references::find(catalog, written) else {
            terminal::print_error(color, &why::not_found(catalog, written));
            return Ok(CommandOutcome::Findings);
        };
        chosen.push(index);
    }
    match (arguments.format, chosen.as_slice()) {
        (_, [index]) if arguments.why.is_some() => {
            terminal::print_text(&why::render(analysis, source, compiled, *index, is_colored)?, is_colored)?;
        }
        (CatalogFormat::Text, chosen) => {
            terminal::print_text(&render_text(analysis, compiled, chosen, is_colored)?, is_colored)?;
        }
        (CatalogFormat::Json, chosen) => {
            let chosen = catalog.contents(chosen);
            let catalog =
                catalog_json::render(analysis, source.environment, source.request, compiled, &chosen)?;
            terminal::print_json(&catalog)?;
        }
        (CatalogFormat::Dot, []) => terminal::print_text(&catalog_view::dot::render(catalog), false)?,
        (CatalogFormat::Dot, _) => anyhow::bail!("`--only` cannot be combined with `--format dot`"),
    }
    let is_colored = terminal::stderr_has_color(color);
    for defect in compiled.defects() {
        terminal::print_to_stderr(&failure::render(analysis, compiled, defect, is_colored)?);
    }
    Ok(match compiled.defects().next() {
        Some(_) => CommandOutcome::Findings,
        None => CommandOutcome::Clean,
    })
}

/// Prints possible problems. They depend on unknown values, so they are warnings.
fn print_diagnostics(analysis: &Analysis, compiled: &Compiled, color: ColorChoice) -> anyhow::Result<()> {
    let is_colored = terminal::stderr_has_color(color);
    for diagnostic in &compiled.diagnostics {
        let text = failure::render_as(Severity::Warning, analysis, compiled, diagnostic, is_colored)?;
        terminal::print_to_stderr(&text);
    }
    Ok(())
}

fn render_text(
    analysis: &Analysis,
    compiled: &Compiled,
    chosen: &[usize],
    is_colored: bool,
) -> anyhow::Result<String> {
    let mut printer = LocationPrinter::new(analysis);
    text::render(compiled.catalog(), chosen, is_colored, |place| {
        let place = analysis.location_of(compiled, place)?;
        let Some((file, place)) = place.and_then(|place| Some((place.file?, place))) else { return Ok(None) };
        anyhow::Ok(Some(format!("{}:{}", printer.location(file, place.range)?.file, place.line)))
    })
}
