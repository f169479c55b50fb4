//! `hiera moves`: values in data that have no effect, and keys that can move to a more general level.

use std::path::PathBuf;

use compile::{EntryPoint, Facts};
use disk::Disk;
use fleet::nodes::{NodeSet, RawNode};
use hiera::lookup::LayerLocations;
use hiera_view::moves::MovesReport;
use ide::{Analysis, EnvironmentId};
use types::HashValue;

use crate::arguments::AnswerFormat;
use crate::compile::subject::{Classification, NamedFacts, ProjectArguments, Subject};
use crate::unused;
use crate::{ColorChoice, CommandOutcome, terminal};

#[derive(clap::Args, Debug)]
pub(crate) struct MovesArguments {
    /// Facts of all nodes: a snapshot written by `facts fetch`, or a folder with a file of facts per node
    #[arg(long, value_name = "SNAPSHOT|FOLDER")]
    nodes: Option<PathBuf>,

    /// Folder with the output of an external node classifier for each node
    #[arg(long, value_name = "FOLDER", requires = "nodes")]
    enc_dir: Option<PathBuf>,

    #[command(flatten)]
    project: ProjectArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

/// Determines which data the nodes of a project read.
struct NodeReader<'a> {
    subject: &'a Subject,
    analysis: &'a Analysis,
    environment: EnvironmentId,
    arguments: &'a MovesArguments,
    /// Variables in the paths of hierarchies that facts must set.
    variables: &'a [String],
    disk: Disk,
}

pub(super) fn run(arguments: &MovesArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    anyhow::ensure!(
        analysis.is_control_repository(environment)?,
        "no control repository found\nhelp: run the command in a folder with `environment.conf`, `Puppetfile`, or `hiera.yaml`, or name it with `--environment`"
    );
    let reads_environments =
        subject.global_hiera().is_some_and(|global| global.text.contains(hiera::config::ENVIRONMENTS));
    anyhow::ensure!(!reads_environments, "the global `hiera.yaml` reads the data of environments");
    let moves = analysis.value_moves(environment, &|path| unused::template(&subject, path))?;
    let mut report = MovesReport::new(&analysis, &moves, arguments.nodes.is_some());
    if let Some(nodes) = &arguments.nodes {
        let variables = &moves.variables;
        let disk = subject.workspace.disk();
        let reader =
            NodeReader { subject: &subject, analysis: &analysis, environment, arguments, variables, disk };
        let mut set = NodeSet::open(nodes)?;
        while let Some(raw) = set.next_node()? {
            report.check_node(&reader.locations(&raw)?);
        }
    }
    match arguments.format {
        AnswerFormat::Text => terminal::print_text(&report.text()?, false)?,
        AnswerFormat::Json => terminal::print_json(&report.json()?)?,
    }
    report.outcome()
}

impl NodeReader<'_> {
    /// Returns the locations that lookups on a node search. The inner error is the reason why they are not known.
    fn locations(&self, raw: &RawNode) -> anyhow::Result<Result<Vec<LayerLocations>, String>> {
        let NodeReader { subject, analysis, environment, arguments, variables, disk } = self;
        let node = raw.parse()?;
        if node.set.facts.is_empty() {
            return Ok(Err("some nodes have no facts".to_owned()));
        }
        let classification = Classification::default();
        let of_node = classification.of_node(arguments.enc_dir.as_deref(), &node.certname)?;
        let Some(classification) = of_node else {
            return Ok(Err("the node classifier has no output for some nodes".to_owned()));
        };
        let facts = NamedFacts::of_node(&node.certname, node.set, subject.puppet_version());
        let is_set = |name: &String| {
            let has = |values: &HashValue| values.get_text(name).is_some();
            has(&classification.parameters) || matches!(&facts.facts, Facts::Given(facts) if has(facts))
        };
        // The main manifest, which lookups do not evaluate, may set others.
        if let Some(name) = variables.iter().find(|it| !is_set(it)) {
            return Ok(Err(format!("`${name}` in the path of a level is not a fact of all nodes")));
        }
        let (entry, name) = (EntryPoint::Code("".into()), node.certname.as_str());
        let request = subject.request(analysis, *environment, entry, Some(name), &facts, &classification);
        Ok(Ok(analysis.data_locations(*environment, &request, Some(disk))?))
    }
}
