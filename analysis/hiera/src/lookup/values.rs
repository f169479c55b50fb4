//! Lookup of a key in one data file or data function.

use types::{HashValue, Origin, Type, Value};

use super::interpolate::{contains_string, is_interpolated};
use super::{BackendCall, DataFile, LookupHost, Search};
use crate::config::{Backend, DataFunctionKind, HierarchyLevel, Layer};
use crate::data::{self, DataFormat, HieraData, is_encrypted};
use crate::key::{Key, KeySegment};
use crate::merge::{Answer, LookupError, LookupStepResult, anything};

use super::levels::{LevelLocation, LocationTarget};

impl Search<'_> {
    /// Looks up a key at one location. The outer `None` means that the file does not exist.
    pub(super) fn value_at(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        location: &LevelLocation,
        key: &Key,
    ) -> LookupStepResult<Option<Answer>> {
        let Some(format) = level.backend.file_format() else {
            return self.call_backend(layer, level, location, key);
        };
        let path = match &location.target {
            LocationTarget::File(path) => path,
            LocationTarget::Unread | LocationTarget::Unknown => return Ok(Some(Answer::Unknown(Type::Any))),
            LocationTarget::Possible => {
                let may_have = self.host.may_have_key(layer, level, &location.written, &key.root);
                return Ok(Some(if may_have { Answer::Unknown(Type::Any) } else { Answer::Missing }));
            }
            LocationTarget::Nowhere | LocationTarget::Uri(_) => {
                let message = format!(
                    "`{}` in hierarchy entry `{}` needs a path",
                    level.backend.name(),
                    level.name.text
                );
                return Err(LookupError::new(message));
            }
        };
        let data = match self.host.data(path, format) {
            DataFile::Missing => return Ok(None),
            DataFile::Unknown => return Ok(Some(Answer::Unknown(Type::Any))),
            DataFile::Read(data) => data,
        };
        if matches!(level.backend, Backend::Files(_)) && !level.options.is_empty() {
            let (function, level) = (level.backend.name(), &level.name.text);
            let message =
                format!("`{function}` in hierarchy entry `{level}` takes no options other than its path");
            return Err(LookupError::new(message));
        }
        let hash = self.checked_hash(&data, path, layer)?;
        let Some(value) = hash.get_text(&key.root) else { return Ok(Some(Answer::Missing)) };
        if level.backend == Backend::Eyaml {
            let value = self.mask_encrypted(value, 0)?;
            check_data(&value, &key.root, path)?;
            return Ok(Some(Answer::Found(value)));
        }
        check_data(value, &key.root, path)?;
        self.interpolate(value, true).map(|value| Some(Answer::Found(value)))
    }

    pub(super) fn checked_hash<'d>(
        &self,
        data: &'d HieraData,
        path: &str,
        layer: &Layer,
    ) -> LookupStepResult<&'d HashValue> {
        let hash = match data.hash() {
            Ok(hash) => hash,
            Err(finding) => {
                let location = data.failure.map(|at| format!(":{}:{}", at.line + 1, at.column + 1));
                let message = format!("{path}{}: {}", location.unwrap_or_default(), finding.message);
                return Err(LookupError::new(message));
            }
        };
        let is_empty =
            data.root.as_ref().is_none_or(|root| matches!(root.value, Value::Undef | Value::Boolean(false)));
        let is_refused = match data.format {
            DataFormat::Yaml => self.host.is_strict() && !is_empty,
            DataFormat::Json | DataFormat::Hocon => true,
        };
        if data.is_not_hash() && is_refused {
            return Err(LookupError::new(format!("{path}: file does not contain a hash")));
        }
        if data.is_not_hash() {
            self.host.warn(format!("{path}: file does not contain a hash"), false);
        }
        if let Layer::Module(module) = layer {
            self.check_keys_of_module(hash, path, module)?;
        }
        Ok(hash)
    }

    /// Checks that all keys of a module's data begin with the module's name.
    fn check_keys_of_module(&self, hash: &HashValue, path: &str, module: &str) -> LookupStepResult<()> {
        for key in hash.keys() {
            let Value::String(key) = key else {
                return Err(LookupError::new(format!("{path}: keys of module data must be strings")));
            };
            let is_own = key.strip_prefix(module).is_some_and(|rest| rest.starts_with("::"));
            if !is_own && key != "lookup_options" {
                let message =
                    format!("{path}: key `{key}` is ignored because it does not begin with `{module}::`");
                self.host.warn(message, false);
            }
        }
        Ok(())
    }

    /// Returns true if `path` is a folder, which functions accept as well.
    fn is_folder(&self, path: &str) -> bool {
        let names: Vec<&str> = path.split('/').filter(|name| *name != ".").collect();
        let inside = format!("{}/**/*", names.join("/").trim_end_matches('/'));
        self.host.glob(&inside).is_some_and(|found| !found.is_empty())
    }

    /// Returns the value of a hiera-eyaml file with encrypted strings replaced by unknown strings.
    fn mask_encrypted(&mut self, value: &Value, depth: usize) -> LookupStepResult<Value> {
        if depth > Value::MAX_DEPTH || !self.step() {
            return Ok(anything());
        }
        if !contains_string(value, &|text| is_interpolated(text) || is_encrypted(text), 0) {
            return Ok(value.clone());
        }
        match value {
            Value::String(text) if is_encrypted(text) => Ok(data::encrypted()),
            Value::Array(elements) => {
                let elements = elements.iter().map(|element| self.mask_encrypted(element, depth + 1));
                Ok(Value::array(elements.collect::<LookupStepResult<Vec<_>>>()?))
            }
            Value::Hash(entries) => {
                let mut result = HashValue::default();
                for (key, value) in entries.iter() {
                    let key = self.interpolate(key, true)?;
                    result.insert(key, self.mask_encrypted(value, depth + 1)?);
                }
                Ok(Value::Hash(std::sync::Arc::new(result)))
            }
            value => self.interpolate(value, true),
        }
    }

    /// Calls a function that is not built into Hiera.
    fn call_backend(
        &mut self,
        layer: &Layer,
        level: &HierarchyLevel,
        location: &LevelLocation,
        key: &Key,
    ) -> LookupStepResult<Option<Answer>> {
        let mut options = match self.interpolate_options(level)? {
            Value::Hash(options) => (*options).clone(),
            _ => return Ok(Some(Answer::Unknown(Type::Any))),
        };
        match &location.target {
            LocationTarget::Unread | LocationTarget::Unknown | LocationTarget::Possible => {
                return Ok(Some(Answer::Unknown(Type::Any)));
            }
            LocationTarget::Nowhere => {}
            LocationTarget::Uri(uri) => {
                options.insert(Value::string("uri"), Value::String(uri.clone()));
            }
            LocationTarget::File(path) => {
                let is_missing =
                    |host: &dyn LookupHost| matches!(host.data(path, DataFormat::Yaml), DataFile::Missing);
                if !self.is_folder(path) && is_missing(self.host) {
                    return Ok(None);
                }
                options.insert(Value::string("path"), Value::String(path.clone()));
            }
        }
        let backend = &level.backend;
        let requested = (!backend.is_data_hash()).then_some(key);
        let call = BackendCall { backend, key: requested, options, layer };
        let value = match self.host.call(&call)? {
            Answer::Found(value) => value,
            answer => return Ok(Some(answer)),
        };
        let location = location.path().cloned().unwrap_or_else(|| backend.name().into());
        if backend.is_data_hash() {
            let hash = match &value {
                Value::Hash(hash) => hash,
                Value::Unknown(_) => return Ok(Some(Answer::Unknown(Type::Any))),
                _ => {
                    let message = format!("`{}` did not return a hash", backend.name());
                    return Err(LookupError::new(message));
                }
            };
            if let Layer::Module(module) = layer {
                self.check_keys_of_module(hash, &location, module)?;
            }
            let Some(value) = hash.get_text(&key.root) else { return Ok(Some(Answer::Missing)) };
            check_result(value, &key.root, &location)?;
            return self.interpolate(value, true).map(|value| Some(Answer::Found(value)));
        }
        check_result(&value, &key.root, &location)?;
        Ok(Some(Answer::Found(match backend {
            Backend::Function { kind: DataFunctionKind::DataDig, .. } | Backend::Hiera3(_) => {
                nest_value(value, &key.segments)
            }
            _ => value,
        })))
    }

    pub(super) fn interpolate_options(&mut self, level: &HierarchyLevel) -> LookupStepResult<Value> {
        self.interpolate(&Value::Hash(std::sync::Arc::new(level.options.0.clone())), false)
    }
}

