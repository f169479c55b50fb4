//! Hiera: lookups by `lookup()` and by the parameters of classes.

use codes::Code;
mod backend_state;
mod context;

use std::borrow::Cow;
use std::cell::RefCell;
use std::sync::Arc;

use hiera::config::{Backend, DataFunctionKind, HieraConfig, HierarchyLevel, Layer};
use hiera::data::DataFormat;
use hiera::key::KeySegment;
use hiera::lookup::{
    BackendCall, DataFile, DataLocation, Explanation, LookupHost, LookupRequest, LookupResult, Sources,
    Variable,
};
use hiera::merge::{Answer, LookupError, LookupStepResult};
use hir::{DefinitionKind, Name, ScopeId};
use operators::Failure;
use smol_str::{SmolStr, format_smolstr};
use types::{HashValue, Origin, Type, TypeEnvironment, Value};
use validation::{Strict, VersionDifference};

pub(crate) use backend_state::DataState;

use crate::error::{Exit, LogLevel, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::{Frame, FrameId, Site, VariableState};
use crate::program::{FunctionSource, MissingNameKind, UndecidedReason, Unit};

/// Code of a lookup that Puppet rejects.
pub(crate) const LOOKUP_ERROR: Code = Code::LookupError;

impl Evaluator<'_> {
    /// Interpolates all strings in a value from data.
    fn interpolate_data(&mut self, at: Site, value: &Value) -> Outcome {
        let found = self.in_lookup_scope(at, false, |scope| hiera::lookup::interpolate(scope, value))?;
        Ok(found.unwrap_or_else(|| Value::unknown(Type::Any, Origin::Fact)))
    }

    /// Runs a Hiera query. Returns `None` if data is ignored.
    ///
    /// `forgets_node` runs it as if the name of the node were unknown.
    fn in_lookup_scope<T>(
        &mut self,
        at: Site,
        forgets_node: bool,
        ask: impl FnOnce(&LookupScope<'_, '_>) -> LookupStepResult<T>,
    ) -> Outcome<Option<T>> {
        let Some(sources) = self.world.program.data_sources() else { return Ok(None) };
        let ended = RefCell::new(None);
        let types = self.world;
        let strict = self.world.settings.strict == Strict::Error;
        let found = {
            let evaluator = RefCell::new(&mut *self);
            ask(&LookupScope { evaluator, sources, types, strict, at, ended: &ended, forgets_node })
        };
        // A cancelled or too long run ends here as well.
        match (ended.into_inner(), found) {
            (Some(exit), _) => Err(exit),
            (None, Ok(found)) => Ok(Some(found)),
            (None, Err(error)) => Err(self.error(at, Failure::new(LOOKUP_ERROR, error.message))),
        }
    }

    /// Looks up a value in Hiera. Returns `None` if data is ignored.
    pub fn look_up(&mut self, site: Site, request: &LookupRequest) -> Outcome<Option<LookupResult>> {
        let found = self.in_lookup_scope(site, false, |scope| hiera::lookup::lookup(scope, request))?;
        let found = match found {
            Some(LookupResult { answer: Answer::Unknown(_), .. }) => {
                self.note_undecided_data(request, UndecidedReason::UnknownInput);
                found
            }
            Some(known) => Some(self.without_node(site, request, known)?),
            None => None,
        };
        if let Some(LookupResult { answer: Answer::Found(value), .. }) = &found {
            self.world.program.note_data(&request.names, value);
        }
        Ok(found)
    }

    /// Replaces the result of a lookup by an unknown one if the data of another node of an invented name may
    /// take precedence.
    fn without_node(
        &mut self,
        at: Site,
        request: &LookupRequest,
        found: LookupResult,
    ) -> Outcome<LookupResult> {
        let program = self.world.program;
        let is_possible = match &found.answer {
            Answer::Missing => request.names.iter().any(|name| {
                let root = name.split('.').next().unwrap_or(name);
                program.has_data_key(name) || program.has_data_key(root)
            }),
            _ => true,
        };
        if !is_possible || !program.has_invented_node() {
            return Ok(found);
        }
        let general = self.in_lookup_scope(at, true, |scope| hiera::lookup::lookup(scope, request));
        match general {
            Err(Exit::Error(_)) | Ok(None) => Ok(found),
            Ok(Some(general)) => {
                if matches!(general.answer, Answer::Unknown(_)) {
                    self.note_undecided_data(request, UndecidedReason::NodeName);
                    if let (Answer::Found(value), Some(name)) = (found.answer, request.names.first()) {
                        self.data.undecided.entry(name.clone()).or_insert(value);
                    }
                }
                Ok(general)
            }
            Err(exit) => Err(exit),
        }
    }

    fn note_undecided_data(&self, request: &LookupRequest, reason: UndecidedReason) {
        if let Some(name) = request.names.first() {
            self.world.program.note_undecided_data(name, reason);
        }
    }

    /// Looks up a key in the top scope, and explains the result. The error is a message.
    pub fn explain_lookup(
        &mut self,
        main: &Arc<Unit>,
        request: &LookupRequest,
    ) -> (Result<Answer, String>, Explanation) {
        let found = self.in_top_scope(main, |scope| hiera::lookup::explain(scope, request));
        let Some((found, explanation)) = found else { return (Ok(Answer::Missing), Explanation::default()) };
        (found.map(|found| found.answer).map_err(|error| error.message), explanation)
    }

    /// Returns the locations in a layer that lookups in the top scope search.
    ///
    /// # Errors
    /// Returns the message of an error that makes all lookups in the layer fail.
    pub fn data_locations(&mut self, main: &Arc<Unit>, layer: &Layer) -> Result<Vec<DataLocation>, String> {
        let found = self.in_top_scope(main, |scope| hiera::lookup::data_locations(scope, layer));
        found.unwrap_or(Ok(Vec::new())).map_err(|error| error.message)
    }

    /// Runs a Hiera query in the top scope of a unit. Returns `None` if data is ignored.
    fn in_top_scope<T>(
        &mut self,
        main: &Arc<Unit>,
        ask: impl FnOnce(&LookupScope<'_, '_>) -> T,
    ) -> Option<T> {
        let sources = self.world.program.data_sources()?;
        let mut frame = Frame::new(main.clone(), ScopeId::ROOT);
        frame.is_top = true;
        let at = self.open_frame(frame).at(main.body.root);
        let ended = RefCell::new(None);
        let types = self.world;
        let strict = self.world.settings.strict == Strict::Error;
        let evaluator = RefCell::new(self);
        let forgets_node = false;
        let scope = LookupScope { evaluator, sources, types, strict, at, ended: &ended, forgets_node };
        Some(ask(&scope))
    }

    /// Returns the parameters passed to a class, completed with those that data has for it.
    pub(crate) fn with_data<'g>(
        &mut self,
        caller: Site,
        frame: FrameId,
        unit: &Arc<Unit>,
        given: &'g HashValue,
    ) -> Outcome<Cow<'g, HashValue>> {
        if unit.kind != DefinitionKind::Class || self.world.program.data_sources().is_none() {
            return Ok(Cow::Borrowed(given));
        }
        // Of the variables of the class itself, only the module names are set by then.
        let own = self.frame(frame).given.clone();
        let early: HashValue = own
            .iter()
            .flat_map(|own| own.iter())
            .filter(|(name, _)| matches!(name.as_str(), Some("module_name" | "caller_module_name")))
            .map(|(name, value)| (name.clone(), value.clone()))
            .collect();
        self.frame_mut(frame).given = Some(Arc::new(early));
        let all = self.parameters_with_data(caller, frame, unit, given);
        self.frame_mut(frame).given = own;
        all
    }

    fn parameters_with_data<'g>(
        &mut self,
        caller: Site,
        frame: FrameId,
        unit: &Arc<Unit>,
        given: &'g HashValue,
    ) -> Outcome<Cow<'g, HashValue>> {
        let mut all = Cow::Borrowed(given);
        for parameter in &unit.body.parameters {
            if given.get_text(&parameter.name).is_some_and(|value| !value.is_undef()) {
                continue;
            }
            let name = format_smolstr!("{}::{}", hir::fold_name(&unit.name), parameter.name);
            let request = LookupRequest { names: vec![name], ..LookupRequest::default() };
            let found = self.look_up(frame.at(unit.body.root), &request).map_err(|exit| match exit {
                Exit::Error(mut error) => {
                    error.place = self.place(caller);
                    Exit::Error(error)
                }
                exit => exit,
            })?;
            let value = match found.map(|found| found.answer) {
                Some(Answer::Found(value)) => value,
                Some(Answer::Unknown(_)) => {
                    let ty = match parameter.type_expr {
                        Some(ty) => self.evaluate_parameter_type(frame.at(ty))?,
                        None => Type::Any,
                    };
                    Value::unknown(ty, Origin::Fact)
                }
                Some(Answer::Missing) | None => continue,
            };
            // An `undef` from data does not take precedence over a default.
            if !value.is_undef() || parameter.default.is_none() {
                all.to_mut().insert(Value::String(parameter.name.clone()), value);
            }
        }
        Ok(all)
    }

    /// Logs a warning once. With `unless_off`, only unless Puppet's setting `strict` is off.
    fn warn_about_data(&mut self, at: Site, message: String, unless_off: bool) {
        let is_off = unless_off && self.world.settings.strict == Strict::Off;
        if !is_off && !self.diagnostics.has_logged(&message) {
            self.log(at, LogLevel::Warning, message);
        }
    }

    /// Returns the class of the code in a frame, or the class that contains its resource.
    fn calling_class(&self, frame: FrameId) -> Option<Name> {
        let mut frame = self.frame(frame);
        while let Some(outer) = frame.outer {
            frame = self.frame(outer);
        }
        match frame.unit.kind {
            DefinitionKind::Class => Some(hir::fold_name(&frame.unit.name)),
            DefinitionKind::DefinedType => self.catalog.class_around(frame.dynamic_scope),
            _ => None,
        }
    }

    fn variable_for_data(&self, frame: FrameId, name: &str) -> Variable {
        match self.slot_by_name(frame, name) {
            VariableState::Set(value) => Variable::Set(value),
            VariableState::Possible(_) => Variable::Set(Value::unknown(Type::Any, Origin::Fact)),
            VariableState::Unset => Variable::Missing,
        }
    }
}

