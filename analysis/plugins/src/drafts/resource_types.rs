//! Resource types.

use smol_str::SmolStr;
use syntax::TextRange;

use super::{AttributeDraft, DraftArguments, dedent};
use crate::{
    Feature, ResourceApi, ResourceAttribute, ResourceAttributeKind, RubyResourceType, TitlePatterns,
};

/// Resource type under construction.
#[derive(Debug)]
pub struct TypeDraft {
    pub resource_type: RubyResourceType,
}

impl TypeDraft {
    pub fn new(name: SmolStr, range: TextRange, api: ResourceApi) -> TypeDraft {
        TypeDraft {
            resource_type: RubyResourceType {
                name,
                range,
                api,
                attributes: Vec::new(),
                is_incomplete: false,
                features: Vec::new(),
                documentation: SmolStr::default(),
                title_patterns: TitlePatterns::Usual,
                is_isomorphic: true,
            },
        }
    }

    /// Adds the attribute `provider`, which Puppet adds to types with providers. Providers are defined in
    /// other files, so every type gets it.
    pub fn add_provider(&mut self) {
        let resource_type = &mut self.resource_type;
        if resource_type.attributes.iter().all(|it| it.name != "provider") {
            let name = SmolStr::new_static("provider");
            let mut draft =
                AttributeDraft::new(name, resource_type.range, ResourceAttributeKind::Parameter, 0);
            draft.attribute.documentation = SmolStr::new_static(
                "Provider that manages the resource. By default, Puppet chooses one that suits the platform.",
            );
            resource_type.attributes.push(draft.finish());
        }
    }

    /// Applies a call in the body of the type. Returns false for unknown methods.
    pub(super) fn call(&mut self, name: &str, arguments: &DraftArguments) -> bool {
        let resource_type = &mut self.resource_type;
        match name {
            "desc" | "doc=" => {
                if let Some(text) = arguments.value(0).prose() {
                    resource_type.documentation = dedent(text);
                }
            }
            "feature" => match arguments.name(0) {
                Some(name) => {
                    let documentation = arguments.value(1).prose().map(|text| dedent(text));
                    let documentation = documentation.unwrap_or_default();
                    resource_type.features.push(Feature { name, documentation });
                }
                None => resource_type.is_incomplete = true,
            },
            "validate" | "apply_to_device" | "apply_to_host" | "apply_to_all" => {}
            _ => return false,
        }
        true
    }

    /// Adds an attribute, replacing an existing one. If a condition determines which one applies, the two are
    /// merged.
    pub fn add(&mut self, attribute: ResourceAttribute, is_conditional: bool) {
        let attributes = &mut self.resource_type.attributes;
        match attributes.iter_mut().find(|other| other.name == attribute.name) {
            None => attributes.push(attribute),
            Some(other) if is_conditional => join(other, attribute),
            Some(other) => *other = attribute,
        }
    }
}

/// Merges two definitions of an attribute, keeping the properties that hold for either.
fn join(attribute: &mut ResourceAttribute, other: ResourceAttribute) {
    fn add_missing<T: PartialEq>(to: &mut Vec<T>, from: Vec<T>) {
        for element in from {
            if !to.contains(&element) {
                to.push(element);
            }
        }
    }
    attribute.values_are_closed &= other.values_are_closed;
    attribute.takes_array |= other.takes_array;
    attribute.is_required &= other.is_required;
    attribute.is_name_variable |= other.is_name_variable;
    if attribute.default != other.default {
        attribute.default = None;
    }
    if attribute.type_text != other.type_text {
        attribute.type_text = None;
    }
    if attribute.documentation.is_empty() {
        attribute.documentation = other.documentation;
    }
    add_missing(&mut attribute.values, other.values);
    add_missing(&mut attribute.value_aliases, other.value_aliases);
    add_missing(&mut attribute.value_patterns, other.value_patterns);
}
