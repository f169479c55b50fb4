//! Calls: finding the function, choosing the overload, checking arguments.

use codes::Code;
use std::borrow::Borrow;
use std::slice;
use std::sync::Arc;

use hir::{DefinitionKind, Expr, ExprId, Name, Parameter};
use operators::Failure;
use types::assign::Fit;
use types::mismatch::{self, NamedSignature};
use types::{CallableType, Origin, TupleType, Type, TypeEnvironment, Value};

use crate::error::{Exit, LogLevel, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::FrameId;
use crate::function::{BuiltInFunction, FunctionKind, WhenUnknown};
use crate::program::{Additions, DeclaredFunction, DeclaredSignature, FunctionSource, MissingNameKind};

/// A lambda behind a call. Lives as long as the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassedLambda {
    pub frame: FrameId,
    pub(crate) lambda: ExprId,
}

/// A call of a built-in function, as its implementation sees it.
pub struct Call<'c, 'w> {
    pub evaluator: &'c mut Evaluator<'w>,
    pub function: &'static BuiltInFunction,
    pub arguments: Vec<Value>,
    pub block: Option<PassedLambda>,
    pub frame: FrameId,
    pub expr: ExprId,
}

impl<'w> Call<'_, 'w> {
    pub fn env(&self) -> &'w dyn TypeEnvironment {
        self.evaluator.world
    }

    /// The argument at an index; `undef` when there are fewer.
    pub fn argument(&self, index: usize) -> &Value {
        self.arguments.get(index).unwrap_or(&Value::Undef)
    }

    /// Is there an argument at an index?
    pub fn has(&self, index: usize) -> bool {
        index < self.arguments.len()
    }

    /// The text of a string argument; empty when it is none.
    pub fn text(&self, index: usize) -> &str {
        self.argument(index).as_str().unwrap_or_default()
    }

    /// An integer argument; 0 when it is none.
    pub fn integer(&self, index: usize) -> i64 {
        self.argument(index).as_integer().unwrap_or_default()
    }

    /// How many arguments the block takes when it is given up to `most` (2: key and value, or index and value).
    pub fn block_arity(&mut self, most: usize) -> Outcome<usize> {
        let Some(block) = self.block else { return Ok(0) };
        let Type::Callable(callable) = self.evaluator.block_type(block)? else { return Ok(most) };
        let size = callable.parameters.as_ref().map_or(types::IntegerRange::SIZE, TupleType::size);
        Ok(if size.max >= most as i64 { most } else { size.max.max(0) as usize })
    }

    /// Runs the block. `undef` when there is none.
    pub fn call_block(&mut self, arguments: &[Value]) -> Outcome {
        match self.block {
            Some(block) => self.evaluator.call_block(block, arguments, (self.frame, self.expr)),
            None => Ok(Value::Undef),
        }
    }

    /// Calls another function, as code at this place would.
    pub fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Outcome {
        self.evaluator.call_function(self.frame, self.expr, name, arguments, self.block)
    }

    /// A jump that blocks may have made by `break()`, since `mark`: then it is not known how far an iteration went.
    pub fn may_have_stopped(&self, mark: PendingMark) -> bool {
        self.evaluator.journal.pending[mark.0.min(self.evaluator.journal.pending.len())..]
            .iter()
            .any(|exit| matches!(exit, crate::fork::PendingExit::Break(_)))
    }

    /// To ask [`Call::may_have_stopped`] with.
    pub fn mark(&self) -> PendingMark {
        PendingMark(self.evaluator.journal.pending.len())
    }

    /// Ends the jumps by `break()` since `mark`: this call is the iteration that they leave.
    pub fn end_stops(&mut self, mark: PendingMark) {
        let pending = &mut self.evaluator.journal.pending;
        let later = pending.split_off(mark.0.min(pending.len()));
        pending.extend(later.into_iter().filter(|exit| !matches!(exit, crate::fork::PendingExit::Break(_))));
    }

    /// Notes that a jump or an error may have been made, where another way goes on.
    pub(crate) fn postpone(&mut self, exit: Exit) -> Outcome<()> {
        match exit {
            Exit::Cancelled => return Err(exit),
            Exit::Error(error) if crate::fork::is_deliberate(error.code) => {}
            Exit::Error(error) => self.evaluator.find(*error, crate::error::Certainty::Possible),
            exit => self.evaluator.journal.pending.extend(crate::fork::PendingExit::new(&exit)),
        }
        Ok(())
    }

    /// Evaluates alternatives from the same state and joins them: for a block that may run or not.
    pub fn fork(
        &mut self,
        count: usize,
        origin: Origin,
        mut run: impl FnMut(&mut Call<'_, 'w>, usize) -> Outcome,
    ) -> Outcome {
        let (function, arguments, block, expr, frame) =
            (self.function, self.arguments.clone(), self.block, self.expr, self.frame);
        self.evaluator.fork(frame, count, origin, |evaluator, index| {
            let mut call = Call { evaluator, function, arguments: arguments.clone(), block, frame, expr };
            run(&mut call, index)
        })
    }

    /// Counts work of the implementation, about one for each element looked at.
    pub fn step(&mut self, steps: usize) -> Outcome<()> {
        self.evaluator.step(self.frame, self.expr, steps as u64)
    }

    /// An error of the whole call.
    pub fn fail(&self, code: Code, message: impl Into<String>) -> Exit {
        self.evaluator.error(self.frame, self.expr, Failure::new(code, message))
    }

    /// An error at an argument.
    pub fn fail_at(&self, index: usize, code: Code, message: impl Into<String>) -> Exit {
        let failure = Failure::new(code, message).at(operators::Side::Argument(index));
        self.evaluator.error_in(self.frame, self.expr, failure)
    }

    /// A jump with the first argument, at the place of this call.
    pub fn jump(&mut self, exit: fn(Value) -> Exit) -> Exit {
        self.evaluator.jumped_at = Some(self.evaluator.place(self.frame, self.expr));
        exit(self.argument(0).clone())
    }

    /// `break()` at the place of this call.
    pub fn break_exit(&self) -> Exit {
        Exit::Break(self.evaluator.place(self.frame, self.expr))
    }

    pub fn log(&mut self, level: LogLevel, message: impl Into<String>) {
        self.evaluator.log(self.frame, self.expr, level, message);
    }
}

