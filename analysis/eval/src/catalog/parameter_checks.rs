//! Checks of the values given to the parameters of a class, a defined type or a template. Puppet checks all
//! of them and reports all mistakes at once.

use super::parameter_fit::fits_parameter;
use super::store::CatalogBuilder;
use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKey, DefinitionKind, Expr, Parameter};
use operators::Failure;
use types::assign::Fit;
use types::{HashValue, Type, Value};

use super::ids::ResourceId;
use super::store::ResourceKind;
use crate::call::call_fits;
use crate::error::{DataValue, Exit, ExprPlace, LogLevel, Outcome};
use crate::evaluator::{Evaluator, ParameterTypes};
use crate::frame::{Frame, Site};
use crate::function::{BuiltInFunction, FunctionKind};
use crate::program::{FunctionSource, MissingNameKind, Unit};
use crate::suggestion::{joined_messages, with_suggestion};
use crate::world::World;

/// Mismatch, and the location to report it at.
#[derive(Debug)]
pub(crate) struct Mistake {
    failure: Failure,
    at: Site,
    /// More precise location of the mistake.
    part: Option<ExprPlace>,
    /// The value, if it is from Hiera data.
    data: Option<DataValue>,
    /// True if the mistake concerns an unknown value.
    is_silent: bool,
}

impl Mistake {
    pub(crate) fn new(at: Site, code: Code, message: String) -> Mistake {
        Mistake { failure: Failure::new(code, message), at, part: None, data: None, is_silent: false }
    }

    pub(crate) fn with_part(self, part: Option<ExprPlace>) -> Mistake {
        Mistake { part, ..self }
    }

    pub(crate) fn with_data(self, data: Option<DataValue>) -> Mistake {
        Mistake { data, ..self }
    }
}

