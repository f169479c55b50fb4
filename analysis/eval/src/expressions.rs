//! Evaluation of expressions.
//!
//! Specification: the chapter on expressions.

mod platform;

use codes::Code;
use std::sync::Arc;

use hir::{Body, CaseOption, Expr, ExprId, StringPart};
use operators::{Failure, OperationContext};
use smol_str::{SmolStr, SmolStrBuilder};
use syntax::ast::{AssignmentOperator, BinaryOperator, UnaryOperator};
use types::{Origin, Type, Value};

use crate::call::PassedLambda;
use crate::error::{Certainty, Exit, LogLevel, Outcome};
use crate::evaluator::Evaluator;
use crate::frame::{FrameId, Site};
use crate::program::{Definitions, MissingNameKind, Unit};

/// Puppet's classes for the value of a collector.
const CATALOG_COLLECTOR: &str = "Puppet::Pops::Evaluator::Collectors::CatalogCollector";
const EXPORTED_COLLECTOR: &str = "Puppet::Pops::Evaluator::Collectors::ExportedCollector";

impl Evaluator<'_> {
    /// Evaluates an expression in a frame of its unit.
    pub fn evaluate(&mut self, site: Site) -> Outcome {
        self.step(site, 1)?;
        let unit = self.unit(site.frame).clone();
        let is_of_platform = unit.platform_expressions.as_ref().is_some_and(|them| them.contains(&site.expr));
        let result = if is_of_platform {
            self.platform_expression(&unit, site)
        } else {
            self.evaluate_expr(&unit, site)
        };
        if let Ok(value) = &result {
            self.diagnostics.note_value(unit.id, site.expr, value, self.world);
        }
        result
    }

    pub(crate) fn evaluate_expr(&mut self, unit: &Unit, site: Site) -> Outcome {
        let body: &Body = &unit.body;
        match &body[site.expr] {
            Expr::Missing | Expr::InvalidNumber => Ok(Self::error_value()),
            Expr::Undef | Expr::Definition(_) => Ok(Value::Undef),
            Expr::Default => Ok(Value::Default),
            Expr::Boolean(value) => Ok(Value::Boolean(*value)),
            Expr::Integer(value) => Ok(Value::Integer(*value)),
            Expr::Float(value) => Ok(Value::float(value.0)),
            Expr::String(text) | Expr::Name(text) | Expr::ReservedWord(text) => {
                Ok(Value::String(text.clone()))
            }
            Expr::Interpolated(parts) => self.interpolate(site, parts),
            Expr::Heredoc { syntax, text } => self.heredoc(body, site.frame, syntax, *text),
            Expr::Regex(source) => match scalars::regexp::Regexp::new(source) {
                Ok(regexp) => Ok(Value::Regexp(regexp)),
                Err(_) => Ok(Value::unknown(Type::Regexp(None), Origin::Bound)),
            },
            Expr::TypeReference(name) => self.type_reference(site, name),
            Expr::Variable(variable) => self.read_variable(site, variable),
            Expr::Array(elements) => self.array(site, elements),
            Expr::Hash(pairs) => self.hash(site, pairs),
            Expr::Unary { operator, operand } => self.unary(site, *operator, *operand),
            Expr::Binary { operator, lhs, rhs } => self.binary(site, *operator, *lhs, *rhs),
            Expr::Assignment { operator, lhs, rhs } => {
                let result = self.evaluate(site.at(*rhs));
                self.assignment(site, *operator, *lhs, result)
            }
            Expr::Relationship { operator, lhs, rhs } => self.relationship(site, *operator, *lhs, *rhs),
            Expr::Access { lhs, keys } => self.access(unit, site, *lhs, keys),
            Expr::Selector { lhs, entries } => self.selector(site, *lhs, entries),
            Expr::Call { functor, arguments, lambda } => {
                let block = lambda.map(|lambda| PassedLambda { frame: site.frame, lambda });
                self.call(unit, site, *functor, arguments, block)
            }
            Expr::MethodCall { receiver, name, arguments, lambda } => {
                let block = lambda.map(|lambda| PassedLambda { frame: site.frame, lambda });
                self.method_call(site, *receiver, name, arguments, block)
            }
            // A lambda is evaluated by its call only.
            Expr::Lambda { .. } => Ok(Value::Undef),
            Expr::Block(statements) => self.block(site.frame, statements),
            Expr::If { condition, then, otherwise } => {
                self.conditional(site, *condition, Some(*then), *otherwise)
            }
            Expr::Unless { condition, then, otherwise } => {
                self.conditional(site, *condition, *otherwise, Some(*then))
            }
            Expr::Case { test, options } => self.case(site, *test, options),
            Expr::Resource { .. }
            | Expr::ResourceDefaults { .. }
            | Expr::ResourceOverride { .. }
            | Expr::UntitledResource { .. }
            | Expr::Collect { .. } => self.resources(site.frame, site.expr, &body[site.expr]),
            Expr::Apply { .. } => Ok(Value::unknown(Type::Any, Origin::Join)),
            Expr::RenderString(text) => {
                self.templates.write(Value::String(text.clone()));
                Ok(Value::Undef)
            }
            Expr::Render(inner) => {
                let value = self.evaluate(site.at(*inner))?;
                self.templates.write(value);
                Ok(Value::Undef)
            }
        }
    }

    fn heredoc(&mut self, body: &Body, frame: FrameId, syntax: &str, text: ExprId) -> Outcome {
        let value = self.evaluate(frame.at(text))?;
        // The others were checked before.
        if let (Expr::Interpolated(_), Value::String(produced)) = (&body[text], &value) {
            self.check_heredoc(frame.at(text), syntax, produced)?;
        }
        Ok(value)
    }

    fn array(&mut self, site: Site, elements: &[ExprId]) -> Outcome {
        match self.elements(site.frame, elements)? {
            Some(elements) => self.charge(site, Value::array(elements)),
            None => Ok(Value::unknown(Type::array_of(Type::Any), Origin::Join)),
        }
    }

    fn hash(&mut self, site: Site, pairs: &[(ExprId, ExprId)]) -> Outcome {
        let mut entries = types::HashValue::default();
        let mut unknown_keys = Vec::new();
        for (key, value) in pairs {
            let key = self.evaluate(site.at(*key))?;
            let value = self.evaluate(site.at(*value))?;
            self.weigh(site, [&key])?;
            if key.is_known() {
                entries.insert(key, value)
            } else {
                unknown_keys.push((key, value));
                None
            };
        }
        if !unknown_keys.is_empty() {
            return Ok(hash_of_unknown_keys(&entries, &unknown_keys, self.world));
        }
        self.charge(site, Value::Hash(entries.into()))
    }

    fn binary(&mut self, site: Site, operator: BinaryOperator, lhs: ExprId, rhs: ExprId) -> Outcome {
        match operator {
            BinaryOperator::And => return self.logical(site, lhs, rhs, false),
            BinaryOperator::Or => return self.logical(site, lhs, rhs, true),
            _ => {}
        }
        let left = self.evaluate(site.at(lhs))?;
        let right = self.evaluate(site.at(rhs))?;
        self.weigh(site, [&left, &right])?;
        self.operate(site, &[&left, &right], |ctx| operators::binary(operator, &left, &right, ctx))
    }

    fn method_call(
        &mut self,
        site: Site,
        receiver: ExprId,
        name: &str,
        arguments: &[ExprId],
        block: Option<PassedLambda>,
    ) -> Outcome {
        let mut all = vec![receiver];
        all.extend_from_slice(arguments);
        let Some(values) = self.elements(site.frame, &all)? else {
            return Ok(self.call_with_unknown_arguments(name));
        };
        self.call_method(site, name, values, block)
    }

    /// Evaluates expressions that add resources to the catalog, or change existing ones.
    fn resources(&mut self, frame: FrameId, id: ExprId, expr: &Expr) -> Outcome {
        match expr {
            Expr::Resource { form, type_expr, bodies } => {
                self.declare_resources(frame.at(id), *form, *type_expr, bodies)
            }
            Expr::ResourceDefaults { type_expr, operations, .. } => {
                self.declare_defaults(frame.at(id), *type_expr, operations)
            }
            Expr::ResourceOverride { reference, operations, .. } => {
                self.override_resources(frame.at(id), *reference, operations)
            }
            Expr::UntitledResource { operations, .. } => {
                self.attributes(frame, operations)?;
                Ok(Value::Undef)
            }
            Expr::Collect { type_expr, query, operations } => {
                self.collect(frame.at(id), *type_expr, *query, operations)?;
                let class = if query.exported { EXPORTED_COLLECTOR } else { CATALOG_COLLECTOR };
                Ok(Value::unknown(Type::ruby_class(class), Origin::Join))
            }
            _ => Ok(Value::Undef),
        }
    }

    fn check_heredoc(&self, site: Site, syntax: &str, produced: &str) -> Outcome<()> {
        use validation::{ExpectedNamespace, Strict, ValidationSettings, check_heredoc};
        let strict = match self.world.settings.strict {
            validation::Strict::Off => Strict::Off,
            validation::Strict::Warning => Strict::Warning,
            validation::Strict::Error => Strict::Error,
        };
        let version = self.world.settings.version;
        let settings = ValidationSettings { strict, version, location: ExpectedNamespace::Free };
        match check_heredoc(syntax, produced, &settings) {
            Some((code, message)) => Err(self.error(site, Failure::new(code, message))),
            None => Ok(()),
        }
    }

    /// Evaluates an operator or access, and locates its errors.
    fn operate(
        &mut self,
        site: Site,
        operands: &[&Value],
        run: impl FnOnce(&mut OperationContext) -> Result<Value, Failure>,
    ) -> Outcome {
        self.step(site, combinations(operands))?;
        let mut ctx = OperationContext::new(self.world, self.world.settings.strict);
        ctx.version = self.world.settings.version;
        let result = run(&mut ctx);
        let OperationContext { warnings, matched, .. } = ctx;
        if let Some(matched) = matched {
            let is_certain = !matches!(&result, Ok(Value::Unknown(_)));
            self.set_match(site.frame, matched, is_certain);
        }
        for warning in warnings {
            self.log(site, LogLevel::Warning, warning);
        }
        match result {
            Ok(value) => self.charge(site, value),
            Err(failure) => {
                let mut exit = self.error_in(site, failure);
                self.silence_if_untrustworthy(&mut exit, operands);
                Err(exit)
            }
        }
    }

    /// Sets `$0`, `$1`, …. Unless the match is certain, the new values are joined with the old ones.
    fn set_match(&mut self, frame: FrameId, matched: operators::MatchData, is_certain: bool) {
        let matched = Some(std::sync::Arc::new(matched));
        let before = std::mem::replace(&mut self.frame_mut(frame).matched, matched.clone());
        if !is_certain {
            self.join_matches(frame, vec![before, matched], Origin::Join);
        }
    }

    fn interpolate(&mut self, site: Site, parts: &[StringPart]) -> Outcome {
        let mut text = SmolStrBuilder::new();
        let mut length = 0;
        let mut unknown: Option<Origin> = None;
        for part in parts {
            match part {
                StringPart::Text(part) => {
                    length += part.len();
                    text.push_str(part);
                }
                StringPart::Expr(part) => {
                    let value = self.evaluate(site.at(*part))?;
                    if let Some(origin) = value.least_trustworthy() {
                        unknown = unknown.max(Some(origin));
                        continue;
                    }
                    match &value {
                        Value::String(part) => {
                            length += part.len();
                            text.push_str(part);
                        }
                        value => {
                            let part = types::text::interpolated(value, self.world);
                            let part = part.map_err(|_| self.error(site, too_long()))?;
                            length += part.len();
                            text.push_str(&part);
                        }
                    }
                    if length > self.world.settings.bounds.size * 4 {
                        return Err(self.error(site, too_long()));
                    }
                }
            }
        }
        match unknown {
            Some(origin) => Ok(Value::unknown(
                Type::String(types::IntegerRange::new(text.finish().chars().count() as i64, i64::MAX)),
                origin,
            )),
            None => self.charge(site, Value::String(text.finish())),
        }
    }

    /// Evaluates the name of a type.
    fn type_reference(&mut self, site: Site, name: &SmolStr) -> Outcome {
        // Inside a type set, its own types have unqualified names.
        let unit = self.unit(site.frame);
        if unit.kind == hir::DefinitionKind::TypeAlias
            && types::access::built_in_type(name).is_none()
            && let Some(full) = self.world.name_in_set(unit, name)
        {
            return Ok(Value::ty(Type::Alias(full)));
        }
        if let Some(known) = self.world.type_values.borrow().get(name) {
            return Ok(known.clone());
        }
        let value = self.resolve_type_reference(site, name)?;
        // While an alias is being resolved, names may denote something else.
        if matches!(value, Value::Type(_)) && self.unit(site.frame).kind != hir::DefinitionKind::TypeAlias {
            self.world.type_values.borrow_mut().insert(name.clone(), value.clone());
        }
        Ok(value)
    }

    fn resolve_type_reference(&mut self, site: Site, name: &SmolStr) -> Outcome {
        match self.world.type_by_name(name) {
            // The type of a missing type denotes a type reference.
            Some(Type::Reference(_)) | None => {}
            Some(ty) => {
                return match self.world.alias_failure(name) {
                    None => Ok(Value::ty(ty)),
                    // Mistakes are reported at the declaration of the alias.
                    Some(_) if self.world.settings.continues_after_errors => {
                        Ok(Value::unknown(Type::Type(None), Origin::SyntaxError))
                    }
                    Some(failure) => Err(self.error(site, failure)),
                };
            }
        }
        let folded = hir::fold_name(name);
        if self.world.program.resource_type_exists(&folded) {
            return Ok(Value::ty(Type::resource(Some(types::display::capitalized_segments(&folded)), None)));
        }
        if self.world.program.may_define(MissingNameKind::Type, &folded) {
            return Ok(Value::unknown(Type::Type(None), Origin::MissingDefinition));
        }
        // In an alias, an unknown name denotes itself.
        if self.unit(site.frame).kind == hir::DefinitionKind::TypeAlias {
            return Ok(Value::ty(Type::Reference(name.clone())));
        }
        let message = unknown_type_message(self.world.program, name);
        Err(self.error(site, Failure::new(Code::UnknownResourceType, message)))
    }

    /// Evaluates arguments or elements, and expands `*expr`. Returns `None` if their number is unknown.
    pub(crate) fn elements(&mut self, frame: FrameId, elements: &[ExprId]) -> Outcome<Option<Vec<Value>>> {
        let unit = self.unit(frame).clone();
        let mut values = Vec::with_capacity(elements.len());
        let mut is_known = true;
        for element in elements {
            let value = self.evaluate(frame.at(*element))?;
            match &unit.body[*element] {
                Expr::Unary { operator: UnaryOperator::Unfold, .. } => match value {
                    Value::Array(elements) => values.extend(elements.iter().cloned()),
                    _ => is_known = false,
                },
                _ => values.push(value),
            }
        }
        Ok(is_known.then_some(values))
    }

    fn unary(&mut self, site: Site, operator: UnaryOperator, operand: ExprId) -> Outcome {
        let value = self.evaluate(site.at(operand))?;
        match operator {
            UnaryOperator::Not => Ok(match value.truth() {
                Some(truth) => Value::Boolean(!truth),
                None => Value::unknown(Type::BOOLEAN, value.least_trustworthy().unwrap_or(Origin::Join)),
            }),
            UnaryOperator::Minus => self.operate(site, &[&value], |ctx| operators::minus(&value, ctx)),
            UnaryOperator::Unfold => match operators::unfold(&value, self.world) {
                Some(elements) => self.charge(site, Value::array(elements)),
                // Nothing else prevents the elements of a known value from being listed.
                None if value.is_known() => {
                    let failure = Failure::new(Code::TooLarge, "too many elements");
                    Err(self.error(site, failure))
                }
                None => Ok(Value::unknown(
                    Type::array_of(Type::Any),
                    value.least_trustworthy().unwrap_or(Origin::Join),
                )),
            },
        }
    }

    /// Evaluates `and` (`decides` is false) or `or` (`decides` is true).
    fn logical(&mut self, site: Site, lhs: ExprId, rhs: ExprId, decides: bool) -> Outcome {
        let frame = site.frame;
        let left = self.evaluate(frame.at(lhs))?;
        match left.truth() {
            Some(truth) if truth == decides => Ok(Value::Boolean(decides)),
            Some(_) => self.truth_of(frame.at(rhs)),
            None => {
                let origin = left.least_trustworthy().unwrap_or(Origin::Join);
                self.fork(site, 2, origin, |this, branch| match branch {
                    0 => {
                        this.narrow_condition(frame.at(lhs), decides)?;
                        Ok(Value::Boolean(decides))
                    }
                    _ => {
                        this.narrow_condition(frame.at(lhs), !decides)?;
                        this.truth_of(frame.at(rhs))
                    }
                })
            }
        }
    }

    fn truth_of(&mut self, site: Site) -> Outcome {
        let value = self.evaluate(site)?;
        Ok(match value.truth() {
            Some(truth) => Value::Boolean(truth),
            None => Value::unknown(Type::BOOLEAN, value.least_trustworthy().unwrap_or(Origin::Join)),
        })
    }

    fn assignment(
        &mut self,
        site: Site,
        operator: AssignmentOperator,
        target: ExprId,
        value: Outcome,
    ) -> Outcome {
        let result = value.and_then(|value| {
            if operator != AssignmentOperator::Assign {
                let failure = Failure::new(
                    Code::AppendsDeletesNoLongerSupported,
                    "unsupported assignment operator; expected `=`",
                );
                return Err(self.error(site, failure));
            }
            self.assign(site, target, &value)?;
            Ok(value)
        });
        if result.is_err() && self.world.settings.continues_after_errors {
            self.invalidate_variables(site.at(target));
        }
        result
    }

    fn access(&mut self, unit: &Unit, site: Site, lhs: ExprId, keys: &[ExprId]) -> Outcome {
        let program = self.world.program;
        program.begin_element();
        let left = self.evaluate(site.at(lhs))?;
        let is_place = matches!(unit.body[lhs], Expr::Variable(_) | Expr::Access { .. });
        let read = program.collection_read().filter(|_| is_place && matches!(left, Value::Hash(_)));
        let names_classes = matches!(&left, Value::Type(ty) if matches!(&**ty, Type::Class(_)));
        let mut values = Vec::with_capacity(keys.len());
        for key in keys {
            // Names of classes may look like types.
            if names_classes && let Expr::TypeReference(name) = &unit.body[*key] {
                values
                    .push(Value::ty(self.world.type_by_name(name).unwrap_or(Type::Reference(name.clone()))));
                continue;
            }
            // A key expanded by `*` stays one key: an array for a hash, flattened in all other cases.
            values.push(self.evaluate(site.at(*key))?);
        }
        if let Some(result) = self.resource_attribute(site, &left, &values) {
            return result;
        }
        if unit.kind == hir::DefinitionKind::TypeAlias
            && site.expr == unit.body.root
            && let (Value::Type(ty), [Value::Hash(entries)]) = (&left, &values[..])
            && matches!(**ty, Type::TypeSet(None))
            && values[0].is_known()
        {
            // A type set takes the name of its alias.
            let set = types::object::type_set_from_hash(entries, Some(&unit.name), self.world);
            let set = set.map_err(|it| self.error(site, Failure::new(it.code, it.message)))?;
            return Ok(Value::ty(Type::TypeSet(Some(Arc::new(set)))));
        }
        // In an alias, an unknown name denotes itself, whatever operation is applied to it.
        if unit.kind == hir::DefinitionKind::TypeAlias
            && let (Expr::TypeReference(name), Value::Type(ty)) = (&unit.body[lhs], &left)
            && matches!(&**ty, Type::Reference(unknown) if unknown == name)
        {
            return Ok(left);
        }
        let mut operands = vec![&left];
        operands.extend(&values);
        let element = self.operate(site, &operands, |ctx| operators::access(&left, &values, ctx))?;
        program.note_element(match &values[..] {
            [key @ Value::String(_)] => read.map(|read| (read, key)),
            _ => None,
        });
        Ok(self.narrowed_element(site, element))
    }

    fn call(
        &mut self,
        unit: &Unit,
        site: Site,
        functor: ExprId,
        arguments: &[ExprId],
        block: Option<PassedLambda>,
    ) -> Outcome {
        let body: &Body = &unit.body;
        let is_type = |at: ExprId| matches!(&body[at], Expr::TypeReference(_));
        match &body[functor] {
            Expr::TypeReference(_) => {}
            Expr::Access { lhs, .. } if is_type(*lhs) => {}
            Expr::Name(name) => {
                let name = name.clone();
                return match self.elements(site.frame, arguments)? {
                    Some(values) => self.call_function(site, &name, values, block),
                    None => Ok(self.call_with_unknown_arguments(&name)),
                };
            }
            Expr::Missing => return Ok(Self::error_value()),
            _ => {
                let failure = Failure::new(Code::IllegalExpression, "expression cannot be called");
                return Err(self.error(site.at(functor), failure));
            }
        }
        let ty = self.evaluate(site.at(functor))?;
        let Some(mut values) = self.elements(site.frame, arguments)? else {
            return Ok(Value::unknown(Type::Any, Origin::Join));
        };
        values.insert(0, ty);
        self.call_function(site, "new", values, block)
    }

    /// Evaluates the statements of a block. With error recovery, a failed statement is reported and skipped.
    fn block(&mut self, frame: FrameId, statements: &[ExprId]) -> Outcome {
        let mut last = Value::Undef;
        for statement in statements {
            last = match self.evaluate(frame.at(*statement)) {
                Err(Exit::Error(error))
                    if self.world.settings.continues_after_errors && self.is_recoverable(&error) =>
                {
                    let is_possible = self.may_be_skipped();
                    let certainty = if is_possible { Certainty::Possible } else { Certainty::Certain };
                    self.report(*error, certainty);
                    Self::error_value()
                }
                other => other?,
            };
        }
        Ok(last)
    }

    /// Returns true if evaluation may recover from an error: not from a deliberate failure or an exceeded
    /// step limit.
    fn is_recoverable(&self, error: &crate::error::EvaluationError) -> bool {
        !error.is_not_found()
            && !matches!(
                error.code,
                crate::error::DELIBERATE_FAILURE | Code::TooManySteps | Code::TooDeep | Code::TooLarge
            )
    }

    /// Runs a closure and then restores the previous regular expression match.
    fn guarded<T>(&mut self, frame: FrameId, run: impl FnOnce(&mut Self) -> Outcome<T>) -> Outcome<T> {
        let matched = self.frame(frame).matched.clone();
        let result = run(self);
        self.frame_mut(frame).matched = matched;
        result
    }

    fn optional(&mut self, frame: FrameId, expr: Option<ExprId>) -> Outcome {
        expr.map_or(Ok(Value::Undef), |expr| self.evaluate(frame.at(expr)))
    }

    fn conditional(
        &mut self,
        site: Site,
        condition: ExprId,
        when_true: Option<ExprId>,
        when_false: Option<ExprId>,
    ) -> Outcome {
        let frame = site.frame;
        self.guarded(frame, |this| {
            let value = this.evaluate(frame.at(condition))?;
            match value.truth() {
                Some(true) => this.optional(frame, when_true),
                Some(false) => this.optional(frame, when_false),
                None => {
                    let origin = value.least_trustworthy().unwrap_or(Origin::Join);
                    let guard = this.guard(frame.at(condition));
                    let mut is_there = false;
                    let result = this.fork(site, 2, origin, |this, branch| {
                        this.narrow_condition(frame.at(condition), branch == 0)?;
                        let value = this.optional(frame, if branch == 0 { when_true } else { when_false })?;
                        is_there |= guard.as_ref().is_some_and(|it| {
                            it.absent_branch == branch
                                && this.catalog.is_declared_by_branch(it, this.fork_depth())
                        });
                        Ok(value)
                    });
                    if let (Some(guard), true) = (&guard, is_there) {
                        this.catalog.note_guarded(guard);
                    }
                    result
                }
            }
        })
    }

    fn case(&mut self, site: Site, test: ExprId, options: &[CaseOption]) -> Outcome {
        self.guarded(site.frame, |this| {
            let value = this.evaluate(site.at(test))?;
            let arms: Vec<Arm> =
                options.iter().map(|option| Arm { values: &option.values, result: option.block }).collect();
            this.choose(site, test, &value, &arms, 0, &mut |_| Ok(Value::Undef))
        })
    }

    fn selector(&mut self, site: Site, test: ExprId, entries: &[(ExprId, ExprId)]) -> Outcome {
        self.guarded(site.frame, |this| {
            let value = this.evaluate(site.at(test))?;
            let arms: Vec<Arm> = entries
                .iter()
                .map(|(matching, result)| Arm { values: std::slice::from_ref(matching), result: *result })
                .collect();
            this.choose(site, test, &value, &arms, 0, &mut |this| {
                let shown = types::text::to_notation(&value, this.world);
                let failure = Failure::new(
                    Code::UnmatchedSelector,
                    format!("no option of the selector matches `{shown}`"),
                );
                let mut exit = this.error(site.at(test), failure);
                this.silence_if_untrustworthy(&mut exit, &[&value]);
                Err(exit)
            })
        })
    }

    /// Evaluates the first matching arm of a `case` or selector, starting with the arm `first`.
    fn choose(
        &mut self,
        site: Site,
        test: ExprId,
        value: &Value,
        arms: &[Arm],
        first: usize,
        otherwise: &mut dyn FnMut(&mut Self) -> Outcome,
    ) -> Outcome {
        let frame = site.frame;
        for (index, arm) in arms.iter().enumerate().skip(first) {
            match self.option_matches(frame, value, arm.values)? {
                Some(true) => return self.evaluate(frame.at(arm.result)),
                Some(false) => {}
                None => {
                    let origin = value.least_trustworthy().unwrap_or(Origin::Join);
                    return self.fork(site, 2, origin, |this, branch| match branch {
                        0 => {
                            this.narrow_option(frame.at(test), arm.values, true)?;
                            this.evaluate(frame.at(arm.result))
                        }
                        _ => {
                            this.narrow_option(frame.at(test), arm.values, false)?;
                            let narrowed = this.narrowed_value(frame.at(test), value);
                            this.choose(site, test, &narrowed, arms, index + 1, otherwise)
                        }
                    });
                }
            }
        }
        // Of several defaults, the last one applies.
        let unit = self.unit(frame).clone();
        let is_default = |arm: &&Arm| arm.values.iter().any(|value| unit.body[*value] == Expr::Default);
        match arms.iter().rfind(is_default) {
            Some(arm) => self.evaluate(frame.at(arm.result)),
            None => otherwise(self).map_err(|mut exit| {
                // After an arm that may match, it is unknown whether this one is reached.
                if let (true, Exit::Error(error)) = (first > 0, &mut exit) {
                    error.is_silent = true;
                }
                exit
            }),
        }
    }

    /// Returns true if any option of an arm matches; `None` if that is unknown. `default` itself never
    /// matches.
    pub fn option_matches(
        &mut self,
        frame: FrameId,
        value: &Value,
        options: &[ExprId],
    ) -> Outcome<Option<bool>> {
        let unit = self.unit(frame).clone();
        let mut result = Some(false);
        for option in options {
            if unit.body[*option] == Expr::Default {
                continue;
            }
            let candidate = self.evaluate(frame.at(*option))?;
            self.weigh(frame.at(*option), [value, &candidate])?;
            let is_unfolded =
                matches!(&unit.body[*option], Expr::Unary { operator: UnaryOperator::Unfold, .. });
            let candidates = match (&candidate, is_unfolded) {
                (Value::Array(elements), true) => elements.to_vec(),
                (Value::Unknown(_), true) => {
                    result = None;
                    continue;
                }
                _ => vec![candidate],
            };
            for candidate in candidates {
                let mut ctx = OperationContext::new(self.world, self.world.settings.strict);
                let matches = operators::option_matches(value, &candidate, &mut ctx);
                if let Some(matched) = ctx.matched {
                    // If a preceding option may have matched, this one may not have been tested.
                    let is_certain = result.is_some() && !matches!(matches, Ok(None));
                    self.set_match(frame, matched, is_certain);
                }
                match matches.map_err(|failure| self.error(frame.at(*option), failure))? {
                    Some(true) => return Ok(if result.is_none() { None } else { Some(true) }),
                    Some(false) => {}
                    None => result = None,
                }
            }
        }
        Ok(result)
    }
}

