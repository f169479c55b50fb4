#![doc = include_str!("page.md")]

use codes::Code;
use hir::{Access, AttributeOwner, Name, NameUseKind};
use plugins::{ResourceAttribute, ResourceAttributeKind, RubyResourceType, built_in};
use project::{NameKind, ResourceTypeTarget};
use syntax::{Severity, SyntaxKind, TextRange};

use super::reach::reach;
use super::unknown::{self, UnknownName};
use crate::UnknownNameKind;
use crate::context::RuleContext;
use eval::similar::similar;

/// Attributes or parameters that an owner accepts.
struct KnownAttributes {
    names: Vec<Name>,
    /// Description of the owner for messages, such as ``class `web` ``.
    owner: String,
    /// `attribute` or `parameter`.
    noun: &'static str,
    is_certain: bool,
}

pub(super) fn check(context: &mut RuleContext<'_>) {
    // Attributes of one owner follow each other.
    let mut latest: Option<(AttributeOwner, Option<KnownAttributes>)> = None;
    for at in 0..context.uses.len() {
        let it = &context.uses[at];
        let NameUseKind::Attribute(owner) = &it.kind else { continue };
        let (name, range, access) = (it.name.clone(), it.range, it.access);
        if latest.as_ref().is_none_or(|(of, _)| of != owner) {
            latest = Some((owner.clone(), known(context, owner)));
        }
        let Some((owner, Some(known))) = &latest else { continue };
        let takes_metaparameters =
            matches!(owner, AttributeOwner::Class(_) | AttributeOwner::ResourceType(_));
        let is_metaparameter = name == "name" || built_in::metaparameter(&name).is_some();
        if known.names.contains(&name) || takes_metaparameters && is_metaparameter {
            continue;
        }
        let names = known.names.iter().map(|it| it.as_str());
        let metaparameters = built_in::metaparameters().iter().map(|it| it.name.as_str());
        let similar = similar(&name, names.chain(metaparameters.filter(|_| takes_metaparameters)));
        let severity = match access {
            Access::Write if known.is_certain && !is_default(context, range) => {
                reach(context, range).severity()
            }
            _ => Severity::Warning,
        };
        let message = format!("{} has no {} `{name}`", known.owner, known.noun);
        let code = Code::UnknownAttribute;
        unknown::report(
            context,
            UnknownName { code, range, severity, message, kind: UnknownNameKind::Attribute, name, similar },
        );
    }
}

/// Returns the attributes of an owner; `None` if the owner is unknown or accepts any attribute.
fn known(context: &RuleContext<'_>, owner: &AttributeOwner) -> Option<KnownAttributes> {
    let (db, file) = (context.db, context.file);
    match owner {
        AttributeOwner::Class(name) => {
            let class = project::resolve_in_file(db, file, NameKind::Class, name)?;
            let signature = project::signature(db, class).as_ref()?;
            Some(of_parameters("class", name, signature.parameters.iter().map(|it| &it.name)))
        }
        AttributeOwner::ResourceType(name) => match project::resolve_resource_type(db, file, name)? {
            ResourceTypeTarget::Defined(definition) => {
                let signature = project::signature(db, definition).as_ref()?;
                Some(of_parameters("defined type", name, signature.parameters.iter().map(|it| &it.name)))
            }
            ResourceTypeTarget::BuiltIn(resource_type) => {
                let is_certain = built_in::is_core_resource_type(name);
                of_resource_type(resource_type, is_certain)
            }
            ResourceTypeTarget::Ruby { resource_type, .. } => of_resource_type(&resource_type, true),
        },
        AttributeOwner::Template(path) => {
            let template = project::template_file(db, file, path)?;
            let signature = project::item_summary(db, template).definitions.first()?;
            // A template without declared parameters accepts any.
            if signature.parameters.is_empty() {
                return None;
            }
            Some(of_parameters("template", path, signature.parameters.iter().map(|it| &it.name)))
        }
        AttributeOwner::Plan(name) => {
            let plan = project::resolve_plan(db, file, name)?;
            let signature = project::signature(db, plan).as_ref()?;
            Some(of_parameters("plan", name, signature.parameters.iter().map(|it| &it.name)))
        }
        AttributeOwner::Task(name) => {
            let metadata = project::task_metadata(db, project::task_file(db, file, name)?);
            Some(of_parameters("task", name, metadata.parameters.as_deref()?.iter().map(|it| &it.name)))
        }
    }
}

/// Describes an owner that accepts the parameters it declares.
fn of_parameters<'n>(kind: &str, name: &str, names: impl Iterator<Item = &'n Name>) -> KnownAttributes {
    KnownAttributes {
        names: names.cloned().collect(),
        owner: format!("{kind} `{name}`"),
        noun: "parameter",
        is_certain: true,
    }
}

fn of_resource_type(resource_type: &RubyResourceType, is_certain: bool) -> Option<KnownAttributes> {
    if resource_type.is_incomplete {
        return None;
    }
    let can_be_set = |it: &&ResourceAttribute| it.kind != ResourceAttributeKind::ReadOnly;
    let mut names: Vec<Name> =
        resource_type.attributes.iter().filter(can_be_set).map(|it| it.name.clone()).collect();
    // Every type written in Ruby accepts these.
    names.extend(["name", "provider"].map(Name::new));
    let owner = format!("resource type `{}`", resource_type.name);
    Some(KnownAttributes { names, owner, noun: "attribute", is_certain })
}

/// Returns true if the range is in resource defaults, which Puppet only checks when a resource uses them.
fn is_default(context: &RuleContext<'_>, range: TextRange) -> bool {
    let node = context.tree().covering_element(range).and_then(|it| it.parent());
    node.into_iter().flat_map(|it| it.ancestors()).any(|it| it.kind() == SyntaxKind::RESOURCE_DEFAULTS)
}
