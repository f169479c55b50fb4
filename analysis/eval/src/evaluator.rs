//! State of a run: its frames, its limits, its log and its findings.

mod decisions;
mod declared_types;
mod dependencies;
mod diagnostics;
mod machine;
mod template_state;
mod variables;

use codes::Code;
use std::sync::Arc;

use hir::{Expr, ExprId, ScopeId, SlotId};
use operators::{Failure, Side};
use syntax::ast::UnaryOperator;
use types::{Origin, Type, Value};

pub use self::decisions::UnknownDecision;
pub(crate) use self::declared_types::{ClosureSignature, DeclaredTypes, ParameterTypes};
pub(crate) use self::dependencies::Dependencies;
pub use self::diagnostics::Diagnostics;
pub use self::machine::PendingMark;
pub(crate) use self::machine::{Machine, Overrun, PendingExit};
pub use self::template_state::TemplateState;
pub(crate) use self::variables::{ElementPath, JournalMark, VariableTarget, VariableWrite, Variables};
use crate::catalog::CatalogBuilder;
use crate::data_lookup::DataState;
use crate::error::{Certainty, EvaluationError, Exit, ExprPlace, LogLevel, Outcome};
use crate::frame::{Frame, FrameId, Site, VariableState};
use crate::function::FunctionLibrary;
use crate::program::Unit;
use crate::world::World;

/// Evaluator for code of one program. Each run needs a new evaluator.
pub struct Evaluator<'w> {
    pub world: &'w World<'w>,
    pub(crate) machine: Machine<'w>,
    pub(crate) variables: Variables,
    pub(crate) catalog: CatalogBuilder,
    pub diagnostics: Diagnostics,
    pub templates: TemplateState,
    pub(crate) data: DataState,
    pub(crate) types: DeclaredTypes,
    pub(crate) dependencies: Dependencies,
}

