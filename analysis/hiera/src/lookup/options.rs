//! Merging and conversion of values according to `lookup_options`.

use std::sync::Arc;

use conversions::new_instance;
use scalars::regexp;
use types::{HashValue, Type, TypeEnvironment, Value, parse};

use super::Search;
use crate::config::{HieraConfig, Layer};
use crate::key::Key;
use crate::merge::{Answer, LookupError, LookupStepResult, Strategy};

/// Options that apply to a key.
#[derive(Clone, PartialEq, Debug, Default)]
pub(super) struct KeyOptions {
    pub(super) merge: Option<Value>,
    pub(super) convert_to: Option<Value>,
}

const KEY: &str = "lookup_options";

impl Search<'_> {
    /// Returns the options of a key; `None` if they are not known.
    pub(super) fn lookup_options(&mut self, key: &Key) -> LookupStepResult<Option<KeyOptions>> {
        let option_key = Key::plain(KEY);
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
        let option_key = Key::plain(KEY);
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
    let Some(Value::Hash(options)) = own.or(of_pattern) else { return Ok(KeyOptions::default()) };
    let option = |name: &str| options.get_text(name).filter(|value| !value.is_undef()).cloned();
    Ok(KeyOptions { merge: option("merge"), convert_to: option("convert_to") })
}

impl KeyOptions {
    /// Converts a value according to `convert_to`.
    pub(super) fn convert(
        &self,
        answer: Answer,
        name: &str,
        types: &dyn TypeEnvironment,
    ) -> LookupStepResult {
        let Some(convert_to) = &self.convert_to else { return Ok(answer) };
        let (ty, arguments) = match convert_to {
            Value::Array(elements) => match elements.split_first() {
                Some((ty, arguments)) => (ty, arguments),
                None => return Ok(answer),
            },
            ty => (ty, &[][..]),
        };
        let ty = match ty {
            Value::String(text) => parse::parse_type(text, types).map_err(|error| {
                LookupError::new(format!("invalid type `{text}` in `convert_to` of `{name}`: {error}"))
            })?,
            Value::Type(ty) => (**ty).clone(),
            _ => return Err(LookupError::new(format!("`convert_to` of `{name}` must be a type"))),
        };
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

/// Returns true if the type's name can be resolved.
fn is_known(ty: &Type) -> bool {
    !matches!(ty, Type::Reference(_))
}
