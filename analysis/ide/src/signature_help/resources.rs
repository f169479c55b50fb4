//! Signature help for the attributes of resources, defined types and classes.

use super::signature::{ShownSignature, SignatureHelp};
use completion::ResourceAtCursor;
use plugins::{ResourceAttributeKind, built_in};
use project::{Db, DefinitionId, File, NameKind, ResourceTypeTarget};
use symbols::callees::{self, CallParameter, Callee};
use symbols::parameters;

/// Maximum length in bytes of the attributes of a signature.
const MAX_LENGTH: usize = 160;

/// Returns a signature with the attributes of the resource; `attribute` is the active one.
pub(super) fn signature_help(
    db: &dyn Db,
    file: File,
    resource: &ResourceAtCursor,
    attribute: Option<&str>,
) -> Option<SignatureHelp> {
    let signature = match resource {
        ResourceAtCursor::Class(name) => {
            let class = project::resolve_in_file(db, file, NameKind::Class, name)?;
            of_definition(db, class, attribute)
        }
        ResourceAtCursor::OfType(name) => match project::resolve_resource_type(db, file, name)? {
            ResourceTypeTarget::Defined(definition) => of_definition(db, definition, attribute),
            ResourceTypeTarget::BuiltIn(ty) => of_type(ty, attribute),
            ResourceTypeTarget::Ruby { resource_type, .. } => of_type(&resource_type, attribute),
        },
    };
    Some(SignatureHelp { signatures: vec![signature], active: 0 })
}

fn of_definition(db: &dyn Db, definition: DefinitionId, attribute: Option<&str>) -> ShownSignature {
    let all = parameters::parameters(db, definition);
    let texts = all.iter().map(|parameter| {
        let written = CallParameter {
            name: parameter.name.to_string(),
            type_text: parameter.type_text.clone(),
            ty: None,
            is_optional: !parameter.is_required(),
            default: parameter.default.clone().filter(|it| it.len() <= 40).unwrap_or_default(),
            is_repeated: parameter.is_repeated,
        };
        (parameter.name.clone(), written.text())
    });
    let documentation = all.iter().map(|it| it.documentation.clone()).collect();
    let word = definition.key(db).kind.keyword().unwrap_or_default();
    let head = format!("{word} {}", Callee::Puppet(definition).name(db));
    ShownSignature {
        documentation: callees::summary(db, definition),
        ..signature(&head, texts, documentation, attribute)
    }
}

fn of_type(ty: &plugins::RubyResourceType, attribute: Option<&str>) -> ShownSignature {
    let settable = || ty.attributes.iter().filter(|it| it.kind != ResourceAttributeKind::ReadOnly);
    // Metaparameters are only shown while they are being typed.
    let metaparameter = attribute.and_then(built_in::metaparameter);
    let all = || settable().chain(metaparameter);
    let texts = all().map(|it| {
        let text = match &it.type_text {
            Some(ty) => format!("{ty} {}", it.name),
            None if it.values.is_empty() || !it.values_are_closed => it.name.to_string(),
            None => {
                let values: Vec<&str> = it.written_values().map(|it| it.as_str()).collect();
                format!("{} => {}", it.name, values.join("|"))
            }
        };
        (it.name.clone(), text)
    });
    let documentation = all().map(|it| Some(it.documentation.to_string()).filter(|it| !it.is_empty()));
    let documentation = documentation.collect();
    let first = ty.documentation.split("\n\n").next().unwrap_or_default().trim().to_owned();
    ShownSignature {
        documentation: Some(first).filter(|it| !it.is_empty()),
        ..signature(&ty.name, texts, documentation, attribute)
    }
}

/// Returns the signature of a resource. If it is long, it begins with the active attribute, and the others are left out:
/// it would cover the code below while all attributes are typed.
fn signature(
    head: &str,
    parameters: impl Iterator<Item = (hir::Name, String)>,
    parameter_documentation: Vec<Option<String>>,
    attribute: Option<&str>,
) -> ShownSignature {
    let all: Vec<(hir::Name, String)> = parameters.collect();
    let active = all.iter().position(|(name, _)| attribute == Some(name.as_str()));
    let is_long = all.iter().map(|(_, text)| text.len() + 2).sum::<usize>() > MAX_LENGTH;
    let first = active.filter(|_| is_long).unwrap_or(0);
    let mut label = format!("{head} {{ ");
    if first > 0 {
        label.push_str("…, ");
    }
    let limit = if is_long { label.len() + MAX_LENGTH } else { usize::MAX };
    let mut ranges = Vec::new();
    for (_, text) in &all[first..] {
        if !ranges.is_empty() && label.len() + text.len() > limit {
            label.push_str(", …");
            break;
        }
        label.push_str(if ranges.is_empty() { "" } else { ", " });
        ranges.push(label.len()..label.len() + text.len());
        label.push_str(text);
    }
    label.push_str(" }");
    let parameter_documentation =
        parameter_documentation.into_iter().skip(first).take(ranges.len()).collect();
    ShownSignature {
        label,
        parameters: ranges,
        parameter_documentation,
        active_parameter: active.map(|it| it - first),
        documentation: None,
    }
}
