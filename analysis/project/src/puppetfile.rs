//! Modules that a `Puppetfile` installs. A `Puppetfile` is a Ruby program; only its common form is read: `mod
//! 'author-name', '1.2.3'`, with options on the following lines.

use hir::Name;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::{Db, File, MetadataText, short_module_name};

/// Contents of a `Puppetfile`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Puppetfile {
    pub modules: Vec<PuppetfileModule>,
    /// First words of other lines, outside the options of a module.
    pub other_words: Vec<MetadataText>,
}

/// One `mod` declaration with all of its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileModule {
    /// Name as written; the range includes the quotes.
    pub name: MetadataText,
    /// `1.2.3` or `latest`; `None` for the newest version, and for a module from a source repository.
    pub version: Option<MetadataText>,
    /// Options as written, such as `git` and `'https://...'`.
    pub options: Vec<(SmolStr, SmolStr)>,
    /// From the name to the end of the last option.
    pub range: TextRange,
}

impl PuppetfileModule {
    /// Returns the name of the module's folder.
    pub fn module(&self) -> Name {
        short_module_name(&self.name.text)
    }
}

/// Returns the contents of a `Puppetfile`; empty for a file without text.
#[salsa::tracked(returns(ref))]
pub fn puppetfile_of(db: &dyn Db, file: File) -> Puppetfile {
    read(file.contents(db).text().as_deref().unwrap_or_default())
}

fn read(text: &str) -> Puppetfile {
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
            if word != "mod" {
                let range = TextRange::new(offset, offset + word_length as u32);
                found.other_words.push(MetadataText { text: word.into(), range });
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
        let value = quoted(part);
        let range = TextRange::new(offset + start, offset + start + part.len() as u32);
        if is_first {
            is_first = false;
            let Some(name) = value else { return };
            let name = MetadataText { text: name.into(), range };
            let range = TextRange::new(name.range.start, end);
            found.modules.push(PuppetfileModule { name, version: None, options: Vec::new(), range });
            continue;
        }
        let Some(module) = found.modules.last_mut() else { return };
        module.range.end = end;
        let option = part.split_once("=>").or_else(|| part.split_once(": "));
        match (value, option) {
            (Some(version), _) => module.version = Some(MetadataText { text: version.into(), range }),
            (None, Some((key, value))) => {
                module.options.push((key.trim().trim_matches(':').into(), value.trim().into()));
            }
            (None, None) if part == ":latest" => {
                module.version = Some(MetadataText { text: "latest".into(), range });
            }
            (None, None) => {}
        }
    }
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

#[cfg(test)]
#[path = "puppetfile_tests.rs"]
mod tests;
