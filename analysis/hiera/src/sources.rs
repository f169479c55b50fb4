//! Providers of configurations and data files.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use smol_str::{SmolStr, format_smolstr};

use crate::config::{self, HieraConfig, HierarchyLevel, Layer};
use crate::data::{self, DataFormat, HieraData};

/// Files of Hiera. Paths are absolute and use `/`.
pub trait Sources {
    /// Returns the configuration of a layer with its folder; `None` if the layer has none.
    fn config(&self, layer: &Layer) -> Option<(SmolStr, Arc<HieraConfig>)>;

    /// Returns a data file, parsed in the given format.
    fn data(&self, path: &str, format: DataFormat) -> DataFile;

    /// Returns the files that match a pattern (`*`, `**`, `?`, `[a-z]`, `{a,b}`), sorted; `None` if they are
    /// not known.
    fn glob(&self, pattern: &str) -> Option<Vec<SmolStr>>;

    /// Returns false if no file at a path of a level, as written in the configuration, can have the key at
    /// its top level, whatever the interpolations evaluate to. Returns true if in doubt.
    fn may_have_key(&self, _layer: &Layer, _level: &HierarchyLevel, _written: &str, _key: &str) -> bool {
        true
    }
}

/// Result of reading a data file.
#[derive(Clone, Debug)]
pub enum DataFile {
    Missing,
    /// The file exists, but its contents are not known.
    Unknown,
    Read(Arc<HieraData>),
}

/// In-memory files: the environment is in `/environment`, modules are in `/modules`, the global layer is in
/// `/global`.
#[derive(Clone, Debug, Default)]
pub struct TextSources {
    /// True if Puppet's setting `strict` turns warnings into errors.
    pub is_strict: bool,
    files: BTreeMap<SmolStr, Arc<TextFile>>,
}

#[derive(Debug)]
struct TextFile {
    text: Box<str>,
    /// Contents, parsed on first use in the format that the file's extension implies.
    data: OnceLock<Arc<HieraData>>,
}

/// Returns the folder of a layer in [`TextSources`].
fn folder(layer: &Layer) -> SmolStr {
    match layer {
        Layer::Global => "/global".into(),
        Layer::Environment => "/environment".into(),
        Layer::Module(name) => format_smolstr!("/modules/{name}"),
    }
}

impl TextSources {
    /// Adds a file by its path relative to the folder of a layer, with `/`. Ignores files that are neither a
    /// configuration nor data.
    pub fn add(&mut self, layer: &Layer, relative: &str, text: &str) {
        if DataFormat::of_path(relative).is_some() {
            let file = TextFile { text: text.into(), data: OnceLock::new() };
            self.files.insert(format_smolstr!("{}/{relative}", folder(layer)), Arc::new(file));
        }
    }
}

impl Sources for TextSources {
    fn config(&self, layer: &Layer) -> Option<(SmolStr, Arc<HieraConfig>)> {
        let folder = folder(layer);
        let DataFile::Read(data) = self.data(&format!("{folder}/hiera.yaml"), DataFormat::Yaml) else {
            return None;
        };
        Some((folder, Arc::new(config::read(&data, layer, self.is_strict))))
    }

    fn data(&self, path: &str, format: DataFormat) -> DataFile {
        let Some(file) = self.files.get(path) else { return DataFile::Missing };
        if DataFormat::of_path(path) != Some(format) {
            return DataFile::Read(Arc::new(data::read(format, &file.text)));
        }
        DataFile::Read(file.data.get_or_init(|| Arc::new(data::read(format, &file.text))).clone())
    }

    fn glob(&self, pattern: &str) -> Option<Vec<SmolStr>> {
        Some(crate::glob::matching(pattern, self.files.keys().map(SmolStr::as_str)))
    }
}
