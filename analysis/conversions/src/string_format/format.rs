//! Single formats and format maps by type.

use std::sync::{Arc, LazyLock};

use smol_str::SmolStr;
use types::assign::is_assignable;
use types::display::expanded_type_text;
use types::infer::infer_set;
use types::{FloatRange, HashValue, IntegerRange, Origin, Type, TypeEnvironment, Value};

use std::fmt;
use types::text::TextError;

/// Reason why a value cannot be formatted.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FormatError {
    /// Problem of the format, or mismatch between format and value.
    Invalid(String),
    /// A part of the value or of the formats is unknown.
    Unknown(Origin),
    /// The result exceeds [`types::text::TEXT_LIMIT`] bytes, or there are too many or too deeply nested values.
    TooLong,
}

impl FormatError {
    pub(super) fn new(message: String) -> FormatError {
        FormatError::Invalid(message)
    }

    pub(super) fn letter(kind: &str, format: &ValueFormat, expected: &str) -> FormatError {
        let letter = format.letter;
        FormatError::Invalid(format!(
            "format `{letter}` is not supported for type `{kind}`; expected one of `{expected}`"
        ))
    }
}

impl From<TextError> for FormatError {
    fn from(error: TextError) -> FormatError {
        match error {
            TextError::Unknown(origin) => FormatError::Unknown(origin),
            TextError::TooLong => FormatError::TooLong,
        }
    }
}

impl fmt::Display for FormatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FormatError::Invalid(message) => f.write_str(message),
            FormatError::Unknown(_) => f.write_str("value is unknown"),
            FormatError::TooLong => f.write_str("string is too long"),
        }
    }
}

/// Parsed format: `%`, flags, width, precision, letter, and further settings for arrays and hashes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ValueFormat {
    /// Source of the format, as passed to Ruby's `format`.
    pub(super) text: SmolStr,
    pub(super) letter: char,
    /// Flag `#`.
    pub(super) alternate: bool,
    /// Flag `-`.
    pub(super) left: bool,
    pub(super) width: Option<usize>,
    pub(super) precision: Option<usize>,
    /// Delimiters of a container, if a flag sets them.
    pub(super) delimiters: Option<(&'static str, &'static str)>,
    pub(super) separator: Option<SmolStr>,
    /// Separator between a key and its value.
    pub(super) separator2: Option<SmolStr>,
    /// Formats for elements that are not containers.
    pub(super) elements: Option<FormatMap>,
}

/// Formats by type; the first matching one applies.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct FormatMap(Arc<[(Type, ValueFormat)]>);

/// Formats for elements of containers that do not specify any.
static DEFAULT_ELEMENT_FORMATS: LazyLock<FormatMap> =
    LazyLock::new(|| FormatMap(Arc::new([(Type::Any, simple('p'))])));

static DEFAULT_FORMATS: LazyLock<FormatMap> = LazyLock::new(|| {
    let container = |letter, separator2: &str| ValueFormat {
        separator: Some(", ".into()),
        separator2: Some(separator2.into()),
        elements: Some(DEFAULT_ELEMENT_FORMATS.clone()),
        ..simple(letter)
    };
    FormatMap(Arc::new([
        (Type::Object(None), simple('p')),
        (Type::FLOAT, simple('f')),
        (Type::Numeric, simple('d')),
        (any_array(), container('a', ", ")),
        (any_hash(), container('h', " => ")),
        (Type::Binary, simple('B')),
        (Type::Any, simple('s')),
    ]))
});

/// Returns the plain type `Array`.
pub(super) fn any_array() -> Type {
    Type::array_of(Type::Any)
}

/// Returns the plain type `Hash`.
pub(super) fn any_hash() -> Type {
    Type::hash_of(Type::Any, Type::Any)
}

/// Returns a format that consists only of a letter.
pub(super) fn simple(letter: char) -> ValueFormat {
    ValueFormat {
        text: format!("%{letter}").into(),
        letter,
        alternate: false,
        left: false,
        width: None,
        precision: None,
        delimiters: None,
        separator: None,
        separator2: None,
        elements: None,
    }
}

