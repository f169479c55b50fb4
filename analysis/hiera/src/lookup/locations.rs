//! Locations that lookups search, and the keys of their data.

use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use types::{HashValue, Value};

use super::levels::{LevelLocation, LocationTarget};
use super::{BackendCall, LookupHost, LookupRequest, Search};
use crate::config::{Backend, HierarchyLevel, Layer};
use crate::lookup_options::LOOKUP_OPTIONS;
use crate::merge::{Answer, LookupError, LookupStepResult};
use crate::sources::DataFile;

/// Locations of a layer that lookups of a node search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LayerLocations {
    pub layer: Layer,
    /// Message of the error that makes all lookups in the layer fail, if there is one.
    pub locations: Result<Vec<DataLocation>, String>,
}

/// Location that lookups of a node search.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataLocation {
    pub layer: Layer,
    /// Name of the hierarchy entry.
    pub level: SmolStr,
    /// True if the entry belongs to the default hierarchy.
    pub is_default: bool,
    /// Location as written in the configuration.
    pub written: SmolStr,
    /// Path of the file, if the location is a file and its name is known.
    pub path: Option<SmolStr>,
    pub keys: LocationKeys,
}

/// Keys of a location.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LocationKeys {
    /// The file does not exist.
    NoFile,
    /// All keys that lookups can find, without `lookup_options`.
    Known(FxHashSet<SmolStr>),
    /// Not known, because the name of the file depends on an unknown value.
    Unknown,
    /// Not known, because the name of the file depends on a fact that the node may lack. Lookups consider all
    /// files that the level may read.
    Possible,
    /// The contents of the file are unknown.
    Unread,
    /// The function that returns the data is not evaluated.
    UnknownFunction,
    /// The function is called for each key.
    PerKey,
}

impl LocationKeys {
    /// Returns true if lookups find a top-level key at the location.
    pub fn has(&self, key: &str) -> bool {
        matches!(self, LocationKeys::Known(keys) if keys.contains(key))
    }
}

/// Returns the locations of a layer that lookups search, in lookup order, with those of the default hierarchy
/// last.
///
/// # Errors
/// Returns an error where every lookup in the layer fails.
pub fn data_locations(host: &dyn LookupHost, layer: &Layer) -> LookupStepResult<Vec<DataLocation>> {
    Search::new(host, &LookupRequest::default()).data_locations(layer)
}

impl Search<'_> {
    fn data_locations(&mut self, layer: &Layer) -> LookupStepResult<Vec<DataLocation>> {
        let Some((root, config)) = self.host.config(layer) else { return Ok(Vec::new()) };
        if let Some(error) = config.error() {
            return Err(LookupError::new(format!("{root}/hiera.yaml: {}", error.message)));
        }
        if config.version == 3 && *layer != Layer::Global {
            return Ok(Vec::new());
        }
        self.has_calling_variables = config.version == 3;
        let defaults = config.default_hierarchy.iter().flatten().map(|level| (level, true));
        let levels = config.hierarchy.iter().map(|level| (level, false)).chain(defaults);
        let mut found = Vec::new();
        let mut datadir = None;
        for (level, is_default) in levels {
            for location in self.resolve_locations(level, &root, &mut datadir)? {
                let keys = self.keys_at(layer, level, &location)?;
                found.push(DataLocation {
                    layer: layer.clone(),
                    level: level.name.text.clone(),
                    is_default,
                    written: location.written.clone(),
                    path: location.path().cloned(),
                    keys,
                });
            }
        }
        Ok(found)
    }

    fn keys_at(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        location: &LevelLocation,
    ) -> LookupStepResult<LocationKeys> {
        let path = match &location.target {
            LocationTarget::File(path) => Some(path),
            LocationTarget::Unread => return Ok(LocationKeys::Unread),
            LocationTarget::Unknown => return Ok(LocationKeys::Unknown),
            LocationTarget::Possible => return Ok(LocationKeys::Possible),
            LocationTarget::Nowhere | LocationTarget::Uri(_) => None,
        };
        let (Some(format), Some(path)) = (level.backend.file_format(), path) else {
            return self.keys_of_function(layer, level, location);
        };
        Ok(match self.host.data(path, format) {
            DataFile::Missing => LocationKeys::NoFile,
            DataFile::Unknown => LocationKeys::Unread,
            DataFile::Read(data) => LocationKeys::Known(keys(self.checked_hash(&data, path, layer)?, layer)),
        })
    }

    fn keys_of_function(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        location: &LevelLocation,
    ) -> LookupStepResult<LocationKeys> {
        let backend = &level.backend;
        let is_whole = matches!(backend, Backend::Function { .. }) && backend.is_data_hash();
        if !is_whole || !matches!(location.target, LocationTarget::Nowhere) {
            return Ok(LocationKeys::PerKey);
        }
        let Value::Hash(options) = self.interpolate_options(level)? else {
            return Ok(LocationKeys::UnknownFunction);
        };
        let call = BackendCall { backend, key: None, options: (*options).clone(), layer };
        Ok(match self.host.call(&call)? {
            Answer::Found(Value::Hash(data)) => LocationKeys::Known(keys(&data, layer)),
            _ => LocationKeys::UnknownFunction,
        })
    }
}

/// Returns the keys of data that lookups can find.
fn keys(data: &HashValue, layer: &Layer) -> FxHashSet<SmolStr> {
    let is_found = |key: &&str| match layer {
        Layer::Module(module) => key.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::")),
        Layer::Global | Layer::Environment => true,
    };
    let keys = data.keys().filter_map(Value::as_str).filter(|key| *key != LOOKUP_OPTIONS);
    keys.filter(is_found).map(SmolStr::from).collect()
}
