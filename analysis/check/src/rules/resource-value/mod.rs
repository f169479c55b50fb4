#![doc = include_str!("page.md")]

use std::sync::Arc;

use codes::{Code, DowngradeReason};
use compile::Summary;
use eval::similar::similar;
use eval::{RecordedValue, World};
use hir::{AttributeOperation, Body, Expr, ExprId, Name, ReferenceKind, ResourceBody};
use plugins::{ResourceApi, RubyResourceType};
use project::{Absence, File, FileRole, NameKind, ResourceTypeTarget};
use resources::{AgentRefusal, AgentResource, agent_refusal, provider_to_resolve};
use smol_str::SmolStr;
use syntax::Severity;
use syntax::ast::ResourceForm;
use types::Value;

use super::reach::{Reach, reach};
use super::unknown::with_suggestion;
use super::value_mismatch::{AttributeList, attribute_lists, check_with_world};
use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, FixData, UnknownNameKind};

pub(super) fn check_values(context: &mut RuleContext<'_>) {
    let is_relevant = |body: &Body, expr: &Expr| {
        matches!(expr, Expr::Resource { .. }) || !attribute_lists(body, expr).is_empty()
    };
    check_with_world(context, is_relevant, check_definition);
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let summary = compile::summary(context.db, definition.id);
    let values = RecordedValues { public: summary.clone().shown(), all: summary };
    for (_, expr) in definition.body.exprs.iter() {
        for list in attribute_lists(&definition.body, expr) {
            let target = project::resolve_resource_type(context.db, context.file, &list.type_name);
            if let Some(ResourceTypeTarget::BuiltIn(resource_type)) = target {
                check_built_in(context, definition, &values, resource_type, &list, found);
            }
        }
        let Expr::Resource { form, type_expr, bodies } = expr else { continue };
        let Expr::Name(type_name) = &definition.body[*type_expr] else { continue };
        let type_name = hir::fold_name(type_name);
        if ReferenceKind::of(&type_name) == ReferenceKind::Class {
            continue;
        }
        let target = project::resolve_resource_type(context.db, context.file, &type_name);
        let Some(ResourceTypeTarget::Ruby { file, resource_type }) = target else { continue };
        for body in bodies {
            let resource = GivenBody { resource_type: &resource_type, file, form: *form, body };
            found.extend(check_resource(context, definition, world, &resource));
        }
    }
}

/// Checks attributes of a built-in type. Reports each value that no agent accepts; if there is none, a
/// contradiction between the attributes. Attributes that are not set here may be set elsewhere.
fn check_built_in(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    values: &RecordedValues,
    resource_type: &RubyResourceType,
    list: &AttributeList<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let mut attributes: Vec<(Name, Value, ExprId)> = Vec::new();
    for operation in list.operations {
        let AttributeOperation::Set { name, value, append: false } = operation else { continue };
        attributes.push((name.clone(), values.of(*value), *value));
    }
    let all: Vec<(Name, Value)> =
        attributes.iter().map(|(name, value, _)| (name.clone(), value.clone())).collect();
    let has_provider = provider_to_resolve(&resource_type.name, &all)
        .is_none_or(|provider| may_have_provider(context, &resource_type.name, provider));
    let before = found.len();
    let of_type = AgentResource {
        type_name: &resource_type.name,
        title: None,
        attributes: &[],
        is_complete: false,
        is_of_module: false,
        has_provider,
    };
    let refuse = |attributes: &[(Name, Value)]| agent_refusal(&AgentResource { attributes, ..of_type });
    for (name, value, expr) in &attributes {
        if let Some(refusal) = refuse(&[(name.clone(), value.clone())]) {
            found.extend(diagnostic(context, definition, list, *expr, refusal));
        }
    }
    if found.len() > before {
        return;
    }
    let Some(refusal) = refuse(&all) else {
        found.extend(check_incomplete(context, definition, values, list, &of_type, &attributes));
        return;
    };
    let cause = attributes.iter().find(|(name, ..)| Some(name) == refusal.cause.as_ref());
    if let Some((_, _, expr)) = cause {
        found.extend(diagnostic(context, definition, list, *expr, refusal));
    }
}

