//! Evaluation in the abstract: unknown values, and conditions of which all branches are evaluated.

use std::rc::Rc;
use std::sync::Arc;

use plugins::code::{
    AssignTarget, Case, MethodDefinition, ModuleDefinition, OperatorKind, RubyExpression, RubyExpressionKind,
    RubyHashEntry, TextPart,
};
use plugins::drafts::DefinitionContext;
use smol_str::{SmolStr, format_smolstr};
use syntax::TextRange;

use super::state::{DeclaredClass, DeclaredMethod, OpenDefinition};
use super::values::{UNKNOWN, name_of, pattern_source, prose_of, text_of, truth};
use crate::classes::{RubyModule, set_superclass};
use crate::interpreter::{Interpreter, LocalScope, LocalVariables};
use crate::key::{ObjectKey, is_eql};
use crate::value::{Object, ObjectEntries, Ruby, Stop};

/// Maximum number of expressions evaluated per file; the rest is unknown.
const STEP_LIMIT: usize = 100_000;
/// Maximum nesting depth of evaluation.
const DEPTH_LIMIT: u32 = 96;
/// Minimum free stack space for an expression, in bytes; with less, the stack grows by [`STACK_GROWTH`].
const MIN_FREE_STACK: usize = 1 << 20;
const STACK_GROWTH: usize = 8 << 20;

/// Pair of a hash literal or of keyword arguments.
#[derive(Clone, Debug)]
pub(super) struct DeclaredPair {
    pub key: Object,
    pub key_range: TextRange,
    pub value: Object,
    pub value_range: TextRange,
}

impl DeclaredPair {
    /// Creates a pair without ranges.
    pub(super) fn new(key: Object, value: Object) -> DeclaredPair {
        let (key_range, value_range) = (TextRange::default(), TextRange::default());
        DeclaredPair { key, key_range, value, value_range }
    }
}

/// Evaluates an expression. Whatever cannot be evaluated is unknown.
pub(super) fn evaluate(ruby: &mut Interpreter<'_>, expression: &RubyExpression) -> Ruby {
    let is_statement = std::mem::take(&mut ruby.declared.is_statement);
    ruby.declared.steps += 1;
    if ruby.declared.steps > STEP_LIMIT || ruby.declared.depth >= DEPTH_LIMIT {
        ruby.declared.give_up();
        return Ok(UNKNOWN);
    }
    ruby.declared.depth += 1;
    let result = stacker::maybe_grow(MIN_FREE_STACK, STACK_GROWTH, || {
        ruby.evaluate_abstract(expression, is_statement)
    });
    ruby.declared.depth -= 1;
    match result {
        Err(Stop::Unknown(_) | Stop::Raise(_) | Stop::Retry) => Ok(UNKNOWN),
        other => other,
    }
}

