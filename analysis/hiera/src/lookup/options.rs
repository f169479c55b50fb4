//! Merging and conversion of values according to `lookup_options`.

use std::sync::Arc;

use conversions::new_instance;
use scalars::regexp;
use types::{HashValue, Type, Value, parse};

use super::{LookupHost, Search};
use crate::config::{HieraConfig, Layer};
use crate::key::Key;
use crate::lookup_options::LOOKUP_OPTIONS;
use crate::merge::{Answer, LookupError, LookupStepResult, Strategy};

/// Options that apply to a key.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct KeyOptions {
    pub(super) merge: Option<Value>,
    pub(super) convert_to: Option<Value>,
}

impl Search<'_> {
    /// Returns the options of a key; `None` if they are not known.
    pub(super) fn lookup_options(&mut self, key: &Key) -> LookupStepResult<Option<KeyOptions>> {
        let option_key = Key::plain(LOOKUP_OPTIONS);
        let mut all: Option<Arc<HashValue>> = None;
        let mut layers = vec![Layer::Global];
        if !self.global_only {
            layers.push(Layer::Environment);
            layers.extend(key.module().map(|module| Layer::Module(module.into())));
        }
        for layer in &layers {
            let answer = self.lookup_in_layer(layer, &option_key, &Strategy::Hash)?;
            let Some(options) = check_options(answer, layer)? else { return Ok(None) };
            let Some(options) = options else { continue };
            all = Some(match all {
                None => options,
                Some(all) => match Strategy::Hash.merge(Value::Hash(all), Value::Hash(options))? {
                    Value::Hash(merged) => merged,
                    _ => Arc::default(),
                },
            });
        }
        Ok(Some(of_key(&all.unwrap_or_default(), key)?))
    }

    /// Returns the options of a module's default hierarchy.
    pub(super) fn default_options(
        &mut self,
        layer: &Layer,
        root: &str,
        config: &HieraConfig,
        key: &Key,
    ) -> LookupStepResult<Option<KeyOptions>> {
        let option_key = Key::plain(LOOKUP_OPTIONS);
        let answer = self.lookup_in_hierarchy(layer, root, config, true, &option_key, &Strategy::Hash)?;
        let Some(options) = check_options(answer, layer)? else { return Ok(None) };
        Ok(Some(of_key(&options.unwrap_or_default(), key)?))
    }
}

/// Validates the options of a layer. The outer `None` means that they are not known, the inner one that there
/// are none.
fn check_options(answer: Answer, layer: &Layer) -> LookupStepResult<Option<Option<Arc<HashValue>>>> {
    let options = match answer {
        Answer::Unknown(_) | Answer::Found(Value::Unknown(_)) => return Ok(None),
        Answer::Missing | Answer::Found(Value::Undef) => return Ok(Some(None)),
        Answer::Found(Value::Hash(options)) => options,
        Answer::Found(_) => return Err(LookupError::new("`lookup_options` must be a hash")),
    };
    if options.keys().any(|key| !matches!(key, Value::String(_) | Value::Unknown(_))) {
        return Err(LookupError::new("keys of `lookup_options` must be strings"));
    }
    if let Layer::Module(module) = layer {
        for key in options.keys().filter_map(Value::as_str) {
            let name = key.strip_prefix('^').unwrap_or(key);
            if !name.strip_prefix(module.as_str()).is_some_and(|rest| rest.starts_with("::")) {
                return Err(LookupError::new(format!(
                    "key `{key}` in the `lookup_options` of a module must begin with `{module}::`"
                )));
            }
        }
    }
    Ok(Some(Some(options)))
}

fn of_key(all: &HashValue, key: &Key) -> LookupStepResult<KeyOptions> {
    let mut of_pattern = None;
    for (pattern, options) in all.iter() {
        let Some(pattern) = pattern.as_str().filter(|pattern| pattern.starts_with('^')) else { continue };
        let Ok(pattern) = regexp::Regexp::new(pattern) else {
            return Err(LookupError::new(format!(
                "invalid regular expression `{pattern}` in `lookup_options`"
            )));
        };
        if of_pattern.is_none() && pattern.is_match(&key.root).unwrap_or(false) {
            of_pattern = Some(options);
        }
    }
    let own = all.get_text(&key.root).filter(|options| !options.is_undef() && !key.root.starts_with('^'));
    let options = match own.or(of_pattern) {
        Some(Value::Hash(options)) => options,
        Some(options) if is_without_options(options) => return Ok(KeyOptions::default()),
        Some(_) => return Err(LookupError::new(format!("options of `{}` must be a hash", key.root))),
        None => return Ok(KeyOptions::default()),
    };
    let option = |name: &str| options.get_text(name).filter(|value| !value.is_undef()).cloned();
    Ok(KeyOptions { merge: option("merge"), convert_to: option("convert_to") })
}

/// Returns true for options that are not a hash and have no effect. Puppet fails on others.
fn is_without_options(options: &Value) -> bool {
    matches!(options, Value::Undef | Value::Boolean(false) | Value::String(_) | Value::Unknown(_))
}

impl KeyOptions {
    /// Converts a value according to `convert_to`.
    pub(super) fn convert(&self, answer: Answer, name: &str, host: &dyn LookupHost) -> LookupStepResult {
        let types = host.types();
        let Some(convert_to) = &self.convert_to else { return Ok(answer) };
        let (ty, arguments) = match convert_to {
            Value::Array(elements) => match elements.split_first() {
                Some((ty, arguments)) => (ty, arguments),
                None if answer == Answer::Missing => return Ok(answer),
                None => return Err(LookupError::new(format!("`convert_to` of `{name}` must not be empty"))),
            },
            ty => (ty, &[][..]),
        };
        if answer == Answer::Missing {
            return Ok(answer);
        }
        let ty = match ty {
            Value::String(text) => parse::parse_type(text, types).map_err(|error| {
                LookupError::new(format!("invalid type `{text}` in `convert_to` of `{name}`: {error}"))
            })?,
            Value::Type(ty) => (**ty).clone(),
            _ => return Err(LookupError::new(format!("`convert_to` of `{name}` must be a type"))),
        };
        if let Type::Reference(text) = &ty
            && !host.may_define_type(name_of_reference(text))
        {
            return Err(LookupError::new(format!("unknown type `{text}` in `convert_to` of `{name}`")));
        }
        match answer {
            Answer::Missing => Ok(Answer::Missing),
            Answer::Unknown(_) => Ok(Answer::Unknown(if is_known(&ty) { ty } else { Type::Any })),
            Answer::Found(value) => {
                let mut all = vec![value];
                all.extend(arguments.iter().cloned());
                match new_instance(&ty, &all, types) {
                    Ok(value) => Ok(Answer::Found(value)),
                    Err(_) if !is_known(&ty) => Ok(Answer::Unknown(Type::Any)),
                    Err(error) => Err(LookupError::new(format!("`convert_to` of `{name}`: {error}"))),
                }
            }
        }
    }
}

/// Returns the name in a reference such as `Foo::Bar[1]`.
fn name_of_reference(text: &str) -> &str {
    text.split('[').next().unwrap_or(text).trim()
}

/// Returns true if the type's name can be resolved.
fn is_known(ty: &Type) -> bool {
    !matches!(ty, Type::Reference(_))
}
