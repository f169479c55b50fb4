//! Hiera's files as seen by a compile: those of the environment and its modules, and others that the caller
//! can read.

use std::sync::Arc;

use eval::MachineFile;
use hiera::config::{self, ConfigWarning, HieraConfig, HierarchyLevel, Layer};
use hiera::data::{self, DataFormat};
use hiera::lookup::DataFile;
use hiera::sources::Sources;
use project::vfs::FilePath;
use project::{Contents, Db, Environment, File, ModuleTree};
use rustc_hash::FxHashMap;
use smol_str::{SmolStr, format_smolstr};
use validation::VersionDifference;

use crate::compile_request::{FileRead, FileReader, GlobalHiera};
use crate::memo::Memo;

/// Folder and contents of a configuration.
type Configuration = (SmolStr, Arc<HieraConfig>);

/// Data that an environment may read.
pub(crate) struct ProjectData<'db> {
    db: &'db dyn Db,
    environment: Environment,
    /// Global configuration.
    global: Option<Configuration>,
    reader: Option<&'db dyn FileReader>,
    environment_name: SmolStr,
    /// Folders of modules, and of the environment itself.
    trees: FxHashMap<&'db str, ModuleTree>,
    // Caches: a program looks up hundreds of keys in the same files.
    configurations: Memo<Layer, Option<Configuration>>,
    files_read: Memo<(SmolStr, DataFormat), DataFile>,
    globs: Memo<SmolStr, Option<Vec<SmolStr>>>,
}

