//! Masking of secrets and encrypted values in output.

/// Placeholder for a value that must not be shown.
pub const REDACTED: &str = "[value redacted]";

/// Built-in patterns for the names of secrets.
const DEFAULTS: [&str; 11] = [
    "password",
    "passwd",
    "passphrase",
    "secret",
    "token",
    "privatekey",
    "apikey",
    "accesskey",
    "authkey",
    "credential",
    "psk",
];

/// Maximum nesting depth of quoted strings that are searched for secrets.
const MAX_QUOTE_DEPTH: u32 = 3;

/// Replacement for a secret.
#[derive(Clone, Copy)]
enum Mask {
    Placeholder,
    /// Keeps the length.
    Letters,
}

impl Mask {
    fn of(self, text: &str) -> String {
        match self {
            Mask::Placeholder => "[masked]".to_owned(),
            Mask::Letters => masked_letters(text),
        }
    }

    /// Masks a number; a placeholder includes its type.
    fn of_number(self, text: &str) -> String {
        let ty = if text.contains('.') { "Float" } else { "Integer" };
        match self {
            Mask::Placeholder => format!("{ty} {}", self.of(text)),
            Mask::Letters => self.of(text),
        }
    }
}

/// Name patterns of secrets.
///
/// A name that contains one of the patterns is the name of a secret. Letter case, `_`, `-` and spaces are
/// ignored.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SecretKeys {
    patterns: Vec<String>,
}

impl Default for SecretKeys {
    fn default() -> SecretKeys {
        SecretKeys::with(&[])
    }
}

impl SecretKeys {
    /// Returns the built-in patterns and those configured by the user.
    pub fn with(more: &[String]) -> SecretKeys {
        let more = more.iter().map(|it| fold(it)).filter(|it| !it.is_empty());
        SecretKeys { patterns: DEFAULTS.iter().map(|it| (*it).to_owned()).chain(more).collect() }
    }

    /// Returns true if `name` is the name of a secret.
    pub fn is_secret(&self, name: &str) -> bool {
        let name = fold(name);
        self.patterns.iter().any(|pattern| name.contains(pattern.as_str()))
    }

    /// Masks the values of secrets: the value after `name =`, `name:` or `name =>`, and everything quoted
    /// after the name of a secret in a message.
    pub fn masked(&self, text: &str) -> String {
        let text = without_ciphertexts(text);
        self.masked_lines(&text, Mask::Placeholder)
    }

    /// Masks the values of secrets like [`SecretKeys::masked`], but character by character, so that offsets
    /// in the text stay valid.
    pub fn masked_in_place(&self, text: &str) -> String {
        self.masked_lines(text, Mask::Letters)
    }

    /// Masks each line separately, except that indented lines after one that ends with `problems:` continue
    /// its subject.
    fn masked_lines(&self, text: &str, mask: Mask) -> String {
        let mut is_continued = false;
        let mut is_about_secret = false;
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            is_continued &= line.starts_with(' ');
            is_about_secret &= is_continued;
            let is_list_item = is_about_secret;
            out.push_str(&self.masked_line(line, mask, MAX_QUOTE_DEPTH, &mut is_about_secret));
            is_continued |= line.trim_end().ends_with(" problems:");
            is_about_secret |= is_list_item;
        }
        out
    }

    /// Masks one line.
    ///
    /// `depth` is the number of levels of quoted strings left to search. `is_about_secret` is true if quoted
    /// strings are values of a secret; it is updated for the text after the line.
    fn masked_line(&self, line: &str, mask: Mask, depth: u32, is_about_secret: &mut bool) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '"')) {
            out.push_str(&rest[..start]);
            let is_of = out.ends_with(" of ");
            rest = &rest[start..];
            if rest.starts_with(['\'', '"']) {
                let quoted = quoted(rest);
                let inside = quoted.trim_matches(['\'', '"']);
                // The name of a secret may be quoted as well; `password` is the most common one.
                let is_name = is_named_next(&out) && self.is_secret(inside);
                if *is_about_secret && !is_of && !is_name {
                    out.push_str(&mask.of(quoted));
                } else if depth == 0 || is_word(inside) {
                    out.push_str(quoted);
                } else {
                    let end = if quoted.len() > 1 && quoted.ends_with(&quoted[..1]) { 1 } else { 0 };
                    let (inner, end) = quoted[1..].split_at(quoted.len() - 1 - end);
                    out.push_str(&quoted[..1]);
                    out.push_str(&self.masked_line(inner, mask, depth - 1, &mut false));
                    out.push_str(end);
                }
                rest = &rest[quoted.len()..];
                let is_value = *is_about_secret && !is_name;
                if is_word(inside) && self.is_secret(inside) && !is_value {
                    (rest, *is_about_secret) = mask_assigned(&mut out, rest, mask);
                }
                continue;
            }
            let end = rest.find(|c: char| !is_word_letter(c)).unwrap_or(rest.len());
            let from_word = rest;
            let (word, after) = rest.split_at(end);
            rest = after;
            let is_number = word.starts_with(|c: char| c.is_ascii_digit());
            if *is_about_secret && is_number && out.trim_end_matches('-').ends_with("got `") {
                rest = mask_quoted_number(&mut out, from_word, mask);
                continue;
            }
            out.push_str(word);
            if self.is_secret(word) {
                (rest, *is_about_secret) = mask_assigned(&mut out, rest, mask);
            } else if word == "Sensitive" {
                rest = mask_arguments(&mut out, rest, mask);
            } else if *is_about_secret && (out.ends_with("got Integer") || out.ends_with("got Float")) {
                rest = mask_number(&mut out, rest, mask);
            }
        }
        out.push_str(rest);
        out
    }
}

