//! Reads the common form of a `Puppetfile` line by line.

use smol_str::SmolStr;
use syntax::TextRange;

use super::{
    Puppetfile, PuppetfileModule, PuppetfileModuleOption, PuppetfileValue, PuppetfileValueKind,
    PuppetfileWord,
};

pub(super) fn read(text: &str) -> Puppetfile {
    let mut found = Puppetfile::default();
    let mut start = 0u32;
    // True if the next line belongs to the `mod` above it.
    let mut continues = false;
    for line in text.split_inclusive('\n') {
        let line_start = start;
        start += line.len() as u32;
        let code = without_comment(line);
        let content = code.trim();
        if content.is_empty() {
            continue;
        }
        let offset = line_start + (code.len() - code.trim_start().len()) as u32;
        let end = offset + content.len() as u32;
        let arguments = if continues {
            Some((content, offset))
        } else {
            let word_length =
                content.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(content.len());
            let (word, rest) = content.split_at(word_length);
            if word != "mod" && !word.is_empty() {
                let range = TextRange::new(offset, offset + word_length as u32);
                found.words.push(PuppetfileWord { text: word.into(), range, is_unconditional: false });
            }
            (word == "mod").then_some((rest, offset + word_length as u32))
        };
        let Some((arguments, offset)) = arguments else {
            continues = false;
            continue;
        };
        parse_arguments(arguments, offset, continues, end, &mut found);
        continues = content.ends_with([',', '\\']);
    }
    found
}

/// Returns the start of the statement that contains a syntax error, and the missing or surplus comma between two
/// of its lines, if there is one. Ruby finds the error only after the comma.
pub(super) fn broken_statement(text: &str, error: u32) -> (u32, Option<(&'static str, TextRange)>) {
    let mut start = 0u32;
    let mut before: Vec<(u32, &str)> = Vec::new();
    for line in text.split_inclusive('\n') {
        let code = without_comment(line);
        let content = code.trim();
        if !content.is_empty() {
            before.push((start + (code.len() - code.trim_start().len()) as u32, content));
        }
        start += line.len() as u32;
        if start > error {
            break;
        }
    }
    let mut comma = None;
    while let [.., (above_start, above), (_, line)] = before.as_slice() {
        let end = above_start + above.len() as u32;
        let last = above.chars().next_back().map_or(0, |it| it.len_utf8() as u32);
        let is_continued = above.ends_with([',', '\\', '(', '{', '[', '|']) || above.ends_with("=>");
        if above.ends_with(',') && is_call(line) {
            comma = Some(("unexpected `,` after the last argument", TextRange::new(end - last, end)));
        } else if !is_continued && is_option(line) {
            comma = Some(("missing `,` before the next option", TextRange::new(end - last, end)));
        } else if !is_continued {
            break;
        }
        before.pop();
    }
    (before.last().map_or(error, |(start, _)| *start), comma)
}

/// Returns true for a line that calls a keyword: `mod 'x'`.
fn is_call(line: &str) -> bool {
    let end = line.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(line.len());
    matches!(&line[..end], "mod" | "forge" | "moduledir" | "exclusion") && !line[end..].starts_with(':')
}

/// Returns true for a line that begins with an option: `:git => 'x'`, `git: 'x'`.
fn is_option(line: &str) -> bool {
    let name = line.strip_prefix(':').unwrap_or(line);
    let end = name.find(|c: char| !c.is_ascii_alphanumeric() && c != '_').unwrap_or(name.len());
    let rest = &name[end..];
    let is_symbol = line.starts_with(':') && rest.trim_start().starts_with("=>");
    end > 0 && (is_symbol || !line.starts_with(':') && rest.starts_with(": "))
}

/// Parses the arguments of a `mod` on one line.
fn parse_arguments(text: &str, offset: u32, continues: bool, end: u32, found: &mut Puppetfile) {
    let mut is_first = !continues;
    for (part, start) in parts(text) {
        let range = TextRange::new(offset + start, offset + start + part.len() as u32);
        if is_first {
            is_first = false;
            let Some(name) = quoted(part) else { return };
            found.modules.push(PuppetfileModule {
                name: name.into(),
                name_range: range,
                version: None,
                options: Vec::new(),
                has_unknown_options: false,
                excess_argument: None,
                is_unconditional: false,
                range: TextRange::new(range.start, end),
            });
            continue;
        }
        let Some(module) = found.modules.last_mut() else { return };
        module.range.end = end;
        if quoted(part).is_some() || part == ":latest" {
            module.version = Some(value(part, range));
            continue;
        }
        let Some((key, written)) = part.split_once("=>").or_else(|| part.split_once(": ")) else { continue };
        let name = key.trim().trim_matches(':');
        let name_start = range.start + (key.len() - key.trim_start_matches([' ', '\t', ':']).len()) as u32;
        let name_range = TextRange::new(name_start, name_start + name.len() as u32);
        let written_start = range.end - written.trim_start().len() as u32;
        module.options.push(PuppetfileModuleOption {
            name: name.trim_matches(['\'', '"']).into(),
            name_range,
            is_symbol: !name.starts_with(['\'', '"']),
            value: value(written.trim(), TextRange::new(written_start, range.end)),
        });
    }
}

fn value(written: &str, range: TextRange) -> PuppetfileValue {
    let (kind, text) = match (quoted(written), written.strip_prefix(':')) {
        (Some(text), _) => (PuppetfileValueKind::String, text),
        (None, Some(symbol)) => (PuppetfileValueKind::Symbol, symbol),
        (None, None) => (PuppetfileValueKind::Computed, written),
    };
    PuppetfileValue { kind, text: text.into(), written: SmolStr::new(written), range }
}

/// Splits arguments at commas; returns each with its offset.
fn parts(text: &str) -> Vec<(&str, u32)> {
    let mut parts = Vec::new();
    let (mut start, mut quote) = (0, None);
    for (index, character) in text.char_indices().chain([(text.len(), ',')]) {
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) if index < text.len() => {}
            _ if matches!(character, '\'' | '"') => quote = Some(character),
            _ if character == ',' => {
                let part = &text[start..index];
                let left = part.trim_start_matches([' ', '\t', '(']);
                let leading = part.len() - left.len();
                let part = left.trim_end_matches([' ', '\t', ')', '\\']);
                if !part.is_empty() {
                    parts.push((part, (start + leading) as u32));
                }
                start = index + 1;
            }
            _ => {}
        }
    }
    parts
}

/// Returns the contents of a quoted string, if the text is exactly one.
fn quoted(text: &str) -> Option<&str> {
    let quote = text.chars().next().filter(|it| matches!(it, '\'' | '"'))?;
    text[1..].strip_suffix(quote).filter(|inside| !inside.contains(quote))
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (index, character) in line.char_indices() {
        match quote {
            Some(open) if open == character => quote = None,
            Some(_) => {}
            None if matches!(character, '\'' | '"') => quote = Some(character),
            None if character == '#' => return &line[..index],
            None => {}
        }
    }
    line
}