/// How many jumps were pending at some time.
#[derive(Clone, Copy, Debug)]
pub struct PendingMark(usize);

impl<'w> Evaluator<'w> {
    /// Calls whatever function has that name.
    pub fn call_function(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        name: &str,
        arguments: Vec<Value>,
        block: Option<PassedLambda>,
    ) -> Outcome {
        let name = name.strip_prefix("::").unwrap_or(name);
        let mut found = self.world.program.replacement(name);
        if found.is_none() {
            if let Some(function) = self.functions().built_in(name) {
                return self.call_built_in(frame, expr, function, arguments, block);
            }
            found = self.world.program.function(name);
            self.stop_at_load_finding(frame, expr)?;
        }
        match found {
            Some(FunctionSource::Puppet(unit)) => {
                if block.is_some() {
                    let failure =
                        Failure::new(Code::ArgumentMismatch, format!("{name} does not take a block"));
                    return Err(self.error(frame, expr, failure));
                }
                self.call_puppet_function(&unit, &arguments, (frame, expr))
            }
            Some(FunctionSource::Declared(function)) => {
                self.call_declared(frame, expr, &function, &arguments, block)
            }
            Some(FunctionSource::Known(function)) => {
                self.call_built_in(frame, expr, function, arguments, block)
            }
            None if self.world.program.may_define(MissingNameKind::Function, name) => {
                Ok(Value::unknown(Type::Any, Origin::MissingDefinition))
            }
            None => {
                let at = match &self.unit(frame).body[expr] {
                    Expr::Call { functor, .. } => *functor,
                    _ => expr,
                };
                Err(self.error(frame, at, Failure::new(Code::UnknownFunction, self.unknown_function(name))))
            }
        }
    }

