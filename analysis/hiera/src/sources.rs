//! Where configurations and data files come from.

use std::collections::BTreeMap;
use std::sync::{Arc, OnceLock};

use smol_str::{SmolStr, format_smolstr};

use crate::config::{self, HieraConfig, HierarchyLevel, Layer};
use crate::data::{self, DataFormat, HieraData};

/// The files of Hiera. Paths have `/` and are absolute.
pub trait Sources {
    /// The configuration of a layer, and the folder it lies in; `None` for a layer that has none.
    fn config(&self, layer: &Layer) -> Option<(SmolStr, Arc<HieraConfig>)>;

    /// A data file, read in a notation.
    fn data(&self, path: &str, format: DataFormat) -> DataFile;

    /// The files that fit a pattern (`*`, `**`, `?`, `[a-z]`, `{a,b}`), sorted; `None` when that cannot be told.
    fn glob(&self, pattern: &str) -> Option<Vec<SmolStr>>;

    /// May a file at a path of a level, as the configuration writes it, have a key at its top, whatever is interpolated there
    /// turns out to be? What cannot be told may.
    fn may_have_key(&self, _layer: &Layer, _level: &HierarchyLevel, _written: &str, _key: &str) -> bool {
        true
    }
}

/// A data file.
#[derive(Clone, Debug)]
pub enum DataFile {
    Missing,
    /// It is there; what is in it is not known.
    Unknown,
    Read(Arc<HieraData>),
}

/// Files that are all given: the environment in `/environment`, modules in `/modules`, the global layer in `/global`.
#[derive(Clone, Debug, Default)]
pub struct TextSources {
    /// Is what Puppet only warns about an error (its setting `strict`)?
    pub is_strict: bool,
    files: BTreeMap<SmolStr, Arc<TextFile>>,
}

#[derive(Debug)]
struct TextFile {
    text: Box<str>,
    /// Read in the notation that its name suggests.
    data: OnceLock<Arc<HieraData>>,
}

/// The folder of a layer in [`TextSources`].
fn folder(layer: &Layer) -> SmolStr {
    match layer {
        Layer::Global => "/global".into(),
        Layer::Environment => "/environment".into(),
        Layer::Module(name) => format_smolstr!("/modules/{name}"),
    }
}

impl TextSources {
    /// Adds a file by its path below the folder of a layer, with `/`. Those that can be no configuration or data are left
    /// out.
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
