//! Interpreter for Ruby code.

mod variables;

use std::cell::RefCell;
use std::rc::{Rc, Weak};
use std::sync::Arc;

use plugins::code::{
    Case, MethodDefinition, RubyExpression, RubyExpressionKind, RubyHashEntry, RubyProgram, TextPart,
};
use plugins::erb::ErbTemplate;
use rustc_hash::{FxHashMap, FxHashSet};
use smol_str::SmolStr;

use super::blocks::BlockRef;
use super::classes::{Instance, ModuleNesting, RubyModule};
use super::declarations::state::Declarations;
use super::defined::{DefinedFunction, Dispatch};
use super::exceptions::RubyError;
use super::given::GivenCollections;
use super::host::Host;
use super::key::{ObjectKey, copy_of_key};
use super::methods::MethodTables;
use super::methods::constants::CLASS_OF_PUPPET;
use super::methods::enumerations::elements;
use super::methods::patterns::new_pattern;
use super::printing::{TEXT_LIMIT, pattern_text, to_s};
use super::value::{Match, Object, ObjectEntries, Range, Ruby, RubyString, Stop, unsupported};

pub(super) use variables::{LocalScope, LocalVariables};

/// Maximum nesting depth of evaluated expressions, including those of called methods.
const DEPTH_LIMIT: u32 = 2_000;
/// Maximum number of steps per function call.
const MAX_STEPS: usize = 300_000;
/// Minimum free stack space for evaluating an expression, in bytes; with less, the stack grows by
/// [`STACK_GROWTH`].
const MIN_FREE_STACK: usize = 1 << 20;
const STACK_GROWTH: usize = 8 << 20;

/// Execution context of a method or module body.
#[derive(Debug)]
pub(crate) struct RubyContext {
    pub(super) id: u64,
    pub(super) this: Object,
    pub(super) nesting: Option<Rc<ModuleNesting>>,
    /// Current method, and the module that defines it.
    pub(super) method: Option<(SmolStr, Rc<RubyModule>)>,
    /// Definition and scope of the method, for the arguments of `super` without a list.
    pub(super) own: Option<(Arc<MethodDefinition>, Rc<LocalScope>)>,
    pub(super) block: Option<BlockRef>,
}

/// Reason why evaluation could not complete.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct StopReason {
    /// Description of the unknown value: `Time.now`.
    pub what: String,
    /// Path of the file, relative to its module's folder; empty for a template.
    pub path: SmolStr,
    /// Line number, from 1; 0 if it is not known.
    pub line: u32,
}

impl StopReason {
    /// Returns a reason without a description.
    pub(super) fn unnamed() -> StopReason {
        StopReason { what: String::new(), path: SmolStr::default(), line: 0 }
    }
}

pub(crate) struct Interpreter<'h> {
    pub(super) host: &'h mut dyn Host,
    pub(super) tables: &'static MethodTables,
    pub(super) template: Option<&'h ErbTemplate>,
    pub(super) out: String,
    pub(super) scope: Rc<LocalScope>,
    pub(super) context: Rc<RubyContext>,
    /// Instance variables of a template that were read or set.
    pub(super) variables: FxHashMap<SmolStr, Object>,
    /// `Object`, which holds top-level methods and constants.
    pub(super) root: Rc<RubyModule>,
    /// `$~`
    pub(super) last_match: Option<Rc<Match>>,
    /// `$!`
    pub(super) current_error: Option<Rc<RubyError>>,
    /// Number of enclosing `begin` blocks with `rescue`.
    pub(super) rescuing: u32,
    pub(super) given: GivenCollections,
    /// Identifies the call or loop (0) that `break` ends.
    pub(super) break_to: u64,
    depth: u32,
    steps: usize,
    last_id: u64,
    /// Offset of the first error.
    pub(super) failed_at: Option<u32>,
    /// True if a match sets variables named like its groups.
    pub(super) matches_names: bool,
    /// First reason for an unknown value.
    pub(super) reason: Option<StopReason>,
    /// Evaluated files.
    pub(super) files: Vec<Arc<RubyProgram>>,
    pub(super) file: u32,
    pub(super) required: FxHashSet<SmolStr>,
    /// True if an unknown library was required, which may add methods to any class.
    pub(super) has_unknown_library: bool,
    /// True if evaluation continues after requiring an unknown library. Only errors are certain from then on.
    pub(super) takes_libraries: bool,
    /// True if the code read a constant that may not exist.
    pub(super) assumes_constant: bool,
    pub(super) functions: Vec<DefinedFunction>,
    /// Dispatches of the function under construction.
    pub(super) dispatches: Vec<Dispatch>,
    pub(super) held: SelfHolders,
    /// State that this run is based on.
    pub(super) foundation: Option<&'h Foundation>,
    /// Evaluation in the abstract, which continues after unknown values.
    pub(super) abstract_evaluation: Option<AbstractEvaluation>,
    pub(super) declared: Declarations<'h>,
}

