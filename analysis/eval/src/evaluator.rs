//! State of a run: its frames, its limits, its log and its findings.

use codes::Code;
use std::cell::Cell;
use std::collections::BTreeMap;
use std::sync::Arc;

use hir::{Expr, ExprId, Name, ScopeId, SlotId};
use operators::{Failure, Side};
use rustc_hash::FxHashMap;
use smol_str::SmolStr;
use syntax::ast::UnaryOperator;
use types::{Origin, Type, Value};

use crate::catalog::{ParameterTypes, Store};
use crate::data_lookup::LookupContexts;
use crate::error::{Certainty, EvaluationError, Exit, ExprPlace, Finding, LogEntry, LogLevel, Outcome};
use crate::fork::{ElementPath, Journal};
use crate::frame::{Frame, FrameId, Site, VariableState};
use crate::function::FunctionLibrary;
use crate::program::{Unit, UnitId};
use crate::record::{RubyReason, ValueRecorder};
use crate::world::World;

/// Evaluator for code of one program. Each run needs a new evaluator.
pub struct Evaluator<'w> {
    pub world: &'w World<'w>,
    pub(crate) frames: Vec<Option<Frame>>,
    pub(crate) free_frames: Vec<FrameId>,
    /// Top-scope variables that the program set.
    pub(crate) globals: FxHashMap<Name, VariableState>,
    /// Narrowing of elements by conditions, in addition to the values of their collections.
    pub(crate) paths: FxHashMap<Arc<ElementPath>, Value>,
    pub(crate) logs: Vec<LogEntry>,
    pub(crate) findings: Vec<Finding>,
    steps: u64,
    depth: u32,
    /// Active calls, outermost first.
    pub(crate) calls: Vec<ExprPlace>,
    pub(crate) journal: Journal,
    /// Active functions that are written in Puppet, outermost first.
    pub(crate) active_functions: Vec<crate::closure::ActiveCall>,
    /// Location of the most recent `next()` or `return()`.
    pub(crate) jumped_at: Option<ExprPlace>,
    pub recorder: Option<ValueRecorder>,
    /// Reasons that calls of functions in Ruby gave no known value.
    pub ruby_reasons: Vec<RubyReason>,
    /// Values of undecided keys in the data of all nodes, which nodes may override.
    pub(crate) undecided_data: BTreeMap<SmolStr, Value>,
    pub(crate) signatures: FxHashMap<ExprPlace, Arc<crate::closure::ClosureSignature>>,
    /// Parsed EPP templates, by source text.
    pub template_units: FxHashMap<smol_str::SmolStr, Arc<Unit>>,
    /// Warnings that Puppet logs each time it parses one of these templates.
    pub template_warnings: FxHashMap<UnitId, Vec<String>>,
    /// Variables that ERB templates set in the scopes that render them.
    pub erb_variables: FxHashMap<(FrameId, smol_str::SmolStr), ruby::Object>,
    /// Parsed ERB templates, by source text.
    pub erb_templates: FxHashMap<smol_str::SmolStr, Arc<plugins::erb::ErbTemplate>>,
    /// Output of the templates being rendered, innermost last.
    pub(crate) rendered: Vec<Vec<Value>>,
    pub(crate) catalog: Store,
    pub(crate) unwrapped: crate::record::unwrapped::UnwrappedStrings,
    /// State of Hiera backend functions.
    pub(crate) lookup_contexts: LookupContexts,
    /// Parameter types of classes and defined types, computed on demand.
    pub(crate) parameter_types: FxHashMap<UnitId, ParameterTypes>,
    /// Class or defined type whose parameter types are being evaluated: they see no variables.
    pub(crate) without_variables: Option<UnitId>,
    /// True once the evaluation has read state that other definitions determine: matches, declarations,
    /// variables of other classes.
    pub(crate) reads_external_state: Cell<bool>,
    /// True while a tracked expression is evaluated that has read nothing but the platform so far.
    pub(crate) reads_platform_only: bool,
    is_cancelled: Option<Box<dyn Fn() -> bool + 'w>>,
}

