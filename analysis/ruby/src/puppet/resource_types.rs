//! Resource types written in Ruby: validation and conversion of attribute values.

use std::sync::{Arc, LazyLock};

use plugins::code::RubyProgram;
use smol_str::SmolStr;
use types::Value;

use super::super::interpreter::{Interpreter, StopReason};
use super::super::key::ObjectKey;
use super::super::printing::inspect;
use super::super::value::{Object, ObjectEntries, Ruby, Stop, unsupported};

/// Model of `Puppet::Type` in Ruby, evaluated before the type's file.
static BASE: LazyLock<Arc<RubyProgram>> =
    LazyLock::new(|| Arc::new(plugins::code::read("", include_str!("resource_types.rb"))));

/// Resource as seen by its type.
#[derive(Debug)]
pub struct GivenResource<'a> {
    pub type_name: &'a str,
    /// Title; `None` if it is not known.
    pub title: Option<&'a str>,
    /// Attributes as sent to the agent, without those that are `undef`.
    pub attributes: &'a [(SmolStr, Value)],
    /// True if these are all attributes; otherwise, those missing here are unknown.
    pub is_complete: bool,
}

/// Result of applying a type to a resource.
#[derive(Debug)]
pub struct ResourceOutcome {
    /// Final value of each given attribute in the notation of Ruby's `inspect`: all of them for a complete
    /// resource, else those evaluated before stopping.
    pub final_values: Vec<(SmolStr, Result<String, StopReason>)>,
    pub refusal: Option<ResourceRefusal>,
    /// Reason why validation of the whole resource did not complete.
    pub open_reason: Option<StopReason>,
}

/// Validation error raised by a type.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceRefusal {
    /// Attribute with the invalid value; `None` if the whole resource is invalid.
    pub attribute: Option<SmolStr>,
    /// Message of the type.
    pub message: String,
}

