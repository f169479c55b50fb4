//! Providers, custom facts, data types, and required files.

use plugins::code::{AssignTarget, RubyExpressionKind};
use plugins::drafts::{DefinitionContext, dedent};
use plugins::{CustomFact, DataType, Provider};
use smol_str::{SmolStr, format_smolstr};

use super::calls::RubyCall;
use super::values::{UNKNOWN, prose_of, truth};
use crate::blocks::BlockRef;
use crate::interpreter::{FOLDER, Interpreter};
use crate::library::files::resolved_path;
use crate::value::Object;

/// Maximum number of required files.
const MAX_REQUIRED_FILES: usize = 32;

impl Interpreter<'_> {
    /// Evaluates a call outside of any definition: helper functions of older files.
    pub(super) fn call_in_module(&mut self, call: &RubyCall<'_>) -> Option<Object> {
        let mut parts: Vec<SmolStr> = Vec::new();
        let mut nesting = self.context.nesting.as_ref();
        while let Some(inner) = nesting {
            parts.extend(inner.module.name.borrow().split("::").map(SmolStr::new));
            nesting = inner.outer.as_ref();
        }
        let is_in = |name: &str| parts.iter().any(|part| part == name);
        match &*call.name {
            "newfunction" => Some(self.declare_legacy_function(call)),
            "newtype" if is_in("Type") => Some(self.declare_type(call)),
            "create_function" if is_in("Functions") => Some(self.declare_function(call, 0)),
            "newmetaparam" if is_in("Type") => Some(self.declare_metaparameter(call)),
            _ => None,
        }
    }

    /// Evaluates `Puppet::Type.type(:package).provide(:apt, ...) do ... end`.
    pub(super) fn declare_provider(&mut self, type_name: &SmolStr, call: &RubyCall<'_>) -> Object {
        if let Some(name) = call.arguments.name(0) {
            let documentation = match self.description_in_block(call) {
                Some(text) => dedent(&text),
                None => self.comment(call),
            };
            self.declared.output.providers.push(Provider {
                resource_type: SmolStr::new(type_name.to_lowercase()),
                name: SmolStr::new(name.to_lowercase()),
                range: call.arguments.range(0),
                documentation,
            });
        }
        UNKNOWN
    }

    /// Returns the argument of `desc` or the value of `@doc` at the top level of a call's block, ignoring the
    /// rest of the block.
    fn description_in_block(&mut self, call: &RubyCall<'_>) -> Option<SmolStr> {
        let Some(BlockRef::Code(closure)) = call.arguments.code() else { return None };
        let found = closure.code.body.iter().find_map(|statement| match &*statement.kind {
            RubyExpressionKind::Call { receiver: None, name, arguments, .. } if name == "desc" => {
                arguments.first()
            }
            RubyExpressionKind::Assignment { target: AssignTarget::InstanceVariable(name), value }
                if name == "doc" =>
            {
                Some(value)
            }
            _ => None,
        });
        found.and_then(|value| prose_of(&self.evaluate(value).unwrap_or(UNKNOWN)))
    }

    /// Evaluates `Facter.add(:name) do ... end`.
    pub(super) fn declare_fact(&mut self, call: &RubyCall<'_>) -> Object {
        if let Some(name) = call.arguments.name(0) {
            let name = SmolStr::new(name.to_lowercase());
            // A fact may have several resolutions.
            if !self.declared.output.facts.iter().any(|fact| fact.name == name) {
                let range = call.arguments.range(0);
                let documentation = self.comment(call);
                self.declared.output.facts.push(CustomFact { name, range, documentation });
            }
        }
        UNKNOWN
    }

    /// Evaluates `Puppet::DataTypes.create_type('Name') do ... end`.
    pub(super) fn declare_data_type(&mut self, call: &RubyCall<'_>) -> Object {
        let Some(name) = call.arguments.name(0) else { return UNKNOWN };
        let data_type = DataType {
            name: name.clone(),
            range: call.arguments.range(0),
            interface: SmolStr::default(),
            documentation: self.comment(call),
        };
        self.define(DefinitionContext::DataType(data_type), name);
        if let Some(DefinitionContext::DataType(data_type)) = self.finish_definition(call, false) {
            self.declared.output.data_types.push(data_type);
        }
        UNKNOWN
    }

    /// Evaluates `@doc = "..."` and other assignments to instance variables in a definition.
    pub(super) fn set_definition_variable(&mut self, name: &str, value: &Object) {
        let this = self.context.this.clone();
        if !self.declared.is_this(&this) {
            return;
        }
        let text = prose_of(value).filter(|_| name == "doc" || name == "docs").map(|text| dedent(&text));
        match (self.declared.context(), text) {
            (Some(DefinitionContext::Type(draft)), _) if name == "isomorphic" => {
                draft.resource_type.is_isomorphic = truth(value) == Some(true);
            }
            (Some(DefinitionContext::Type(draft)), Some(text)) => draft.resource_type.documentation = text,
            (Some(DefinitionContext::Attribute(draft)), Some(text)) => draft.attribute.documentation = text,
            _ => {}
        }
    }

    /// Evaluates `require 'puppet_x/a'`, `require_relative '../a'`, and absolute paths built from `__FILE__`.
    pub(super) fn declare_require(&mut self, call: &RubyCall<'_>) {
        let Object::Text(path) = call.arguments.value(0) else { return };
        let mut path = SmolStr::new(path.content.borrow().as_str());
        if call.name == "require_relative" {
            let file = self.files.get(self.file as usize).map_or("", |file| file.path.as_str());
            path = format_smolstr!("{file}/../{path}");
        }
        let below = path.strip_prefix(FOLDER).unwrap_or(&path);
        let (path, is_outside) = resolved_path(below);
        let path = path.strip_prefix("lib/").unwrap_or(&path);
        let path = format_smolstr!("{}.rb", path.strip_suffix(".rb").unwrap_or(path));
        let is_there = self.files.iter().any(|file| file.path.strip_prefix("lib/") == Some(&path));
        let requires = &mut self.declared.requires;
        if !is_there && !is_outside && requires.len() < MAX_REQUIRED_FILES && !requires.contains(&path) {
            requires.push(path);
        }
    }

    /// Returns the comment before a call.
    pub(super) fn comment(&self, call: &RubyCall<'_>) -> SmolStr {
        plugins::drafts::comment_before(self.declared.text(self.file), call.expression.range.start)
    }

    /// Begins a definition with a class of this name as its `self`.
    pub(super) fn define(&mut self, context: DefinitionContext, name: SmolStr) {
        let module = self.new_module(name, true, false);
        self.open_definition(context, &module);
    }
}
