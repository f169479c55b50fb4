//! The modules that a `Puppetfile` installs. It is a program in Ruby; what is read here is the form everybody writes:
//! `mod 'author-name', '1.2.3'`, with options on the lines below.

use hir::Name;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::{Db, File, MetadataText, short_module_name};

/// What a `Puppetfile` says.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Puppetfile {
    pub modules: Vec<PuppetfileModule>,
    /// Other words that lines begin with, outside of the options of a module.
    pub other_words: Vec<MetadataText>,
}

/// One `mod` with all of its lines.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileModule {
    /// As it is written; the range has the quotes.
    pub name: MetadataText,
    /// `1.2.3` or `latest`; `None` for the newest, and where the module comes from a repository of source code.
    pub version: Option<MetadataText>,
    /// The options as they are written, `git` and `'https://...'`.
    pub options: Vec<(SmolStr, SmolStr)>,
    /// From the name to the end of the last option.
    pub range: TextRange,
}

impl PuppetfileModule {
    /// The name of the module's folder.
    pub fn module(&self) -> Name {
        short_module_name(&self.name.text)
    }
}

/// What a `Puppetfile` says; nothing for a file without text.
#[salsa::tracked(returns(ref))]
pub fn puppetfile_of(db: &dyn Db, file: File) -> Puppetfile {
    read(file.contents(db).text().as_deref().unwrap_or_default())
}

fn read(text: &str) -> Puppetfile {
    let mut found = Puppetfile::default();
    let mut start = 0u32;
    // Does the next line belong to the `mod` above it?
    let mut goes_on = false;
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
        let arguments = if goes_on {
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
            goes_on = false;
            continue;
        };
        take_arguments(arguments, offset, goes_on, end, &mut found);
        goes_on = content.ends_with([',', '\\']);
    }
    found
}

/// Reads the arguments of a `mod` on one line.
fn take_arguments(text: &str, offset: u32, goes_on: bool, end: u32, found: &mut Puppetfile) {
    let mut is_first = !goes_on;
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

/// The arguments between commas, with where they begin.
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
                let blanks = part.len() - left.len();
                let part = left.trim_end_matches([' ', '\t', ')', '\\']);
                if !part.is_empty() {
                    parts.push((part, (start + blanks) as u32));
                }
                start = index + 1;
            }
            _ => {}
        }
    }
    parts
}

/// What stands in quotes, if that is all.
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
