//! Values that calls pass by name to templates, plans and tasks.

use codes::{Code, DowngradeReason};
use eval::{RecordedValue, World};
use hir::{Body, Expr, ExprId, Name, NameUseKind, VariableRef};
use types::{Type, Value};

use super::missing_parameter::{self, template_argument};
use super::reach::reach;
use super::value_mismatch::{check_with_world, fit, given, severity, without_values};
use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

/// Reports values that do not match the parameter's type, with the code of `value_mismatch`.
pub(super) fn check_values(context: &mut RuleContext<'_>) {
    check_with_world(context, |body, expr| kind_of_call(body, expr).is_some(), check_definition);
}

/// Returns what the first argument of a call names, if the call passes parameters to it.
fn kind_of_call(body: &Body, expr: &Expr) -> Option<NameUseKind> {
    let Expr::Call { functor, lambda: None, .. } = expr else { return None };
    let Expr::Name(function) = &body[*functor] else { return None };
    let kind = hir::kind_of_argument(function, 0)?;
    matches!(kind, NameUseKind::EppTemplate | NameUseKind::Plan | NameUseKind::Task).then_some(kind)
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let body = &*definition.body;
    let summary = compile::summary(context.db, definition.id);
    let public = summary.clone().shown();
    for (_, expr) in body.exprs.iter() {
        let Some(kind) = kind_of_call(body, expr) else { continue };
        let Expr::Call { arguments, .. } = expr else { continue };
        let Some(callee) = CallTarget::of(context, definition, &kind, arguments, world) else { continue };
        if kind == NameUseKind::Plan
            && let [name, only] = &arguments[..]
            && let Some(value) = summary.value(*only)
            && (is_target(body, *only) || !may_be_hash(value, world))
        {
            found.extend(missing_in_plan(context, definition, *name));
        }
        if kind == NameUseKind::Plan
            && let [_, first, rest @ ..] = &arguments[..]
            && let Some(value) = summary.value(*first)
            && (is_target(body, *first) || !may_be_hash(value, world))
        {
            found.extend(positional_targets(context, definition, arguments[0], *first, rest));
        }
        let pairs = arguments.iter().skip(1).filter_map(|it| match &body[*it] {
            Expr::Hash(pairs) => Some(pairs.iter()),
            _ => None,
        });
        for (key, value) in pairs.flatten() {
            let (Expr::String(name) | Expr::Name(name)) = &body[*key] else { continue };
            let Some((ty, has_default)) = callee.parameters.iter().find(|it| it.0 == *name).map(|it| &it.1)
            else {
                continue;
            };
            // The blocks of some functions are not evaluated.
            let literal = literal(body, *value).map(|it| RecordedValue::Values(vec![it]));
            let Some(recorded) = summary.value(*value).or(literal.as_ref()) else { continue };
            let is_hidden = literal.is_none() && public.value(*value).is_none();
            let hidden = is_hidden.then(|| without_values(recorded, world));
            let recorded = hidden.as_ref().unwrap_or(recorded);
            let Some(range) = definition.range(*value) else { continue };
            let fit = fit(ty, recorded, *has_default, world);
            let Some(severity) = severity(context, fit, range) else { continue };
            let message = format!(
                "parameter `{name}` of {} expects `{}`, got {}",
                callee.owner,
                types::mismatch::expected_text(ty, world),
                given(ty, recorded, world)
            );
            let diagnostic = Diagnostic::new(Code::ValueMismatch, range, message);
            found.push(diagnostic.downgraded(DowngradeReason::Uncertain, severity));
        }
    }
}

/// Template, plan or task with the types of its parameters, and whether each has a default.
struct CallTarget {
    owner: String,
    parameters: Vec<(Name, (Type, bool))>,
}

impl CallTarget {
    fn of(
        context: &RuleContext<'_>,
        definition: &SectionDefinition<'_>,
        kind: &NameUseKind,
        arguments: &[ExprId],
        world: &World<'_>,
    ) -> Option<CallTarget> {
        let (db, file) = (context.db, context.file);
        let first = *arguments.first()?;
        let target = match kind {
            NameUseKind::EppTemplate => {
                let path = template_argument(context, definition, first)?;
                let template = project::template_file(db, file, &path)?;
                let main = project::definitions(db, template).first().copied()?;
                (format!("template `{path}`"), main)
            }
            NameUseKind::Plan => {
                let Expr::String(name) = &definition.body[first] else { return None };
                let plan = project::resolve_plan(db, file, name)?;
                (format!("plan `{name}`"), plan)
            }
            _ => {
                let Expr::String(name) = &definition.body[first] else { return None };
                let metadata = project::task_metadata(db, project::task_file(db, file, name)?);
                let typed = |it: &project::TaskParameter| {
                    let ty = types::parse::parse_type(it.type_text.as_deref()?, world).ok()?;
                    Some((it.name.clone(), (ty, it.has_default)))
                };
                let parameters = metadata.parameters.as_deref()?.iter().filter_map(typed).collect();
                return Some(CallTarget { owner: format!("task `{name}`"), parameters });
            }
        };
        let (owner, target) = target;
        let signature = project::signature(db, target).as_ref()?;
        let types = compile::parameter_types(db, target);
        let parameters = signature.parameters.iter().zip(types.iter());
        let parameters =
            parameters.filter_map(|(it, ty)| Some((it.name.clone(), (ty.as_ref()?.clone(), it.has_default))));
        Some(CallTarget { owner, parameters: parameters.collect() })
    }
}

