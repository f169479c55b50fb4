//! Evaluates the Ruby code of one template.

use std::rc::Rc;

use plugins::erb::{Case, ErbTemplate, MethodDefinition, RubyExpression, RubyExpressionKind, TextPart};
use rustc_hash::FxHashMap;
use scalars::regexp::Regexp;
use smol_str::SmolStr;
use types::{Origin, TypeEnvironment, Value};

use super::blocks::BlockRef;
use super::key::ObjectKey;
use super::methods::MethodInvocation;
use super::methods::constants::is_instance;
use super::methods::enumerations::elements;
use super::methods::patterns::search;
use super::methods::ranges::covers;
use super::printing::{TEXT_LIMIT, pattern_text, to_s};
use super::value::{HostExit, Match, Object, ObjectEntries, Range, Ruby, RubyRegexp, Stop, unsupported};

/// So many expressions may be inside of each other while they are evaluated, those of called methods included.
const DEPTH_LIMIT: u32 = 600;

/// What a template can ask of the program that renders it.
pub trait Host {
    /// Counts work.
    fn step(&mut self, steps: usize) -> Result<(), HostExit>;
    fn env(&self) -> &dyn TypeEnvironment;
    /// What an instance variable is; `None` where there is none, or it is `undef`.
    fn variable(&self, name: &str) -> Option<Value>;
    /// `scope['name']`: as [`Host::variable`], and Puppet says so where there is none.
    fn lookup(&mut self, name: &str) -> Result<Option<Value>, HostExit>;
    /// A variable that a template has set in the scope.
    fn own_variable(&self, name: &str) -> Option<Object>;
    /// Sets a variable for this template and those that are rendered after it; false where there is one already.
    fn set_variable(&mut self, name: &str, value: Object) -> bool;
    fn call_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Value, HostExit>;
    /// `scope.function_name([...])`, which knows functions of the 3.x API only; `None` where that is not clear.
    fn call_legacy_function(&mut self, name: &str, arguments: Vec<Value>) -> Result<Option<Value>, HostExit>;
}

pub(crate) type RubyLocals = Vec<(SmolStr, Object)>;

pub struct Renderer<'t> {
    pub(super) host: &'t mut dyn Host,
    template: &'t ErbTemplate,
    pub(super) out: String,
    /// Local variables: of the program or method, then of the blocks in it that run.
    pub(super) frames: Vec<RubyLocals>,
    /// Instance variables that were read or set.
    pub(super) variables: FxHashMap<SmolStr, Object>,
    pub(super) methods: FxHashMap<&'t str, &'t MethodDefinition>,
    /// `$~`
    pub(super) last_match: Option<Rc<Match>>,
    depth: u32,
    /// Where in the template it has failed first.
    failed_at: Option<u32>,
}

