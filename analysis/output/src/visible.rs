//! Escapes for characters that terminals, programs and readers may misinterpret.

use std::borrow::Cow;

/// Returns true for control characters, including tabs and line breaks, and for characters that affect text
/// direction.
pub fn is_hidden(c: char) -> bool {
    c.is_control()
        || matches!(c,
            '\u{61c}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{206f}'
            | '\u{fff9}'..='\u{fffb}' | '\u{feff}' | '\u{e0000}'..='\u{e007f}')
}

/// Escapes a name, path or title for display on one line, with Puppet's escapes (`\n`, `\u{1b}`). Ordinary
/// text is unchanged.
pub fn visible(text: &str) -> Cow<'_, str> {
    escape(text, |_| false)
}

/// Escapes text of several lines; line breaks and tabs are kept.
pub fn visible_text(text: &str) -> Cow<'_, str> {
    escape(text, |c| matches!(c, '\n' | '\t'))
}

/// Escapes a message, which may have several lines.
///
/// A line break is kept unless a log command (`::error::`, `##[group]`) follows, possibly after whitespace.
pub fn visible_message(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut lines = text.split('\n');
    let mut out = visible(lines.next().unwrap_or_default()).into_owned();
    for line in lines {
        let words = line.trim_start_matches(|c: char| c.is_whitespace() || is_hidden(c));
        out.push_str(if words.starts_with("::") || words.starts_with("##") { "\\n" } else { "\n" });
        out.push_str(&visible(line));
    }
    Cow::Owned(out)
}

fn escape(text: &str, stays: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_escaped = |c: char| is_hidden(c) && !stays(c);
    if !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if is_escaped(c) { push_escape(&mut out, c) } else { out.push(c) }
    }
    Cow::Owned(out)
}

fn push_escape(out: &mut String, c: char) {
    match c {
        '\n' => out.push_str("\\n"),
        '\r' => out.push_str("\\r"),
        '\t' => out.push_str("\\t"),
        c => out.push_str(&format!("\\u{{{:x}}}", u32::from(c))),
    }
}

/// Escaped lines of source code, with a mapping of offsets.
pub struct Escaped {
    pub text: String,
    /// Source offset of each escape, and the number of bytes by which it is longer than its character.
    longer: Vec<(usize, usize)>,
}

impl Escaped {
    /// Maps a byte offset in the source to one in the escaped text.
    pub fn offset(&self, at: usize) -> usize {
        at + self.longer.iter().take_while(|(start, _)| *start < at).map(|(_, more)| more).sum::<usize>()
    }
}

/// Escapes lines of source code; line breaks and tabs are kept.
pub fn visible_source(source: &str) -> Escaped {
    let mut escaped = Escaped { text: String::with_capacity(source.len()), longer: Vec::new() };
    let mut letters = source.char_indices().peekable();
    while let Some((start, c)) = letters.next() {
        let ends_line = c == '\r' && letters.peek().is_some_and(|(_, next)| *next == '\n');
        if !is_hidden(c) || matches!(c, '\n' | '\t') || ends_line {
            escaped.text.push(c);
            continue;
        }
        let before = escaped.text.len();
        push_escape(&mut escaped.text, c);
        escaped.longer.push((start, escaped.text.len() - before - c.len_utf8()));
    }
    escaped
}

/// Escapes log commands in text: lines that begin with `::` for GitHub, and `##[` or `##vso[` anywhere for
/// GitHub and Azure Pipelines.
///
/// A line that begins with `:::` is kept: a command's name follows the first two colons and never begins with
/// a colon. Such lines point to the second location of a diagnostic.
pub fn without_commands(text: &str) -> Cow<'_, str> {
    let text = escape_brackets(text, "#\\u{23}");
    let is_command =
        |line: &str| line.trim_start().strip_prefix("::").is_some_and(|command| !command.starts_with(':'));
    if !text.lines().any(is_command) {
        return text;
    }
    let mut out = String::with_capacity(text.len() + 8);
    for line in text.split_inclusive('\n') {
        if is_command(line) { out.push_str(&line.replacen("::", "\\u{3a}:", 1)) } else { out.push_str(line) }
    }
    Cow::Owned(out)
}

/// Replaces the `##` of each `##[` and `##word[` by `escaped`.
fn escape_brackets<'t>(text: &'t str, escaped: &str) -> Cow<'t, str> {
    let is_command =
        |rest: &str| rest.trim_start_matches(|c: char| c.is_ascii_alphanumeric()).starts_with('[');
    // Pairs may overlap.
    let begins = |at: &usize| text[at + 1..].starts_with('#') && is_command(&text[at + 2..]);
    let mut commands = text.match_indices('#').map(|(at, _)| at).filter(begins).peekable();
    if commands.peek().is_none() {
        return Cow::Borrowed(text);
    }
    let (mut out, mut copied) = (String::with_capacity(text.len() + 8), 0);
    for at in commands {
        out.push_str(&text[copied..at]);
        out.push_str(escaped);
        copied = at + 2;
    }
    out.push_str(&text[copied..]);
    Cow::Owned(out)
}

/// Escapes control characters and log commands in JSON with JSON's own escapes (`\u009b`). The value is
/// unchanged.
pub fn escaped_json(json: &str) -> Cow<'_, str> {
    // Outside of strings, JSON has no such characters except line breaks and tabs, and no commands.
    let is_escaped = |c: char| is_hidden(c) && !matches!(c, '\n' | '\r' | '\t');
    let json = escape_brackets(json, "#\\u0023");
    if !json.chars().any(is_escaped) {
        return json;
    }
    let mut out = String::with_capacity(json.len() + 8);
    for c in json.chars() {
        if is_escaped(c) {
            c.encode_utf16(&mut [0; 2]).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")))
        } else {
            out.push(c)
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
#[path = "visible_tests.rs"]
mod tests;
