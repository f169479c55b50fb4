//! Resource types, defined by the block of `newtype`, and additions to them from outside.

use std::sync::Arc;

use plugins::drafts::{AttributeDraft, DefinitionContext, TypeDraft, dedent, values_of_type};
use plugins::{Feature, ResourceApi, ResourceAttribute, ResourceAttributeKind};
use smol_str::SmolStr;

use super::calls::{RubyCall, option};
use super::evaluation::DeclaredPair;
use super::title_patterns::named_group_patterns;
use super::values::{UNKNOWN, draft_value, name_of, prose_of, puppet_text};
use crate::interpreter::Interpreter;
use crate::value::Object;

impl Interpreter<'_> {
    /// Evaluates `Puppet::Type.newtype(:name) do ... end`.
    pub(super) fn declare_type(&mut self, call: &RubyCall<'_>) -> Object {
        let arguments = &call.arguments;
        let Some(name) = arguments.name(0) else { return UNKNOWN };
        let name = SmolStr::new(name.to_lowercase());
        let mut draft = TypeDraft::new(name.clone(), arguments.range(0), ResourceApi::Classic);
        draft.resource_type.documentation = match arguments.option("doc").and_then(|doc| prose_of(&doc)) {
            Some(text) => dedent(&text),
            None => self.comment(call),
        };
        let path = SmolStr::new(format!("Puppet::Type::{name}"));
        self.define(DefinitionContext::Type(draft), path.clone());
        let conditions = std::mem::take(&mut self.declared.conditions);
        self.run_definition(call, arguments.has_block());
        self.declared.conditions = conditions;
        self.read_title_patterns();
        if let Some(DefinitionContext::Type(mut draft)) = self.close_definition() {
            draft.add_provider();
            self.declared.output.resource_types.push(Arc::new(draft.resource_type));
        }
        Object::Constant(path)
    }

    /// Removes and returns the additions to this type, or new ones if there are none.
    pub(super) fn take_addition(&mut self, type_name: &SmolStr, call: &RubyCall<'_>) -> TypeDraft {
        let additions = &mut self.declared.additions;
        match additions.iter().position(|draft| draft.resource_type.name == *type_name) {
            Some(index) => additions.swap_remove(index),
            None => TypeDraft::new(type_name.clone(), self.message_range(call), ResourceApi::Classic),
        }
    }

    pub(super) fn call_in_type(&mut self, call: &RubyCall<'_>) -> Option<Object> {
        let attribute = match &*call.name {
            "newproperty" => self.read_attribute(call, ResourceAttributeKind::Property),
            "newparam" => self.read_attribute(call, ResourceAttributeKind::Parameter),
            "ensurable" => self.read_ensure(call),
            "newmetaparam" => return Some(self.declare_metaparameter(call)),
            _ => return None,
        };
        let is_conditional = self.declared.conditions > 0;
        let Some(DefinitionContext::Type(draft)) = self.declared.context() else { return None };
        match attribute {
            Some(attribute) => draft.add(attribute, is_conditional),
            None => draft.resource_type.is_incomplete = true,
        }
        Some(UNKNOWN)
    }

    pub(super) fn declare_metaparameter(&mut self, call: &RubyCall<'_>) -> Object {
        if let Some(attribute) = self.read_attribute(call, ResourceAttributeKind::Parameter) {
            self.declared.output.metaparameters.push(attribute);
        }
        UNKNOWN
    }

    /// Moves additions to the types of this file, or to the list of additions to other types.
    pub(super) fn finish_additions(&mut self) {
        let mut additions = std::mem::take(&mut self.declared.additions);
        additions.sort_by_key(|draft| draft.resource_type.range.start);
        let output = &mut self.declared.output;
        for addition in additions {
            let addition = addition.resource_type;
            match output.resource_types.iter_mut().find(|it| it.name == addition.name) {
                Some(resource_type) => {
                    let resource_type = Arc::make_mut(resource_type);
                    *resource_type = plugins::with_additions(resource_type, [&addition]);
                }
                None => output.type_additions.push(Arc::new(addition)),
            }
        }
    }

    /// Evaluates `Puppet::ResourceApi.register_type(name: 'x', attributes: { ... })`.
    pub(super) fn register_type(&mut self, call: &RubyCall<'_>) -> Object {
        let arguments = &call.arguments;
        let name = option(arguments.options(), "name");
        let Some((name, range)) = name.and_then(|pair| Some((name_of(&pair.value)?, pair.value_range)))
        else {
            return UNKNOWN;
        };
        let mut draft = TypeDraft::new(name.clone(), range, ResourceApi::ResourceApi);
        let documentation = ["docs", "desc"].iter().find_map(|key| prose_of(&arguments.option(key)?));
        draft.resource_type.documentation = documentation.map_or_else(SmolStr::default, |text| dedent(&text));
        if let Some(patterns) = arguments.option("title_patterns") {
            draft.resource_type.title_patterns = named_group_patterns(&patterns);
        }
        draft.resource_type.is_incomplete = arguments.has_unknown_options();
        if let Some(Object::Array(features)) = arguments.option("features") {
            for name in features.elements.borrow().iter().filter_map(name_of) {
                draft.resource_type.features.push(Feature { name, documentation: SmolStr::default() });
            }
        }
        match arguments.option("attributes") {
            Some(Object::Hash(attributes)) => {
                for pair in self.pairs_of(&attributes) {
                    match self.resource_api_attribute(&pair) {
                        Some(attribute) => draft.add(attribute, false),
                        None => draft.resource_type.is_incomplete = true,
                    }
                }
            }
            _ => draft.resource_type.is_incomplete = true,
        }
        self.declared.output.resource_types.push(Arc::new(draft.resource_type));
        Object::Constant(format!("Puppet::Type::{name}").into())
    }

    /// Reads an attribute from an entry of the hash `attributes`. Returns `None` if its name is unknown.
    fn resource_api_attribute(&self, pair: &DeclaredPair) -> Option<ResourceAttribute> {
        let name = name_of(&pair.key)?;
        let description = match &pair.value {
            Object::Hash(description) => self.pairs_of(description),
            _ => Vec::new(),
        };
        let get = |key: &str| option(&description, key).map(|pair| &pair.value);
        let behaviour = get("behaviour").or_else(|| get("behavior"));
        let behaviour = behaviour.and_then(name_of).unwrap_or_default();
        let kind = match &*behaviour {
            "parameter" => ResourceAttributeKind::Parameter,
            "read_only" => ResourceAttributeKind::ReadOnly,
            _ => ResourceAttributeKind::Property,
        };
        let mut attribute = AttributeDraft::new(name, pair.key_range, kind, 0).finish();
        attribute.is_name_variable = behaviour == "namevar";
        attribute.type_text =
            get("type").map(draft_value).and_then(|it| Some(SmolStr::new(it.string()?.trim())));
        attribute.documentation =
            get("desc").and_then(prose_of).map_or_else(SmolStr::default, |text| dedent(&text));
        attribute.default = get("default").and_then(puppet_text);
        let type_text = attribute.type_text.as_deref().unwrap_or("Any");
        // A missing property is only an error later, and not for absent resources.
        attribute.is_required = kind == ResourceAttributeKind::Parameter
            && get("default").is_none()
            && type_text != "Any"
            && !type_text.starts_with("Optional[");
        attribute.values = values_of_type(type_text);
        attribute.takes_array =
            type_text.contains("Array") || type_text.contains("Tuple") || type_text == "Any";
        Some(attribute)
    }
}
