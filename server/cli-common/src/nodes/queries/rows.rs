//! Rows of PuppetDB's entities, and conditions on them.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use eval::ExportedResource;
use fleet::query::{Entity, Field, FieldKind, Filter, NumberOperator};
use output::secrets::REDACTED;
use regex::{Regex, RegexBuilder};
use rustc_hash::FxHashSet;
use serde_json::Value as Json;
use smol_str::SmolStr;
use types::{HashValue, Origin, Type, Value};

/// Type of the resources of classes.
const CLASS: &str = "class";

/// Facts of a node that queries ask for.
#[derive(Debug)]
pub(crate) struct QueriedNode {
    pub(crate) certname: SmolStr,
    /// `None` if they are unknown.
    pub(crate) facts: Option<HashValue>,
    pub(crate) trusted: Option<HashValue>,
    /// True if some facts are missing or masked.
    pub(crate) is_reduced: bool,
}

/// Resources of a node that are unknown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum FurtherResources {
    None,
    NotExported,
    Any,
}

/// Nodes with a row that a nested query returns.
#[derive(Default)]
pub(crate) struct MatchingNodes {
    pub(super) certain: FxHashSet<SmolStr>,
    pub(super) possible: FxHashSet<SmolStr>,
}

/// Results of nested queries, by their text.
#[derive(Default)]
pub(crate) struct NestedRows(pub(super) BTreeMap<String, MatchingNodes>);

impl NestedRows {
    /// Returns true if a nested query has a row of a node; `None` if that is unknown.
    pub(crate) fn has(&self, entity: Entity, filter: &Filter, certname: &str) -> Option<bool> {
        let nodes = self.0.get(&nested_key(entity, filter))?;
        if nodes.certain.contains(certname) {
            return Some(true);
        }
        (!nodes.possible.contains(certname)).then_some(false)
    }
}

pub(super) fn nested_key(entity: Entity, filter: &Filter) -> String {
    format!("{entity:?} {filter:?}")
}

