//! Variables, constants, classes, modules and methods.

use std::rc::Rc;

use ruby_prism::{DefNode, Node};
use smol_str::SmolStr;

use super::context::DefinitionContext;
use super::interpreter::{DefinedMethod, RubyClass, RubyInterpreter, constant_name, constant_path};
use super::methods;
use super::value::RubyValue;

impl<'pr> RubyInterpreter<'pr> {
    pub(super) fn name_or_definition(&mut self, node: &Node<'pr>) -> RubyValue<'pr> {
        if let Some(node) = node.as_local_variable_read_node() {
            let name = constant_name(&node.name());
            self.frame.borrow().get(&name).cloned().unwrap_or(RubyValue::Unknown)
        } else if node.as_it_local_variable_read_node().is_some() {
            self.frame.borrow().get("it").cloned().unwrap_or(RubyValue::Unknown)
        } else if let Some(node) = node.as_local_variable_write_node() {
            let value = self.evaluate(&node.value());
            self.frame.borrow_mut().insert(constant_name(&node.name()), value.clone());
            value
        } else if let Some(node) = node.as_local_variable_operator_write_node() {
            let name = constant_name(&node.name());
            let before = self.frame.borrow().get(&name).cloned().unwrap_or(RubyValue::Unknown);
            let operand = self.evaluate(&node.value());
            let operator = constant_name(&node.binary_operator());
            let value = methods::call(&before, &operator, &[operand]).unwrap_or(RubyValue::Unknown);
            self.frame.borrow_mut().insert(name, value.clone());
            value
        } else if let Some(node) = node.as_local_variable_or_write_node() {
            let name = constant_name(&node.name());
            let before = self.frame.borrow().get(&name).cloned().unwrap_or(RubyValue::Nil);
            let value = match before.truth() {
                Some(true) => before,
                Some(false) => self.evaluate(&node.value()),
                None => RubyValue::Unknown,
            };
            self.frame.borrow_mut().insert(name, value.clone());
            value
        } else if let Some(node) = node.as_multi_write_node() {
            let value = self.evaluate(&node.value());
            for (index, target) in node.lefts().iter().enumerate() {
                if let Some(target) = target.as_local_variable_target_node() {
                    let element = value.element(index);
                    self.frame.borrow_mut().insert(constant_name(&target.name()), element);
                }
            }
            value
        } else {
            self.constant_or_definition(node)
        }
    }

    fn constant_or_definition(&mut self, node: &Node<'pr>) -> RubyValue<'pr> {
        if let Some(node) = node.as_constant_read_node() {
            self.constant(constant_name(&node.name()))
        } else if node.as_constant_path_node().is_some() {
            match constant_path(node) {
                Some(path) => self.constant(path),
                None => RubyValue::Unknown,
            }
        } else if let Some(node) = node.as_constant_write_node() {
            let value = self.evaluate(&node.value());
            let name = constant_name(&node.name());
            let is_new = self.constants.insert(name.clone(), value.clone()).is_none();
            if !is_new || self.conditions > 0 {
                self.constants.insert(name, RubyValue::Unknown);
            }
            value
        } else if let Some(node) = node.as_instance_variable_write_node() {
            let value = self.evaluate(&node.value());
            let name = constant_name(&node.name());
            self.set_instance_variable(&name, &value);
            self.frame.borrow_mut().insert(name, value.clone());
            value
        } else if let Some(node) = node.as_instance_variable_read_node() {
            self.frame.borrow().get(&constant_name(&node.name())).cloned().unwrap_or(RubyValue::Unknown)
        } else if let Some(node) = node.as_module_node() {
            self.define_class(&node.constant_path(), None, node.body());
            RubyValue::Unknown
        } else if let Some(node) = node.as_class_node() {
            let superclass = node.superclass().and_then(|superclass| constant_path(&superclass));
            self.define_class(&node.constant_path(), superclass, node.body());
            RubyValue::Unknown
        } else if let Some(node) = node.as_singleton_class_node() {
            if let Some(body) = node.body() {
                self.singleton_class(&body);
            }
            RubyValue::Unknown
        } else if let Some(definition) = node.as_def_node() {
            let name = constant_name(&definition.name());
            self.define_method(definition);
            RubyValue::Symbol(name)
        } else {
            RubyValue::Unknown
        }
    }

    pub(super) fn constant(&self, path: SmolStr) -> RubyValue<'pr> {
        let last = path.rsplit("::").next().unwrap_or(&path);
        match self.constants.get(last) {
            Some(value) => value.clone(),
            None => RubyValue::Constant(path),
        }
    }

    /// Evaluates the body of a class or module and records the definition.
    pub(super) fn define_class(
        &mut self,
        name: &Node<'pr>,
        superclass: Option<SmolStr>,
        body: Option<Node<'pr>>,
    ) {
        let Some(name) = constant_path(name) else { return };
        let parts_before = self.module_path.len();
        self.module_path.extend(name.split("::").map(SmolStr::new));
        let path = SmolStr::new(self.module_path.join("::"));
        // Definitions in the body are not part of the enclosing definition.
        let contexts = std::mem::take(&mut self.contexts);
        self.contexts.push(DefinitionContext::Module);
        let outer_frame = std::mem::take(&mut self.frame);
        if let Some(body) = &body {
            self.statement(body);
        }
        self.frame = outer_frame;
        self.contexts = contexts;
        self.module_path.truncate(parts_before);
        self.classes.insert(path, Rc::new(RubyClass { superclass, body, source: self.source }));
    }

    /// Resolves a class or module that the sources define. Returns its full path and its definition.
    pub(super) fn find_class(&self, path: &str) -> Option<(SmolStr, Rc<RubyClass<'pr>>)> {
        if let Some(class) = self.classes.get(path) {
            return Some((SmolStr::new(path), Rc::clone(class)));
        }
        let end = format!("::{path}");
        let mut found = self.classes.iter().filter(|(full_path, _)| full_path.ends_with(&end));
        let (full_path, class) = found.next()?;
        found.next().is_none().then(|| (full_path.clone(), Rc::clone(class)))
    }

    /// Evaluates `class << self`, where only methods are relevant.
    pub(super) fn singleton_class(&mut self, body: &Node<'pr>) {
        let Some(statements) = body.as_statements_node() else { return };
        for statement in statements.body().iter() {
            if let Some(definition) = statement.as_def_node() {
                if let Some(context) = self.contexts.last_mut() {
                    context.define_method(&constant_name(&definition.name()), true);
                }
                self.remember_method(definition);
            }
        }
    }

    pub(super) fn define_method(&mut self, definition: DefNode<'pr>) {
        let name = constant_name(&definition.name());
        let is_singleton = definition.receiver().is_some();
        if is_singleton && matches!(&*name, "included" | "extended") {
            let path = SmolStr::new(self.module_path.join("::"));
            let method = DefinedMethod { definition, source: self.source };
            self.hooks.insert(path, Rc::new(method));
            return;
        }
        if let Some(context) = self.contexts.last_mut() {
            context.define_method(&name, is_singleton);
        }
        self.define_function_method(&definition);
        self.remember_method(definition);
    }

    pub(super) fn remember_method(&mut self, definition: DefNode<'pr>) {
        let name = constant_name(&definition.name());
        let method = Rc::new(DefinedMethod { definition, source: self.source });
        let is_new = !self.methods.contains_key(&name);
        self.methods.insert(name, is_new.then_some(method));
    }

    /// Returns the method `name` if the sources define exactly one.
    pub(super) fn method(&self, name: &str) -> Option<Rc<DefinedMethod<'pr>>> {
        self.methods.get(name).cloned().flatten()
    }

    /// Returns true if any source defines a method `name`.
    pub(super) fn has_method(&self, name: &str) -> bool {
        self.methods.contains_key(name)
    }

    /// Returns all methods that the sources define exactly once.
    pub(super) fn all_methods(&self) -> Vec<Rc<DefinedMethod<'pr>>> {
        let mut methods: Vec<_> = self.methods.values().flatten().cloned().collect();
        methods.sort_by_key(|method| (method.source, method.definition.location().start()));
        methods
    }
}
