//! Attributes that only compare their values with lists and patterns: for most resources no Ruby has to be evaluated.

use std::rc::Rc;

use smol_str::SmolStr;

use super::super::classes::{Method, RubyModule};
use super::super::interpreter::Interpreter;
use super::super::value::Object;

const TYPE: &str = "Puppet::Type";
const PARAMETER: &str = "Puppet::Parameter";
const PROPERTY: &str = "Puppet::Property";

/// What decides whether a type takes a resource, beside its attributes.
const OF_RESOURCES: [&str; 8] =
    ["initialize", "validate", "give", "leave", "[]=", "attribute_name", "forget", "uncertain?"];
/// What decides on the class of an attribute.
const OF_TYPES: [&str; 3] = ["attrclass", "attribute_classes", "new"];
/// What an attribute does with a value.
const OF_ATTRIBUTES: [&str; 7] =
    ["initialize", "value=", "should=", "validate", "unsafe_validate", "munge", "unsafe_munge"];
/// What the class of an attribute knows of its values.
const OF_ATTRIBUTE_CLASSES: [&str; 7] =
    ["check_listed", "munge_listed", "listed_value", "symbol_of", "features_of", "uncertain?", "new"];

impl Interpreter<'_> {
    /// Is it certain that a type takes all that is known of a resource? Asks nothing of the type's own Ruby, so that it says no wherever
    /// that might have a say.
    pub(super) fn takes_plainly(&self, class: &Rc<RubyModule>, values: &[(SmolStr, Object)]) -> bool {
        if !self.all_are_of(&[TYPE], &OF_RESOURCES, |name| class.find_method(name))
            || !self.all_are_of(&[TYPE], &OF_TYPES, |name| class.find_module_method(name))
        {
            return false;
        }
        let variables = class.variables.borrow();
        let Some(Object::Hash(attributes)) = variables.get("attribute_classes") else { return false };
        values.iter().all(|(name, value)| match (value, attributes.get(&Object::Symbol(name.clone()))) {
            (Object::Unknown(_), _) => true,
            // What the type does not have is not looked at.
            (_, Ok(Object::Nil)) => true,
            (value, Ok(Object::Module(attribute))) => self.attribute_takes(&attribute, value),
            _ => false,
        })
    }

    fn attribute_takes(&self, attribute: &Rc<RubyModule>, value: &Object) -> bool {
        let owners = [PARAMETER, PROPERTY];
        if !self.all_are_of(&owners, &OF_ATTRIBUTES, |name| attribute.find_method(name))
            || !self.all_are_of(&owners, &OF_ATTRIBUTE_CLASSES, |name| attribute.find_module_method(name))
        {
            return false;
        }
        let variables = attribute.variables.borrow();
        let is_empty = |name: &str| match variables.get(name) {
            Some(Object::Array(array)) => array.elements.borrow().is_empty(),
            Some(Object::Hash(hash)) => hash.entries.borrow().is_empty(),
            _ => false,
        };
        if !matches!(variables.get("is_unknown"), Some(Object::Boolean(false)))
            || !["aliases", "needs_features", "features_of_values"].into_iter().all(is_empty)
        {
            return false;
        }
        let (Some(Object::Array(listed)), Some(Object::Array(patterns))) =
            (variables.get("listed"), variables.get("patterns"))
        else {
            return false;
        };
        let (listed, patterns) = (listed.elements.borrow(), patterns.elements.borrow());
        let takes = |value: &Object| match value {
            Object::Text(text) => is_listed(&text.content.borrow(), &listed, &patterns),
            Object::Symbol(name) => is_listed(name, &listed, &patterns),
            Object::Boolean(value) => is_listed(if *value { "true" } else { "false" }, &listed, &patterns),
            _ => listed.is_empty() && patterns.is_empty() && !matches!(value, Object::Nil),
        };
        let is_property = matches!(variables.get("is_property"), Some(Object::Boolean(true)));
        match value {
            Object::Array(values) if is_property => values.elements.borrow().iter().all(takes),
            value => takes(value),
        }
    }

    /// Are methods those of our own files, in one of these modules?
    fn all_are_of(
        &self,
        owners: &[&str],
        names: &[&str],
        find: impl Fn(&str) -> Option<(Method, Rc<RubyModule>)>,
    ) -> bool {
        names.iter().all(|name| match find(name) {
            Some((Method::Defined { file, .. }, owner)) => {
                self.is_own_file(file) && owners.contains(&owner.name.borrow().as_str())
            }
            Some(_) => false,
            // What only one kind of attribute has, or what is Ruby's own.
            None => true,
        })
    }
}

/// Is a value in a list, does it match a pattern, or is there neither?
fn is_listed(value: &str, listed: &[Object], patterns: &[Object]) -> bool {
    let is_it = |known: &Object| matches!(known, Object::Symbol(name) if name == value);
    let matches = |pattern: &Object| matches!(pattern, Object::Pattern(it) if it.regexp.is_match(value).is_ok_and(|it| it));
    listed.is_empty() && patterns.is_empty() || listed.iter().any(is_it) || patterns.iter().any(matches)
}