    /// `receiver.name(arguments)`: a member of an object, else a function.
    pub(crate) fn call_method(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        name: &str,
        arguments: Vec<Value>,
        block: Option<PassedLambda>,
    ) -> Outcome {
        match arguments.first() {
            Some(Value::Object(object)) => {
                let ty = object.ty.clone();
                let of_context = self.call_lookup_context((frame, expr), &ty, name, &arguments[1..], block);
                if let Some(outcome) = of_context {
                    return outcome;
                }
                match types::object::construct::call_member(object, name, &arguments[1..], self.world) {
                    Some(Ok(value)) => return Ok(value),
                    Some(Err(error)) => {
                        return Err(self.error(frame, expr, Failure::new(error.code, error.message)));
                    }
                    None => {}
                }
            }
            Some(Value::Uri(uri)) => {
                if let Some(value) = conversions::uri_member(uri, name) {
                    return Ok(value);
                }
            }
            // It may be a member.
            Some(Value::Unknown(unknown))
                if self.functions().built_in(name).is_none()
                    && unknown.ty.kinds(self.world).contains(types::Kinds::OBJECT) =>
            {
                return Ok(Value::unknown(Type::Any, unknown.origin));
            }
            _ => {}
        }
        self.call_function(frame, expr, name, arguments, block)
    }

    /// What a call with an unknown number of arguments gives.
    pub(crate) fn call_with_unknown_arguments(&self, name: &str) -> Value {
        let function = self.functions().built_in(name.strip_prefix("::").unwrap_or(name));
        let returns = function
            .map_or(&[][..], |it| self.functions().signatures(it))
            .iter()
            .map(|it| it.returns.clone());
        match function {
            Some(_) => Value::unknown(types::common::union(returns, self.world), Origin::Join),
            None => Value::unknown(Type::Any, Origin::Ruby),
        }
    }

    fn call_built_in(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        function: &'static BuiltInFunction,
        arguments: Vec<Value>,
        block: Option<PassedLambda>,
    ) -> Outcome {
        let (arguments, block) = match function.kind {
            FunctionKind::Modern => (arguments, block),
            // Functions of the 3.x API know nothing of blocks: one that is given does not matter.
            FunctionKind::Legacy | FunctionKind::LegacyStatement => {
                let converted: Result<Vec<Value>, Failure> = arguments
                    .into_iter()
                    .map(|it| operators::legacy_argument(it, self.world, crate::resource_object))
                    .collect();
                (converted.map_err(|failure| self.error(frame, expr, failure))?, None)
            }
        };
        let block_type = match block {
            Some(block) => Some(self.block_type(block)?),
            None => None,
        };
        self.weigh(frame, expr, &arguments)?;
        let origin = arguments.iter().filter_map(Value::least_trustworthy).max();
        let mut possible: Option<Type> = None;
        for (overload, signature) in function.overloads.iter().zip(self.functions().signatures(function)) {
            let fit = call_fits(&signature.callable, &arguments, block_type.as_ref(), self.world);
            if fit == Fit::Never {
                continue;
            }
            if fit == Fit::Always || overload.when_unknown == WhenUnknown::Call {
                if origin.is_some() && overload.when_unknown == WhenUnknown::ReturnType {
                    possible = Some(joined_type(possible, &signature.returns, self.world));
                    break;
                }
                if possible.is_none() {
                    let mut call = Call { evaluator: self, function, arguments, block, frame, expr };
                    let result = (overload.call)(&mut call)?;
                    return match function.kind {
                        FunctionKind::LegacyStatement => Ok(Value::Undef),
                        _ => self.charge(frame, expr, result),
                    };
                }
            }
            possible = Some(joined_type(possible, &signature.returns, self.world));
            if fit == Fit::Always {
                break;
            }
        }
        match possible {
            Some(_) if function.kind == FunctionKind::LegacyStatement => Ok(Value::Undef),
            Some(ty) => Ok(Value::unknown(ty, origin.unwrap_or(Origin::Join))),
            None => {
                let (message, index) = self.describe_call(function, &arguments, block_type.as_ref());
                let exit = self.error(frame, expr, Failure::new(Code::ArgumentMismatch, message));
                let mut exit = self.at_argument(exit, (frame, expr), function.name, index);
                // How many they are is known, whatever they are worth.
                if takes_as_many(
                    self.functions().signatures(function).iter().map(|it| &it.callable),
                    arguments.len(),
                ) {
                    self.silence_if_untrustworthy(&mut exit, &arguments.iter().collect::<Vec<_>>());
                }
                Err(exit)
            }
        }
    }
}

