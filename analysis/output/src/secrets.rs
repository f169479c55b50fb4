//! Values that leave the machine in no report: those whose names say that they are secret, and what is encrypted.

/// What stands for a value that must not be seen.
pub const REDACTED: &str = "[value redacted]";

/// The names of secrets wherever nothing else is said.
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

/// So deep texts in quotes are looked into.
const MAX_QUOTES: u32 = 3;

/// The names by which secrets are known: a name that holds one of them, in any case and with or without `_`, `-` and blanks, is
/// that of a secret.
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
    /// The usual ones, and those that a user names.
    pub fn with(more: &[String]) -> SecretKeys {
        let more = more.iter().map(|it| folded(it)).filter(|it| !it.is_empty());
        SecretKeys { patterns: DEFAULTS.iter().map(|it| (*it).to_owned()).chain(more).collect() }
    }

    /// Is it the name of a secret?
    pub fn is_secret(&self, name: &str) -> bool {
        let name = folded(name);
        self.patterns.iter().any(|pattern| name.contains(pattern.as_str()))
    }

    /// A text in which the values of secrets are masked: what stands behind `name =`, `name:`, `name =>`; and in a message about
    /// a secret whatever it quotes behind its name.
    pub fn masked(&self, text: &str) -> String {
        let text = without_ciphertexts(text);
        self.masked_lines(&text, &|_| "[masked]".to_owned())
    }

    /// The same, each letter of a value replaced by one that is as long, so that places in the text stay where they are.
    pub fn masked_in_place(&self, text: &str) -> String {
        self.masked_lines(text, &masked_letters)
    }

    /// Each line for itself; but the indented lines behind one that ends in `problems:` go on with what it is about.
    fn masked_lines(&self, text: &str, mask: &dyn Fn(&str) -> String) -> String {
        let mut goes_on = false;
        let mut is_about_secret = false;
        let mut out = String::with_capacity(text.len());
        for line in text.split_inclusive('\n') {
            goes_on &= line.starts_with(' ');
            is_about_secret &= goes_on;
            let is_of_list = is_about_secret;
            out.push_str(&self.masked_line(line, mask, MAX_QUOTES, &mut is_about_secret));
            goes_on |= line.trim_end().ends_with(" problems:");
            is_about_secret |= is_of_list;
        }
        out
    }

    /// `quotes` says how deep quoted texts are looked into; `is_about_secret` whether what is quoted is of a secret, before and
    /// behind the line.
    fn masked_line(
        &self,
        line: &str,
        mask: &dyn Fn(&str) -> String,
        quotes: u32,
        is_about_secret: &mut bool,
    ) -> String {
        let mut out = String::with_capacity(line.len());
        let mut rest = line;
        while let Some(start) = rest.find(|c: char| c.is_alphanumeric() || matches!(c, '\'' | '"')) {
            out.push_str(&rest[..start]);
            let is_of = out.ends_with(" of ");
            rest = &rest[start..];
            if rest.starts_with(['\'', '"']) {
                let quoted = quoted(rest);
                let inside = quoted.trim_matches(['\'', '"']);
                // A secret may be called one: 'password' is the most usual of all.
                let is_name = is_named_next(&out) && self.is_secret(inside);
                match *is_about_secret && !is_of && !is_name {
                    true => out.push_str(&mask(quoted)),
                    false if quotes == 0 || is_word(inside) => out.push_str(quoted),
                    false => {
                        let end = if quoted.len() > 1 && quoted.ends_with(&quoted[..1]) { 1 } else { 0 };
                        let (inner, end) = quoted[1..].split_at(quoted.len() - 1 - end);
                        out.push_str(&quoted[..1]);
                        out.push_str(&self.masked_line(inner, mask, quotes - 1, &mut false));
                        out.push_str(end);
                    }
                }
                rest = &rest[quoted.len()..];
                let is_value = *is_about_secret && !is_name;
                if is_word(inside) && self.is_secret(inside) && !is_value {
                    (rest, *is_about_secret) = mask_assigned(&mut out, rest, mask);
                }
                continue;
            }
            let end = rest.find(|c: char| !is_word_letter(c)).unwrap_or(rest.len());
            let (word, behind) = rest.split_at(end);
            out.push_str(word);
            rest = behind;
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

/// Letters as long as those of a text, in UTF-8 and in UTF-16; quotes and brackets stay.
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

fn folded(name: &str) -> String {
    let is_kept = |c: &char| !matches!(c, '_' | '-' | ' ');
    // Whole texts are asked too.
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

/// Do the words in front of a quoted text of a message say that it is a name?
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

/// A quoted text with its quotes; to the end of the line where it has no end.
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

/// Masks the value that a name is given. What is behind it, and whether a value may still come, as none was given.
fn mask_assigned<'t>(out: &mut String, text: &'t str, mask: &dyn Fn(&str) -> String) -> (&'t str, bool) {
    let name_end = text.trim_start_matches(['\'', '"', ' ', '\t']);
    let signs = ["=>", "==", "=", ":"];
    let Some(sign) = signs.into_iter().find(|sign| name_end.starts_with(sign)) else { return (text, true) };
    let value = &name_end[sign.len()..];
    let value_start = value.trim_start_matches([' ', '\t']);
    let is_path = sign == ":" && value.starts_with(':');
    if is_path || value_start.trim_end().is_empty() || sign == ":" && value_start.starts_with("expects ") {
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
    out.push_str(&mask(&value_start[..length]));
    (&value_start[length..], false)
}

/// Masks the number that is told behind its type. What is behind it.
fn mask_number<'t>(out: &mut String, text: &'t str, mask: &dyn Fn(&str) -> String) -> &'t str {
    let Some(number) = text.strip_prefix(' ') else { return text };
    let is_end = |c: char| !(c.is_ascii_alphanumeric() || matches!(c, '.' | '+' | '-'));
    let (number, behind) = number.split_at(number.find(is_end).unwrap_or(number.len()));
    if number.is_empty() {
        return text;
    }
    out.push(' ');
    out.push_str(&mask(number));
    behind
}

/// Masks what stands between the parentheses of `Sensitive(…)` and `Sensitive.new(…)`. What is behind them.
fn mask_arguments<'t>(out: &mut String, text: &'t str, mask: &dyn Fn(&str) -> String) -> &'t str {
    let call = text.strip_prefix(".new").unwrap_or(text);
    if !call.starts_with('(') {
        return text;
    }
    let length = arguments_length(call);
    let inside = call[1..length].strip_suffix(')').unwrap_or(&call[1..length]);
    let name = text.len() - call.len();
    out.push_str(&text[..=name]);
    out.push_str(&mask(inside));
    &call[1 + inside.len()..]
}

