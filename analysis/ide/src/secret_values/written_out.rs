//! Secret values that manifests, templates and data files contain in plain text.

use std::collections::HashSet;

use hiera::data::is_encrypted;
use hiera::{Content, DataNode};
use output::secrets::SecretKeys;
use syntax::ast::{
    AssignmentExpr, AstNode, Attribute, BinaryExpr, BinaryOperator, CallExpr, CaseExpr, Expr, Heredoc,
    InterpolatedString, KeyedEntry, LiteralString, MethodCallExpr, Parameter, SelectorExpr, StringPart,
};
use syntax::{SyntaxKind, SyntaxNode, TextRange};

/// Maximum length in bytes of a name that is checked.
const MAX_NAME_LENGTH: usize = 200;

/// Functions whose arguments are names, not values.
const TAKE_NAMES: [&str; 12] = [
    "lookup",
    "hiera",
    "hiera_array",
    "hiera_hash",
    "fact",
    "getvar",
    "getparam",
    "file",
    "find_file",
    "template",
    "epp",
    "defined",
];

/// A string that is a secret value or a part of one (after escapes), with its range.
pub(super) type WrittenOut = (String, TextRange);

/// Returns the values that are assigned to or compared with names of secrets, and those inside
/// `Sensitive(…)`.
pub(super) fn in_tree(root: &SyntaxNode, keys: &SecretKeys) -> Vec<WrittenOut> {
    let mut found = Vec::new();
    // Variables that are assigned to a secret: `$token = $x`.
    let mut handed_on = HashSet::new();
    let mut others = Vec::new();
    for node in root.descendants() {
        if is_made_sensitive(&node) {
            found.extend(texts_of(&node));
        }
        for (name, value) in named_values(&node) {
            if keys.is_secret(&name) {
                found.extend(texts_of(value.syntax()));
                handed_on.extend(variable(value));
            } else if name.starts_with('$') {
                others.push((name, value));
            }
        }
    }
    others.retain(|(name, _)| handed_on.contains(name));
    found.extend(others.iter().flat_map(|(_, value)| texts_of(value.syntax())));
    found
}

/// Returns the name of a variable of the local scope.
fn variable(value: Expr) -> Option<String> {
    match value {
        Expr::VariableExpr(it) => Some(name_of(it.syntax().text())).filter(|name| !name.contains("::")),
        _ => None,
    }
}

/// Returns the text as a name; empty if it is too long.
fn name_of(text: &str) -> String {
    if text.len() > MAX_NAME_LENGTH { String::new() } else { text.to_owned() }
}

/// Returns the names in a node with the expressions of their values.
fn named_values(node: &SyntaxNode) -> Vec<(String, Expr)> {
    let node = || node.clone();
    let text = |expr: &Expr| name_of(expr.syntax().text());
    if let Some(it) = BinaryExpr::cast(node()) {
        let compares = matches!(it.operator(), Some(BinaryOperator::Equal | BinaryOperator::NotEqual));
        let sides = it.lhs().zip(it.rhs()).filter(|_| compares);
        return sides.map(|(a, b)| vec![(text(&a), b.clone()), (text(&b), a)]).unwrap_or_default();
    }
    let (name, values) = if let Some(it) = AssignmentExpr::cast(node()) {
        (it.lhs().as_ref().map(text), Vec::from_iter(it.rhs()))
    } else if let Some(it) = Attribute::cast(node()) {
        (it.name_token().map(|it| name_of(it.text())), Vec::from_iter(it.value()))
    } else if let Some(it) = KeyedEntry::cast(node()) {
        (it.key().as_ref().map(text), Vec::from_iter(it.value()))
    } else if let Some(it) = Parameter::cast(node()) {
        (it.variable().map(|it| name_of(it.text())), Vec::from_iter(it.default()))
    } else if let Some(it) = SelectorExpr::cast(node()) {
        (it.lhs().as_ref().map(text), it.entries().filter_map(|it| it.matching()).collect())
    } else if let Some(it) = CaseExpr::cast(node()) {
        (it.test().as_ref().map(text), it.options().flat_map(|it| it.values()).collect())
    } else {
        return Vec::new();
    };
    values.into_iter().filter_map(|value| Some((name.clone()?, value))).collect()
}

/// Returns true for `Sensitive(…)` and `Sensitive.new(…)`.
fn is_made_sensitive(node: &SyntaxNode) -> bool {
    let function = CallExpr::cast(node.clone()).and_then(|it| it.functor());
    let receiver = || MethodCallExpr::cast(node.clone()).and_then(|it| it.receiver());
    function.or_else(receiver).is_some_and(|it| it.syntax().text() == "Sensitive")
}

