//! Named character sets, translated to the contents of a bracketed class of the `regex` crate.

use crate::ruby_regex::{Set, SetKind, SetRange};

use super::RegexpError;

const ASCII_WORD: &str = "0-9A-Za-z_";
const UNICODE_WORD: &str = r"\p{L}\p{M}\p{Nd}\p{Pc}";
const GRAPH: &str = r"[^\p{White_Space}\p{Cc}\p{Cn}]";

/// Characters of a set.
pub(super) struct Members {
    pub(super) text: String,
    /// True if ignoring case does not extend the set.
    pub(super) keeps_case: bool,
}

pub(super) fn members(set: &Set, range: SetRange) -> Result<Members, RegexpError> {
    let unicode = range == SetRange::Unicode;
    let (text, keeps_case) = match &set.kind {
        SetKind::Word if unicode => (UNICODE_WORD, true),
        SetKind::Word => (ASCII_WORD, true),
        SetKind::Space if unicode => (r"\p{White_Space}", true),
        SetKind::Space => (r"\t-\r ", true),
        SetKind::Digit if unicode => (r"\p{Nd}", true),
        SetKind::Digit => ("0-9", true),
        SetKind::HexDigit => ("0-9A-Fa-f", true),
        SetKind::Posix("punct") if range != SetRange::Ascii => (r"\p{P}$+<=>\^`|\x7E", true),
        SetKind::Posix(name) => match range {
            SetRange::Ascii => ascii(name),
            SetRange::Default | SetRange::Unicode => unicode_posix(name),
        }
        .ok_or_else(|| RegexpError::Unsupported(format!("`[:{name}:]`")))?,
        SetKind::Property(name) => return property(name),
    };
    Ok(Members { text: text.to_owned(), keeps_case })
}

fn unicode_posix(name: &str) -> Option<(&'static str, bool)> {
    Some(match name {
        "alnum" => (r"\p{Alphabetic}\p{Nd}", false),
        "alpha" => (r"\p{Alphabetic}", false),
        "blank" => (r"\p{Zs}\t", true),
        "cntrl" => (r"\p{Cc}", true),
        "digit" => (r"\p{Nd}", true),
        "graph" => (GRAPH, false),
        "lower" => (r"\p{Lowercase}", false),
        "print" => (r"[^\p{White_Space}\p{Cc}\p{Cn}]\p{Zs}", false),
        "punct" => (r"\p{P}", true),
        "space" => (r"\p{White_Space}", true),
        "upper" => (r"\p{Uppercase}", false),
        "xdigit" => ("0-9A-Fa-f", true),
        "ascii" => (r"\x00-\x7F", true),
        "word" => (UNICODE_WORD, true),
        _ => return None,
    })
}

fn ascii(name: &str) -> Option<(&'static str, bool)> {
    Some(match name {
        "alnum" => ("0-9A-Za-z", true),
        "alpha" => ("A-Za-z", true),
        "blank" => (r"\t ", true),
        "cntrl" => (r"\x00-\x1F\x7F", true),
        "digit" => ("0-9", true),
        "graph" => ("!-\\x7E", true),
        "lower" => ("a-z", false),
        "print" => (" -\\x7E", true),
        "punct" => ("!-/:-@\\[-`{-\\x7E", true),
        "space" => (r"\t-\r ", true),
        "upper" => ("A-Z", false),
        "xdigit" => ("0-9A-Fa-f", true),
        "ascii" => (r"\x00-\x7F", true),
        "word" => (ASCII_WORD, true),
        _ => return None,
    })
}

/// Returns the set for a property. `name` is normalized as Ruby compares it: in lowercase, without spaces,
/// `-` and `_`.
fn property(name: &str) -> Result<Members, RegexpError> {
    if let Some((text, keeps_case)) = unicode_posix(name) {
        return Ok(Members { text: text.to_owned(), keeps_case });
    }
    let text = match name {
        "any" => r"\x{0}-\x{10FFFF}".to_owned(),
        "assigned" => r"\P{Cn}".to_owned(),
        "xposixpunct" => r"\p{P}$+<=>\^`|\x7E".to_owned(),
        // No string contains surrogates.
        "cs" | "surrogate" => "&&a".to_owned(),
        name => match name.strip_prefix("graphemeclusterbreak=") {
            Some(value) => format!(r"\p{{gcb={value}}}"),
            // Name of a block. (Two other names start the same way.)
            None if name.starts_with("in") && !matches!(name, "inherited" | "initialpunctuation") => {
                return Err(RegexpError::Unsupported(format!("block `{name}`")));
            }
            None => format!(r"\p{{{name}}}"),
        },
    };
    Ok(Members { text, keeps_case: false })
}