impl Evaluator<'_> {
    /// Returns the parameter types of a class or defined type. They see no variables: Puppet evaluates them
    /// when it loads the definition.
    ///
    /// # Errors
    /// One of the types cannot be evaluated.
    pub(super) fn types_of_parameters(&mut self, unit: &Arc<Unit>) -> Outcome<ParameterTypes> {
        if let Some(known) = self.types.parameters.get(&unit.id) {
            return Ok(known.clone());
        }
        let known = self.world.program.parameter_types(unit);
        let frame = self.open_frame(Frame::new(unit.clone(), hir::ScopeId::ROOT));
        let parameters = unit.body.parameters.iter().enumerate();
        let types: Outcome<Vec<Option<Type>>> = parameters
            .map(|(index, parameter)| {
                let known = known.as_ref().and_then(|types| types.get(index).cloned().flatten());
                match (known, parameter.type_expr) {
                    (Some(ty), _) => Ok(Some(ty)),
                    (None, Some(expr)) => self.evaluate_parameter_type(frame.at(expr)).map(Some),
                    (None, None) => Ok(None),
                }
            })
            .collect();
        self.close_frame(frame);
        let types: ParameterTypes = types?.into();
        self.types.parameters.insert(unit.id, types.clone());
        Ok(types)
    }

    /// Evaluates the parameter types of all classes and defined types defined in a source text, used or not.
    ///
    /// # Errors
    /// One of the types cannot be evaluated.
    pub(super) fn check_types_of_definitions(&mut self, unit: &Unit) -> Outcome<()> {
        for (_, expr) in unit.body.exprs.iter() {
            let Expr::Definition(DefinitionKey { kind, name, .. }) = expr else { continue };
            let is_typed = matches!(kind, DefinitionKind::Class | DefinitionKind::DefinedType);
            let Some(defined) = is_typed.then(|| self.world.program.class(name)).flatten() else { continue };
            if defined.kind == *kind && !defined.is_precomputed {
                self.types_of_parameters(&defined)?;
                self.check_types_of_definitions(&defined)?;
            }
        }
        Ok(())
    }

    /// Evaluates a parameter type of a class or defined type. Only variables of lambdas are visible in it.
    pub(crate) fn evaluate_parameter_type(&mut self, site: Site) -> Outcome<Type> {
        let unit = self.unit(site.frame).id;
        let before = self.types.without_variables.replace(unit);
        let ty = self.evaluate_type(site);
        self.types.without_variables = before;
        ty
    }

    /// Runs a type query, or returns the error if Puppet refuses to answer it.
    pub(crate) fn query_types<T>(&self, at: Site, ask: impl FnOnce(&World) -> T) -> Outcome<T> {
        types::object::init::catch_refusal(self.world, || ask(self.world))
            .map_err(|why| self.error(at, Failure::new(Code::RuntimeError, why)))
    }

    /// Describes why a value certainly does not fit the type of a parameter. A `Deferred` value has the
    /// return type of its function.
    pub(crate) fn mismatch(
        &mut self,
        at: Site,
        code: Code,
        subject: &dyn Fn() -> String,
        ty: &Type,
        value: &Value,
    ) -> Outcome<Option<Mistake>> {
        let actual = match self.deferred_type(at, value)? {
            Some(Deferral::Unknown) => return Ok(None),
            Some(Deferral::Returns(returned)) => {
                let (wanted, returned) = (
                    types::common::generalize(ty, self.world),
                    types::common::generalize(&returned, self.world),
                );
                if types::assign::is_assignable(&wanted, &returned, self.world) {
                    return Ok(None);
                }
                returned
            }
            None => {
                let fit = self.query_types(at, |world| fits_parameter(ty, value, world))?;
                if fit != Fit::Never {
                    return Ok(None);
                }
                types::infer::infer_set(value, self.world)
            }
        };
        let message = types::mismatch::describe_mismatch(&subject(), ty, &actual, self.world);
        let is_silent = value.least_trustworthy().is_some_and(|origin| !origin.is_trustworthy());
        Ok(Some(Mistake { is_silent, ..Mistake::new(at, code, message) }))
    }

    /// Checks the parameters of a virtual resource of a defined type that nothing realizes. Defaults are not
    /// checked.
    pub(super) fn check_unrealized(&mut self, id: ResourceId) -> Outcome<()> {
        let resource = &self.catalog[id];
        let is_checked = resource.is_virtual && !resource.is_possible && !self.has_external_resources();
        let (ResourceKind::Evaluated(Some(unit)), Some(declared), true) =
            (resource.kind.clone(), resource.declared.clone(), is_checked)
        else {
            return Ok(());
        };
        if unit.kind != DefinitionKind::DefinedType {
            return Ok(());
        }
        let (given, is_incomplete) = (super::store::values(&resource.parameters), resource.is_incomplete);
        let before = self.machine.replace_calls(&resource.calls.clone());
        let frame = self.open_frame(Frame::new(declared.0, hir::ScopeId::ROOT));
        let result = self.check_given(frame.at(declared.1), id, &unit, &given, is_incomplete);
        self.close_frame(frame);
        self.machine.restore_calls(before);
        result
    }

    fn check_given(
        &mut self,
        at: Site,
        id: ResourceId,
        unit: &Arc<Unit>,
        given: &HashValue,
        is_incomplete: bool,
    ) -> Outcome<()> {
        let types = self.types_of_parameters(unit)?;
        let reference = self.catalog[id].reference();
        let mut mistakes = self.catalog.unknown_names(at, id, unit, given);
        for (parameter, ty) in unit.body.parameters.iter().zip(types.iter()) {
            match given.get_text(&parameter.name) {
                Some(value) => {
                    let subject = || format!("{reference}: parameter '{}'", parameter.name);
                    let ty = ty.as_ref().unwrap_or(&Type::Any);
                    let mistake = self.mismatch(at, Code::TypeMismatch, &subject, ty, value)?;
                    let part = self.catalog[id].location_of(&parameter.name);
                    mistakes.extend(mistake.map(|it| it.with_part(part)));
                }
                None if parameter.default.is_none() && !is_incomplete => {
                    mistakes.push(missing(at, &reference, parameter))
                }
                None => {}
            }
        }
        self.refuse(mistakes)
    }

    /// Returns an error that lists all mistakes, if there are any.
    pub(crate) fn refuse(&self, mistakes: Vec<Mistake>) -> Outcome<()> {
        let reported: Vec<&Mistake> = mistakes.iter().filter(|it| !it.is_silent).collect();
        let reported = if reported.is_empty() { mistakes.iter().collect() } else { reported };
        let [first, ..] = reported[..] else { return Ok(()) };
        let messages: Vec<&str> = reported.iter().map(|it| it.failure.message.as_str()).collect();
        let failure = Failure::new(first.failure.code, joined_messages(&messages));
        let mut exit = self.error(first.at, failure);
        if let Exit::Error(error) = &mut exit {
            error.is_silent |= first.is_silent;
            error.parts = reported.iter().filter_map(|it| it.part).collect();
            error.data = reported.iter().filter_map(|it| it.data.clone()).collect();
        }
        Err(exit)
    }

    /// Returns the result type of a deferred value; `None` for other values.
    fn deferred_type(&mut self, at: Site, value: &Value) -> Outcome<Option<Deferral>> {
        let (Value::Object(object), true) = (value, is_deferred(value)) else { return Ok(None) };
        let Some(name) = object.get("name").and_then(Value::as_str).map(str::to_owned) else {
            return Ok(Some(Deferral::Unknown));
        };
        let arguments = object.get("arguments").and_then(Value::as_array).unwrap_or_default().to_vec();
        if let Some(returns) = self.deferred_call(&name, &arguments)? {
            let returns = match returns {
                Deferral::Returns(ty) => Deferral::Returns(ty),
                Deferral::Unknown => {
                    self.warn_about_deferred(at, &name);
                    Deferral::Unknown
                }
            };
            return Ok(Some(returns));
        }
        let message = format!("no function `{name}` accepts the arguments of the deferred call");
        Err(self.error(at, Failure::new(Code::ArgumentMismatch, message)))
    }

    /// Returns the return type of a deferred call; `None` if no function accepts it. It is unknown for
    /// functions that declare no return type.
    fn deferred_call(&mut self, name: &str, arguments: &[Value]) -> Outcome<Option<Deferral>> {
        let returns = |ty: Option<Type>| ty.map_or(Deferral::Unknown, Deferral::Returns);
        let mut found = self.world.program.replacement(name);
        if found.is_none() {
            if let Some(function) = self.functions().built_in(name) {
                let takes = self.takes_deferred(function, arguments);
                return Ok(takes.then(|| returns(declared_return(name))));
            }
            found = self.world.program.function(name);
        }
        Ok(match found {
            Some(FunctionSource::Puppet(unit)) => {
                let callable = self.callable_of(&unit)?;
                let fit = call_fits(&callable, arguments, None, self.world);
                (fit != Fit::Never).then(|| returns(callable.returns.clone()))
            }
            Some(FunctionSource::Declared(function)) => {
                let mut signatures = function.signatures.iter().map(|it| &it.callable);
                let fitting = signatures.find(|it| call_fits(it, arguments, None, self.world) != Fit::Never);
                match fitting {
                    Some(signature) => Some(returns(signature.returns.clone())),
                    None => function.is_incomplete.then_some(Deferral::Unknown),
                }
            }
            Some(FunctionSource::Known(function)) => {
                self.takes_deferred(function, arguments).then_some(Deferral::Unknown)
            }
            None if self.world.program.may_define(MissingNameKind::Function, name) => Some(Deferral::Unknown),
            None => None,
        })
    }

    fn takes_deferred(&self, function: &'static BuiltInFunction, arguments: &[Value]) -> bool {
        function.kind != FunctionKind::Modern
            || self
                .functions()
                .signatures(function)
                .iter()
                .any(|it| call_fits(&it.callable, arguments, None, self.world) != Fit::Never)
    }

    /// Logs Puppet's warning about a function without a declared return type, once per function.
    fn warn_about_deferred(&mut self, at: Site, name: &str) {
        let message = format!(
            "Deferred function {name} has no return_type, unable to guarantee value type during compilation."
        );
        if !self.diagnostics.has_logged(&message) {
            self.log(at, LogLevel::Warning, message);
        }
    }
}