impl Interpreter<'_> {
    fn evaluate_abstract(&mut self, expression: &RubyExpression, is_statement: bool) -> Ruby {
        match &*expression.kind {
            RubyExpressionKind::Call { .. } => self.declared_call(expression, is_statement),
            RubyExpressionKind::If { condition, then, otherwise } => {
                let condition = self.evaluate(condition)?;
                self.branches(truth(&condition), then, otherwise, is_statement)
            }
            RubyExpressionKind::And(left, right) => {
                let left = self.evaluate(left)?;
                match truth(&left) {
                    Some(false) => Ok(left),
                    is_true => self.branches(is_true, std::slice::from_ref(right), &[], is_statement),
                }
            }
            RubyExpressionKind::Or(left, right) => {
                let left = self.evaluate(left)?;
                match truth(&left) {
                    Some(true) => Ok(left),
                    is_true => self.branches(is_true, &[], std::slice::from_ref(right), is_statement),
                }
            }
            RubyExpressionKind::Case { subject, cases, otherwise } => {
                if let Some(subject) = subject {
                    self.evaluate(subject)?;
                }
                let bodies = cases.iter().map(|Case { body, .. }| body.as_slice());
                self.all_branches(bodies.chain([otherwise.as_slice()]), is_statement)
            }
            RubyExpressionKind::While { body, .. } => self.all_branches([body.as_slice(), &[]], true),
            RubyExpressionKind::For { target, list, body } => {
                self.evaluate(list)?;
                self.assign(target, UNKNOWN)?;
                self.all_branches([body.as_slice(), &[]], true)
            }
            RubyExpressionKind::Sequence(statements) => self.body(statements, is_statement),
            RubyExpressionKind::Rescued { body, rescues, otherwise, ensure } => {
                let mut value = self.body(body, is_statement)?;
                for rescue in rescues {
                    self.all_branches([rescue.body.as_slice(), &[]], true)?;
                    if !matches!(value, Object::Proc(_)) && !self.declared.is_this(&value) {
                        value = UNKNOWN;
                    }
                }
                if !otherwise.is_empty() {
                    self.statements(otherwise)?;
                    value = UNKNOWN;
                }
                self.statements(ensure)?;
                Ok(value)
            }
            RubyExpressionKind::Assignment { target, value } => {
                let value = self.evaluate(value)?;
                self.declared_assignment(target, value)
            }
            RubyExpressionKind::OperatorAssignment { target, operator, value } => {
                self.declared_operator(target, operator, value)
            }
            RubyExpressionKind::Define(definition) => self.declared_method(definition, expression.range),
            RubyExpressionKind::Module(definition) => self.declared_module(definition),
            RubyExpressionKind::SingletonClass(body) => self.declared_singleton_class(body),
            _ => self.evaluate_data(expression),
        }
    }

    fn evaluate_data(&mut self, expression: &RubyExpression) -> Ruby {
        match &*expression.kind {
            RubyExpressionKind::InterpolatedString(parts) => Ok(match self.interpolated(parts)? {
                (text, true) => Object::text(text),
                (text, false) => Object::Partial(text.into()),
            }),
            RubyExpressionKind::InterpolatedSymbol(parts) => Ok(match self.interpolated(parts)? {
                (text, true) => Object::Symbol(text.into()),
                (_, false) => UNKNOWN,
            }),
            RubyExpressionKind::Array(elements) => {
                let mut list = Vec::new();
                for element in elements {
                    match &*element.kind {
                        RubyExpressionKind::Splat(value) => match self.evaluate(value)? {
                            Object::Array(inner) => list.extend(inner.elements.borrow().iter().cloned()),
                            _ => list.push(UNKNOWN),
                        },
                        _ => list.push(self.evaluate(element)?),
                    }
                }
                Ok(Object::array(list))
            }
            RubyExpressionKind::Hash { entries, .. } => {
                let pairs = self.pairs(entries)?;
                Ok(self.hash_of(pairs))
            }
            // Another file may define it.
            RubyExpressionKind::Defined(_) => Ok(UNKNOWN),
            RubyExpressionKind::Yield(arguments) => {
                let arguments = self.list(arguments)?;
                match self.context.block.clone() {
                    Some(block) => self.call_block(&block, arguments),
                    None => Ok(UNKNOWN),
                }
            }
            kind => self.evaluate_kind(kind),
        }
    }

    /// Evaluates a body, whose last statement provides its value.
    fn body(&mut self, statements: &[RubyExpression], is_statement: bool) -> Ruby {
        let mut value = Object::Nil;
        for (index, statement) in statements.iter().enumerate() {
            self.declared.is_statement = is_statement || index + 1 != statements.len();
            value = self.evaluate(statement)?;
        }
        Ok(value)
    }

    fn branches(
        &mut self,
        condition: Option<bool>,
        then: &[RubyExpression],
        otherwise: &[RubyExpression],
        is_statement: bool,
    ) -> Ruby {
        match condition {
            Some(true) => self.body(then, is_statement),
            Some(false) => self.body(otherwise, is_statement),
            None => self.all_branches([then, otherwise], is_statement),
        }
    }

    /// Evaluates all branches. Variables to which they assign different values become unknown.
    fn all_branches<'e>(
        &mut self,
        branches: impl IntoIterator<Item = &'e [RubyExpression]>,
        is_statement: bool,
    ) -> Ruby {
        self.declared.conditions += 1;
        let scope = self.scope.clone();
        let before = scope.snapshot();
        self.declared.steps += before.iter().map(Vec::len).sum::<usize>();
        let mut after: Option<Vec<LocalVariables>> = None;
        for branch in branches {
            scope.restore(before.clone());
            let result = self.body(branch, is_statement);
            match result {
                Ok(_) => {}
                Err(Stop::Exit(exit)) => return Err(Stop::Exit(exit)),
                Err(_) => self.declared.has_jumped = true,
            }
            let end = scope.snapshot();
            after = Some(match after {
                None => end,
                Some(joined) => joined.into_iter().zip(end).map(|(left, right)| join(left, right)).collect(),
            });
        }
        scope.restore(after.unwrap_or(before));
        self.declared.conditions -= 1;
        Ok(UNKNOWN)
    }

    /// Returns the contents of an interpolated string, and true if they are known.
    fn interpolated(&mut self, parts: &[TextPart]) -> Ruby<(String, bool)> {
        let mut result = String::new();
        let mut is_exact = true;
        for part in parts {
            let statements = match part {
                TextPart::Text(text) => {
                    result.push_str(text);
                    continue;
                }
                TextPart::Code(statements) => statements,
            };
            let value = self.body(statements, false)?;
            let text = match &value {
                // Notation for a pattern inside another one.
                Object::Pattern(pattern) => Some(format_smolstr!("(?-mix:{})", pattern_source(pattern))),
                value => text_of(value),
            };
            match text.as_ref().or(prose_of(&value).as_ref()) {
                Some(text) => result.push_str(text),
                None => result.push_str(embedded_source(statements, self.declared.text(self.file))),
            }
            is_exact &= text.is_some();
        }
        self.declared.steps += result.len() / 64;
        Ok((result, is_exact))
    }

    /// Evaluates the pairs of a hash literal. An unknown part is a pair with an unknown key.
    pub(super) fn pairs(&mut self, entries: &[RubyHashEntry]) -> Ruby<Vec<DeclaredPair>> {
        let mut pairs = Vec::new();
        for entry in entries {
            match entry {
                RubyHashEntry::Pair(key, value) => pairs.push(DeclaredPair {
                    key: self.evaluate(key)?,
                    key_range: self.name_range(key),
                    value: self.evaluate(value)?,
                    value_range: self.name_range(value),
                }),
                RubyHashEntry::Splat(value) => match self.evaluate(value)? {
                    Object::Hash(hash) => pairs.extend(self.pairs_of(&hash)),
                    _ => {
                        let range = self.declared.range(self.file, value.range);
                        let (key, value) = (UNKNOWN, UNKNOWN);
                        pairs.push(DeclaredPair { key, key_range: range, value, value_range: range });
                    }
                },
            }
        }
        Ok(pairs)
    }

    /// Returns the pairs of a hash, with the ranges of names if they come from literals.
    pub(super) fn pairs_of(&self, hash: &Rc<crate::value::Hash>) -> Vec<DeclaredPair> {
        let range_of = |key: &Object, value: &Object| {
            let name = name_of(key)?;
            let named = |pairs: &[(SmolStr, TextRange)]| {
                pairs.iter().find(|(known, _)| *known == name).map(|(_, range)| *range)
            };
            let literals = &self.declared.key_ranges;
            let own = literals.iter().rev().find(|(literal, _)| Rc::ptr_eq(literal, hash));
            if let Some(range) = own.and_then(|(_, pairs)| named(pairs)) {
                return Some(range);
            }
            // The pair may come from a merged hash.
            let key = ObjectKey(key.clone());
            let source = literals.iter().rev().find(|(literal, _)| {
                literal.entries.borrow().get(&key).is_some_and(|other| is_same(other, value))
            });
            source.and_then(|(_, pairs)| named(pairs))
        };
        let entries = hash.entries.borrow();
        let pairs = entries.iter().map(|(key, value)| DeclaredPair {
            key: key.0.clone(),
            key_range: range_of(&key.0, value).unwrap_or_default(),
            value: value.clone(),
            value_range: TextRange::default(),
        });
        pairs.collect()
    }

    pub(super) fn hash_of(&mut self, pairs: Vec<DeclaredPair>) -> Object {
        let ranges = pairs.iter().filter_map(|pair| Some((name_of(&pair.key)?, pair.key_range))).collect();
        let mut entries = ObjectEntries::default();
        for pair in pairs {
            let key = match pair.key {
                Object::Partial(_) => UNKNOWN,
                key => key,
            };
            entries.insert(ObjectKey(key), pair.value);
        }
        let hash = Object::hash(entries);
        if let Object::Hash(hash) = &hash {
            self.declared.key_ranges.push((hash.clone(), ranges));
        }
        hash
    }

    /// Returns the range of a name without its colon or quotes.
    pub(super) fn name_range(&self, expression: &RubyExpression) -> TextRange {
        let range = expression.name_range(self.declared.text(self.file));
        self.declared.range(self.file, range)
    }

    fn declared_assignment(&mut self, target: &AssignTarget, value: Object) -> Ruby {
        match target {
            AssignTarget::InstanceVariable(name) => self.set_definition_variable(name, &value),
            AssignTarget::Constant(name) if self.declared.conditions > 0 => {
                self.set_constant(name, UNKNOWN)?;
                return Ok(value);
            }
            _ => {}
        }
        match target {
            AssignTarget::Index { receiver, .. } if self.declared.conditions > 0 => {
                let receiver = self.evaluate(receiver)?;
                self.taint(&receiver, "[]=");
            }
            // What cannot be assigned to is unknown anyway.
            AssignTarget::LocalVariable { name, depth } => {
                self.declared.steps += self.scope.len() / 16;
                self.set_local(name, *depth, value.clone())?;
            }
            _ => drop(self.assign(target, value.clone())),
        }
        Ok(value)
    }

    /// Evaluates `target operator= value`.
    fn declared_operator(
        &mut self,
        target: &AssignTarget,
        operator: &OperatorKind,
        value: &RubyExpression,
    ) -> Ruby {
        let current = match target {
            AssignTarget::LocalVariable { name, depth } => self.local_variable(name, *depth),
            AssignTarget::InstanceVariable(name) => self.instance_variable(name),
            _ => return self.assign_with(target, operator, value),
        };
        let result = match (operator, truth(&current)) {
            (OperatorKind::Or, Some(true)) | (OperatorKind::And, Some(false)) => return Ok(current),
            (OperatorKind::Or | OperatorKind::And, Some(_)) => self.evaluate(value)?,
            (OperatorKind::Or | OperatorKind::And, None) => UNKNOWN,
            (OperatorKind::Method(name), _) => {
                let operand = self.evaluate(value)?;
                self.call_data(&current, name, vec![operand])
            }
        };
        self.assign(target, result.clone())?;
        Ok(result)
    }

    fn declared_method(&mut self, definition: &Arc<MethodDefinition>, range: TextRange) -> Ruby {
        let is_singleton = definition.is_of_module;
        if let Some(context) = self.declared.context() {
            context.define_method(&definition.name, is_singleton);
        }
        if !is_singleton {
            self.add_function_method(definition, range);
        }
        self.remember_method(definition);
        self.define_method(definition)
    }

    fn remember_method(&mut self, definition: &Arc<MethodDefinition>) {
        self.declared.methods.push(DeclaredMethod {
            definition: definition.clone(),
            nesting: self.context.nesting.clone(),
            file: self.file,
            this: self.context.this.clone(),
        });
    }

    /// Evaluates the body of a class or module.
    fn declared_module(&mut self, definition: &Arc<ModuleDefinition>) -> Ruby {
        let superclass = match &definition.superclass {
            Some(superclass) => Some(self.evaluate(superclass)?),
            None => None,
        };
        let module = match self.opened_module(definition) {
            Ok(module) => module,
            Err(_) => self.new_module(definition.path.clone(), definition.is_class, false),
        };
        if let Some(superclass) = superclass
            && set_superclass(&module, &superclass).is_err()
        {
            module.is_incomplete.set(true);
        }
        self.declared.classes.push(DeclaredClass {
            module: module.clone(),
            definition: definition.clone(),
            nesting: self.context.nesting.clone(),
            file: self.file,
        });
        // Definitions in the body are not part of the enclosing definition.
        let contexts = std::mem::take(&mut self.declared.contexts);
        self.declared
            .contexts
            .push(OpenDefinition { context: DefinitionContext::Module, this: Some(module.clone()) });
        let result = self.in_module(&module, |ruby| ruby.statements(&definition.body));
        self.declared.contexts = contexts;
        result
    }

    /// Evaluates `class << self`, where only methods are relevant.
    fn declared_singleton_class(&mut self, body: &[RubyExpression]) -> Ruby {
        for statement in body {
            if let (RubyExpressionKind::Define(definition), Some(context)) =
                (&*statement.kind, self.declared.context())
            {
                context.define_method(&definition.name, true);
            }
        }
        self.declared.contexts.push(OpenDefinition { context: DefinitionContext::Module, this: None });
        let result = self.singleton_class(body);
        self.declared.contexts.pop();
        result
    }

    /// Evaluates the body of a class as if it were that of `module`.
    pub(super) fn evaluate_in(&mut self, module: &Rc<RubyModule>, class: &DeclaredClass) {
        let file = std::mem::replace(&mut self.file, class.file);
        let context = self.context.clone();
        let nesting =
            crate::classes::ModuleNesting { module: class.module.clone(), outer: class.nesting.clone() };
        let inner = crate::interpreter::RubyContext {
            id: context.id,
            this: context.this.clone(),
            nesting: Some(Rc::new(nesting)),
            method: None,
            own: None,
            block: None,
        };
        let scope = self.scope.clone();
        let definition = class.definition.clone();
        let _jump = self.in_context(Rc::new(inner), scope, |ruby| {
            ruby.in_module(module, |ruby| ruby.statements(&definition.body))
        });
        self.file = file;
    }
}