impl<'w> Evaluator<'w> {
    /// Returns the library of functions.
    pub(crate) fn functions(&self) -> &'static dyn FunctionLibrary {
        self.world.program.functions()
    }

    pub fn new(world: &'w World<'w>) -> Evaluator<'w> {
        Evaluator {
            world,
            frames: Vec::new(),
            free_frames: Vec::new(),
            globals: FxHashMap::default(),
            paths: FxHashMap::default(),
            jumped_at: None,
            logs: Vec::new(),
            findings: Vec::new(),
            steps: 0,
            depth: 0,
            calls: Vec::new(),
            journal: Journal::default(),
            active_functions: Vec::new(),
            recorder: None,
            ruby_reasons: Vec::new(),
            undecided_data: BTreeMap::new(),
            signatures: FxHashMap::default(),
            template_units: FxHashMap::default(),
            template_warnings: FxHashMap::default(),
            erb_variables: FxHashMap::default(),
            erb_templates: FxHashMap::default(),
            rendered: Vec::new(),
            catalog: Store::default(),
            unwrapped: Default::default(),
            lookup_contexts: LookupContexts::default(),
            parameter_types: FxHashMap::default(),
            without_variables: None,
            reads_external_state: Cell::new(false),
            reads_platform_only: false,
            is_cancelled: None,
        }
    }

    /// Sets a cancellation check, called every 1,024 steps. The run ends with [`Exit::Cancelled`] when it
    /// returns true.
    pub fn cancel_when(mut self, is_cancelled: impl Fn() -> bool + 'w) -> Self {
        self.is_cancelled = Some(Box::new(is_cancelled));
        self
    }

    pub fn world(&self) -> &'w World<'w> {
        self.world
    }

    pub fn logs(&self) -> &[LogEntry] {
        &self.logs
    }

    pub fn findings(&self) -> &[Finding] {
        &self.findings
    }

    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Records the content of an unwrapped `Sensitive`.
    pub fn note_unwrapped(&mut self, inside: &Value) {
        self.unwrapped.note(inside);
    }

    /// Redacts unwrapped values in errors, logs and findings, and marks them as sensitive in the catalog.
    pub fn mask_unwrapped(&mut self, error: Option<&mut EvaluationError>) {
        let unwrapped = std::mem::take(&mut self.unwrapped);
        if !unwrapped.is_empty() {
            self.catalog.mark_sensitive(|value| unwrapped.occur_in(value));
            error.into_iter().for_each(|it| unwrapped.mask(&mut it.message));
            self.logs.iter_mut().for_each(|it| unwrapped.mask(&mut it.message));
            self.findings.iter_mut().for_each(|it| unwrapped.mask(&mut it.error.message));
        }
        self.unwrapped = unwrapped;
    }

    /// Masks secrets that code has unwrapped in a message.
    pub(crate) fn mask_message(&self, message: &mut String) {
        self.unwrapped.mask(message);
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
                let place = self.jumped_at.unwrap_or(place);
                Err(self.error_at(place, Failure::new(Code::IllegalJump, message)))
            }
            other => other,
        }
    }

    pub fn open_frame(&mut self, frame: Frame) -> FrameId {
        match self.free_frames.pop() {
            Some(id) => {
                self.frames[id.0 as usize] = Some(frame);
                id
            }
            None => {
                self.frames.push(Some(frame));
                FrameId(self.frames.len() as u32 - 1)
            }
        }
    }

    pub(crate) fn close_frame(&mut self, id: FrameId) {
        self.frames[id.0 as usize] = None;
        if !self.paths.is_empty() {
            self.paths.retain(|element, _| element.root.frame() != Some(id));
        }
        if !self.erb_variables.is_empty() {
            self.erb_variables.retain(|(frame, _), _| *frame != id);
        }
        self.release_frame(id);
    }

    #[expect(clippy::expect_used, reason = "ids are made by open_frame only, and no closed one is kept")]
    pub fn frame(&self, id: FrameId) -> &Frame {
        self.frames[id.0 as usize].as_ref().expect("an open frame")
    }

    #[expect(clippy::expect_used, reason = "ids are made by open_frame only, and no closed one is kept")]
    pub(crate) fn frame_mut(&mut self, id: FrameId) -> &mut Frame {
        self.frames[id.0 as usize].as_mut().expect("an open frame")
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
        let before = self.steps;
        self.steps += steps;
        if self.steps > self.world.settings.bounds.steps {
            let failure = Failure::new(Code::TooManySteps, "evaluation takes too long");
            return Err(self.error(site, failure));
        }
        if before >> 10 != self.steps >> 10 && self.is_cancelled.as_ref().is_some_and(|ask| ask()) {
            return Err(Exit::Cancelled);
        }
        Ok(())
    }

    /// Counts steps without checking the limit.
    pub(crate) fn add_steps(&mut self, steps: u64) {
        self.steps += steps;
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
        if self.depth >= self.world.settings.bounds.depth {
            let failure = Failure::new(Code::TooDeep, "calls are nested too deeply");
            return Err(self.error(site, failure));
        }
        self.depth += 1;
        self.calls.push(self.place(site));
        let result = run(self);
        self.calls.pop();
        self.depth -= 1;
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
            calls: self.calls.iter().rev().copied().collect(),
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
        self.logs.push(LogEntry { level, message: message.into(), place });
    }

    /// Logs the warnings that Puppet prints when it parses a template for a call.
    pub fn log_template_warnings(&mut self, site: Site, template: &Unit) {
        for warning in self.template_warnings.get(&template.id).cloned().unwrap_or_default() {
            self.log(site, LogLevel::Warning, warning);
        }
    }

    /// Logs the warnings of the files that Puppet has loaded so far because of the code at `place`.
    pub(crate) fn log_load_warnings(&mut self, place: ExprPlace) {
        let warnings = self.world.program.take_load_warnings().into_iter();
        let level = LogLevel::Warning;
        self.logs.extend(warnings.map(|message| LogEntry { level, message, place }));
    }

    /// Reports an error that does not end the evaluation.
    pub fn report(&mut self, error: EvaluationError, certainty: Certainty) {
        // Deprecations depend on the installed version of stdlib, and a plug-in in Ruby may define any name.
        let depends =
            matches!(error.code, Code::Deprecation | Code::UnknownFunction | Code::UnknownResourceType);
        let certainty = if depends { Certainty::Possible } else { certainty };
        // An exceeded limit is a property of this evaluator, not of the program.
        let is_bound =
            matches!(error.code, Code::TooManySteps | Code::TooDeep | Code::TooLarge | Code::RegexpLimit);
        if !error.is_silent
            && !is_bound
            && !self
                .findings
                .iter()
                .any(|known| known.error.place == error.place && known.error.code == error.code)
        {
            self.findings.push(Finding { error, certainty });
        }
    }

    /// Returns the placeholder for a value that was lost to an error.
    pub(crate) fn error_value() -> Value {
        Value::unknown(Type::Any, Origin::SyntaxError)
    }

    /// Returns the frame, from `frame` outward, that runs the scope of `slot`.
    pub(crate) fn frame_of_slot(&self, frame: FrameId, slot: SlotId) -> Option<FrameId> {
        let scope = self.unit(frame).body.slots[slot.index()].scope;
        let mut current = Some(frame);
        while let Some(id) = current {
            let found = self.frame(id);
            if found.scope == scope {
                return Some(id);
            }
            current = found.outer;
        }
        None
    }
}

/// Returns true if an expression is the name of a function.
fn names(functor: &Expr, function: &str) -> bool {
    matches!(functor, Expr::Name(name) if name.strip_prefix("::").unwrap_or(name) == function)
}
