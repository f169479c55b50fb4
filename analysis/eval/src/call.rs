//! Calls: finding the function, selecting the overload, checking arguments.

use codes::Code;
use std::borrow::Borrow;
use std::slice;
use std::sync::Arc;

use hir::{DefinitionKind, Expr, ExprId, Name, Parameter, ScopeId};
use operators::Failure;
use types::assign::Fit;
use types::mismatch::{self, NamedSignature};
use types::{CallableType, Origin, TupleType, Type, TypeEnvironment, Value};

use crate::error::{Exit, LogLevel, Outcome};
use crate::evaluator::{Evaluator, PendingExit, PendingMark};
use crate::frame::{Frame, FrameId, Site};
use crate::function::{BuiltInFunction, FunctionKind, WhenUnknown};
use crate::program::{Additions, DeclaredFunction, DeclaredSignature, FunctionSource, MissingNameKind};
use crate::suggestion::with_suggestion;

/// Lambda passed to a call. Lives as long as the call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PassedLambda {
    pub frame: FrameId,
    pub(crate) lambda: ExprId,
}

/// Call of a built-in function, as its implementation sees it.
pub struct Call<'c, 'w> {
    pub evaluator: &'c mut Evaluator<'w>,
    pub function: &'static BuiltInFunction,
    pub arguments: Vec<Value>,
    pub block: Option<PassedLambda>,
    pub site: Site,
}

impl<'w> Call<'_, 'w> {
    pub fn env(&self) -> &'w dyn TypeEnvironment {
        self.evaluator.world
    }

    /// Returns the argument at an index; `undef` if there are fewer.
    pub fn argument(&self, index: usize) -> &Value {
        self.arguments.get(index).unwrap_or(&Value::Undef)
    }

    /// Returns true if there is an argument at an index.
    pub fn has(&self, index: usize) -> bool {
        index < self.arguments.len()
    }

    /// Returns the content of a string argument; empty for other types.
    pub fn string(&self, index: usize) -> &str {
        self.argument(index).as_str().unwrap_or_default()
    }

    /// Returns the value of an integer argument; 0 for other types.
    pub fn integer(&self, index: usize) -> i64 {
        self.argument(index).as_integer().unwrap_or_default()
    }

    /// Returns the number of arguments that the block takes when it is passed up to `most` (2: key and value,
    /// or index and value).
    pub fn block_arity(&mut self, most: usize) -> Outcome<usize> {
        let Some(block) = self.block else { return Ok(0) };
        let Type::Callable(callable) = self.evaluator.block_type(block)? else { return Ok(most) };
        let size = callable.parameters.as_ref().map_or(types::IntegerRange::SIZE, TupleType::size);
        Ok(if size.max >= most as i64 { most } else { size.max.max(0) as usize })
    }

    /// Runs the block. Returns `undef` if there is none.
    pub fn call_block(&mut self, arguments: &[Value]) -> Outcome {
        match self.block {
            Some(block) => self.evaluator.call_block(block, arguments, self.site),
            None => Ok(Value::Undef),
        }
    }

    /// Calls another function from the location of this call.
    pub fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Outcome {
        self.evaluator.call_function(self.site, name, arguments, self.block)
    }

    /// Records that the call fails for some of the unknown values.
    pub fn note_possible_failure(&mut self, message: String) {
        self.evaluator.note_possible_failure(self.site, message);
    }

    /// Returns true if a block may have jumped with `break()` since `mark`, so that the extent of an
    /// iteration is unknown.
    pub fn may_have_stopped(&self, mark: PendingMark) -> bool {
        self.evaluator.machine.jumps.any_since(mark, |exit| matches!(exit, PendingExit::Break(_)))
    }

    /// Returns a mark for [`Call::may_have_stopped`].
    pub fn mark(&self) -> PendingMark {
        self.evaluator.machine.jumps.mark()
    }

    /// Ends the `break()` jumps since `mark`: this call is the iteration that they leave.
    pub fn end_stops(&mut self, mark: PendingMark) {
        self.evaluator.machine.jumps.take(mark, |exit| matches!(exit, PendingExit::Break(_)));
    }

    /// Records a jump or an error that may have happened, while another branch continues.
    pub(crate) fn postpone(&mut self, exit: Exit) -> Outcome<()> {
        match exit {
            Exit::Cancelled => return Err(exit),
            Exit::Error(error) if crate::error::is_deliberate(error.code) => {}
            Exit::Error(error) => self.evaluator.report(*error, crate::error::Certainty::Possible),
            exit => self.evaluator.machine.jumps.add(&exit),
        }
        Ok(())
    }

    /// Evaluates alternatives from the same state and joins them, for a block that may or may not run.
    pub fn fork(
        &mut self,
        count: usize,
        origin: Origin,
        mut run: impl FnMut(&mut Call<'_, 'w>, usize) -> Outcome,
    ) -> Outcome {
        let (function, arguments) = (self.function, self.arguments.clone());
        let (block, site) = (self.block, self.site);
        self.evaluator.fork(site, count, origin, |evaluator, index| {
            let mut call = Call { evaluator, function, arguments: arguments.clone(), block, site };
            run(&mut call, index)
        })
    }

    /// Counts steps of the implementation, about one per visited element.
    pub fn step(&mut self, steps: usize) -> Outcome<()> {
        self.evaluator.step(self.site, steps as u64)
    }

    /// Returns an error at the whole call.
    pub fn fail(&self, code: Code, message: impl Into<String>) -> Exit {
        self.evaluator.error(self.site, Failure::new(code, message))
    }

    /// Returns an error at an argument.
    pub fn fail_at(&self, index: usize, code: Code, message: impl Into<String>) -> Exit {
        let failure = Failure::new(code, message).at(operators::Side::Argument(index));
        self.evaluator.error_in(self.site, failure)
    }

    /// Returns a jump with the first argument, at the location of this call.
    pub fn jump(&mut self, exit: fn(Value) -> Exit) -> Exit {
        self.evaluator.machine.jumped_at = Some(self.evaluator.place(self.site));
        exit(self.argument(0).clone())
    }

    /// Returns a `break()` at the location of this call.
    pub fn break_exit(&self) -> Exit {
        Exit::Break(self.evaluator.place(self.site))
    }

    pub fn log(&mut self, level: LogLevel, message: impl Into<String>) {
        self.evaluator.log(self.site, level, message);
    }
}