/// How long the arguments are that a text begins with, parentheses included; the whole line where they have no end.
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

/// The same without what hiera-eyaml encrypted: `ENC[…]`.
pub fn without_ciphertexts(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("ENC[") {
        let inside = start + "ENC[".len();
        out.push_str(&rest[..inside]);
        out.push('…');
        let end = rest[inside..].find(|c: char| c == ']' || !is_of_ciphertext(c));
        rest = end.map_or("", |end| &rest[inside + end..]);
    }
    out.push_str(rest);
    out
}

/// Letters of Base64, and what stands between the method and the text; it may go over several lines.
fn is_of_ciphertext(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '+' | '/' | '=' | ',' | '-' | '_') || c.is_whitespace()
}

/// Lines of a source with `*` for all of what is secret in them: the texts within `Sensitive(…)`, and what is encrypted. Each
/// letter becomes as many bytes as it had, so that places stay where they are.
pub fn masked_source(source: &str) -> String {
    let mut masked = source.to_owned();
    let mut hide = |start: usize, end: usize| masked.replace_range(start..end, &mask(&source[start..end]));
    for (start, _) in source.match_indices("ENC[") {
        let inside = start + 4;
        let length = source[inside..]
            .find(|c: char| c == ']' || !is_of_ciphertext(c))
            .unwrap_or(source.len() - inside);
        hide(inside, inside + length);
    }
    for (start, word) in source.match_indices("Sensitive") {
        let behind = &source[start + word.len()..];
        let call = behind.strip_prefix(".new").unwrap_or(behind);
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

/// As many `*` as a text has bytes, line breaks left as they are.
pub fn mask(text: &str) -> String {
    text.bytes().map(|byte| if matches!(byte, b'\n' | b'\r') { char::from(byte) } else { '*' }).collect()
}

#[cfg(test)]
#[path = "secrets_tests.rs"]
mod tests;
