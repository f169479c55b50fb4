//! Ruby's regular expressions (Onigmo's Ruby dialect), as used in Puppet.
//!
//! A pattern is validated by Ruby's rules when it is created, and translated on first use: for the `regex`
//! crate, which guarantees linear time, or, if it needs backtracking, for `fancy-regex` with a limit. Not
//! supported: case-insensitive equality of one character with several (`ß` and `ss`).

mod replace;
mod sets;
mod text;
mod translate;

use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::sync::{Arc, LazyLock, Mutex, PoisonError, Weak};

use crate::ruby_regex::{self, Pattern};
use regex_automata::Input;
use regex_automata::meta;
use rustc_hash::FxHashMap;

pub use text::escape;

/// Maximum number of backtracking steps of one search.
const BACKTRACK_LIMIT: usize = 1_000_000;
/// Maximum number of instructions of a pattern that needs backtracking.
const PROGRAM_LIMIT: usize = 200_000;
/// Maximum size in bytes of a pattern that does not need backtracking.
const SIZE_LIMIT: usize = 8 << 20;
/// Maximum number of cached patterns, which allows one each for a thousand nodes. `MAX_CACHED_BYTES` is the
/// maximum total size of their sources.
const MAX_CACHED_PATTERNS: usize = 4096;
const MAX_CACHED_BYTES: usize = 256 << 10;
/// Maximum total size of all engines in bytes, regardless of which patterns own them.
const MAX_ENGINE_BYTES: usize = 160 << 20;
/// Minimum size in bytes of a long string. An engine for long strings takes three times as long to build, and
/// more memory.
const MIN_LONG_TEXT_LENGTH: usize = 8 << 10;
/// Assumed size in bytes of an engine whose crate does not report it; most are smaller.
const ASSUMED_ENGINE_BYTES: usize = 64 << 10;

/// Error of creating or using a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegexpError {
    /// Pattern that Ruby does not accept, with the reason.
    Syntax(String),
    /// Pattern that Ruby accepts, but that is not supported here.
    Unsupported(String),
    /// Pattern that is too large or too deeply nested.
    TooComplex,
    /// Search that took too many steps.
    BacktrackLimit,
    /// Undefined group in a replacement.
    UndefinedGroup(String),
    /// Unterminated group name in a replacement.
    UnfinishedGroupName,
    /// Result that is too large.
    ResultTooLarge,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegexpError::Syntax(failure) => {
                write!(f, "invalid regular expression: {failure}")
            }
            RegexpError::Unsupported(what) => write!(f, "unsupported regular expression: {what}"),
            RegexpError::TooComplex => write!(f, "regular expression is too large"),
            RegexpError::BacktrackLimit => write!(f, "regular expression exceeds the backtracking limit"),
            RegexpError::UndefinedGroup(name) => {
                write!(f, "unknown group `{name}` in the replacement")
            }
            RegexpError::UnfinishedGroupName => write!(f, "unterminated group name in the replacement"),
            RegexpError::ResultTooLarge => write!(f, "result is too large"),
        }
    }
}

impl std::error::Error for RegexpError {}

/// Regular expression. Cheap to clone; equality compares the sources.
#[derive(Clone)]
pub struct Regexp(Arc<CompiledRegexp>);

struct CompiledRegexp {
    source: Box<str>,
    /// Group names in the order of their first group, each with the numbers of its groups.
    names: Box<[GroupName]>,
    group_count: usize,
    for_short_texts: EngineSlot,
    for_long_texts: EngineSlot,
}

/// Slot for engines owned by [`KeptEngines`], `None` before the first search.
type EngineSlot = Mutex<Option<Result<Weak<Engines>, RegexpError>>>;

/// Most recently built engines. Patterns are part of long-lived trees and values, so they do not own their
/// engines.
#[derive(Default)]
struct KeptEngines {
    engines: Vec<Arc<Engines>>,
    bytes: usize,
}

/// Most recently created patterns.
#[derive(Default)]
struct Cache {
    patterns: FxHashMap<Box<str>, Regexp>,
    /// Total size of the sources.
    bytes: usize,
}

/// Name and the numbers of its groups.
type GroupName = (Box<str>, Box<[usize]>);

