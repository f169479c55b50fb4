//! Resource types written in Ruby: what becomes of the values that a resource's attributes are given.

use std::sync::{Arc, LazyLock};

use plugins::code::RubyProgram;
use smol_str::SmolStr;
use types::Value;

use super::super::interpreter::{Interpreter, StopReason};
use super::super::key::ObjectKey;
use super::super::printing::inspect;
use super::super::value::{Object, ObjectEntries, Ruby, Stop, unsupported};

/// What types are made of, written in Ruby and evaluated in front of the type's file.
static BASE: LazyLock<Arc<RubyProgram>> =
    LazyLock::new(|| Arc::new(plugins::code::read("", include_str!("resource_types.rb"))));

/// A resource, as far as it matters to its type.
#[derive(Debug)]
pub struct GivenResource<'a> {
    pub type_name: &'a str,
    /// `None` where it is not known.
    pub title: Option<&'a str>,
    /// What the agent gets; nothing that is `undef`.
    pub attributes: &'a [(SmolStr, Value)],
    /// Are these all its attributes? Else what is not given is not known.
    pub is_whole: bool,
}

/// What a type makes of a resource.
#[derive(Debug)]
pub struct ResourceOutcome {
    /// What became of each attribute that was given, as Ruby would show it; of a resource that is whole, else as far as it was asked.
    pub kept: Vec<(SmolStr, Result<String, StopReason>)>,
    pub refusal: Option<ResourceRefusal>,
    /// Why it is not known whether the resource as a whole is taken, if it is not.
    pub open: Option<StopReason>,
}

/// Why a type refuses a resource.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ResourceRefusal {
    /// The attribute whose value is refused; `None` where it is about the whole.
    pub attribute: Option<SmolStr>,
    /// The type's own words.
    pub message: String,
}

