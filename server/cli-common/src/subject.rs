//! Subject of a compile: the project, the facts, and the node's classification.

use std::borrow::Cow;
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

use crate::arguments::VersionArguments;
use crate::files::{self, display_path};
use crate::workspace::{self, Workspace};

/// Maximum depth of the folders that are searched for fact files.
const MAX_FACTS_DEPTH: usize = 4;

/// Endings of files with Hiera data.
const DATA_ENDINGS: [&str; 5] = [".yaml", ".yml", ".eyaml", ".json", ".conf"];

/// Options that select the project.
#[derive(clap::Args, Clone, Debug)]
pub struct ProjectArguments {
    /// Folder of the environment or module [default: the current folder]
    #[arg(long, value_name = "DIR")]
    pub environment: Option<PathBuf>,

    /// Module folders that replace the environment's module path, separated by `:` (`;` on Windows)
    #[arg(long, value_name = "PATHS")]
    pub modulepath: Option<String>,

    /// Global `hiera.yaml`
    #[arg(long, value_name = "FILE")]
    pub(crate) hiera_config: Option<PathBuf>,

    #[command(flatten)]
    version: VersionArguments,

    /// True if the module folders may only exist in an earlier revision.
    #[arg(skip)]
    pub(crate) has_earlier_modules: bool,
}

/// Options that select the node.
#[derive(clap::Args, Clone, Debug)]
pub struct NodeArguments {
    /// Fact file as printed by `facter --json`, `facter --yaml` or `puppet facts`, or a folder of such files
    #[arg(long, value_name = "FILE")]
    facts: Vec<PathBuf>,

    /// Treat facts that are missing from the files as unknown instead of absent
    #[arg(long, requires = "facts")]
    partial_facts: bool,

    /// Platform whose facts are used: `debian12`, `RHEL 9`, `windows-2022`
    #[arg(long, value_name = "NAME", conflicts_with = "facts")]
    os: Vec<String>,

    /// Extension of the node's certificate in `$trusted['extensions']`, such as `pp_role=web`
    #[arg(long, value_name = "NAME=VALUE", value_parser = extension)]
    pub(crate) trusted: Vec<(String, String)>,

    /// Output of an external node classifier: YAML with `classes` and `parameters`
    #[arg(long, value_name = "FILE")]
    pub(crate) enc: Option<PathBuf>,
}

/// A loaded project.
pub struct Subject {
    pub workspace: Workspace,
    /// The selected folder; `None` with a module path.
    pub folder: Option<PathBuf>,
    pub config: Config,
    global_hiera: Option<GlobalHiera>,
}

/// A fact set with a display name.
#[derive(Clone, Debug)]
pub struct NamedFacts {
    pub name: String,
    pub facts: Facts,
    /// Name of the node that the facts belong to.
    pub node_name: Option<String>,
    /// True for the facts of a platform, which apply to any node name.
    is_platform: bool,
    /// `$trusted['extensions']` of the node.
    trusted_extensions: HashValue,
    /// Elements of `$trusted` that are known.
    trusted: Option<Arc<HashValue>>,
}

/// Result of an external node classifier, and the certificate of the node.
#[derive(Clone, Debug, Default)]
pub struct Classification {
    pub classes: Vec<NodeClass>,
    pub parameters: HashValue,
    pub(crate) environment: Option<String>,
    /// Elements of `$trusted['extensions']` given on the command line.
    pub trusted_extensions: HashValue,
}

impl Classification {
    /// Returns the classification of a node by the folder of the classifier's output, if there is one; `None` if it
    /// has none for the node.
    pub fn of_node(
        &self,
        folder: Option<&Path>,
        node: &str,
    ) -> anyhow::Result<Option<Cow<'_, Classification>>> {
        let Some(folder) = folder else { return Ok(Some(Cow::Borrowed(self))) };
        let file = fleet::nodes::file_of_node(folder, node);
        let extensions = || self.trusted_extensions.clone();
        file.map(|file| Ok(Cow::Owned(read_classification(&file, extensions())?))).transpose()
    }
}

impl NamedFacts {
    /// Returns the facts of a node of a fleet. Facts that are missing are absent.
    pub fn of_node(certname: &str, set: facts::FactSet, version: u8) -> NamedFacts {
        let facts::FactSet { facts, trusted_extensions, trusted, .. } = set;
        let mut facts = facts;
        facts.entry(Value::string("clientcert")).or_insert_with(|| Value::string(certname));
        NamedFacts {
            name: certname.to_owned(),
            facts: Facts::Given(Arc::new(facts::with_agent_facts(facts, version))),
            node_name: Some(certname.to_owned()),
            is_platform: false,
            trusted_extensions,
            trusted: trusted.map(Arc::new),
        }
    }