struct Engines {
    usual: Engine,
    /// Engine for strings that end in a line break, if that makes a difference.
    before_last_line_break: Option<Result<Engine, RegexpError>>,
}

enum Engine {
    Linear(meta::Regex),
    Backtracking(Box<fancy_regex::Regex>),
}

/// Result of a search. Offsets are bytes in the searched string.
#[derive(Clone, Debug)]
pub struct Captures {
    regexp: Regexp,
    groups: Box<[Option<(usize, usize)>]>,
}

impl Regexp {
    /// Creates a regular expression with Ruby's options `imx`, as far as they are set.
    ///
    /// # Errors
    /// Those of [`Regexp::new`].
    pub fn with_options(source: &str, options: &str) -> Result<Regexp, RegexpError> {
        match options {
            "" => Regexp::new(source),
            // A comment may extend to the end of the line.
            options if options.contains('x') => Regexp::new(&format!("(?{options}:{source}\n)")),
            options => Regexp::new(&format!("(?{options}:{source})")),
        }
    }

    /// Creates a regular expression from its source, without the slashes.
    ///
    /// # Errors
    /// [`RegexpError::Syntax`] and [`RegexpError::TooComplex`]. Constructs that turn out to be unsupported
    /// during translation cause an error in the first search.
    pub fn new(source: &str) -> Result<Regexp, RegexpError> {
        static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);
        let cache = || CACHE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = cache().patterns.get(source) {
            return Ok(known.clone());
        }
        let made = Regexp(Arc::new(CompiledRegexp::new(source)?));
        let mut cache = cache();
        let is_full =
            cache.patterns.len() >= MAX_CACHED_PATTERNS || cache.bytes + source.len() > MAX_CACHED_BYTES;
        if is_full {
            *cache = Cache::default();
        }
        cache.bytes += source.len();
        cache.patterns.insert(source.into(), made.clone());
        Ok(made)
    }

    /// Creates a regular expression without validation, for a type that only names a pattern. An invalid
    /// pattern causes an error in the first search.
    pub fn unchecked(source: &str) -> Regexp {
        Regexp::new(source).unwrap_or_else(|error| {
            let no_engine = || Mutex::new(Some(Err(error.clone())));
            Regexp(Arc::new(CompiledRegexp {
                source: source.into(),
                names: Box::default(),
                group_count: 0,
                for_short_texts: no_engine(),
                for_long_texts: no_engine(),
            }))
        })
    }

    /// Returns the source without the slashes.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// Returns the group names in the order in which the groups begin. If there are any, unnamed groups do
    /// not capture.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.0.names.iter().map(|(name, _)| &**name)
    }

    /// Returns the number of capturing groups, excluding the whole match.
    pub fn group_count(&self) -> usize {
        self.0.group_count
    }

    /// Returns true if the pattern matches anywhere in `text`.
    ///
    /// # Errors
    /// See [`Regexp::captures_at`].
    pub fn is_match(&self, text: &str) -> Result<bool, RegexpError> {
        match self.engines(text.len())?.for_text(text)? {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => regex.is_match(text).map_err(search_error),
        }
    }

    /// Returns the first match in `text` that begins at byte `start` or later. Anchors and look-behinds see
    /// the text before `start`. Returns `None` if there is no match, or `start` is out of bounds or inside a
    /// character.
    ///
    /// # Errors
    /// [`RegexpError::Unsupported`], [`RegexpError::TooComplex`] and [`RegexpError::BacktrackLimit`].
    pub fn captures_at(&self, text: &str, start: usize) -> Result<Option<Captures>, RegexpError> {
        let engines = self.engines(text.len())?;
        let engine = engines.for_text(text)?;
        if !text.is_char_boundary(start) {
            return Ok(None);
        }
        let found: Option<Vec<_>> = match engine {
            Engine::Linear(regex) => {
                let mut found = regex.create_captures();
                regex.captures(Input::new(text).span(start..text.len()), &mut found);
                found
                    .is_match()
                    .then(|| found.iter().map(|group| group.map(|it| (it.start, it.end))).collect())
            }
            Engine::Backtracking(regex) => regex
                .captures_from_pos(text, start)
                .map_err(search_error)?
                .map(|found| found.iter().map(|group| group.map(|it| (it.start(), it.end()))).collect()),
        };
        Ok(found.map(|mut groups| {
            // The engines drop groups that are repeated zero times.
            groups.resize(self.0.group_count + 1, None);
            Captures { regexp: self.clone(), groups: groups.into() }
        }))
    }

    /// Returns the engines for strings of the given length in bytes.
    fn engines(&self, length: usize) -> Result<Arc<Engines>, RegexpError> {
        let compiled = &*self.0;
        let is_long = length >= MIN_LONG_TEXT_LENGTH;
        let slot = if is_long { &compiled.for_long_texts } else { &compiled.for_short_texts };
        let mut known = slot.lock().unwrap_or_else(PoisonError::into_inner);
        match &*known {
            Some(Ok(engines)) => {
                if let Some(engines) = engines.upgrade() {
                    return Ok(engines);
                }
            }
            Some(Err(error)) => return Err(error.clone()),
            None => {}
        }
        let made = parse(&compiled.source).and_then(|pattern| Engines::new(&pattern, is_long)).map(Arc::new);
        *known = Some(made.as_ref().map(Arc::downgrade).map_err(Clone::clone));
        if let Ok(engines) = &made {
            KeptEngines::keep(engines);
        }
        made
    }
}

