//! `lookup`: the Hiera value of a key, and an explanation of the lookup.

mod matrix;

use clap::ValueEnum;
use compile::{EntryPoint, Facts};
use hiera_view::lookup::{
    LookupOutcome, Resolver, explained, json_answer, lines_of_steps, shown_path, text_answer,
};
use hiera_view::matrix::{json_matrix, text_matrix, worst};
use ide::{Analysis, EnvironmentId, FilePath};
use output::visible;
use scalars::similar::similar;
use syntax::Severity;
use types::Value;

use super::arguments::AnswerFormat;
use super::compile::subject::{self, NodeArguments, ProjectArguments, Subject, classification};
use super::printed_diagnostic::printed;
use super::{ColorChoice, CommandOutcome, files, report, terminal, workspace};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  value found
  1  no value found
  2  usage error, unreadable input, or lookup error
  3  unknown: a hierarchy level depends on unknown facts, or is a Ruby function

Examples:
  puppet-analyzer lookup --os debian12 profile::web::service_name
  puppet-analyzer lookup --explain --facts web1.json --node web1.example.com ntp::servers
  puppet-analyzer lookup --merge unique --os rhel9 classes
  puppet-analyzer lookup --all-nodes --facts facts ntp::servers
  puppet-analyzer lookup --all-keys --os debian12 --node web1.example.com";

#[derive(clap::Args, Debug)]
pub(super) struct LookupArguments {
    /// Key to look up; dots access parts of a value: `ntp::servers.0`
    #[arg(value_name = "KEY", required_unless_present = "all_keys")]
    key: Option<String>,

    /// Look the key up on all nodes: those whose facts are given, or the nodes of the main manifest on all
    /// platforms
    #[arg(long, conflicts_with_all = ["explain", "node"])]
    all_nodes: bool,

    /// Print the values of all keys on the node
    #[arg(long, conflicts_with_all = ["key", "all_nodes", "explain", "merge", "default"])]
    all_keys: bool,

    /// Print the searched files in order, with the values found
    #[arg(long)]
    explain: bool,

    /// Name of the node [default: from the facts]
    #[arg(long, value_name = "NODE")]
    node: Option<String>,

    /// Merge strategy [default: from `lookup_options`, otherwise first]
    #[arg(long, value_enum, value_name = "STRATEGY")]
    merge: Option<MergeStrategy>,

    /// Value to use if no value is found (a string)
    #[arg(long, value_name = "VALUE")]
    default: Option<String>,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// Output format: the value in Puppet notation, or JSON with the value and the lookup steps
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum MergeStrategy {
    /// First value found
    First,
    /// Array of all unique elements
    Unique,
    /// Hash of all keys
    Hash,
    /// Like `hash`, but nested hashes and arrays are merged as well
    Deep,
}

impl MergeStrategy {
    fn value(self) -> Value {
        Value::string(match self {
            MergeStrategy::First => "first",
            MergeStrategy::Unique => "unique",
            MergeStrategy::Hash => "hash",
            MergeStrategy::Deep => "deep",
        })
    }
}

pub(super) fn run(arguments: &LookupArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| look_up(arguments, color))?
}

fn look_up(arguments: &LookupArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    let named = subject.facts(&arguments.facts)?;
    let classification = classification(&arguments.facts)?;
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let reader = subject.workspace.disk();
    let merge = arguments.merge.map(MergeStrategy::value);
    let default = arguments.default.as_deref().map(Value::string);
    let resolver = Resolver { analysis: &analysis, environment, reader: &reader, merge, default };
    if let (true, Some(key)) = (arguments.all_nodes, &arguments.key) {
        let answers = matrix::all_nodes(&subject, &resolver, key, named, &classification)?;
        match arguments.format {
            AnswerFormat::Json => terminal::print_json(&json_matrix(key, &answers))?,
            AnswerFormat::Text => terminal::print_text(&text_matrix(key, &answers), false)?,
        }
        return Ok(worst(answers.iter().map(|it| &it.outcome)));
    }
    let facts = subject::select_facts(named, arguments.node.as_deref())?;
    let is_invented = arguments.node.is_none() && facts.node_name.is_none();
    let (entry, node) = (EntryPoint::Code("".into()), arguments.node.as_deref());
    let request = subject.request(&analysis, environment, entry, node, &facts, &classification);
    if is_invented {
        let name = &request.node_name;
        terminal::print_to_stderr(&format!("no node given (--node): looking up for {name}\n"));
    }
    let Some(key) = &arguments.key else {
        return matrix::all_keys(&resolver, &request, arguments.format);
    };
    let (found, explanation) = resolver.resolve(&request, key)?;
    let is_colored = terminal::stdout_has_color(color);
    let lines = lines_of_steps(&analysis, key, &explanation)?;
    let has_facts = request.facts != Facts::Unknown;
    let mut text = text_answer(key, &found, &explanation, has_facts);
    match arguments.format {
        AnswerFormat::Json => terminal::print_json(&json_answer(key, &found, &explanation, &lines))?,
        AnswerFormat::Text => {
            if arguments.explain {
                text.insert_str(0, &explained(key, &explanation, &lines, is_colored));
            }
            if matches!(found, LookupOutcome::Nothing | LookupOutcome::Perhaps(_)) {
                text.push_str(&near_misses(key, &analysis.data_keys(environment)?));
            }
            terminal::print_text(&text, is_colored)?;
            if let LookupOutcome::Failure(message) = &found {
                terminal::print_error(color, message);
                print_broken_configurations(&subject, &analysis, environment, key, color)?;
            }
        }
    }
    Ok(worst(std::iter::once(&found)))
}

/// Returns the advice for a key that is not found: known keys with a similar name.
fn near_misses(key: &str, known: &[String]) -> String {
    let names: Vec<String> =
        similar(key, known.iter()).iter().map(|it| format!("`{}`", visible(it))).collect();
    match names.as_slice() {
        [] => String::new(),
        names => format!("help: did you mean {}?\n", names.join(" or ")),
    }
}

/// Prints the errors in the Hiera configurations that a lookup of the key reads.
fn print_broken_configurations(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    key: &str,
    color: ColorChoice,
) -> anyhow::Result<()> {
    let module = key.split_once("::").map(|(module, _)| module);
    let roots = analysis.environment_root(environment).into_iter();
    let of_module = module.and_then(|module| analysis.module_root(environment, module));
    let roots =
        roots.chain(of_module).chain(subject.folder.iter().filter_map(|it| workspace::absolute_path(it)));
    let mut files: Vec<FilePath> = roots.map(|root| root.join("hiera.yaml")).collect();
    files.dedup();
    for path in files {
        let Some(file) = analysis.file_id(&path) else { continue };
        let mut found = analysis.all_diagnostics(file)?;
        found.retain(|it| it.severity() == Severity::Error);
        let text = analysis.text(file)?.unwrap_or_default();
        let text_of = |path: &_| analysis.text(analysis.file_id(path)?).ok()?;
        let found = printed(&text, found, &text_of);
        let is_colored = terminal::stderr_has_color(color);
        let shown = report::text::render_file(shown_path(path.as_str()), &text, &found, is_colored);
        terminal::print_to_stderr(&shown);
    }
    Ok(())
}