/// Parses `%<flags><width>.<precision><letter>`, which may be one of several lines.
///
/// # Errors
/// If the syntax is invalid, a flag is repeated, or there is more than one pair of delimiters.
pub(super) fn parse_format(text: &str) -> Result<ValueFormat, FormatError> {
    let Some(parts) = text.split('\n').enumerate().find_map(|(line, _)| parts_from_line(text, line)) else {
        return Err(FormatError::new(format!(
            "invalid format `{text}`; expected `%`, flags, width, `.` precision, and one letter"
        )));
    };
    let has_flag = |flag| parts.flags.contains(flag);
    if parts.flags.char_indices().any(|(at, flag)| parts.flags[..at].contains(flag)) {
        return Err(FormatError::new(format!("duplicate flag in format `{text}`")));
    }
    let mut delimiters = None;
    for (flag, pair) in
        [('[', ("[", "]")), ('{', ("{", "}")), ('(', ("(", ")")), ('<', ("<", ">")), ('|', ("|", "|"))]
    {
        if has_flag(flag) && delimiters.replace(pair).is_some() {
            return Err(FormatError::new(format!(
                "format `{text}` has more than one of the delimiters `[ {{ ( < |`"
            )));
        }
    }
    if delimiters.is_none() && has_flag(' ') {
        delimiters = Some(("", ""));
    }
    let number = |digits: &str| digits.parse().unwrap_or(usize::MAX);
    Ok(ValueFormat {
        text: text.into(),
        letter: parts.letter,
        alternate: has_flag('#'),
        left: has_flag('-'),
        width: parts.width.map(number),
        precision: parts.precision.map(number),
        delimiters,
        separator: None,
        separator2: None,
        elements: None,
    })
}

struct FormatParts<'t> {
    flags: &'t str,
    width: Option<&'t str>,
    precision: Option<&'t str>,
    letter: char,
}

/// Parses the format that starts at the given line. Spaces and line breaks may be flags, so a format can span
/// lines.
fn parts_from_line(text: &str, line: usize) -> Option<FormatParts<'_>> {
    let start = match line {
        0 => 0,
        line => text.match_indices('\n').nth(line - 1)?.0 + 1,
    };
    let rest = text[start..].strip_prefix('%')?;
    let is_flag = |c: char| {
        matches!(
            c,
            ' ' | '\t' | '\n' | '\x0b' | '\x0c' | '\r' | '[' | '+' | '#' | '0' | '{' | '<' | '(' | '|' | '-'
        )
    };
    let (flags, rest) = rest.split_at(rest.find(|c| !is_flag(c)).unwrap_or(rest.len()));
    let (width, rest) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
    let (precision, rest) = match rest.strip_prefix('.') {
        Some(rest) => {
            let (digits, rest) =
                rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
            (Some(digits), rest)
        }
        None => (None, rest),
    };
    let letter = rest.chars().next().filter(char::is_ascii_alphabetic)?;
    let ends = rest[1..].is_empty() || rest[1..].starts_with('\n');
    let width = (!width.is_empty()).then_some(width);
    (ends && precision != Some("")).then_some(FormatParts { flags, width, precision, letter })
}

impl FormatMap {
    /// Returns the default formats of values.
    pub(super) fn default_formats() -> &'static FormatMap {
        &DEFAULT_FORMATS
    }

    pub(super) fn default_element_formats() -> &'static FormatMap {
        &DEFAULT_ELEMENT_FORMATS
    }

    pub(super) fn single(ty: Type, format: ValueFormat) -> FormatMap {
        FormatMap(Arc::new([(ty, format)]))
    }

    /// Parses a hash of types to formats without merging it with the defaults.
    pub(super) fn from_hash(hash: &HashValue) -> Result<FormatMap, FormatError> {
        let mut formats = Vec::with_capacity(hash.len());
        for (key, value) in hash.iter() {
            let Value::Type(ty) = key else {
                return Err(FormatError::new("keys of a format hash must be types".into()));
            };
            let format = match value {
                Value::Hash(settings) => container_format(settings)?,
                Value::String(text) => parse_format(text)?,
                _ => return Err(FormatError::new("format must be a string or a hash".into())),
            };
            formats.push(((**ty).clone(), format));
        }
        Ok(FormatMap(formats.into()))
    }

    /// Merges two format maps. Entries of `higher` win, and narrower types precede broader ones.
    pub(super) fn merge(&self, higher: &FormatMap, env: &dyn TypeEnvironment) -> FormatMap {
        // Formats that `higher` specifies for a broader type must not be overridden.
        let is_hidden =
            |ty: &Type| higher.0.iter().any(|(other, _)| other != ty && is_assignable(other, ty, env));
        let mut merged: Vec<(Type, ValueFormat)> = Vec::with_capacity(self.0.len() + higher.0.len());
        for (ty, format) in self.0.iter().filter(|(ty, _)| !is_hidden(ty)) {
            let format = match higher.0.iter().find(|(other, _)| other == ty) {
                Some((_, over)) => format.merge(over, env),
                None => format.clone(),
            };
            merged.push((ty.clone(), format));
        }
        for (ty, format) in higher.0.iter() {
            if !merged.iter().any(|(other, _)| other == ty) {
                merged.push((ty.clone(), format.clone()));
            }
        }
        FormatMap(sort_by_generality(merged, env).into())
    }

    /// Returns the format of a value, `%s` by default.
    pub(super) fn format_of(&self, value: &Value, env: &dyn TypeEnvironment) -> ValueFormat {
        let mut inferred = None;
        self.find(|key| match (key, value) {
            (Type::Any, _) => true,
            (Type::Object(None), value) => matches!(value, Value::Object(_)),
            (Type::Binary, value) => matches!(value, Value::Binary(_)),
            (Type::Numeric, value) => value.as_number().is_some(),
            (Type::Float(range), value) if *range == FloatRange::ALL => matches!(value, Value::Float(_)),
            (Type::Array(of), value) if of.element == Type::Any && of.size == IntegerRange::SIZE => {
                matches!(value, Value::Array(_))
            }
            (Type::Hash(of), value)
                if of.key == Type::Any && of.value == Type::Any && of.size == IntegerRange::SIZE =>
            {
                matches!(value, Value::Hash(_))
            }
            (key, _) => is_assignable(key, inferred.get_or_insert_with(|| infer_set(value, env)), env),
        })
    }

    /// Returns the format of values of a type, `%s` by default.
    pub(super) fn format_of_type(&self, ty: &Type, env: &dyn TypeEnvironment) -> ValueFormat {
        self.find(|key| is_assignable(key, ty, env))
    }

    fn find(&self, mut fits: impl FnMut(&Type) -> bool) -> ValueFormat {
        self.0.iter().find(|(key, _)| fits(key)).map_or_else(|| simple('s'), |(_, format)| format.clone())
    }
}