impl KeptEngines {
    /// Stores engines, evicting all others if they exceed the memory limit.
    fn keep(engines: &Arc<Engines>) {
        static KEPT: LazyLock<Mutex<KeptEngines>> = LazyLock::new(Mutex::default);
        let mut kept = KEPT.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes = engines.bytes();
        if kept.bytes + bytes > MAX_ENGINE_BYTES {
            *kept = KeptEngines::default();
        }
        kept.bytes += bytes;
        kept.engines.push(Arc::clone(engines));
    }
}

fn parse(source: &str) -> Result<Pattern, RegexpError> {
    ruby_regex::parse(source).map_err(RegexpError::Syntax)?.ok_or(RegexpError::TooComplex)
}

impl CompiledRegexp {
    fn new(source: &str) -> Result<CompiledRegexp, RegexpError> {
        let pattern = parse(source)?;
        let numbers = translate::capture_numbers(&pattern);
        let mut names: Vec<GroupName> = pattern
            .names
            .iter()
            .map(|(name, groups)| {
                let groups =
                    groups.iter().filter_map(|&group| numbers.get(group as usize).copied().flatten());
                (name.iter().collect(), groups.collect())
            })
            .collect();
        names.sort_by(|a, b| a.1.cmp(&b.1));
        let group_count = numbers.iter().flatten().count() - 1;
        Ok(CompiledRegexp {
            source: source.into(),
            names: names.into(),
            group_count,
            for_short_texts: Mutex::default(),
            for_long_texts: Mutex::default(),
        })
    }
}

impl Engines {
    fn new(pattern: &Pattern, is_long: bool) -> Result<Engines, RegexpError> {
        let usual = translate::translate(pattern, false)?;
        if !usual.line_break_at_end_matters {
            return Ok(Engines { usual: Engine::new(&usual, is_long)?, before_last_line_break: None });
        }
        let exact = Engine::new(&translate::translate(pattern, true)?, is_long);
        Ok(if usual.needs_backtracking {
            Engines { usual: exact?, before_last_line_break: None }
        } else {
            Engines { usual: Engine::new(&usual, is_long)?, before_last_line_break: Some(exact) }
        })
    }

    fn for_text(&self, text: &str) -> Result<&Engine, RegexpError> {
        match &self.before_last_line_break {
            Some(engine) if text.ends_with('\n') => engine.as_ref().map_err(Clone::clone),
            _ => Ok(&self.usual),
        }
    }

    /// Returns the estimated size in bytes, including the caches of searches.
    fn bytes(&self) -> usize {
        let exact = self.before_last_line_break.as_ref().and_then(|it| it.as_ref().ok());
        let bytes_of = |engine: &Engine| match engine {
            Engine::Linear(regex) => 2 * regex.memory_usage() + (4 << 10),
            Engine::Backtracking(_) => ASSUMED_ENGINE_BYTES,
        };
        bytes_of(&self.usual) + exact.map_or(0, bytes_of)
    }
}

