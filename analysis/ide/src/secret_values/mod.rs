//! Masks secret values in messages that leave the machine, even without the name of a secret next to them.

mod written_out;

use std::borrow::Cow;
use std::collections::{BTreeSet, HashSet};
use std::ops::Range;
use std::sync::Arc;

use aho_corasick::{AhoCorasick, MatchKind};
use hiera::DataFormat;
use output::secrets::{SecretKeys, is_named_next};
use syntax::{Language, TextRange};

use self::written_out::WrittenOut;
use crate::{Analysis, Cancelled};

const MASKED: &str = "[masked]";

/// Maximum total size of the values that are searched for, in bytes. Above it, everything that a message
/// quotes is masked.
const MAX_BYTES: usize = 1 << 20;
/// Maximum length of a piece of a value that is searched for, in bytes.
const MAX_LENGTH: usize = 200;
/// Minimum length of a value in bytes; shorter ones are only masked if they are a complete quotation.
const SHORT: usize = 4;
/// Minimum length in bytes of a value of letters and digits that is not mistaken for an ordinary word.
const NO_WORD: usize = 6;

/// Secret values that a project contains in manifests, templates and data.
pub struct SecretValues {
    keys: SecretKeys,
    /// `None` if there are too many.
    values: Option<AhoCorasick>,
}

/// Context of a finding.
pub struct Surroundings {
    source: Arc<str>,
    /// Text of the file with secrets replaced by spaces.
    public: String,
}

impl SecretValues {
    /// Collects the secret values in all files of the given analyses.
    pub fn new(keys: SecretKeys, analyses: &[&Analysis]) -> Result<SecretValues, Cancelled> {
        let mut values = BTreeSet::new();
        for_each_text(analyses, |path, text| {
            if keys.is_secret(text) {
                written_out(path, text, &keys).iter().for_each(|(text, _)| add(&mut values, text));
            }
        })?;
        let (mut values, words): (Vec<String>, Vec<String>) =
            values.into_iter().partition(|it| is_no_word(it));
        if let Some(finder) = finder(&words) {
            let mut public = HashSet::new();
            for_each_text(analyses, |path, text| {
                let text = public_text(path, text, &keys);
                let found = finder.find_iter(&*text).map(|it| it.range()).filter(|it| is_word(&text, it));
                public.extend(found.map(|it| text[it].to_owned()));
            })?;
            values.extend(words.into_iter().filter(|it| !public.contains(it)));
        } else {
            values.extend(words);
        }
        Ok(SecretValues { keys, values: finder(&values) })
    }

    /// Returns true for the name of a secret.
    pub fn is_secret(&self, name: &str) -> bool {
        self.keys.is_secret(name)
    }

    /// Masks secret values in a text: those that follow their names, and those that the project contains.
    pub fn masked(&self, text: &str) -> String {
        self.without_values(&self.keys.masked(text), |_, _| self.values.is_none())
    }

    /// Masks secret values in the message of a finding, and quotations that contain one unless they also
    /// occur in the public text of the file. If the location names a secret, all quotations except names are
    /// masked.
    pub fn masked_at(&self, message: &str, at: TextRange, around: &Surroundings) -> String {
        let place = around.source.get(at.as_range()).and_then(|it| it.lines().next()).unwrap_or_default();
        let names_secret = self.values.is_none() || self.names_secret(place);
        self.without_values(message, |before, quoted| {
            let is_public = stands_in(&around.public, quoted);
            if names_secret {
                !(is_public && (is_named_next(before) || self.is_name(quoted)))
            } else {
                !is_public && self.values.as_ref().is_some_and(|it| has_value_inside(it, quoted))
            }
        })
    }

    /// Returns the context for findings in a file.
    pub fn surroundings(&self, path: &str, source: Arc<str>) -> Surroundings {
        let public = public_text(path, &source, &self.keys).into_owned();
        Surroundings { source, public }
    }

    fn names_secret(&self, place: &str) -> bool {
        place.split(|c: char| !is_word_letter(c)).any(|word| self.keys.is_secret(word))
    }

    /// Returns true if a quotation is a name rather than a value.
    fn is_name(&self, quoted: &str) -> bool {
        quoted.starts_with('$') || quoted.contains("::") || self.keys.is_secret(quoted)
    }

    /// Masks secret values, and the quotations and numbers for which `hides` returns true. `hides` receives
    /// the preceding text, and the quotation or number.
    fn without_values(&self, message: &str, hides: impl Fn(&str, &str) -> bool) -> String {
        let hides = |it: &Range<usize>| {
            let before = message[..it.start].trim_end_matches(['\'', '"']);
            hides(before, &message[it.clone()])
        };
        let quoted = quoted(message);
        let mut hidden: Vec<Range<usize>> = quoted.iter().filter(|it| hides(it)).cloned().collect();
        hidden.extend(numbers(message).into_iter().filter(|it| it.len() >= SHORT && hides(it)));
        let found = self.values.iter().flat_map(|it| it.find_iter(message)).map(|it| it.range());
        hidden.extend(found.filter(|it| is_value(message, it, &quoted)));
        hidden.sort_by_key(|it| it.start);
        let mut out = String::with_capacity(message.len());
        let mut done = 0;
        for Range { start, end } in hidden {
            if start >= done {
                out.push_str(&message[done..start]);
                out.push_str(MASKED);
            }
            done = done.max(end);
        }
        out + &message[done..]
    }
}

