//! Effects of calls in a Ruby file, determined by method name and receiver.

use ruby_prism::CallNode;
use smol_str::SmolStr;
use syntax::TextRange;

use super::attributes::VALIDATION_METHODS;
use super::context::DefinitionContext;
use super::interpreter::{RubyInterpreter, constant_name};
use super::methods;
use super::value::{RubyArguments, RubyValue};

/// Maximum number of list elements that a loop visits.
const ELEMENT_LIMIT: usize = 1_000;

/// Call with its arguments.
pub(super) struct RubyCall<'pr> {
    pub name: SmolStr,
    pub arguments: RubyArguments<'pr>,
    /// Range of the method name.
    pub range: TextRange,
    /// Location before which the comment of the call is found.
    pub comment_at: ruby_prism::Location<'pr>,
    /// True if the value is unused.
    pub is_statement: bool,
}

impl<'pr> RubyInterpreter<'pr> {
    pub(super) fn call(&mut self, node: &CallNode<'pr>, is_statement: bool) -> RubyValue<'pr> {
        let receiver = node.receiver().map_or(RubyValue::This, |receiver| self.evaluate(&receiver));
        if node.is_safe_navigation() && matches!(receiver, RubyValue::Nil) {
            return RubyValue::Nil;
        }
        let name = constant_name(&node.name());
        let arguments = self.arguments(node);
        let location = node.message_loc().unwrap_or_else(|| node.location());
        let range = self.range(&location);
        let call = RubyCall { name, arguments, range, comment_at: node.location(), is_statement };
        match receiver {
            RubyValue::This => self.call_on_self(call),
            RubyValue::Constant(path) => self.call_on_constant(&path, call),
            RubyValue::ResourceType(type_name) => self.call_on_resource_type(&type_name, call),
            receiver => self.call_on_value(&receiver, call),
        }
    }

    /// Evaluates a call without receiver, or on `self`.
    fn call_on_self(&mut self, call: RubyCall<'pr>) -> RubyValue<'pr> {
        let handled = match self.contexts.last() {
            Some(DefinitionContext::Function(_)) => self.call_in_function(&call),
            Some(DefinitionContext::Dispatch { .. }) => self.call_in_dispatch(&call),
            Some(DefinitionContext::LocalTypes { .. }) => self.call_in_local_types(&call),
            Some(DefinitionContext::Type(_)) => self.call_in_type(&call),
            Some(DefinitionContext::Attribute(_)) => self.call_in_attribute(&call),
            Some(DefinitionContext::DataType(_)) => self.call_in_data_type(&call),
            Some(DefinitionContext::Module) | None => self.call_in_module(&call),
        };
        if let Some(value) = handled {
            return value;
        }
        if matches!(&*call.name, "send" | "public_send" | "__send__") {
            return self.send(call);
        }
        if let Some(value) = self.call_builtin(&call) {
            return value;
        }
        if let Some(method) = self.method(&call.name) {
            return self.invoke(&method, &call.arguments, call.range);
        }
        if !is_ignored_method(&call.name) && (call.is_statement || call.arguments.passes_self()) {
            self.mark_incomplete();
            // The unknown method may run its block immediately.
            if let (Some(DefinitionContext::Type(_)), Some(block)) =
                (self.contexts.last(), &call.arguments.block)
            {
                self.run_conditionally(&block.clone());
            }
        }
        RubyValue::Unknown
    }

    /// Evaluates methods that Ruby defines for every object.
    fn call_builtin(&mut self, call: &RubyCall<'pr>) -> Option<RubyValue<'pr>> {
        Some(match &*call.name {
            "class_eval" | "instance_eval" | "module_eval" | "class_exec" | "instance_exec" | "tap"
            | "then" => {
                match &call.arguments.block {
                    Some(block @ RubyValue::Block(_)) => {
                        self.run_block(&block.clone(), vec![RubyValue::This])
                    }
                    // Code in a string, or a block that is defined elsewhere.
                    _ => {
                        self.mark_incomplete();
                        RubyValue::Unknown
                    }
                }
            }
            "include" | "extend" | "prepend" => {
                self.include(call);
                RubyValue::This
            }
            "require" | "require_relative" => {
                self.require(call);
                RubyValue::Unknown
            }
            "__dir__" => {
                let path = self.sources[self.source].path;
                RubyValue::String(SmolStr::new(super::requires::folder(path)))
            }
            "lambda" | "proc" => call.arguments.block.clone().unwrap_or(RubyValue::Unknown),
            // Translated messages.
            "_" | "N_" => call.arguments.value(0),
            "format" | "sprintf" => {
                call.arguments.value(0).prose().map_or(RubyValue::Unknown, RubyValue::InexactString)
            }
            "Array" => match call.arguments.value(0) {
                array @ RubyValue::Array(_) => array,
                value @ (RubyValue::String(_) | RubyValue::Symbol(_)) => RubyValue::array(vec![value]),
                _ => RubyValue::Unknown,
            },
            "define_method" | "define_singleton_method" => {
                if let (Some(name), Some(context)) =
                    (call.arguments.value(0).name(), self.contexts.last_mut())
                {
                    context.define_method(&name, call.name == "define_singleton_method");
                }
                RubyValue::Unknown
            }
            _ => return None,
        })
    }

    fn mark_incomplete(&mut self) {
        if let Some(context) = self.contexts.last_mut() {
            self.has_missing_definition |= !matches!(context, DefinitionContext::Module);
            context.open();
        }
    }

    /// Runs a block that may be called any number of times, with unknown arguments.
    fn run_conditionally(&mut self, block: &RubyValue<'pr>) {
        self.conditions += 1;
        self.run_block(block, Vec::new());
        self.conditions -= 1;
    }

    /// Evaluates `send(:name, ...)`.
    fn send(&mut self, mut call: RubyCall<'pr>) -> RubyValue<'pr> {
        match call.arguments.value(0).name() {
            Some(name) if !call.arguments.positional.is_empty() && name != "send" => {
                call.arguments.positional.remove(0);
                self.call_on_self(RubyCall { name, ..call })
            }
            _ => {
                self.mark_incomplete();
                RubyValue::Unknown
            }
        }
    }

    /// Evaluates `include` and `extend`. Modules may have hooks that modify the including class.
    fn include(&mut self, call: &RubyCall<'pr>) {
        let hook_name = if call.name == "extend" { "extended" } else { "included" };
        let modules: Vec<RubyValue> =
            call.arguments.positional.iter().map(|(value, _)| value.clone()).collect();
        for module in modules {
            let RubyValue::Constant(path) = module else {
                self.mark_incomplete();
                continue;
            };
            if let Some((full_path, _)) = self.find_class(&path) {
                if let Some(hook) = self.hooks.get(&full_path).cloned()
                    && constant_name(&hook.definition.name()) == hook_name
                {
                    let mut arguments = RubyArguments::default();
                    arguments.positional.push((RubyValue::This, call.range));
                    self.invoke(&hook, &arguments, call.range);
                }
                let may_validate = VALIDATION_METHODS.iter().any(|name| self.has_method(name));
                if let (Some(DefinitionContext::Attribute(draft)), true) =
                    (self.contexts.last_mut(), may_validate)
                {
                    draft.is_uncertain = true;
                }
            } else if !is_known_module(&path) {
                self.mark_incomplete();
            }
        }
    }

    fn call_on_constant(&mut self, path: &str, call: RubyCall<'pr>) -> RubyValue<'pr> {
        let last = path.rsplit("::").next().unwrap_or(path);
        match (last, &*call.name) {
            ("Functions", "create_function") => return self.create_function(&call, 0),
            ("Functions", "create_loaded_function") => return self.create_function(&call, 1),
            ("Functions", "newfunction") => return self.new_legacy_function(&call),
            ("Type" | "Puppet", "newtype") => return self.new_type(&call),
            ("Type", "type") => {
                return call.arguments.value(0).name().map_or(RubyValue::Unknown, RubyValue::ResourceType);
            }
            ("Type", "newmetaparam") => return self.new_metaparameter(&call),
            ("ResourceApi", "register_type") => return self.register_type(&call),
            ("Facter", "add") => return self.add_fact(&call),
            ("DataTypes", "create_type") => return self.create_data_type(&call),
            ("Regexp", "new") => {
                return match call.arguments.value(0) {
                    RubyValue::String(text) if call.arguments.positional.len() == 1 => {
                        RubyValue::Pattern(text)
                    }
                    pattern @ RubyValue::Pattern(_) => pattern,
                    _ => RubyValue::Unknown,
                };
            }
            ("File", "join" | "dirname" | "expand_path") => return super::requires::call_on_file(&call),
            ("Set", "new") => return call.arguments.value(0),
            ("Proc", "new") => return call.arguments.block.clone().unwrap_or(RubyValue::Unknown),
            ("Set", "[]") => {
                return match call.arguments.has_unknown {
                    true => RubyValue::Unknown,
                    false => {
                        let values = call.arguments.positional.into_iter().map(|(value, _)| value);
                        RubyValue::array(values.collect())
                    }
                };
            }
            _ => {}
        }
        if let Some(type_name) = path.strip_prefix("Puppet::Type::")
            && !type_name.contains("::")
            && is_type_word(&call.name)
        {
            return self.call_on_resource_type(&SmolStr::new(type_name.to_lowercase()), call);
        }
        let is_in_type = matches!(self.contexts.last(), Some(DefinitionContext::Type(_)));
        if (is_in_type || call.arguments.passes_self() || self.contexts.is_empty())
            && let Some(method) = self.method(&call.name)
        {
            return self.invoke(&method, &call.arguments, call.range);
        }
        self.call_on_value(&RubyValue::Unknown, call)
    }

    fn call_on_resource_type(&mut self, type_name: &SmolStr, call: RubyCall<'pr>) -> RubyValue<'pr> {
        if call.name == "provide" {
            return self.provide(type_name, &call);
        }
        if is_type_word(&call.name) {
            let draft = self.take_addition(type_name, &call);
            self.contexts.push(DefinitionContext::Type(draft));
            let value = self.call_on_self(call);
            if let Some(DefinitionContext::Type(draft)) = self.contexts.pop() {
                self.additions.push(draft);
            }
            return value;
        }
        RubyValue::Unknown
    }

    fn call_on_value(&mut self, receiver: &RubyValue<'pr>, call: RubyCall<'pr>) -> RubyValue<'pr> {
        self.charge(receiver);
        if let RubyValue::Block(_) = receiver {
            if matches!(&*call.name, "call" | "()" | "yield" | "[]") {
                let values = call.arguments.positional.into_iter().map(|(value, _)| value).collect();
                return self.run_block(receiver, values);
            }
            return RubyValue::Unknown;
        }
        let Some(block) = call.arguments.block.clone() else {
            if call.arguments.has_unknown {
                return RubyValue::Unknown;
            }
            if call.is_statement && call.arguments.passes_self() {
                self.mark_incomplete();
            }
            let mut values: Vec<RubyValue> =
                call.arguments.positional.iter().map(|(value, _)| value.clone()).collect();
            if !call.arguments.keywords.is_empty() {
                values.push(RubyValue::Hash(call.arguments.keywords.clone().into()));
            }
            return methods::call(receiver, &call.name, &values).unwrap_or(RubyValue::Unknown);
        };
        match self.elements(receiver) {
            Some(elements) => self.iterate(receiver, &call.name, elements, &block),
            None => {
                self.run_conditionally(&block);
                RubyValue::Unknown
            }
        }
    }

    /// Returns the elements passed to a block, in order.
    fn elements(&mut self, receiver: &RubyValue<'pr>) -> Option<Vec<RubyValue<'pr>>> {
        let elements: Vec<RubyValue<'pr>> = match receiver {
            RubyValue::Array(elements) => elements.to_vec(),
            RubyValue::Hash(entries) => entries
                .iter()
                .map(|entry| RubyValue::array(vec![entry.key.clone(), entry.value.clone()]))
                .collect(),
            RubyValue::Integer(times @ 0..1_000) => (0..*times).map(RubyValue::Integer).collect(),
            _ => return None,
        };
        (elements.len() <= ELEMENT_LIMIT).then_some(elements)
    }

    fn iterate(
        &mut self,
        receiver: &RubyValue<'pr>,
        name: &str,
        elements: Vec<RubyValue<'pr>>,
        block: &RubyValue<'pr>,
    ) -> RubyValue<'pr> {
        let part = |element: &RubyValue<'pr>, index: usize| match element {
            RubyValue::Array(pair) => pair.get(index).cloned().unwrap_or(RubyValue::Unknown),
            _ => RubyValue::Unknown,
        };
        match name {
            "each" | "each_pair" | "reverse_each" | "times" | "each_entry" => {
                for element in elements {
                    self.run_block(block, vec![element]);
                }
                receiver.clone()
            }
            "each_key" | "each_value" => {
                for element in elements {
                    self.run_block(block, vec![part(&element, usize::from(name == "each_value"))]);
                }
                receiver.clone()
            }
            "each_with_index" => {
                for (index, element) in elements.into_iter().enumerate() {
                    let index = i64::try_from(index).map_or(RubyValue::Unknown, RubyValue::Integer);
                    self.run_block(block, vec![element, index]);
                }
                receiver.clone()
            }
            "map" | "collect" | "flat_map" | "collect_concat" => {
                let values = elements.into_iter().map(|element| self.run_block(block, vec![element]));
                let values = RubyValue::array(values.collect());
                match name {
                    "map" | "collect" => values,
                    _ => methods::call(&values, "flatten", &[]).unwrap_or(RubyValue::Unknown),
                }
            }
            "select" | "filter" | "reject" | "filter_map" => {
                let kept = self.filter(name, elements, block);
                kept.filter(|_| matches!(receiver, RubyValue::Array(_)))
                    .map_or(RubyValue::Unknown, RubyValue::array)
            }
            "tap" | "then" => self.run_block(block, vec![receiver.clone()]),
            "each_with_object" | "inject" | "reduce" | "each_slice" | "each_cons" | "group_by" => {
                self.run_conditionally(block);
                RubyValue::Unknown
            }
            _ => {
                self.conditions += 1;
                for element in elements {
                    self.run_block(block, vec![element]);
                }
                self.conditions -= 1;
                RubyValue::Unknown
            }
        }
    }

    /// Evaluates a method that selects elements by a block; `None` if the result is not known.
    fn filter(
        &mut self,
        name: &str,
        elements: Vec<RubyValue<'pr>>,
        block: &RubyValue<'pr>,
    ) -> Option<Vec<RubyValue<'pr>>> {
        let mut kept = Some(Vec::new());
        for element in elements {
            let value = self.run_block(block, vec![element.clone()]);
            match (value.truth(), &mut kept) {
                (Some(truth), Some(kept)) if name == "filter_map" && truth => kept.push(value),
                (Some(truth), Some(kept)) if truth == (name != "reject") => kept.push(element),
                (Some(_), _) => {}
                (None, _) => kept = None,
            }
        }
        kept
    }
}

/// Returns true for methods that define something when they are called on a resource type from outside.
fn is_type_word(name: &str) -> bool {
    let words = [
        "newproperty",
        "newparam",
        "ensurable",
        "feature",
        "class_eval",
        "instance_eval",
        "class_exec",
        "send",
        "include",
        "extend",
        "public_send",
        "instance_exec",
        "module_eval",
        "newmetaparam",
    ];
    words.contains(&name)
}

/// Returns true for modules of Ruby and of Puppet, which define no attributes.
fn is_known_module(path: &str) -> bool {
    path.starts_with("Puppet::") || matches!(path, "Enumerable" | "Comparable" | "FileUtils" | "Singleton")
}

/// Returns true for methods that do not affect the definition under construction.
fn is_ignored_method(name: &str) -> bool {
    IGNORED_METHODS.contains(&name)
}

const IGNORED_METHODS: &[&str] = &[
    "load",
    "autoload",
    "raise",
    "fail",
    "devfail",
    "warn",
    "warning",
    "warnonce",
    "notice",
    "info",
    "debug",
    "err",
    "alert",
    "puts",
    "p",
    "pp",
    "print",
    "private",
    "protected",
    "public",
    "private_class_method",
    "public_class_method",
    "private_constant",
    "module_function",
    "attr_accessor",
    "attr_reader",
    "attr_writer",
    "attr",
    "alias_method",
    "undef_method",
    "remove_method",
    "autorequire",
    "autobefore",
    "autonotify",
    "autosubscribe",
    "instance_variable_set",
    "instance_variable_get",
    "const_set",
    "class_variable_set",
    "block_given?",
    "binding",
    "caller",
    "respond_to?",
    "is_a?",
    "nil?",
    "defined?",
    "method_defined?",
    "instance_methods",
    "freeze",
    "srand",
    "catch",
    "throw",
    "exit",
    "using",
    "refine",
    "name",
    "class",
    "to_s",
    "hash",
    "object_id",
    "loop",
    "sleep",
    "initvars",
    "Integer",
    "String",
    "Float",
    "Hash",
    "providify",
    "provider",
    "providers",
    "defaultprovider",
    "paramclass",
    "attrclass",
    "propertybyname",
    "metaparams",
    "unprovide",
    "private_instance_methods",
    "public_send",
    "remove_const",
    "const_get",
    "isomorphic",
    "deprecate",
];
