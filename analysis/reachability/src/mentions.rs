//! Names that code mentions, whatever they mean there. A name that nothing mentions is not used.

use hir::{Name, fold_name};
use rustc_hash::FxHashSet;
use smol_str::SmolStr;
use syntax::TextRange;

use crate::pattern::{NamePattern, PatternKind};

/// Names that a definition, a template, a Ruby file, or a value in data mentions.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct MentionedNames {
    /// Sorted words, each as written and as folded by [`fold_name`].
    pub(crate) words: Box<[Name]>,
    pub(crate) patterns: Box<[NamePattern]>,
}

/// MentionedNames found so far.
#[derive(Default)]
pub(crate) struct MentionSet {
    words: FxHashSet<Name>,
    patterns: Vec<NamePattern>,
    seen: FxHashSet<(PatternKind, Box<[SmolStr]>)>,
}

impl MentionSet {
    pub(crate) fn finish(self) -> MentionedNames {
        let mut words: Vec<Name> = self.words.into_iter().collect();
        words.sort_unstable();
        MentionedNames { words: words.into(), patterns: self.patterns.into() }
    }

    /// Adds a name as it is and in lower case.
    pub(crate) fn word(&mut self, word: &str) {
        let word = word.strip_prefix("::").unwrap_or(word);
        if word.is_empty() {
            return;
        }
        let folded = fold_name(word);
        if folded != word {
            self.words.insert(word.into());
        }
        self.words.insert(folded);
    }

    /// Adds everything in a part of a string between interpolations, which cut off what they touch.
    pub(crate) fn fragment(&mut self, text: &str, follows: bool, precedes: bool) {
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            self.word(word.trim_matches(':'));
        }
        let start = if follows { text.find(char::is_whitespace).unwrap_or(text.len()) } else { 0 };
        let end = if precedes { text.rfind(char::is_whitespace).unwrap_or(0) } else { text.len() };
        if let Some(whole) = text.get(start..end) {
            self.string(whole);
        }
    }

    /// Adds everything in a string that may be a name, a key, or a path.
    pub(crate) fn string(&mut self, text: &str) {
        let whole = text.trim();
        if whole.len() <= MAX_WORD {
            self.word(whole);
        }
        for word in text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == ':')) {
            self.word(word.trim_matches(':'));
        }
        for path in text.split(|c: char| c.is_whitespace() || matches!(c, '\'' | '"' | ',' | ';' | '(' | ')'))
        {
            if path.contains('/') {
                self.path(path);
            } else if path.contains(['.', '-']) {
                self.key(path.trim_matches(['{', '}', '[', ']', '%']));
            }
        }
    }

    /// Adds a key, and the key before the path into its value.
    fn key(&mut self, text: &str) {
        self.word(text);
        if let Some((key, _)) = text.split_once('.') {
            self.word(key);
        }
    }

    /// Adds a path as `module/path`.
    fn path(&mut self, path: &str) {
        let path = path.trim_end_matches('/');
        // Puppet ignores repeated slashes, which values that begin with one cause.
        let scheme = path.find("://").map_or(0, |at| at + "://".len());
        // The host of a URL may be empty.
        let root = path[scheme..].find('/').map_or(path.len(), |at| scheme + at);
        if path[root..].contains("//") {
            let parts: Vec<&str> = path[root..].split('/').filter(|it| !it.is_empty()).collect();
            return self.path(&format!("{}/{}", &path[..root], parts.join("/")));
        }
        self.word(path);
        if let Some(rest) = in_modules(path) {
            self.word(rest);
            if !path.contains("/modules/")
                && let Some((_, file)) = rest.split_once('/')
            {
                // Another mount point may lead into a module.
                self.pattern(
                    PatternKind::File,
                    vec![String::new(), format!("/{file}")],
                    TextRange::default(),
                );
            }
            // The folder of all files of a module.
            if !rest.contains('/') {
                self.word(&format!("{rest}/"));
            }
        }
        for folder in ["/files/", "/templates/"] {
            let Some((before, rest)) = path.split_once(folder) else { continue };
            let module = before.rsplit('/').next().unwrap_or_default();
            self.word(&format!("{module}/{rest}"));
            if !module.starts_with(|c: char| c.is_ascii_lowercase()) {
                // Relative to the code: `../files/x`.
                let kind = if folder == "/files/" { PatternKind::File } else { PatternKind::Template };
                self.pattern(kind, vec![String::new(), format!("/{rest}")], TextRange::default());
            }
        }
    }

    pub(crate) fn pattern(&mut self, kind: PatternKind, parts: Vec<String>, range: TextRange) {
        self.pattern_of_facts(kind, parts, None, range);
    }

    /// Adds a pattern whose unknown parts may be facts.
    pub(crate) fn pattern_of_facts(
        &mut self,
        kind: PatternKind,
        parts: Vec<String>,
        facts: Option<Vec<String>>,
        range: TextRange,
    ) {
        let mut parts: Vec<SmolStr> = parts.into_iter().map(SmolStr::from).collect();
        let mut kind = kind;
        if let Some(first) = parts.first_mut() {
            if let Some(rest) = in_modules(first) {
                kind = PatternKind::File;
                *first = rest.into();
            } else if let Some(rest) = first.strip_prefix("::") {
                *first = rest.into();
            }
        }
        let facts = facts.map(|it| it.into_iter().map(SmolStr::from).collect());
        let pattern = NamePattern { kind, parts: parts.into(), facts, range };
        if kind == PatternKind::Any && !pattern.is_specific() {
            return;
        }
        if self.seen.insert((kind, pattern.parts.clone())) {
            self.patterns.push(pattern);
        }
    }

    /// Adds the names in Ruby code, a template, or any other text. `has_comments` if lines that begin with `#` are
    /// comments.
    pub(crate) fn text(&mut self, text: &str, has_comments: bool) {
        for line in text.lines() {
            if !(has_comments && line.trim_start().starts_with('#')) {
                self.string(line);
                self.ruby_patterns(line);
            }
        }
        for call in text.split("function_").skip(1) {
            let length = call.bytes().take_while(|b| b.is_ascii_alphanumeric() || *b == b'_').count();
            self.word(&call[..length]);
        }
    }

    /// Adds the strings with `#{...}` in a line of Ruby code.
    fn ruby_patterns(&mut self, line: &str) {
        for (at, _) in line.match_indices("#{") {
            let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | ':' | '/' | '.' | '-');
            let before = &line[..at];
            let first = &before[before.trim_end_matches(is_part).len()..];
            let Some(close) = line[at..].find('}') else { continue };
            let rest = &line[at + close + 1..];
            let last = &rest[..rest.len() - rest.trim_start_matches(is_part).len()];
            // A further interpolation may follow.
            let last = if rest[last.len()..].starts_with("#{") { "" } else { last };
            self.pattern(PatternKind::Any, vec![first.to_owned(), last.to_owned()], TextRange::default());
        }
    }
}

/// Maximum length of a string that may be a name as a whole, in bytes.
const MAX_WORD: usize = 256;

/// Returns the part of a URL after `puppet:///modules/`, which begins with the module.
fn in_modules(path: &str) -> Option<&str> {
    let at = path.find("puppet://")?;
    let (_, rest) = path[at + "puppet://".len()..].split_once('/')?;
    Some(rest.strip_prefix("modules/").unwrap_or(rest))
}