impl Evaluator<'_> {
    /// What a call is by the function's signatures alone: a return type, if the arguments may fit.
    /// What a function in Ruby adds is in the catalog from now on, whatever it is.
    fn note_additions(&mut self, additions: Additions, arguments: &[Value]) {
        let may_be_class =
            |it: &Value| it.as_str().is_some_and(|text| text.eq_ignore_ascii_case("class")) || !it.is_known();
        match additions {
            Additions::Nothing => {}
            Additions::Resources if !arguments.iter().any(may_be_class) => {
                self.catalog.has_resources_of_ruby = true;
            }
            Additions::Resources | Additions::Classes => self.catalog.has_unknown = true,
        }
    }

    /// What the code of a function in Ruby gives, where it is clear which of its signatures the arguments fit.
    fn call_ruby(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        function: &DeclaredFunction,
        arguments: &[Value],
        block: Option<PassedLambda>,
        block_type: Option<&Type>,
    ) -> Outcome<Option<Value>> {
        if function.code.is_none() || function.is_open {
            return Ok(None);
        }
        let mut possible = Vec::new();
        for (index, signature) in function.signatures.iter().enumerate() {
            match call_fits(&signature.callable, arguments, block_type, self.world) {
                Fit::Never => {}
                Fit::Maybe => possible.push(index),
                Fit::Always => {
                    possible.push(index);
                    break;
                }
            }
        }
        let [signature] = possible[..] else { return Ok(None) };
        let value = self.functions().call_ruby(self, (frame, expr), function, signature, arguments, block)?;
        let Some(value) = value else { return Ok(None) };
        // What is of a wrong type ends the call in a way that is told elsewhere.
        let returns = function.signatures[signature].callable.returns.as_ref();
        match returns.map_or(Fit::Always, |ty| types::assign::fits(ty, &value, self.world)) {
            Fit::Never => Ok(None),
            Fit::Always | Fit::Maybe => self.charge(frame, expr, value).map(Some),
        }
    }

    fn call_declared(
        &mut self,
        frame: FrameId,
        expr: ExprId,
        function: &DeclaredFunction,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Outcome {
        if let Some(refusal) = &function.refusal {
            let message = format!("the function '{}' cannot be loaded: {refusal}", function.name);
            return Err(self.error(frame, expr, Failure::new(Code::RuntimeError, message)));
        }
        let block_type = match block {
            Some(block) => Some(self.block_type(block)?),
            None => None,
        };
        self.weigh(frame, expr, arguments)?;
        if let Some(value) = self.call_ruby(frame, expr, function, arguments, block, block_type.as_ref())? {
            return Ok(value);
        }
        self.note_additions(function.additions, arguments);
        let mut returns = function.is_open.then_some(Type::Any);
        for signature in &function.signatures {
            let fit = call_fits(&signature.callable, arguments, block_type.as_ref(), self.world);
            if fit != Fit::Never {
                let more = signature.callable.returns.clone().unwrap_or(Type::Any);
                returns = Some(joined_type(returns, &more, self.world));
            }
            if fit == Fit::Always {
                break;
            }
        }
        match returns {
            Some(returns) => {
                let origin = arguments.iter().filter_map(Value::least_trustworthy).max();
                Ok(Value::unknown(returns, origin.unwrap_or(function.origin)))
            }
            None => {
                let given: Vec<Type> =
                    arguments.iter().map(|argument| types::infer::infer_set(argument, self.world)).collect();
                let message = mismatch::describe_named_call_mismatch(
                    &format!("{}()", function.name),
                    &function.signatures.iter().map(DeclaredSignature::named).collect::<Vec<_>>(),
                    &given,
                    block_type.as_ref(),
                    self.world,
                );
                let index = mismatch::misfitting_argument(&function.signatures, &given, self.world);
                let exit = self.error(frame, expr, Failure::new(Code::ArgumentMismatch, message));
                let mut exit = self.at_argument(exit, (frame, expr), &function.name, index);
                if takes_as_many(function.signatures.iter().map(Borrow::borrow), arguments.len()) {
                    self.silence_if_untrustworthy(&mut exit, &arguments.iter().collect::<Vec<_>>());
                }
                Err(exit)
            }
        }
    }
}