impl<'t> Renderer<'t> {
    pub fn new(host: &'t mut dyn Host, template: &'t ErbTemplate) -> Renderer<'t> {
        Renderer {
            host,
            template,
            out: String::new(),
            frames: vec![RubyLocals::new()],
            variables: FxHashMap::default(),
            methods: FxHashMap::default(),
            last_match: None,
            depth: 0,
            failed_at: None,
        }
    }

    /// The text that the template gives.
    /// An error comes with the place in the template, as far as that is known.
    pub fn run(mut self) -> Result<String, (Stop, Option<u32>)> {
        match self.statements(&self.template.program) {
            Ok(_) => Ok(self.out),
            Err(stop) => Err((stop, self.failed_at)),
        }
    }

    pub(super) fn text_of(&self, object: &Object) -> Ruby<String> {
        to_s(object, self.host.env())
    }

    fn write(&mut self, text: &str) -> Ruby<()> {
        self.host.step(text.len() / 16)?;
        if self.out.len() + text.len() > TEXT_LIMIT {
            return unsupported();
        }
        self.out.push_str(text);
        Ok(())
    }

    /// Counts the work of making something of a size.
    pub(super) fn charge(&mut self, size: usize) -> Ruby<()> {
        if size > TEXT_LIMIT {
            return unsupported();
        }
        Ok(self.host.step(size / 16)?)
    }

    pub(super) fn statements(&mut self, statements: &'t [RubyExpression]) -> Ruby {
        let mut last = Object::Nil;
        for statement in statements {
            last = self.evaluate(statement)?;
        }
        Ok(last)
    }

    pub(super) fn evaluate(&mut self, expression: &'t RubyExpression) -> Ruby {
        self.host.step(1)?;
        if self.depth >= DEPTH_LIMIT {
            return unsupported();
        }
        self.depth += 1;
        let result = self.evaluate_kind(&expression.kind);
        self.depth -= 1;
        match &result {
            Err(Stop::Raise(_)) => drop(self.failed_at.get_or_insert(expression.range.start)),
            // What has failed before was dealt with.
            _ => self.failed_at = None,
        }
        result
    }

    fn evaluate_kind(&mut self, kind: &'t RubyExpressionKind) -> Ruby {
        Ok(match kind {
            RubyExpressionKind::Text(_) | RubyExpressionKind::Output(_) | RubyExpressionKind::Append(_) => {
                self.output(kind)?
            }
            RubyExpressionKind::Nil => Object::Nil,
            RubyExpressionKind::Boolean(value) => Object::Boolean(*value),
            RubyExpressionKind::Integer(value) => Object::Integer(*value),
            RubyExpressionKind::Float(value) => Object::Float(*value),
            RubyExpressionKind::String(text) => Object::text(text.as_str()),
            RubyExpressionKind::Symbol(name) => Object::Symbol(name.clone()),
            RubyExpressionKind::InterpolatedString(parts) => Object::text(self.joined(parts)?),
            RubyExpressionKind::InterpolatedSymbol(parts) => Object::Symbol(self.joined(parts)?.into()),
            RubyExpressionKind::Pattern { parts, options } => self.pattern(parts, options)?,
            RubyExpressionKind::Array(elements) => Object::array(self.list(elements)?),
            RubyExpressionKind::Hash(entries) => self.hash(entries)?,
            RubyExpressionKind::Range { first, last, is_exclusive } => {
                let first = first.as_ref().map_or(Ok(Object::Nil), |first| self.evaluate(first))?;
                let last = last.as_ref().map_or(Ok(Object::Nil), |last| self.evaluate(last))?;
                Object::Range(Rc::new(Range { first, last, is_exclusive: *is_exclusive }))
            }
            // Only in lists; elsewhere it is an array.
            RubyExpressionKind::Splat(value) => Object::array(self.splat(value)?),
            RubyExpressionKind::InstanceVariable(name) => self.instance_variable(name),
            RubyExpressionKind::LocalVariable { name, depth } => self.local_variable(name, *depth),
            RubyExpressionKind::Constant(path) => Object::Constant(path.clone()),
            RubyExpressionKind::MatchGroup(number) => match &self.last_match {
                Some(found) => found.group(*number as usize),
                None => Object::Nil,
            },
            RubyExpressionKind::Template => Object::Template,
            RubyExpressionKind::Assignment { place, value } => {
                let value = self.evaluate(value)?;
                self.assign(place, value.clone())?;
                value
            }
            RubyExpressionKind::OperatorAssignment { place, operator, value } => {
                self.assign_with(place, operator, value)?
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
            RubyExpressionKind::Define(method) => {
                self.methods.insert(&method.name, method);
                Object::Symbol(method.name.clone())
            }
            RubyExpressionKind::Next(value) => return Err(Stop::Next(self.handed(value.as_ref())?)),
            RubyExpressionKind::Break(value) => return Err(Stop::Break(self.handed(value.as_ref())?)),
            RubyExpressionKind::Return(value) => return Err(Stop::Return(self.handed(value.as_ref())?)),
            RubyExpressionKind::Unsupported => return unsupported(),
        })
    }

    /// What adds to the text of the template.
    fn output(&mut self, kind: &'t RubyExpressionKind) -> Ruby {
        match kind {
            RubyExpressionKind::Text(index) => {
                let template = self.template;
                let Some(text) = template.texts.get(*index) else { return unsupported() };
                self.write(text)?;
                Ok(Object::Nil)
            }
            RubyExpressionKind::Output(value) => {
                let value = self.evaluate(value)?;
                let text = self.text_of(&value)?;
                self.write(&text)?;
                Ok(Object::Nil)
            }
            RubyExpressionKind::Append(value) => match self.evaluate(value)? {
                Object::Text(text) => {
                    let text = text.content.borrow().clone();
                    self.write(&text)?;
                    Ok(Object::Unknown(Origin::Template))
                }
                _ => unsupported(),
            },
            _ => unsupported(),
        }
    }

    fn hash(&mut self, entries: &'t [(RubyExpression, RubyExpression)]) -> Ruby {
        let mut hash = ObjectEntries::default();
        for (key, value) in entries {
            let key = self.evaluate(key)?;
            let value = self.evaluate(value)?;
            hash.insert(ObjectKey(copy_of_key(&key)?), value);
        }
        Ok(Object::hash(hash))
    }

    fn call(&mut self, kind: &'t RubyExpressionKind) -> Ruby {
        let RubyExpressionKind::Call { receiver, name, arguments, block, is_safe, is_name } = kind else {
            return unsupported();
        };
        let receiver = match receiver {
            Some(receiver) => self.evaluate(receiver)?,
            None => Object::Template,
        };
        if *is_safe && matches!(receiver, Object::Nil) {
            return Ok(Object::Nil);
        }
        let arguments = self.list(arguments)?;
        let block = match block {
            Some(block) => Some(BlockRef::new(block)?),
            None => None,
        };
        let invocation = MethodInvocation { receiver, name, arguments, block };
        match invocation.receiver {
            Object::Template => self.call_own(invocation, *is_name),
            _ => self.send(invocation),
        }
    }

    /// Loops, and what decides how its statements end.
    fn control(&mut self, kind: &'t RubyExpressionKind) -> Ruby {
        match kind {
            RubyExpressionKind::While { condition, body, is_negated, is_body_first } => {
                let mut is_first = *is_body_first;
                while is_first || self.evaluate(condition)?.is_true()? != *is_negated {
                    is_first = false;
                    match self.statements(body) {
                        Err(Stop::Break(value)) => return Ok(value),
                        Err(Stop::Next(_)) => {}
                        other => drop(other?),
                    }
                }
                Ok(Object::Nil)
            }
            RubyExpressionKind::For { place, list, body } => {
                let list = self.evaluate(list)?;
                for element in elements(self, &list)? {
                    self.assign(place, element)?;
                    match self.statements(body) {
                        Err(Stop::Break(value)) => return Ok(value),
                        Err(Stop::Next(_)) => {}
                        other => drop(other?),
                    }
                }
                Ok(list)
            }
            RubyExpressionKind::Sequence(statements) => self.statements(statements),
            RubyExpressionKind::Rescued { body, otherwise, ensure } => {
                let mut value = match self.statements(body) {
                    // What is rescued, and what the message says, is beyond this evaluator.
                    Err(Stop::Raise(_)) => return unsupported(),
                    other => other?,
                };
                if !otherwise.is_empty() {
                    value = self.statements(otherwise)?;
                }
                self.statements(ensure)?;
                Ok(value)
            }
            _ => unsupported(),
        }
    }

    fn handed(&mut self, value: Option<&'t RubyExpression>) -> Ruby {
        value.map_or(Ok(Object::Nil), |value| self.evaluate(value))
    }

    /// Arguments or elements, splats taken apart.
    pub(super) fn list(&mut self, expressions: &'t [RubyExpression]) -> Ruby<Vec<Object>> {
        let mut list = Vec::with_capacity(expressions.len());
        for expression in expressions {
            match &*expression.kind {
                RubyExpressionKind::Splat(value) => list.extend(self.splat(value)?),
                _ => list.push(self.evaluate(expression)?),
            }
        }
        Ok(list)
    }

    fn splat(&mut self, value: &'t RubyExpression) -> Ruby<Vec<Object>> {
        match self.evaluate(value)? {
            Object::Nil => Ok(Vec::new()),
            object @ (Object::Array(_) | Object::Hash(_) | Object::Range(_)) => elements(self, &object),
            Object::Unknown(origin) => Err(Stop::Unknown(origin)),
            Object::Foreign(_) | Object::Match(_) | Object::Enumerator(_) => unsupported(),
            other => Ok(vec![other]),
        }
    }

    fn joined(&mut self, parts: &'t [TextPart]) -> Ruby<String> {
        let mut text = String::new();
        for part in parts {
            match part {
                TextPart::Text(part) => text.push_str(part),
                TextPart::Code(statements) => {
                    let value = self.statements(statements)?;
                    text.push_str(&self.text_of(&value)?);
                }
            }
        }
        self.charge(text.len())?;
        Ok(text)
    }

    fn pattern(&mut self, parts: &'t [TextPart], options: &SmolStr) -> Ruby {
        let mut source = String::new();
        for part in parts {
            match part {
                TextPart::Text(part) => source.push_str(part),
                TextPart::Code(statements) => match self.statements(statements)? {
                    Object::Pattern(inner) => source.push_str(&pattern_text(&inner)),
                    other => source.push_str(&self.text_of(&other)?),
                },
            }
        }
        new_pattern(&source, options)
    }

    pub(super) fn instance_variable(&mut self, name: &SmolStr) -> Object {
        if let Some(known) = self.variables.get(name) {
            return known.clone();
        }
        let value = self.host.own_variable(name);
        let value = value.or_else(|| self.host.variable(name).map(|value| Object::from_puppet(&value)));
        let value = value.unwrap_or(Object::Nil);
        self.variables.insert(name.clone(), value.clone());
        value
    }

    pub(super) fn local_variable(&self, name: &str, depth: u32) -> Object {
        let frame =
            self.frames.len().checked_sub(1 + depth as usize).and_then(|index| self.frames.get(index));
        let found = frame.and_then(|frame| frame.iter().find(|(known, _)| known == name));
        found.map_or(Object::Nil, |(_, value)| value.clone())
    }

    fn is_defined(&mut self, value: &'t RubyExpression) -> Ruby {
        match &*value.kind {
            RubyExpressionKind::InstanceVariable(name) => match self.instance_variable(name) {
                Object::Nil => Ok(Object::Nil),
                Object::Unknown(origin) => Err(Stop::Unknown(origin)),
                _ => Ok(Object::text("instance-variable")),
            },
            RubyExpressionKind::LocalVariable { .. } => Ok(Object::text("local-variable")),
            _ => unsupported(),
        }
    }

    fn case(
        &mut self,
        subject: Option<&'t RubyExpression>,
        cases: &'t [Case],
        otherwise: &'t [RubyExpression],
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

    /// `pattern === value`
    pub(super) fn case_equal(&mut self, pattern: &Object, value: &Object) -> Ruby<bool> {
        if let Object::Unknown(origin) = value {
            return Err(Stop::Unknown(*origin));
        }
        match pattern {
            Object::Constant(class) => is_instance(value, class),
            Object::Pattern(pattern) => match value {
                Object::Text(text) => {
                    let text = text.content.borrow().clone();
                    Ok(search(self, pattern, &text, 0)?.is_some())
                }
                Object::Symbol(name) => Ok(search(self, pattern, name, 0)?.is_some()),
                _ => {
                    self.last_match = None;
                    Ok(false)
                }
            },
            Object::Range(range) => covers(range, value),
            pattern => super::comparison::is_equal(pattern, value),
        }
    }
}

/// A key that is a text is a copy of it.
pub(super) fn copy_of_key(key: &Object) -> Ruby {
    match key {
        Object::Unknown(origin) => Err(Stop::Unknown(*origin)),
        Object::Text(text) => {
            let copy = Object::text(text.content.borrow().as_str());
            if let Object::Text(copy) = &copy {
                copy.is_shared.set(true);
            }
            Ok(copy)
        }
        other => Ok(other.clone()),
    }
}

/// A regular expression; `options` are those of `mix` that are set.
pub(super) fn new_pattern(source: &str, options: &SmolStr) -> Ruby {
    let whole = match options.as_str() {
        "" => source.to_owned(),
        // A comment may end the line.
        options if options.contains('x') => format!("(?{options}:{source}\n)"),
        options => format!("(?{options}:{source})"),
    };
    match Regexp::new(&whole) {
        Ok(regexp) => Ok(Object::Pattern(Rc::new(RubyRegexp {
            regexp,
            source: source.into(),
            options: options.clone(),
        }))),
        Err(_) => unsupported(),
    }
}