    /// Returns the facts for a node; the facts of a platform are adapted to its name.
    fn for_node(&self, node: &str) -> Facts {
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
    pub fn load(arguments: &ProjectArguments) -> anyhow::Result<Subject> {
        let global_hiera = arguments.hiera_config.as_deref().map(read_global_hiera).transpose()?;
        let (folder, mut config) = match &arguments.modulepath {
            Some(paths) => {
                let folder = arguments.environment.clone();
                folder.as_deref().map(workspace::existing_folder).transpose()?;
                let mut config = arguments.version.config_in(folder.as_deref().unwrap_or(Path::new(".")))?;
                let folders = match arguments.has_earlier_modules {
                    true => workspace::earlier_module_path(&mut config, paths)?,
                    false => workspace::trusted_module_path(&mut config, paths)?,
                };
                let settings = &mut config.settings;
                settings.module_path = folders;
                settings.base_module_path = Vec::new();
                settings.module_path_is_whole = true;
                (folder, config)
            }
            None => {
                let folder = arguments.environment.clone().unwrap_or_else(|| PathBuf::from("."));
                workspace::existing_folder(&folder)?;
                (Some(folder.clone()), arguments.version.config_in(&folder)?)
            }
        };
        // The data beside a named configuration is named as well.
        let beside = arguments.hiera_config.as_deref().and_then(workspace::absolute_path);
        let beside = beside.and_then(|file| file.parent()).map(|folder| folder.to_native());
        config.trusted_folders.extend(beside);
        let roots: Vec<PathBuf> = folder.iter().cloned().collect();
        let workspace = Workspace::with_surroundings(&config, &roots, std::iter::empty());
        Ok(Subject { workspace, folder, config, global_hiera })
    }

    /// Creates a subject of a workspace that is already loaded.
    pub fn of(workspace: Workspace, config: Config) -> Subject {
        Subject { workspace, folder: None, config, global_hiera: None }
    }

    /// Returns the environment that contains the folder, or the test fixtures of a module.
    pub fn environment(&self, analysis: &Analysis) -> anyhow::Result<EnvironmentId> {
        let environments = analysis.environments();
        let outside = environments.iter().copied().find(|it| analysis.environment_root(*it).is_none());
        let folder = self.folder.as_deref().and_then(workspace::absolute_path);
        let found = folder.and_then(|folder| {
            let rooted = |it: &EnvironmentId| Some((analysis.environment_root(*it)?, *it));
            let rooted: Vec<(FilePath, EnvironmentId)> = environments.iter().filter_map(rooted).collect();
            let fixtures = folder.join("spec/fixtures");
            let around = rooted.iter().filter(|(root, _)| folder.starts_with(root));
            let test_fixtures = || rooted.iter().find(|(root, _)| *root == fixtures);
            let around = around.max_by_key(|(root, _)| root.as_str().len()).or_else(test_fixtures);
            around.map(|(_, environment)| *environment)
        });
        found.or(outside).context("no environment found")
    }

    pub fn puppet_version(&self) -> u8 {
        self.config.settings.puppet_version.major()
    }

    /// Creates a compile request for an entry with a fact set.
    pub fn request(
        &self,
        analysis: &Analysis,
        environment: EnvironmentId,
        entry: EntryPoint,
        node: Option<&str>,
        facts: &NamedFacts,
        classification: &Classification,
    ) -> CompileRequest {
        CompileRequest {
            global_hiera: self.global_hiera.clone(),
            ..request(analysis, environment, entry, node, facts, classification)
        }
    }

    /// Returns the global `hiera.yaml`.
    pub fn global_hiera(&self) -> Option<&GlobalHiera> {
        self.global_hiera.as_ref()
    }

    /// Returns a checksum of the global `hiera.yaml` and the data beside it.
    ///
    /// # Errors
    /// Fails if a file cannot be read.
    pub fn digest_of_global_hiera(&self) -> anyhow::Result<String> {
        let Some(GlobalHiera { folder, text }) = &self.global_hiera else { return Ok(String::new()) };
        let mut files = Vec::new();
        let folders = Folders::default();
        let root = Path::new(folder.as_str());
        let mut walk = folders.walk(root, Links::Kept);
        while let Some(Ok(entry)) = walk.next() {
            let name = entry.file_name().to_string_lossy();
            if entry.is_folder() {
                walk.enter(&entry);
            } else if DATA_ENDINGS.iter().any(|ending| name.ends_with(ending)) {
                files.push(entry.path().to_owned());
            }
        }
        files.sort();
        let relative: Vec<&Path> = files.iter().filter_map(|it| it.strip_prefix(root).ok()).collect();
        let digest = fleet::nodes::digest_of_files(&files)?;
        Ok(format!("{text:?} {relative:?} {digest}"))
    }

    /// Returns the fact sets of the settings.
    pub fn configured_facts(&self) -> anyhow::Result<Vec<NamedFacts>> {
        let (facts, os, trusted) = (Vec::new(), Vec::new(), Vec::new());
        self.facts(&NodeArguments { facts, partial_facts: false, os, trusted, enc: None })
    }

    /// Returns the fact sets selected by the user. If empty, only the types of facts are known.
    pub fn facts(&self, arguments: &NodeArguments) -> anyhow::Result<Vec<NamedFacts>> {
        let version = self.puppet_version();
        let mut all = Vec::new();
        for name in &arguments.os {
            all.push(platform_facts(facts::platform(name)?, version));
        }
        let configured = self.config.settings.fact_files.iter().map(PathBuf::from);
        let named: Vec<PathBuf> = match (arguments.facts.as_slice(), all.as_slice()) {
            ([], []) => configured.filter(|path| path.exists() && self.workspace.may_read(path)).collect(),
            (named, _) => named.to_vec(),
        };
        for path in named {
            for file in fact_files(&path)? {
                all.push(read_fact_file(
                    &file,
                    version,
                    !arguments.facts.is_empty() && !arguments.partial_facts,
                )?);
            }
        }
        Ok(all)
    }
}

/// Creates a compile request for an entry with a fact set, without a global `hiera.yaml`.
pub fn request(
    analysis: &Analysis,
    environment: EnvironmentId,
    entry: EntryPoint,
    node: Option<&str>,
    facts: &NamedFacts,
    classification: &Classification,
) -> CompileRequest {
    let root = analysis.environment_root(environment);
    let is_in_environments =
        |root: &FilePath| root.parent().is_some_and(|it| it.file_name() == "environments");
    let folder_name = root.filter(is_in_environments).map(|root| root.file_name().to_owned());
    let named = classification.environment.clone().or(folder_name);
    let named_node = node.or(facts.node_name.as_deref());
    let is_class = matches!(entry, EntryPoint::ClassWithAnyParameters(_));
    let node = named_node.unwrap_or("node1.example.com");
    let mut trusted_extensions = facts.trusted_extensions.clone();
    for (name, value) in classification.trusted_extensions.iter() {
        trusted_extensions.insert(name.clone(), value.clone());
    }
    CompileRequest {
        trusted_extensions,
        trusted: facts.trusted.clone(),
        has_invented_node: is_class && named_node.is_none(),
        node_name: node.to_lowercase().into(),
        facts: facts.for_node(node),
        node_parameters: classification.parameters.clone(),
        node_classes: classification.classes.clone(),
        environment_name: named.as_deref().unwrap_or("production").into(),
        ..CompileRequest::new(entry)
    }
}

/// Selects the fact set for one catalog: that of the node if there are several. Without any, only the types
/// of facts are known.
pub fn select_facts(mut named: Vec<NamedFacts>, node: Option<&str>) -> anyhow::Result<NamedFacts> {
    if named.len() > 1
        && let Some(node) = node
    {
        named.retain(|facts| facts.node_name.as_deref() == Some(node) || facts.name == node);
        anyhow::ensure!(!named.is_empty(), "no fact file for node `{node}`");
    }
    anyhow::ensure!(
        named.len() <= 1,
        "facts for several platforms given\nhelp: choose one platform, or name the node"
    );
    Ok(named.pop().unwrap_or_else(unknown_facts))
}

/// Returns a fact set of which only the types are known.
fn unknown_facts() -> NamedFacts {
    NamedFacts {
        name: "any platform".to_owned(),
        facts: Facts::Unknown,
        node_name: None,
        is_platform: false,
        trusted_extensions: HashValue::default(),
        trusted: None,
    }
}

pub fn platform_facts(platform: &facts::Platform, version: u8) -> NamedFacts {
    let facts = Facts::Platform {
        facts: platform.facts(version).clone(),
        of_modules: platform.module_facts().clone(),
    };
    NamedFacts {
        name: platform.name.to_string(),
        facts,
        node_name: None,
        is_platform: true,
        trusted_extensions: HashValue::default(),
        trusted: None,
    }
}

/// Reads a fact file. If `is_whole`, facts that it lacks are absent; otherwise they are unknown.
fn read_fact_file(path: &Path, version: u8, is_whole: bool) -> anyhow::Result<NamedFacts> {
    let shown = display_path(path);
    let text = named_text(path)?;
    let set = facts::read(&shown, &text).with_context(|| format!("cannot read facts from `{shown}`"))?;
    let facts = facts::with_agent_facts(set.facts, version);
    let certname = set.certname.as_deref();
    let node_name = certname.or_else(|| facts::node_name(&facts)).map(str::to_owned);
    let facts = Arc::new(facts);
    let facts =
        if is_whole { Facts::Given(facts) } else { Facts::Platform { facts, of_modules: Arc::default() } };
    let (trusted_extensions, trusted) = (set.trusted_extensions, set.trusted.map(Arc::new));
    let name = set.name.to_string();
    Ok(NamedFacts { name, facts, node_name, is_platform: false, trusted_extensions, trusted })
}

/// Returns a fact file itself, or those in a folder; in a facterdb folder those of the newest Facter.
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
    let chosen: Vec<PathBuf> = if is_facterdb {
        facts::newest_of_each(below.iter().map(String::as_str)).iter().map(|it| path.join(it)).collect()
    } else {
        let is_facts =
            |file: &&String| [".json", ".yaml", ".yml"].iter().any(|ending| file.ends_with(ending));
        below.iter().filter(is_facts).map(|it| path.join(it)).collect()
    };
    anyhow::ensure!(!chosen.is_empty(), "no fact files in `{}`", display_path(path));
    Ok(chosen)
}

