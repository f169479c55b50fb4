//! What a data file, or a function that stands for one, says of a key.

use types::{HashValue, Origin, Type, Value};

use super::interpolate::{holds_text, is_interpolated};
use super::{BackendCall, DataFile, Search};
use crate::config::{DataProvider, HierarchyLevel, Layer};
use crate::data::{self, DataFormat, HieraData, is_encrypted};
use crate::key::{Key, KeySegment};
use crate::merge::{Answer, LookupError, LookupStepResult, anything};

use super::levels::{LevelPath, Spot};

/// The functions that Hiera has itself, with the notation of what they read.
pub(super) fn own_format(level: &HierarchyLevel) -> Option<DataFormat> {
    match (level.provider, level.function.as_str()) {
        (DataProvider::DataHash, "yaml_data") | (DataProvider::LookupKey, "eyaml_lookup_key") => {
            Some(DataFormat::Yaml)
        }
        (DataProvider::DataHash, "json_data") => Some(DataFormat::Json),
        (DataProvider::DataHash, "hocon_data") => Some(DataFormat::Hocon),
        _ => None,
    }
}

impl Search<'_> {
    /// What one place says of a key. The outer `None`: there is no such file.
    pub(super) fn value_at(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        place: &LevelPath,
        key: &Key,
    ) -> LookupStepResult<Option<Answer>> {
        let Some(format) = own_format(level) else {
            return self.backend(layer, level, place, key);
        };
        let path = match &place.spot {
            Spot::File(path) => path,
            Spot::Unread | Spot::Unknown => return Ok(Some(Answer::Unknown(Type::Any))),
            Spot::Possible => {
                let may_have = self.world.may_have_key(layer, level, &place.written, &key.root);
                return Ok(Some(if may_have { Answer::Unknown(Type::Any) } else { Answer::Missing }));
            }
            Spot::Nowhere | Spot::Uri(_) => {
                let message = format!("'{}' of '{}' needs a path", level.function, level.name.text);
                return Err(LookupError::new(message));
            }
        };
        let data = match self.world.data(path, format) {
            DataFile::Missing => return Ok(None),
            DataFile::Unknown => return Ok(Some(Answer::Unknown(Type::Any))),
            DataFile::Read(data) => data,
        };
        let hash = self.hash_of(&data, path, layer)?;
        let Some(value) = hash.get_text(&key.root) else { return Ok(Some(Answer::Missing)) };
        if level.provider == DataProvider::LookupKey {
            let value = self.decrypted(value, 0)?;
            validate(&value, &key.root, path)?;
            return Ok(Some(Answer::Found(value)));
        }
        validate(value, &key.root, path)?;
        self.interpolate(value, true).map(|value| Some(Answer::Found(value)))
    }

    fn hash_of<'d>(&self, data: &'d HieraData, path: &str, layer: &Layer) -> LookupStepResult<&'d HashValue> {
        let hash = match data.hash() {
            Ok(hash) => hash,
            Err(finding) => {
                let place = data.failure.map(|at| format!(":{}:{}", at.line + 1, at.column + 1));
                let message = format!("{path}{}: {}", place.unwrap_or_default(), finding.message);
                return Err(LookupError::new(message));
            }
        };
        let is_nothing =
            data.root.as_ref().is_none_or(|root| matches!(root.value, Value::Undef | Value::Boolean(false)));
        let is_refused = match data.format {
            DataFormat::Yaml => self.world.is_strict() && !is_nothing,
            DataFormat::Json | DataFormat::Hocon => true,
        };
        if data.is_no_hash() && is_refused {
            return Err(LookupError::new(format!("{path}: the file holds no hash")));
        }
        if data.is_no_hash() {
            self.world.warn(format!("{path}: the file holds no hash"));
        }
        if let Layer::Module(module) = layer {
            self.check_keys_of_module(hash, path, module)?;
        }
        Ok(hash)
    }

    /// Keys of a module's data begin with its name.
    fn check_keys_of_module(&self, hash: &HashValue, path: &str, module: &str) -> LookupStepResult<()> {
        for key in hash.keys() {
            let Value::String(key) = key else {
                return Err(LookupError::new(format!("{path}: a key of a module's data is a text")));
            };
            let is_own = key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"));
            if !is_own && key != "lookup_options" {
                self.world.warn(format!(
                    "{path}: the key '{key}' is left out: it does not begin with '{module}::'"
                ));
            }
        }
        Ok(())
    }

    /// A function may be told of a folder, too.
    fn is_folder(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| *name != ".").collect();
        let inside = format!("{}/**/*", names.join("/").trim_end_matches('/'));
        self.world.glob(&inside).is_some_and(|found| !found.is_empty())
    }

    /// A value of a file of hiera-eyaml: what is encrypted is some text.
    fn decrypted(&mut self, value: &Value, depth: usize) -> LookupStepResult<Value> {
        if depth > Value::MAX_DEPTH || !self.step() {
            return Ok(anything());
        }
        if !holds_text(value, &|text| is_interpolated(text) || is_encrypted(text), 0) {
            return Ok(value.clone());
        }
        match value {
            Value::String(text) if is_encrypted(text) => Ok(data::encrypted()),
            Value::Array(elements) => {
                let elements = elements.iter().map(|element| self.decrypted(element, depth + 1));
                Ok(Value::array(elements.collect::<LookupStepResult<Vec<_>>>()?))
            }
            Value::Hash(entries) => {
                let mut result = HashValue::default();
                for (key, value) in entries.iter() {
                    let key = self.interpolate(key, true)?;
                    result.insert(key, self.decrypted(value, depth + 1)?);
                }
                Ok(Value::Hash(std::sync::Arc::new(result)))
            }
            value => self.interpolate(value, true),
        }
    }

    /// A function that is none of Hiera's own.
    fn backend(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        place: &LevelPath,
        key: &Key,
    ) -> LookupStepResult<Option<Answer>> {
        let mut options = match self.interpolate_options(level)? {
            Value::Hash(options) => (*options).clone(),
            _ => return Ok(Some(Answer::Unknown(Type::Any))),
        };
        match &place.spot {
            Spot::Unread | Spot::Unknown | Spot::Possible => return Ok(Some(Answer::Unknown(Type::Any))),
            Spot::Nowhere => {}
            Spot::Uri(uri) => {
                options.insert(Value::string("uri"), Value::String(uri.clone()));
            }
            Spot::File(path) => {
                let is_missing = matches!(self.world.data(path, DataFormat::Yaml), DataFile::Missing);
                if is_missing && !self.is_folder(path) {
                    return Ok(None);
                }
                options.insert(Value::string("path"), Value::String(path.clone()));
            }
        }
        let asked = (level.provider != DataProvider::DataHash).then_some(key);
        let provider = level.provider;
        let call = BackendCall { provider, function: &level.function, key: asked, options, layer };
        let answer = self.world.call(&call)?;
        let place = place.path().unwrap_or(&level.function).to_owned();
        let value = match answer {
            Answer::Found(value) => value,
            answer => return Ok(Some(answer)),
        };
        if level.provider == DataProvider::DataHash {
            let hash = match &value {
                Value::Hash(hash) => hash,
                Value::Unknown(_) => return Ok(Some(Answer::Unknown(Type::Any))),
                _ => {
                    let message = format!("'{}' gives something else than a hash", level.function);
                    return Err(LookupError::new(message));
                }
            };
            let Some(value) = hash.get_text(&key.root) else { return Ok(Some(Answer::Missing)) };
            validate(value, &key.root, &place)?;
            return self.interpolate(value, true).map(|value| Some(Answer::Found(value)));
        }
        validate(&value, &key.root, &place)?;
        Ok(Some(Answer::Found(match level.provider {
            DataProvider::DataDig | DataProvider::Hiera3 => wrapped(value, &key.segments),
            _ => value,
        })))
    }

    pub(super) fn interpolate_options(&mut self, level: &HierarchyLevel) -> LookupStepResult<Value> {
        self.interpolate(&Value::Hash(std::sync::Arc::new(level.options.0.clone())), false)
    }
}

