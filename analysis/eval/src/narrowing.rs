//! Narrowing of variables and their elements by a condition, in the branch where it holds.

use std::sync::Arc;

use hir::{Expr, ExprId, VariableRef};
use operators::OperationContext;
use syntax::ast::{BinaryOperator, UnaryOperator};
use types::{Origin, Type, TypeEnvironment, Value};

use crate::error::Outcome;
use crate::evaluator::{ElementPath, Evaluator, VariableTarget};
use crate::frame::{Site, VariableState};

impl Evaluator<'_> {
    /// Narrows the unknown values in a condition as if it were true (or false). Known values never change.
    pub(crate) fn narrow_condition(&mut self, site: Site, holds: bool) -> Outcome<()> {
        let unit = self.unit(site.frame).clone();
        match &unit.body[site.expr] {
            Expr::Variable(_) | Expr::Access { .. } => {
                let env: &dyn TypeEnvironment = self.world;
                self.narrow_place(site, |ty| truthy(ty, holds, env));
                Ok(())
            }
            Expr::Unary { operator: UnaryOperator::Not, operand } => {
                self.narrow_condition(site.at(*operand), !holds)
            }
            Expr::Binary { operator: BinaryOperator::And, lhs, rhs } if holds => {
                self.narrow_condition(site.at(*lhs), true)?;
                self.narrow_condition(site.at(*rhs), true)
            }
            Expr::Binary { operator: BinaryOperator::Or, lhs, rhs } if !holds => {
                self.narrow_condition(site.at(*lhs), false)?;
                self.narrow_condition(site.at(*rhs), false)
            }
            // Equality with a type or pattern differs from a match with it.
            Expr::Binary { operator: BinaryOperator::Equal | BinaryOperator::NotEqual, lhs, rhs }
                if [*lhs, *rhs].iter().any(|it| names_pattern(&unit.body, *it)) =>
            {
                Ok(())
            }
            Expr::Binary { operator: BinaryOperator::Equal, lhs, rhs } => {
                self.narrow_option(site.at(*lhs), &[*rhs], holds)?;
                self.narrow_option(site.at(*rhs), &[*lhs], holds)
            }
            Expr::Binary { operator: BinaryOperator::NotEqual, lhs, rhs } => {
                self.narrow_option(site.at(*lhs), &[*rhs], !holds)?;
                self.narrow_option(site.at(*rhs), &[*lhs], !holds)
            }
            Expr::Binary { operator: BinaryOperator::Match, lhs, rhs } => {
                self.narrow_option(site.at(*lhs), &[*rhs], holds)
            }
            Expr::Binary { operator: BinaryOperator::NoMatch, lhs, rhs } => {
                self.narrow_option(site.at(*lhs), &[*rhs], !holds)
            }
            // `in` compares elements; only literals that narrow by equality as they do by matching are
            // considered.
            Expr::Binary { operator: BinaryOperator::In, lhs, rhs } => match &unit.body[*rhs] {
                Expr::Array(elements) if !elements.iter().any(|it| names_pattern(&unit.body, *it)) => {
                    self.narrow_option(site.at(*lhs), elements, holds)
                }
                _ => Ok(()),
            },
            _ => Ok(()),
        }
    }

    /// Narrows an expression as if it matched one of the options (or none of them).
    pub(crate) fn narrow_option(&mut self, site: Site, options: &[ExprId], holds: bool) -> Outcome<()> {
        let unit = self.unit(site.frame).clone();
        if !matches!(&unit.body[site.expr], Expr::Variable(_) | Expr::Access { .. }) {
            return Ok(());
        }
        let mut matching = Vec::new();
        for option in options {
            let ty = match &unit.body[*option] {
                // Evaluating these a second time is cheap and has no side effects.
                Expr::String(text) | Expr::Name(text) => equal_to_text(text),
                Expr::Integer(_) | Expr::Float(_) => Type::Numeric,
                Expr::Boolean(value) => Type::Boolean(Some(*value)),
                Expr::Undef => Type::Undef,
                Expr::Regex(_) => Type::STRING,
                Expr::TypeReference(_) | Expr::Access { .. } if names_type(&unit.body, *option) => {
                    self.evaluate_type(site.at(*option))?
                }
                _ => return Ok(()),
            };
            // A failed match carries information only if the option is exactly a type.
            let is_exact = matches!(
                &unit.body[*option],
                Expr::TypeReference(_)
                    | Expr::Access { .. }
                    | Expr::Undef
                    | Expr::Boolean(_)
                    | Expr::String(_)
                    | Expr::Name(_)
            );
            if holds || is_exact {
                matching.push(ty);
            }
        }
        let env: &dyn TypeEnvironment = self.world;
        self.narrow_place(site, |ty| {
            if holds {
                let parts = matching.iter().map(|option| types::narrow::intersect(ty, option, env));
                types::common::union(parts.collect::<Vec<_>>(), env)
            } else {
                matching.iter().fold(ty.clone(), |ty, option| types::narrow::exclude(&ty, option, env))
            }
        });
        Ok(())
    }

    /// Returns the value of an expression after narrowing of the variable or element that it reads, if any.
    pub(crate) fn narrowed_value(&self, site: Site, value: &Value) -> Value {
        match self.unknown_target(site) {
            Some((_, narrowed)) => narrowed,
            None => value.clone(),
        }
    }

    /// Returns the value of an element, narrowed by conditions on the element itself.
    pub(crate) fn narrowed_element(&self, site: Site, value: Value) -> Value {
        match &value {
            Value::Undef if self.may_be_fact(site) => {
                return Value::unknown(Type::Any, Origin::Fact);
            }
            // The program has more precise types of facts.
            Value::Unknown(unknown)
                if unknown.origin == Origin::Fact || !self.variables.narrowed.is_empty() => {}
            _ => return value,
        }
        match self.unknown_target(site) {
            Some((_, narrowed)) => narrowed,
            None => value,
        }
    }

    /// Returns true for `$facts['name']` of a fact that is unknown here but that a machine may have.
    fn may_be_fact(&self, site: Site) -> bool {
        let Expr::Access { lhs, keys } = &self.unit(site.frame).body[site.expr] else { return false };
        let [key] = &keys[..] else { return false };
        let is_facts = |place: (VariableTarget, Value)| place.0 == VariableTarget::Global("facts".into());
        self.variable_target(site.at(*lhs)).is_some_and(is_facts)
            && self
                .key_of_element(site.at(*key))
                .and_then(|key| Some(self.world.program.may_have_fact(key.as_str()?)))
                == Some(true)
    }

    fn narrow_place(&mut self, site: Site, narrow: impl Fn(&Type) -> Type) {
        let Some((target, Value::Unknown(unknown))) = self.unknown_target(site) else { return };
        if let VariableTarget::Global(name) = &target {
            // Later reads find the written value, which depends on this one.
            self.world.program.global(name);
        }
        let value = Value::unknown(narrow(&unknown.ty), unknown.origin);
        self.write(target, VariableState::Set(value));
    }

    /// Returns the target of an unknown value and the value: a variable, or an element of one.
    fn unknown_target(&self, site: Site) -> Option<(VariableTarget, Value)> {
        let (target, value) = match self.unit(site.frame).body[site.expr] {
            Expr::Access { .. } => self.element_target(site)?,
            _ => self.variable_target(site)?,
        };
        matches!(value, Value::Unknown(_)).then_some((target, value))
    }

    /// Returns the target `$variable[key]...` and its known value.
    fn element_target(&self, site: Site) -> Option<(VariableTarget, Value)> {
        let unit = self.unit(site.frame);
        let Expr::Access { lhs, keys } = &unit.body[site.expr] else {
            return self.variable_target(site);
        };
        let [key] = &keys[..] else { return None };
        let key = self.key_of_element(site.at(*key))?;
        let (collection, value) = self.element_target(site.at(*lhs))?;
        // The result of an operation on a type is not one of its elements.
        if matches!(value, Value::Type(_)) {
            return None;
        }
        let mut ctx = OperationContext::new(self.world, self.world.settings.strict);
        let value = operators::access(&value, std::slice::from_ref(&key), &mut ctx).ok()?;
        let (root, mut path) = match collection {
            VariableTarget::Element(element) => (element.root.clone(), element.keys.clone()),
            root => (root, Vec::new()),
        };
        path.push(key);
        let element = Arc::new(ElementPath { root, keys: path });
        let Value::Unknown(unknown) = &value else { return Some((VariableTarget::Element(element), value)) };
        let narrowed = match self.variables.narrowed.get(&element) {
            Some(Value::Unknown(known)) => Some(known.ty.clone()),
            _ => self.fact_type(&element.root, &element.keys),
        };
        let value = match narrowed {
            Some(ty) => {
                Value::unknown(types::narrow::intersect(&unknown.ty, &ty, self.world), unknown.origin)
            }
            None => value,
        };
        Some((VariableTarget::Element(element), value))
    }

    /// Evaluates a key to a string or number, if that has no side effects.
    fn key_of_element(&self, site: Site) -> Option<Value> {
        let key = match &self.unit(site.frame).body[site.expr] {
            Expr::String(text) | Expr::Name(text) => Value::String(text.clone()),
            Expr::Integer(index) => Value::Integer(*index),
            Expr::Variable(_) => self.variable_target(site)?.1,
            _ => return None,
        };
        matches!(key, Value::String(_) | Value::Integer(_)).then_some(key)
    }

    /// Returns the name of the top-scope variable that is the argument `index` of a call.
    pub fn top_variable_name(&self, site: Site, index: usize) -> Option<hir::Name> {
        let argument = match &self.unit(site.frame).body[site.expr] {
            Expr::Call { arguments, .. } => *arguments.get(index)?,
            Expr::MethodCall { receiver, .. } if index == 0 => *receiver,
            Expr::MethodCall { arguments, .. } => *arguments.get(index - 1)?,
            _ => return None,
        };
        match self.variable_target(site.at(argument))? {
            (VariableTarget::Global(name), _) => Some(name),
            (VariableTarget::Element(element), _) if element.keys.is_empty() => match &element.root {
                VariableTarget::Global(name) => Some(name.clone()),
                _ => None,
            },
            _ => None,
        }
    }

    /// Returns the type of a fact that the program does not set.
    fn fact_type(&self, root: &VariableTarget, keys: &[Value]) -> Option<Type> {
        let VariableTarget::Global(name) = root else { return None };
        self.world.program.type_of_element(name, keys)
    }

    /// Returns the target of a variable and its value.
    fn variable_target(&self, site: Site) -> Option<(VariableTarget, Value)> {
        let unit = self.unit(site.frame);
        let name = match &unit.body[site.expr] {
            Expr::Variable(VariableRef::Slot(slot)) => {
                let owner = self.frame_of_slot(site.frame, *slot)?;
                let declared = &unit.body.slots[slot.index()];
                return match self.frame(owner).slot(*slot) {
                    VariableState::Set(value) => {
                        Some((VariableTarget::Slot(owner, declared.index_in_scope), value.clone()))
                    }
                    _ => None,
                };
            }
            Expr::Variable(VariableRef::Free(name)) => name,
            Expr::Variable(VariableRef::Qualified { scope, name }) if scope.is_empty() => name,
            _ => return None,
        };
        let set = match self.variables.globals.get(name) {
            Some(VariableState::Set(value)) => Some(value.clone()),
            Some(VariableState::Possible(_)) => return None,
            // A branch that has already been joined wrote it.
            Some(VariableState::Unset) | None => self.world.program.unnoted_global(name),
        };
        let Some(value) = set else {
            // Nothing in this program sets it: what conditions imply is not a value, and is dropped together
            // with them.
            let target = VariableTarget::Element(Arc::new(ElementPath::of_assumed(name)));
            return Some((target, self.assumed_variable(name)?));
        };
        Some((VariableTarget::Global(name.clone()), value))
    }
}

/// Returns the type of the truthy (or falsy) instances of a type.
fn truthy(ty: &Type, holds: bool, env: &dyn TypeEnvironment) -> Type {
    if holds {
        let without_undef = types::narrow::exclude(ty, &Type::Undef, env);
        types::narrow::exclude(&without_undef, &Type::Boolean(Some(false)), env)
    } else {
        let false_values = Type::variant([Type::Undef, Type::Boolean(Some(false))]);
        types::narrow::intersect(ty, &false_values, env)
    }
}

/// Returns the type of the strings that `==` considers equal to `text`, ignoring case.
fn equal_to_text(text: &str) -> Type {
    Type::enumeration([text], true)
}

fn names_pattern(body: &hir::Body, expr: ExprId) -> bool {
    matches!(&body[expr], Expr::Regex(_)) || names_type(body, expr)
}

fn names_type(body: &hir::Body, expr: ExprId) -> bool {
    match &body[expr] {
        Expr::TypeReference(_) => true,
        Expr::Access { lhs, .. } => matches!(&body[*lhs], Expr::TypeReference(_)),
        _ => false,
    }
}
