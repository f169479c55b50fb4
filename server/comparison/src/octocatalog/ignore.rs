//! Rules that ignore differences, in the grammar of octocatalog-diff: `File[/etc/*]`,
//! `File[/etc/motd]::parameters::owner`, `*[*]::parameters::content=~>^#`.

use scalars::regexp::{Regexp, escape};
use serde_json::Value as Json;

use super::differ::DiffItem;
use super::hashdiff::{self, SEPARATOR};
use super::lines::changed_lines;

/// Rule that ignores differences. All of its parts have to match.
#[derive(Clone, Debug)]
pub struct IgnoreRule {
    pub type_name: IgnorePattern,
    pub title: IgnorePattern,
    pub attribute: AttributePattern,
}

/// Pattern of a type or title.
#[derive(Clone, Debug)]
pub enum IgnorePattern {
    Any,
    /// Name, in any case.
    Name(String),
    Regexp(Regexp),
}

/// Pattern of the keys below a resource.
#[derive(Clone, Debug)]
pub enum AttributePattern {
    Any,
    /// Signs of differences, such as `+-`.
    Signs(String),
    Regexp(Regexp),
    /// Conditions, all of which hold.
    Conditions(Vec<AttributeCondition>),
}

/// Condition on an attribute.
#[derive(Clone, Debug)]
pub struct AttributeCondition {
    /// Side on which the value is missing, if that is required.
    missing: Option<MissingSide>,
    /// Keys; if the first one is empty, they begin at the resource.
    keys: Vec<String>,
    test: ValueTest,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MissingSide {
    Old,
    New,
}

#[derive(Clone, Debug)]
enum ValueTest {
    Any,
    /// `=>`: the value on one of the sides.
    Either(String),
    /// `=+>`
    New(String),
    /// `=->`
    Old(String),
    /// `=~>`: a changed line matches.
    SomeLine(Regexp),
    /// `=&>`: all changed lines match.
    AllLines(Regexp),
    /// `=s>=`: arrays have the same elements.
    SameElements,
}

impl IgnorePattern {
    /// Creates a pattern of a title, in which `*` matches any characters.
    ///
    /// # Errors
    /// Fails if the pattern is too large.
    pub fn of_title(title: &str) -> Result<IgnorePattern, String> {
        if title == "*" || !title.contains('*') {
            return Ok(IgnorePattern::of_type(title));
        }
        let source = format!("(?i:\\A{}\\Z)", escape(title).replace("\\*", ".*"));
        Regexp::new(&source).map(IgnorePattern::Regexp).map_err(|error| error.to_string())
    }

    /// Creates a pattern of a type.
    pub fn of_type(name: &str) -> IgnorePattern {
        if name == "*" { IgnorePattern::Any } else { IgnorePattern::Name(name.to_owned()) }
    }

    fn matches(&self, name: &str) -> bool {
        match self {
            IgnorePattern::Any => true,
            IgnorePattern::Name(known) => known.eq_ignore_ascii_case(name),
            // A pattern that cannot be searched for ignores nothing.
            IgnorePattern::Regexp(regexp) => regexp.is_match(name).unwrap_or(false),
        }
    }
}

impl AttributePattern {
    /// Parses the part of a rule after the title, with form feeds between keys.
    ///
    /// # Errors
    /// Fails if a regular expression is invalid.
    pub fn parse(text: &str) -> Result<AttributePattern, String> {
        if text == "*" {
            return Ok(AttributePattern::Any);
        }
        if text.chars().all(|it| "-+~!".contains(it)) && !text.is_empty() {
            return Ok(AttributePattern::Signs(text.to_owned()));
        }
        Ok(AttributePattern::Conditions(vec![AttributeCondition::parse(text)?]))
    }

    fn matches(&self, item: &DiffItem) -> bool {
        match (self, &item.attribute) {
            (AttributePattern::Any, _) => true,
            (AttributePattern::Signs(signs), _) => signs.contains(item.kind.sign()),
            (_, None) => false,
            (AttributePattern::Regexp(regexp), Some(attribute)) => {
                regexp.is_match(attribute).unwrap_or(false)
            }
            (AttributePattern::Conditions(conditions), Some(attribute)) => {
                conditions.iter().all(|it| it.matches(attribute, item))
            }
        }
    }
}

impl AttributeCondition {
    /// Parses a condition: keys, and optionally an operator and a value.
    ///
    /// # Errors
    /// Fails if a regular expression is invalid.
    pub fn parse(text: &str) -> Result<AttributeCondition, String> {
        let (missing, rest) = match (text.strip_prefix('+'), text.strip_prefix('-')) {
            (Some(rest), _) => (Some(MissingSide::Old), rest),
            (_, Some(rest)) => (Some(MissingSide::New), rest),
            _ => (None, text),
        };
        let (path, test) = match operator(rest) {
            Some((path, operator, value)) => (path, ValueTest::parse(operator, value)?),
            None => (rest, ValueTest::Any),
        };
        let keys = path.split(SEPARATOR).map(str::to_lowercase);
        let is_from_start = path.starts_with(SEPARATOR);
        let mut keys: Vec<String> = keys.skip_while(|key| is_from_start && key.is_empty()).collect();
        if is_from_start {
            keys.insert(0, String::new());
        }
        Ok(AttributeCondition { missing, keys, test })
    }

