//! `hiera`: all keys of a node, data that nothing uses, data that can move to a more general level, and encrypted values.

mod eyaml;
mod moves;

use std::path::PathBuf;

use anyhow::Context;
use compile::EntryPoint;
use fleet::nodes::NodeSet;
use hiera_view::explain::{KeyPatterns, NodeKeys};
use hiera_view::lookup::Resolver;

use self::eyaml::{DecryptArguments, EncryptArguments};
use self::moves::MovesArguments;
use crate::arguments::AnswerFormat;
use crate::compile::subject::{self, NamedFacts, NodeArguments, ProjectArguments, Subject, classification};
use crate::unused::arguments::{ListingArguments, UnusedArguments};
use crate::{ColorChoice, CommandOutcome, files, terminal, unused};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  `explain`: all values are known; `moves`: nothing found; `unused`: all data is used
  1  `explain`: no keys found; `moves`: values to remove or keys to move; `unused`: some data is unused
  2  usage error, unreadable input, or lookup error
  3  `explain`: some levels or values are unknown; `moves` and `unused`: nothing found, but some data is open

Examples:
  puppet-analyzer hiera explain web1.example.com --os debian12
  puppet-analyzer hiera moves --nodes nodes.snapshot
  puppet-analyzer hiera unused
  puppet-analyzer hiera encrypt --label db::password < password";

const EXPLAIN_EXAMPLES: &str = "\
Exit codes:
  0  all values are known
  1  no keys found
  2  usage error, unreadable input, or lookup error
  3  some levels or values are unknown

Examples:
  puppet-analyzer hiera explain web1.example.com --os debian12
  puppet-analyzer hiera explain web1.example.com --facts web1.json 'profile::*'
  puppet-analyzer hiera explain web1.example.com --nodes nodes.snapshot --format json";

const MOVES_EXAMPLES: &str = "\
Exit codes:
  0  no such values or keys found
  1  some values have no effect, or some keys can move
  2  usage error, or unreadable input
  3  no such values or keys found, but some values are open

Examples:
  puppet-analyzer hiera moves
  puppet-analyzer hiera moves --nodes nodes.snapshot
  puppet-analyzer hiera moves --nodes facts --format json";

const UNUSED_EXAMPLES: &str = "\
Exit codes:
  0  all data is used
  1  some data is unused
  2  usage error, or unreadable input
  3  nothing is known to be unused, but some items are open, or no module was examined

Examples:
  puppet-analyzer hiera unused
  puppet-analyzer hiera unused --nodes nodes.snapshot --format json";

const ENCRYPT_EXAMPLES: &str = "\
Exit codes:
  0  value encrypted
  2  usage error, no key, or unreadable input

Examples:
  puppet-analyzer hiera encrypt --public-key public_key.pkcs7.pem --label db::password < password
  puppet-analyzer hiera encrypt secret.txt";

const DECRYPT_EXAMPLES: &str = "\
Exit codes:
  0  all values decrypted
  2  usage error, no key, unreadable input, no encrypted value, or one for another key

Examples:
  puppet-analyzer hiera decrypt --private-key private_key.pkcs7.pem data/common.eyaml
  echo 'ENC[PKCS7,...]' | puppet-analyzer hiera decrypt";

/// Maximum number of characters of a value in the list of all keys.
const MAX_SHOWN: usize = 200;

