//! Resource types and providers.

use ruby_prism::{CallNode, InstanceVariableWriteNode, Node, Visit};

use super::literals::scrubbed;

use super::source::{RubySource, arguments, calls_in_block, pairs};
use crate::docstring::Docstring;
use crate::{DocumentedAttribute, DocumentedPlace, DocumentedProvider, DocumentedType, ModuleReference};

/// Description of `ensure` if a type has none of its own.
const ENSURE: &str = "The basic property that the resource should be in.";

impl ModuleReference {
    /// Returns the type with a name, which other files may complete.
    pub(super) fn resource_type(&mut self, name: String, place: DocumentedPlace) -> &mut DocumentedType {
        let at = self.resource_types.iter().position(|it| it.name == name).unwrap_or_else(|| {
            self.resource_types.push(DocumentedType {
                name,
                place,
                docstring: Docstring::default(),
                properties: Vec::new(),
                parameters: Vec::new(),
                checks: Vec::new(),
                features: Vec::new(),
            });
            self.resource_types.len() - 1
        });
        &mut self.resource_types[at]
    }
}

/// Documents `Puppet::Type.newtype`.
pub(super) fn read(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let Some(name) = arguments(call).first().and_then(|it| ruby.literal(it)) else { return };
    let documented = reference.resource_type(name, ruby.place(call));
    let comment = ruby.comment(&call.location()).to_owned();
    documented.docstring = Docstring::parse(&description(ruby, call).unwrap_or(comment));
    for call in calls_in_block(call) {
        add(ruby, &call, documented);
    }
    set_namevar(documented);
}

/// Documents `Puppet::Type.type(:name).newparam` and the like.
pub(super) fn read_addition(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let Some(name) = extended_type(ruby, call, &["Puppet::Type", "Type"]) else { return };
    let documented = reference.resource_type(name, ruby.place(call));
    add(ruby, call, documented);
    set_namevar(documented);
}

/// Returns the name of the type in `Puppet::Type.type(:name)`, the receiver of a call.
fn extended_type(ruby: &RubySource<'_>, call: &CallNode<'_>, modules: &[&str]) -> Option<String> {
    let receiver = call.receiver()?.as_call_node()?;
    let module = ruby.node_text(&receiver.receiver()?);
    let is_type = receiver.name().as_slice() == b"type" && modules.contains(&module);
    is_type.then(|| ruby.literal(arguments(&receiver).first()?)).flatten()
}

/// Adds what a call in the block of a type declares.
fn add(ruby: &RubySource<'_>, call: &CallNode<'_>, documented: &mut DocumentedType) {
    let values = arguments(call);
    let name = values.first().and_then(|it| ruby.literal(it));
    match (call.name().as_slice(), name) {
        (b"newproperty", Some(name)) => documented.properties.push(attribute(ruby, name, call)),
        (b"newparam", Some(name)) => {
            let mut parameter = attribute(ruby, name, call);
            add_booleans(ruby, &values, &mut parameter);
            documented.parameters.push(parameter);
        }
        (b"newcheck", Some(name)) => documented.checks.push(attribute(ruby, name, call)),
        (b"feature", Some(name)) => {
            let Some(text) = values.get(1).and_then(|it| ruby.literal(it)) else { return };
            documented.features.push((name, scrubbed(&text).replace('\n', " ")));
        }
        (b"ensurable", _) => documented.properties.push(ensure(ruby, call)),
        _ => {}
    }
}

fn ensure(ruby: &RubySource<'_>, call: &CallNode<'_>) -> DocumentedAttribute {
    if call.block().is_some_and(|it| it.as_block_node().is_some()) {
        let mut property = attribute(ruby, "ensure".to_owned(), call);
        if property.description.is_empty() {
            property.description = ENSURE.to_owned();
        }
        return property;
    }
    DocumentedAttribute {
        name: "ensure".to_owned(),
        description: ENSURE.to_owned(),
        values: vec!["present".to_owned(), "absent".to_owned()],
        default: Some("present".to_owned()),
        ..DocumentedAttribute::default()
    }
}

