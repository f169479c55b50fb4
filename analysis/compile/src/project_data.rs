//! Hiera's files as seen by a compile: those of the environment and its modules, and others that the caller
//! can read.

use std::sync::Arc;

use eval::MachineFile;
use hiera::config::{self, HieraConfig, HierarchyLevel, Layer};
use hiera::data::{self, DataFormat};
use hiera::lookup::DataFile;
use hiera::sources::Sources;
use project::vfs::FilePath;
use project::{Contents, Db, Environment, File, ModuleTree};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;

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

    /// Returns true if a layer without a configuration declares a Hiera data provider in the format before
    /// version 5.
    fn has_old_provider(&self, tree: ModuleTree, layer: &Layer) -> bool {
        let (name, key) = match layer {
            Layer::Environment => ("environment.conf", "environment_data_provider"),
            _ => ("metadata.json", "data_provider"),
        };
        let file = tree.files(self.db).get(name).copied();
        let Some(file) = file else { return false };
        match layer {
            Layer::Environment => file.contents(self.db).text().is_some_and(|text| {
                text.lines().any(|line| {
                    let setting = line.split_once('=').map(|(name, value)| (name.trim(), value.trim()));
                    setting == Some((key, "hiera"))
                })
            }),
            _ => {
                let metadata = &project::module_metadata(self.db, file).data;
                metadata.entry(key).is_some_and(|entry| entry.value.value.as_str() == Some("hiera"))
            }
        }
    }

    fn configuration(&self, layer: &Layer) -> Option<Configuration> {
        let modules = self.environment.modules(self.db);
        let tree = match layer {
            Layer::Global => return self.global.clone(),
            Layer::Environment => project::environment_tree(self.db, self.environment)?,
            Layer::Module(name) => *modules.get(name)?,
        };
        let root = tree.root(self.db).as_str().into();
        match tree.files(self.db).get("hiera.yaml") {
            Some(file) => match file.contents(self.db) {
                Contents::NotUtf8(_) | Contents::Unread | Contents::Unreadable(_) => {
                    Some((root, Arc::new(unread_configuration())))
                }
                _ => Some((root, project::hiera_configuration(self.db, *file)?)),
            },
            None => {
                self.has_old_provider(tree, layer).then(|| (root, Arc::new(HieraConfig::default_of_layer())))
            }
        }
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
        match reader.read(path) {
            FileRead::Content(bytes) => match std::str::from_utf8(&bytes) {
                Ok(text) => DataFile::Read(Arc::new(data::read(format, text))),
                Err(_) => DataFile::Unknown,
            },
            FileRead::Missing => DataFile::Missing,
            FileRead::Unknown => DataFile::Unknown,
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

    fn data_file(&self, path: &str, format: DataFormat) -> DataFile {
        let path = FilePath::from_normalised(path).map_or(path.into(), |path| SmolStr::new(path.as_str()));
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
            Contents::NotUtf8(_) | Contents::Unreadable(_) => DataFile::Unknown,
        }
    }

    fn matching(&self, pattern: &str) -> Option<Vec<SmolStr>> {
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
