//! What is compiled, and for whom: the project, the facts, and what a node classifier says.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use compile::{CompileRequest, EntryPoint, Facts, GlobalHiera};
use disk::config::Config;
use disk::{Folders, Links};
use eval::NodeClass;
use hiera::data::{self, DataFormat};
use ide::{Analysis, EnvironmentId, FilePath};
use types::{HashValue, Value};

use crate::VersionArguments;
use crate::files::{self, display_path};
use crate::workspace::{self, Workspace};

/// Files of facts are looked for in so many folders, one in the other.
const MAX_FACTS_DEPTH: usize = 4;

/// The project that is compiled.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct ProjectArguments {
    /// The folder of the environment, or of a module [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub(crate) environment: Option<PathBuf>,

    /// Folders of modules instead of an environment, or in the place of its own, with `:` between them (`;` on Windows)
    #[arg(long, value_name = "PATHS")]
    pub(crate) modulepath: Option<String>,

    /// The `hiera.yaml` of the whole machine
    #[arg(long, value_name = "FILE")]
    hiera_config: Option<PathBuf>,

    #[command(flatten)]
    version: VersionArguments,
}

/// The node that is compiled for.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct NodeArguments {
    /// Facts: a file as `facter --json`, `facter --yaml` or `puppet facts` print them, or a folder of such files
    #[arg(long, value_name = "FILE")]
    facts: Vec<PathBuf>,

    /// The files hold not all facts of the node: those that they lack are unknown, not absent
    #[arg(long, requires = "facts")]
    partial_facts: bool,

    /// A platform whose facts hold: `debian12`, `RHEL 9`, `windows-2022`
    #[arg(long, value_name = "NAME", conflicts_with = "facts")]
    os: Vec<String>,

    /// What an external node classifier prints for the node: YAML with `classes` and `parameters`
    #[arg(long, value_name = "FILE")]
    enc: Option<PathBuf>,
}

/// A project that was read.
pub(crate) struct Subject {
    pub(crate) workspace: Workspace,
    /// The folder that the user means; `None` with a module path.
    pub(crate) folder: Option<PathBuf>,
    pub(crate) config: Config,
    global_hiera: Option<GlobalHiera>,
}

/// Facts with the name by which people know them.
#[derive(Clone, Debug)]
pub(crate) struct NamedFacts {
    pub(crate) name: String,
    pub(crate) facts: Facts,
    /// The name of the node that they are of.
    pub(crate) node_name: Option<String>,
    /// Are they those of a platform, for a node of any name?
    is_platform: bool,
}

/// What an external node classifier says.
#[derive(Clone, Debug, Default)]
pub(crate) struct Classification {
    pub(crate) classes: Vec<NodeClass>,
    pub(crate) parameters: HashValue,
    environment: Option<String>,
}

impl NamedFacts {
    /// The facts of a node: a platform's take its name.
    fn of_node(&self, node: &str) -> Facts {
        match &self.facts {
            Facts::Platform { facts, of_modules } if self.is_platform => Facts::Platform {
                facts: Arc::new(facts::of_node(facts, &node.to_lowercase())),
                of_modules: of_modules.clone(),
            },
            facts => facts.clone(),
        }
    }
}

impl Subject {
    pub(crate) fn load(arguments: &ProjectArguments) -> anyhow::Result<Subject> {
        let global_hiera = arguments.hiera_config.as_deref().map(read_global_hiera).transpose()?;
        let (folder, config) = match &arguments.modulepath {
            Some(paths) => {
                let folder = arguments.environment.clone();
                folder.as_deref().map(existing_folder).transpose()?;
                let mut config = arguments.version.config_in(folder.as_deref().unwrap_or(Path::new(".")))?;
                let settings = &mut config.settings;
                let separator = if cfg!(windows) { ';' } else { ':' };
                settings.module_path = paths
                    .split(separator)
                    .filter(|path| !path.is_empty())
                    .map(|path| existing_folder(Path::new(path)))
                    .collect::<anyhow::Result<_>>()?;
                settings.base_module_path = Vec::new();
                settings.module_path_is_whole = true;
                let named = settings.module_path.clone();
                config.trusted_folders.extend(named);
                (folder, config)
            }
            None => {
                let folder = arguments.environment.clone().unwrap_or_else(|| PathBuf::from("."));
                existing_folder(&folder)?;
                (Some(folder.clone()), arguments.version.config_in(&folder)?)
            }
        };
        let roots: Vec<PathBuf> = folder.iter().cloned().collect();
        let workspace = Workspace::with_surroundings(&config, &roots, std::iter::empty());
        Ok(Subject { workspace, folder, config, global_hiera })
    }

