//! Looking up keys: layers, levels, merging, options.

mod explain;
mod interpolate;
mod levels;
mod options;
mod ruby_text;
mod values;

use std::sync::Arc;

use smol_str::SmolStr;
use types::{HashValue, Type, TypeEnvironment, Value};

use crate::config::{HieraConfig, Layer, MergeBehavior};
use crate::key::{self, Dug, Key, KeySegment};
use crate::merge::{Answer, LookupError, LookupStepResult, Strategy};
pub use crate::sources::{DataFile, Sources};

pub use levels::join;

pub use explain::{Explanation, LookupStep, StepOutcome};

/// What a lookup needs to know of the world around it.
pub trait LookupHost: Sources {
    /// A variable of the scope that looks something up, without `$`.
    fn variable(&self, name: &str) -> Variable;

    /// May there be something on a way into a variable, though nobody here knows of it?
    fn may_have_element(&self, _variable: &str, _way: &[KeySegment]) -> bool {
        false
    }

    /// Calls a function that gives data and is none of Hiera's own.
    ///
    /// # Errors
    /// The function fails.
    fn call(&self, call: &BackendCall) -> LookupStepResult;

    /// Is a path of a configuration that reads a variable which is not there left out? `text` is what reads it.
    fn skips_unknown_paths(&self, _text: &str) -> bool {
        false
    }

    /// Tells what Puppet warns of.
    fn warn(&self, _message: String) {}

    /// Does anything that Puppet only warns about end a lookup (its setting `strict`)?
    fn is_strict(&self) -> bool;

    /// The types that `convert_to` may name.
    fn types(&self) -> &dyn TypeEnvironment;
}

/// A variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Variable {
    /// Its value, which may be unknown.
    Set(Value),
    /// There is no such variable. `is_error`: reading it fails.
    Missing { is_error: bool },
}

/// A call of a function that gives data.
#[derive(Clone, Debug)]
pub struct BackendCall<'a> {
    pub provider: crate::config::DataProvider,
    pub function: &'a str,
    /// The key; for a whole hash of data, `None`.
    pub key: Option<&'a Key>,
    pub options: HashValue,
    pub layer: &'a Layer,
}

/// What is asked.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LookupRequest {
    /// The first of them that has a value counts.
    pub names: Vec<SmolStr>,
    /// How to merge; `None` to do what `lookup_options` say.
    pub merge: Option<Value>,
    /// Values that go before all data.
    pub overrides: HashValue,
    /// Values for names that the data does not have.
    pub default_values: HashValue,
    /// Is it one of the functions `hiera`, `hiera_array`, `hiera_hash` and `hiera_include`?
    pub is_hiera_function: bool,
    /// Is looked on behind a level that is not known, for the explanation only?
    pub shows_what_is_behind: bool,
}

/// What was found.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupResult {
    pub answer: Answer,
    /// The name that had it.
    pub name: Option<SmolStr>,
}

/// A lookup under way.
pub(crate) struct Search<'w> {
    world: &'w dyn LookupHost,
    overrides: HashValue,
    default_values: HashValue,
    /// The keys and variables whose values are being worked out, to see circles.
    names: Vec<SmolStr>,
    /// Variables that only a path has: the elements of `mapped_paths`.
    locals: Vec<(SmolStr, Value)>,
    global_only: bool,
    is_hiera_function: bool,
    explanation: Option<Explanation>,
    shows_what_is_behind: bool,
    /// How many elements of variables were read that may be there, though nobody here knows of them, and how often something
    /// else was not known.
    possible: usize,
    unknown: usize,
    /// How many interpolations and lookups were made: what refers to much much often is given up.
    work: usize,
}

/// So much work may one lookup be.
const MAX_WORK: usize = 100_000;

/// Looks up names.
///
/// # Errors
/// What Puppet fails at: a configuration, data or merge that it refuses, names that lead in a circle. That a name has no
/// value is no error.
pub fn lookup(world: &dyn LookupHost, request: &LookupRequest) -> LookupStepResult<LookupResult> {
    Search::new(world, request).names(request)
}

/// A value with all that is to be interpolated in it.
///
/// # Errors
/// What Puppet refuses: variables that are not there, names that lead in a circle.
pub fn interpolate(world: &dyn LookupHost, value: &Value) -> LookupStepResult<Value> {
    Search::new(world, &LookupRequest::default()).interpolate(value, true)
}