    fn matches(&self, attribute: &str, item: &DiffItem) -> bool {
        let is_missing = match self.missing {
            Some(MissingSide::Old) => item.old.is_null(),
            Some(MissingSide::New) => item.new.is_null(),
            None => true,
        };
        let attribute = attribute.to_lowercase();
        let keys: Vec<&str> = attribute.split(SEPARATOR).collect();
        let wanted: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        let has_keys = match wanted.as_slice() {
            ["", rest @ ..] => keys.starts_with(rest),
            wanted => keys.windows(wanted.len()).any(|window| window == wanted),
        };
        is_missing && has_keys && self.test.holds(&item.old, &item.new)
    }
}

/// Splits a condition at its first operator.
fn operator(text: &str) -> Option<(&str, &str, &str)> {
    const OPERATORS: [&str; 6] = ["=>", "=+>", "=->", "=~>", "=&>", "=s>"];
    let starts = text.char_indices().map(|(at, _)| at).skip(1);
    for at in starts {
        for operator in OPERATORS {
            if let Some(value) = text[at..].strip_prefix(operator).filter(|value| !value.is_empty()) {
                return Some((&text[..at], operator, value));
            }
        }
    }
    None
}

impl ValueTest {
    fn parse(operator: &str, value: &str) -> Result<ValueTest, String> {
        let regexp = || {
            Regexp::new(&format!("(?i:{value})"))
                .map_err(|error| format!("`{value}` cannot be used: {error}"))
        };
        Ok(match operator {
            "=>" => ValueTest::Either(value.to_owned()),
            "=+>" => ValueTest::New(value.to_owned()),
            "=->" => ValueTest::Old(value.to_owned()),
            "=~>" => ValueTest::SomeLine(regexp()?),
            "=&>" => ValueTest::AllLines(regexp()?),
            _ if value == "=" => ValueTest::SameElements,
            _ => return Err(format!("the operator `=s>` requires `=`, not `{value}`")),
        })
    }

    fn holds(&self, old: &Json, new: &Json) -> bool {
        let is = |side: &Json, value: &String| side.as_str() == Some(value);
        match self {
            ValueTest::Any => true,
            ValueTest::Either(value) => is(old, value) || is(new, value),
            ValueTest::New(value) => is(new, value),
            ValueTest::Old(value) => is(old, value),
            ValueTest::SomeLine(regexp) => {
                changed_lines(old, new).iter().any(|line| regexp.is_match(&line.text).unwrap_or(false))
            }
            ValueTest::AllLines(regexp) => {
                let lines = changed_lines(old, new);
                let are_notes_of_both = lines.iter().filter(|line| line.is_note).count() == 2;
                lines.iter().all(|line| {
                    line.is_note && are_notes_of_both || regexp.is_match(&line.text).unwrap_or(false)
                })
            }
            ValueTest::SameElements => match (old, new) {
                (Json::Array(old), Json::Array(new)) => {
                    let has_all = |all: &[Json], of: &[Json]| {
                        of.iter().all(|it| all.iter().any(|known| hashdiff::is_equal(known, it)))
                    };
                    has_all(old, new) && has_all(new, old)
                }
                _ => false,
            },
        }
    }
}

impl IgnoreRule {
    /// Parses `Type[Title]`, `Type[Title]::attribute`, or `Type`.
    ///
    /// # Errors
    /// Fails if the text has another form.
    pub fn parse(text: &str) -> Result<IgnoreRule, String> {
        let invalid = || format!("`{text}` is not of the form `Type[Title]` or `Type[Title]::attribute`");
        let Some((type_name, rest)) = text.split_once('[').filter(|(type_name, _)| !type_name.is_empty())
        else {
            let is_type = !text.is_empty() && text.split("::").all(is_type_segment);
            let type_name = is_type.then(|| IgnorePattern::of_type(text)).ok_or_else(invalid)?;
            return Ok(IgnoreRule { type_name, title: IgnorePattern::Any, attribute: AttributePattern::Any });
        };
        let (title, attribute) = rest.rsplit_once(']').ok_or_else(invalid)?;
        // A bracket at the end is part of the attribute if another one precedes it.
        let (title, attribute) = match (attribute.is_empty(), title.rsplit_once(']')) {
            (true, Some((title, _))) if !title.is_empty() => (title, &rest[title.len() + 1..]),
            _ => (title, attribute),
        };
        if title.is_empty() {
            return Err(invalid());
        }
        let attribute = match attribute {
            "" => AttributePattern::Any,
            text => AttributePattern::parse(&with_separators(text))?,
        };
        Ok(IgnoreRule {
            type_name: IgnorePattern::of_type(type_name),
            title: IgnorePattern::of_title(title)?,
            attribute,
        })
    }

    /// Parses the attribute of `--ignore-attr`.
    ///
    /// # Errors
    /// Fails if a regular expression is invalid.
    pub fn of_attribute(text: &str) -> Result<IgnoreRule, String> {
        let attribute = AttributePattern::parse(&with_separators(text))?;
        Ok(IgnoreRule { type_name: IgnorePattern::Any, title: IgnorePattern::Any, attribute })
    }

    /// Creates a rule for all resources of a type.
    pub(super) fn of_type(name: &str) -> IgnoreRule {
        let type_name = IgnorePattern::of_type(name);
        IgnoreRule { type_name, title: IgnorePattern::Any, attribute: AttributePattern::Any }
    }

    /// Returns true if a difference is ignored.
    pub fn matches(&self, item: &DiffItem) -> bool {
        self.type_name.matches(&item.type_name)
            && self.title.matches(&item.title)
            && self.attribute.matches(item)
    }
}

fn is_type_segment(segment: &str) -> bool {
    segment == "*"
        || segment.starts_with(|it: char| it.is_ascii_alphabetic())
            && segment.chars().all(|it| it.is_ascii_alphanumeric() || it == '_')
}

/// Replaces the separators that can be typed, `::` and `\f`, by form feeds.
fn with_separators(text: &str) -> String {
    text.replace("\\f", "\u{c}").replace("::", "\u{c}")
}
