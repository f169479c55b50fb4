//! Lookup of keys: layers, levels, merging and options.

mod explain;
mod interpolate;
mod levels;
mod locations;
mod options;
mod ruby_text;
mod values;

use std::sync::Arc;

use smol_str::SmolStr;
use types::{HashValue, Type, TypeEnvironment, Value};

use crate::config::{Backend, HieraConfig, Layer, MergeBehavior};
use crate::key::{self, DigResult, Key, KeySegment};
use crate::merge::{Answer, LookupError, LookupStepResult, Strategy};
pub use crate::sources::{DataFile, Sources};

pub use levels::join;
pub use locations::{DataLocation, LayerLocations, LocationKeys, data_locations};

pub use explain::{Explanation, LookupStep, StepOutcome};

/// Environment of a lookup.
pub trait LookupHost: Sources {
    /// Returns a variable of the scope that performs the lookup. `name` has no `$`.
    fn variable(&self, name: &str) -> Variable;

    /// Records that only the value at a path into the variable that was read last is needed.
    fn note_path(&self, _value: &Value, _way: &[KeySegment]) {}

    /// Returns true if a path into a variable may exist although its value is not known.
    fn may_have_element(&self, _variable: &str, _way: &[KeySegment]) -> bool {
        false
    }

    /// Calls a data function that is not built into Hiera.
    ///
    /// # Errors
    /// Returns the error that the function raised.
    fn call(&self, call: &BackendCall) -> LookupStepResult;

    /// Returns the name of the class that performs the lookup: the class of the code, or the class that
    /// declares the resource whose code it is.
    fn calling_class(&self) -> Option<SmolStr> {
        None
    }

    /// Returns true if a module without data may be one that is not installed here.
    fn may_be_absent(&self, _module: &str) -> bool {
        false
    }

    /// Returns true for version 8 of Puppet, which only warns about undefined variables in the locations of a
    /// version 5 configuration.
    fn is_version_8(&self) -> bool {
        false
    }

    /// Reports a warning that Puppet logs. With `unless_off`, it does so unless its setting `strict` is off.
    fn warn(&self, _message: String, _unless_off: bool) {}

    /// Returns true if a lookup fails where Puppet otherwise only warns (its setting `strict`).
    fn is_strict(&self) -> bool;

    /// Returns the types that `convert_to` can refer to.
    fn types(&self) -> &dyn TypeEnvironment;

    /// Returns true if a type that [`LookupHost::types`] does not know may be defined elsewhere.
    fn may_define_type(&self, _name: &str) -> bool {
        true
    }
}

/// Result of reading a variable.
#[derive(Clone, PartialEq, Debug)]
pub enum Variable {
    /// Value of the variable, possibly unknown.
    Set(Value),
    /// Undefined variable.
    Missing,
}

/// Call of a data function.
#[derive(Clone, Debug)]
pub struct BackendCall<'a> {
    pub backend: &'a Backend,
    /// Key to look up; `None` for functions that return a whole hash.
    pub key: Option<&'a Key>,
    pub options: HashValue,
    pub layer: &'a Layer,
}

/// Parameters of a lookup.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct LookupRequest {
    /// Names to look up; the first one with a value wins.
    pub names: Vec<SmolStr>,
    /// Merge strategy; `None` to use `lookup_options`.
    pub merge: Option<Value>,
    /// Values that take precedence over all data.
    pub overrides: HashValue,
    /// Values for names that are missing from the data.
    pub default_values: HashValue,
    /// True for the functions `hiera`, `hiera_array`, `hiera_hash` and `hiera_include`.
    pub is_hiera_function: bool,
    /// True if an explanation continues after a level that is not known.
    pub explains_lower_levels: bool,
}

/// Result of a lookup.
#[derive(Clone, PartialEq, Debug)]
pub struct LookupResult {
    pub answer: Answer,
    /// Name that had the value.
    pub name: Option<SmolStr>,
}

/// Lookup in progress.
pub(crate) struct Search<'w> {
    host: &'w dyn LookupHost,
    overrides: HashValue,
    default_values: HashValue,
    /// Stack of keys and variables being evaluated, for cycle detection.
    names: Vec<SmolStr>,
    /// Variables that exist only in paths: the elements of `mapped_paths`.
    locals: Vec<(SmolStr, Value)>,
    global_only: bool,
    /// True while the locations of a version 5 configuration are resolved.
    in_location: bool,
    /// True while a version 3 configuration is used, which has additional variables.
    has_calling_variables: bool,
    is_hiera_function: bool,
    explanation: Option<Explanation>,
    explains_lower_levels: bool,
    /// Number of reads of elements that may exist although their variable's value is not known.
    possible: usize,
    /// Number of other reads of unknown values.
    unknown: usize,
    /// Number of interpolations and lookups so far, limited by [`MAX_LOOKUP_STEPS`].
    steps: usize,
}

