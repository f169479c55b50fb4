//! Values that code names: parameters, variables, attributes, and entries of hashes.

use std::fmt::Write as _;

use compile::Summary;
use eval::RecordedValue;
use hir::{AttributeOperation, Body, Expr, ExprId, StringPart, VariableRef};
use types::Value;
use weaknesses::UNKNOWN_PART;

use super::super::value_mismatch::{AttributeList, attribute_lists};

/// Maximum number of variables and selectors between an attribute and a literal.
const MAX_DEPTH: u32 = 4;

/// Maximum length of a text; longer ones are cut off.
const MAX_TEXT: usize = 1 << 16;

/// Construct that names a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum NamedBy {
    Parameter,
    Variable,
    Attribute,
    Entry,
}

/// Expression with the name that code gives to its value.
pub(super) struct NamedValue<'a> {
    pub(super) name: &'a str,
    pub(super) by: NamedBy,
    pub(super) expr: ExprId,
    /// Resource type of an attribute.
    pub(super) resource_type: Option<&'a str>,
}

/// Returns the named values of a definition.
pub(super) fn named_values<'a>(body: &'a Body, lists: &'a [AttributeList<'a>]) -> Vec<NamedValue<'a>> {
    let mut named = Vec::new();
    let value = |name: &'a str, by: NamedBy, expr: ExprId| NamedValue { name, by, expr, resource_type: None };
    for parameter in &body.parameters {
        named.extend(parameter.default.map(|it| value(&parameter.name, NamedBy::Parameter, it)));
    }
    for (_, expr) in body.exprs.iter() {
        match expr {
            Expr::Assignment { lhs, rhs, .. } => {
                if let Expr::Variable(VariableRef::Slot(slot)) = &body[*lhs] {
                    named.push(value(&body.slots[slot.index()].name, NamedBy::Variable, *rhs));
                }
            }
            Expr::Hash(entries) => {
                for (key, entry) in entries {
                    if let Expr::String(name) | Expr::Name(name) = &body[*key] {
                        named.push(value(name, NamedBy::Entry, *entry));
                    }
                }
            }
            _ => {}
        }
    }
    for list in lists {
        for operation in list.operations {
            let AttributeOperation::Set { name, value, .. } = operation else { continue };
            let resource_type = Some(list.type_name.as_str());
            named.push(NamedValue { name, by: NamedBy::Attribute, expr: *value, resource_type });
            named.extend(setting(body, list, name).map(|name| NamedValue {
                name,
                by: NamedBy::Attribute,
                expr: *value,
                resource_type,
            }));
        }
    }
    named
}

/// Returns the name of the setting that a resource such as `ini_setting` or `nova_config` gives a value.
fn setting<'a>(body: &'a Body, list: &AttributeList<'a>, attribute: &str) -> Option<&'a str> {
    if attribute != "value" {
        return None;
    }
    let text = |expr: ExprId| match &body[expr] {
        Expr::String(text) | Expr::Name(text) => Some(text.as_str()),
        _ => None,
    };
    let setting = attribute_of(list, "setting").or(list.title).and_then(text)?;
    setting.rsplit('/').next().filter(|it| !it.contains(' '))
}

/// Returns the value of an attribute of a resource.
pub(super) fn attribute_of(list: &AttributeList<'_>, wanted: &str) -> Option<ExprId> {
    list.operations.iter().find_map(|operation| match operation {
        AttributeOperation::Set { name, value, .. } if name == wanted => Some(*value),
        _ => None,
    })
}

/// Returns true if attributes of a resource may be missing from its declaration.
pub(super) fn may_have_more(list: &AttributeList<'_>) -> bool {
    list.title.is_none() || list.operations.iter().any(|it| matches!(it, AttributeOperation::Splat(_)))
}

/// Returns the attributes of all resources in a definition.
pub(super) fn resources(body: &Body) -> Vec<AttributeList<'_>> {
    let mut found = Vec::new();
    for (_, expr) in body.exprs.iter() {
        found.append(&mut attribute_lists(body, expr));
    }
    found
}

/// Literal that is one of the possible values of an expression.
pub(super) struct WrittenString<'a> {
    pub(super) expr: ExprId,
    pub(super) text: &'a str,
    /// True if the literal is used if nothing else sets a value.
    pub(super) is_fallback: bool,
}

/// Returns true for `Sensitive(x)` and `Sensitive.new(x)`, whose values must not be shown.
pub(super) fn is_sensitive(body: &Body, expr: ExprId) -> bool {
    let functor = match &body[expr] {
        Expr::Call { functor, .. } => *functor,
        Expr::MethodCall { receiver, name, .. } if name == "new" => *receiver,
        Expr::Selector { entries, .. } => return entries.iter().any(|(_, it)| is_sensitive(body, *it)),
        _ => return false,
    };
    matches!(&body[functor], Expr::TypeReference(name) if name.eq_ignore_ascii_case("sensitive"))
}

/// Functions that return one of their arguments from some index on.
const FALLBACKS: [(&str, usize); 7] =
    [("hiera", 1), ("lookup", 3), ("pick", 1), ("pick_default", 1), ("getvar", 1), ("get", 1), ("dig", 1)];