/// Evaluates an expression in the abstract.
pub(super) type AbstractEvaluation = fn(&mut Interpreter<'_>, &RubyExpression) -> Ruby;

/// Objects that may be part of reference cycles, to be dropped at the end.
pub(super) struct SelfHolders {
    pub(super) modules: Vec<Rc<RubyModule>>,
    /// Those of `modules` that are built in.
    pub(super) native_modules: Vec<Rc<RubyModule>>,
    pub(super) instances: Vec<Weak<Instance>>,
    pub(super) scopes: Vec<Weak<LocalScope>>,
}

impl Drop for SelfHolders {
    fn drop(&mut self) {
        self.modules.iter().for_each(|module| module.clear());
        for instance in self.instances.iter().filter_map(Weak::upgrade) {
            instance.variables.take();
        }
        for scope in self.scopes.iter().filter_map(Weak::upgrade) {
            scope.take();
        }
    }
}

/// State after evaluating files, to be shared by later runs.
pub(super) struct Foundation {
    root: Rc<RubyModule>,
    variables: FxHashMap<SmolStr, Object>,
    last_match: Option<Rc<Match>>,
    current_error: Option<Rc<RubyError>>,
    steps: usize,
    last_id: u64,
    failed_at: Option<u32>,
    matches_names: bool,
    reason: Option<StopReason>,
    files: Vec<Arc<RubyProgram>>,
    required: FxHashSet<SmolStr>,
    has_unknown_library: bool,
    assumes_constant: bool,
    functions: Vec<DefinedFunction>,
    held: SelfHolders,
    /// Cached results of queries that do not change, by type and method.
    pub(super) names_cache: RefCell<FxHashMap<(SmolStr, &'static str), Vec<SmolStr>>>,
}

impl<'h> Interpreter<'h> {
    /// Creates an interpreter. `this` is the initial `self`.
    pub(crate) fn new(
        host: &'h mut dyn Host,
        tables: &'static MethodTables,
        this: Object,
    ) -> Interpreter<'h> {
        let root = Rc::new(RubyModule::new("Object".into(), true, false));
        let context = RubyContext { id: 0, this, nesting: None, method: None, own: None, block: None };
        Interpreter {
            host,
            tables,
            template: None,
            out: String::new(),
            scope: Rc::default(),
            context: Rc::new(context),
            variables: FxHashMap::default(),
            held: SelfHolders {
                modules: vec![root.clone()],
                native_modules: Vec::new(),
                instances: Vec::new(),
                scopes: Vec::new(),
            },
            foundation: None,
            abstract_evaluation: None,
            declared: Declarations::default(),
            root,
            last_match: None,
            current_error: None,
            rescuing: 0,
            given: GivenCollections::default(),
            break_to: 0,
            depth: 0,
            steps: 0,
            last_id: 0,
            failed_at: None,
            matches_names: false,
            reason: None,
            files: Vec::new(),
            file: 0,
            required: FxHashSet::default(),
            has_unknown_library: false,
            takes_libraries: false,
            assumes_constant: false,
            functions: Vec::new(),
            dispatches: Vec::new(),
        }
    }

    /// Converts the interpreter to a foundation for others.
    pub(super) fn into_foundation(self) -> Foundation {
        Foundation {
            root: self.root,
            variables: self.variables,
            last_match: self.last_match,
            current_error: self.current_error,
            steps: self.steps,
            last_id: self.last_id,
            failed_at: self.failed_at,
            matches_names: self.matches_names,
            reason: self.reason,
            files: self.files,
            required: self.required,
            has_unknown_library: self.has_unknown_library,
            assumes_constant: self.assumes_constant,
            functions: self.functions,
            held: self.held,
            names_cache: RefCell::default(),
        }
    }

    /// Creates an interpreter that continues from a foundation.
    pub(super) fn on(
        foundation: &'h Foundation,
        host: &'h mut dyn Host,
        tables: &'static MethodTables,
    ) -> Interpreter<'h> {
        Interpreter {
            root: foundation.root.clone(),
            variables: foundation.variables.clone(),
            last_match: foundation.last_match.clone(),
            current_error: foundation.current_error.clone(),
            steps: foundation.steps,
            last_id: foundation.last_id,
            failed_at: foundation.failed_at,
            matches_names: foundation.matches_names,
            reason: foundation.reason.clone(),
            files: foundation.files.clone(),
            required: foundation.required.clone(),
            has_unknown_library: foundation.has_unknown_library,
            assumes_constant: foundation.assumes_constant,
            functions: foundation.functions.clone(),
            foundation: Some(foundation),
            ..Interpreter::new(host, tables, Object::Main)
        }
    }

    /// Iterates over the built-in modules that code has opened.
    pub(super) fn native_modules(&self) -> impl Iterator<Item = &Rc<RubyModule>> {
        let earlier = self.foundation.iter().flat_map(|it| &it.held.native_modules);
        earlier.chain(&self.held.native_modules)
    }

    /// Renders a template.
    ///
    /// # Errors
    /// Returns the reason why it could not be rendered, with the offset in the template if it is known.
    pub(crate) fn render(mut self, template: &'h ErbTemplate) -> Result<String, (Stop, Option<u32>)> {
        self.template = Some(template);
        match self.statements(&template.program) {
            Ok(_) => match self.report_changes() {
                Ok(()) => Ok(std::mem::take(&mut self.out)),
                Err(stop) => Err((stop, None)),
            },
            Err(stop) => {
                self.report_unknown_changes();
                Err((stop, self.failed_at))
            }
        }
    }

    /// Counts steps. Stops evaluation at the limit.
    pub(super) fn step(&mut self, steps: usize) -> Ruby<()> {
        self.steps = self.steps.saturating_add(steps);
        if self.steps > MAX_STEPS && self.template.is_none() {
            self.note_reason(0, || "step limit exceeded".to_owned());
            return unsupported();
        }
        Ok(self.host.step(steps)?)
    }

    pub(super) fn new_id(&mut self) -> u64 {
        self.last_id += 1;
        self.last_id
    }

    /// Runs `work` with another `self` and other local variables.
    pub(super) fn in_context<T>(
        &mut self,
        context: Rc<RubyContext>,
        scope: Rc<LocalScope>,
        work: impl FnOnce(&mut Interpreter<'_>) -> Ruby<T>,
    ) -> Ruby<T> {
        let context = std::mem::replace(&mut self.context, context);
        let scope = std::mem::replace(&mut self.scope, scope);
        let result = work(self);
        self.context = context;
        self.scope = scope;
        result
    }

    pub(super) fn text_of(&self, object: &Object) -> Ruby<String> {
        to_s(object, self.host.env())
    }

    fn write(&mut self, text: &str) -> Ruby<()> {
        self.step(text.len() / 16)?;
        if self.out.len() + text.len() > TEXT_LIMIT {
            return unsupported();
        }
        self.out.push_str(text);
        Ok(())
    }

    /// Counts the work of creating a value of a given size.
    pub(super) fn charge(&mut self, size: usize) -> Ruby<()> {
        if size > TEXT_LIMIT {
            return unsupported();
        }
        self.step(size / 16)
    }

    pub(super) fn statements(&mut self, statements: &[RubyExpression]) -> Ruby {
        let mut last = Object::Nil;
        for statement in statements {
            self.declared.is_statement = true;
            last = self.evaluate(statement)?;
        }
        Ok(last)
    }

    pub(super) fn evaluate(&mut self, expression: &RubyExpression) -> Ruby {
        if let Some(evaluate) = self.abstract_evaluation {
            return evaluate(self, expression);
        }
        self.step(1)?;
        if self.depth >= DEPTH_LIMIT {
            self.note_reason(expression.range.start, || "recursion limit exceeded".to_owned());
            return unsupported();
        }
        self.depth += 1;
        let result = match self.depth % 16 {
            0 => stacker::maybe_grow(MIN_FREE_STACK, STACK_GROWTH, || self.evaluate_kind(&expression.kind)),
            _ => self.evaluate_kind(&expression.kind),
        };
        self.depth -= 1;
        match &result {
            Err(Stop::Raise(_)) => drop(self.failed_at.get_or_insert(expression.range.start)),
            Err(Stop::Unknown(_)) => {
                self.note_reason(expression.range.start, || described_kind(&expression.kind));
            }
            Ok(Object::Unknown(_)) => {
                self.note_reason(expression.range.start, || described_kind(&expression.kind));
                self.failed_at = None;
            }
            // Earlier errors were rescued.
            _ => self.failed_at = None,
        }
        result
    }

    /// Returns true in the files that model resource types and facts.
    pub(super) fn is_in_model_file(&self) -> bool {
        self.is_model_file(self.file)
    }

    pub(super) fn is_model_file(&self, file: u32) -> bool {
        self.files.get(file as usize).is_some_and(|file| file.path.is_empty())
    }

    /// Records the reason for an unknown value unless there is one already.
    pub(super) fn note_reason(&mut self, at: u32, what: impl FnOnce() -> String) {
        if self.reason.is_some() {
            return;
        }
        // The call into our own file is the better description.
        if self.is_in_model_file() {
            return;
        }
        let file = self.files.get(self.file as usize);
        let (path, line) = file.map_or((SmolStr::default(), 0), |file| (file.path.clone(), file.line(at)));
        self.reason = Some(StopReason { what: what(), path, line });
    }

    pub(super) fn evaluate_kind(&mut self, kind: &RubyExpressionKind) -> Ruby {
        Ok(match kind {
            RubyExpressionKind::Text(_) | RubyExpressionKind::Output(_) | RubyExpressionKind::Append(_) => {
                self.output(kind)?
            }
            RubyExpressionKind::Assignment { target, value } => {
                let value = self.evaluate(value)?;
                self.assign(target, value.clone())?;
                value
            }
            RubyExpressionKind::OperatorAssignment { target, operator, value } => {
                self.assign_with(target, operator, value)?
            }
            RubyExpressionKind::Call { .. } => self.call(kind)?,
            RubyExpressionKind::And(left, right) => {
                let left = self.evaluate(left)?;
                if left.is_true()? { self.evaluate(right)? } else { left }
            }
            RubyExpressionKind::Or(left, right) => {
                let left = self.evaluate(left)?;
                if left.is_true()? { left } else { self.evaluate(right)? }
            }
            RubyExpressionKind::Not(value) => Object::Boolean(!self.evaluate(value)?.is_true()?),
            RubyExpressionKind::Defined(value) => self.is_defined(value)?,
            RubyExpressionKind::If { condition, then, otherwise } => {
                let branch = if self.evaluate(condition)?.is_true()? { then } else { otherwise };
                self.statements(branch)?
            }
            RubyExpressionKind::Case { subject, cases, otherwise } => {
                self.case(subject.as_ref(), cases, otherwise)?
            }
            RubyExpressionKind::While { .. }
            | RubyExpressionKind::For { .. }
            | RubyExpressionKind::Sequence(_)
            | RubyExpressionKind::Rescued { .. } => self.control(kind)?,
            RubyExpressionKind::Next(value) => return Err(Stop::Next(self.handed(value.as_ref())?)),
            RubyExpressionKind::Break(value) => {
                return Err(Stop::Break(self.handed(value.as_ref())?, self.break_to));
            }
            RubyExpressionKind::Return(value) => {
                return Err(Stop::Return(self.handed(value.as_ref())?, self.context.id));
            }
            RubyExpressionKind::Retry => return Err(Stop::Retry),
            _ => return self.evaluate_plain(kind),
        })
    }

    /// Evaluates literals and names.
    fn evaluate_plain(&mut self, kind: &RubyExpressionKind) -> Ruby {
        Ok(match kind {
            RubyExpressionKind::Nil => Object::Nil,
            RubyExpressionKind::Boolean(value) => Object::Boolean(*value),
            RubyExpressionKind::Integer(value) => Object::Integer(*value),
            RubyExpressionKind::Float(value) => Object::Float(*value),
            RubyExpressionKind::String(text) => Object::text(text.as_str()),
            RubyExpressionKind::FrozenString(text) => Object::Text(Rc::new(RubyString::frozen(text))),
            RubyExpressionKind::Symbol(name) => Object::Symbol(name.clone()),
            RubyExpressionKind::InterpolatedString(parts) => match self.joined(parts)? {
                Ok(text) => Object::text(text),
                Err(unknown) => unknown,
            },
            RubyExpressionKind::InterpolatedSymbol(parts) => match self.joined(parts)? {
                Ok(text) => Object::Symbol(text.into()),
                Err(unknown) => unknown,
            },
            RubyExpressionKind::Pattern { parts, options } => self.pattern(parts, options)?,
            RubyExpressionKind::Array(elements) => Object::array(self.list(elements)?),
            RubyExpressionKind::Hash { entries, .. } => self.hash(entries)?,
            RubyExpressionKind::Range { first, last, is_exclusive } => {
                let first = first.as_ref().map_or(Ok(Object::Nil), |first| self.evaluate(first))?;
                let last = last.as_ref().map_or(Ok(Object::Nil), |last| self.evaluate(last))?;
                Object::Range(Rc::new(Range { first, last, is_exclusive: *is_exclusive }))
            }
            // A splat outside of a list is an array.
            RubyExpressionKind::Splat(value) => Object::array(self.splat(value)?),
            RubyExpressionKind::InstanceVariable(name) => self.instance_variable(name),
            RubyExpressionKind::LocalVariable { name, depth } => self.local_variable(name, *depth),
            RubyExpressionKind::Constant(path) => self.constant(path)?,
            RubyExpressionKind::ConstantOf(value, name) => {
                let value = self.evaluate(value)?;
                self.constant_of(&value, name)?
            }
            RubyExpressionKind::ClassVariable(name) => match self.class_variable(name)? {
                Some(value) => value,
                None => {
                    return super::value::raise_as(
                        "NameError",
                        format!("uninitialized class variable @@{name}"),
                    );
                }
            },
            RubyExpressionKind::GlobalVariable(name) => self.global_variable(name)?,
            RubyExpressionKind::MatchGroup(number) => match &self.last_match {
                Some(found) => found.group(*number as usize),
                None => Object::Nil,
            },
            RubyExpressionKind::BesideMatch { is_after } => match &self.last_match {
                Some(found) if *is_after => Object::text(&found.text[found.captures.range().end..]),
                Some(found) => Object::text(&found.text[..found.captures.range().start]),
                None => Object::Nil,
            },
            RubyExpressionKind::This => self.context.this.clone(),
            RubyExpressionKind::FilePath => match self.files.get(self.file as usize) {
                Some(file) => Object::text(format!("{FOLDER}/{}", file.path)),
                None => return unsupported(),
            },
            _ => return self.evaluate_definition(kind),
        })
    }

    /// Evaluates definitions of methods and modules.
    fn evaluate_definition(&mut self, kind: &RubyExpressionKind) -> Ruby {
        Ok(match kind {
            RubyExpressionKind::Define(method) => self.define_method(method)?,
            RubyExpressionKind::Alias { name, method } => self.alias(name, method)?,
            RubyExpressionKind::Module(definition) => self.define_module(definition)?,
            RubyExpressionKind::SingletonClass(body) => self.singleton_class(body)?,
            RubyExpressionKind::Super { arguments, block } => {
                self.call_super(arguments.as_deref(), block.as_ref())?
            }
            RubyExpressionKind::Yield(arguments) => self.yields(arguments)?,
            RubyExpressionKind::Lambda(block) => match self.passed_block(Some(block))? {
                Some(block) => self.new_proc(block, true),
                None => return unsupported(),
            },
            RubyExpressionKind::MatchWithNames { call, targets } => self.match_with_names(call, targets)?,
            _ => return unsupported(),
        })
    }

    /// Evaluates an expression that writes to the output of a template.
    fn output(&mut self, kind: &RubyExpressionKind) -> Ruby {
        match kind {
            RubyExpressionKind::Text(index) => {
                let template = self.template;
                let Some(text) = template.and_then(|it| it.texts.get(*index)) else { return unsupported() };
                self.write(text)?;
                Ok(Object::Nil)
            }
            RubyExpressionKind::Output(value) => {
                let value = self.evaluate(value)?;
                let text = self.shown_text(&value)?;
                self.write(&text)?;
                Ok(Object::Nil)
            }
            RubyExpressionKind::Append(value) => match self.evaluate(value)? {
                Object::Text(text) => {
                    let text = text.content.borrow().clone();
                    self.write(&text)?;
                    Ok(Object::Unknown(types::Origin::Template))
                }
                _ => unsupported(),
            },
            _ => unsupported(),
        }
    }

    fn hash(&mut self, entries: &[RubyHashEntry]) -> Ruby {
        let mut hash = ObjectEntries::default();
        for entry in entries {
            match entry {
                RubyHashEntry::Pair(key, value) => {
                    let key = self.evaluate(key)?;
                    let value = self.evaluate(value)?;
                    hash.insert(ObjectKey(copy_of_key(&key)?), value);
                }
                RubyHashEntry::Splat(value) => match self.evaluate(value)? {
                    Object::Hash(inner) => hash.extend(inner.entries.borrow().clone()),
                    Object::Unknown(origin) => return Err(Stop::Unknown(origin)),
                    _ => return unsupported(),
                },
            }
        }
        Ok(Object::hash(hash))
    }

    /// Evaluates loops and jumps.
    fn control(&mut self, kind: &RubyExpressionKind) -> Ruby {
        match kind {
            RubyExpressionKind::While { condition, body, is_negated, is_body_first } => {
                let mut is_first = *is_body_first;
                while is_first || self.evaluate(condition)?.is_true()? != *is_negated {
                    is_first = false;
                    if let Some(value) = self.loop_body(body)? {
                        return Ok(value);
                    }
                }
                Ok(Object::Nil)
            }
            RubyExpressionKind::For { target, list, body } => {
                let list = self.evaluate(list)?;
                for element in elements(self, &list)? {
                    self.assign(target, element)?;
                    if let Some(value) = self.loop_body(body)? {
                        return Ok(value);
                    }
                }
                Ok(list)
            }
            RubyExpressionKind::Sequence(statements) => self.statements(statements),
            RubyExpressionKind::Rescued { .. } => self.rescued(kind),
            _ => unsupported(),
        }
    }

    /// Runs a loop body once. Returns the value of the loop if it is left.
    fn loop_body(&mut self, body: &[RubyExpression]) -> Ruby<Option<Object>> {
        let break_to = std::mem::replace(&mut self.break_to, 0);
        let result = self.statements(body);
        self.break_to = break_to;
        match result {
            Err(Stop::Break(value, 0)) => Ok(Some(value)),
            Err(Stop::Next(_)) | Ok(_) => Ok(None),
            Err(other) => Err(other),
        }
    }

    fn handed(&mut self, value: Option<&RubyExpression>) -> Ruby {
        value.map_or(Ok(Object::Nil), |value| self.evaluate(value))
    }

    /// Evaluates arguments or elements and expands splats.
    pub(super) fn list(&mut self, expressions: &[RubyExpression]) -> Ruby<Vec<Object>> {
        let mut list = Vec::with_capacity(expressions.len());
        for expression in expressions {
            match &*expression.kind {
                RubyExpressionKind::Splat(value) => list.extend(self.splat(value)?),
                _ => list.push(self.evaluate(expression)?),
            }
        }
        Ok(list)
    }

    fn splat(&mut self, value: &RubyExpression) -> Ruby<Vec<Object>> {
        match self.evaluate(value)? {
            Object::Nil => Ok(Vec::new()),
            object @ (Object::Array(_) | Object::Hash(_) | Object::Range(_)) => elements(self, &object),
            Object::Unknown(origin) => Err(Stop::Unknown(origin)),
            Object::Foreign(_) | Object::Match(_) | Object::Enumerator(_) => unsupported(),
            other => Ok(vec![other]),
        }
    }

    /// Concatenates the parts of an interpolated string. Returns an unknown object if any part is unknown.
    fn joined(&mut self, parts: &[TextPart]) -> Ruby<Result<String, Object>> {
        let mut text = String::new();
        let mut unknown = None;
        for part in parts {
            match part {
                TextPart::Text(part) => text.push_str(part),
                TextPart::Code(statements) => match self.statements(statements)? {
                    Object::Unknown(origin) => unknown = Some(origin),
                    Object::Error(error) if !error.is_exact => unknown = Some(types::Origin::Ruby),
                    // The names of Puppet's classes are not modeled.
                    Object::Constant(path) if path == CLASS_OF_PUPPET => {
                        unknown = Some(types::Origin::Ruby);
                    }
                    value => text.push_str(&self.shown_text(&value)?),
                },
            }
        }
        self.charge(text.len())?;
        Ok(unknown.map_or(Ok(text), |origin| Err(Object::Unknown(origin))))
    }

    /// Evaluates `object.to_s`, which may be user-defined.
    pub(super) fn shown_text(&mut self, object: &Object) -> Ruby<String> {
        match object {
            Object::Instance(_) | Object::Module(_) => {
                match self.call_method_of(object, "to_s", Vec::new())? {
                    Object::Text(text) => Ok(text.content.borrow().clone()),
                    _ => unsupported(),
                }
            }
            _ => self.text_of(object),
        }
    }

    fn pattern(&mut self, parts: &[TextPart], options: &SmolStr) -> Ruby {
        let mut source = String::new();
        for part in parts {
            match part {
                TextPart::Text(part) => source.push_str(part),
                TextPart::Code(statements) => match self.statements(statements)? {
                    Object::Pattern(inner) => source.push_str(&pattern_text(&inner)),
                    other => source.push_str(&self.shown_text(&other)?),
                },
            }
        }
        new_pattern(&source, options)
    }

    /// Evaluates `/(?<name>.)/ =~ text`.
    fn match_with_names(&mut self, call: &RubyExpression, targets: &[plugins::code::AssignTarget]) -> Ruby {
        self.matches_names = true;
        let result = self.evaluate(call);
        self.matches_names = false;
        let result = result?;
        for target in targets {
            let plugins::code::AssignTarget::LocalVariable { name, .. } = target else {
                return unsupported();
            };
            let found = self.last_match.clone().filter(|_| !matches!(result, Object::Nil));
            let value = found
                .and_then(|found| found.captures.name(name).map(|range| Object::text(&found.text[range])));
            self.assign(target, value.unwrap_or(Object::Nil))?;
        }
        Ok(result)
    }

    fn is_defined(&mut self, value: &RubyExpression) -> Ruby {
        match &*value.kind {
            RubyExpressionKind::InstanceVariable(name) => match self.instance_variable(name) {
                Object::Nil => Ok(Object::Nil),
                Object::Unknown(origin) => Err(Stop::Unknown(origin)),
                _ => Ok(Object::text("instance-variable")),
            },
            RubyExpressionKind::LocalVariable { .. } => Ok(Object::text("local-variable")),
            RubyExpressionKind::Constant(path) => match self.is_defined_constant(path)? {
                Some(true) => Ok(Object::text("constant")),
                Some(false) => Ok(Object::Nil),
                None if !path.contains("::") && !super::methods::constants::may_be_known(path) => {
                    Ok(Object::Nil)
                }
                None => unsupported(),
            },
            RubyExpressionKind::ClassVariable(name) => Ok(match self.class_variable(name)? {
                Some(_) => Object::text("class variable"),
                None => Object::Nil,
            }),
            RubyExpressionKind::Yield(_) => Ok(match self.context.block {
                Some(_) => Object::text("yield"),
                None => Object::Nil,
            }),
            _ => unsupported(),
        }
    }

    fn case(
        &mut self,
        subject: Option<&RubyExpression>,
        cases: &[Case],
        otherwise: &[RubyExpression],
    ) -> Ruby {
        let subject = match subject {
            Some(subject) => Some(self.evaluate(subject)?),
            None => None,
        };
        for case in cases {
            for pattern in &case.patterns {
                for pattern in self.list(std::slice::from_ref(pattern))? {
                    let is_match = match &subject {
                        Some(subject) => self.case_equal(&pattern, subject)?,
                        None => pattern.is_true()?,
                    };
                    if is_match {
                        return self.statements(&case.body);
                    }
                }
            }
        }
        self.statements(otherwise)
    }
}

/// Prefix of `__FILE__`.
pub(super) const FOLDER: &str = "/module";

/// Describes an expression for a [`StopReason`].
fn described_kind(kind: &RubyExpressionKind) -> String {
    match kind {
        RubyExpressionKind::Call { receiver, name, .. } => match receiver.as_ref().map(|it| &*it.kind) {
            Some(RubyExpressionKind::Constant(path)) => format!("{path}.{name}"),
            Some(_) if name.starts_with(|c: char| c.is_alphabetic() || c == '_') => format!(".{name}"),
            Some(_) => name.to_string(),
            None => name.to_string(),
        },
        RubyExpressionKind::Super { .. } => "super".to_owned(),
        RubyExpressionKind::Yield(_) => "yield".to_owned(),
        RubyExpressionKind::Constant(path) => path.to_string(),
        RubyExpressionKind::GlobalVariable(name) => format!("${name}"),
        RubyExpressionKind::If { .. } | RubyExpressionKind::Case { .. } => "condition".to_owned(),
        RubyExpressionKind::Unsupported(what) => (*what).to_owned(),
        _ => "expression".to_owned(),
    }
}