impl Evaluator<'_> {
    fn unknown_function(&self, name: &str) -> String {
        let advice = match crate::function::misspelling::similar_function(self.functions(), name) {
            Some(known) => format!("; did you mean '{known}'?"),
            None => {
                let known = self.world.program.names_like(DefinitionKind::Function, name);
                crate::similar::advice(name, known.iter().map(|it| it.as_str()))
            }
        };
        format!("there is no function '{name}'{advice}")
    }

    /// Why no signature takes the arguments, and the argument that is at fault if it is one.
    fn describe_call(
        &self,
        function: &'static BuiltInFunction,
        arguments: &[Value],
        block: Option<&Type>,
    ) -> (String, Option<usize>) {
        let arguments: Vec<Type> =
            arguments.iter().map(|argument| types::infer::infer_set(argument, self.world)).collect();
        let signatures = self.functions().signatures(function).iter();
        let callables: Vec<Arc<CallableType>> =
            signatures.map(|signature| Arc::new(signature.callable.clone())).collect();
        let index = mismatch::misfitting_argument(&callables, &arguments, self.world);
        let name = function.name;
        (mismatch::describe_call_mismatch(name, &callables, &arguments, block, self.world), index)
    }
}

fn joined_type(known: Option<Type>, more: &Type, env: &dyn TypeEnvironment) -> Type {
    match known {
        Some(known) => types::common::union([known, more.clone()], env),
        None => more.clone(),
    }
}

/// Does one of the signatures take so many arguments?
fn takes_as_many<'a>(mut signatures: impl Iterator<Item = &'a CallableType>, count: usize) -> bool {
    signatures.any(|signature| {
        signature.parameters.as_ref().is_none_or(|parameters| parameters.size().contains(count as i64))
    })
}

/// Do arguments fit the parameters of a callable, and does the block?
pub(crate) fn call_fits(
    callable: &CallableType,
    arguments: &[Value],
    block: Option<&Type>,
    env: &dyn TypeEnvironment,
) -> Fit {
    let fits_block = match (&callable.block, block) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some(wanted), Some(block)) => types::assign::is_assignable(wanted, block, env),
        (Some(wanted), None) => types::assign::is_assignable(wanted, &Type::Undef, env),
    };
    match (fits_block, &callable.parameters) {
        (false, _) => Fit::Never,
        (true, Some(parameters)) => parameters_fit(parameters, arguments, env),
        (true, None) => Fit::Always,
    }
}

/// Do arguments fit a list of parameter types?
pub(crate) fn parameters_fit(parameters: &TupleType, arguments: &[Value], env: &dyn TypeEnvironment) -> Fit {
    if !parameters.size().contains(arguments.len() as i64) {
        return Fit::Never;
    }
    let mut fit = Fit::Always;
    for (index, argument) in arguments.iter().enumerate() {
        match parameters.element(index).map_or(Fit::Always, |ty| types::assign::fits(ty, argument, env)) {
            Fit::Never => return Fit::Never,
            Fit::Maybe => fit = Fit::Maybe,
            Fit::Always => {}
        }
    }
    fit
}

/// Why arguments do not fit a function or lambda that is written in Puppet, and the argument that is at fault if it is one.
pub(crate) fn describe_arguments(
    callee: &str,
    (callable, parameters): (&Type, &[Parameter]),
    arguments: &[Value],
    env: &dyn TypeEnvironment,
) -> (String, Option<usize>) {
    let arguments: Vec<Type> =
        arguments.iter().map(|argument| types::infer::infer_set(argument, env)).collect();
    let callables = match callable {
        Type::Callable(callable) => slice::from_ref(callable),
        _ => &[],
    };
    let names: Vec<Name> = parameters.iter().map(|it| it.name.clone()).collect();
    let named = callables.iter().map(|callable| NamedSignature { callable, names: &names });
    let (subject, signatures) = (format!("{callee}()"), named.collect::<Vec<_>>());
    let message = mismatch::describe_named_call_mismatch(&subject, &signatures, &arguments, None, env);
    (message, mismatch::misfitting_argument(callables, &arguments, env))
}
