//! Properties and parameters of a resource type, defined by the block of `newproperty` or `newparam`.

use plugins::drafts::{AttributeDraft, DefinitionContext};
use plugins::{ResourceAttribute, ResourceAttributeKind};
use smol_str::SmolStr;

use super::calls::RubyCall;
use super::values::{UNKNOWN, draft_value, puppet_text, truth};
use crate::classes::Superclass;
use crate::interpreter::Interpreter;
use crate::value::Object;

/// Maximum number of superclasses followed.
const SUPERCLASS_LIMIT: u32 = 8;

impl Interpreter<'_> {
    /// Reads `newproperty(:name, :parent => Class, ...) do ... end` and similar calls. Returns `None` if the
    /// name is unknown.
    pub(super) fn read_attribute(
        &mut self,
        call: &RubyCall<'_>,
        kind: ResourceAttributeKind,
    ) -> Option<ResourceAttribute> {
        let arguments = &call.arguments;
        let name = arguments.name(0)?;
        let given = self.declared.passed_name.as_ref().filter(|(given, _)| *given == name);
        let range = given.map_or(arguments.range(0), |(_, range)| *range);
        let draft = AttributeDraft::new(name.clone(), range, kind, self.declared.conditions);
        self.define(DefinitionContext::Attribute(draft), name);
        if let Some(parent) = arguments.option("parent") {
            self.inherit(&parent, SUPERCLASS_LIMIT);
        }
        if let Some(DefinitionContext::Attribute(draft)) = self.declared.context() {
            draft.is_uncertain |= arguments.has_unknown_options();
            let is_true = |name: &str| arguments.option(name).is_some_and(|it| truth(&it) == Some(true));
            draft.attribute.is_name_variable |= is_true("namevar");
            draft.has_boolean_option = is_true("boolean");
            if let Some(matching) = arguments.option("array_matching") {
                draft.set_array_matching(&draft_value(&matching));
            }
            if let Some(features) = arguments.option("required_features") {
                draft.require_features(&draft_value(&features));
            }
        }
        match self.finish_definition(call, false) {
            Some(DefinitionContext::Attribute(draft)) => Some(draft.finish()),
            _ => None,
        }
    }

    /// Reads `ensurable`, with or without a block.
    pub(super) fn read_ensure(&mut self, call: &RubyCall<'_>) -> Option<ResourceAttribute> {
        let name = SmolStr::new_static("ensure");
        let range = self.message_range(call);
        let mut draft = AttributeDraft::new(
            name.clone(),
            range,
            ResourceAttributeKind::Property,
            self.declared.conditions,
        );
        if !call.arguments.has_block() {
            draft.add_default_values();
        }
        self.define(DefinitionContext::Attribute(draft), name);
        match self.finish_definition(call, false) {
            Some(DefinitionContext::Attribute(draft)) => Some(draft.finish()),
            _ => None,
        }
    }

    fn attribute_draft(&mut self) -> Option<&mut AttributeDraft> {
        match self.declared.context() {
            Some(DefinitionContext::Attribute(draft)) => Some(draft),
            _ => None,
        }
    }

    /// Applies the behavior of a superclass.
    fn inherit(&mut self, class: &Object, superclasses: u32) {
        let module = match class {
            Object::Module(module) if !module.is_native && superclasses > 0 => module.clone(),
            Object::Constant(path) => {
                if let Some(draft) = self.attribute_draft() {
                    draft.inherit(path);
                }
                return;
            }
            Object::Module(module) => {
                let path = module.name.borrow().clone();
                return self.inherit(&Object::Constant(path), 0);
            }
            _ => {
                if let Some(draft) = self.attribute_draft() {
                    draft.is_uncertain = true;
                }
                return;
            }
        };
        let superclass = module.superclass.borrow().clone();
        match superclass {
            Superclass::None => {}
            Superclass::Native(path) => self.inherit(&Object::Constant(path), superclasses - 1),
            Superclass::Module(superclass) => self.inherit(&Object::Module(superclass), superclasses - 1),
        }
        if module.is_incomplete.get()
            && let Some(draft) = self.attribute_draft()
        {
            draft.is_uncertain = true;
        }
        let this = self.declared.contexts.last().and_then(|it| it.this.clone());
        let classes = std::mem::take(&mut self.declared.classes);
        for class in classes.iter().filter(|class| std::rc::Rc::ptr_eq(&class.module, &module)) {
            if let Some(this) = &this {
                self.evaluate_in(this, class);
            }
        }
        self.declared.classes = classes;
    }

    /// Evaluates `defaultto`. Ignores the side effects of its block.
    pub(super) fn set_default(&mut self, call: &RubyCall<'_>) {
        let value = match call.arguments.code() {
            Some(block) => {
                let contexts = std::mem::take(&mut self.declared.contexts);
                let value = self.call_block(&block, Vec::new()).unwrap_or(UNKNOWN);
                self.declared.contexts = contexts;
                value
            }
            None if call.arguments.has_block() => UNKNOWN,
            None => call.arguments.value(0),
        };
        let conditions = self.declared.conditions;
        if let Some(draft) = self.attribute_draft() {
            let is_conditional = conditions > draft.conditions;
            draft.attribute.default = if is_conditional { None } else { puppet_text(&value) };
        }
    }
}
