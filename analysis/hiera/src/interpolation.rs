//! Interpolations (`%{...}`) in data and configurations.

use syntax::TextRange;

use crate::data::{Content, DataNode};

/// Expression inside an interpolation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterpolationExpression<'t> {
    /// `%{facts.os.family}`, `%{scope('x')}`: a variable, with a path into its value.
    Variable(&'t str),
    /// `%{lookup('key')}`, `%{hiera('key')}`: the value of another key as a string.
    Lookup(&'t str),
    /// `%{alias('key')}`: the value of another key with its type; must be the whole string.
    Alias(&'t str),
    /// `%{literal('%')}`: the argument itself.
    Literal(&'t str),
    /// `%{}`, `%{::}`: the empty string.
    Empty,
    /// `%{name('...')}` with a method that Hiera does not know.
    UnknownMethod(&'t str),
}

/// Interpolation in a string.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataInterpolation<'t> {
    /// Range from `%` to `}`, in bytes of the string.
    pub range: TextRange,
    pub expression: InterpolationExpression<'t>,
    /// Range of the key or variable name.
    pub name_range: TextRange,
}

impl InterpolationExpression<'_> {
    /// Returns true if the interpolation calls a method, which paths and options do not allow.
    pub fn is_method(&self, written: &str) -> bool {
        !matches!(self, InterpolationExpression::Variable(_) | InterpolationExpression::Empty)
            || written.ends_with(')')
    }
}

/// Returns the interpolations in a string, in order.
pub fn interpolations(text: &str) -> Vec<DataInterpolation<'_>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find("%{").map(|it| at + it) {
        let Some(len) = text[start + 2..].find('}') else { break };
        let inner = &text[start + 2..start + 2 + len];
        at = start + len + 3;
        let written = inner.trim();
        let (expression, name) = parse(written);
        let offset = |part: &str| (part.as_ptr() as usize - text.as_ptr() as usize) as u32;
        let name_range = TextRange::new(offset(name), offset(name) + name.len() as u32);
        let range = TextRange::new(start as u32, at as u32);
        found.push(DataInterpolation { range, expression, name_range });
    }
    found
}

fn parse(written: &str) -> (InterpolationExpression<'_>, &str) {
    if matches!(written, "" | "::" | "\"\"" | "''" | "\"::\"" | "'::'") {
        return (InterpolationExpression::Empty, written);
    }
    let Some((method, argument)) = method_call(written) else {
        return (InterpolationExpression::Variable(written), written);
    };
    let expression = match method {
        "lookup" | "hiera" => InterpolationExpression::Lookup(argument),
        "alias" => InterpolationExpression::Alias(argument),
        "scope" => InterpolationExpression::Variable(argument),
        "literal" => InterpolationExpression::Literal(argument),
        _ => return (InterpolationExpression::UnknownMethod(method), method),
    };
    (expression, argument)
}

/// Splits a call `name('argument')` into name and argument.
fn method_call(written: &str) -> Option<(&str, &str)> {
    let (method, rest) = written.split_once('(')?;
    let is_name = !method.is_empty() && method.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let argument = rest.strip_suffix(')')?;
    let quote = argument.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let inner = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    (is_name && !inner.is_empty() && !inner.contains(quote)).then_some((method, inner))
}

/// Returns the interpolations in a scalar of a file, with ranges in the file. They are read from the source
/// text, so escapes do not shift ranges.
pub fn interpolations_of<'t>(file: &'t str, node: &DataNode) -> Vec<DataInterpolation<'t>> {
    if !matches!(node.content, Content::Scalar { .. }) {
        return Vec::new();
    }
    let Some(written) = file.get(node.range.as_range()) else { return Vec::new() };
    let mut found = interpolations(written);
    for interpolation in &mut found {
        interpolation.range = interpolation.range.shifted(node.range.start);
        interpolation.name_range = interpolation.name_range.shifted(node.range.start);
        // Quotes are escaped inside double quotes.
        if let InterpolationExpression::Variable(text) = interpolation.expression
            && let Some((method, argument)) = escaped_call(text)
        {
            interpolation.expression = match method {
                "lookup" | "hiera" => InterpolationExpression::Lookup(argument),
                "alias" => InterpolationExpression::Alias(argument),
                "scope" => InterpolationExpression::Variable(argument),
                "literal" => InterpolationExpression::Literal(argument),
                _ => InterpolationExpression::UnknownMethod(method),
            };
            let offset = (argument.as_ptr() as usize - text.as_ptr() as usize) as u32;
            let start = interpolation.name_range.start + offset;
            interpolation.name_range = TextRange::new(start, start + argument.len() as u32);
        }
    }
    found
}

/// Splits a call with escaped quotes, `name(\"argument\")`.
fn escaped_call(written: &str) -> Option<(&str, &str)> {
    let (method, rest) = written.split_once("(\\\"")?;
    let argument = rest.strip_suffix("\\\")")?;
    let is_name = !method.is_empty() && method.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    is_name.then_some((method, argument))
}

/// Returns the message of the error that Hiera raises for an interpolation, if any.
///
/// `text` is the whole scalar. `allows_methods` is true in data, false in paths and options.
pub fn failure(interpolation: &DataInterpolation, text: &str, allows_methods: bool) -> Option<String> {
    let whole = interpolation.range.len() as usize == text.len();
    let written = text.get(interpolation.range.as_range()).unwrap_or_default();
    let is_method = interpolation.expression.is_method(written.trim_end_matches('}').trim_end());
    match &interpolation.expression {
        InterpolationExpression::UnknownMethod(name) => Some(format!(
            "unknown interpolation method `{name}`\nhelp: use `lookup`, `hiera`, `alias`, `scope` or `literal`"
        )),
        _ if is_method && !allows_methods => {
            Some("interpolation using method syntax is not allowed in this context".to_owned())
        }
        InterpolationExpression::Alias(_) if !whole => {
            Some(
                "`alias` interpolation is only permitted if it is the entire string\nhelp: use `lookup` inside a longer string"
                    .to_owned(),
            )
        }
        InterpolationExpression::Variable(key) | InterpolationExpression::Lookup(key) => {
            crate::key::split(key)
                .is_none()
                .then(|| format!("invalid key `{key}`\nhelp: separate names or quoted names with dots"))
        }
        _ => None,
    }
}