    /// The environment that the folder lies in, or what a module's tests see.
    pub(crate) fn environment(&self, analysis: &Analysis) -> anyhow::Result<EnvironmentId> {
        let environments = analysis.environments();
        let outside = environments.iter().copied().find(|it| analysis.environment_root(*it).is_none());
        let folder = self.folder.as_deref().and_then(workspace::absolute_path);
        let found = folder.and_then(|folder| {
            let rooted = |it: &EnvironmentId| Some((analysis.environment_root(*it)?, *it));
            let rooted: Vec<(FilePath, EnvironmentId)> = environments.iter().filter_map(rooted).collect();
            let fixtures = folder.join("spec/fixtures");
            let around = rooted.iter().filter(|(root, _)| folder.starts_with(root));
            let of_tests = || rooted.iter().find(|(root, _)| *root == fixtures);
            let around = around.max_by_key(|(root, _)| root.as_str().len()).or_else(of_tests);
            around.map(|(_, environment)| *environment)
        });
        found.or(outside).context("there is no environment")
    }

    pub(crate) fn puppet_version(&self) -> u8 {
        match self.config.settings.puppet_version {
            ide::PuppetVersion::V7 => 7,
            ide::PuppetVersion::V8 => 8,
        }
    }

    /// A compile of an entry with some facts.
    pub(crate) fn request(
        &self,
        analysis: &Analysis,
        environment: EnvironmentId,
        entry: EntryPoint,
        node: Option<&str>,
        facts: &NamedFacts,
        classification: &Classification,
    ) -> CompileRequest {
        let root = analysis.environment_root(environment);
        let is_of_folder = |root: &FilePath| root.parent().is_some_and(|it| it.file_name() == "environments");
        let of_folder = root.filter(is_of_folder).map(|root| root.file_name().to_owned());
        let named = classification.environment.clone().or(of_folder);
        let named_node = node.or(facts.node_name.as_deref());
        let is_class = matches!(entry, EntryPoint::ClassWithAnyParameters(_));
        let node = named_node.unwrap_or("node1.example.com");
        CompileRequest {
            has_invented_node: is_class && named_node.is_none(),
            node_name: node.to_lowercase().into(),
            facts: facts.of_node(node),
            node_parameters: classification.parameters.clone(),
            node_classes: classification.classes.clone(),
            environment_name: named.as_deref().unwrap_or("production").into(),
            global_hiera: self.global_hiera.clone(),
            ..CompileRequest::new(entry)
        }
    }

    /// The facts that the user names. None, if nothing is named: then nothing but their types is known.
    pub(crate) fn facts(&self, arguments: &NodeArguments) -> anyhow::Result<Vec<NamedFacts>> {
        let version = self.puppet_version();
        let mut all = Vec::new();
        for name in &arguments.os {
            all.push(of_platform(facts::platform(name)?, version));
        }
        let of_settings = self.config.settings.fact_files.iter().map(PathBuf::from);
        let named: Vec<PathBuf> = match (arguments.facts.as_slice(), all.as_slice()) {
            ([], []) => of_settings.filter(|path| path.exists() && self.workspace.may_read(path)).collect(),
            (named, _) => named.to_vec(),
        };
        for path in named {
            for file in fact_files(&path)? {
                all.push(of_file(&file, version, !arguments.facts.is_empty() && !arguments.partial_facts)?);
            }
        }
        Ok(all)
    }
}

/// The facts for one catalog: those of the node, if some are, else the only ones; without any, nothing but their types is
/// known.
pub(crate) fn facts_of_node(mut named: Vec<NamedFacts>, node: Option<&str>) -> anyhow::Result<NamedFacts> {
    if named.len() > 1
        && let Some(node) = node
    {
        named.retain(|facts| facts.node_name.as_deref() == Some(node) || facts.name == node);
        anyhow::ensure!(!named.is_empty(), "none of the files of facts is of the node {node}");
    }
    anyhow::ensure!(named.len() <= 1, "there are facts of several platforms; name one, or the node");
    Ok(named.pop().unwrap_or_else(unknown_facts))
}

/// Facts of which nothing but the types is known.
fn unknown_facts() -> NamedFacts {
    NamedFacts { name: "any platform".to_owned(), facts: Facts::Unknown, node_name: None, is_platform: false }
}

pub(crate) fn of_platform(platform: &facts::Platform, version: u8) -> NamedFacts {
    let facts = Facts::Platform {
        facts: platform.facts(version).clone(),
        of_modules: platform.module_facts().clone(),
    };
    NamedFacts { name: platform.name.to_string(), facts, node_name: None, is_platform: true }
}