impl Interpreter<'_> {
    pub(in super::super) fn check_resource(
        mut self,
        given: &GivenResource<'_>,
    ) -> Result<ResourceOutcome, StopReason> {
        let mut outcome = ResourceOutcome { kept: Vec::new(), refusal: None, open: None };
        let result =
            self.resource_class(given).and_then(|class| self.set_attributes(given, &class, &mut outcome));
        match result {
            Ok(()) => Ok(outcome),
            Err(stop) => Err(self.reason_of(stop)),
        }
    }

    fn taken_reason(&mut self) -> StopReason {
        self.reason.take().unwrap_or_else(StopReason::unnamed)
    }

    /// Why something has stopped, in words.
    fn reason_of(&mut self, stop: Stop) -> StopReason {
        match stop {
            Stop::Raise(error) => StopReason { what: error.message.clone(), ..self.taken_reason() },
            _ => self.taken_reason(),
        }
    }

    /// Makes the classes of the types that a file defines.
    ///
    /// # Errors
    /// Why the file is not understood.
    pub(in super::super) fn define_types(&mut self, program: &Arc<RubyProgram>) -> Result<(), StopReason> {
        let result = self.run_file(BASE.clone()).and_then(|_| self.run_file(program.clone()));
        result.map(|_| ()).map_err(|stop| self.reason_of(stop))
    }

    /// Takes in the files of the providers, so that no resource has to.
    pub(in super::super) fn know_providers(&mut self) {
        let types = self.constant("Puppet::Type");
        let made = types.and_then(|types| self.call_method_of(&types, "made", Vec::new()));
        let Ok(Object::Hash(made)) = made else { return };
        let classes: Vec<Object> = made.entries.borrow().values().cloned().collect();
        for class in classes {
            // What is not understood is asked for again by the resource that needs it.
            let _stopped = self.call_method_of(&class, "know_providers", Vec::new());
        }
        self.reason = None;
    }

    /// The class that the file has made for the type.
    fn resource_class(&mut self, given: &GivenResource<'_>) -> Ruby {
        let Object::Module(types) = self.constant("Puppet::Type")? else { return unsupported() };
        let made = types.variables.borrow().get("made").cloned();
        match made {
            Some(Object::Hash(made)) => made.get(&Object::symbol(given.type_name)),
            _ => unsupported(),
        }
    }

    /// Gives the attributes their values in the order in which Puppet does, up to the first that is refused.
    fn set_attributes(
        &mut self,
        given: &GivenResource<'_>,
        class: &Object,
        outcome: &mut ResourceOutcome,
    ) -> Ruby<()> {
        // What comes before or behind what Puppet itself does is not followed.
        if let Object::Module(module) = class
            && module
                .find_method("initialize")
                .is_none_or(|(_, owner)| *owner.name.borrow() != "Puppet::Type")
        {
            return unsupported();
        }
        let title = given.title.map_or(Object::Unknown(types::Origin::Template), Object::text);
        let values = self.values(given, class, &title)?;
        if let (Object::Module(class), false) = (class, given.is_whole)
            && self.takes_plainly(class, &values)
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
        if !given.is_whole {
            let others = others.iter().cloned().map(Object::Symbol).collect();
            self.call_method_of(&resource, "leave", vec![Object::array(others)])?;
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
        if given.is_whole {
            self.show_kept(&resource, outcome)?;
            if self.set_defaults(&resource, &others, outcome)? {
                return Ok(());
            }
        }
        self.validate_resource(&resource, outcome)
    }

    /// Asks the type for the resource as a whole.
    fn validate_resource(&mut self, resource: &Object, outcome: &mut ResourceOutcome) -> Ruby<()> {
        self.reason = None;
        match self.call_method_of(resource, "validate", Vec::new()) {
            Ok(_) => {}
            Err(Stop::Raise(error)) => {
                outcome.refusal = Some(ResourceRefusal { attribute: None, message: error.message.clone() });
            }
            Err(Stop::Unknown(_)) => outcome.open = Some(self.taken_reason()),
            Err(stop) => return Err(stop),
        }
        Ok(())
    }

    /// What the attributes are given, what the title gives included.
    fn values(
        &mut self,
        given: &GivenResource<'_>,
        class: &Object,
        title: &Object,
    ) -> Ruby<Vec<(SmolStr, Object)>> {
        let keys = self.names_of_type(given, class, "key_attributes")?;
        let mut values: Vec<(SmolStr, Object)> = match keys.as_slice() {
            [key] => vec![(key.clone(), title.clone())],
            // A title may give any of them.
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

    /// Is a default refused?
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
                    outcome.open = Some(self.taken_reason());
                    self.call_method_of(resource, "forget", vec![name])?;
                }
                Err(stop) => return Err(stop),
            }
        }
        Ok(false)
    }

    /// Is the value refused?
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
            value => self.call_method_of(resource, "give", vec![symbol.clone(), value]),
        };
        match result {
            Ok(_) => {
                outcome.kept.push((name.clone(), Ok(String::new())));
                Ok(false)
            }
            Err(Stop::Raise(error)) => {
                let message = error.message.clone();
                outcome.refusal = Some(ResourceRefusal { attribute: Some(name.clone()), message });
                Ok(true)
            }
            Err(Stop::Unknown(_)) => {
                self.call_method_of(resource, "forget", vec![symbol])?;
                let reason = self.taken_reason();
                outcome.kept.push((name.clone(), Err(reason)));
                Ok(false)
            }
            Err(stop) => Err(stop),
        }
    }

    /// Shows what became of the values in the end: one attribute may set another.
    fn show_kept(&mut self, resource: &Object, outcome: &mut ResourceOutcome) -> Ruby<()> {
        for (name, shown) in outcome.kept.iter_mut().filter(|(_, shown)| shown.is_ok()) {
            let kept = self.call_method_of(resource, "kept", vec![Object::Symbol(name.clone())])?;
            *shown = inspect(&kept, self.host.env()).map_err(|_| StopReason::unnamed());
        }
        Ok(())
    }

    /// Names that a type has for all its resources. They are worked out once.
    fn names_of_type(
        &mut self,
        given: &GivenResource<'_>,
        class: &Object,
        method: &'static str,
    ) -> Ruby<Vec<SmolStr>> {
        let asked = self.foundation.map(|it| &it.asked);
        let key = (SmolStr::new(given.type_name), method);
        if let Some(known) = asked.and_then(|it| it.borrow().get(&key).cloned()) {
            return Ok(known);
        }
        let names = self.symbols(class, method)?;
        // What a reason was noted for may be told of.
        if let (Some(asked), None) = (asked, &self.reason) {
            asked.borrow_mut().insert(key, names.clone());
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

/// A value as the agent gets it. What is written in another way in a catalog is not known.
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
    match is_plain(value) {
        true => {
            let object = Object::from_puppet(value);
            object.unshare();
            object
        }
        false => Object::Unknown(types::Origin::Template),
    }
}