/// Returns true if an occurrence in a message is the value and not a part of some word.
fn is_value(message: &str, at: &Range<usize>, quoted: &[Range<usize>]) -> bool {
    if at.len() < SHORT {
        quoted.contains(at)
    } else {
        is_word(message, at) || is_no_word(&message[at.clone()])
    }
}

/// Returns true if a text contains a value, even inside a word.
fn has_value_inside(values: &AhoCorasick, text: &str) -> bool {
    values.find_iter(text).any(|it| it.len() >= SHORT)
}

/// Returns true if a range is delimited by word boundaries.
fn is_word(text: &str, at: &Range<usize>) -> bool {
    let is_letter = |c: Option<char>| c.is_some_and(is_word_letter);
    !is_letter(text[..at.start].chars().next_back()) && !is_letter(text[at.end..].chars().next())
}

/// Returns true for values that cannot be ordinary words.
fn is_no_word(value: &str) -> bool {
    value.len() >= NO_WORD
        && value.chars().any(|c| c.is_ascii_digit())
        && value.chars().any(char::is_alphabetic)
        && !value.contains(['/', ':', ' '])
}

fn is_word_letter(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Returns the ranges of all whole numbers in a text.
fn numbers(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = text[at..].find(|c: char| c.is_ascii_digit()).map(|it| at + it) {
        at = text[start..].find(|c: char| !c.is_ascii_digit()).map_or(text.len(), |it| start + it);
        found.push(start..at);
    }
    found.retain(|it| is_word(text, it));
    found
}

/// Returns the ranges of all quotations in a message, without the quotes.
fn quoted(message: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut at = 0;
    while let Some(start) = message[at..].find(['\'', '"']).map(|it| at + it) {
        let inside = start + 1;
        let is_apostrophe = message[..start].chars().next_back().is_some_and(char::is_alphanumeric);
        let end = quote_end(&message[inside..], &message[start..inside]).map(|it| inside + it);
        match end.filter(|_| !is_apostrophe) {
            Some(end) => {
                found.push(inside..end);
                at = end + 1;
            }
            None => at = inside,
        }
    }
    found
}

/// Returns the position of the first unescaped closing quote.
fn quote_end(text: &str, quote: &str) -> Option<usize> {
    let mut is_escaped = false;
    text.char_indices().find_map(|(at, c)| {
        let ends = !is_escaped && quote.starts_with(c);
        is_escaped = !is_escaped && c == '\\';
        ends.then_some(at)
    })
}

/// Returns true if a text contains a value as a whole word.
fn stands_in(text: &str, value: &str) -> bool {
    text.match_indices(value).any(|(at, _)| is_word(text, &(at..at + value.len())))
}

/// Calls `each` with the path and text of each file that may contain secret values.
fn for_each_text(analyses: &[&Analysis], mut each: impl FnMut(&str, &str)) -> Result<(), Cancelled> {
    for analysis in analyses {
        for file in analysis.all_files() {
            let path = analysis.path(file);
            if is_looked_into(path.as_str())
                && let Some(text) = analysis.text(file)?
            {
                each(path.as_str(), &text);
            }
        }
    }
    Ok(())
}

/// Returns true for files that may contain secret values.
fn is_looked_into(path: &str) -> bool {
    DataFormat::of_path(path).is_some() || path.ends_with(".pp") || path.ends_with(".epp")
}

fn written_out(path: &str, text: &str, keys: &SecretKeys) -> Vec<WrittenOut> {
    if let Some(format) = DataFormat::of_path(path) {
        let data = hiera::data::read(format, text);
        let is_task = path.ends_with(".json") && path.rsplit('/').nth(1) == Some("tasks");
        let values = if is_task { written_out::in_task } else { written_out::in_data };
        return data.root.iter().flat_map(|root| values(root, keys)).collect();
    }
    let language = if path.ends_with(".epp") { Language::Epp } else { Language::Manifest };
    written_out::in_tree(&syntax::parse(text, language).syntax(), keys)
}

/// Replaces secrets in a text by spaces. Comments are masked by the names in them.
fn public_text<'t>(path: &str, text: &'t str, keys: &SecretKeys) -> Cow<'t, str> {
    if !keys.is_secret(text) {
        return Cow::Borrowed(text);
    }
    let mut bytes = text.as_bytes().to_vec();
    for (_, range) in written_out(path, text, keys) {
        if let Some(part) = bytes.get_mut(range.as_range()) {
            part.fill(b' ');
        }
    }
    Cow::Owned(keys.masked_in_place(&String::from_utf8_lossy(&bytes)))
}

/// Adds a value in all forms in which messages may contain it.
fn add(values: &mut BTreeSet<String>, text: &str) {
    let as_written =
        |text: &str, quote: char| text.replace('\\', "\\\\").replace(quote, &format!("\\{quote}"));
    let shown = output::visible(text);
    let lines = text.lines().map(str::to_owned);
    let forms = [as_written(text, '\''), as_written(text, '"'), shown.into_owned()];
    for form in lines.chain(forms) {
        let mut rest = form.trim();
        while rest.chars().any(char::is_alphanumeric) {
            let (piece, after) = rest.split_at(rest.floor_char_boundary(MAX_LENGTH));
            values.insert(piece.to_owned());
            rest = after;
        }
    }
}

/// Builds a searcher for the longest matches; `None` if there are too many values.
fn finder(values: &[String]) -> Option<AhoCorasick> {
    let bytes: usize = values.iter().map(String::len).sum();
    let builder = || AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(values).ok();
    (bytes <= MAX_BYTES).then(builder).flatten()
}
