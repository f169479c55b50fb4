//! Resource types, defined by the block of `newtype`, and additions to them from outside.

use std::sync::Arc;

use smol_str::SmolStr;

use super::attributes::AttributeDraft;
use super::calls::RubyCall;
use super::context::DefinitionContext;
use super::interpreter::RubyInterpreter;
use super::text::dedent;
use super::title_patterns;
use super::value::RubyValue;
use crate::{
    Feature, ResourceApi, ResourceAttribute, ResourceAttributeKind, RubyResourceType, TitlePatterns,
};

/// Resource type under construction.
pub(super) struct TypeDraft {
    pub resource_type: RubyResourceType,
}

impl TypeDraft {
    pub(super) fn new(name: SmolStr, range: syntax::TextRange, api: ResourceApi) -> TypeDraft {
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
    fn add_provider(&mut self) {
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

    /// Adds an attribute, replacing an existing one. If a condition determines which one applies, the two are
    /// merged.
    pub(super) fn add(&mut self, attribute: ResourceAttribute, is_conditional: bool) {
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

impl<'pr> RubyInterpreter<'pr> {
    /// Evaluates `Puppet::Type.newtype(:name) do ... end`.
    pub(super) fn new_type(&mut self, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        let Some(name) = call.arguments.value(0).name() else { return RubyValue::Unknown };
        let mut draft =
            TypeDraft::new(SmolStr::new(name.to_lowercase()), call.arguments.range(0), ResourceApi::Classic);
        draft.resource_type.documentation = match call.arguments.option("doc").and_then(|doc| doc.prose()) {
            Some(text) => dedent(&text),
            None => self.comment(&call.comment_at),
        };
        self.contexts.push(DefinitionContext::Type(draft));
        // The method of another type in the file does not apply to this one.
        self.methods.remove("title_patterns");
        match &call.arguments.block {
            Some(block @ RubyValue::Block(_)) => {
                let conditions = std::mem::take(&mut self.conditions);
                self.run_block(&block.clone(), vec![RubyValue::This]);
                self.conditions = conditions;
            }
            Some(_) => self.give_up(),
            None => {}
        }
        self.read_title_patterns(call.range);
        if let Some(DefinitionContext::Type(mut draft)) = self.contexts.pop() {
            draft.add_provider();
            self.output.resource_types.push(Arc::new(draft.resource_type));
        }
        RubyValue::ResourceType(SmolStr::new(name.to_lowercase()))
    }

    /// Removes and returns the additions to this type, or new ones if there are none.
    pub(super) fn take_addition(&mut self, type_name: &SmolStr, call: &RubyCall<'pr>) -> TypeDraft {
        match self.additions.iter().position(|draft| draft.resource_type.name == *type_name) {
            Some(index) => self.additions.swap_remove(index),
            None => TypeDraft::new(type_name.clone(), call.range, ResourceApi::Classic),
        }
    }

    pub(super) fn call_in_type(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        let attribute = match &*call.name {
            "newproperty" => self.read_attribute(call, ResourceAttributeKind::Property),
            "newparam" => self.read_attribute(call, ResourceAttributeKind::Parameter),
            "ensurable" => self.read_ensure(call),
            "newmetaparam" => return Some(self.new_metaparameter(call)),
            name => {
                let Some(DefinitionContext::Type(draft)) = self.contexts.last_mut() else { return None };
                let resource_type = &mut draft.resource_type;
                match name {
                    "desc" | "doc=" => {
                        if let Some(text) = call.arguments.value(0).prose() {
                            resource_type.documentation = dedent(&text);
                        }
                    }
                    "feature" => match call.arguments.value(0).name() {
                        Some(name) => resource_type.features.push(Feature {
                            name,
                            documentation: dedent(&call.arguments.value(1).prose().unwrap_or_default()),
                        }),
                        None => resource_type.is_incomplete = true,
                    },
                    "validate" | "apply_to_device" | "apply_to_host" | "apply_to_all" => {}
                    _ => return None,
                }
                return Some(RubyValue::Nil);
            }
        };
        let is_conditional = self.conditions > 0;
        let Some(DefinitionContext::Type(draft)) = self.contexts.last_mut() else { return None };
        match attribute {
            Some(attribute) => draft.add(attribute, is_conditional),
            None => draft.resource_type.is_incomplete = true,
        }
        Some(RubyValue::Unknown)
    }

    pub(super) fn new_metaparameter(&mut self, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        if let Some(attribute) = self.read_attribute(call, ResourceAttributeKind::Parameter) {
            self.output.metaparameters.push(attribute);
        }
        RubyValue::Unknown
    }

    /// Moves additions to the types of this file, or to the list of additions to other types.
    pub(super) fn finish_additions(&mut self) {
        let mut additions = std::mem::take(&mut self.additions);
        additions.sort_by_key(|draft| draft.resource_type.range.start);
        for addition in additions {
            let addition = addition.resource_type;
            let own = self.output.resource_types.iter_mut().find(|it| it.name == addition.name);
            match own {
                Some(resource_type) => {
                    let resource_type = Arc::make_mut(resource_type);
                    *resource_type = crate::with_additions(resource_type, [&addition]);
                }
                None => self.output.type_additions.push(Arc::new(addition)),
            }
        }
    }

    /// Evaluates `Puppet::ResourceApi.register_type(name: 'x', attributes: { ... })`.
    pub(super) fn register_type(&mut self, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        let options = call.arguments.options();
        let Some(name) = call.arguments.option("name").and_then(|name| name.name()) else {
            return RubyValue::Unknown;
        };
        let range = match super::value::entry(options, "name") {
            Some(entry) => entry.value_range,
            None => call.range,
        };
        let mut draft = TypeDraft::new(name.clone(), range, ResourceApi::ResourceApi);
        let documentation = ["docs", "desc"].iter().find_map(|key| call.arguments.option(key)?.prose());
        draft.resource_type.documentation = documentation.map_or_else(SmolStr::default, |text| dedent(&text));
        if let Some(patterns) = call.arguments.option("title_patterns") {
            draft.resource_type.title_patterns = title_patterns::parse_named_groups(&patterns);
        }
        draft.resource_type.is_incomplete = call.arguments.has_unknown_options();
        if let Some(RubyValue::Array(features)) = call.arguments.option("features") {
            for feature in features.iter().filter_map(RubyValue::name) {
                let feature = Feature { name: feature, documentation: SmolStr::default() };
                draft.resource_type.features.push(feature);
            }
        }
        match call.arguments.option("attributes") {
            Some(RubyValue::Hash(entries)) => {
                for entry in entries.iter() {
                    match super::resource_api::attribute(entry) {
                        Some(attribute) => draft.add(attribute, false),
                        None => draft.resource_type.is_incomplete = true,
                    }
                }
            }
            _ => draft.resource_type.is_incomplete = true,
        }
        self.output.resource_types.push(Arc::new(draft.resource_type));
        RubyValue::ResourceType(name)
    }
}