/// Scope of a lookup.
struct LookupScope<'e, 'w> {
    evaluator: RefCell<&'e mut Evaluator<'w>>,
    sources: &'e dyn Sources,
    types: &'e dyn TypeEnvironment,
    strict: bool,
    at: Site,
    /// Exit that ended the whole run.
    ended: &'e RefCell<Option<Exit>>,
    /// True to treat the name of the node as unknown.
    forgets_node: bool,
}

impl Sources for LookupScope<'_, '_> {
    fn config(&self, layer: &Layer) -> Option<(SmolStr, Arc<HieraConfig>)> {
        self.sources.config(layer)
    }

    fn data(&self, path: &str, format: DataFormat) -> DataFile {
        self.sources.data(path, format)
    }

    fn glob(&self, pattern: &str) -> Option<Vec<SmolStr>> {
        self.sources.glob(pattern)
    }

    fn may_have_key(&self, layer: &Layer, level: &HierarchyLevel, written: &str, key: &str) -> bool {
        self.sources.may_have_key(layer, level, written, key)
    }
}

impl LookupHost for LookupScope<'_, '_> {
    fn variable(&self, name: &str) -> Variable {
        self.evaluator.borrow().world.program.begin_element();
        match self.evaluator.borrow().variable_for_data(self.at.frame, name) {
            Variable::Set(value) if self.forgets_node => {
                let program = self.evaluator.borrow().world.program;
                Variable::Set(program.without_node_name(name, value))
            }
            variable => variable,
        }
    }

