#![doc = include_str!("page.md")]

use codes::{Code, DowngradeReason};
use eval::{RecordedValue, World, fits_parameter};
use hir::{AttributeOperation, Body, Expr, ExprId, Name, ReferenceKind};
use plugins::{ResourceAttribute, RubyResourceType};
use project::{DefinitionId, NameKind, ResourceTypeTarget};
use syntax::ast::ResourceForm;
use syntax::{Severity, TextRange};
use types::assign::Fit;
use types::{Origin, Type, Value};

use super::reach::{Reach, reach};
use super::unknown::with_suggestion;
use crate::context::{RuleContext, SectionDefinition};
use crate::{Diagnostic, FixData, UnknownNameKind};
use eval::similar::similar;

pub(super) fn check_values(context: &mut RuleContext<'_>) {
    let is_relevant = |body: &Body, expr: &Expr| !attribute_lists(body, expr).is_empty();
    check_with_world(context, is_relevant, check_definition);
}

/// Runs `check` with the [`World`] of each definition that contains a relevant expression.
pub(super) fn check_with_world(
    context: &mut RuleContext<'_>,
    is_relevant: impl Fn(&Body, &Expr) -> bool,
    check: impl Fn(&RuleContext<'_>, &SectionDefinition<'_>, &World<'_>, &mut Vec<Diagnostic>),
) {
    let mut found = Vec::new();
    for definition in &context.definitions {
        let body = &definition.body;
        if body.exprs.iter().any(|(_, expr)| is_relevant(body, expr)) {
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
    let public = summary.clone().shown();
    for list in body.exprs.iter().flat_map(|(_, expr)| attribute_lists(body, expr)) {
        let Some(target) = list.target(context, body) else { continue };
        for operation in list.operations {
            let AttributeOperation::Set { name, value, append: false } = operation else { continue };
            let Some(recorded) = summary.value(*value) else { continue };
            let hidden = public.value(*value).is_none().then(|| without_values(recorded, world));
            let recorded = hidden.as_ref().unwrap_or(recorded);
            let diagnostic = match &target {
                ResourceTypeTarget::Defined(target) => {
                    check_parameter(context, definition, world, *target, name, *value, recorded)
                }
                // Reported by `resource_value`.
                ResourceTypeTarget::BuiltIn(resource_type) if resources::checks_list(resource_type, name) => {
                    None
                }
                target => target.resource_type().and_then(|resource_type| {
                    check_attribute(context, definition, world, resource_type, name, *value, recorded)
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
pub(super) struct AttributeList<'a> {
    /// Name of the type in canonical case.
    pub(super) type_name: Name,
    /// Title, if the attributes belong to a resource declaration.
    pub(super) title: Option<ExprId>,
    pub(super) operations: &'a [AttributeOperation],
    /// True if there certainly is a resource that gets the attributes.
    pub(super) is_certain: bool,
    /// True if the resource is virtual or exported.
    pub(super) is_virtual: bool,
    /// True for a resource declaration without a `default` body, which would set attributes of the others.
    pub(super) is_declared_alone: bool,
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

/// Returns the attributes that an expression sets in resource declarations, overrides, defaults and
/// collectors.
pub(super) fn attribute_lists<'a>(body: &'a Body, expr: &'a Expr) -> Vec<AttributeList<'a>> {
    let of_type = |type_expr: ExprId, operations: &'a [AttributeOperation], is_certain: bool| {
        let type_name = match &body[type_expr] {
            Expr::TypeReference(name) => hir::fold_name(name),
            _ => return Vec::new(),
        };
        vec![AttributeList {
            type_name,
            title: None,
            operations,
            is_certain,
            is_virtual: false,
            is_declared_alone: false,
        }]
    };
    match expr {
        Expr::Resource { form, type_expr, bodies } => {
            let Expr::Name(type_name) = &body[*type_expr] else { return Vec::new() };
            let type_name = hir::fold_name(type_name);
            let is_default = |resource: &hir::ResourceBody| matches!(body[resource.title], Expr::Default);
            let is_declared_alone = !bodies.iter().any(is_default);
            let list = |resource: &'a hir::ResourceBody| AttributeList {
                type_name: type_name.clone(),
                title: Some(resource.title),
                operations: &resource.operations,
                is_certain: true,
                is_virtual: *form != ResourceForm::Regular,
                is_declared_alone,
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

/// Checks a value for a parameter of a class or defined type.
fn check_parameter(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    target: DefinitionId,
    name: &Name,
    value: ExprId,
    recorded: &RecordedValue,
) -> Option<Diagnostic> {
    let signature = project::signature(context.db, target).as_ref()?;
    let index = signature.parameters.iter().position(|it| it.name == *name)?;
    let types = compile::parameter_types(context.db, target);
    let ty = types.get(index)?.as_ref()?;
    let has_default = signature.parameters[index].has_default;
    let fit = fit(ty, recorded, has_default, world);
    let range = definition.range(value)?;
    let severity = severity(context, fit, range)?;
    let owner = &target.key(context.db).name;
    let subject = format!("parameter `{name}` of `{owner}`");
    let message = match recorded {
        // The location of the mismatch inside of the value is more useful than the whole value.
        RecordedValue::Values(values) if is_collection(values) => {
            types::mismatch::describe_value_mismatch(&subject, ty, &values[0], world)
        }
        recorded => {
            let expected = types::mismatch::expected_text(ty, world);
            format!("{subject} expects `{expected}`, got {}", given(ty, recorded, world))
        }
    };
    Some(
        Diagnostic::new(Code::ValueMismatch, range, message).downgraded(DowngradeReason::Uncertain, severity),
    )
}

/// Returns true for exactly one array or hash.
fn is_collection(values: &[Value]) -> bool {
    matches!(values, [Value::Array(_) | Value::Hash(_)])
}

/// Result of matching the possible values of an expression with a type.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Fits {
    None,
    Some,
    Perhaps,
}

/// Matches values with a type. If there is a default, `undef` selects it.
pub(super) fn fit(ty: &Type, recorded: &RecordedValue, has_default: bool, world: &World<'_>) -> Fits {
    let one = |value: &Value| match value {
        Value::Undef if has_default => Fit::Always,
        // The value of a `Deferred` is computed on the node.
        Value::Object(object) if object.ty.name.as_deref() == Some("Deferred") => Fit::Maybe,
        value => fits_parameter(ty, value, world),
    };
    match recorded {
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

pub(super) fn severity(context: &RuleContext<'_>, fits: Fits, range: TextRange) -> Option<Severity> {
    match fits {
        Fits::Perhaps => None,
        Fits::Some => Some(Severity::Warning),
        Fits::None => match reach(context, range) {
            Reach::Always => Some(Severity::Error),
            _ => Some(Severity::Warning),
        },
    }
}

/// Returns the actual value for a message; only its type if it may be sensitive.
pub(super) fn given(expected: &Type, recorded: &RecordedValue, world: &World<'_>) -> String {
    match recorded {
        RecordedValue::Values(values) if types::mismatch::may_be_sensitive(expected, world) => {
            match &values[..] {
                [value] => format!("`{}`", types::display::type_text(&general_type(value, world), world)),
                _ => describe(recorded, world),
            }
        }
        recorded => describe(recorded, world),
    }
}

/// Replaces values that contain a secret by their type.
pub(super) fn without_values(recorded: &RecordedValue, world: &World<'_>) -> RecordedValue {
    match recorded {
        RecordedValue::Values(values) => {
            let types = values.iter().map(|value| general_type(value, world));
            RecordedValue::Type(types::common::union(types.collect::<Vec<_>>(), world))
        }
        recorded => recorded.clone(),
    }
}

fn general_type(value: &Value, world: &World<'_>) -> Type {
    types::common::generalize(&types::infer::infer(value, world), world)
}

/// Formats a recorded value for a message.
fn describe(recorded: &RecordedValue, world: &World<'_>) -> String {
    match recorded {
        RecordedValue::Values(values) => match &values[..] {
            [Value::Unknown(unknown)] => format!("`{}`", types::display::type_text(&unknown.ty, world)),
            [Value::Sensitive(_)] => "`Sensitive`".to_owned(),
            [value] => format!("`{}`", types::text::to_notation(value, world)),
            _ => "a different value in some cases".to_owned(),
        },
        RecordedValue::Type(ty) => format!("`{}`", types::display::type_text(ty, world)),
    }
}

/// Checks a value for an attribute of a resource type written in Ruby.
fn check_attribute(
    context: &RuleContext<'_>,
    definition: &SectionDefinition<'_>,
    world: &World<'_>,
    resource_type: &RubyResourceType,
    name: &Name,
    value: ExprId,
    recorded: &RecordedValue,
) -> Option<Diagnostic> {
    let attribute = resource_type.attributes.iter().find(|it| it.name == *name)?;
    let range = definition.range(value)?;
    if let Some(text) = &attribute.type_text {
        let ty = types::parse::parse_type(text, world).ok()?;
        let fits = fit(&ty, recorded, true, world);
        let severity = severity(context, fits, range)?;
        let message = format!(
            "attribute `{name}` of `{}` expects `{text}`, got {}",
            resource_type.name,
            given(&ty, recorded, world)
        );
        return Some(
            Diagnostic::new(Code::ValueMismatch, range, message)
                .downgraded(DowngradeReason::Uncertain, severity),
        );
    }
    if !attribute.values_are_closed || !attribute.value_patterns.is_empty() {
        return None;
    }
    let RecordedValue::Values(values) = recorded else { return None };
    let wrong = values.iter().find_map(|value| unlisted_value(attribute, value))?;
    let known = attribute.values.iter().chain(attribute.value_aliases.iter().map(|(alias, _)| alias));
    let similar = similar(&wrong, known.map(|it| it.as_str()));
    let listed: Vec<String> = attribute.values.iter().map(|it| format!("`{it}`")).collect();
    let problem = format!(
        "attribute `{name}` of `{}` expects {}, got `'{wrong}'`",
        resource_type.name,
        listed.join(" or ")
    );
    let message = with_suggestion(problem, similar.first());
    // Only the agent rejects it.
    let data = FixData::UnknownName { kind: UnknownNameKind::Attribute, name: wrong, similar };
    Some(
        Diagnostic::new(Code::ValueMismatch, range, message)
            .downgraded(DowngradeReason::Tolerated, Severity::Warning)
            .with_data(data),
    )
}

/// Returns the string of a value that is not in the list. Puppet compares strings and numbers by their string
/// form.
fn unlisted_value(attribute: &ResourceAttribute, value: &Value) -> Option<Name> {
    let text: Name = match value {
        Value::String(text) => text.clone(),
        Value::Boolean(value) => Name::new(if *value { "true" } else { "false" }),
        Value::Integer(value) => value.to_string().into(),
        Value::Array(values) if attribute.takes_array => {
            return values.iter().find_map(|value| unlisted_value(attribute, value));
        }
        _ => return None,
    };
    let is_listed =
        attribute.values.contains(&text) || attribute.value_aliases.iter().any(|(alias, _)| *alias == text);
    (!is_listed).then_some(text)
}