/// `is_whole`: what the file does not have the node does not have either.
fn of_file(path: &Path, version: u8, is_whole: bool) -> anyhow::Result<NamedFacts> {
    let shown = display_path(path);
    let text = named_text(path)?;
    let set = facts::read(&shown, &text).with_context(|| format!("cannot read the facts of {shown}"))?;
    let facts = facts::complete(set.facts, version);
    let node_name = facts::node_name(&facts).map(str::to_owned);
    let facts = Arc::new(facts);
    let facts = match is_whole {
        true => Facts::Given(facts),
        false => Facts::Platform { facts, of_modules: Arc::default() },
    };
    Ok(NamedFacts { name: set.name.to_string(), facts, node_name, is_platform: false })
}

/// A file of facts, or those of a folder; of a folder as facterdb has them, those of the newest Facter.
fn fact_files(path: &Path) -> anyhow::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut below: Vec<String> = Vec::new();
    let folders = Folders::default();
    let mut walk = folders.walk(path, Links::Kept);
    while let Some(next) = walk.next() {
        let entry = next.map_err(|failure| anyhow::anyhow!("{}", files::walk_failure(failure)))?;
        let relative = entry.path().strip_prefix(path).unwrap_or(entry.path()).to_string_lossy();
        if entry.file_type().is_file() {
            below.push(relative.replace('\\', "/"));
        }
        if entry.is_folder() && entry.depth() < MAX_FACTS_DEPTH {
            walk.enter(&entry);
        }
    }
    below.sort();
    let is_facterdb = below.iter().any(|file| file.ends_with(".facts"));
    let chosen: Vec<PathBuf> = match is_facterdb {
        true => {
            facts::newest_of_each(below.iter().map(String::as_str)).iter().map(|it| path.join(it)).collect()
        }
        false => {
            let is_facts =
                |file: &&String| [".json", ".yaml", ".yml"].iter().any(|ending| file.ends_with(ending));
            below.iter().filter(is_facts).map(|it| path.join(it)).collect()
        }
    };
    anyhow::ensure!(!chosen.is_empty(), "there are no files of facts in {}", display_path(path));
    Ok(chosen)
}

fn existing_folder(path: &Path) -> anyhow::Result<String> {
    anyhow::ensure!(path.is_dir(), "cannot read {}: no such folder", display_path(path));
    let absolute = std::path::absolute(path)?;
    absolute.to_str().map(str::to_owned).context("the path of a folder is not UTF-8")
}

/// The text of a file that the user names.
fn named_text(path: &Path) -> anyhow::Result<String> {
    files::read_named_text(path).map_err(|failure| anyhow::anyhow!("{failure}"))
}

fn read_global_hiera(path: &Path) -> anyhow::Result<GlobalHiera> {
    let shown = display_path(path);
    let text = named_text(path)?;
    let file = workspace::absolute_path(path).and_then(|path| path.parent());
    let folder = file.with_context(|| format!("{shown} lies in no folder"))?;
    Ok(GlobalHiera { folder: folder.as_str().into(), text: text.into() })
}

/// Reads what the user says of the node's classification.
pub(crate) fn classification(arguments: &NodeArguments) -> anyhow::Result<Classification> {
    let Some(path) = &arguments.enc else { return Ok(Classification::default()) };
    let shown = display_path(path);
    let text = named_text(path)?;
    let data = data::read(DataFormat::Yaml, &text);
    let hash = data.hash().map_err(|finding| anyhow::anyhow!("{shown} is not valid: {}", finding.message))?;
    let mut classes = Vec::new();
    let class = |name: &Value, parameters: Option<&HashValue>| {
        let name = name.as_str().with_context(|| format!("{shown}: the name of a class is no text"))?;
        anyhow::Ok(NodeClass { name: name.into(), parameters: parameters.cloned().unwrap_or_default() })
    };
    match hash.get_text("classes") {
        None | Some(Value::Undef) => {}
        Some(Value::Array(names)) => {
            for name in names.iter() {
                classes.push(class(name, None)?);
            }
        }
        Some(Value::Hash(with_parameters)) => {
            for (name, parameters) in with_parameters.iter() {
                classes.push(class(name, parameters.as_hash())?);
            }
        }
        Some(_) => anyhow::bail!("{shown}: `classes` is neither a list nor a hash"),
    }
    let parameters = match hash.get_text("parameters") {
        None | Some(Value::Undef) => HashValue::default(),
        Some(Value::Hash(parameters)) => (**parameters).clone(),
        Some(_) => anyhow::bail!("{shown}: `parameters` is no hash"),
    };
    let environment = hash.get_text("environment").and_then(Value::as_str).map(str::to_owned);
    Ok(Classification { classes, parameters, environment })
}