/// Reads a file named on the command line.
fn named_text(path: &Path) -> anyhow::Result<String> {
    files::read_named_text(path).map_err(|failure| anyhow::anyhow!("{failure}"))
}

fn read_global_hiera(path: &Path) -> anyhow::Result<GlobalHiera> {
    let shown = display_path(path);
    let text = named_text(path)?;
    let file = workspace::absolute_path(path).and_then(|path| path.parent());
    let folder = file.with_context(|| format!("`{shown}` has no parent folder"))?;
    Ok(GlobalHiera { folder: folder.as_str().into(), text: text.into() })
}

/// Parses `name=value`.
pub(crate) fn extension(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.is_empty() => Ok((name.to_owned(), value.to_owned())),
        _ => Err("expected `NAME=VALUE`".to_owned()),
    }
}

/// Reads the output of the node classifier, if given, and the certificate extensions.
pub fn classification(arguments: &NodeArguments) -> anyhow::Result<Classification> {
    let trusted_extensions = extensions_of(&arguments.trusted);
    let Some(path) = &arguments.enc else {
        return Ok(Classification { trusted_extensions, ..Classification::default() });
    };
    read_classification(path, trusted_extensions)
}

/// Returns `$trusted['extensions']` with the given elements.
pub(crate) fn extensions_of<'e>(given: impl IntoIterator<Item = &'e (String, String)>) -> HashValue {
    given.into_iter().map(|(name, value)| (Value::string(name), Value::string(value))).collect()
}