/// Maximum number of interpolations and lookups per lookup.
const MAX_LOOKUP_STEPS: usize = 100_000;

/// Looks up names.
///
/// # Errors
/// Returns an error where Puppet fails: for an invalid configuration, data or merge, and for circular
/// references. A name without a value is not an error.
pub fn lookup(host: &dyn LookupHost, request: &LookupRequest) -> LookupStepResult<LookupResult> {
    Search::new(host, request).lookup_names(request)
}

/// Interpolates all strings in a value.
///
/// # Errors
/// Returns an error where Puppet fails: for undefined variables and circular references.
pub fn interpolate(host: &dyn LookupHost, value: &Value) -> LookupStepResult<Value> {
    Search::new(host, &LookupRequest::default()).interpolate(value, true)
}

/// Looks up a name and explains how its value was found.
pub fn explain(
    host: &dyn LookupHost,
    request: &LookupRequest,
) -> (LookupStepResult<LookupResult>, Explanation) {
    let mut search = Search::new(host, request);
    search.explanation = Some(Explanation::default());
    let found = search.lookup_names(request);
    (found, search.explanation.unwrap_or_default())
}

impl<'w> Search<'w> {
    fn new(host: &'w dyn LookupHost, request: &LookupRequest) -> Search<'w> {
        Search {
            host,
            overrides: request.overrides.clone(),
            default_values: request.default_values.clone(),
            names: Vec::new(),
            locals: Vec::new(),
            global_only: false,
            in_location: false,
            has_calling_variables: false,
            is_hiera_function: request.is_hiera_function,
            explanation: None,
            explains_lower_levels: request.explains_lower_levels,
            possible: 0,
            unknown: 0,
            steps: 0,
        }
    }

    /// Counts a unit of work. Returns false if the limit is reached.
    fn step(&mut self) -> bool {
        self.steps += 1;
        self.steps <= MAX_LOOKUP_STEPS
    }

    fn lookup_names(&mut self, request: &LookupRequest) -> LookupStepResult<LookupResult> {
        if request.is_hiera_function {
            let environment = self.host.config(&Layer::Environment);
            self.global_only = environment.is_none_or(|(_, config)| config.version < 5);
        }
        let mut may_be: Option<Type> = None;
        for name in &request.names {
            if let Some(value) = self.overrides.get_text(name) {
                let answer = Answer::Found(value.clone());
                return Ok(LookupResult { answer, name: Some(name.clone()) });
            }
            match self.lookup_key(name, request.merge.as_ref())? {
                Answer::Missing => {}
                // A later name may have a value too.
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

    /// Looks up a name in all layers.
    fn lookup_key(&mut self, name: &str, merge: Option<&Value>) -> LookupStepResult {
        if !self.step() {
            return Ok(Answer::Unknown(Type::Any));
        }
        if name == "lookup_options" || name.starts_with("lookup_options.") {
            return Ok(Answer::Missing);
        }
        let Some(key) = Key::parse(name) else {
            return Err(LookupError::new(format!("invalid key `{name}`")));
        };
        let options = match self.without_explanation(|search| search.lookup_options(&key))? {
            Some(options) => options,
            // The options determine how values are merged.
            None => {
                if self.explanation.is_some() {
                    // The locations searched do not depend on the options, and an error there proves
                    // nothing.
                    let _ = self.lookup_in_layers(&key, None);
                }
                return Ok(Answer::Unknown(Type::Any));
            }
        };
        let merge = match merge.filter(|merge| !merge.is_undef()) {
            Some(merge) => Some(merge.clone()),
            None => options.merge.clone(),
        };
        let mut answer = self.lookup_in_layers(&key, merge.as_ref())?;
        if answer == Answer::Missing && !self.global_only {
            answer = self.lookup_in_default_hierarchy(&key)?;
        }
        if let Some(explanation) = &mut self.explanation {
            explanation.finish(&merge, &options, &answer);
        }
        options.convert(answer, name, self.host)
    }

    /// Runs `work` without recording it in the explanation.
    fn without_explanation<T>(&mut self, work: impl FnOnce(&mut Search<'w>) -> T) -> T {
        let explanation = self.explanation.take();
        let result = work(self);
        self.explanation = explanation;
        result
    }

    fn lookup_in_layers(&mut self, key: &Key, merge: Option<&Value>) -> LookupStepResult {
        let strategy = Strategy::of_value(merge.unwrap_or(&Value::Undef))?;
        let Some(strategy) = strategy else { return Ok(Answer::Unknown(Type::Any)) };
        if self.global_only {
            let answer = self.lookup_in_layer(&Layer::Global, key, &strategy)?;
            return dig(answer, key);
        }
        let mut layers = vec![Layer::Global, Layer::Environment];
        layers.extend(key.module().map(|module| Layer::Module(module.into())));
        let answer = strategy.lookup(&layers, |layer| self.lookup_in_layer(layer, key, &strategy))?;
        dig(answer, key)
    }

    /// Looks up a key in one layer.
    fn lookup_in_layer(&mut self, layer: &Layer, key: &Key, strategy: &Strategy) -> LookupStepResult {
        let Some((root, config)) = self.host.config(layer) else {
            return Ok(self.answer_without_configuration(layer, key));
        };
        for warning in &config.warnings {
            self.host.warn(format!("{root}/{}", warning.message), warning.unless_off);
        }
        self.with_cycle_check(key.text.clone(), |search| {
            search.lookup_in_config(layer, &root, &config, key, strategy)
        })
    }

    /// Returns the answer of a layer without a configuration: the data of a module that is not installed is
    /// unknown. Its options are ignored, because they rarely change a value that the environment has.
    fn answer_without_configuration(&mut self, layer: &Layer, key: &Key) -> Answer {
        let Layer::Module(module) = layer else { return Answer::Missing };
        if key.root == "lookup_options" || !self.host.may_be_absent(module) {
            return Answer::Missing;
        }
        if let Some(explanation) = &mut self.explanation {
            explanation.steps.push(LookupStep {
                layer: layer.clone(),
                level: "hiera.yaml".into(),
                is_default: false,
                written: module.clone(),
                path: None,
                outcome: StepOutcome::AbsentModule,
            });
        }
        Answer::Unknown(Type::Any)
    }

    fn lookup_in_config(
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
            let outer = std::mem::replace(&mut self.has_calling_variables, true);
            let answer = self.lookup_in_version_3(root, config, key, strategy);
            self.has_calling_variables = outer;
            return answer;
        }
        self.lookup_in_hierarchy(layer, root, config, false, key, strategy)
    }

    /// Looks up a key in the global layer with a version 3 configuration, which has its own merge strategies
    /// and is the only layer searched if the environment has no data.
    fn lookup_in_version_3(
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
        let answer = self.lookup_in_hierarchy(&Layer::Global, root, config, false, key, &strategy)?;
        if !self.is_hiera_function {
            return Ok(answer);
        }
        let is_hash = matches!(strategy, Strategy::Hash | Strategy::Deep(_) | Strategy::ReverseDeep(_));
        match &answer {
            Answer::Found(value) if is_hash && !matches!(value, Value::Hash(_) | Value::Unknown(_)) => {
                Err(LookupError::new(format!("value of `{}` is not a hash", key.root)))
            }
            Answer::Found(_)
                if !key.segments.is_empty() && matches!(strategy, Strategy::Hash | Strategy::Unique) =>
            {
                Err(LookupError::new("dotted keys cannot be merged"))
            }
            _ => Ok(answer),
        }
    }

    /// Looks up a key in the module's default hierarchy, which is used if no layer has the key.
    fn lookup_in_default_hierarchy(&mut self, key: &Key) -> LookupStepResult {
        let Some(module) = key.module() else { return Ok(Answer::Missing) };
        let layer = Layer::Module(module.into());
        let Some((root, config)) = self.host.config(&layer) else { return Ok(Answer::Missing) };
        if config.default_hierarchy.is_none() {
            return Ok(Answer::Missing);
        }
        let options =
            self.without_explanation(|search| search.default_options(&layer, &root, &config, key))?;
        let Some(options) = options else { return Ok(Answer::Unknown(Type::Any)) };
        let strategy = Strategy::of_value(options.merge.as_ref().unwrap_or(&Value::Undef))?;
        let Some(strategy) = strategy else { return Ok(Answer::Unknown(Type::Any)) };
        let answer = self.with_cycle_check(key.text.clone(), |search| {
            search.lookup_in_hierarchy(&layer, &root, &config, true, key, &strategy)
        })?;
        dig(answer, key)
    }

    /// Runs `work` with `name` on the stack.
    ///
    /// # Errors
    /// Returns an error if `name` is on the stack already: it refers to itself.
    fn with_cycle_check<T>(
        &mut self,
        name: SmolStr,
        work: impl FnOnce(&mut Search<'w>) -> LookupStepResult<T>,
    ) -> LookupStepResult<T> {
        if self.names.contains(&name) {
            let stack = self.names.join(", ");
            return Err(LookupError::new(format!("recursive lookup detected in [{stack}]")));
        }
        self.names.push(name);
        let result = work(self);
        self.names.pop();
        result
    }
}

/// Follows the path of a key into the value that was found.
fn dig(answer: Answer, key: &Key) -> LookupStepResult {
    match answer {
        Answer::Found(value) if !key.segments.is_empty() => match key::dig(&value, &key.segments) {
            DigResult::Found(value) => Ok(Answer::Found(value)),
            DigResult::Missing => Ok(Answer::Missing),
            DigResult::Refused(message) => Err(LookupError::new(message)),
        },
        Answer::Unknown(_) if !key.segments.is_empty() => Ok(Answer::Unknown(Type::Any)),
        answer => Ok(answer),
    }
}