/// Returns the strings and numbers in an expression, except for names: keys, accessed elements, and arguments
/// of lookup functions.
fn texts_of(expr: &SyntaxNode) -> Vec<WrittenOut> {
    let mut found = Vec::new();
    let mut rest = vec![expr.clone()];
    while let Some(node) = rest.pop() {
        let range = node.text_range();
        match node.kind() {
            SyntaxKind::LITERAL_STRING => {
                found.extend(LiteralString::cast(node).map(|it| (it.value(), range)));
            }
            SyntaxKind::LITERAL_NUMBER | SyntaxKind::QUALIFIED_NAME => {
                found.push((node.text().to_owned(), range));
            }
            SyntaxKind::INTERPOLATED_STRING => {
                let parts = InterpolatedString::cast(node).map(|it| it.parts()).unwrap_or_default();
                found.extend(texts_of_parts(parts, range));
            }
            SyntaxKind::HEREDOC => {
                let heredoc = Heredoc::cast(node);
                let body = heredoc.as_ref().and_then(|it| Some((it.body()?, it.header()?)));
                if let Some((body, header)) = body {
                    found.extend(texts_of_parts(body.parts(&header), body.syntax().text_range()));
                }
            }
            SyntaxKind::ACCESS_EXPR => {}
            SyntaxKind::KEYED_ENTRY => {
                rest.extend(KeyedEntry::cast(node).and_then(|it| it.value()).map(|it| it.syntax().clone()));
            }
            SyntaxKind::CALL_EXPR => {
                let call = CallExpr::cast(node.clone());
                let function = call.and_then(|it| it.functor()).map(|it| it.syntax().clone());
                let takes_names = function
                    .as_ref()
                    .is_some_and(|it| TAKE_NAMES.contains(&it.text().trim_start_matches(':')));
                if !takes_names {
                    rest.extend(node.children().filter(|it| Some(it) != function.as_ref()));
                }
            }
            _ => rest.extend(node.children()),
        }
    }
    found
}

fn texts_of_parts(parts: Vec<StringPart>, range: TextRange) -> impl Iterator<Item = WrittenOut> {
    parts.into_iter().filter_map(move |part| match part {
        StringPart::Text(text) => Some((text, range)),
        StringPart::Expr(_) | StringPart::Missing => None,
    })
}

/// Returns the default values of secret parameters in the metadata of a task. Types and descriptions are public.
pub(super) fn in_task(root: &DataNode, keys: &SecretKeys) -> Vec<WrittenOut> {
    let of_parameter = |(name, parameter): (&str, &DataNode)| {
        let is_value = |(key, _): &(&str, &DataNode)| keys.is_secret(name) && *key == "default";
        let values = entries(parameter).into_iter().filter(is_value);
        values.flat_map(|(_, value)| scalars(value, true, keys)).collect::<Vec<_>>()
    };
    let parameters = entries(root).into_iter().filter(|(key, _)| *key == "parameters");
    parameters.flat_map(|(_, value)| entries(value)).flat_map(of_parameter).collect()
}

/// Returns the entries of a mapping whose keys are strings.
fn entries(node: &DataNode) -> Vec<(&str, &DataNode)> {
    let Content::Mapping(entries) = &node.content else { return Vec::new() };
    entries.iter().filter_map(|it| Some((it.key.value.as_str()?, &it.value))).collect()
}

/// Returns the values of data keys that are names of secrets.
pub(super) fn in_data(root: &DataNode, keys: &SecretKeys) -> Vec<WrittenOut> {
    scalars(root, false, keys)
}

/// Returns the scalars below a node that are values of secrets; all if the node itself is one.
fn scalars(root: &DataNode, is_secret: bool, keys: &SecretKeys) -> Vec<WrittenOut> {
    let mut found = Vec::new();
    let mut rest = vec![(root, is_secret)];
    while let Some((node, is_secret)) = rest.pop() {
        match &node.content {
            Content::Scalar { text, .. } if is_secret && !is_encrypted(text) => {
                found.push((text.to_string(), node.range));
            }
            Content::Scalar { .. } | Content::Alias(_) => {}
            Content::Sequence(elements) => rest.extend(elements.iter().map(|it| (it, is_secret))),
            Content::Mapping(entries) => rest.extend(entries.iter().map(|entry| {
                let named = entry.key.value.as_str().is_some_and(|name| keys.is_secret(name));
                (&entry.value, is_secret || named)
            })),
        }
    }
    found
}
