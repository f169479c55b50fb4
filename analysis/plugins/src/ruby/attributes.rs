//! Properties and parameters of a resource type, defined by the block of `newproperty` or `newparam`.

use std::rc::Rc;

use smol_str::SmolStr;
use syntax::TextRange;

use super::calls::RubyCall;
use super::context::DefinitionContext;
use super::interpreter::RubyInterpreter;
use super::text::dedent;
use super::value::{RubyArguments, RubyValue};
use crate::{ResourceAttribute, ResourceAttributeKind};

/// Methods that override Puppet's own validation of values.
pub(super) const VALIDATION_METHODS: [&str; 5] =
    ["unsafe_validate", "validate", "value=", "should=", "initialize"];

/// Maximum number of superclasses followed.
const SUPERCLASS_LIMIT: u32 = 8;

/// Attribute under construction.
pub(super) struct AttributeDraft {
    pub attribute: ResourceAttribute,
    /// True if unknown code affects the attribute.
    pub is_uncertain: bool,
    /// True if the attribute validates values itself.
    has_validation: bool,
    has_boolean_option: bool,
    /// Number of unknown conditions around the attribute's block.
    conditions: u32,
}

impl AttributeDraft {
    pub(super) fn new(
        name: SmolStr,
        range: TextRange,
        kind: ResourceAttributeKind,
        conditions: u32,
    ) -> AttributeDraft {
        AttributeDraft {
            attribute: ResourceAttribute {
                // A parameter named `name` is always the name variable.
                is_name_variable: kind == ResourceAttributeKind::Parameter && name == "name",
                ..ResourceAttribute::new(name, range, kind)
            },
            is_uncertain: false,
            has_validation: false,
            has_boolean_option: false,
            conditions,
        }
    }

    pub(super) fn define_method(&mut self, name: &str) {
        if VALIDATION_METHODS.contains(&name) {
            self.has_validation = true;
        } else if name == "default" {
            self.attribute.default = None;
        }
    }

    /// Returns the attribute as far as it is known.
    pub(super) fn finish(self) -> ResourceAttribute {
        let mut attribute = self.attribute;
        let has_values = !attribute.values.is_empty() || !attribute.value_patterns.is_empty();
        attribute.values_are_closed = has_values && !self.has_validation && !self.is_uncertain;
        if attribute.kind == ResourceAttributeKind::Parameter {
            attribute.takes_array = !attribute.values_are_closed;
        }
        if !has_values && self.has_boolean_option {
            attribute.values = vec![SmolStr::new("true"), SmolStr::new("false")];
        }
        attribute
    }

    fn add_value(&mut self, value: &RubyValue) {
        match value {
            RubyValue::Pattern(text) => {
                if !self.attribute.value_patterns.contains(text) {
                    self.attribute.value_patterns.push(text.clone());
                }
            }
            value => match value.to_text() {
                Some(text) => {
                    if !self.attribute.values.contains(&text) {
                        self.attribute.values.push(text);
                    }
                }
                None => self.is_uncertain = true,
            },
        }
    }

    fn require_features(&mut self, value: &RubyValue) {
        match value {
            RubyValue::Array(features) => features.iter().for_each(|feature| self.require_features(feature)),
            value => match value.name() {
                Some(name) => self.attribute.required_features.push(SmolStr::new(name.to_lowercase())),
                None => self.is_uncertain = true,
            },
        }
    }
}

impl<'pr> RubyInterpreter<'pr> {
    /// Reads `newproperty(:name, :parent => Class, ...) do ... end` and similar calls. Returns `None` if the
    /// name is unknown.
    pub(super) fn read_attribute(
        &mut self,
        call: &RubyCall<'pr>,
        kind: ResourceAttributeKind,
    ) -> Option<ResourceAttribute> {
        let name = call.arguments.value(0).name()?;
        let given = self.passed_name.as_ref().filter(|(given, _)| *given == name);
        let range = given.map_or(call.arguments.range(0), |(_, range)| *range);
        let draft = AttributeDraft::new(name, range, kind, self.conditions);
        let arguments = &call.arguments;
        self.contexts.push(DefinitionContext::Attribute(draft));
        if let Some(parent) = arguments.option("parent") {
            self.inherit(&parent, SUPERCLASS_LIMIT);
        }
        if let Some(DefinitionContext::Attribute(draft)) = self.contexts.last_mut() {
            draft.is_uncertain |= arguments.has_unknown_options();
            let is_true = |option: Option<RubyValue>| option.is_some_and(|value| value.truth() == Some(true));
            draft.attribute.is_name_variable |= is_true(arguments.option("namevar"));
            draft.has_boolean_option = is_true(arguments.option("boolean"));
            if let Some(matching) = arguments.option("array_matching") {
                draft.attribute.takes_array = matching.name().is_none_or(|name| name == "all");
            }
            if let Some(features) = arguments.option("required_features") {
                draft.require_features(&features);
            }
        }
        if let Some(block) = &arguments.block {
            self.run_block(&block.clone(), vec![RubyValue::This]);
        }
        match self.contexts.pop() {
            Some(DefinitionContext::Attribute(draft)) => Some(draft.finish()),
            _ => None,
        }
    }

    /// Reads `ensurable`, with or without a block.
    pub(super) fn read_ensure(&mut self, call: &RubyCall<'pr>) -> Option<ResourceAttribute> {
        let name = SmolStr::new_static("ensure");
        let draft = AttributeDraft::new(name, call.range, ResourceAttributeKind::Property, self.conditions);
        self.contexts.push(DefinitionContext::Attribute(draft));
        match &call.arguments.block {
            Some(block) => {
                self.run_block(&block.clone(), vec![RubyValue::This]);
            }
            None => self.add_default_values(),
        }
        match self.contexts.pop() {
            Some(DefinitionContext::Attribute(draft)) => Some(draft.finish()),
            _ => None,
        }
    }

