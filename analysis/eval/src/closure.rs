//! Lambdas and functions written in Puppet: binding arguments to parameters, and running the body.
//!
//! Specification: the chapter on parameter lists.

use codes::Code;
use std::sync::Arc;

use hir::{DefinitionKind, Expr, ExprId, Parameter, ScopeId};
use operators::Failure;
use types::{CallableType, IntegerRange, Origin, TupleType, Type, Value};

use crate::call::PassedLambda;
use crate::error::{Exit, ExprPlace, Outcome};
use crate::evaluator::{ClosureSignature, Evaluator, PendingExit, VariableTarget};
use crate::frame::{Frame, FrameId, ParameterPhase, Site, VariableState};
use crate::program::Unit;
use crate::variables::refused_parameter;
use crate::world::World;

impl Evaluator<'_> {
    /// Returns the `Callable` type of a block.
    pub fn block_type(&mut self, block: PassedLambda) -> Outcome<Type> {
        Ok(self.block_signature(block)?.callable.clone())
    }

    fn block_signature(&mut self, block: PassedLambda) -> Outcome<Arc<ClosureSignature>> {
        let place = self.place(block.frame.at(block.lambda));
        if let Some(known) = self.types.signatures.get(&place) {
            return Ok(known.clone());
        }
        let unit = self.unit(block.frame).clone();
        let Expr::Lambda { parameters, return_type, .. } = &unit.body[block.lambda] else {
            return Err(self.error(
                block.frame.at(block.lambda),
                Failure::new(Code::IllegalExpression, "expected a lambda"),
            ));
        };
        let signature = Arc::new(self.closure_signature(block.frame, parameters, *return_type)?);
        self.types.signatures.insert(place, signature.clone());
        Ok(signature)
    }

    /// Returns the signature of the function that `frame` runs.
    pub(crate) fn function_signature(&mut self, frame: FrameId) -> Outcome<Arc<ClosureSignature>> {
        let unit = self.unit(frame).clone();
        let place = ExprPlace { unit: unit.id, expr: unit.body.root };
        if let Some(known) = self.types.signatures.get(&place) {
            return Ok(known.clone());
        }
        let signature =
            Arc::new(self.closure_signature(frame, &unit.body.parameters, unit.body.return_type)?);
        self.types.signatures.insert(place, signature.clone());
        Ok(signature)
    }

    fn closure_signature(
        &mut self,
        frame: FrameId,
        parameters: &[Parameter],
        return_type: Option<ExprId>,
    ) -> Outcome<ClosureSignature> {
        let mut types = Vec::with_capacity(parameters.len());
        let mut size = IntegerRange { min: 0, max: 0 };
        let mut is_untyped = return_type.is_none();
        for parameter in parameters {
            let mut ty = match parameter.type_expr {
                Some(expr) => {
                    is_untyped = false;
                    self.evaluate_type(frame.at(expr))?
                }
                None => Type::Any,
            };
            let mut range = if parameter.default.is_some() { (0, 1) } else { (1, 1) };
            if parameter.captures_rest {
                range = (0, i64::MAX);
                if let Type::Array(array) = &ty {
                    range = (array.size.min, array.size.max);
                    let element = array.element.clone();
                    ty = element;
                }
            }
            if range.0 > 0 && size.min < size.max {
                let message =
                    format!("required parameter `${}` follows an optional parameter", parameter.name);
                let at = parameter.type_expr.unwrap_or(self.unit(frame).body.root);
                return Err(
                    self.error(frame.at(at), Failure::new(Code::RequiredParameterAfterOptional, message))
                );
            }
            size.min = size.min.saturating_add(range.0);
            size.max = size.max.saturating_add(range.1);
            types.push(ty);
        }
        let returns = match return_type {
            Some(expr) => Some(self.evaluate_type(frame.at(expr))?),
            None => None,
        };
        let exact = IntegerRange::exactly(types.len() as i64);
        // Without types and a size, it would be the tuple that accepts anything.
        let is_exact = size == exact && !types.is_empty();
        let tuple = TupleType { types: types.clone().into(), size: (!is_exact).then_some(size) };
        let callable = Type::callable(Some(tuple), None, returns.clone());
        Ok(ClosureSignature { parameters: types, returns, callable, is_untyped })
    }

    /// Evaluates an expression to a type; an unknown value gives `Any`.
    pub(crate) fn evaluate_type(&mut self, site: Site) -> Outcome<Type> {
        match self.evaluate(site)? {
            Value::Type(ty) => Ok((*ty).clone()),
            Value::Unknown(_) => Ok(Type::Any),
            _ => Err(self.error(site, Failure::new(Code::NotAType, "expected a type"))),
        }
    }

    /// Calls a block. `break()` leaves it as [`Exit::Break`].
    pub(crate) fn call_block(&mut self, block: PassedLambda, arguments: &[Value], caller: Site) -> Outcome {
        let unit = self.unit(block.frame).clone();
        let Expr::Lambda { scope, parameters, body, .. } = &unit.body[block.lambda] else {
            return Ok(Self::error_value());
        };
        let signature = self.block_signature(block)?;
        let mut frame = Frame::new(unit.clone(), *scope);
        frame.outer = Some(block.frame);
        frame.dynamic_scope = self.frame(block.frame).dynamic_scope;
        let frame = self.open_frame(frame);
        let mark = self.begin_call();
        let result = self.enter_call(block.frame.at(block.lambda), |this| {
            this.bind(frame, parameters, &signature, arguments, "lambda", caller)?;
            Ok((this.machine.jumps.mark(), this.evaluate(frame.at(*body))))
        });
        self.close_frame(frame);
        self.end_call(mark);
        // Jumps in the defaults of parameters leave an outer construct.
        let (bound, result) = result?;
        let result = match result {
            Err(Exit::Next(value)) => Ok(value),
            other => other,
        };
        let result = self.join_pending(bound, result, |exit| matches!(exit, PendingExit::Next(_)))?;
        self.check_returned(&signature, result, "lambda", caller)
    }

    /// Calls a function written in Puppet.
    pub(crate) fn call_puppet_function(
        &mut self,
        unit: &Arc<Unit>,
        arguments: &[Value],
        caller: Site,
    ) -> Outcome {
        if let Some(result) = self.result_of_undecided_recursion(unit, arguments) {
            return result;
        }
        let frame = self.open_frame(Frame::new(unit.clone(), ScopeId::ROOT));
        let mark = self.begin_call();
        let result = self.enter_call(caller, |this| {
            let signature = this.function_signature(frame)?;
            let size = signature.callable_parameters().size();
            if !size.contains(arguments.len() as i64) {
                let (callable, parameters) = (&signature.callable, &unit.body.parameters);
                let (message, _) =
                    crate::call::describe_arguments(&unit.name, callable, parameters, arguments, this.world);
                return Err(this.error(caller, Failure::new(Code::ArgumentMismatch, message)));
            }
            this.bind(frame, &unit.body.parameters, &signature, arguments, &unit.name, caller)?;
            let bound = this.machine.jumps.mark();
            Ok((
                bound,
                this.with_active_function(unit, |this| this.evaluate(frame.at(unit.body.root))),
                signature,
            ))
        });
        self.close_frame(frame);
        self.end_call(mark);
        let mark = mark.pending;
        let returns = |exit: &PendingExit| matches!(exit, PendingExit::Return(_));
        // The default of a parameter may return, too; its other jumps leave an outer construct.
        let (bound, result, signature) = match result {
            Ok(called) => called,
            Err(Exit::Return(value)) => return self.join_pending(mark, Ok(value), returns),
            Err(exit) => return self.join_pending(mark, Err(exit), returns),
        };
        let result = match result {
            Err(Exit::Next(value)) => Ok(value),
            other => other,
        };
        let result = match self.join_pending(bound, result, |exit| matches!(exit, PendingExit::Next(_))) {
            Ok(value) => self.check_returned(&signature, value, &unit.name, caller),
            // The value passed to `return()` is not checked.
            Err(Exit::Return(value)) => Ok(value),
            // `break()` ends the iteration that called the function.
            other => other,
        };
        self.join_pending(mark, result, returns)
    }

    /// Returns the `Callable` type of a function, with its return type only if that is declared.
    pub fn callable_of(&mut self, unit: &Arc<Unit>) -> Outcome<Arc<CallableType>> {
        let frame = self.open_frame(Frame::new(unit.clone(), ScopeId::ROOT));
        let signature = self.function_signature(frame);
        self.close_frame(frame);
        let signature = signature?;
        let parameters = signature.callable_parameters().clone();
        let returns = signature.returns.clone();
        Ok(Arc::new(CallableType { parameters: Some(parameters), block: None, returns }))
    }

    /// Returns the declared parameter types of a definition; `None` for those that are missing or cannot be
    /// evaluated.
    pub fn parameter_types(&mut self, unit: &Arc<Unit>) -> Vec<Option<Type>> {
        let frame = self.open_frame(Frame::new(unit.clone(), ScopeId::ROOT));
        let declared = unit.body.parameters.iter().map(|parameter| parameter.type_expr);
        let types = declared.map(|expr| self.evaluate_type(frame.at(expr?)).ok()).collect();
        self.close_frame(frame);
        types
    }

    /// Binds arguments or defaults to parameters from left to right, then checks their types.
    fn bind(
        &mut self,
        frame: FrameId,
        parameters: &[Parameter],
        signature: &ClosureSignature,
        arguments: &[Value],
        callee: &str,
        caller: Site,
    ) -> Outcome<()> {
        for (index, parameter) in parameters.iter().enumerate() {
            if let Some(failure) = refused_parameter(DefinitionKind::Function, &parameter.name) {
                return Err(self.error(caller, failure));
            }
            let value = self.bound_value(frame, index, parameter, arguments, callee, caller)?;
            let slot = self.unit(frame).body.slots[parameter.slot.index()].index_in_scope;
            let unit = self.unit(frame).id;
            self.diagnostics.note_parameter(unit, parameter.slot, &value, self.world);
            self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value));
        }
        if signature.is_untyped {
            return Ok(());
        }
        self.weigh(caller, arguments)?;
        let mut given = Vec::with_capacity(arguments.len());
        for parameter in parameters {
            let VariableState::Set(value) = self.frame(frame).slot(parameter.slot).clone() else { continue };
            match value {
                Value::Array(rest) if parameter.captures_rest => given.extend(rest.iter().cloned()),
                value => given.push(value),
            }
        }
        let parameters_fit =
            |world: &World| crate::call::parameters_fit(signature.callable_parameters(), &given, world);
        let fits = self.query_types(caller, parameters_fit)?;
        if fits == types::assign::Fit::Never {
            let callable = &signature.callable;
            let (message, index) =
                crate::call::describe_arguments(callee, callable, parameters, &given, self.world);
            let exit = self.error(caller, Failure::new(Code::ArgumentMismatch, message));
            return Err(self.at_argument(exit, caller, callee, index));
        }
        self.narrow_parameters(frame, parameters, signature);
        Ok(())
    }

    /// Returns the argument or the default of a parameter.
    fn bound_value(
        &mut self,
        frame: FrameId,
        index: usize,
        parameter: &Parameter,
        arguments: &[Value],
        callee: &str,
        caller: Site,
    ) -> Outcome {
        let value = match arguments.get(index) {
            Some(_) if parameter.captures_rest => {
                let rest = &arguments[index..];
                match (rest, parameter.default) {
                    ([Value::Undef], Some(default)) => {
                        self.evaluate_default(frame, index, default, caller)?
                    }
                    _ => Value::array(rest),
                }
            }
            Some(value) => value.clone(),
            None => match parameter.default {
                Some(default) => self.evaluate_default(frame, index, default, caller)?,
                None if parameter.captures_rest => Value::array([]),
                None => {
                    let message = format!("{callee}: expects a value for parameter '{}'", parameter.name);
                    return Err(self.error(caller, Failure::new(Code::MissingRequiredParameter, message)));
                }
            },
        };
        let is_rest = parameter.captures_rest && !matches!(value, Value::Array(_) | Value::Unknown(_));
        Ok(if is_rest { Value::array([value]) } else { value })
    }

    /// Narrows parameters to their declared types after the check.
    fn narrow_parameters(&mut self, frame: FrameId, parameters: &[Parameter], signature: &ClosureSignature) {
        for (parameter, ty) in parameters.iter().zip(&signature.parameters) {
            if let VariableState::Set(Value::Unknown(unknown)) = self.frame(frame).slot(parameter.slot)
                && !parameter.captures_rest
            {
                let narrowed = types::narrow::intersect(&unknown.ty, ty, self.world);
                let value = Value::unknown(narrowed, unknown.origin);
                let slot = self.unit(frame).body.slots[parameter.slot.index()].index_in_scope;
                self.write(VariableTarget::Slot(frame, slot), VariableState::Set(value));
            }
        }
    }

    fn evaluate_default(&mut self, frame: FrameId, index: usize, default: ExprId, caller: Site) -> Outcome {
        let before = self.frame_mut(frame).parameters.replace(ParameterPhase { current: index });
        let matched = self.frame_mut(frame).matched.take();
        let result = self.evaluate(frame.at(default));
        self.frame_mut(frame).parameters = before;
        self.frame_mut(frame).matched = matched;
        result.map_err(|exit| self.at_caller(exit, caller))
    }

    fn check_returned(
        &mut self,
        signature: &ClosureSignature,
        value: Value,
        callee: &str,
        caller: Site,
    ) -> Outcome {
        let Some(returns) = &signature.returns else { return Ok(value) };
        self.weigh(caller, [&value])?;
        match self.query_types(caller, |world| types::assign::fits(returns, &value, world))? {
            types::assign::Fit::Always => Ok(value),
            types::assign::Fit::Maybe => Ok(match &value {
                Value::Unknown(unknown) => {
                    Value::unknown(types::narrow::intersect(&unknown.ty, returns, self.world), unknown.origin)
                }
                _ => value,
            }),
            types::assign::Fit::Never => {
                let subject = format!("return value of `{callee}`");
                let actual = types::infer::infer_set(&value, self.world);
                let message = types::mismatch::describe_mismatch(&subject, returns, &actual, self.world);
                let mut exit = self.error(caller, Failure::new(Code::ReturnTypeMismatch, message));
                self.silence_if_untrustworthy(&mut exit, &[&value]);
                Err(exit)
            }
        }
    }

    /// Silences an error of an operation on a lost value.
    pub(crate) fn silence_if_untrustworthy(&self, exit: &mut Exit, operands: &[&Value]) {
        if let Exit::Error(error) = exit {
            let origins = operands.iter().filter_map(|value| value.least_trustworthy());
            error.is_silent |= origins.max().is_some_and(|origin: Origin| !origin.is_trustworthy());
        }
    }
}

