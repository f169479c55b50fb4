#![doc = include_str!("../../pages/value-mismatch.md")]

use codes::{Code, Milder};
use eval::{World, Worth, fits_parameter};
use hir::{AttributeOperation, Expr, ExprId, Name, ReferenceKind};
use plugins::{ResourceAttribute, RubyResourceType};
use project::{DefinitionId, NameKind, ResourceTypeTarget};
use syntax::{Severity, TextRange};
use types::assign::Fit;
use types::{Origin, Type, Value};

use super::reach::{Reach, reach};
use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, FixData, UnknownNameKind};
use eval::similar::{similar, suggestion};

pub(super) fn check(context: &mut RuleContext<'_>) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        let has_resources =
            definition.body.exprs.iter().any(|(_, expr)| matches!(expr, Expr::Resource { .. }));
        if has_resources {
            compile::with_world(context.db, definition.id, |world| {
                check_definition(context, definition, world, &mut found);
            });
        }
    }
    found.into_iter().for_each(|diagnostic| context.report(diagnostic));
}

fn check_definition(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    found: &mut Vec<Diagnostic>,
) {
    let body = &definition.body;
    let summary = compile::summary(context.db, definition.id);
    let shown = summary.clone().shown();
    for (_, expr) in body.exprs.iter() {
        let Expr::Resource { type_expr, bodies, .. } = expr else { continue };
        let Expr::Name(type_name) = &body[*type_expr] else { continue };
        let type_name = hir::fold_name(type_name);
        for resource in bodies {
            let target = match ReferenceKind::of(&type_name) {
                ReferenceKind::Class => match &body[resource.title] {
                    Expr::String(name) | Expr::Name(name) => {
                        project::resolve_in_file(context.db, context.file, NameKind::Class, name)
                            .map(ResourceTypeTarget::Defined)
                    }
                    _ => None,
                },
                _ => project::resolve_resource_type(context.db, context.file, &type_name),
            };
            let Some(target) = target else { continue };
            for operation in &resource.operations {
                let AttributeOperation::Set { name, value, .. } = operation else { continue };
                let Some(worth) = summary.worth(*value) else { continue };
                let hidden = shown.worth(*value).is_none().then(|| type_of(worth, world));
                let worth = hidden.as_ref().unwrap_or(worth);
                let diagnostic = match &target {
                    ResourceTypeTarget::Defined(target) => {
                        check_parameter(context, definition, world, *target, name, *value, worth)
                    }
                    target => target.resource_type().and_then(|resource_type| {
                        check_attribute(context, definition, world, resource_type, name, *value, worth)
                    }),
                };
                found.extend(diagnostic);
            }
        }
    }
}

/// A value for a parameter of a class or defined type.
fn check_parameter(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    target: DefinitionId,
    name: &Name,
    value: ExprId,
    worth: &Worth,
) -> Option<Diagnostic> {
    let signature = project::signature(context.db, target).as_ref()?;
    let index = signature.parameters.iter().position(|it| it.name == *name)?;
    let types = compile::parameter_types(context.db, target);
    let ty = types.get(index)?.as_ref()?;
    let has_default = signature.parameters[index].has_default;
    let fit = fit(ty, worth, has_default, world);
    let range = definition.range(value)?;
    let severity = severity(context, fit, range)?;
    let owner = &target.key(context.db).name;
    let subject = format!("the parameter '{name}' of '{owner}'");
    let message = match worth {
        // Where in it the mistake is says more than the whole.
        Worth::Values(values) if is_collection(values) => {
            types::mismatch::describe_value_mismatch(&subject, ty, &values[0], world)
        }
        worth => {
            let wanted = types::mismatch::expected_text(ty, world);
            format!("{subject} takes {wanted}, and this is {}", given(ty, worth, world))
        }
    };
    Some(Diagnostic::new(Code::ValueMismatch, range, message).milder(Milder::Uncertain, severity))
}

/// Is it one list or hash?
fn is_collection(values: &[Value]) -> bool {
    matches!(values, [Value::Array(_) | Value::Hash(_)])
}

/// How the values of a fact fit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fits {
    None,
    Some,
    Perhaps,
}

/// What is given as `undef` is not given, where there is a default.
fn fit(ty: &Type, worth: &Worth, has_default: bool, world: &World<'_>) -> Fits {
    let one = |value: &Value| match value {
        Value::Undef if has_default => Fit::Always,
        // What it gives is known on the node only.
        Value::Object(object) if object.ty.name.as_deref() == Some("Deferred") => Fit::Maybe,
        value => fits_parameter(ty, value, world),
    };
    match worth {
        Worth::Type(known) => match one(&Value::unknown(known.clone(), Origin::Join)) {
            Fit::Never => Fits::None,
            _ => Fits::Perhaps,
        },
        Worth::Values(values) => {
            let never = values.iter().filter(|value| one(value) == Fit::Never).count();
            match never {
                0 => Fits::Perhaps,
                count if count == values.len() => Fits::None,
                _ => Fits::Some,
            }
        }
    }
}