impl CatalogBuilder {
    /// Returns a mistake for each given name that is not the name of a parameter.
    pub(super) fn unknown_names(
        &self,
        caller: Site,
        id: ResourceId,
        unit: &Unit,
        given: &HashValue,
    ) -> Vec<Mistake> {
        let names = given.keys().map(|key| key.as_str().unwrap_or_default());
        let unknown = names.filter(|name| {
            !is_universal_attribute(name)
                && !unit.body.parameters.iter().any(|parameter| parameter.name == *name)
        });
        unknown
            .map(|name| {
                let known = unit.body.parameters.iter().map(|it| it.name.as_str());
                let problem = format!("{} has no parameter named '{name}'", self[id].reference());
                let message = with_suggestion(problem, name, known);
                let part = self[id].location_of(name);
                Mistake::new(caller, Code::UnknownParameter, message).with_part(part)
            })
            .collect()
    }
}

/// Returns the mistake of a parameter without a value.
pub(super) fn missing(at: Site, reference: &str, parameter: &Parameter) -> Mistake {
    let message = format!("{reference}: expects a value for parameter '{}'", parameter.name);
    Mistake::new(at, Code::MissingRequiredParameter, message)
}

/// Returns true for a `Deferred`, a call that the agent makes to compute the value.
pub(crate) fn is_deferred(value: &Value) -> bool {
    matches!(value, Value::Object(object) if object.ty.name.as_deref() == Some("Deferred"))
}

/// Result type of a deferred call.
enum Deferral {
    Returns(Type),
    Unknown,
}

/// Returns the return type that one of Puppet's own functions declares.
fn declared_return(name: &str) -> Option<Type> {
    match name {
        "debug" | "info" | "notice" | "warning" | "err" | "alert" | "crit" | "emerg" => Some(Type::Undef),
        "epp" | "inline_epp" => {
            let sensitive = Type::Sensitive(Some(Arc::new(Type::STRING)));
            Some(Type::Variant([Type::STRING, sensitive].into()))
        }
        _ => None,
    }
}

/// Returns true if every resource has the attribute. Specification: the chapter on metaparameters.
pub(super) fn is_universal_attribute(name: &str) -> bool {
    name == "name" || plugins::built_in::metaparameter(name).is_some()
}
