//! Providers, custom facts and data types.

use smol_str::SmolStr;

use super::calls::RubyCall;
use super::context::DefinitionContext;
use super::interpreter::{RubyInterpreter, constant_name};
use super::text::dedent;
use super::value::{RubyArguments, RubyCode, RubyValue};
use crate::{CustomFact, DataType, Provider};

impl<'pr> RubyInterpreter<'pr> {
    /// Evaluates a call outside of any definition: helper functions of older files.
    pub(super) fn call_in_module(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        let is_in = |name: &str| self.module_path.iter().any(|part| part == name);
        match &*call.name {
            "newfunction" => Some(self.new_legacy_function(call)),
            "newtype" if is_in("Puppet") || is_in("Type") => Some(self.new_type(call)),
            "create_function" if is_in("Functions") => Some(self.create_function(call, 0)),
            "newmetaparam" if is_in("Type") => Some(self.new_metaparameter(call)),
            _ => None,
        }
    }

    /// Evaluates `Puppet::Type.type(:package).provide(:apt, ...) do ... end`.
    pub(super) fn provide(&mut self, type_name: &SmolStr, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        if let Some(name) = call.arguments.value(0).name() {
            let documentation = match self.description_in_block(call) {
                Some(text) => dedent(&text),
                None => self.comment(&call.comment_at),
            };
            self.output.providers.push(Provider {
                resource_type: SmolStr::new(type_name.to_lowercase()),
                name: SmolStr::new(name.to_lowercase()),
                range: call.arguments.range(0),
                documentation,
            });
        }
        RubyValue::Unknown
    }

    /// Returns the argument of `desc` or the value of `@doc` at the top level of a call's block, ignoring the
    /// rest of the block.
    fn description_in_block(&mut self, call: &RubyCall<'pr>) -> Option<SmolStr> {
        let Some(RubyValue::Block(block)) = &call.arguments.block else { return None };
        let body = match &block.code {
            RubyCode::Block(node) => node.body(),
            RubyCode::Lambda(node) => node.body(),
        };
        for statement in body?.as_statements_node()?.body().iter() {
            let value = if let Some(inner) = statement.as_call_node() {
                if inner.receiver().is_some() || constant_name(&inner.name()) != "desc" {
                    continue;
                }
                inner.arguments()?.arguments().first()
            } else if let Some(write) = statement.as_instance_variable_write_node() {
                if constant_name(&write.name()) != "@doc" {
                    continue;
                }
                Some(write.value())
            } else {
                continue;
            };
            return value.and_then(|value| self.evaluate(&value).prose());
        }
        None
    }

    /// Evaluates `Facter.add(:name) do ... end`.
    pub(super) fn add_fact(&mut self, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        if let Some(name) = call.arguments.value(0).name() {
            let name = SmolStr::new(name.to_lowercase());
            // A fact may have several resolutions.
            if !self.output.facts.iter().any(|fact| fact.name == name) {
                let range = call.arguments.range(0);
                let documentation = self.comment(&call.comment_at);
                self.output.facts.push(CustomFact { name, range, documentation });
            }
        }
        RubyValue::Unknown
    }

    /// Evaluates the bodies of all methods. Facts are often added in methods, whether or not these are called
    /// on loading.
    pub(super) fn follow_all_methods(&mut self) {
        for method in self.all_methods() {
            let arguments = RubyArguments { has_unknown: true, ..RubyArguments::default() };
            self.invoke(&method, &arguments, syntax::TextRange::default());
        }
    }

    /// Evaluates `Puppet::DataTypes.create_type('Name') do ... end`.
    pub(super) fn create_data_type(&mut self, call: &RubyCall<'pr>) -> RubyValue<'pr> {
        let Some(name) = call.arguments.value(0).name() else { return RubyValue::Unknown };
        let data_type = DataType {
            name,
            range: call.arguments.range(0),
            interface: SmolStr::default(),
            documentation: self.comment(&call.comment_at),
        };
        self.contexts.push(DefinitionContext::DataType(data_type));
        if let Some(block) = &call.arguments.block {
            self.run_block(&block.clone(), vec![RubyValue::This]);
        }
        if let Some(DefinitionContext::DataType(data_type)) = self.contexts.pop() {
            self.output.data_types.push(data_type);
        }
        RubyValue::Unknown
    }

    pub(super) fn call_in_data_type(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        let Some(DefinitionContext::DataType(data_type)) = self.contexts.last_mut() else { return None };
        match &*call.name {
            "interface" => {
                if let RubyValue::String(text) = call.arguments.value(0) {
                    data_type.interface = dedent(&text);
                }
            }
            // The other methods define the Ruby side of the values.
            "load_file" | "implementation" | "implementation_class" => {}
            _ => return None,
        }
        Some(RubyValue::Nil)
    }

    /// Evaluates `@doc = "..."` and other assignments to instance variables.
    pub(super) fn set_instance_variable(&mut self, name: &str, value: &RubyValue<'pr>) {
        if let (true, Some(DefinitionContext::Type(draft))) =
            (name == "@isomorphic", self.contexts.last_mut())
        {
            draft.resource_type.is_isomorphic = value.truth() == Some(true);
        }
        let (true, Some(text)) = (name == "@doc" || name == "@docs", value.prose()) else { return };
        match self.contexts.last_mut() {
            Some(DefinitionContext::Type(draft)) => draft.resource_type.documentation = dedent(&text),
            Some(DefinitionContext::Attribute(draft)) => draft.attribute.documentation = dedent(&text),
            _ => {}
        }
    }
}
