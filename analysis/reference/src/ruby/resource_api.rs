//! Resource types of the Resource API: `Puppet::ResourceApi.register_type`.

use ruby_prism::{CallNode, Node};
use serde_json::{Map, Value};

use super::literals::scrubbed;

use super::source::{RubySource, arguments, pairs};
use crate::docstring::Docstring;
use crate::{DocumentedAttribute, ModuleReference};

/// Maximum depth of nested hashes and arrays.
const MAX_DEPTH: usize = 32;

/// Literal value in Ruby code.
enum RubyLiteral {
    Nil,
    Boolean(bool),
    Integer(String),
    /// String, symbol, or regular expression, as it is written.
    Text(String),
    Array(Vec<RubyLiteral>),
    Hash(Vec<(RubyLiteral, RubyLiteral)>),
}

impl RubyLiteral {
    fn of(ruby: &RubySource<'_>, node: &Node<'_>, depth: usize) -> Option<RubyLiteral> {
        if depth > MAX_DEPTH {
            return None;
        }
        if let Some(text) = ruby.literal(node) {
            return Some(RubyLiteral::Text(text));
        }
        if node.as_integer_node().is_some() && !ruby.node_text(node).starts_with('-') {
            return Some(RubyLiteral::Integer(ruby.node_text(node).replace('_', "")));
        }
        if node.as_true_node().is_some() || node.as_false_node().is_some() {
            return Some(RubyLiteral::Boolean(node.as_true_node().is_some()));
        }
        if node.as_nil_node().is_some() {
            return Some(RubyLiteral::Nil);
        }
        if let Some(array) = node.as_array_node() {
            let elements = array.elements().iter().map(|it| RubyLiteral::of(ruby, &it, depth + 1));
            return elements.collect::<Option<Vec<_>>>().map(RubyLiteral::Array);
        }
        let is_hash = node.as_hash_node().is_some() || node.as_keyword_hash_node().is_some();
        is_hash.then(|| RubyLiteral::hash(ruby, node, depth)).flatten()
    }

    fn hash(ruby: &RubySource<'_>, node: &Node<'_>, depth: usize) -> Option<RubyLiteral> {
        let pair = |(key, value): &(Node<'_>, Node<'_>)| {
            Some((RubyLiteral::of(ruby, key, depth + 1)?, RubyLiteral::of(ruby, value, depth + 1)?))
        };
        pairs(node).iter().map(pair).collect::<Option<Vec<_>>>().map(RubyLiteral::Hash)
    }

    fn get(&self, wanted: &str) -> Option<&RubyLiteral> {
        let RubyLiteral::Hash(pairs) = self else { return None };
        let is_wanted = |key: &RubyLiteral| matches!(key, RubyLiteral::Text(it) if it == wanted);
        pairs.iter().rev().find(|(key, _)| is_wanted(key)).map(|(_, value)| value)
    }

    fn text(&self) -> Option<&str> {
        if let RubyLiteral::Text(text) = self { Some(text) } else { None }
    }

    /// Returns the value as Ruby's `inspect` prints it.
    fn inspected(&self) -> String {
        match self {
            RubyLiteral::Nil => "nil".to_owned(),
            RubyLiteral::Boolean(value) => value.to_string(),
            RubyLiteral::Integer(digits) => digits.clone(),
            RubyLiteral::Text(text) => format!("{text:?}"),
            RubyLiteral::Array(elements) => {
                let elements: Vec<String> = elements.iter().map(RubyLiteral::inspected).collect();
                format!("[{}]", elements.join(", "))
            }
            RubyLiteral::Hash(pairs) => {
                let pair = |(key, value): &(RubyLiteral, RubyLiteral)| {
                    format!("{}=>{}", key.inspected(), value.inspected())
                };
                format!("{{{}}}", pairs.iter().map(pair).collect::<Vec<_>>().join(", "))
            }
        }
    }

    /// Returns the value as JSON.
    fn json(&self) -> Value {
        match self {
            RubyLiteral::Nil => Value::Null,
            RubyLiteral::Boolean(value) => (*value).into(),
            RubyLiteral::Integer(digits) => {
                digits.parse::<i64>().map_or_else(|_| digits.clone().into(), Value::from)
            }
            RubyLiteral::Text(text) => text.clone().into(),
            RubyLiteral::Array(elements) => elements.iter().map(RubyLiteral::json).collect(),
            RubyLiteral::Hash(pairs) => {
                let pairs = pairs.iter().map(|(key, value)| (key.displayed(), value.json()));
                pairs.collect::<Map<_, _>>().into()
            }
        }
    }

    /// Returns the value as Ruby inserts it into a string.
    fn displayed(&self) -> String {
        self.text().map_or_else(|| self.inspected(), str::to_owned)
    }
}

pub(super) fn read(ruby: &RubySource<'_>, call: &CallNode<'_>, reference: &mut ModuleReference) {
    let place = ruby.place(call);
    let values = arguments(call);
    let schema = values.first().filter(|it| it.as_keyword_hash_node().is_some());
    let schema = schema.and_then(|it| RubyLiteral::hash(ruby, it, 0));
    let Some((schema, name)) =
        schema.and_then(|it| it.get("name")?.text().map(str::to_owned).map(|name| (it, name)))
    else {
        let reason = "resource type whose schema is not a literal";
        reference.omitted.push(format!("{}:{}: {reason}", place.file, place.line));
        return;
    };
    let documented = reference.resource_type(name, place);
    documented.docstring = match schema.get("docs") {
        Some(docs) => Docstring::parse(&scrubbed(&docs.displayed())),
        None => Docstring::parse(ruby.comment(&call.location())),
    };
    let Some(RubyLiteral::Hash(attributes)) = schema.get("attributes") else { return };
    for (name, definition) in attributes {
        let Some(name) = name.text() else { continue };
        let text = |key: &str| definition.get(key).and_then(RubyLiteral::text);
        let behavior = text("behaviour");
        let default = definition.get("default");
        let has_default = !matches!(default, None | Some(RubyLiteral::Nil | RubyLiteral::Boolean(false)));
        let attribute = DocumentedAttribute {
            name: name.to_owned(),
            description: text("desc").unwrap_or_default().to_owned(),
            data_type: text("type").filter(|it| !it.is_empty()).map(str::to_owned),
            default: default.filter(|_| has_default).map(RubyLiteral::displayed),
            default_value: default.filter(|it| has_default && it.text().is_none()).map(RubyLiteral::json),
            is_namevar: behavior == Some("namevar"),
            ..DocumentedAttribute::default()
        };
        match behavior {
            Some("parameter" | "namevar") => documented.parameters.push(attribute),
            _ => documented.properties.push(attribute),
        }
    }
}