impl ValueFormat {
    fn merge(&self, higher: &ValueFormat, env: &dyn TypeEnvironment) -> ValueFormat {
        ValueFormat {
            separator: higher.separator.clone().or_else(|| self.separator.clone()),
            separator2: higher.separator2.clone().or_else(|| self.separator2.clone()),
            elements: match (&self.elements, &higher.elements) {
                (Some(lower), Some(higher)) => Some(lower.merge(higher, env)),
                (lower, higher) => higher.clone().or_else(|| lower.clone()),
            },
            ..higher.clone()
        }
    }
}

/// Parses the format of a container given as a hash of settings.
fn container_format(settings: &HashValue) -> Result<ValueFormat, FormatError> {
    const KEYS: [&str; 4] = ["separator", "separator2", "format", "string_formats"];
    if settings.keys().any(|key| !key.as_str().is_some_and(|key| KEYS.contains(&key))) {
        return Err(FormatError::new(format!(
            "container formats take only the keys `{}`",
            KEYS.join("`, `")
        )));
    }
    let text_of = |key| settings.get_text(key).and_then(Value::as_str);
    let Some(text) = text_of("format") else {
        return Err(FormatError::new("container format has no key `format`".into()));
    };
    Ok(ValueFormat {
        separator: text_of("separator").map(SmolStr::from),
        separator2: text_of("separator2").map(SmolStr::from),
        elements: match settings.get_text("string_formats") {
            Some(Value::Hash(formats)) => Some(FormatMap::from_hash(formats)?),
            _ => None,
        },
        ..parse_format(text)?
    })
}

/// Sorts narrow types before broad ones, and unrelated types by Puppet's ranking.
///
/// The order is not total, so the result depends on the algorithm: a merge sort in which the left half is the
/// smaller one.
fn sort_by_generality(
    mut formats: Vec<(Type, ValueFormat)>,
    env: &dyn TypeEnvironment,
) -> Vec<(Type, ValueFormat)> {
    if formats.len() < 2 {
        return formats;
    }
    let right = formats.split_off(formats.len() / 2);
    let mut left = sort_by_generality(formats, env).into_iter().peekable();
    let mut right = sort_by_generality(right, env).into_iter().peekable();
    let mut sorted = Vec::with_capacity(left.len() + right.len());
    while let (Some((a, _)), Some((b, _))) = (left.peek(), right.peek()) {
        sorted.extend(if comes_first(a, b, env) { left.next() } else { right.next() });
    }
    sorted.extend(left);
    sorted.extend(right);
    sorted
}

fn comes_first(a: &Type, b: &Type, env: &dyn TypeEnvironment) -> bool {
    match (is_assignable(b, a, env), is_assignable(a, b, env)) {
        _ if a == b => true,
        (true, false) => true,
        (false, true) => false,
        _ => match (rank(a), rank(b)) {
            (0, _) | (_, 0) => expanded_type_text(a, env) <= expanded_type_text(b, env),
            (rank_a, rank_b) => rank_a <= rank_b,
        },
    }
}

fn rank(ty: &Type) -> u8 {
    match ty {
        Type::Struct(_) => 1,
        Type::Hash(_) => 2,
        Type::Tuple(_) => 3,
        Type::Array(_) => 4,
        Type::Pattern(_) => 10,
        Type::Enum(_) => 11,
        Type::String(_) | Type::LiteralString(_) => 12,
        _ => 0,
    }
}
