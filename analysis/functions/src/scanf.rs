//! Ruby's `scanf`, which extracts values from a string according to a format.

use conversions::ruby;
use scalars::regexp::{Regexp, RegexpError, escape};
use types::Value;

/// Pattern for the parts of a format: conversions with preceding whitespace, and literal text.
const PARTS: &str = r"(?i)(?:\s*%(?:%|\*?\d*(?:\[\[:\w+:\]\]|\[[^\]]*\]|[diuXxofFeEgGscaA])))|[^%\s]+";

/// Conversion of the matched string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Conversion {
    Text,
    Decimal,
    Hexadecimal,
    Octal,
    /// Integer whose radix is given by its prefix.
    Integer,
    Float,
    /// No value: the text only has to match.
    None,
}

/// Part of a format.
struct Specification {
    pattern: String,
    conversion: Conversion,
    /// True if whitespace is significant, false to skip it.
    keeps_blanks: bool,
}

/// Returns the values that `format` extracts from `text`, up to the first part that does not match.
///
/// # Errors
/// A pattern that cannot be compiled: a character set of the format, or an excessive width.
pub(super) fn scan(text: &str, format: &str) -> Result<Vec<Value>, RegexpError> {
    let parts = Regexp::new(PARTS)?;
    let mut found = Vec::new();
    let mut left = text;
    for part in parts.scan(format)? {
        let specification = Specification::new(&format[part.range()]);
        let candidate = if specification.keeps_blanks {
            left
        } else {
            left.trim_start_matches([' ', '\t', '\n', '\x0b', '\x0c', '\r'])
        };
        let pattern = Regexp::new(&format!("(?m)\\A{}", specification.pattern))?;
        let Some(captures) = pattern.captures_at(candidate, 0)? else { break };
        let matched = captures.get(1).map_or("", |range| &candidate[range]);
        found.extend(specification.conversion.apply(matched));
        left = &candidate[captures.range().end..];
        if left.is_empty() {
            break;
        }
    }
    Ok(found)
}

impl Specification {
    fn new(part: &str) -> Specification {
        let unblanked = part.trim_start();
        let has_blank = unblanked.len() < part.len();
        let literal = || Specification {
            pattern: format!("({})", escape(part)),
            conversion: Conversion::None,
            keeps_blanks: false,
        };
        let Some(rest) = unblanked.strip_prefix('%') else { return literal() };
        if rest == "%" {
            return Specification {
                pattern: r"(\s*%)".into(),
                conversion: Conversion::None,
                keeps_blanks: false,
            };
        }
        let (is_skipped, rest) = match rest.strip_prefix('*') {
            Some(rest) => (true, rest),
            None => (false, rest),
        };
        let letter_at = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let (width, letter) = rest.split_at(letter_at);
        let width: Option<u64> = width.parse().ok();
        let Some((pattern, conversion)) = pattern_of(letter, width, has_blank) else { return literal() };
        Specification {
            pattern,
            conversion: if is_skipped { Conversion::None } else { conversion },
            keeps_blanks: letter == "c" && !has_blank || letter.starts_with('[') && !is_skipped,
        }
    }
}