impl Engine {
    fn new(translation: &translate::Translation, is_long: bool) -> Result<Engine, RegexpError> {
        if !translation.needs_backtracking {
            // Most patterns are searched a few times only: a full DFA costs more than that, and a lazy one
            // costs more than a search in a short string.
            let settings = meta::Config::new()
                .nfa_size_limit(Some(SIZE_LIMIT))
                .dfa(false)
                .onepass(false)
                .hybrid(is_long);
            let syntax = regex_automata::util::syntax::Config::new().nest_limit(2000);
            let made = meta::Builder::new().configure(settings).syntax(syntax).build(&translation.text);
            return match made {
                Ok(regex) => Ok(Engine::Linear(regex)),
                Err(error) if error.size_limit().is_some() => Err(RegexpError::TooComplex),
                Err(error) => {
                    let failure = error.syntax_error().map_or_else(|| error.to_string(), ToString::to_string);
                    Err(RegexpError::Unsupported(last_line(&failure)))
                }
            };
        }
        let made = fancy_regex::RegexBuilder::new(&translation.text)
            .backtrack_limit(BACKTRACK_LIMIT)
            .max_prog_size(PROGRAM_LIMIT)
            .delegate_size_limit(SIZE_LIMIT)
            .build();
        match made {
            Ok(regex) => Ok(Engine::Backtracking(Box::new(regex))),
            Err(fancy_regex::Error::CompileError(error))
                if matches!(*error, fancy_regex::CompileError::PatternTooComplex) =>
            {
                Err(RegexpError::TooComplex)
            }
            Err(fancy_regex::Error::ParseError(_, fancy_regex::ParseError::RecursionExceeded)) => {
                Err(RegexpError::TooComplex)
            }
            Err(error) => Err(RegexpError::Unsupported(last_line(&error.to_string()))),
        }
    }
}

fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim().to_owned()
}

fn search_error(error: fancy_regex::Error) -> RegexpError {
    match error {
        fancy_regex::Error::RuntimeError(_) => RegexpError::BacktrackLimit,
        error => RegexpError::Unsupported(last_line(&error.to_string())),
    }
}

impl Captures {
    /// Returns the location of the whole match.
    pub fn range(&self) -> Range<usize> {
        self.get(0).unwrap_or(0..0)
    }

    /// Returns the location of the last match of group `number`; 0 is the whole match.
    pub fn get(&self, number: usize) -> Option<Range<usize>> {
        let (start, end) = (*self.groups.get(number)?)?;
        Some(start..end)
    }

    /// Returns the location of the last match of the named group; of several, the one that matched last.
    /// Returns `None` if there is no such group, or it did not match.
    pub fn name(&self, name: &str) -> Option<Range<usize>> {
        let (_, numbers) = self.regexp.0.names.iter().find(|(known, _)| **known == *name)?;
        numbers.iter().rev().find_map(|&number| self.get(number))
    }

    /// Returns the group names in the order in which the groups begin.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regexp.group_names()
    }

    /// Returns the number of groups, including the whole match.
    #[expect(clippy::len_without_is_empty, reason = "the whole match always exists")]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// Returns all groups, starting with the whole match.
    pub fn iter(&self) -> impl Iterator<Item = Option<Range<usize>>> {
        self.groups.iter().map(|group| group.map(|(start, end)| start..end))
    }
}

impl PartialEq for Regexp {
    fn eq(&self, other: &Regexp) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.source == other.0.source
    }
}

impl Eq for Regexp {}

impl Hash for Regexp {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.source.hash(state);
    }
}

impl PartialOrd for Regexp {
    fn partial_cmp(&self, other: &Regexp) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

/// Orders by source; the order has no meaning, but sets need one.
impl Ord for Regexp {
    fn cmp(&self, other: &Regexp) -> std::cmp::Ordering {
        self.0.source.cmp(&other.0.source)
    }
}

impl fmt::Debug for Regexp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Regexp({:?})", self.0.source)
    }
}
