//! Context passed to functions written in Puppet that act as Hiera backends. Specification: the chapter on
//! Hiera.

use codes::Code;
use std::sync::Arc;

use hir::{Expr, Name};
use operators::Failure;
use types::object::ObjectValue;
use types::{HashValue, IteratorOperation, Origin, Type, TypeEnvironment, Value, iterate};

use super::LOOKUP_ERROR;
use crate::call::PassedLambda;
use crate::error::{Exit, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::Site;
use crate::program::MachineFile;

/// Type name of contexts.
const LOOKUP_CONTEXT: &str = "Puppet::LookupContext";

/// Returns true for data with an interpolation, which needs a lookup in progress.
fn has_interpolation(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains("%{"),
        Value::Array(elements) => elements.iter().any(has_interpolation),
        Value::Hash(entries) => {
            entries.iter().any(|(key, value)| has_interpolation(key) || has_interpolation(value))
        }
        _ => false,
    }
}

/// Returns the number of arguments of a member of contexts.
fn expected_arguments(member: &str) -> usize {
    match member {
        "not_found" => 0,
        "cache" => 2,
        _ => 1,
    }
}

impl Evaluator<'_> {
    /// Returns the context for a backend in a module's configuration, or in the environment's.
    pub(super) fn lookup_context(&self, module: Option<&Name>) -> Option<Value> {
        let ty = match self.world.named_type(LOOKUP_CONTEXT)?.ty {
            Type::Object(Some(ty)) => ty,
            _ => return None,
        };
        let environment = self.environment_name();
        let module = module.map_or(Value::Undef, |module| Value::String(module.clone()));
        let names: Arc<[smol_str::SmolStr]> = Arc::new(["environment_name".into(), "module_name".into()]);
        Some(Value::Object(Arc::new(ObjectValue { ty, names, values: Box::new([environment, module]) })))
    }

    fn environment_name(&self) -> Value {
        let name = self.world.program.global("environment");
        name.unwrap_or_else(|| Value::unknown(Type::STRING, Origin::Fact))
    }

    /// Returns the error of a member that needs a lookup, for a context that code creates outside of one.
    fn outside_lookup(&self, at: Site, name: &str) -> Exit {
        let message = format!("`{name}()` of a context requires a lookup in progress");
        self.error(at, Failure::new(Code::RuntimeError, message))
    }

    /// Returns the content of a file, or what the block makes of it. The first result for a file is kept.
    fn cached_file_data(
        &mut self,
        at: Site,
        context: &Arc<ObjectValue>,
        path: &str,
        block: Option<PassedLambda>,
    ) -> Outcome {
        if let Some(value) = self.data.contexts.file_data(context, path) {
            return Ok(value.clone());
        }
        let program = self.world.program;
        let file = match program.project_file(path) {
            MachineFile::Content(content) => MachineFile::Content(content),
            _ => program.machine_file(path),
        };
        let text = match file {
            MachineFile::Content(bytes) => String::from_utf8(bytes.to_vec()).ok(),
            _ => None,
        };
        let Some(text) = text else { return Ok(Value::unknown(Type::Any, Origin::Ruby)) };
        let value = match block {
            Some(block) => self.call_block(block, &[Value::string(text)], at)?,
            None => Value::string(text),
        };
        self.data.contexts.keep_file_data(context, path.into(), value.clone());
        Ok(value)
    }

    /// Calls a member of a context from Ruby code.
    pub fn call_context(
        &mut self,
        at: Site,
        object: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Option<Outcome> {
        let Value::Object(object) = object else { return None };
        // Explanations are never requested.
        if name == "explain" {
            return Some(Ok(Value::Undef));
        }
        self.call_lookup_context(at, object, name, arguments, None)
    }

    /// Calls a member of a context. Returns `None` for other objects and other names.
    pub(crate) fn call_lookup_context(
        &mut self,
        site: Site,
        object: &Arc<ObjectValue>,
        name: &str,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Option<Outcome> {
        if object.ty.name.as_deref() != Some(LOOKUP_CONTEXT) {
            return None;
        }
        let argument = || arguments.first().cloned().unwrap_or(Value::Undef);
        let is_outside = self.data.contexts.running.is_empty();
        Some(match (name, arguments.len()) {
            ("not_found", 0) => self.not_found(site),
            ("environment_name", 0) => Ok(self.environment_name()),
            ("explain", 0) if block.is_none() => {
                let message = "`explain()` of the context requires a block";
                Err(self.error(site, Failure::new(Code::ArgumentMismatch, message)))
            }
            ("explain", 0) if is_outside => Err(self.outside_lookup(site, name)),
            // Explanations are never requested.
            ("explain", 0) => Ok(Value::Undef),
            ("interpolate", 1) if is_outside && has_interpolation(&argument()) => {
                Err(self.outside_lookup(site, name))
            }
            ("interpolate", 1) => self.interpolate_data(site, &argument()),
            ("cached_file_data", 1) => match argument().as_str() {
                Some(path) => self.cached_file_data(site, object, path, block),
                None => Ok(Value::unknown(Type::Any, Origin::Ruby)),
            },
            (
                "not_found" | "cache_has_key" | "cached_value" | "cache" | "cache_all" | "interpolate",
                count,
            ) if count != expected_arguments(name) => {
                let message = format!("wrong number of arguments for `{name}()` of the context: {count}");
                Err(self.error(site, Failure::new(Code::ArgumentMismatch, message)))
            }
            _ => return self.call_cache(site, object, name, arguments, block),
        })
    }

    /// Calls a member of a context that reads or changes its cache. Returns `None` for other names.
    fn call_cache(
        &mut self,
        at: Site,
        object: &Arc<ObjectValue>,
        name: &str,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Option<Outcome> {
        Some(match (name, arguments) {
            ("cache", [key, value]) => {
                self.data.contexts.add(object, &[(key.clone(), value.clone())]);
                Ok(value.clone())
            }
            ("cache_all", [Value::Hash(entries)]) => {
                let entries: Vec<_> =
                    entries.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
                self.data.contexts.add(object, &entries);
                Ok(Value::Undef)
            }
            ("cache_all", _) => Ok(Value::unknown(Type::Undef, Origin::Ruby)),
            ("cache_has_key", [key]) => {
                let cache = self.data.contexts.cache(object);
                Ok(Value::Boolean(cache.is_some_and(|cache| cache.get(key).is_some())))
            }
            ("cached_value", [key]) => {
                let cache = self.data.contexts.cache(object);
                Ok(cache.and_then(|cache| cache.get(key)).cloned().unwrap_or(Value::Undef))
            }
            ("cached_entries", []) => {
                let cache = self.data.contexts.cache(object).cloned().unwrap_or_default();
                match block {
                    Some(block) => self.each_entry(at, &cache, block),
                    None => Ok(self.entries(object, cache)),
                }
            }
            ("cached_entries" | "cached_file_data", _) => Ok(Value::unknown(Type::Any, Origin::Ruby)),
            _ => return None,
        })
    }

    fn not_found(&mut self, site: Site) -> Outcome {
        let forks = self.fork_depth();
        if let Some(run) = self.data.contexts.running.last_mut() {
            run.may_miss |= forks > run.forks;
        }
        let failure = Failure::new(LOOKUP_ERROR, "`not_found()` is only allowed in a Hiera backend function");
        let mut exit = self.error(site, failure);
        if let Exit::Error(error) = &mut exit {
            error.is_silent = true;
        }
        Err(exit)
    }

    /// Returns an iterator over the entries of a cache.
    fn entries(&mut self, object: &Arc<ObjectValue>, cache: HashValue) -> Value {
        let entries = Value::Hash(Arc::new(cache));
        let Some(iterator) = iterate::iterator(&entries, IteratorOperation::Each, self.world) else {
            return entries;
        };
        let iterator = Arc::new(iterator);
        self.data.contexts.note_iterator(object, iterator.clone());
        Value::Iterator(iterator)
    }

    /// Calls a block with each entry of a cache: with key and value, or with both in an array.
    fn each_entry(&mut self, at: Site, cache: &HashValue, block: PassedLambda) -> Outcome {
        let unit = self.unit(block.frame).clone();
        let takes_both = match &unit.body[block.lambda] {
            Expr::Lambda { parameters, .. } => parameters.len() == 2,
            _ => false,
        };
        for (key, value) in cache.iter() {
            let both = [key.clone(), value.clone()];
            if takes_both {
                self.call_block(block, &both, at)?
            } else {
                self.call_block(block, &[Value::array(both.to_vec())], at)?
            };
        }
        Ok(Value::Undef)
    }
}