impl<'db> ProjectData<'db> {
    pub(crate) fn new(
        db: &'db dyn Db,
        environment: Environment,
        global: Option<&GlobalHiera>,
        reader: Option<&'db dyn FileReader>,
        environment_name: SmolStr,
    ) -> ProjectData<'db> {
        let trees = environment.modules(db).values().map(|tree| (tree.root(db).as_str(), *tree)).collect();
        let is_strict = environment.strict(db) == validation::Strict::Error;
        let global = global.map(|global| {
            let data = data::read(DataFormat::Yaml, &global.text);
            (global.folder.clone(), Arc::new(config::read(&data, &Layer::Global, is_strict)))
        });
        ProjectData {
            db,
            environment,
            global,
            reader,
            environment_name,
            trees,
            configurations: Memo::default(),
            files_read: Memo::default(),
            globs: Memo::default(),
        }
    }

    /// Returns the files that were needed but not read.
    pub(crate) fn unread_files(&self) -> Vec<SmolStr> {
        let read = self.files_read.known();
        let unread = read.iter().filter(|(_, file)| matches!(file, DataFile::Unknown));
        let mut paths: Vec<SmolStr> = unread.map(|((path, _), _)| path.clone()).collect();
        let globs = self.globs.known();
        paths.extend(globs.iter().filter(|(_, found)| found.is_none()).map(|(pattern, _)| pattern.clone()));
        paths.sort();
        paths
    }

    /// Returns true if only modules have a configuration.
    pub(crate) fn lacks_configuration(&self) -> bool {
        [Layer::Global, Layer::Environment].iter().all(|layer| self.config(layer).is_none())
    }

    /// Returns the innermost module or environment that contains a path, and the relative path.
    fn tree_around<'p>(&self, path: &'p str) -> Option<(ModuleTree, &'p str)> {
        let mut folder = path;
        while let Some((outer, _)) = folder.rsplit_once('/') {
            // The root of a file system keeps its `/`.
            if let Some(tree) = self.trees.get(if outer.is_empty() { "/" } else { outer }) {
                return Some((*tree, &path[outer.len() + 1..]));
            }
            folder = outer;
        }
        None
    }

    fn file(&self, path: &str) -> Option<File> {
        let (tree, relative) = self.tree_around(path)?;
        tree.files(self.db).get(relative).copied()
    }

    /// Returns the data provider that a layer declares in the format before version 5.
    fn old_provider(&self, tree: ModuleTree, layer: &Layer) -> Option<SmolStr> {
        let (name, key) = match layer {
            Layer::Environment => ("environment.conf", "environment_data_provider"),
            _ => ("metadata.json", "data_provider"),
        };
        let file = tree.files(self.db).get(name).copied()?;
        let version = self.environment.puppet_version(self.db);
        match layer {
            Layer::Environment if version.has(VersionDifference::EnvironmentDataProvider) => None,
            Layer::Environment => {
                let text = file.contents(self.db).text()?;
                let settings = text.lines().filter_map(|line| line.split_once('='));
                let mut values = settings.filter(|(name, _)| name.trim() == key);
                values.next_back().map(|(_, value)| value.trim().into())
            }
            _ => {
                let metadata = &project::module_metadata(self.db, file).data;
                metadata.entry(key)?.value.value.as_str().map(SmolStr::new)
            }
        }
    }

    /// Returns the configuration of a layer that declares a data provider in the format before version 5. A
    /// version 5 configuration takes precedence.
    fn with_old_provider(
        &self,
        tree: ModuleTree,
        layer: &Layer,
        config: Option<Arc<HieraConfig>>,
    ) -> Option<Arc<HieraConfig>> {
        let Some(provider) = self.old_provider(tree, layer) else { return config };
        if config.as_ref().is_some_and(|config| config.version < 5 && config.error().is_some()) {
            return config;
        }
        let file = if *layer == Layer::Environment { "environment.conf" } else { "metadata.json" };
        let is_replaced = config.as_ref().is_some_and(|config| config.version >= 5);
        let mut found = match provider.as_str() {
            _ if is_replaced => HieraConfig::clone(config.as_deref()?),
            "none" => HieraConfig { hierarchy: Vec::new(), ..HieraConfig::default_of_layer() },
            "hiera" => match config.as_deref().filter(|config| config.version > 3) {
                Some(config) => config.clone(),
                None => HieraConfig::default_of_layer(),
            },
            "function" => HieraConfig::of_function(&match layer {
                Layer::Module(name) => format!("{name}::data"),
                _ => "environment::data".to_owned(),
            }),
            other => HieraConfig::rejected(format!("unknown data provider `{other}` in {file}")),
        };
        if !is_replaced {
            found.warnings.extend(config.iter().flat_map(|config| config.warnings.iter().cloned()));
        }
        // Reading environment.conf warns about the setting.
        if let Layer::Module(_) = layer {
            let message = format!("{file}: `data_provider` is deprecated; use a version 5 hiera.yaml");
            found.warnings.push(ConfigWarning { message, unless_off: true });
        } else if is_replaced && provider != "hiera" {
            let message =
                format!("{file}: `environment_data_provider` is ignored beside a version 5 hiera.yaml");
            found.warnings.push(ConfigWarning { message, unless_off: true });
        }
        Some(Arc::new(found))
    }

    fn configuration(&self, layer: &Layer) -> Option<Configuration> {
        let modules = self.environment.modules(self.db);
        let tree = match layer {
            Layer::Global => return self.global.clone(),
            Layer::Environment => project::environment_tree(self.db, self.environment)?,
            Layer::Module(name) => *modules.get(name)?,
        };
        let root = tree.root(self.db).as_str().into();
        let config = match tree.files(self.db).get("hiera.yaml") {
            Some(file) => match file.contents(self.db) {
                Contents::NotUtf8(_) => {
                    Some(Arc::new(config::read(&data::not_utf8(DataFormat::Yaml)?, layer, false)))
                }
                Contents::Unread | Contents::Unreadable(_) => Some(Arc::new(unread_configuration())),
                _ => project::hiera_configuration(self.db, *file),
            },
            None => None,
        };
        Some((root, self.with_old_provider(tree, layer, config)?))
    }

    fn outside(&self, path: &str, format: DataFormat) -> DataFile {
        let Some(reader) = self.reader else {
            // Files inside the project are known.
            return match self.tree_around(path) {
                Some((tree, below)) if project::closed_folder(self.db, tree, below).is_none() => {
                    DataFile::Missing
                }
                _ => DataFile::Unknown,
            };
        };
        let read = || match reader.read(path) {
            FileRead::Content(bytes) => {
                let data = match std::str::from_utf8(&bytes) {
                    Ok(text) => DataFile::Read(Arc::new(data::read(format, text).without_nodes())),
                    Err(_) => not_utf8(format),
                };
                (data, bytes.len())
            }
            FileRead::Missing => (DataFile::Missing, 0),
            FileRead::Unknown => (DataFile::Unknown, 0),
        };
        match reader.parsed_data() {
            Some(parsed) => parsed.get_or(path, format, read),
            None => read().0,
        }
    }

    /// Returns the text of a file in the project.
    pub(crate) fn text(&self, path: &str) -> MachineFile {
        let path = FilePath::from_normalised(path).map_or(path.into(), |path| SmolStr::new(path.as_str()));
        let Some(file) = self.file(&path) else {
            return match self.tree_around(&path) {
                Some(_) => MachineFile::Missing,
                None => MachineFile::Unclear,
            };
        };
        match file.contents(self.db) {
            contents @ (Contents::Text(_) | Contents::Packed(_)) => {
                MachineFile::Content(contents.text().unwrap_or_default().into())
            }
            Contents::Missing => MachineFile::Missing,
            Contents::Unread | Contents::NotUtf8(_) | Contents::Unreadable(_) => MachineFile::Unread,
        }
    }

    /// Returns the path of a file in the environment itself if `path` has the folder that the environment has
    /// on a server, as in global configurations.
    fn in_environment(&self, path: &str) -> Option<SmolStr> {
        let below = path.strip_prefix(config::ENVIRONMENTS)?;
        let (name, rest) = below.split_once('/')?;
        let root = project::environment_tree(self.db, self.environment)?.root(self.db).as_str();
        (name == self.environment_name).then(|| format_smolstr!("{}/{rest}", root.trim_end_matches('/')))
    }

    /// Returns the path of a data file in the project.
    fn path_in_project(&self, path: &str) -> SmolStr {
        let path = FilePath::from_normalised(path).map_or(path.into(), |path| SmolStr::new(path.as_str()));
        self.in_environment(&path).unwrap_or(path)
    }

    /// Returns a data file of the project.
    pub(crate) fn loaded_file(&self, path: &str) -> Option<File> {
        self.file(&self.path_in_project(path))
    }

    fn data_file(&self, path: &str, format: DataFormat) -> DataFile {
        let path = self.path_in_project(path);
        let Some(file) = self.file(&path) else { return self.outside(&path, format) };
        match file.contents(self.db) {
            contents if contents.has_text() && file.is_large(self.db) => DataFile::Unknown,
            contents @ (Contents::Text(_) | Contents::Packed(_)) => match DataFormat::of_path(&path) {
                Some(known) if known == format => DataFile::Read(project::hiera_data(self.db, file)),
                _ => {
                    let text = contents.text().unwrap_or_default();
                    DataFile::Read(Arc::new(data::read(format, &text)))
                }
            },
            Contents::Missing => DataFile::Missing,
            Contents::Unread => match self.reader {
                Some(_) => self.outside(&path, format),
                None => DataFile::Unknown,
            },
            Contents::NotUtf8(_) => not_utf8(format),
            Contents::Unreadable(_) => DataFile::Unknown,
        }
    }

    fn matching(&self, pattern: &str) -> Option<Vec<SmolStr>> {
        let inside = self.in_environment(pattern);
        let pattern = inside.as_deref().unwrap_or(pattern);
        let literal = pattern.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let (tree, below) = self.tree_around(literal)?;
        if project::closed_folder(self.db, tree, below).is_some() {
            return None;
        }
        let root = tree.root(self.db).as_str();
        let below = pattern.strip_prefix(root)?.trim_start_matches('/');
        let folder = below.split(['*', '?', '[', '{']).next().unwrap_or_default();
        let is_there = |file: &File| *file.contents(self.db) != Contents::Missing;
        let files = tree.files(self.db).range(SmolStr::new(folder)..);
        let files = files.take_while(|(path, _)| path.starts_with(folder)).filter(|(_, file)| is_there(file));
        let found = hiera::glob::matching(below, files.map(|(path, _)| path.as_str()));
        let folder = root.trim_end_matches('/');
        Some(found.iter().map(|path| SmolStr::from(format!("{folder}/{path}"))).collect())
    }
}