impl<'w> Evaluator<'w> {
    /// Calls the function with the given name.
    pub fn call_function(
        &mut self,
        site: Site,
        name: &str,
        arguments: Vec<Value>,
        block: Option<PassedLambda>,
    ) -> Outcome {
        let name = name.strip_prefix("::").unwrap_or(name);
        let mut found = self.world.program.replacement(name);
        if found.is_none() {
            if let Some(function) = self.functions().built_in(name) {
                return self.call_built_in(site, function, arguments, block);
            }
            found = self.world.program.function(name);
            self.stop_at_load_finding(site)?;
        }
        match found {
            Some(FunctionSource::Puppet(unit)) => {
                if block.is_some() {
                    let failure = Failure::new(
                        Code::ArgumentMismatch,
                        format!("function `{name}` does not take a block"),
                    );
                    return Err(self.error(site, failure));
                }
                self.call_puppet_function(&unit, &arguments, site)
            }
            Some(FunctionSource::Declared(function)) => {
                self.call_declared(site, &function, &arguments, block)
            }
            Some(FunctionSource::Known(function)) => self.call_built_in(site, function, arguments, block),
            None if let Some(rows) = self.rows_of_puppetdb(name, &arguments) => Ok(rows),
            None if self.world.program.may_define(MissingNameKind::Function, name) => {
                Ok(Value::unknown(Type::Any, Origin::MissingDefinition))
            }
            None => {
                let at = match &self.unit(site.frame).body[site.expr] {
                    Expr::Call { functor, .. } => *functor,
                    _ => site.expr,
                };
                Err(self.error(site.at(at), Failure::new(Code::UnknownFunction, self.unknown_function(name))))
            }
        }
    }