/// Looks up one name, and says how it was found.
pub fn explain(
    world: &dyn LookupHost,
    request: &LookupRequest,
) -> (LookupStepResult<LookupResult>, Explanation) {
    let mut search = Search::new(world, request);
    search.explanation = Some(Explanation::default());
    let found = search.names(request);
    (found, search.explanation.unwrap_or_default())
}

impl<'w> Search<'w> {
    fn new(world: &'w dyn LookupHost, request: &LookupRequest) -> Search<'w> {
        Search {
            world,
            overrides: request.overrides.clone(),
            default_values: request.default_values.clone(),
            names: Vec::new(),
            locals: Vec::new(),
            global_only: false,
            is_hiera_function: request.is_hiera_function,
            explanation: None,
            shows_what_is_behind: request.shows_what_is_behind,
            possible: 0,
            unknown: 0,
            work: 0,
        }
    }

    /// Counts work; false when it is too much.
    fn step(&mut self) -> bool {
        self.work += 1;
        self.work <= MAX_WORK
    }

    fn names(&mut self, request: &LookupRequest) -> LookupStepResult<LookupResult> {
        if request.is_hiera_function {
            let environment = self.world.config(&Layer::Environment);
            self.global_only = environment.is_none_or(|(_, config)| config.version < 5);
        }
        let mut may_be: Option<Type> = None;
        for name in &request.names {
            if let Some(value) = self.overrides.get_text(name) {
                let answer = Answer::Found(value.clone());
                return Ok(LookupResult { answer, name: Some(name.clone()) });
            }
            match self.key(name, request.merge.as_ref())? {
                Answer::Missing => {}
                // A later name may have it too.
                Answer::Unknown(ty) => may_be = Some(may_be.map_or(ty, |_| Type::Any)),
                Answer::Found(_) if may_be.is_some() => may_be = Some(Type::Any),
                answer => return Ok(LookupResult { answer, name: Some(name.clone()) }),
            }
        }
        if let Some(ty) = may_be {
            return Ok(LookupResult { answer: Answer::Unknown(ty), name: None });
        }
        for name in &request.names {
            if let Some(value) = self.default_values.get_text(name) {
                let answer = Answer::Found(value.clone());
                return Ok(LookupResult { answer, name: Some(name.clone()) });
            }
        }
        Ok(LookupResult { answer: Answer::Missing, name: None })
    }

    /// One name in all layers.
    fn key(&mut self, name: &str, merge: Option<&Value>) -> LookupStepResult {
        if !self.step() {
            return Ok(Answer::Unknown(Type::Any));
        }
        if name == "lookup_options" || name.starts_with("lookup_options.") {
            return Ok(Answer::Missing);
        }
        let Some(key) = Key::parse(name) else {
            return Err(LookupError::new(format!("'{name}' is no key")));
        };
        let options = match self.quietly(|search| search.lookup_options(&key))? {
            Some(options) => options,
            // Options decide how values are merged.
            None => {
                if self.explanation.is_some() {
                    // Where it is looked does not depend on them, and a mistake there proves nothing.
                    let _ = self.layers(&key, None);
                }
                return Ok(Answer::Unknown(Type::Any));
            }
        };
        let merge = match merge.filter(|merge| !merge.is_undef()) {
            Some(merge) => Some(merge.clone()),
            None => options.merge.clone(),
        };
        let mut answer = self.layers(&key, merge.as_ref())?;
        if answer == Answer::Missing && !self.global_only {
            answer = self.default_hierarchy(&key)?;
        }
        if let Some(explanation) = &mut self.explanation {
            explanation.finish(&merge, &options, &answer);
        }
        options.convert(answer, name, self.world.types())
    }

    /// Does something without explaining it.
    fn quietly<T>(&mut self, work: impl FnOnce(&mut Search<'w>) -> T) -> T {
        let explanation = self.explanation.take();
        let result = work(self);
        self.explanation = explanation;
        result
    }

    fn layers(&mut self, key: &Key, merge: Option<&Value>) -> LookupStepResult {
        let strategy = Strategy::of_value(merge.unwrap_or(&Value::Undef))?;
        let Some(strategy) = strategy else { return Ok(Answer::Unknown(Type::Any)) };
        if self.global_only {
            let answer = self.layer(&Layer::Global, key, &strategy)?;
            return dig(answer, key);
        }
        let mut layers = vec![Layer::Global, Layer::Environment];
        layers.extend(key.module().map(|module| Layer::Module(module.into())));
        let answer = strategy.lookup(&layers, |layer| self.layer(layer, key, &strategy))?;
        dig(answer, key)
    }

    /// One layer.
    fn layer(&mut self, layer: &Layer, key: &Key, strategy: &Strategy) -> LookupStepResult {
        let Some((root, config)) = self.world.config(layer) else { return Ok(Answer::Missing) };
        self.guarded(key.text.clone(), |search| search.configured(layer, &root, &config, key, strategy))
    }

    fn configured(
        &mut self,
        layer: &Layer,
        root: &str,
        config: &HieraConfig,
        key: &Key,
        strategy: &Strategy,
    ) -> LookupStepResult {
        if config.version == 3 {
            if *layer != Layer::Global {
                return match config.error() {
                    Some(error) => Err(LookupError::new(format!("{root}/hiera.yaml: {}", error.message))),
                    None => Ok(Answer::Missing),
                };
            }
            return self.global_of_version_3(root, config, key, strategy);
        }
        self.hierarchy(layer, root, config, false, key, strategy)
    }

    /// Version 3 looks nowhere else when the environment has no data of its own, and has its own way of merging.
    fn global_of_version_3(
        &mut self,
        root: &str,
        config: &HieraConfig,
        key: &Key,
        strategy: &Strategy,
    ) -> LookupStepResult {
        let mut strategy = strategy.clone();
        if self.is_hiera_function && strategy == Strategy::Hash {
            let (name, options) = match &config.merge_behavior {
                MergeBehavior::Native => ("hash", HashValue::default()),
                MergeBehavior::Deep(options) => ("reverse_deep", options.0.clone()),
                MergeBehavior::Deeper(options) => ("unconstrained_deep", options.0.clone()),
            };
            let mut merge = options;
            merge.insert(Value::string("strategy"), Value::string(name));
            if let Some(found) = Strategy::of_value(&Value::Hash(Arc::new(merge)))? {
                strategy = found;
            }
        }
        let answer = self.hierarchy(&Layer::Global, root, config, false, key, &strategy)?;
        if !self.is_hiera_function {
            return Ok(answer);
        }
        let is_hash = matches!(strategy, Strategy::Hash | Strategy::Deep(_) | Strategy::ReverseDeep(_));
        match &answer {
            Answer::Found(value) if is_hash && !matches!(value, Value::Hash(_) | Value::Unknown(_)) => {
                Err(LookupError::new(format!("the value of '{}' is no hash", key.root)))
            }
            Answer::Found(_)
                if !key.segments.is_empty() && matches!(strategy, Strategy::Hash | Strategy::Unique) =>
            {
                Err(LookupError::new("a key with dots cannot be merged"))
            }
            _ => Ok(answer),
        }
    }

    /// What a module has for keys that nothing else has.
    fn default_hierarchy(&mut self, key: &Key) -> LookupStepResult {
        let Some(module) = key.module() else { return Ok(Answer::Missing) };
        let layer = Layer::Module(module.into());
        let Some((root, config)) = self.world.config(&layer) else { return Ok(Answer::Missing) };
        if config.default_hierarchy.is_none() {
            return Ok(Answer::Missing);
        }
        let options = self.quietly(|search| search.default_options(&layer, &root, &config, key))?;
        let Some(options) = options else { return Ok(Answer::Unknown(Type::Any)) };
        let strategy = Strategy::of_value(options.merge.as_ref().unwrap_or(&Value::Undef))?;
        let Some(strategy) = strategy else { return Ok(Answer::Unknown(Type::Any)) };
        let answer = self.guarded(key.text.clone(), |search| {
            search.hierarchy(&layer, &root, &config, true, key, &strategy)
        })?;
        dig(answer, key)
    }

    /// Works out something under a name, and fails when that name is being worked out already.
    fn guarded<T>(
        &mut self,
        name: SmolStr,
        work: impl FnOnce(&mut Search<'w>) -> LookupStepResult<T>,
    ) -> LookupStepResult<T> {
        if self.names.contains(&name) {
            let circle = self.names.join(", ");
            return Err(LookupError::new(format!("'{name}' refers to itself: {circle}")));
        }
        self.names.push(name);
        let result = work(self);
        self.names.pop();
        result
    }
}

/// Follows the way of a key into what was found.
fn dig(answer: Answer, key: &Key) -> LookupStepResult {
    match answer {
        Answer::Found(value) if !key.segments.is_empty() => match key::dig(&value, &key.segments) {
            Dug::Found(value) => Ok(Answer::Found(value)),
            Dug::Missing => Ok(Answer::Missing),
            Dug::Refused(message) => Err(LookupError::new(message)),
        },
        Answer::Unknown(_) if !key.segments.is_empty() => Ok(Answer::Unknown(Type::Any)),
        answer => Ok(answer),
    }
}