/// Checks the titles of a resource declaration, and attributes that it does not set. Resources that code of the
/// environment may complete are ignored.
fn check_incomplete(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    values: &RecordedValues,
    list: &AttributeList<'_>,
    of_type: &AgentResource<'_>,
    attributes: &[(Name, Value, ExprId)],
) -> Option<Diagnostic> {
    let title_expr = list.title.filter(|_| list.is_declared_alone && !list.is_virtual)?;
    // A loose file may be a part of anything.
    let is_loose = matches!(context.file.role(context.db), FileRole::Loose);
    if is_loose || attributes.len() < list.operations.len() {
        return None;
    }
    let all: Vec<(Name, Value)> =
        attributes.iter().map(|(name, value, _)| (name.clone(), value.clone())).collect();
    let titles = match values.of(title_expr) {
        Value::String(title) => vec![Some(title)],
        Value::Array(titles) => titles.iter().map(|it| it.as_str().map(SmolStr::new)).collect(),
        _ => vec![None],
    };
    let refuse = |title: &Option<SmolStr>| {
        let title = title.as_deref();
        agent_refusal(&AgentResource { title, attributes: &all, is_complete: true, ..*of_type })
    };
    let refusal = titles.iter().find_map(refuse)?;
    // Attributes that would make the resource valid.
    let mut missing = refusal.missing.to_vec();
    if let (Some(attribute), None) = (&refusal.attribute, &refusal.cause) {
        missing.extend(["name", attribute]);
    }
    if compile::may_be_set_elsewhere(context.db, context.environment, &list.type_name, &missing) {
        return None;
    }
    let cause = attributes.iter().find(|(name, ..)| Some(name) == refusal.cause.as_ref());
    let expr = cause.map_or(title_expr, |(_, _, expr)| *expr);
    // A warning would hide the finding of a compile.
    diagnostic(context, definition, list, expr, refusal).filter(|it| it.severity() == Severity::Error)
}

/// Returns true unless all modules are known, and none adds the provider.
fn may_have_provider(context: &RuleContext<'_>, type_name: &str, provider: &str) -> bool {
    let added = project::provider_programs(context.db, context.environment, type_name);
    let absence =
        project::absence_in_environment(context.db, context.environment, NameKind::DefinedType, provider);
    absence != Absence::NameMissing || added.iter().any(|(name, _)| name == provider)
}

/// Returns true if a collector in the file sets an attribute of resources of the type.
fn may_be_overridden(context: &RuleContext<'_>, list: &AttributeList<'_>, attribute: &str) -> bool {
    context.definitions.iter().any(|definition| {
        definition.body.exprs.iter().any(|(_, expr)| match expr {
            Expr::Collect { type_expr, operations, .. } => {
                let is_type = matches!(
                    &definition.body[*type_expr],
                    Expr::TypeReference(name) if hir::fold_name(name) == list.type_name
                );
                is_type
                    && operations.iter().any(|operation| {
                        matches!(operation, AttributeOperation::Set { name, .. } if name == attribute)
                    })
            }
            _ => false,
        })
    })
}

/// Values of the expressions of a definition.
struct RecordedValues {
    all: Arc<Summary>,
    /// Those without secrets.
    public: Arc<Summary>,
}

impl RecordedValues {
    /// Returns the only possible value of an expression, in `Sensitive` if it must not be shown.
    fn of(&self, expr: ExprId) -> Value {
        let single = |recorded: Option<&RecordedValue>| match recorded {
            Some(RecordedValue::Values(values)) if values.len() == 1 => values.first().cloned(),
            _ => None,
        };
        match (single(self.all.value(expr)), single(self.public.value(expr))) {
            (Some(_), Some(value)) => value,
            (Some(secret), None) => Value::sensitive(secret),
            (None, _) => Value::unknown(types::Type::Any, types::Origin::Join),
        }
    }
}