fn attribute(ruby: &RubySource<'_>, name: String, call: &CallNode<'_>) -> DocumentedAttribute {
    let description = description(ruby, call).unwrap_or_default();
    let mut attribute = DocumentedAttribute { name, description, ..DocumentedAttribute::default() };
    for call in calls_in_block(call) {
        let values: Vec<String> = arguments(&call).iter().map(|it| ruby.literal_or_source(it)).collect();
        match (call.name().as_slice(), values.as_slice()) {
            (b"newvalue", [value, ..]) => attribute.values.push(value.clone()),
            (b"newvalues", values) => attribute.values.extend_from_slice(values),
            (b"aliasvalue", [new, old, ..]) => {
                if !attribute.values.contains(new) {
                    attribute.values.push(new.clone());
                }
                attribute.aliases.push((new.clone(), old.clone()));
            }
            (b"defaultto", [value, ..]) => attribute.default = Some(value.clone()),
            (b"isnamevar", _) => attribute.is_namevar = true,
            (b"defaultvalues", _) if attribute.name == "ensure" => {
                attribute.values.extend(["present".to_owned(), "absent".to_owned()]);
                attribute.default = Some("present".to_owned());
            }
            _ => {}
        }
    }
    let options = arguments(call).get(1).map(pairs).unwrap_or_default();
    let features = options.iter().find(|(key, _)| ruby.literal(key).as_deref() == Some("required_features"));
    attribute.required_features = features.and_then(|(_, value)| ruby.literal(value));
    attribute
}

/// Adds the values of a parameter whose parent is the Boolean parameter.
fn add_booleans(ruby: &RubySource<'_>, values: &[Node<'_>], parameter: &mut DocumentedAttribute) {
    let options = values.get(1).map(pairs).unwrap_or_default();
    let parent = options.iter().find(|(key, _)| ruby.literal(key).as_deref() == Some("parent"));
    if parent.is_some_and(|(_, value)| ruby.node_text(value) == "Puppet::Parameter::Boolean") {
        for value in ["true", "false", "yes", "no"] {
            if !parameter.values.iter().any(|it| it == value) {
                parameter.values.push(value.to_owned());
            }
        }
    }
}

/// Marks the attribute `name` as the one that the title sets, unless another one is marked.
fn set_namevar(documented: &mut DocumentedType) {
    let has_namevar = |attributes: &[DocumentedAttribute]| attributes.iter().any(|it| it.is_namevar);
    if has_namevar(&documented.properties) || has_namevar(&documented.parameters) {
        return;
    }
    let properties = documented.properties.iter_mut().rev();
    let mut attributes = properties.chain(documented.parameters.iter_mut());
    if let Some(attribute) = attributes.find(|it| it.name == "name") {
        attribute.is_namevar = true;
    }
}

/// Returns the first description inside of a call: `desc 'text'` or `@doc = 'text'`.
fn description(ruby: &RubySource<'_>, call: &CallNode<'_>) -> Option<String> {
    let mut search = DescriptionVisitor { ruby, found: None };
    search.visit_call_node(call);
    search.found.flatten().map(|it| scrubbed(&it))
}

struct DescriptionVisitor<'s, 't> {
    ruby: &'s RubySource<'t>,
    /// `Some(None)` for a description that is no literal, which ends the search.
    found: Option<Option<String>>,
}

impl<'pr> Visit<'pr> for DescriptionVisitor<'_, '_> {
    fn visit_call_node(&mut self, node: &CallNode<'pr>) {
        if self.found.is_some() {
            return;
        }
        let values = arguments(node);
        if let (b"desc", [text]) = (node.name().as_slice(), values.as_slice()) {
            self.found = Some(self.ruby.literal(text));
            return;
        }
        ruby_prism::visit_call_node(self, node);
    }

    fn visit_instance_variable_write_node(&mut self, node: &InstanceVariableWriteNode<'pr>) {
        if self.found.is_none() && node.name().as_slice() == b"@doc" {
            self.found = Some(self.ruby.literal(&node.value()));
        }
    }
}

/// Documents `Puppet::Type.type(:name).provide`.
pub(super) fn read_provider(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let Some(type_name) = extended_type(ruby, call, &["Puppet::Type"]) else { return };
    let Some(name) = arguments(call).first().and_then(|it| ruby.literal(it)) else { return };
    let comment = ruby.comment(&call.location()).to_owned();
    let mut provider = DocumentedProvider {
        name,
        type_name,
        place: ruby.place(call),
        docstring: Docstring::parse(&description(ruby, call).unwrap_or(comment)),
        confines: Vec::new(),
        features: Vec::new(),
        defaults: Vec::new(),
        commands: Vec::new(),
    };
    for call in calls_in_block(call) {
        let values = arguments(&call);
        let texts = |argument: &Node<'_>| -> Vec<(String, String)> {
            let text = |node: &Node<'_>| ruby.literal_or_source(node);
            pairs(argument).iter().map(|(key, value)| (text(key), text(value))).collect()
        };
        match call.name().as_slice() {
            b"confine" => provider.confines.extend(values.first().map(texts).unwrap_or_default()),
            b"commands" => provider.commands.extend(values.first().map(texts).unwrap_or_default()),
            b"has_feature" | b"has_features" => {
                provider.features.extend(values.iter().map(|it| ruby.literal_or_source(it)));
            }
            b"defaultfor" => provider.defaults.extend(values.iter().map(texts)),
            _ => {}
        }
    }
    reference.providers.push(provider);
}