/// Returns a data file that is not valid UTF-8: one that Puppet rejects, or one with unknown contents.
fn not_utf8(format: DataFormat) -> DataFile {
    data::not_utf8(format).map_or(DataFile::Unknown, |data| DataFile::Read(Arc::new(data)))
}

/// Returns a substitute for a configuration that cannot be read: its only level has unknown contents, as its
/// data file is the configuration itself.
fn unread_configuration() -> HieraConfig {
    const TEXT: &str =
        "{version: 5, hierarchy: [{name: unread, datadir: ., path: hiera.yaml, data_hash: yaml_data}]}";
    config::read(&data::read(DataFormat::Yaml, TEXT), &Layer::Environment, false)
}

impl Sources for ProjectData<'_> {
    fn config(&self, layer: &Layer) -> Option<Configuration> {
        self.configurations.get_or(layer, Layer::clone, || self.configuration(layer))
    }

    fn data(&self, path: &str, format: DataFormat) -> DataFile {
        let key = (SmolStr::new(path), format);
        self.files_read.get_or(&key, Clone::clone, || self.data_file(path, format))
    }

    fn glob(&self, pattern: &str) -> Option<Vec<SmolStr>> {
        self.globs.get_or(pattern, |it| SmolStr::new(it), || self.matching(pattern))
    }

    fn may_have_key(&self, layer: &Layer, level: &HierarchyLevel, written: &str, key: &str) -> bool {
        let tree = match layer {
            Layer::Global => None,
            Layer::Environment => project::environment_tree(self.db, self.environment),
            Layer::Module(name) => self.environment.modules(self.db).get(name).copied(),
        };
        tree.is_none_or(|tree| {
            project::may_path_have_key(self.db, self.environment, tree, level, written, key)
        })
    }
}