/// Returns the error message for a data type that is not defined, with a similar name as help.
pub fn unknown_type_message(program: &(impl Definitions + ?Sized), name: &str) -> String {
    let message = format!("unknown data type `{name}`");
    if let Some(known) = plugins::built_in::similar_data_type(name) {
        return codes::with_help(message, format!("did you mean `{known}`?"));
    }
    let folded = hir::fold_name(name);
    let known = program.similar_names(hir::DefinitionKind::TypeAlias, &folded);
    let similar = crate::similar::similar(&folded, known.iter().map(|it| it.as_str()));
    match similar.first() {
        Some(similar) => {
            let known = types::display::capitalized_segments(similar);
            codes::with_help(message, format!("did you mean `{known}`?"))
        }
        None => message,
    }
}

pub(crate) fn too_long() -> Failure {
    Failure::new(Code::TooLarge, "string is too long")
}

/// Returns a hash some of whose keys are unknown and may be equal.
fn hash_of_unknown_keys(
    known: &types::HashValue,
    unknown: &[(Value, Value)],
    env: &dyn types::TypeEnvironment,
) -> Value {
    let all = || known.iter().chain(unknown.iter().map(|(key, value)| (key, value)));
    let origin = all().flat_map(|(key, value)| [key, value]).filter_map(Value::least_trustworthy).max();
    let key = types::common::union(all().map(|(key, _)| types::infer::infer_set(key, env)), env);
    let value = types::common::union(all().map(|(_, value)| types::infer::infer_set(value, env)), env);
    let size = types::IntegerRange::new(known.len().max(1) as i64, (known.len() + unknown.len()) as i64);
    Value::unknown(Type::hash(key, value, size), origin.unwrap_or(Origin::Join))
}

/// Alternative of a `case` or selector.
struct Arm<'b> {
    values: &'b [ExprId],
    result: ExprId,
}

/// Returns the number of combinations of the possible operands, if more than the first of them is unknown.
fn combinations(operands: &[&Value]) -> u64 {
    if !operands.iter().skip(1).any(|operand| matches!(operand, Value::Unknown(_))) {
        return 0;
    }
    let breadth = |operand: &&Value| match operand {
        Value::Hash(entries) => entries.len(),
        Value::Unknown(unknown) => match &unknown.ty {
            Type::Struct(members) => members.len(),
            Type::Variant(alternatives) => alternatives.len(),
            Type::Enum(enumeration) => enumeration.values.len(),
            _ => 1,
        },
        _ => 1,
    };
    8 * operands.iter().map(breadth).sum::<usize>() as u64
}