fn diagnostic(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    list: &AttributeList<'_>,
    expr: ExprId,
    refusal: AgentRefusal,
) -> Option<Diagnostic> {
    let range = definition.range(expr)?;
    let is_overridden = refusal.cause.as_ref().is_some_and(|it| may_be_overridden(context, list, it));
    let is_certain =
        list.is_certain && !list.is_virtual && !is_overridden && reach(context, range) == Reach::Always;
    let severity = if is_certain { Severity::Error } else { Severity::Warning };
    let (message, data) = match refusal.unlisted {
        Some((name, listed)) => {
            let similar = similar(&name, listed.iter().map(Name::as_str));
            let message = with_suggestion(refusal.message, similar.first());
            (message, Some(FixData::UnknownName { kind: UnknownNameKind::Attribute, name, similar }))
        }
        None => (refusal.message, None),
    };
    let diagnostic =
        Diagnostic::new(Code::ResourceValue, range, message).downgraded(DowngradeReason::Uncertain, severity);
    Some(match data {
        Some(data) => diagnostic.with_data(data),
        None => diagnostic,
    })
}

/// Body of a resource declaration.
struct GivenBody<'a> {
    resource_type: &'a RubyResourceType,
    /// File of the type's definition.
    file: File,
    form: ResourceForm,
    body: &'a ResourceBody,
}

fn check_resource(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    resource: &GivenBody<'_>,
) -> Option<Diagnostic> {
    let GivenBody { resource_type, file, form, body } = *resource;
    if resource_type.api != ResourceApi::Classic {
        return None;
    }
    let type_name = &resource_type.name;
    let summary = compile::summary(context.db, definition.id);
    let value_of = |expr: ExprId| match summary.value(expr)? {
        RecordedValue::Values(values) => match &values[..] {
            [value] => Some(value.clone()),
            _ => None,
        },
        RecordedValue::Type(_) => None,
    };
    let mut attributes: Vec<(Name, Value)> = Vec::new();
    let mut values_by_name: Vec<(&Name, ExprId)> = Vec::new();
    for operation in &body.operations {
        // The splatted or appended values are unknown.
        let AttributeOperation::Set { name, value, append: false } = operation else { return None };
        values_by_name.push((name, *value));
        match value_of(*value) {
            Some(Value::Undef) => {}
            Some(known) => attributes.push((name.clone(), known)),
            None => attributes.push((name.clone(), Value::unknown(types::Type::Any, types::Origin::Join))),
        }
    }
    let title = value_of(body.title);
    let title = title.as_ref().and_then(Value::as_str);
    if compile::ruby_plugins::certainly_accepts(context.db, file, type_name, title, &attributes) {
        return None;
    }
    let program = project::ruby_program(context.db, file)?;
    let refusal = compile::ruby_plugins::refusal(world, &program, type_name, title, &attributes)?;
    // Reported by `value_mismatch`, which knows the list of values.
    let is_listed = |name: &Name| {
        resource_type
            .attributes
            .iter()
            .any(|it| it.name == *name && it.values_are_closed && it.value_patterns.is_empty())
    };
    if refusal.attribute.as_ref().is_some_and(is_listed) {
        return None;
    }
    let value = match &refusal.attribute {
        Some(attribute) => {
            values_by_name.iter().find(|(name, _)| *name == attribute).map(|(_, value)| *value)
        }
        None => None,
    };
    let range = definition.range(value.unwrap_or(body.title))?;
    let message = match &refusal.attribute {
        Some(attribute) => {
            format!(
                "invalid value for attribute `{attribute}` of `{type_name}`: {}",
                first_line(&refusal.message)
            )
        }
        None => format!("invalid `{type_name}` resource: {}", first_line(&refusal.message)),
    };
    let is_certain = form == ResourceForm::Regular && reach(context, range) == Reach::Always;
    let severity = if is_certain { Severity::Error } else { Severity::Warning };
    Some(
        Diagnostic::new(Code::ResourceValue, range, message).downgraded(DowngradeReason::Uncertain, severity),
    )
}

fn first_line(message: &str) -> &str {
    message.lines().next().unwrap_or_default().trim()
}