/// Returns the source of `#{...}` around statements.
fn embedded_source<'t>(statements: &[RubyExpression], text: &'t str) -> &'t str {
    let (Some(first), Some(last)) = (statements.first(), statements.last()) else { return "" };
    let start = text.get(..first.range.start as usize).and_then(|before| before.rfind("#{"));
    let end = last.range.end as usize;
    let end = text.get(end..).and_then(|after| after.find('}')).map(|at| end + at + 1);
    start.zip(end).and_then(|(start, end)| text.get(start..end)).unwrap_or_default()
}

/// Joins the variables of a scope with those before code that may not have been executed.
pub(super) fn join_scope(scope: &Rc<LocalScope>, before: Vec<LocalVariables>) {
    let after = scope.snapshot();
    scope.restore(before.into_iter().zip(after).map(|(left, right)| join(left, right)).collect());
}

/// Joins the variables after two branches.
fn join(mut left: LocalVariables, right: LocalVariables) -> LocalVariables {
    for (name, value) in &mut left {
        let other = right.iter().find(|(known, _)| known == name);
        if !other.is_some_and(|(_, other)| is_same(value, other)) {
            *value = UNKNOWN;
        }
    }
    for (name, _) in right {
        if !left.iter().any(|(known, _)| *known == name) {
            left.push((name, UNKNOWN));
        }
    }
    left
}

fn is_same(left: &Object, right: &Object) -> bool {
    match (left, right) {
        (Object::Array(left), Object::Array(right)) => Rc::ptr_eq(left, right),
        (Object::Hash(left), Object::Hash(right)) => Rc::ptr_eq(left, right),
        _ => is_eql(left, right),
    }
}
