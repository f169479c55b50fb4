//! Evaluation results by position in a file.

use std::sync::Arc;

use compile::Summary;
use eval::{RecordedValue, RubyReason, World};
use hir::{Body, BodySourceMap, Expr, ExprId, Parameter, SlotId, VariableRef};
use project::{Db, DefinitionId, File};
use syntax::{AstNode, SyntaxNode, ast};
use types::{Origin, Type, TypeEnvironment, Value};

/// A definition with its evaluation results, without secrets since they are for display.
#[derive(Clone)]
pub struct Evaluated {
    pub definition: DefinitionId,
    pub body: Arc<Body>,
    pub map: Arc<BodySourceMap>,
    pub summary: Arc<Summary>,
}

impl Evaluated {
    /// Evaluates a definition.
    pub fn new(db: &dyn Db, definition: DefinitionId) -> Evaluated {
        Evaluated {
            definition,
            body: project::body(db, definition),
            map: project::body_source_map(db, definition),
            summary: compile::summary(db, definition).shown(),
        }
    }

    /// Evaluates the innermost definition around a node of the file; `None` for a file above the size limit.
    pub fn around(db: &dyn Db, file: File, node: &SyntaxNode) -> Option<Evaluated> {
        Some(Evaluated::new(db, definition_around(db, file, node)?))
    }

    /// Returns the value of a node's expression; for the left side of an assignment, the assigned value.
    pub fn value(&self, node: &SyntaxNode) -> Option<RecordedValue> {
        let expr = self.map.expr(node)?;
        if let Some(recorded) = self.summary.value(expr) {
            return Some(recorded.clone());
        }
        match &self.body[expr] {
            Expr::Variable(VariableRef::Slot(slot)) => {
                // An unreachable assignment has no value, whatever other assignments set.
                if self.is_assigned(expr) { self.assigned(expr) } else { self.first_read_value(*slot) }
            }
            _ => None,
        }
    }

    /// Returns the reason why the call of a Ruby function has an unknown result.
    pub fn ruby_reason(&self, node: &SyntaxNode) -> Option<&RubyReason> {
        self.summary.ruby_reason(self.map.expr(node)?)
    }

    /// Returns true if a node is the left side of an assignment.
    pub fn is_set_at(&self, node: &SyntaxNode) -> bool {
        self.map.expr(node).is_some_and(|expr| self.is_assigned(expr))
    }

    fn is_assigned(&self, lhs: ExprId) -> bool {
        self.body.exprs.iter().any(|(_, expr)| matches!(expr, Expr::Assignment { lhs: it, .. } if *it == lhs))
    }

    /// Returns the value that an assignment gave to its left side.
    fn assigned(&self, lhs: ExprId) -> Option<RecordedValue> {
        let (assignment, _) = self
            .body
            .exprs
            .iter()
            .find(|(_, expr)| matches!(expr, Expr::Assignment { lhs: it, .. } if *it == lhs))?;
        self.summary.value(assignment).cloned()
    }

    /// Returns the value of a variable of the definition's own scope, or of a lambda in it.
    pub fn variable_value(&self, name: &str) -> Option<RecordedValue> {
        let is_meant = |lhs: ExprId| match &self.body[lhs] {
            Expr::Variable(VariableRef::Slot(slot)) => {
                self.body.slots.get(slot.index()).is_some_and(|it| it.name == name)
            }
            _ => false,
        };
        let mut assignments = self.body.exprs.iter().filter_map(|(_, expr)| match expr {
            Expr::Assignment { lhs, .. } if is_meant(*lhs) => Some(*lhs),
            _ => None,
        });
        assignments.find_map(|lhs| self.assigned(lhs))
    }

    /// Returns the value of a variable at its first evaluated read.
    fn first_read_value(&self, slot: SlotId) -> Option<RecordedValue> {
        let reads =
            self.body.exprs.iter().filter(|(_, expr)| **expr == Expr::Variable(VariableRef::Slot(slot)));
        reads.into_iter().find_map(|(read, _)| self.summary.value(read)).cloned()
    }

    /// Returns the parameter of this definition, or of a lambda in it, that a node declares, with its value.
    pub fn parameter(&self, node: &ast::Parameter) -> Option<(Parameter, Option<RecordedValue>)> {
        let list = node.syntax().parent()?;
        let index = list.children().filter_map(ast::Parameter::cast).position(|it| it == *node)?;
        let parameters = match list.parent().and_then(ast::Lambda::cast) {
            Some(lambda) => match &self.body[self.map.expr_of(&lambda)?] {
                Expr::Lambda { parameters, .. } => parameters,
                _ => return None,
            },
            None => &self.body.parameters,
        };
        let parameter = parameters.get(index)?.clone();
        let recorded = self.summary.parameter(parameter.slot).cloned();
        Some((parameter, recorded))
    }
}

