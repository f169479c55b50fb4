//! `unused`: everything in a control repository that no node can reach.

pub(super) mod arguments;
mod listing;
mod remove;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use catalog_view::values::notation;
use fleet::nodes::{FleetNode, NodeSet};
use ide::{FactTable, ItemKind, ItemUse, ItemUses, ReachabilityRoots, UseVerdict};
use types::{HashValue, Value};

use self::arguments::{ListingArguments, UnusedArguments};
use super::arguments::AnswerFormat;
use super::compile::subject::{Subject, classes_of_classifier};
use super::{ColorChoice, CommandOutcome, files, terminal};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  everything is used; with `--remove`: everything unused was removed
  1  something is unused; with `--remove`: something unused is left
  2  usage error, or unreadable input; with `--remove` also a work tree that is not clean
  3  nothing is known to be unused, but some items are open, or no module was examined; with `--remove`: nothing removed, because catalogs may change

Examples:
  puppet-analyzer unused
  puppet-analyzer unused --kind class --kind template
  puppet-analyzer unused --enc-dir classifier --format json
  puppet-analyzer unused --nodes nodes.snapshot
  puppet-analyzer unused --show-open
  puppet-analyzer unused --kind template --remove";

pub(super) fn run(arguments: &UnusedArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    files::on_deep_stack(|| list(arguments, color))?
}

fn list(arguments: &UnusedArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let subject = Subject::load(&arguments.listing.project)?;
    subject.workspace.print_notes(color);
    let mut uses = uses(&arguments.listing, &subject)?;
    let is_examined = !uses.items.is_empty() || uses.foreign_modules.is_empty();
    let kinds: Vec<ItemKind> = arguments.kind.iter().map(|it| it.kind()).collect();
    uses.items.retain(|it| kinds.is_empty() || kinds.contains(&it.kind));
    if arguments.remove {
        return remove::run(arguments, &subject, &uses);
    }
    let analysis = subject.workspace.analysis();
    let listing = listing::UnusedListing::new(&analysis, &uses, &last_changes(&subject, &uses))?;
    match arguments.listing.format {
        AnswerFormat::Text => terminal::print_text(&listing.text(arguments.listing.show_open), false)?,
        AnswerFormat::Json => terminal::print_json(&listing.json())?,
    }
    Ok(outcome(&uses, is_examined))
}

/// Returns the use of all items of the environment.
fn uses(arguments: &ListingArguments, subject: &Subject) -> anyhow::Result<ItemUses> {
    let analysis = subject.workspace.analysis();
    let environment = subject.environment(&analysis)?;
    anyhow::ensure!(
        analysis.is_control_repository(environment)?,
        "no control repository found\nhelp: run the command in a folder with `environment.conf`, `Puppetfile`, or `hiera.yaml`, or name it with `--environment`"
    );
    let mut roots = ReachabilityRoots::default();
    let of_folder = arguments.enc_dir.as_deref().map(fleet::nodes::files_of_nodes).transpose()?;
    for file in arguments.enc.iter().cloned().chain(of_folder.into_iter().flatten()) {
        roots.are_complete = true;
        roots.classes.extend(classes_of_classifier(&file)?.into_iter().map(Into::into));
    }
    if let Some(nodes) = &arguments.nodes {
        roots.facts = Some(fact_table(nodes, analysis.facts_in_names(environment)?)?);
    }
    Ok(analysis.item_uses(environment, &roots, &|path| template(subject, path))?)
}

/// Returns the text of a file that is not part of the project.
pub(crate) fn template(subject: &Subject, path: &ide::FilePath) -> Option<String> {
    match compile::FileReader::read(&subject.workspace.disk(), path.as_str()) {
        compile::FileRead::Content(bytes) => Some(String::from_utf8_lossy(&bytes).into_owned()),
        _ => None,
    }
}

/// `is_examined` is false if the repository has modules, but none of its own.
fn outcome(uses: &ItemUses, is_examined: bool) -> CommandOutcome {
    let has = |is_wanted: fn(&ItemUse) -> bool| uses.items.iter().any(is_wanted);
    if has(|it| matches!(it.verdict, UseVerdict::Unused { .. })) {
        CommandOutcome::Findings
    } else if has(|it| matches!(it.verdict, UseVerdict::Open(_))) || !is_examined {
        CommandOutcome::Inconclusive
    } else {
        CommandOutcome::Clean
    }
}

/// Returns the times of the last changes of the files of unused items, by path, as far as Git knows them.
fn last_changes(subject: &Subject, uses: &ItemUses) -> BTreeMap<PathBuf, u64> {
    let analysis = subject.workspace.analysis();
    let folder = subject.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let Ok(Some(repository)) = git::Repository::around(&folder) else { return BTreeMap::new() };
    let unused = uses.items.iter().filter(|it| matches!(it.verdict, UseVerdict::Unused { .. }));
    let mut wanted = BTreeMap::new();
    for place in unused.flat_map(|it| &it.locations) {
        let path = PathBuf::from(analysis.path(place.file).to_native());
        let below =
            path.canonicalize().ok().and_then(|it| Some(it.strip_prefix(repository.top()).ok()?.to_owned()));
        if let Some(below) = below {
            wanted.insert(below.to_string_lossy().replace('\\', "/"), path);
        }
    }
    let times = repository.last_changes(&wanted.keys().cloned().collect()).unwrap_or_default();
    times.into_iter().filter_map(|(below, time)| Some((wanted.remove(&below)?, time))).collect()
}

/// Returns the values of facts on all nodes of a fleet.
fn fact_table(nodes: &Path, paths: Vec<String>) -> anyhow::Result<FactTable> {
    let mut table = FactTable { paths: paths.into_iter().map(Into::into).collect(), ..FactTable::default() };
    let mut nodes = NodeSet::open(nodes)?;
    while let Some(raw) = nodes.next_node()? {
        let FleetNode { certname, set } = raw.parse()?;
        let value = |path: &str| match path.split_once('.')? {
            ("trusted", "certname" | "hostname" | "domain") if set.trusted.is_none() => match path {
                "trusted.certname" => Some(certname.clone()),
                "trusted.hostname" => certname.split('.').next().map(str::to_owned),
                _ => certname.split_once('.').map(|it| it.1.to_owned()),
            },
            ("trusted", inner) => match inner.strip_prefix("extensions.") {
                Some(extension) => scalar_at(&set.trusted_extensions, extension),
                None => scalar_at(set.trusted.as_ref()?, inner),
            },
            (_, inner) => scalar_at(&set.facts, inner),
        };
        table.rows.insert(table.paths.iter().map(|path| value(path).map(Into::into)).collect());
    }
    Ok(table)
}

/// Returns the string, number, or boolean at a path of a hash.
fn scalar_at(hash: &HashValue, path: &str) -> Option<String> {
    let (key, rest) = path.split_once('.').map_or((path, None), |(key, rest)| (key, Some(rest)));
    match (hash.get_text(key)?, rest) {
        (Value::Hash(inner), Some(rest)) => scalar_at(inner, rest),
        (Value::String(text), None) => Some(text.to_string()),
        (value @ (Value::Integer(_) | Value::Boolean(_)), None) => Some(notation(value)),
        _ => None,
    }
}
