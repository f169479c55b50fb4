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