/// A row.
pub(super) enum QueriedRow<'r> {
    Node(&'r QueriedNode),
    Fact(&'r QueriedNode, &'r SmolStr, &'r Value),
    /// Any fact of a node that is unknown.
    UnknownFact(&'r QueriedNode),
    Resource(&'r str, &'r ExportedResource),
    /// Resource of any node.
    ResourceOfAny(&'r ExportedResource),
    /// Any resource of a node that is unknown.
    Further(&'r str, FurtherResources),
}

/// Value of a column.
pub(super) enum Seen {
    Known(Value),
    Absent,
    Unknown,
}

impl QueriedRow<'_> {
    pub(super) fn certname(&self) -> &str {
        match self {
            QueriedRow::Node(node) | QueriedRow::Fact(node, ..) | QueriedRow::UnknownFact(node) => {
                &node.certname
            }
            QueriedRow::Resource(certname, _) | QueriedRow::Further(certname, _) => certname,
            QueriedRow::ResourceOfAny(_) => "",
        }
    }

    /// Returns true if the row certainly exists.
    pub(super) fn is_certain(&self, entity: Entity) -> bool {
        match self {
            QueriedRow::Node(node) => entity == Entity::Nodes || node.facts.is_some(),
            QueriedRow::Fact(..) => true,
            QueriedRow::Resource(_, resource) => !resource.is_possible,
            QueriedRow::UnknownFact(_) | QueriedRow::ResourceOfAny(_) | QueriedRow::Further(..) => false,
        }
    }

    /// Returns the reason why a query has no answer if it is unknown whether it returns this row.
    pub(super) fn doubt(&self) -> SmolStr {
        let certname = self.certname();
        match self {
            QueriedRow::Node(_) | QueriedRow::Fact(..) => {
                format!("facts of node `{certname}` do not decide it").into()
            }
            QueriedRow::UnknownFact(_) => format!("facts of node `{certname}` are unknown").into(),
            QueriedRow::Resource(_, resource) | QueriedRow::ResourceOfAny(resource) => {
                let title = resource.title.as_deref().unwrap_or("?");
                let kind = types::display::capitalized_segments(&resource.type_name);
                format!("`{kind}[{title}]` of node `{certname}` is not known completely").into()
            }
            QueriedRow::Further(_, FurtherResources::NotExported) => {
                "only exported resources are in the snapshot".into()
            }
            QueriedRow::Further(..) => format!("resources of node `{certname}` are unknown").into(),
        }
    }

    /// Returns what rows are sorted by that are equal otherwise.
    pub(super) fn place(&self) -> Vec<String> {
        let mut place = vec![self.certname().to_owned()];
        match self {
            QueriedRow::Fact(_, name, _) => place.push(name.to_string()),
            QueriedRow::Resource(_, resource) => {
                place.push(resource.type_name.to_string());
                place.push(resource.title.as_deref().unwrap_or_default().to_owned());
            }
            QueriedRow::Node(_)
            | QueriedRow::UnknownFact(_)
            | QueriedRow::ResourceOfAny(_)
            | QueriedRow::Further(..) => {}
        }
        place
    }
}

/// Passes the rows of a node to `receive`, for all entities but resources.
pub(super) fn for_each_row(node: &QueriedNode, entity: Entity, mut receive: impl FnMut(&QueriedRow<'_>)) {
    if entity != Entity::Facts {
        return receive(&QueriedRow::Node(node));
    }
    for (name, value) in node.facts.iter().flat_map(|it| it.iter()) {
        if let Value::String(name) = name {
            receive(&QueriedRow::Fact(node, name, value));
        }
    }
    if node.is_reduced || node.facts.is_none() {
        receive(&QueriedRow::UnknownFact(node));
    }
}

/// Returns the value of a column that only PuppetDB knows.
pub(super) fn unknown() -> Value {
    Value::unknown(Type::Any, Origin::MissingDefinition)
}

/// Returns the value of a column.
pub(super) fn seen(kind: &FieldKind, row: &QueriedRow<'_>) -> Seen {
    let text = |text: &str| Seen::Known(Value::string(text));
    match (kind, row) {
        (FieldKind::Certname, QueriedRow::ResourceOfAny(_)) => Seen::Unknown,
        (FieldKind::Certname, row) => text(row.certname()),
        (FieldKind::Inactive, _) => Seen::Absent,
        (FieldKind::IsActive, _) => Seen::Known(Value::Boolean(true)),
        (FieldKind::Facts(path), QueriedRow::Node(node)) => match &node.facts {
            Some(facts) => element(facts, path, node.is_reduced),
            None => Seen::Unknown,
        },
        (FieldKind::Trusted(path), QueriedRow::Node(node)) => match (&node.trusted, path.as_slice()) {
            (Some(trusted), path) => element(trusted, path, node.is_reduced),
            (None, [name]) if name == "certname" => text(&node.certname),
            (None, _) => Seen::Unknown,
        },
        (FieldKind::FactName, QueriedRow::Fact(_, name, _)) => text(name),
        (FieldKind::FactValue, QueriedRow::Fact(node, _, value)) => unmasked(value, node.is_reduced),
        (_, QueriedRow::Resource(_, resource) | QueriedRow::ResourceOfAny(resource)) => {
            of_resource(kind, resource)
        }
        (FieldKind::IsExported, QueriedRow::Further(_, FurtherResources::NotExported)) => {
            Seen::Known(Value::Boolean(false))
        }
        _ => Seen::Unknown,
    }
}

fn of_resource(kind: &FieldKind, resource: &ExportedResource) -> Seen {
    let capitalized = |name: &str| Value::String(types::display::capitalized_segments(name));
    match kind {
        FieldKind::Type => Seen::Known(capitalized(&resource.type_name)),
        FieldKind::Title => match &resource.title {
            Some(title) if resource.type_name == CLASS && title != "main" => Seen::Known(capitalized(title)),
            Some(title) => Seen::Known(Value::String(title.clone())),
            None => Seen::Unknown,
        },
        FieldKind::IsExported => Seen::Known(Value::Boolean(resource.is_exported)),
        FieldKind::Tags if !resource.is_incomplete => Seen::Known(Value::array(
            resource.tags.sorted().into_iter().map(Value::String).collect::<Vec<_>>(),
        )),
        FieldKind::Parameters if !resource.is_incomplete => {
            let parameters = resource.parameters.iter();
            Seen::Known(Value::hash(
                parameters.map(|(name, value)| (Value::string(name.as_str()), value.clone())),
            ))
        }
        FieldKind::Parameter(wanted) => {
            let found = resource.parameters.iter().find(|(name, _)| name.as_str() == wanted);
            match found {
                Some((_, value)) => unmasked(value, false),
                None if resource.is_incomplete => Seen::Unknown,
                None => Seen::Absent,
            }
        }
        _ => Seen::Unknown,
    }
}

/// Returns the element at a path.
fn element(root: &HashValue, path: &[String], is_reduced: bool) -> Seen {
    let Some((first, rest)) = path.split_first() else {
        return if is_reduced { Seen::Unknown } else { Seen::Known(Value::Hash(Arc::new(root.clone()))) };
    };
    let absent = || if is_reduced { Seen::Unknown } else { Seen::Absent };
    let Some(mut value) = root.get_text(first) else { return absent() };
    for key in rest {
        match value {
            Value::Hash(entries) => match entries.get_text(key) {
                Some(inner) => value = inner,
                None => return absent(),
            },
            Value::Array(_) => return Seen::Unknown,
            _ => return absent(),
        }
    }
    unmasked(value, is_reduced)
}

/// Returns a value unless it is masked, or may have a masked or a missing part.
fn unmasked(value: &Value, is_reduced: bool) -> Seen {
    match value {
        Value::String(text) if text == REDACTED => Seen::Unknown,
        Value::Array(_) | Value::Hash(_) if is_reduced => Seen::Unknown,
        value if value.is_known() => Seen::Known(value.clone()),
        _ => Seen::Unknown,
    }
}

/// Compiled regular expressions.
#[derive(Default)]
pub(crate) struct Regexes(RefCell<HashMap<String, Option<Regex>>>);

impl Regexes {
    /// Returns true if an expression matches; `None` if it is invalid.
    fn is_match(&self, pattern: &str, text: &str) -> Option<bool> {
        let mut known = self.0.borrow_mut();
        if !known.contains_key(pattern) {
            let regex = RegexBuilder::new(pattern).dot_matches_new_line(true).size_limit(1 << 20).build();
            known.insert(pattern.to_owned(), regex.ok());
        }
        known.get(pattern)?.as_ref().map(|regex| regex.is_match(text))
    }
}

/// Returns true if a row satisfies a condition; `None` if that is unknown.
pub(super) fn holds(
    filter: &Filter,
    row: &QueriedRow<'_>,
    nested: &NestedRows,
    regexes: &Regexes,
) -> Option<bool> {
    let of = |filter: &Filter| holds(filter, row, nested, regexes);
    match filter {
        Filter::All(filters) => all(filters.iter().map(of)),
        Filter::Any(filters) => all(filters.iter().map(|it| of(it).map(|it| !it))).map(|it| !it),
        // A comparison with a value that is absent may have neither result in PuppetDB.
        Filter::Not(inner) => match of(inner) {
            Some(false) if compares_absent(inner, row) => None,
            result => result.map(|it| !it),
        },
        Filter::Equal(field, value) if field.kind == FieldKind::Tag => has_tag(row, value),
        Filter::Equal(field, value) => match seen(&field.kind, row) {
            Seen::Known(known) => equals(&field.kind, &known, value),
            Seen::Absent => Some(false),
            Seen::Unknown => None,
        },
        Filter::Matches(field, pattern) => match (seen(&field.kind, row), &field.kind) {
            // PuppetDB compares the text of the stored value.
            (_, FieldKind::Parameter(_) | FieldKind::Parameters) => None,
            (Seen::Known(Value::String(text)), _) => regexes.is_match(pattern, &text),
            (Seen::Absent, _) => Some(false),
            _ => None,
        },
        Filter::Compare(field, comparison, limit) => match seen(&field.kind, row) {
            Seen::Known(Value::Integer(number)) => Some(compares(number as f64, *comparison, *limit)),
            Seen::Known(Value::Float(number)) => Some(compares(number.0, *comparison, *limit)),
            Seen::Absent => Some(false),
            _ => None,
        },
        Filter::IsNull(field) => is_null(field, row),
        Filter::OfNode(entity, filter) => nested.has(*entity, filter, row.certname()),
    }
}

/// Returns true if all conditions hold; `None` if that is unknown.
fn all(results: impl Iterator<Item = Option<bool>>) -> Option<bool> {
    let mut is_known = true;
    for result in results {
        match result {
            Some(false) => return Some(false),
            Some(true) => {}
            None => is_known = false,
        }
    }
    is_known.then_some(true)
}

/// Returns true if a condition compares facts that the node of a row does not have.
fn compares_absent(filter: &Filter, row: &QueriedRow<'_>) -> bool {
    let is_absent = |field: &Field| {
        matches!(field.kind, FieldKind::Facts(_) | FieldKind::Trusted(_))
            && matches!(seen(&field.kind, row), Seen::Absent)
    };
    match filter {
        Filter::All(filters) | Filter::Any(filters) => filters.iter().any(|it| compares_absent(it, row)),
        Filter::Not(filter) => compares_absent(filter, row),
        Filter::Equal(field, _) | Filter::Matches(field, _) | Filter::Compare(field, ..) => is_absent(field),
        Filter::IsNull(_) | Filter::OfNode(..) => false,
    }
}

fn has_tag(row: &QueriedRow<'_>, value: &Json) -> Option<bool> {
    let (QueriedRow::Resource(_, resource) | QueriedRow::ResourceOfAny(resource)) = row else { return None };
    let tag = SmolStr::from(value.as_str()?.to_lowercase());
    Some(resource.tags.contains(&tag)).filter(|it| *it || !resource.is_incomplete)
}

/// Compares as PuppetDB does: values of different types are never equal, and strings are compared with case.
fn equals(kind: &FieldKind, value: &Value, literal: &Json) -> Option<bool> {
    match (value, literal) {
        (Value::String(text), Json::String(literal)) => Some(text.as_str() == literal),
        (Value::Boolean(value), Json::Bool(literal)) => Some(value == literal),
        (Value::Integer(number), Json::Number(literal)) => {
            Some(literal.as_i64() == Some(*number)).filter(|_| literal.is_i64())
        }
        (Value::Float(_), Json::Number(_)) | (Value::Undef, _) => None,
        // An array of facts may be equal to one of its elements.
        (Value::Array(_), _) if !matches!(kind, FieldKind::Parameter(_)) => None,
        _ => Some(false),
    }
}

fn compares(number: f64, comparison: NumberOperator, limit: f64) -> bool {
    match comparison {
        NumberOperator::Less => number < limit,
        NumberOperator::LessOrEqual => number <= limit,
        NumberOperator::Greater => number > limit,
        NumberOperator::GreaterOrEqual => number >= limit,
    }
}

fn is_null(field: &Field, row: &QueriedRow<'_>) -> Option<bool> {
    match &field.kind {
        FieldKind::Inactive => Some(true),
        FieldKind::Certname
        | FieldKind::FactName
        | FieldKind::IsExported
        | FieldKind::Title
        | FieldKind::Type => Some(false),
        FieldKind::Facts(path) | FieldKind::Trusted(path) if !path.is_empty() => match seen(&field.kind, row)
        {
            Seen::Absent => Some(true),
            Seen::Known(Value::Undef) | Seen::Unknown => None,
            Seen::Known(_) => Some(false),
        },
        _ => None,
    }
}
