//! Instance variables, local variables and globals.

use std::rc::Rc;

use plugins::code::RubyExpressionKind;
use smol_str::SmolStr;

use super::Interpreter;
use crate::given::is_frozen_variable;
use crate::value::{Object, Ruby, dismantle, unsupported};
use crate::watched::WatchedCell;

/// Names and values of local variables.
pub(crate) type LocalVariables = Vec<(SmolStr, Object)>;

/// Local variables of a program, method or block.
#[derive(Default, Debug)]
pub(crate) struct LocalScope {
    variables: WatchedCell<LocalVariables>,
    pub(crate) outer: Option<Rc<LocalScope>>,
}

impl LocalScope {
    pub(crate) fn within(outer: &Rc<LocalScope>) -> LocalScope {
        LocalScope { variables: WatchedCell::default(), outer: Some(outer.clone()) }
    }

    /// Returns the number of variables in this scope.
    pub(crate) fn len(&self) -> usize {
        self.variables.borrow().len()
    }

    /// Returns the variables of this scope and its outer ones.
    pub(crate) fn snapshot(self: &Rc<LocalScope>) -> Vec<LocalVariables> {
        let mut scopes = Vec::new();
        let mut next = Some(self);
        while let Some(scope) = next {
            scopes.push(scope.variables.borrow().clone());
            next = scope.outer.as_ref();
        }
        scopes
    }

    /// Sets the variables of this scope and its outer ones.
    pub(crate) fn restore(self: &Rc<LocalScope>, variables: Vec<LocalVariables>) {
        let mut next = Some(self);
        for variables in variables {
            let Some(scope) = next else { break };
            *scope.variables.borrow_mut() = variables;
            next = scope.outer.as_ref();
        }
    }

    /// Takes the values of all variables.
    pub(crate) fn take(&self) -> Vec<Object> {
        self.variables.take().into_iter().map(|(_, value)| value).collect()
    }

    /// Returns a variable of this scope, ignoring outer scopes; `nil` if it is unset.
    pub(crate) fn get(&self, name: &str) -> Object {
        let variables = self.variables.borrow();
        variables.iter().find(|(known, _)| known == name).map_or(Object::Nil, |(_, value)| value.clone())
    }
}

impl Drop for LocalScope {
    fn drop(&mut self) {
        dismantle(self.take());
    }
}

impl Interpreter<'_> {
    pub(crate) fn instance_variable(&mut self, name: &SmolStr) -> Object {
        let of_object = match &self.context.this {
            Object::Instance(instance) => Some(&instance.variables),
            Object::Module(module) => Some(&module.variables),
            _ => None,
        };
        if let Some(variables) = of_object {
            return variables.borrow().get(name).cloned().unwrap_or(Object::Nil);
        }
        if let Some(known) = self.variables.get(name) {
            return known.clone();
        }
        let value = match self.template {
            Some(_) => {
                let value = self.host.own_variable(name);
                value.or_else(|| self.host.variable(name).map(|value| self.given.variable(name, &value)))
            }
            None => None,
        };
        let value = value.unwrap_or(Object::Nil);
        self.variables.insert(name.clone(), value.clone());
        value
    }

    /// Evaluates `@facts['os']['family']` in a template without reading other facts. `None` for other expressions,
    /// and where the elements are not those of the host.
    pub(crate) fn element_of_frozen(&mut self, call: &RubyExpressionKind) -> Option<Object> {
        let mut keys: Vec<&str> = Vec::new();
        let mut collection = call;
        let name = loop {
            match collection {
                RubyExpressionKind::Call { receiver: Some(receiver), name, arguments, .. }
                    if name == "[]" =>
                {
                    let [key] = &arguments[..] else { return None };
                    match &*key.kind {
                        RubyExpressionKind::String(key) | RubyExpressionKind::FrozenString(key) => {
                            keys.push(key)
                        }
                        _ => return None,
                    }
                    collection = &receiver.kind;
                }
                RubyExpressionKind::InstanceVariable(name) => break name,
                _ => return None,
            }
        };
        keys.reverse();
        let is_of_host = self.template.is_some()
            && !keys.is_empty()
            && is_frozen_variable(name)
            && !matches!(self.context.this, Object::Instance(_) | Object::Module(_))
            && !self.has_extensions()
            && !self.variables.contains_key(name)
            && self.host.own_variable(name).is_none();
        let value = is_of_host.then(|| self.host.element(name, &keys)).flatten()?;
        Some(self.given.variable(name, &value))
    }

    pub(crate) fn set_instance_variable(&mut self, name: &SmolStr, value: Object) {
        match &self.context.this {
            Object::Instance(instance) => {
                instance.variables.borrow_mut().insert(name.clone(), value);
            }
            Object::Module(module) => {
                module.variables.borrow_mut().insert(name.clone(), value);
            }
            _ => {
                self.variables.insert(name.clone(), value);
            }
        }
    }

    fn scope_at(&self, depth: u32) -> Option<&Rc<LocalScope>> {
        let mut scope = &self.scope;
        for _ in 0..depth {
            scope = scope.outer.as_ref()?;
        }
        Some(scope)
    }

    pub(crate) fn local_variable(&self, name: &str, depth: u32) -> Object {
        let Some(scope) = self.scope_at(depth) else { return Object::Nil };
        let variables = scope.variables.borrow();
        let found = variables.iter().find(|(known, _)| known == name);
        found.map_or(Object::Nil, |(_, value)| value.clone())
    }

    pub(crate) fn set_local(&mut self, name: &SmolStr, depth: u32, value: Object) -> Ruby<()> {
        let Some(scope) = self.scope_at(depth) else { return unsupported() };
        let mut variables = scope.variables.borrow_mut();
        match variables.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => *known = value,
            None => variables.push((name.clone(), value)),
        }
        Ok(())
    }

    pub(super) fn global_variable(&mut self, name: &str) -> Ruby {
        match name {
            "!" | "ERROR_INFO" => Ok(match &self.current_error {
                Some(error) => error.clone().into_object(),
                None => Object::Nil,
            }),
            // The host resolves required files.
            ":" | "LOAD_PATH" => Ok(Object::array(Vec::new())),
            "~" | "LAST_MATCH_INFO" => Ok(self.last_match.clone().map_or(Object::Nil, Object::Match)),
            _ => unsupported(),
        }
    }
}