/// Returns the string literals that an expression may evaluate to, without those of variables.
pub(super) fn literals<'a>(body: &'a Body, expr: ExprId) -> Vec<WrittenString<'a>> {
    let mut found = Vec::new();
    add_literals(body, expr, false, MAX_DEPTH, &mut found);
    found
}

fn add_literals<'a>(
    body: &'a Body,
    expr: ExprId,
    is_fallback: bool,
    depth: u32,
    found: &mut Vec<WrittenString<'a>>,
) {
    let Some(depth) = depth.checked_sub(1) else { return };
    match &body[expr] {
        Expr::String(text) | Expr::Name(text) => found.push(WrittenString { expr, text, is_fallback }),
        Expr::Heredoc { text, .. } => add_literals(body, *text, is_fallback, depth, found),
        Expr::Selector { entries, .. } => {
            entries.iter().for_each(|(_, it)| add_literals(body, *it, is_fallback, depth, found));
        }
        Expr::Call { functor, arguments, .. } => match &body[*functor] {
            Expr::TypeReference(name) if name.eq_ignore_ascii_case("sensitive") => {
                arguments.iter().for_each(|it| add_literals(body, *it, is_fallback, depth, found));
            }
            Expr::Name(name) => {
                let start = FALLBACKS.iter().find(|(it, _)| it == name).map_or(usize::MAX, |(_, at)| *at);
                arguments.iter().skip(start).for_each(|it| add_literals(body, *it, true, depth, found));
            }
            _ => {}
        },
        Expr::MethodCall { receiver, name, arguments, .. } if name == "new" => {
            if matches!(&body[*receiver], Expr::TypeReference(it) if it.eq_ignore_ascii_case("sensitive")) {
                arguments.iter().for_each(|it| add_literals(body, *it, is_fallback, depth, found));
            }
        }
        _ => {}
    }
}

/// Returns the text of a string, with [`UNKNOWN_PART`] in place of expressions. The elements of an array are
/// separated by spaces. Variables that are set once in the definition are replaced by their values.
pub(super) fn text(body: &Body, expr: ExprId) -> Option<String> {
    let mut out = String::new();
    write_text(body, expr, MAX_DEPTH, &mut out).then_some(out)
}

fn write_text(body: &Body, expr: ExprId, depth: u32, out: &mut String) -> bool {
    let Some(depth) = depth.checked_sub(1).filter(|_| out.len() < MAX_TEXT) else { return false };
    match &body[expr] {
        Expr::String(text) | Expr::Name(text) => out.push_str(text),
        Expr::Integer(number) => return write!(out, "{number}").is_ok(),
        Expr::Heredoc { text, .. } => return write_text(body, *text, depth, out),
        Expr::Interpolated(parts) => {
            for part in parts {
                if out.len() >= MAX_TEXT {
                    return true;
                }
                match part {
                    StringPart::Text(text) => out.push_str(text),
                    StringPart::Expr(expr) => {
                        if !write_text(body, *expr, depth, out) {
                            out.push(UNKNOWN_PART);
                        }
                    }
                }
            }
        }
        Expr::Array(elements) => {
            for element in elements {
                if out.len() >= MAX_TEXT {
                    return true;
                }
                if !write_text(body, *element, depth, out) {
                    out.push(UNKNOWN_PART);
                }
                out.push(' ');
            }
        }
        Expr::Variable(VariableRef::Slot(_)) if depth > 0 => {
            return assigned(body, expr).is_some_and(|it| write_text(body, it, depth, out));
        }
        _ => return false,
    }
    true
}

/// Returns the value that the only assignment to a variable sets.
pub(super) fn assigned(body: &Body, variable: ExprId) -> Option<ExprId> {
    let Expr::Variable(VariableRef::Slot(slot)) = &body[variable] else { return None };
    let mut assignments = body.assignments_to(*slot);
    let (first, None) = (assignments.next()?, assignments.next()) else { return None };
    match &body[first] {
        Expr::Assignment { lhs, rhs, .. } if !matches!(body[*lhs], Expr::Array(_)) => Some(*rhs),
        _ => None,
    }
}

/// Returns the default of the parameter that an expression reads.
fn default_of(body: &Body, expr: ExprId) -> Option<ExprId> {
    let Expr::Variable(VariableRef::Slot(slot)) = &body[expr] else { return None };
    body.parameters.iter().find(|it| it.slot == *slot)?.default
}

/// Returns the known values of an expression. For a parameter of the definition, this is its default.
pub(super) fn known_values(body: &Body, summary: &Summary, expr: ExprId) -> Vec<Value> {
    let recorded = |expr: ExprId| match summary.value(expr) {
        Some(RecordedValue::Values(values)) => values.clone(),
        _ => Vec::new(),
    };
    let mut values = recorded(expr);
    values.retain(|it| !matches!(it, Value::Unknown(_)));
    match default_of(body, expr) {
        Some(default) if values.is_empty() => match &body[default] {
            Expr::String(text) => vec![Value::String(text.as_str().into())],
            _ => recorded(default),
        },
        _ => values,
    }
}
