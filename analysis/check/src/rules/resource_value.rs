#![doc = include_str!("../../pages/resource-value.md")]

use codes::{Code, DowngradeReason};
use eval::{RecordedValue, World};
use hir::{AttributeOperation, Expr, ExprId, Name, ReferenceKind, ResourceBody};
use plugins::{ResourceApi, RubyResourceType};
use project::{File, ResourceTypeTarget};
use syntax::Severity;
use syntax::ast::ResourceForm;
use types::Value;

use super::reach::{Reach, reach};
use super::value_mismatch::check_with_world;
use crate::Diagnostic;
use crate::context::{RuleContext, SectionDefinition};

pub(super) fn check(context: &mut RuleContext<'_>) {
    check_with_world(context, |_, expr| matches!(expr, Expr::Resource { .. }), check_definition);
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    found: &mut Vec<Diagnostic>,
) {
    for (_, expr) in definition.body.exprs.iter() {
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
    let program = project::ruby_program(context.db, file)?;
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