    /// Returns the result of the function that queries PuppetDB, which its server adds; `None` for other functions.
    fn rows_of_puppetdb(&self, name: &str, arguments: &[Value]) -> Option<Value> {
        match arguments {
            [query] if name == "puppetdb_query" => self.world.program.puppetdb_rows(query),
            _ => None,
        }
    }

    /// Evaluates `receiver.name(arguments)`: calls a member of an object, otherwise a function.
    pub(crate) fn call_method(
        &mut self,
        site: Site,
        name: &str,
        arguments: Vec<Value>,
        block: Option<PassedLambda>,
    ) -> Outcome {
        match arguments.first() {
            Some(Value::Object(object)) => {
                let object = object.clone();
                let of_context = self.call_lookup_context(site, &object, name, &arguments[1..], block);
                if let Some(outcome) = of_context {
                    return outcome;
                }
                match types::object::construct::call_member(&object, name, &arguments[1..], self.world) {
                    Some(Ok(value)) => return Ok(value),
                    Some(Err(error)) => {
                        return Err(self.error(site, Failure::new(error.code, error.message)));
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
        self.call_function(site, name, arguments, block)
    }

    /// Returns the result of a call with an unknown number of arguments.
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
        site: Site,
        function: &'static BuiltInFunction,
        arguments: Vec<Value>,
        block: Option<PassedLambda>,
    ) -> Outcome {
        let (arguments, block) = match function.kind {
            FunctionKind::Modern => (arguments, block),
            // Functions of the 3.x API ignore blocks.
            FunctionKind::Legacy | FunctionKind::LegacyStatement => {
                let converted: Result<Vec<Value>, Failure> = arguments
                    .into_iter()
                    .map(|it| operators::legacy_argument(it, self.world, crate::resource_object))
                    .collect();
                (converted.map_err(|failure| self.error(site, failure))?, None)
            }
        };
        let block_type = match block {
            Some(block) => Some(self.block_type(block)?),
            None => None,
        };
        self.weigh(site, &arguments)?;
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
                    let mut call = Call { evaluator: self, function, arguments, block, site };
                    let result = (overload.call)(&mut call)?;
                    return match function.kind {
                        FunctionKind::LegacyStatement => Ok(Value::Undef),
                        _ => self.charge(site, result),
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
                let exit = self.error(site, Failure::new(Code::ArgumentMismatch, message));
                let mut exit = self.at_argument(exit, site, function.name, index);
                // The number of arguments is known even if their values are not.
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
    /// Calls a function from Ruby code that does not pass the scope of the calling expression on: variables and
    /// resources are those of the top scope.
    pub fn call_function_at_top(&mut self, site: Site, name: &str, arguments: Vec<Value>) -> Outcome {
        let unit = self.unit(site.frame).clone();
        let top = self.open_frame(Frame::new(unit, ScopeId::ROOT));
        let result = self.call_function(top.at(site.expr), name, arguments, None);
        self.close_frame(top);
        result
    }

    /// Marks that a function in Ruby may have added to the catalog.
    fn note_additions(&mut self, function: &DeclaredFunction, arguments: &[Value]) {
        let may_be_class =
            |it: &Value| it.as_str().is_some_and(|text| text.eq_ignore_ascii_case("class")) || !it.is_known();
        self.world.program.note_unexecuted(function);
        match function.additions {
            Additions::Nothing => {}
            Additions::Resources if !arguments.iter().any(may_be_class) => {
                self.catalog.has_resources_of_ruby = true;
            }
            Additions::Resources | Additions::Classes => self.catalog.has_unknown = true,
        }
    }

    /// Calls the code of a function in Ruby, if the matching signature is unambiguous.
    fn call_ruby(
        &mut self,
        site: Site,
        function: &DeclaredFunction,
        arguments: &[Value],
        block: Option<PassedLambda>,
        block_type: Option<&Type>,
    ) -> Outcome<Option<Value>> {
        if function.code.is_none() || function.is_incomplete || function.has_unresolved_types {
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
        let value = self.functions().call_ruby(self, site, function, signature, arguments, block)?;
        let Some(value) = value else { return Ok(None) };
        // A mismatch ends the call in a way that is reported elsewhere.
        let returns = function.signatures[signature].callable.returns.as_ref();
        match returns.map_or(Fit::Always, |ty| types::assign::fits(ty, &value, self.world)) {
            Fit::Never => Ok(None),
            Fit::Always | Fit::Maybe => self.charge(site, value).map(Some),
        }
    }

    fn call_declared(
        &mut self,
        site: Site,
        function: &DeclaredFunction,
        arguments: &[Value],
        block: Option<PassedLambda>,
    ) -> Outcome {
        if let Some(refusal) = &function.refusal {
            let message = format!("function `{}` cannot be loaded: {refusal}", function.name);
            return Err(self.error(site, Failure::new(Code::RuntimeError, message)));
        }
        let block_type = match block {
            Some(block) => Some(self.block_type(block)?),
            None => None,
        };
        self.weigh(site, arguments)?;
        if let Some(value) = self.call_ruby(site, function, arguments, block, block_type.as_ref())? {
            return Ok(value);
        }
        self.note_additions(function, arguments);
        let is_open = function.is_incomplete
            || function.has_unresolved_types
                && takes_as_many(function.signatures.iter().map(Borrow::borrow), arguments.len());
        let mut returns = is_open.then_some(Type::Any);
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
                if origin.is_none() && returns == Type::Undef && function.may_fail {
                    self.world.program.note_unexecuted_check(function);
                }
                Ok(Value::unknown(returns, origin.unwrap_or(function.origin)))
            }
            None => Err(self.refuse_arguments(site, function, arguments, block_type.as_ref())),
        }
    }

    /// Reports a call with arguments that fit none of the signatures of a function.
    fn refuse_arguments(
        &mut self,
        site: Site,
        function: &DeclaredFunction,
        arguments: &[Value],
        block_type: Option<&Type>,
    ) -> Exit {
        let given: Vec<Type> =
            arguments.iter().map(|argument| types::infer::infer_set(argument, self.world)).collect();
        let message = mismatch::describe_named_call_mismatch(
            &format!("{}()", function.name),
            &function.signatures.iter().map(DeclaredSignature::named).collect::<Vec<_>>(),
            &given,
            block_type,
            self.world,
        );
        let index = mismatch::misfitting_argument(&function.signatures, &given, self.world);
        let exit = self.error(site, Failure::new(Code::ArgumentMismatch, message));
        let mut exit = self.at_argument(exit, site, &function.name, index);
        if takes_as_many(function.signatures.iter().map(Borrow::borrow), arguments.len()) {
            self.silence_if_untrustworthy(&mut exit, &arguments.iter().collect::<Vec<_>>());
        }
        exit
    }
}

impl Evaluator<'_> {
    fn unknown_function(&self, name: &str) -> String {
        let problem = format!("unknown function `{name}`");
        match crate::function::similar_function(self.functions(), name) {
            Some(known) => codes::with_help(problem, format!("did you mean `{known}`?")),
            None => {
                let known = self.world.program.similar_names(DefinitionKind::Function, name);
                with_suggestion(problem, name, known.iter())
            }
        }
    }

    /// Describes why no signature accepts the arguments, with the offending argument if there is just one.
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

/// Returns true if one of the signatures accepts `count` arguments.
fn takes_as_many<'a>(mut signatures: impl Iterator<Item = &'a CallableType>, count: usize) -> bool {
    signatures.any(|signature| {
        signature.parameters.as_ref().is_none_or(|parameters| parameters.size().contains(count as i64))
    })
}

/// Checks arguments and the block against a callable.
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

/// Checks arguments against a list of parameter types.
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

/// Describes why arguments do not fit a function or lambda written in Puppet, with the offending argument if
/// there is just one.
pub(crate) fn describe_arguments(
    callee: &str,
    callable: &Type,
    parameters: &[Parameter],
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