/// Replaces each character by a placeholder of the same length in UTF-8 and UTF-16. Quotes and brackets are
/// kept.
pub fn masked_letters(text: &str) -> String {
    let letter = |c: char| match (c, c.len_utf8()) {
        ('\'' | '"' | '[' | ']' | '{' | '}' | '\r', _) => c,
        (_, 1) => '*',
        (_, 2) => '×',
        (_, 3) => '※',
        _ => '\u{1f7b2}',
    };
    text.chars().map(letter).collect()
}

fn fold(name: &str) -> String {
    let is_kept = |c: &char| !matches!(c, '_' | '-' | ' ');
    // Called for whole lines as well, so ASCII has a fast path.
    if name.is_ascii() {
        return name.bytes().map(char::from).filter(is_kept).map(|c| c.to_ascii_lowercase()).collect();
    }
    name.chars().filter(is_kept).flat_map(char::to_lowercase).collect()
}

fn is_word_letter(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-')
}

fn is_word(text: &str) -> bool {
    !text.is_empty() && text.chars().all(|c| is_word_letter(c) || matches!(c, ':' | '.'))
}

/// Returns true if the text before a quoted string in a message, such as `parameter`, shows that the string is a
/// name and not a value.
pub fn is_named_next(before: &str) -> bool {
    let last = before.trim_end().rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
    let last = last.strip_suffix('s').filter(|it| !it.ends_with('s')).unwrap_or(last);
    matches!(
        last,
        "parameter"
            | "attribute"
            | "entry"
            | "key"
            | "variable"
            | "class"
            | "module"
            | "function"
            | "type"
            | "named"
            | "called"
            | "and"
            | "or"
    )
}

/// Returns the quoted string at the beginning of `text`, including its quotes; the rest of the line if it is
/// unterminated.
fn quoted(text: &str) -> &str {
    let quote = text.chars().next().unwrap_or('\'');
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            c if c == quote => return &text[..at + c.len_utf8()],
            _ => {}
        }
    }
    text.trim_end_matches('\n')
}

/// Masks the value assigned to a name. Returns the text after it, and true if no value was found, so that one
/// may still follow.
fn mask_assigned<'t>(out: &mut String, text: &'t str, mask: Mask) -> (&'t str, bool) {
    let name_end = text.trim_start_matches(['\'', '"', '`', ' ', '\t']);
    let operators = ["=>", "==", "=", ":"];
    let Some(operator) = operators.into_iter().find(|operator| name_end.starts_with(operator)) else {
        return (text, true);
    };
    let value = &name_end[operator.len()..];
    let value_start = value.trim_start_matches([' ', '\t']);
    let is_path = operator == ":" && value.starts_with(':');
    if is_path || value_start.trim_end().is_empty() || operator == ":" && value_start.starts_with("expects ")
    {
        return (text, true);
    }
    let length = match value_start.chars().next() {
        Some('\'' | '"') => quoted(value_start).len(),
        Some('[' | '{') => value_start.trim_end_matches('\n').len(),
        _ => {
            let is_end = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | ')' | '}' | ']' | '\'' | '"');
            let end = value_start.find(is_end).unwrap_or(value_start.len());
            match value_start[..end].find('(') {
                Some(open) => open + arguments_length(&value_start[open..]),
                None => end,
            }
        }
    };
    if length == 0 || value_start.starts_with(REDACTED) {
        return (text, false);
    }
    out.push_str(&text[..text.len() - value_start.len()]);
    out.push_str(&mask.of(&value_start[..length]));
    (&value_start[length..], false)
}