impl<'w> Evaluator<'w> {
    /// Returns the library of functions.
    pub(crate) fn functions(&self) -> &'static dyn FunctionLibrary {
        self.world.program.functions()
    }

    pub fn new(world: &'w World<'w>) -> Evaluator<'w> {
        Evaluator {
            world,
            machine: Machine::default(),
            variables: Variables::default(),
            catalog: CatalogBuilder::default(),
            diagnostics: Diagnostics::default(),
            templates: TemplateState::default(),
            data: DataState::default(),
            types: DeclaredTypes::default(),
            dependencies: Dependencies::default(),
        }
    }

    /// Sets a cancellation check, called every 1,024 steps. The run ends with [`Exit::Cancelled`] when it
    /// returns true.
    pub fn cancel_when(mut self, is_cancelled: impl Fn() -> bool + 'w) -> Self {
        self.machine.cancel_when(is_cancelled);
        self
    }

    pub fn world(&self) -> &'w World<'w> {
        self.world
    }

    pub fn steps(&self) -> u64 {
        self.machine.steps()
    }

    /// Redacts unwrapped values in errors, logs and findings, and marks them as sensitive in the catalog.
    pub fn mask_unwrapped(&mut self, error: Option<&mut EvaluationError>) {
        let unwrapped = self.diagnostics.unwrapped();
        if !unwrapped.is_empty() {
            self.catalog.mark_sensitive(|value| unwrapped.occur_in(value));
            self.diagnostics.mask(error);
        }
    }

    /// Evaluates a main program, whose assignments set top-scope variables.
    pub fn evaluate_main(&mut self, unit: &Arc<Unit>) -> Outcome {
        let mut frame = Frame::new(unit.clone(), ScopeId::ROOT);
        frame.is_top = true;
        // The files of a main manifest form one program.
        frame.matched = self.catalog.main_match.clone();
        let frame = self.open_frame(frame);
        let result = self.evaluate(frame.at(unit.body.root));
        let result = self.finish_main(frame, result);
        self.catalog.main_match = self.frame(frame).matched.clone();
        self.close_frame(frame);
        result
    }

    /// Evaluates the type that an alias denotes.
    pub(crate) fn evaluate_alias(&mut self, unit: &Arc<Unit>) -> Outcome {
        let frame = self.open_frame(Frame::new(unit.clone(), ScopeId::ROOT));
        let result = self.evaluate(frame.at(unit.body.root));
        self.close_frame(frame);
        result
    }

    fn finish_main(&mut self, frame: FrameId, result: Outcome) -> Outcome {
        let unit = self.frame(frame).unit.id;
        match result {
            Err(Exit::Break(place)) => {
                Err(self
                    .error_at(place, Failure::new(Code::IllegalBreak, "`break()` outside of an iteration")))
            }
            Err(Exit::Next(_) | Exit::Return(_)) => {
                let place = ExprPlace { unit, expr: self.frame(frame).unit.body.root };
                let message = "`next()` and `return()` are not allowed at top level";
                let place = self.machine.jumped_at.unwrap_or(place);
                Err(self.error_at(place, Failure::new(Code::IllegalJump, message)))
            }
            other => other,
        }
    }

    pub fn open_frame(&mut self, frame: Frame) -> FrameId {
        self.variables.open_frame(frame)
    }

    pub(crate) fn close_frame(&mut self, id: FrameId) {
        self.templates.close_frame(id);
        self.variables.close_frame(id);
    }

    pub fn frame(&self, id: FrameId) -> &Frame {
        self.variables.frame(id)
    }

    pub(crate) fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        self.variables.frame_mut(id)
    }

    /// Writes a variable, and records its previous state if the write may have to be undone.
    pub(crate) fn write(&mut self, target: VariableTarget, state: VariableState) {
        self.variables.write(target, state);
    }

    pub(crate) fn unit(&self, frame: FrameId) -> &Arc<Unit> {
        &self.frame(frame).unit
    }

    /// Returns the location of an expression in the body that a frame runs.
    pub fn place(&self, site: Site) -> ExprPlace {
        ExprPlace { unit: self.frame(site.frame).unit.id, expr: site.expr }
    }

    /// Counts steps. Returns an error if the step limit is exceeded.
    pub(crate) fn step(&mut self, site: Site, steps: u64) -> Outcome<()> {
        match self.machine.count(steps, self.world.settings.bounds.steps) {
            Ok(()) => Ok(()),
            Err(Overrun::Cancelled) => Err(Exit::Cancelled),
            Err(Overrun::TooManySteps) => {
                Err(self.error(site, Failure::new(Code::TooManySteps, "evaluation takes too long")))
            }
        }
    }

    /// Counts the memory of a new value as steps. Returns an error if the value is too large.
    pub(crate) fn charge(&mut self, site: Site, value: Value) -> Outcome {
        let bytes = match &value {
            Value::String(text) if text.is_heap_allocated() => text.len(),
            Value::Array(elements) => elements.len() * size_of::<Value>(),
            Value::Hash(entries) => entries.len() * 3 * size_of::<Value>(),
            Value::Binary(bytes) => bytes.len(),
            Value::Sensitive(_) | Value::Iterator(_) | Value::Object(_) | Value::Type(_) => {
                size_of::<Value>()
            }
            _ => return Ok(value),
        };
        if bytes > self.world.settings.bounds.size * 8 {
            let failure = Failure::new(Code::TooLarge, "value is too large");
            return Err(self.error(site, failure));
        }
        let most = self.world.settings.bounds.size;
        let measure = value.measure(most);
        if measure.weight > most {
            let failure = Failure::new(Code::TooLarge, "value is too large");
            return Err(self.error(site, failure));
        }
        if measure.depth > Value::MAX_DEPTH {
            let failure = Failure::new(Code::TooDeep, "value is nested too deeply");
            return Err(self.error(site, failure));
        }
        self.step(site, bytes as u64 / 16 + measure.weight as u64 / 16)?;
        Ok(value)
    }

    /// Counts steps for visiting whole values.
    pub(crate) fn weigh<'v>(
        &mut self,
        site: Site,
        values: impl IntoIterator<Item = &'v Value>,
    ) -> Outcome<()> {
        let most = self.world.settings.bounds.size;
        let weights = values.into_iter().map(|value| match value {
            Value::Array(_)
            | Value::Hash(_)
            | Value::Sensitive(_)
            | Value::Iterator(_)
            | Value::Object(_) => value.measure(most).weight as u64 / 16,
            Value::String(text) => text.len() as u64 / 64,
            _ => 0,
        });
        match weights.sum() {
            0 => Ok(()),
            weight => self.step(site, weight),
        }
    }

    /// Runs a closure one call level deeper. Returns an error if the depth limit is exceeded.
    pub fn enter_call<T>(&mut self, site: Site, run: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let place = self.place(site);
        if !self.machine.enter(place, self.world.settings.bounds.depth) {
            return Err(self.error(site, Failure::new(Code::TooDeep, "calls are nested too deeply")));
        }
        let result = run(self);
        self.machine.leave();
        result
    }

    /// Returns an error at an expression.
    pub fn error(&self, site: Site, failure: Failure) -> Exit {
        self.error_at(self.place(site), failure)
    }

    pub(crate) fn error_at(&self, place: ExprPlace, failure: Failure) -> Exit {
        Exit::Error(Box::new(EvaluationError {
            code: failure.code,
            message: failure.message,
            place,
            parts: Vec::new(),
            data: Vec::new(),
            calls: self.machine.calls(),
            earlier: Vec::new(),
            is_silent: false,
        }))
    }

    /// Adds the offending argument to an error, if the call has it as a separate expression.
    ///
    /// `function` is the called function: other functions may call it on behalf of the call.
    pub(crate) fn at_argument(&self, exit: Exit, site: Site, function: &str, index: Option<usize>) -> Exit {
        let body = &self.unit(site.frame).body;
        let (receiver, arguments) = match &body[site.expr] {
            Expr::Call { functor, arguments, .. } if names(&body[*functor], function) => (None, arguments),
            Expr::MethodCall { receiver, name, arguments, .. } if name == function => {
                (Some(*receiver), arguments)
            }
            _ => return exit,
        };
        let is_unfolded =
            |it: &ExprId| matches!(body[*it], Expr::Unary { operator: UnaryOperator::Unfold, .. });
        if arguments.iter().any(is_unfolded) {
            return exit;
        }
        let argument = index.and_then(|index| receiver.iter().chain(arguments).nth(index).copied());
        self.with_parts(exit, argument.map(|argument| self.place(site.at(argument))))
    }

    /// Returns the argument of a call that is literally `name`; there is none for the name after `inherits`.
    pub(crate) fn argument_named(&self, site: Site, name: &str) -> Option<ExprPlace> {
        let body = &self.unit(site.frame).body;
        let arguments = match &body[site.expr] {
            Expr::Call { arguments, .. } => &arguments[..],
            Expr::Resource { bodies, .. } => match &bodies[..] {
                [only] => std::slice::from_ref(&only.title),
                _ => return None,
            },
            _ => return None,
        };
        let is_it = |text: &str| hir::fold_name(text) == name;
        let found = arguments.iter().find(|it| match &body[**it] {
            Expr::Name(text) | Expr::String(text) => is_it(text),
            _ => false,
        });
        found.map(|argument| self.place(site.at(*argument)))
    }

    /// Adds more precise locations to an error.
    pub(crate) fn with_parts(&self, exit: Exit, parts: impl IntoIterator<Item = ExprPlace>) -> Exit {
        match exit {
            Exit::Error(mut error) => {
                error.parts.extend(parts);
                Exit::Error(error)
            }
            exit => exit,
        }
    }

    /// Returns an error at the offending part of a binary operation or an access.
    pub(crate) fn error_in(&self, site: Site, failure: Failure) -> Exit {
        let at = match (&self.unit(site.frame).body[site.expr], failure.side) {
            (Expr::Binary { lhs, .. }, Side::Left) => *lhs,
            (Expr::Binary { rhs, .. }, Side::Right) => *rhs,
            (Expr::Unary { operand, .. }, Side::Left | Side::Right) => *operand,
            (Expr::Access { lhs, .. }, Side::Left) => *lhs,
            (Expr::Access { keys, .. }, Side::Argument(index)) => {
                keys.get(index).copied().unwrap_or(site.expr)
            }
            (Expr::Call { arguments, .. }, Side::Argument(index)) => {
                arguments.get(index).copied().unwrap_or(site.expr)
            }
            (Expr::MethodCall { receiver, .. }, Side::Argument(0)) => *receiver,
            (Expr::MethodCall { arguments, .. }, Side::Argument(index)) => {
                arguments.get(index - 1).copied().unwrap_or(site.expr)
            }
            _ => site.expr,
        };
        self.error(site.at(at), failure)
    }

    pub(crate) fn log(&mut self, site: Site, level: LogLevel, message: impl Into<String>) {
        self.log_at(self.place(site), level, message);
    }

    pub(crate) fn log_at(&mut self, place: ExprPlace, level: LogLevel, message: impl Into<String>) {
        self.log_load_warnings(place);
        self.diagnostics.log(place, level, message.into());
    }

    /// Logs the warnings that Puppet prints when it parses a template for a call.
    pub fn log_template_warnings(&mut self, site: Site, template: &Unit) {
        for warning in self.templates.warnings(template.id) {
            self.log(site, LogLevel::Warning, warning);
        }
    }

    /// Logs the warnings of the files that Puppet has loaded so far because of the code at `place`.
    pub(crate) fn log_load_warnings(&mut self, place: ExprPlace) {
        for warning in self.world.program.take_load_warnings() {
            self.diagnostics.log(place, LogLevel::Warning, warning);
        }
    }

    /// Reports an error that does not end the evaluation.
    pub fn report(&mut self, error: EvaluationError, certainty: Certainty) {
        self.diagnostics.report(error, certainty);
    }

    /// Returns the placeholder for a value that was lost to an error.
    pub(crate) fn error_value() -> Value {
        Value::unknown(Type::Any, Origin::SyntaxError)
    }

    /// Returns the frame, from `frame` outward, that runs the scope of `slot`.
    pub(crate) fn frame_of_slot(&self, frame: FrameId, slot: SlotId) -> Option<FrameId> {
        self.variables.frame_of_slot(frame, slot)
    }
}

/// Returns true if an expression is the name of a function.
fn names(functor: &Expr, function: &str) -> bool {
    matches!(functor, Expr::Name(name) if name.strip_prefix("::").unwrap_or(name) == function)
}
