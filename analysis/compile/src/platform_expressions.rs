//! Expressions that follow from the platform alone: what they come to on a platform is known without a compile.

use std::cell::Cell;
use std::sync::Arc;

use eval::{
    EvaluationSettings, Evaluator, Frame, FrameId, FunctionLibrary, FunctionSource, MissingNameKind,
    ModuleFolder, Program, Unit, UnitId, World,
};
use hir::{Body, Expr, ExprId, Name, ScopeId, VariableRef};
use project::{Db, DefinitionId, Environment};
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::ast::{BinaryOperator, UnaryOperator};
use types::{Remembered, Type, Value};

use crate::checked_facts::FactSetId;
use crate::settled_classes::{is_settled, settled_variable};
use crate::summaries::settings_of;
use crate::top_variables::top_variables_of_classes;

/// The largest expressions of a definition that follow from facts, variables of classes that only set some, and constants
/// alone, if those are what the names in it mean.
#[salsa::tracked(returns(clone))]
pub fn platform_expressions(db: &dyn Db, definition: DefinitionId) -> Arc<FxHashSet<ExprId>> {
    let _span = tracing::info_span!("platform_expressions").entered();
    let body = project::body(db, definition);
    // Operands come before what they are operands of.
    let mut kinds: FxHashMap<ExprId, PlatformDependence> = FxHashMap::default();
    for (id, expr) in body.exprs.iter() {
        if let Some(kind) = kind_of(&body, expr, &kinds) {
            kinds.insert(id, kind);
        }
    }
    let parts: FxHashSet<ExprId> = kinds.keys().flat_map(|id| operands(&body[*id])).collect();
    let choices = choices(&body);
    // That a variable is read is noted anyway.
    let is_asked = |id: &ExprId| !matches!(body[*id], Expr::Variable(_)) || choices.contains_key(id);
    let of_platform =
        kinds.iter().filter(|(_, kind)| **kind != PlatformDependence::Constant).map(|(id, _)| *id);
    Arc::new(of_platform.filter(|id| !parts.contains(id) && is_asked(id)).collect())
}

/// How an expression follows from the platform.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum PlatformDependence {
    Constant,
    Platform,
    /// A match: it leaves behind what matched.
    Match,
}

/// `None` for what does not follow from the platform alone. `kinds`: those of what comes before it.
fn kind_of(
    body: &Body,
    expr: &Expr,
    kinds: &FxHashMap<ExprId, PlatformDependence>,
) -> Option<PlatformDependence> {
    let of_operands = || {
        let mut kinds = operands(expr).into_iter().map(|id| kinds.get(&id).copied());
        kinds.try_fold(PlatformDependence::Constant, |all, kind| {
            kind.filter(|it| *it != PlatformDependence::Match).map(|it| all.max(it))
        })
    };
    let is_versioncmp = |functor: ExprId| matches!(&body[functor], Expr::Name(name) if name == "versioncmp");
    match expr {
        // What matches one leaves something behind.
        Expr::Regex(_) => None,
        Expr::Variable(VariableRef::Qualified { .. } | VariableRef::Free(_)) => {
            Some(PlatformDependence::Platform)
        }
        Expr::Binary { operator: BinaryOperator::Match | BinaryOperator::NoMatch, lhs, rhs } => {
            let is_plain =
                kinds.get(lhs) == Some(&PlatformDependence::Platform) && matches!(body[*rhs], Expr::Regex(_));
            is_plain.then_some(PlatformDependence::Match)
        }
        Expr::Call { functor, lambda: None, .. } if is_versioncmp(*functor) => of_operands(),
        Expr::Unary { operator: UnaryOperator::Not, .. }
        | Expr::Array(_)
        | Expr::Access { .. }
        | Expr::Binary { .. } => of_operands(),
        other => other.is_constant().then_some(PlatformDependence::Constant),
    }
}

fn operands(expr: &Expr) -> Vec<ExprId> {
    match expr {
        Expr::Array(elements) => elements.to_vec(),
        Expr::Access { lhs, keys } => [&[*lhs], &keys[..]].concat(),
        Expr::Unary { operand, .. } => vec![*operand],
        Expr::Binary { lhs, rhs, .. } => vec![*lhs, *rhs],
        Expr::Call { arguments, .. } => arguments.to_vec(),
        _ => Vec::new(),
    }
}

/// What a `case` or selector chooses by.
struct Choice<'b> {
    /// The options of each alternative.
    options: Vec<&'b [ExprId]>,
    /// Is it an error, which tells the value, that there is no alternative for it?
    is_selector: bool,
}

/// The choices between constants, by what they test.
fn choices(body: &Body) -> FxHashMap<ExprId, Choice<'_>> {
    let choices = body.exprs.iter().filter_map(|(_, expr)| {
        let (test, options, is_selector): (_, Vec<&[ExprId]>, _) = match expr {
            Expr::Case { test, options } => (test, options.iter().map(|it| &*it.values).collect(), false),
            Expr::Selector { lhs, entries } => {
                (lhs, entries.iter().map(|(option, _)| std::slice::from_ref(option)).collect(), true)
            }
            _ => return None,
        };
        let is_plain = options.iter().copied().flatten().all(|id| body[*id].is_constant());
        is_plain.then_some((*test, Choice { options, is_selector }))
    });
    choices.collect()
}