/// Masks the number at the beginning of `text`. Returns the text after it.
fn mask_quoted_number<'t>(out: &mut String, text: &'t str, mask: Mask) -> &'t str {
    if matches!(mask, Mask::Placeholder) {
        out.truncate(out.trim_end_matches('-').len());
    }
    let (number, after) = text.split_at(length_of_number(text));
    out.push_str(&mask.of_number(number));
    after
}

/// Returns the length of the number at the beginning of `text`.
fn length_of_number(text: &str) -> usize {
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-'));
    text.find(is_end).unwrap_or(text.len())
}

/// Masks the number after a type name. Returns the text after it.
fn mask_number<'t>(out: &mut String, text: &'t str, mask: Mask) -> &'t str {
    let Some(number) = text.strip_prefix(' ') else { return text };
    let (number, after) = number.split_at(length_of_number(number));
    if number.is_empty() {
        return text;
    }
    out.push(' ');
    out.push_str(&mask.of(number));
    after
}

/// Masks the arguments of `Sensitive(…)` and `Sensitive.new(…)`. Returns the text after them.
fn mask_arguments<'t>(out: &mut String, text: &'t str, mask: Mask) -> &'t str {
    let call = text.strip_prefix(".new").unwrap_or(text);
    if !call.starts_with('(') {
        return text;
    }
    let length = arguments_length(call);
    let inside = call[1..length].strip_suffix(')').unwrap_or(&call[1..length]);
    let name = text.len() - call.len();
    out.push_str(&text[..=name]);
    out.push_str(&mask.of(inside));
    &call[1 + inside.len()..]
}

/// Returns the length of the arguments at the beginning of `text`, including parentheses; the length of the
/// line if they are unterminated.
fn arguments_length(text: &str) -> usize {
    let mut depth = 0_u32;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        match c {
            '\'' | '"' => {
                at += quoted(&text[at..]).len();
                continue;
            }
            '(' => depth += 1,
            ')' if depth <= 1 => return at + 1,
            ')' => depth -= 1,
            _ => {}
        }
        at += c.len_utf8();
    }
    text.trim_end_matches('\n').len()
}

/// Removes the ciphertexts of hiera-eyaml: `ENC[…]`.
pub fn without_ciphertexts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("ENC[") {
        let inside = start + "ENC[".len();
        out.push_str(&rest[..inside]);
        out.push('…');
        let end = rest[inside..].find(|c: char| c == ']' || !is_in_ciphertext(c));
        rest = end.map_or("", |end| &rest[inside + end..]);
    }
    out.push_str(rest);
    out
}

/// Returns true for Base64 characters and for the separators between method and ciphertext. A ciphertext may
/// span several lines.
fn is_in_ciphertext(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | ',' | '-' | '_') || c.is_whitespace()
}

/// Masks the secrets in source code: strings within `Sensitive(…)`, and ciphertexts.
///
/// Each byte becomes one `*`, so that offsets stay valid.
pub fn masked_source(source: &str) -> String {
    let mut masked = source.to_owned();
    let mut hide = |start: usize, end: usize| masked.replace_range(start..end, &mask(&source[start..end]));
    for (start, _) in source.match_indices("ENC[") {
        let inside = start + 4;
        let length = source[inside..]
            .find(|c: char| c == ']' || !is_in_ciphertext(c))
            .unwrap_or(source.len() - inside);
        hide(inside, inside + length);
    }
    for (start, word) in source.match_indices("Sensitive") {
        let after = &source[start + word.len()..];
        let call = after.strip_prefix(".new").unwrap_or(after);
        let Some(arguments) = call.strip_prefix('(') else { continue };
        let arguments = arguments.trim_start();
        if arguments.starts_with(['\'', '"']) {
            let at = source.len() - arguments.len();
            let text = quoted(arguments);
            hide(at + 1, at + text.len().saturating_sub(1).max(1));
        }
    }
    masked
}

/// Returns one `*` per byte of `text`, keeping line breaks.
pub fn mask(text: &str) -> String {
    text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { '*' }).collect()
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