#[derive(clap::Subcommand, Debug)]
pub(super) enum HieraCommand {
    /// Print all keys of a node with their values and origins
    ///
    /// Without KEY, the text cuts values of more than 200 characters; the JSON has them whole.
    #[command(after_help = EXPLAIN_EXAMPLES)]
    Explain(Box<ExplainArguments>),
    /// List values that have no effect, and keys that can move to a more general level
    ///
    /// A value has no effect if every node that finds it finds an equal one in a more general level. With `--nodes`,
    /// lists the keys too that have the same value in all files of a level, if they can move to the next level that all
    /// nodes read without a change of any value on these nodes.
    #[command(after_help = MOVES_EXAMPLES)]
    Moves(Box<MovesArguments>),
    /// List Hiera keys, hierarchy levels, and data files that no node can reach
    ///
    /// Lists the same as `unused` with `--kind hiera-key --kind level --kind data-file`.
    #[command(after_help = UNUSED_EXAMPLES)]
    Unused(Box<ListingArguments>),
    /// Encrypt a value for hiera-eyaml
    ///
    /// Prints `ENC[PKCS7,…]`. Keys of the repository are never used unless you name them.
    #[command(after_help = ENCRYPT_EXAMPLES)]
    Encrypt(EncryptArguments),
    /// Decrypt the values of hiera-eyaml in a file
    ///
    /// Prints the text with the values of all `ENC[PKCS7,…]`, or nothing if one of them cannot be decrypted. Keys of the
    /// repository are never used unless you name them.
    #[command(after_help = DECRYPT_EXAMPLES)]
    Decrypt(DecryptArguments),
}

#[derive(clap::Args, Debug)]
pub(super) struct ExplainArguments {
    /// Name of the node
    #[arg(value_name = "NODE")]
    node: String,

    /// Keys to print; `*` matches any string: `profile::*` [default: all keys]
    #[arg(value_name = "KEY")]
    keys: Vec<String>,

    /// Facts of nodes: a snapshot written by `facts fetch`, or a folder with a file of facts per node
    #[arg(long, value_name = "SNAPSHOT|FOLDER", conflicts_with_all = ["facts", "os"])]
    nodes: Option<PathBuf>,

    #[command(flatten)]
    project: ProjectArguments,

    #[command(flatten)]
    facts: NodeArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = AnswerFormat::Text)]
    format: AnswerFormat,
}

pub(super) fn run(command: &HieraCommand, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    match command {
        HieraCommand::Explain(arguments) => files::on_deep_stack(|| explain(arguments, color))?,
        HieraCommand::Moves(arguments) => files::on_deep_stack(|| moves::run(arguments, color))?,
        HieraCommand::Encrypt(arguments) => eyaml::encrypt(arguments),
        HieraCommand::Decrypt(arguments) => eyaml::decrypt(arguments),
        HieraCommand::Unused(listing) => unused::run(&UnusedArguments::of_data(listing), color),
    }
}

fn explain(arguments: &ExplainArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.project)?;
    let node = arguments.node.as_str();
    let facts = match &arguments.nodes {
        Some(nodes) => facts_of_node(nodes, node, subject.puppet_version())?,
        None => subject::select_facts(subject.facts(&arguments.facts)?, Some(node))?,
    };
    let classification = classification(&arguments.facts)?;
    subject.workspace.print_notes(color);
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    let entry = EntryPoint::Code("".into());
    let request = subject.request(&analysis, environment, entry, Some(node), &facts, &classification);
    let reader = subject.workspace.disk();
    let resolver = Resolver { analysis: &analysis, environment, reader: &reader, merge: None, default: None };
    let keys = NodeKeys::new(&resolver, &request, &KeyPatterns(&arguments.keys))?;
    match arguments.format {
        AnswerFormat::Json => terminal::print_json(&keys.json())?,
        AnswerFormat::Text => {
            let most = if arguments.keys.is_empty() { MAX_SHOWN } else { usize::MAX };
            terminal::print_text(&keys.text(most), false)?;
            keys.errors.iter().for_each(|message| terminal::print_error(color, message));
        }
    }
    Ok(keys.outcome())
}

/// Returns the facts of a node in a snapshot or folder.
fn facts_of_node(nodes: &std::path::Path, name: &str, version: u8) -> anyhow::Result<NamedFacts> {
    let mut set = NodeSet::open(nodes)?;
    while let Some(raw) = set.next_node()? {
        let node = raw.parse()?;
        if node.certname.eq_ignore_ascii_case(name) {
            return Ok(NamedFacts::of_node(&node.certname, node.set, version));
        }
    }
    None.with_context(|| format!("no facts of node `{name}` in `{}`", files::display_path(nodes)))
}