/// Returns the innermost definition around a node of a file.
pub fn definition_around(db: &dyn Db, file: File, node: &SyntaxNode) -> Option<DefinitionId> {
    let range = node.text_range();
    let around = project::definitions(db, file).into_iter().filter_map(|definition| {
        let own = project::body_source_map(db, definition).definition()?.range;
        // A definition may be all of its file.
        let is_main = definition.key(db).kind == hir::DefinitionKind::Main;
        own.contains_range(range).then_some((own.end - own.start, is_main, definition))
    });
    around.min_by_key(|(length, is_main, _)| (*length, *is_main)).map(|(.., definition)| definition)
}

/// Joins a recorded value to a single value.
pub fn value_of(recorded: &RecordedValue, env: &dyn TypeEnvironment) -> Value {
    match recorded {
        RecordedValue::Values(values) => match &values[..] {
            [value] => value.clone(),
            values => {
                let types = values.iter().map(|value| types::infer::infer(value, env));
                Value::unknown(types::common::union(types, env), Origin::Join)
            }
        },
        RecordedValue::Type(ty) => Value::unknown(ty.clone(), Origin::Join),
    }
}

/// Returns the type of a recorded value: for known values without their exact sizes, else unchanged.
pub fn type_of(recorded: &RecordedValue, env: &dyn TypeEnvironment) -> Type {
    tidy(joined_type(recorded, env), env)
}

/// Replaces `Boolean[true]` and `Boolean[false]` in a variant with `Boolean`.
fn tidy(ty: Type, env: &dyn TypeEnvironment) -> Type {
    let Type::Variant(types) = &ty else { return ty };
    if ![true, false].iter().all(|it| types.contains(&Type::Boolean(Some(*it)))) {
        return ty;
    }
    let others = types.iter().filter(|it| !matches!(it, Type::Boolean(_))).cloned();
    types::common::union(others.chain([Type::BOOLEAN]), env)
}

fn joined_type(recorded: &RecordedValue, env: &dyn TypeEnvironment) -> Type {
    let general = |value: &Value| types::common::generalize(&types::infer::infer(value, env), env);
    match (known_values(recorded), recorded) {
        (Some(values), _) => types::common::union(values.iter().map(general), env),
        (None, RecordedValue::Values(values)) => {
            let types = values.iter().map(|value| match value {
                Value::Unknown(unknown) => unknown.ty.clone(),
                value => general(value),
            });
            types::common::union(types, env)
        }
        (None, RecordedValue::Type(ty)) => ty.clone(),
    }
}

/// Returns the values if all of them are known and they are at most four.
pub fn known_values(recorded: &RecordedValue) -> Option<Vec<Value>> {
    let RecordedValue::Values(values) = recorded else { return None };
    let mut known = Vec::new();
    for value in values {
        match value {
            Value::Unknown(unknown) if unknown.origin == Origin::Join => {
                known.extend(alternatives(&unknown.ty)?)
            }
            value if value.is_known() => known.push(value.clone()),
            _ => return None,
        }
    }
    (known.len() <= MAX_ALTERNATIVES).then_some(known)
}

/// Maximum number of alternative values that are treated as known.
const MAX_ALTERNATIVES: usize = 4;

/// Returns the values of a type that joins branches with different values.
fn alternatives(ty: &Type) -> Option<Vec<Value>> {
    Some(match ty {
        Type::Undef => vec![Value::Undef],
        Type::Boolean(Some(value)) => vec![Value::Boolean(*value)],
        Type::Integer(range) if range.min == range.max => vec![Value::Integer(range.min)],
        Type::LiteralString(text) => vec![Value::String(text.clone())],
        Type::Enum(texts) if !texts.case_insensitive => {
            texts.values.iter().map(|text| Value::String(text.clone())).collect()
        }
        Type::Optional(Some(ty)) => alternatives(ty)?.into_iter().chain([Value::Undef]).collect(),
        Type::Variant(types) => {
            let mut all = Vec::new();
            for ty in types.iter() {
                all.extend(alternatives(ty)?);
            }
            all
        }
        _ => return None,
    })
}

/// Formats a type, truncated to `most` characters. Aliases are shown by name.
pub fn short_type(ty: &Type, most: usize, env: &dyn TypeEnvironment) -> String {
    shortened(types::display::embedded_type_text(ty, env), most)
}

/// Formats a value in Puppet's notation, truncated to `most` characters. Sensitive values are masked.
pub fn short_value(value: &Value, most: usize, world: &World<'_>) -> String {
    let text = types::text::to_notation(value, world);
    shortened(text.replace(['\n', '\r'], " "), most)
}

fn shortened(text: String, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