/// Returns the classes in the output of a node classifier.
pub fn classes_of_classifier(path: &Path) -> anyhow::Result<Vec<String>> {
    let read = read_classification(path, HashValue::default())?;
    Ok(read.classes.iter().map(|it| it.name.to_string()).collect())
}

/// Reads the output of a node classifier from a file.
pub(crate) fn read_classification(
    path: &Path,
    trusted_extensions: HashValue,
) -> anyhow::Result<Classification> {
    let text = named_text(path)?;
    classification_of_output(&text, &format!("file `{}`", display_path(path)), trusted_extensions)
}

/// Reads the output of a node classifier. `source` describes it in messages.
pub(crate) fn classification_of_output(
    text: &str,
    source: &str,
    trusted_extensions: HashValue,
) -> anyhow::Result<Classification> {
    let data = data::read(DataFormat::Yaml, text);
    let hash = data.hash().map_err(|finding| anyhow::anyhow!("invalid {source}: {}", finding.message))?;
    let mut classes = Vec::new();
    let class = |name: &Value, parameters: Option<&HashValue>| {
        let name = name.as_str().with_context(|| format!("invalid {source}: class names must be strings"))?;
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
        Some(_) => anyhow::bail!("invalid {source}: `classes` must be an array or a hash"),
    }
    let parameters = match hash.get_text("parameters") {
        None | Some(Value::Undef) => HashValue::default(),
        Some(Value::Hash(parameters)) => (**parameters).clone(),
        Some(_) => anyhow::bail!("invalid {source}: `parameters` must be a hash"),
    };
    let environment = hash.get_text("environment").and_then(Value::as_str).map(str::to_owned);
    Ok(Classification { classes, parameters, environment, trusted_extensions })
}