impl Interpreter<'_> {
    pub(in super::super) fn check_resource(
        mut self,
        given: &GivenResource<'_>,
    ) -> Result<ResourceOutcome, StopReason> {
        let mut outcome = ResourceOutcome { final_values: Vec::new(), refusal: None, open_reason: None };
        let result =
            self.resource_class(given).and_then(|class| self.set_attributes(given, &class, &mut outcome));
        match result {
            Ok(()) => Ok(outcome),
            Err(stop) => Err(self.reason_of(stop)),
        }
    }

    fn take_reason(&mut self) -> StopReason {
        self.reason.take().unwrap_or_else(StopReason::unnamed)
    }

    /// Converts a stop to a reason.
    fn reason_of(&mut self, stop: Stop) -> StopReason {
        match stop {
            Stop::Raise(error) => StopReason { what: error.message.clone(), ..self.take_reason() },
            _ => self.take_reason(),
        }
    }

    /// Defines the classes of the types in a file.
    ///
    /// # Errors
    /// Returns the reason why the file cannot be evaluated.
    pub(in super::super) fn define_types(&mut self, program: &Arc<RubyProgram>) -> Result<(), StopReason> {
        let result = self.run_file(BASE.clone()).and_then(|_| self.run_file(program.clone()));
        result.map(|_| ()).map_err(|stop| self.reason_of(stop))
    }

    /// Loads the files of the providers once for all resources.
    pub(in super::super) fn load_providers(&mut self) {
        let types = self.constant("Puppet::Type");
        let made = types.and_then(|types| self.call_method_of(&types, "made", Vec::new()));
        let Ok(Object::Hash(made)) = made else { return };
        let classes: Vec<Object> = made.entries.borrow().values().cloned().collect();
        for class in classes {
            // Unknown results are evaluated again for the resource that needs them.
            let _stopped = self.call_method_of(&class, "load_providers", Vec::new());
        }
        self.reason = None;
    }

    /// Returns the class that the file defines for the type.
    fn resource_class(&mut self, given: &GivenResource<'_>) -> Ruby {
        let Object::Module(types) = self.constant("Puppet::Type")? else { return unsupported() };
        let made = types.variables.borrow().get("made").cloned();
        match made {
            Some(Object::Hash(made)) => made.get(&Object::symbol(given.type_name)),
            _ => unsupported(),
        }
    }

    /// Sets the attributes in Puppet's order, up to the first error.
    fn set_attributes(
        &mut self,
        given: &GivenResource<'_>,
        class: &Object,
        outcome: &mut ResourceOutcome,
    ) -> Ruby<()> {
        // An overridden `initialize` may run code before or after Puppet's own.
        if let Object::Module(module) = class
            && module
                .find_method("initialize")
                .is_none_or(|(_, owner)| *owner.name.borrow() != "Puppet::Type")
        {
            return unsupported();
        }
        let title = given.title.map_or(Object::Unknown(types::Origin::Template), Object::text);
        let values = self.values(given, class, &title)?;
        if let (Object::Module(class), false) = (class, given.is_complete)
            && self.certainly_accepts(class, &values)
        {
            return Ok(());
        }
        let mut entries = ObjectEntries::default();
        entries.insert(ObjectKey(Object::symbol("title")), title);
        let provider = given.attributes.iter().find(|(name, _)| name == "provider");
        if let Some(Value::String(provider)) = provider.map(|(_, value)| value) {
            entries.insert(ObjectKey(Object::symbol("provider")), Object::text(provider.as_str()));
        }
        let resource = self.call_method_of(class, "new", vec![Object::hash(entries)])?;
        let mut names = self.names_of_type(given, class, "order")?;
        let is_set = |name: &&SmolStr| values.iter().any(|(known, _)| known == *name);
        let others: Vec<SmolStr> = names.iter().filter(|name| !is_set(name)).cloned().collect();
        if !given.is_complete {
            let others = others.iter().cloned().map(Object::Symbol).collect();
            self.call_method_of(&resource, "mark_unknown_attributes", vec![Object::array(others)])?;
        }
        let more: Vec<SmolStr> =
            values.iter().map(|(name, _)| name.clone()).filter(|name| !names.contains(name)).collect();
        names.extend(more);
        for name in &names {
            let Some((_, value)) = values.iter().find(|(known, _)| known == name) else { continue };
            if self.set_given(&resource, name, value.clone(), outcome)? {
                return Ok(());
            }
        }
        if given.is_complete {
            self.record_final_values(&resource, outcome)?;
            if self.set_defaults(&resource, &others, outcome)? {
                return Ok(());
            }
        }
        self.validate_resource(&resource, outcome)
    }

    /// Validates the resource as a whole.
    fn validate_resource(&mut self, resource: &Object, outcome: &mut ResourceOutcome) -> Ruby<()> {
        self.reason = None;
        match self.call_method_of(resource, "validate", Vec::new()) {
            Ok(_) => {}
            Err(Stop::Raise(error)) => {
                outcome.refusal = Some(ResourceRefusal { attribute: None, message: error.message.clone() });
            }
            Err(Stop::Unknown(_)) => outcome.open_reason = Some(self.take_reason()),
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    /// Returns the attribute values, including those set by the title.
    fn values(
        &mut self,
        given: &GivenResource<'_>,
        class: &Object,
        title: &Object,
    ) -> Ruby<Vec<(SmolStr, Object)>> {
        let keys = self.names_of_type(given, class, "key_attributes")?;
        let mut values: Vec<(SmolStr, Object)> = match keys.as_slice() {
            [key] => vec![(key.clone(), title.clone())],
            // A title may set any of them.
            keys => keys.iter().map(|it| (it.clone(), Object::Unknown(types::Origin::Template))).collect(),
        };
        for (name, value) in given.attributes {
            let value = plain(value);
            match values.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known = value,
                None => values.push((name.clone(), value)),
            }
        }
        Ok(values)
    }

    /// Sets the defaults. Returns true if one is rejected.
    fn set_defaults(
        &mut self,
        resource: &Object,
        names: &[SmolStr],
        outcome: &mut ResourceOutcome,
    ) -> Ruby<bool> {
        for name in names {
            let name = Object::Symbol(name.clone());
            self.reason = None;
            match self.call_method_of(resource, "set_default", vec![name.clone()]) {
                Ok(_) => {}
                Err(Stop::Raise(error)) => {
                    outcome.refusal =
                        Some(ResourceRefusal { attribute: None, message: error.message.clone() });
                    return Ok(true);
                }
                Err(Stop::Unknown(_)) => {
                    outcome.open_reason = Some(self.take_reason());
                    self.call_method_of(resource, "clear_attribute", vec![name])?;
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(false)
    }

    /// Sets a given value. Returns true if it is rejected.
    fn set_given(
        &mut self,
        resource: &Object,
        name: &SmolStr,
        value: Object,
        outcome: &mut ResourceOutcome,
    ) -> Ruby<bool> {
        self.reason = None;
        let symbol = Object::Symbol(name.clone());
        let result = match value {
            Object::Unknown(origin) => Err(Stop::Unknown(origin)),
            value => self.call_method_of(resource, "set_given", vec![symbol.clone(), value]),
        };
        match result {
            Ok(_) => {
                outcome.final_values.push((name.clone(), Ok(String::new())));
                Ok(false)
            }
            Err(Stop::Raise(error)) => {
                let message = error.message.clone();
                outcome.refusal = Some(ResourceRefusal { attribute: Some(name.clone()), message });
                Ok(true)
            }
            Err(Stop::Unknown(_)) => {
                self.call_method_of(resource, "clear_attribute", vec![symbol])?;
                let reason = self.take_reason();
                outcome.final_values.push((name.clone(), Err(reason)));
                Ok(false)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Records the final values, because an attribute may set another.
    fn record_final_values(&mut self, resource: &Object, outcome: &mut ResourceOutcome) -> Ruby<()> {
        for (name, shown) in outcome.final_values.iter_mut().filter(|(_, shown)| shown.is_ok()) {
            let kept = self.call_method_of(resource, "final_value", vec![Object::Symbol(name.clone())])?;
            *shown = inspect(&kept, self.host.env()).map_err(|_| StopReason::unnamed());
        }
        Ok(())
    }

    /// Returns a list of names that a type computes once for all its resources.
    fn names_of_type(
        &mut self,
        given: &GivenResource<'_>,
        class: &Object,
        method: &'static str,
    ) -> Ruby<Vec<SmolStr>> {
        let cache = self.foundation.map(|it| &it.names_cache);
        let key = (SmolStr::new(given.type_name), method);
        if let Some(known) = cache.and_then(|it| it.borrow().get(&key).cloned()) {
            return Ok(known);
        }
        if let (Some(cache), Some(known)) = (cache, self.attribute_order(class)) {
            let mut cache = cache.borrow_mut();
            cache.insert((key.0.clone(), "key_attributes"), known.keys);
            cache.insert((key.0.clone(), "order"), known.order);
            if let Some(names) = cache.get(&key) {
                return Ok(names.clone());
            }
        }
        let names = self.symbols(class, method)?;
        // Results with a reason are not cached, because the reason may be reported.
        if let (Some(cache), None) = (cache, &self.reason) {
            cache.borrow_mut().insert(key, names.clone());
        }
        Ok(names)
    }

    fn symbols(&mut self, class: &Object, method: &str) -> Ruby<Vec<SmolStr>> {
        match self.call_method_of(class, method, Vec::new())? {
            Object::Array(names) => super::super::classes::names(&names.elements.borrow()),
            _ => unsupported(),
        }
    }
}

/// Converts a value to the agent's representation. Values that catalogs serialize differently are unknown.
fn plain(value: &Value) -> Object {
    fn is_plain(value: &Value) -> bool {
        match value {
            Value::Undef | Value::Boolean(_) | Value::Integer(_) | Value::Float(_) | Value::String(_) => true,
            Value::Array(elements) => elements.iter().all(is_plain),
            Value::Hash(entries) => entries
                .iter()
                .all(|(key, value)| matches!(key, Value::String(_) | Value::Integer(_)) && is_plain(value)),
            _ => false,
        }
    }
    if is_plain(value) {
        let object = Object::from_puppet(value);
        object.unshare();
        object
    } else {
        Object::Unknown(types::Origin::Template)
    }
}
