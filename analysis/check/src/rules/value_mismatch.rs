#![doc = include_str!("../../pages/value-mismatch.md")]

use codes::{Code, DowngradeReason};
use eval::{RecordedValue, World, fits_parameter};
use hir::{AttributeOperation, Body, Expr, ExprId, Name, ReferenceKind};
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
    let is_wanted = |body: &Body, expr: &Expr| !attribute_lists(body, expr).is_empty();
    check_with_world(context, is_wanted, check_definition);
}

/// Looks at the definitions that have an expression that is wanted, in their worlds.
pub(super) fn check_with_world(
    context: &mut RuleContext<'_>,
    is_wanted: impl Fn(&Body, &Expr) -> bool,
    check: impl Fn(&RuleContext<'_>, &SectionDefinition<'_>, &World<'_>, &mut Vec<Diagnostic>),
) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        let body = &definition.body;
        if body.exprs.iter().any(|(_, expr)| is_wanted(body, expr)) {
            compile::with_world(context.db, definition.id, |world| {
                check(context, definition, world, &mut found);
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
    for list in body.exprs.iter().flat_map(|(_, expr)| attribute_lists(body, expr)) {
        let Some(target) = list.target(context, body) else { continue };
        for operation in list.operations {
            let AttributeOperation::Set { name, value, append: false } = operation else { continue };
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
            let diagnostic = diagnostic.map(|it| match it.severity() {
                Severity::Error if !list.is_certain => {
                    it.downgraded(DowngradeReason::Uncertain, Severity::Warning)
                }
                _ => it,
            });
            found.extend(diagnostic);
        }
    }
}

/// Attributes of resources of one type.
struct AttributeList<'a> {
    /// Folded.
    type_name: Name,
    /// Of a resource that is declared.
    title: Option<ExprId>,
    operations: &'a [AttributeOperation],
    /// Is there certainly a resource that gets them?
    is_certain: bool,
}

impl AttributeList<'_> {
    fn target(&self, context: &RuleContext<'_>, body: &Body) -> Option<ResourceTypeTarget> {
        match (ReferenceKind::of(&self.type_name), self.title.map(|title| &body[title])) {
            (ReferenceKind::Class, Some(Expr::String(name) | Expr::Name(name))) => {
                project::resolve_in_file(context.db, context.file, NameKind::Class, name)
                    .map(ResourceTypeTarget::Defined)
            }
            (ReferenceKind::Class, _) => None,
            _ => project::resolve_resource_type(context.db, context.file, &self.type_name),
        }
    }
}

/// The attributes that an expression sets: of resources, in overrides, defaults and collectors.
fn attribute_lists<'a>(body: &'a Body, expr: &'a Expr) -> Vec<AttributeList<'a>> {
    let of_type = |type_expr: ExprId, operations: &'a [AttributeOperation], is_certain: bool| {
        let type_name = match &body[type_expr] {
            Expr::TypeReference(name) => hir::fold_name(name),
            _ => return Vec::new(),
        };
        vec![AttributeList { type_name, title: None, operations, is_certain }]
    };
    match expr {
        Expr::Resource { type_expr, bodies, .. } => {
            let Expr::Name(type_name) = &body[*type_expr] else { return Vec::new() };
            let type_name = hir::fold_name(type_name);
            let list = |resource: &'a hir::ResourceBody| AttributeList {
                type_name: type_name.clone(),
                title: Some(resource.title),
                operations: &resource.operations,
                is_certain: true,
            };
            bodies.iter().map(list).collect()
        }
        Expr::ResourceOverride { reference, operations, .. } => match &body[*reference] {
            Expr::Access { lhs, .. } => of_type(*lhs, operations, true),
            _ => Vec::new(),
        },
        Expr::ResourceDefaults { type_expr, operations, .. }
        | Expr::Collect { type_expr, operations, .. } => of_type(*type_expr, operations, false),
        _ => Vec::new(),
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
    worth: &RecordedValue,
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
        RecordedValue::Values(values) if is_collection(values) => {
            types::mismatch::describe_value_mismatch(&subject, ty, &values[0], world)
        }
        worth => {
            let wanted = types::mismatch::expected_text(ty, world);
            format!("{subject} takes {wanted}, and this is {}", given(ty, worth, world))
        }
    };
    Some(
        Diagnostic::new(Code::ValueMismatch, range, message).downgraded(DowngradeReason::Uncertain, severity),
    )
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
fn fit(ty: &Type, worth: &RecordedValue, has_default: bool, world: &World<'_>) -> Fits {
    let one = |value: &Value| match value {
        Value::Undef if has_default => Fit::Always,
        // What it gives is known on the node only.
        Value::Object(object) if object.ty.name.as_deref() == Some("Deferred") => Fit::Maybe,
        value => fits_parameter(ty, value, world),
    };
    match worth {
        RecordedValue::Type(known) => match one(&Value::unknown(known.clone(), Origin::Join)) {
            Fit::Never => Fits::None,
            _ => Fits::Perhaps,
        },
        RecordedValue::Values(values) => {
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
fn given(wanted: &Type, worth: &RecordedValue, world: &World<'_>) -> String {
    match worth {
        RecordedValue::Values(values) if types::mismatch::may_be_sensitive(wanted, world) => {
            match &values[..] {
                [value] => types::display::type_text(&general_type(value, world), world),
                _ => shown(worth, world),
            }
        }
        worth => shown(worth, world),
    }
}

/// What may be said of something that holds a secret.
fn type_of(worth: &RecordedValue, world: &World<'_>) -> RecordedValue {
    match worth {
        RecordedValue::Values(values) => {
            let types = values.iter().map(|value| general_type(value, world));
            RecordedValue::Type(types::common::union(types.collect::<Vec<_>>(), world))
        }
        worth => worth.clone(),
    }
}

fn general_type(value: &Value, world: &World<'_>) -> Type {
    types::common::generalize(&types::infer::infer(value, world), world)
}

fn shown(worth: &RecordedValue, world: &World<'_>) -> String {
    match worth {
        RecordedValue::Values(values) => match &values[..] {
            [Value::Unknown(unknown)] => types::display::type_text(&unknown.ty, world),
            [Value::Sensitive(_)] => "Sensitive".to_owned(),
            [value] => types::text::to_notation(value, world),
            _ => "sometimes something else".to_owned(),
        },
        RecordedValue::Type(ty) => types::display::type_text(ty, world),
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
    worth: &RecordedValue,
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
            Diagnostic::new(Code::ValueMismatch, range, message)
                .downgraded(DowngradeReason::Uncertain, severity),
        );
    }
    if !attribute.values_are_closed || !attribute.value_patterns.is_empty() {
        return None;
    }
    let RecordedValue::Values(values) = worth else { return None };
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
            .downgraded(DowngradeReason::Tolerated, Severity::Warning)
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