impl Choice<'_> {
    /// The number of the alternative for a value, with what more of the value is seen; `None` where that is not clear.
    fn value(
        &self,
        evaluator: &mut Evaluator<'_>,
        frame: FrameId,
        body: &Body,
        value: Value,
    ) -> Option<Value> {
        let mut chosen = None;
        for (index, options) in self.options.iter().enumerate() {
            if evaluator.option_matches(frame, &value, options).ok()?? {
                chosen = Some(index);
                break;
            }
        }
        let is = |options: &&[ExprId], what: fn(&Expr) -> bool| options.iter().any(|id| what(&body[*id]));
        let chosen = chosen
            .or_else(|| self.options.iter().rposition(|options| is(options, |it| *it == Expr::Default)));
        let seen = match chosen {
            // What matched.
            Some(index) => is(&self.options[index], |it| matches!(it, Expr::Regex(_))),
            None => self.is_selector,
        };
        let number = chosen.map_or(Value::Undef, |index| Value::Integer(index as i64));
        Some(Value::array(vec![number, if seen { value } else { Value::Undef }]))
    }
}

/// What the [`platform_expressions`] of a definition are worth on a platform; of what choices test, which alternative they
/// choose. Left out are those that fail, and those that are not known.
#[salsa::tracked(returns(clone))]
pub(crate) fn platform_values(
    db: &dyn Db,
    environment: Environment,
    definition: DefinitionId,
    facts: FactSetId,
) -> Remembered<Arc<FxHashMap<ExprId, Value>>> {
    let variables = top_variables_of_classes(db, environment, facts).0.unwrap_or_default();
    let asks_more = Cell::new(false);
    let program = PlatformVariables { db, environment, facts, variables, asks_more };
    let settings = EvaluationSettings { is_part: true, ..settings_of(db, environment) };
    let world = World::new(&program, settings);
    let mut evaluator = Evaluator::new(&world);
    let key = definition.key(db);
    let body = project::body(db, definition);
    let unit = Unit::new(UnitId(0), key.name.clone(), key.kind, body.clone());
    let frame = evaluator.open_frame(Frame::new(unit.into(), ScopeId::ROOT));
    let choices = choices(&body);
    let expressions = platform_expressions(db, definition);
    let values = expressions.iter().filter_map(|expr| {
        program.asks_more.set(false);
        let value = evaluator.value_by_variables(frame, *expr)?;
        let value = match choices.get(expr) {
            Some(choice) => choice.value(&mut evaluator, frame, &body, value)?,
            None => value,
        };
        (!program.asks_more.get()).then_some((*expr, value))
    });
    Remembered(Arc::new(values.collect()))
}

/// The variables of the top scope and of classes that only set some, and nothing else.
struct PlatformVariables<'db> {
    db: &'db dyn Db,
    environment: Environment,
    facts: FactSetId,
    variables: Arc<FxHashMap<Name, Value>>,
    /// Was something asked that they do not say? It may be different where the expression stands.
    asks_more: Cell<bool>,
}

impl PlatformVariables<'_> {
    fn ask<T>(&self, answer: T) -> T {
        self.asks_more.set(true);
        answer
    }

    /// A variable of a class, or of what it inherits.
    fn of_class(&self, class: &str, name: &str) -> Option<Value> {
        let (db, environment) = (self.db, self.environment);
        let mut class = project::resolve_in_modules(db, environment, project::NameKind::Class, class)?;
        // What is settled does not inherit itself.
        while *is_settled(db, environment, class, self.facts) {
            let value = settled_variable(db, environment, class, self.facts, name.into()).0;
            if value.is_some() {
                return value;
            }
            let parent = project::signature(db, class).as_ref()?.inherits.as_ref()?;
            class = project::resolve_in_modules(db, environment, project::NameKind::Class, parent)?;
        }
        None
    }
}

impl Program for PlatformVariables<'_> {
    fn functions(&self) -> &'static dyn FunctionLibrary {
        functions::LIBRARY
    }

    fn function(&self, _: &str) -> Option<FunctionSource> {
        self.ask(None)
    }

    fn replacement(&self, name: &str) -> Option<FunctionSource> {
        let kind = project::NameKind::Function;
        match project::resolve(self.db, self.environment, kind, name) {
            Some(_) => self.ask(None),
            None => None,
        }
    }

    fn type_alias(&self, _: &str) -> Option<Arc<Unit>> {
        self.ask(None)
    }

    fn resource_type_exists(&self, _: &str) -> bool {
        self.ask(false)
    }

    fn class_exists(&self, _: &str) -> bool {
        self.ask(false)
    }

    fn class(&self, _: &str) -> Option<Arc<Unit>> {
        self.ask(None)
    }

    fn may_define(&self, kind: MissingNameKind, _: &str) -> bool {
        self.ask(());
        kind == MissingNameKind::Variable
    }

    fn global(&self, name: &str) -> Option<Value> {
        let of_class = || name.rsplit_once("::").and_then(|(class, variable)| self.of_class(class, variable));
        self.variables.get(name).cloned().or_else(of_class)
    }

    fn type_of_element(&self, _: &str, _: &[Value]) -> Option<Type> {
        None
    }

    fn module_folder(&self, _: &str) -> ModuleFolder {
        self.ask(ModuleFolder::Unclear)
    }

    fn module_file(&self, _: &str, _: &str) -> Option<Arc<[u8]>> {
        self.ask(None)
    }
}