    fn attribute_draft(&mut self) -> Option<&mut AttributeDraft> {
        match self.contexts.last_mut() {
            Some(DefinitionContext::Attribute(draft)) => Some(draft),
            _ => None,
        }
    }

    fn add_default_values(&mut self) {
        if let Some(draft) = self.attribute_draft() {
            draft.add_value(&RubyValue::Symbol(SmolStr::new_static("present")));
            draft.add_value(&RubyValue::Symbol(SmolStr::new_static("absent")));
        }
    }

    /// Applies the behavior of a superclass.
    fn inherit(&mut self, class: &RubyValue<'pr>, superclasses: u32) {
        let RubyValue::Constant(path) = class else {
            if let Some(draft) = self.attribute_draft() {
                draft.is_uncertain = true;
            }
            return;
        };
        if let Some((_, class)) = self.find_class(path)
            && superclasses > 0
        {
            if let Some(superclass) = &class.superclass {
                self.inherit(&RubyValue::Constant(superclass.clone()), superclasses - 1);
            }
            if let Some(body) = &class.body {
                let class = Rc::clone(&class);
                let source = std::mem::replace(&mut self.source, class.source);
                let frame = std::mem::take(&mut self.frame);
                self.statement(body);
                self.frame = frame;
                self.source = source;
            }
            return;
        }
        let Some(draft) = self.attribute_draft() else { return };
        let boolean = |value: &'static str| RubyValue::Symbol(SmolStr::new_static(value));
        match path.strip_prefix("Puppet::").unwrap_or(path) {
            "Parameter" | "Property" | "Property::Ensure" | "Ensure" => {}
            "Parameter::Boolean" => {
                for value in ["true", "false", "yes", "no"] {
                    draft.add_value(&boolean(value));
                }
            }
            // The superclass ignores the case of these values.
            "Property::Boolean" => draft.has_boolean_option = true,
            "Parameter::Path" | "Property::KeyValue" => draft.has_validation = true,
            "Parameter::PackageOptions" => {}
            "Property::List" | "Property::OrderedList" => {}
            _ => draft.is_uncertain = true,
        }
    }

    pub(super) fn call_in_attribute(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        let arguments = &call.arguments;
        match &*call.name {
            "defaultvalues" => {
                self.add_default_values();
                return Some(RubyValue::Nil);
            }
            "defaultto" => {
                self.set_default(arguments)?;
                return Some(RubyValue::Nil);
            }
            _ => {}
        }
        let is_conditional = self.is_conditional_in_attribute();
        let draft = self.attribute_draft()?;
        match &*call.name {
            "desc" | "doc=" => {
                if let Some(text) = arguments.value(0).prose() {
                    draft.attribute.documentation = dedent(&text);
                }
            }
            "newvalue" => {
                draft.is_uncertain |= is_conditional || arguments.has_unknown;
                draft.add_value(&arguments.value(0));
            }
            "newvalues" => {
                draft.is_uncertain |= is_conditional || arguments.has_unknown;
                arguments.positional.iter().for_each(|(value, _)| draft.add_value(value));
            }
            "aliasvalue" => match (arguments.value(0).to_text(), arguments.value(1).to_text()) {
                (Some(alias), Some(value)) => draft.attribute.value_aliases.push((alias, value)),
                _ => draft.is_uncertain = true,
            },
            "isnamevar" => draft.attribute.is_name_variable = true,
            "validate" => draft.has_validation = true,
            "nodefault" => draft.attribute.default = None,
            "array_matching=" => {
                draft.attribute.takes_array = arguments.value(0).name().is_none_or(|name| name == "all");
            }
            "accept_arrays" => draft.attribute.takes_array = true,
            "required_features=" => draft.require_features(&arguments.value(0)),
            // Puppet records that a parameter is required and never checks it.
            "isrequired"
            | "munge"
            | "unmunge"
            | "sensitive"
            | "log_only_changed_or_new_keys="
            | "idempotent="
            | "unmanaged="
            | "metaparam="
            | "retrieve"
            | "proxymethods" => {}
            _ => return None,
        }
        Some(RubyValue::Nil)
    }

    /// Evaluates `defaultto`.
    fn set_default(&mut self, arguments: &RubyArguments<'pr>) -> Option<()> {
        let value = match &arguments.block {
            Some(block) => self.value_of_block(&block.clone()),
            None => arguments.value(0),
        };
        let is_conditional = self.is_conditional_in_attribute();
        let draft = self.attribute_draft()?;
        draft.attribute.default = if is_conditional { None } else { value.to_puppet() };
        Some(())
    }

    /// Returns true if the current code is conditional within the attribute's block.
    fn is_conditional_in_attribute(&self) -> bool {
        match self.contexts.last() {
            Some(DefinitionContext::Attribute(draft)) => self.conditions > draft.conditions,
            _ => false,
        }
    }

    /// Evaluates a block without parameters and ignores its side effects.
    fn value_of_block(&mut self, block: &RubyValue<'pr>) -> RubyValue<'pr> {
        let contexts = std::mem::take(&mut self.contexts);
        self.contexts.push(DefinitionContext::Module);
        let value = self.run_block(block, Vec::new());
        self.contexts = contexts;
        value
    }
}