/// A value such that the way leads to it.
fn wrapped(value: Value, segments: &[KeySegment]) -> Value {
    segments.iter().rev().fold(value, |value, segment| match segment {
        KeySegment::Index(index) => match usize::try_from(*index) {
            Ok(index) if index < 1000 => {
                let mut elements = vec![Value::Undef; index];
                elements.push(value);
                Value::array(elements)
            }
            _ => Value::unknown(Type::Any, Origin::Bound),
        },
        segment => Value::hash([(segment.value(), value)]),
    })
}

/// Is a value one that data may have? Ruby's symbols are none, nor are keys that are neither texts nor numbers.
fn validate(value: &Value, key: &str, place: &str) -> LookupStepResult<()> {
    fn is_valid(value: &Value, depth: usize) -> bool {
        if depth > Value::MAX_DEPTH {
            return true;
        }
        match value {
            value if *value == data::SYMBOL => false,
            Value::Array(elements) => elements.iter().all(|element| is_valid(element, depth + 1)),
            Value::Hash(entries) => entries.iter().all(|(key, value)| {
                let is_key =
                    matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Unknown(_));
                is_key && is_valid(value, depth + 1)
            }),
            _ => true,
        }
    }
    if is_valid(value, 0) {
        return Ok(());
    }
    Err(LookupError::new(format!("{place}: the value of '{key}' holds what data cannot hold")))
}