// ---- undecided recursion

/// Functions that change the catalog, or evaluate code that may.
const FUNCTIONS_THAT_ADD: [&str; 16] = [
    "contain",
    "create_resources",
    "ensure_packages",
    "ensure_resource",
    "ensure_resources",
    "epp",
    "hiera_include",
    "include",
    "inline_epp",
    "inline_template",
    "realize",
    "require",
    "stdlib::ensure_packages",
    "tag",
    "template",
    "call",
];

impl Evaluator<'_> {
    /// Returns the result of a function that calls itself under an unknown condition with unknown arguments.
    ///
    /// Nothing bounds such a recursion, and each level multiplies by the number of recursive call sites.
    /// Returns `None` if the function is to be called.
    pub(crate) fn result_of_undecided_recursion(
        &mut self,
        unit: &Arc<Unit>,
        arguments: &[Value],
    ) -> Option<Outcome> {
        let is_undecided = self.fork_depth() > self.machine.forks_of_function(unit.id)?;
        let origin = arguments.iter().filter_map(Value::least_trustworthy).max()?;
        if !is_undecided || !self.only_computes(unit) {
            return None;
        }
        let frame = self.open_frame(Frame::new(unit.clone(), hir::ScopeId::ROOT));
        let signature = self.function_signature(frame);
        self.close_frame(frame);
        Some(signature.map(|it| Value::unknown(it.returns.clone().unwrap_or(Type::Any), origin)))
    }

    /// Returns true if a function cannot change the catalog: it calls only itself and functions without side
    /// effects.
    fn only_computes(&self, unit: &Unit) -> bool {
        unit.body.exprs.iter().all(|(_, expr)| match expr {
            Expr::Call { functor, .. } => match &unit.body[*functor] {
                Expr::Name(name) => self.is_computation(unit, name),
                _ => true,
            },
            Expr::MethodCall { name, .. } => self.is_computation(unit, name),
            Expr::Resource { .. }
            | Expr::ResourceDefaults { .. }
            | Expr::ResourceOverride { .. }
            | Expr::Collect { .. }
            | Expr::Relationship { .. } => false,
            _ => true,
        })
    }

    fn is_computation(&self, unit: &Unit, name: &str) -> bool {
        let name = name.strip_prefix("::").unwrap_or(name);
        let is_itself = unit.name.eq_ignore_ascii_case(name);
        is_itself || !FUNCTIONS_THAT_ADD.contains(&name) && self.functions().built_in(name).is_some()
    }

    /// Evaluates the body of a function, which is active meanwhile.
    pub(crate) fn with_active_function<T>(
        &mut self,
        unit: &Unit,
        evaluate: impl FnOnce(&mut Self) -> Result<T, Exit>,
    ) -> Result<T, Exit> {
        let forks = self.fork_depth();
        self.machine.enter_function(unit.id, forks);
        let result = evaluate(self);
        self.machine.leave_function();
        result
    }
}