fn pattern_of(letter: &str, width: Option<u64>, has_blank: bool) -> Option<(String, Conversion)> {
    const HEX: &str = "[A-Fa-f0-9]";
    const FLOAT: &str =
        r"[-+]?(?:0[xX](?:\.\h+|\h+(?:\.\h*)?)(?:[pP][-+]?\d+)|\d+(?![\d.])|\d*\.\d*(?:[eE][-+]?\d+)?)";
    // Alternatives with their minimum number of characters.
    let alternatives = |choices: &[(u64, String)], width: u64| {
        let fitting: Vec<&str> =
            choices.iter().filter(|(least, _)| width >= *least).map(|(_, choice)| choice.as_str()).collect();
        format!("({})", fitting.join("|"))
    };
    let up_to = |count: u64| format!("{{1,{count}}}");
    let less = |width: u64, by: u64| up_to(width.saturating_sub(by));
    Some(match (letter, width) {
        ("i", None) => (format!("([-+]?(?:(?:0[0-7]+)|(?:0[Xx]{HEX}+)|(?:[1-9]\\d*)))"), Conversion::Integer),
        ("i", Some(width)) => {
            let choices = [
                (2, format!("[1-9]\\d{}", less(width, 1))),
                (2, format!("0[0-7]{}", less(width, 1))),
                (3, format!("[-+]0[0-7]{}", less(width, 2))),
                (3, format!("[-+][1-9]\\d{}", less(width, 2))),
                (3, format!("0[Xx]{HEX}{}", less(width, 2))),
                (4, format!("[-+]0[Xx]{HEX}{}", less(width, 3))),
                (0, "\\d".to_owned()),
            ];
            (alternatives(&choices, width), Conversion::Integer)
        }
        ("d" | "u", None) => (r"([-+]?\d+)".into(), Conversion::Decimal),
        ("d" | "u", Some(width)) => {
            let choices = [(2, format!("[-+]\\d{}", less(width, 1))), (0, format!("\\d{}", up_to(width)))];
            (alternatives(&choices, width), Conversion::Decimal)
        }
        ("x" | "X", None) => (format!("([-+]?(?:0[Xx])?{HEX}+)"), Conversion::Hexadecimal),
        ("x" | "X", Some(width)) => {
            let choices = [
                (4, format!("[-+]0[Xx]{HEX}{}", less(width, 3))),
                (3, format!("0[Xx]{HEX}{}", less(width, 2))),
                (2, format!("[-+]{HEX}{}", less(width, 1))),
                (0, format!("{HEX}{}", up_to(width))),
            ];
            (alternatives(&choices, width), Conversion::Hexadecimal)
        }
        ("o", None) => ("([-+]?[0-7]+)".into(), Conversion::Octal),
        ("o", Some(width)) => {
            let choices =
                [(2, format!("[-+][0-7]{}", less(width, 1))), (0, format!("[0-7]{}", up_to(width)))];
            (alternatives(&choices, width), Conversion::Octal)
        }
        ("a" | "e" | "f" | "g" | "A" | "E" | "F" | "G", None) => (format!("({FLOAT})"), Conversion::Float),
        ("a" | "e" | "f" | "g" | "A" | "E" | "F" | "G", Some(width)) => {
            (format!("(?={FLOAT})(\\S{})", up_to(width)), Conversion::Float)
        }
        ("s", None) => (r"(\S+)".into(), Conversion::Text),
        ("s", Some(width)) => (format!("(\\S{})", up_to(width)), Conversion::Text),
        ("c", None) if has_blank => (r"\s*(.)".into(), Conversion::Text),
        ("c", None) => ("(.)".into(), Conversion::Text),
        ("c", Some(width)) => (format!("(.{})", up_to(width)), Conversion::Text),
        (set, width) => (pattern_of_set(set, width)?, Conversion::Text),
    })
}

/// Returns the pattern for a character set such as `[a-z]`.
fn pattern_of_set(set: &str, width: Option<u64>) -> Option<String> {
    if !set.starts_with('[') {
        return None;
    }
    if let Some(width) = width {
        return Some(format!("({set}{{1,{width}}})"));
    }
    if set.starts_with("[[:") {
        return Some(format!("({set}+)"));
    }
    let inside = set.trim_start_matches('[').trim_end_matches(']');
    let others = match inside.strip_prefix('^') {
        Some(others) => others.to_owned(),
        None => format!("^{inside}"),
    };
    Some(format!("([{inside}]+)(?=[{others}]|\\z)"))
}

impl Conversion {
    fn apply(self, text: &str) -> Option<Value> {
        Some(match self {
            Conversion::None => return None,
            Conversion::Text => Value::string(text),
            Conversion::Float => Value::float(ruby::text_to_f(text)),
            Conversion::Decimal => integer(text, 10),
            Conversion::Hexadecimal => integer(text, 16),
            Conversion::Octal => integer(text, 8),
            Conversion::Integer => {
                let digits = text.trim_start_matches(['+', '-']);
                let radix = match digits.as_bytes() {
                    [b'0', b'x' | b'X', ..] => 16,
                    [b'0', _, ..] => 8,
                    _ => 10,
                };
                integer(text, radix)
            }
        })
    }
}

/// Parses an integer; one that is too large is unknown.
fn integer(text: &str, radix: u32) -> Value {
    let (is_negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let digits = match radix {
        16 => digits.strip_prefix("0x").or_else(|| digits.strip_prefix("0X")).unwrap_or(digits),
        _ => digits,
    };
    let number =
        i128::from_str_radix(digits, radix).ok().map(|number| if is_negative { -number } else { number });
    match number {
        Some(number) => Value::integer(number),
        None => Value::unknown(types::Type::INTEGER, types::Origin::Bound),
    }
}
