//! `%{...}` in data and configuration: what it asks for, and where it stands.

use syntax::TextRange;

use crate::data::{Content, DataNode};

/// What an interpolation asks for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum InterpolationExpression<'t> {
    /// `%{facts.os.family}`, `%{scope('x')}`: a variable and a way into it.
    Variable(&'t str),
    /// `%{lookup('key')}`, `%{hiera('key')}`: the value of another key, as text.
    Lookup(&'t str),
    /// `%{alias('key')}`: the value of another key as it is; nothing else may stand in the text.
    Alias(&'t str),
    /// `%{literal('%')}`: the text itself.
    Literal(&'t str),
    /// `%{}`, `%{::}`: nothing.
    Empty,
    /// `%{name('...')}` with a name that Hiera does not know.
    UnknownMethod(&'t str),
}

/// An interpolation in a text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DataInterpolation<'t> {
    /// From `%` to `}`, in bytes of the text.
    pub range: TextRange,
    pub expression: InterpolationExpression<'t>,
    /// Where the key or variable stands that it names.
    pub name_range: TextRange,
}

impl InterpolationExpression<'_> {
    /// Does it call a method, which paths and options must not?
    pub fn is_method(&self, written: &str) -> bool {
        !matches!(self, InterpolationExpression::Variable(_) | InterpolationExpression::Empty)
            || written.ends_with(')')
    }
}

/// The interpolations of a text, in order.
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

/// `name('argument')`.
fn method_call(written: &str) -> Option<(&str, &str)> {
    let (method, rest) = written.split_once('(')?;
    let is_name = !method.is_empty() && method.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    let argument = rest.strip_suffix(')')?;
    let quote = argument.chars().next().filter(|it| matches!(it, '"' | '\''))?;
    let inner = argument.strip_prefix(quote)?.strip_suffix(quote)?;
    (is_name && !inner.is_empty() && !inner.contains(quote)).then_some((method, inner))
}

/// The interpolations of a scalar of a file, with ranges in the file. They are read from the text as it is written, so
/// that escapes move nothing.
pub fn interpolations_of<'t>(file: &'t str, node: &DataNode) -> Vec<DataInterpolation<'t>> {
    if !matches!(node.content, Content::Scalar { .. }) {
        return Vec::new();
    }
    let Some(written) = file.get(node.range.as_range()) else { return Vec::new() };
    let mut found = interpolations(written);
    for interpolation in &mut found {
        interpolation.range = interpolation.range.shifted(node.range.start);
        interpolation.name_range = interpolation.name_range.shifted(node.range.start);
        // In double quotes, quotes are escaped.
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

/// `name(\"argument\")`.
fn escaped_call(written: &str) -> Option<(&str, &str)> {
    let (method, rest) = written.split_once("(\\\"")?;
    let argument = rest.strip_suffix("\\\")")?;
    let is_name = !method.is_empty() && method.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'_');
    is_name.then_some((method, argument))
}

/// What Hiera refuses in an interpolation; in words.
///
/// `text`: all of the scalar that it stands in. `allows_methods`: in data, not in paths and options.
pub fn failure(interpolation: &DataInterpolation, text: &str, allows_methods: bool) -> Option<String> {
    let whole = interpolation.range.len() as usize == text.len();
    let written = text.get(interpolation.range.as_range()).unwrap_or_default();
    let is_method = interpolation.expression.is_method(written.trim_end_matches('}').trim_end());
    match &interpolation.expression {
        InterpolationExpression::UnknownMethod(name) => Some(format!(
            "'{name}' is no function of interpolations: there are lookup, hiera, alias, scope and literal"
        )),
        _ if is_method && !allows_methods => {
            Some("only variables can be interpolated here, functions cannot".to_owned())
        }
        InterpolationExpression::Alias(_) if !whole => {
            Some("'alias' must be the whole text; 'lookup' can stand between other text".to_owned())
        }
        InterpolationExpression::Variable(key) | InterpolationExpression::Lookup(key) => {
            crate::key::split(key)
                .is_none()
                .then(|| format!("'{key}' is no key: dots stand between names or names in quotes"))
        }
        _ => None,
    }
}