    fn note_path(&self, value: &Value, way: &[KeySegment]) {
        let names = way.iter().map_while(|segment| match segment {
            KeySegment::Name(name) => Some(name.as_str()),
            KeySegment::Index(_) => None,
        });
        self.evaluator.borrow().note_path(value, names);
    }

    fn may_have_element(&self, variable: &str, way: &[KeySegment]) -> bool {
        let Some(KeySegment::Name(name)) = way.first() else { return false };
        let program = self.evaluator.borrow().world.program;
        match variable.trim_start_matches("::") {
            "facts" => program.may_have_fact(name),
            "trusted" => name == "extensions" && !self.forgets_node && program.may_have_extensions(),
            _ => false,
        }
    }

    fn warn(&self, message: String, unless_off: bool) {
        self.evaluator.borrow_mut().warn_about_data(self.at, message, unless_off);
    }

    fn calling_class(&self) -> Option<SmolStr> {
        self.evaluator.borrow().calling_class(self.at.frame)
    }

    fn may_be_absent(&self, module: &str) -> bool {
        let program = self.evaluator.borrow().world.program;
        program.may_define(MissingNameKind::ModuleData, &hir::fold_name(module))
    }

    fn is_version_8(&self) -> bool {
        self.evaluator.borrow().world.settings.version.has(VersionDifference::InterpolationDefaults)
    }

