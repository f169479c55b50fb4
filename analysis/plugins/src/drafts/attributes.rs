//! Attributes of resource types.

use smol_str::SmolStr;
use syntax::TextRange;

use super::{DraftArguments, DraftValue, dedent};
use crate::{ResourceAttribute, ResourceAttributeKind};

/// Returns true for methods that override Puppet's own validation of values.
pub fn is_validation_method(name: &str) -> bool {
    matches!(name, "unsafe_validate" | "validate" | "value=" | "should=" | "initialize")
}

/// Attribute under construction.
#[derive(Debug)]
pub struct AttributeDraft {
    pub attribute: ResourceAttribute,
    /// True if unknown code affects the attribute.
    pub is_uncertain: bool,
    /// True if the attribute validates values itself.
    pub has_validation: bool,
    pub has_boolean_option: bool,
    /// Number of unknown conditions around the attribute's block.
    pub conditions: u32,
}

impl AttributeDraft {
    pub fn new(
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
        if is_validation_method(name) {
            self.has_validation = true;
        } else if name == "default" {
            self.attribute.default = None;
        }
    }

    /// Returns the attribute as far as it is known.
    pub fn finish(self) -> ResourceAttribute {
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

    fn add_value(&mut self, value: &DraftValue) {
        let (list, text) = match value {
            DraftValue::Pattern(pattern) => (&mut self.attribute.value_patterns, pattern),
            value => match value.text() {
                Some(text) => (&mut self.attribute.values, text),
                None => {
                    self.is_uncertain = true;
                    return;
                }
            },
        };
        if !list.contains(text) {
            list.push(text.clone());
        }
    }

    /// Adds the values of `defaultvalues`.
    pub fn add_default_values(&mut self) {
        self.add_value(&DraftValue::Symbol(SmolStr::new_static("present")));
        self.add_value(&DraftValue::Symbol(SmolStr::new_static("absent")));
    }

    /// Requires features of the provider.
    pub fn require_features(&mut self, value: &DraftValue) {
        match (value, value.name()) {
            (DraftValue::List(features), _) => features.iter().for_each(|it| self.require_features(it)),
            (_, Some(name)) => self.attribute.required_features.push(SmolStr::new(name.to_lowercase())),
            _ => self.is_uncertain = true,
        }
    }

    /// Sets the option or attribute `array_matching`.
    pub fn set_array_matching(&mut self, value: &DraftValue) {
        self.attribute.takes_array = value.name().is_none_or(|name| name == "all");
    }

    /// Applies a call in the body of the attribute. Returns false for unknown methods.
    pub(super) fn call(&mut self, name: &str, arguments: &DraftArguments, conditions: u32) -> bool {
        let first = arguments.value(0);
        match name {
            "defaultvalues" => self.add_default_values(),
            "desc" | "doc=" => {
                if let Some(text) = first.prose() {
                    self.attribute.documentation = dedent(text);
                }
            }
            "newvalue" | "newvalues" => {
                self.is_uncertain |= conditions > self.conditions || arguments.has_unknown;
                match name {
                    "newvalue" => self.add_value(first),
                    _ => arguments.values.iter().for_each(|value| self.add_value(value)),
                }
            }
            "aliasvalue" => match (first.text(), arguments.value(1).text()) {
                (Some(alias), Some(value)) => {
                    self.attribute.value_aliases.push((alias.clone(), value.clone()));
                }
                _ => self.is_uncertain = true,
            },
            "isnamevar" => self.attribute.is_name_variable = true,
            "validate" => self.has_validation = true,
            "nodefault" => self.attribute.default = None,
            "array_matching=" => self.set_array_matching(first),
            "accept_arrays" => self.attribute.takes_array = true,
            "required_features=" => self.require_features(first),
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
            _ => return false,
        }
        true
    }

    /// Applies the behavior of one of Puppet's classes.
    pub fn inherit(&mut self, path: &str) {
        match path.strip_prefix("Puppet::").unwrap_or(path) {
            "Parameter::Boolean" => {
                for value in ["true", "false", "yes", "no"] {
                    self.add_value(&DraftValue::Symbol(SmolStr::new_static(value)));
                }
            }
            // The superclass ignores the case of these values.
            "Property::Boolean" => self.has_boolean_option = true,
            "Parameter::Path" | "Property::KeyValue" => self.has_validation = true,
            "Parameter"
            | "Property"
            | "Property::Ensure"
            | "Ensure"
            | "Parameter::PackageOptions"
            | "Property::List"
            | "Property::OrderedList" => {}
            _ => self.is_uncertain = true,
        }
    }
}

/// Returns the values listed by a type: those of `Enum[...]` and `Boolean`, optional or not.
pub fn values_of_type(type_text: &str) -> Vec<SmolStr> {
    let inner =
        type_text.strip_prefix("Optional[").and_then(|rest| rest.strip_suffix(']')).unwrap_or(type_text);
    if inner == "Boolean" {
        return vec![SmolStr::new_static("true"), SmolStr::new_static("false")];
    }
    let Some(list) = inner.strip_prefix("Enum[").and_then(|rest| rest.strip_suffix(']')) else {
        return Vec::new();
    };
    if list.contains(['[', ']', '\\']) {
        return Vec::new();
    }
    list.split(',')
        .map(|value| SmolStr::new(value.trim().trim_matches(['\'', '"'])))
        .filter(|value| !value.is_empty() && value != "true" && value != "false")
        .collect()
}