/// Returns the value of a string, a number, a boolean, or an array of these.
fn literal(body: &Body, expr: ExprId) -> Option<Value> {
    Some(match &body[expr] {
        Expr::String(text) | Expr::Name(text) => Value::string(text.as_str()),
        Expr::Integer(number) => Value::Integer(*number),
        Expr::Boolean(boolean) => Value::Boolean(*boolean),
        Expr::Array(elements) => {
            Value::array(elements.iter().map(|it| literal(body, *it)).collect::<Option<Vec<_>>>()?)
        }
        _ => return None,
    })
}

/// Returns true for a parameter with a type of targets.
fn is_target(body: &Body, argument: ExprId) -> bool {
    let Expr::Variable(VariableRef::Slot(slot)) = body[argument] else { return false };
    let parameter = body.parameters.iter().find(|it| it.slot == slot);
    let declared = parameter.and_then(|it| missing_parameter::type_name(&body.exprs, it.type_expr?));
    declared.is_some_and(|it| {
        matches!(it.rsplit("::").next(), Some("Target" | "TargetSpec" | "SingleTargetSpec"))
    })
}

/// Returns false if the value is certainly not a hash, so that it is the targets of the plan.
fn may_be_hash(recorded: &RecordedValue, world: &World<'_>) -> bool {
    let hash = types::parse::parse_type("Hash", world);
    let may_be = |ty: &Type| hash.as_ref().map_or(true, |hash| types::assign::overlaps(ty, hash, world));
    match recorded {
        RecordedValue::Type(ty) => may_be(ty),
        RecordedValue::Values(values) => values.iter().any(|it| may_be(&types::infer::infer(it, world))),
    }
}

/// Reports the missing parameters of a plan that only gets targets.
fn missing_in_plan(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    name: ExprId,
) -> Option<Diagnostic> {
    let Expr::String(plan) = &definition.body[name] else { return None };
    let target = project::resolve_plan(context.db, context.file, plan)?;
    let missing: Vec<_> = missing_parameter::of_definition(context, target)
        .into_iter()
        .filter(|(name, _)| !matches!(name.as_str(), "targets" | "nodes"))
        .collect();
    let range = definition.range(name).filter(|_| !missing.is_empty())?;
    let severity = reach(context, range).severity();
    Some(missing_parameter::diagnostic(severity, range, &format!("plan `{plan}`"), missing))
}

/// Reports positional targets of a plan that does not take any, or that gets them by name too.
fn positional_targets(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    name: ExprId,
    targets: ExprId,
    rest: &[ExprId],
) -> Option<Diagnostic> {
    let body = &*definition.body;
    let Expr::String(plan) = &body[name] else { return None };
    let target = project::resolve_plan(context.db, context.file, plan)?;
    let signature = project::signature(context.db, target).as_ref()?;
    // Bolt prefers `nodes`.
    let parameter =
        ["nodes", "targets"].into_iter().find(|name| signature.parameters.iter().any(|it| it.name == *name));
    let Some(parameter) = parameter else {
        let range = definition.range(targets)?;
        let message = format!("plan `{plan}` has no parameter `targets`");
        let severity = reach(context, range).severity();
        let diagnostic = Diagnostic::new(Code::UnknownAttribute, range, message);
        return Some(diagnostic.downgraded(DowngradeReason::Uncertain, severity));
    };
    let pairs = rest.iter().filter_map(|it| match &body[*it] {
        Expr::Hash(pairs) => Some(pairs.iter()),
        _ => None,
    });
    let is_parameter =
        |key: &ExprId| matches!(&body[*key], Expr::String(it) | Expr::Name(it) if it == parameter);
    let (key, _) = pairs.flatten().find(|(key, _)| is_parameter(key))?;
    let range = definition.range(*key)?;
    let message = format!("`{parameter}` of plan `{plan}` is given by position already");
    let severity = reach(context, range).severity();
    let diagnostic = Diagnostic::new(Code::ValueMismatch, range, message);
    Some(diagnostic.downgraded(DowngradeReason::Uncertain, severity))
}