    /// Calls a backend function written in Puppet or in Ruby.
    fn call(&self, call: &BackendCall) -> LookupStepResult {
        let anything = Ok(Answer::Unknown(Type::Any));
        // A backend function that performs lookups itself re-enters here.
        let Ok(mut evaluator) = self.evaluator.try_borrow_mut() else { return anything };
        let name = hir::fold_name(call.backend.name());
        match evaluator.world.program.function(&name) {
            Some(FunctionSource::Puppet(_)) => {}
            Some(FunctionSource::Declared(function)) if function.code.is_some() => {}
            None if !matches!(call.backend, Backend::Hiera3(_))
                && !evaluator.world.program.may_define(MissingNameKind::Function, &name) =>
            {
                return Err(LookupError::new(format!(
                    "unknown backend function `{}` in `hiera.yaml`",
                    call.backend.name()
                )));
            }
            _ => return anything,
        }
        let module = match call.layer {
            Layer::Module(module) => Some(Name::from(module.as_str())),
            _ => None,
        };
        let context = evaluator.lookup_context(module.as_ref());
        let context = context.unwrap_or_else(|| Value::unknown(Type::Any, Origin::Ruby));
        let forks = evaluator.fork_depth();
        evaluator.data.contexts.begin(name.clone(), module, forks);
        let options = Value::Hash(Arc::new(call.options.clone()));
        let kind = match call.backend {
            Backend::Function { kind, .. } => Some(*kind),
            _ => None,
        };
        let key = call.key.map(|key| match kind {
            Some(DataFunctionKind::DataDig) => {
                let segments = key.segments.iter().map(|segment| match segment {
                    KeySegment::Name(name) => Value::String(name.clone()),
                    KeySegment::Index(index) => Value::Integer(*index),
                });
                let all = std::iter::once(Value::String(key.root.clone())).chain(segments);
                Value::array(all.collect::<Vec<_>>())
            }
            _ => Value::String(key.root.clone()),
        });
        let arguments = match kind {
            Some(DataFunctionKind::LegacyDataHash) => Vec::new(),
            _ => key.into_iter().chain([options, context]).collect(),
        };
        let result = evaluator.call_function(self.at, &name, arguments, None);
        let may_miss = evaluator.data.contexts.end();
        match result {
            Ok(_) if may_miss => anything,
            Err(Exit::Error(error)) if error.is_not_found() => Ok(Answer::Missing),
            Ok(Value::Unknown(unknown)) => Ok(Answer::Unknown(unknown.ty.clone())),
            Ok(value) => Ok(Answer::Found(value)),
            Err(Exit::Error(error)) => Err(LookupError::new(error.message)),
            Err(exit) => {
                *self.ended.borrow_mut() = Some(exit);
                anything
            }
        }
    }

    fn is_strict(&self) -> bool {
        self.strict
    }

    fn types(&self) -> &dyn TypeEnvironment {
        self.types
    }

    fn may_define_type(&self, name: &str) -> bool {
        let name = hir::fold_name(name);
        self.evaluator.borrow().world.program.may_define(MissingNameKind::Type, &name)
    }
}
