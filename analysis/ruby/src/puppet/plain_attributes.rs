//! Fast path for attributes that only compare their values with lists and patterns, for which no Ruby has to
//! be evaluated.

use std::rc::Rc;

use indexmap::IndexSet;
use plugins::{ATTRIBUTE_METHODS, RESOURCE_METHODS};
use smol_str::SmolStr;

use super::super::classes::{Method, RubyModule};
use super::super::interpreter::Interpreter;
use super::super::value::Object;

const TYPE: &str = "Puppet::Type";
const PARAMETER: &str = "Puppet::Parameter";
const PROPERTY: &str = "Puppet::Property";

/// Methods that select the class of an attribute.
const TYPE_METHODS: [&str; 3] = ["attrclass", "attribute_classes", "new"];
/// Methods of an attribute class that describe its values.
const ATTRIBUTE_CLASS_METHODS: [&str; 7] =
    ["check_listed", "munge_listed", "listed_value", "symbol_of", "features_of", "uncertain?", "new"];

/// Attributes of a type by their role.
pub(super) struct AttributeOrder {
    /// Attributes that the title sets.
    pub(super) keys: Vec<SmolStr>,
    /// All attributes in the order in which Puppet sets them.
    pub(super) order: Vec<SmolStr>,
}

impl Interpreter<'_> {
    /// Returns true if a type certainly accepts all known values of a resource. Evaluates none of the type's
    /// Ruby code, so it returns false if such code is involved.
    pub(super) fn certainly_accepts(&self, class: &Rc<RubyModule>, values: &[(SmolStr, Object)]) -> bool {
        if !self.all_are_of(&[TYPE], &RESOURCE_METHODS, |name| class.find_method(name))
            || !self.all_are_of(&[TYPE], &TYPE_METHODS, |name| class.find_module_method(name))
        {
            return false;
        }
        let variables = class.variables.borrow();
        let Some(Object::Hash(attributes)) = variables.get("attribute_classes") else { return false };
        values.iter().all(|(name, value)| match (value, attributes.get(&Object::Symbol(name.clone()))) {
            (Object::Unknown(_), _) => true,
            // Attributes that the type does not have are ignored.
            (_, Ok(Object::Nil)) => true,
            (value, Ok(Object::Module(attribute))) => self.attribute_takes(&attribute, value),
            _ => false,
        })
    }

    /// Returns the attributes that the title of a resource sets, and all attributes in the order in which Puppet
    /// sets them; `None` if the type's own code may choose them.
    pub(super) fn attribute_order(&self, class: &Object) -> Option<AttributeOrder> {
        let Object::Module(class) = class else { return None };
        if !self.all_are_of(&[TYPE], &["key_attributes", "order"], |name| class.find_module_method(name)) {
            return None;
        }
        let variables = class.variables.borrow();
        let Some(Object::Hash(attributes)) = variables.get("attribute_classes") else { return None };
        let (mut keys, mut properties, mut all) = (Vec::new(), Vec::new(), Vec::new());
        for (name, attribute) in attributes.entries.borrow().iter() {
            let (Object::Symbol(name), Object::Module(attribute)) = (&name.0, attribute) else { return None };
            let find = |name: &str| attribute.find_module_method(name);
            if !self.all_are_of(&[PARAMETER, PROPERTY], &["name_variable?", "isnamevar?", "property?"], find)
            {
                return None;
            }
            let variables = attribute.variables.borrow();
            let is_property = variables.get("is_property")?.is_true().ok()?;
            if variables.get("is_name_variable")?.is_true().ok()? || name == "name" && !is_property {
                keys.push(name.clone());
            }
            if is_property {
                properties.push(name.clone());
            }
            all.push(name.clone());
        }
        // `ensure` is the first property, after the provider.
        properties.sort_by_key(|it| it != "ensure");
        let provider = all.iter().find(|it| *it == "provider").cloned();
        let order: IndexSet<SmolStr> =
            keys.iter().cloned().chain(provider).chain(properties).chain(all).collect();
        Some(AttributeOrder { keys, order: order.into_iter().collect() })
    }

    fn attribute_takes(&self, attribute: &Rc<RubyModule>, value: &Object) -> bool {
        let owners = [PARAMETER, PROPERTY];
        if !self.all_are_of(&owners, &ATTRIBUTE_METHODS, |name| attribute.find_method(name))
            || !self.all_are_of(&owners, &ATTRIBUTE_CLASS_METHODS, |name| attribute.find_module_method(name))
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

    /// Returns true if all methods are defined by our own files, in one of these modules.
    fn all_are_of(
        &self,
        owners: &[&str],
        names: &[&str],
        find: impl Fn(&str) -> Option<(Method, Rc<RubyModule>)>,
    ) -> bool {
        names.iter().all(|name| match find(name) {
            Some((Method::Defined { file, .. }, owner)) => {
                self.is_model_file(file) && owners.contains(&owner.name.borrow().as_str())
            }
            Some(_) => false,
            // Methods of a single kind of attribute, and built-in methods.
            None => true,
        })
    }
}

/// Returns true if the value is in the list or matches a pattern, or if there is neither.
fn is_listed(value: &str, listed: &[Object], patterns: &[Object]) -> bool {
    let is_it = |known: &Object| matches!(known, Object::Symbol(name) if name == value);
    let matches = |pattern: &Object| matches!(pattern, Object::Pattern(it) if it.regexp.is_match(value).is_ok_and(|it| it));
    listed.is_empty() && patterns.is_empty() || listed.iter().any(is_it) || patterns.iter().any(matches)
}