fn severity(context: &RuleContext<'_>, fits: Fits, range: TextRange) -> Option<Severity> {
    match fits {
        Fits::Perhaps => None,
        Fits::Some => Some(Severity::Warning),
        Fits::None => match reach(context, range) {
            Reach::Always => Some(Severity::Error),
            _ => Some(Severity::Warning),
        },
    }
}

/// What was given where a type is wanted: only its type where it may be sensitive.
fn given(wanted: &Type, worth: &Worth, world: &World<'_>) -> String {
    match worth {
        Worth::Values(values) if types::mismatch::may_be_sensitive(wanted, world) => match &values[..] {
            [value] => types::display::type_text(&general_type(value, world), world),
            _ => shown(worth, world),
        },
        worth => shown(worth, world),
    }
}

/// What may be said of something that holds a secret.
fn type_of(worth: &Worth, world: &World<'_>) -> Worth {
    match worth {
        Worth::Values(values) => {
            let types = values.iter().map(|value| general_type(value, world));
            Worth::Type(types::common::union(types.collect::<Vec<_>>(), world))
        }
        worth => worth.clone(),
    }
}

fn general_type(value: &Value, world: &World<'_>) -> Type {
    types::common::generalize(&types::infer::infer(value, world), world)
}

fn shown(worth: &Worth, world: &World<'_>) -> String {
    match worth {
        Worth::Values(values) => match &values[..] {
            [Value::Unknown(unknown)] => types::display::type_text(&unknown.ty, world),
            [Value::Sensitive(_)] => "Sensitive".to_owned(),
            [value] => types::text::to_notation(value, world),
            _ => "sometimes something else".to_owned(),
        },
        Worth::Type(ty) => types::display::type_text(ty, world),
    }
}

/// A value for an attribute of a resource type written in Ruby.
fn check_attribute(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    resource_type: &RubyResourceType,
    name: &Name,
    value: ExprId,
    worth: &Worth,
) -> Option<Diagnostic> {
    let attribute = resource_type.attributes.iter().find(|it| it.name == *name)?;
    let range = definition.range(value)?;
    if let Some(text) = &attribute.type_text {
        let ty = types::parse::parse_type(text, world).ok()?;
        let fits = fit(&ty, worth, true, world);
        let severity = severity(context, fits, range)?;
        let message = format!(
            "the attribute '{name}' of '{}' takes {text}, and this is {}",
            resource_type.name,
            given(&ty, worth, world)
        );
        return Some(
            Diagnostic::new(Code::ValueMismatch, range, message).milder(Milder::Uncertain, severity),
        );
    }
    if !attribute.values_are_closed || !attribute.value_patterns.is_empty() {
        return None;
    }
    let Worth::Values(values) = worth else { return None };
    let wrong = values.iter().find_map(|value| wrong_text(attribute, value))?;
    let known = attribute.values.iter().chain(attribute.value_aliases.iter().map(|(alias, _)| alias));
    let similar = similar(&wrong, known.map(|it| it.as_str()));
    let listed: Vec<&str> = attribute.values.iter().map(|it| it.as_str()).collect();
    let message = format!(
        "the attribute '{name}' of '{}' takes {}, and this is '{wrong}'{}",
        resource_type.name,
        listed.join(", "),
        suggestion(&similar)
    );
    // It is the agent that refuses it.
    let data = FixData::UnknownName { kind: UnknownNameKind::Attribute, name: wrong, similar };
    Some(
        Diagnostic::new(Code::ValueMismatch, range, message)
            .milder(Milder::Tolerated, Severity::Warning)
            .with_data(data),
    )
}

/// The text of a value that is none of the listed ones; Puppet compares texts and numbers alike.
fn wrong_text(attribute: &ResourceAttribute, value: &Value) -> Option<Name> {
    let text: Name = match value {
        Value::String(text) => text.clone(),
        Value::Boolean(value) => Name::new(if *value { "true" } else { "false" }),
        Value::Integer(value) => value.to_string().into(),
        Value::Array(values) if attribute.takes_array => {
            return values.iter().find_map(|value| wrong_text(attribute, value));
        }
        _ => return None,
    };
    let is_listed =
        attribute.values.contains(&text) || attribute.value_aliases.iter().any(|(alias, _)| *alias == text);
    (!is_listed).then_some(text)
}