/// Wraps a value in hashes and arrays so that `segments` lead to it.
fn nest_value(value: Value, segments: &[KeySegment]) -> Value {
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

/// Checks that a value from a file contains only data: no Ruby symbols, and only strings and numbers as keys.
fn check_data(value: &Value, key: &str, location: &str) -> LookupStepResult<()> {
    check_values(value, key, location, &|value| *value != data::SYMBOL)
}

/// Checks a result of a function, which may also contain other values that data can represent.
fn check_result(value: &Value, key: &str, location: &str) -> LookupStepResult<()> {
    check_values(value, key, location, &|value| !matches!(value, Value::Iterator(_)))
}

/// Checks a value: only strings and numbers as keys of its hashes, and `is_data` for every value inside.
fn check_values(
    value: &Value,
    key: &str,
    location: &str,
    is_data: &dyn Fn(&Value) -> bool,
) -> LookupStepResult<()> {
    fn is_valid(value: &Value, is_data: &dyn Fn(&Value) -> bool, depth: usize) -> bool {
        if depth > Value::MAX_DEPTH {
            return true;
        }
        match value {
            value if !is_data(value) => false,
            Value::Array(elements) => elements.iter().all(|element| is_valid(element, is_data, depth + 1)),
            Value::Hash(entries) => entries.iter().all(|(key, value)| {
                let is_key =
                    matches!(key, Value::String(_) | Value::Integer(_) | Value::Float(_) | Value::Unknown(_));
                is_key && is_valid(value, is_data, depth + 1)
            }),
            _ => true,
        }
    }
    if is_valid(value, is_data, 0) {
        return Ok(());
    }
    Err(LookupError::new(format!("{location}: value of `{key}` is not valid data")))
}
