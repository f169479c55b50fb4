//! Ruby's regular expressions (Onigmo's Ruby dialect), as Puppet uses them.
//!
//! A pattern is checked by Ruby's rules when it is made, and translated when it is first used: to the engine of the crate `regex`,
//! which always takes linear time, or, where it holds what only backtracking can do, to `fancy-regex` with a limit.
//! Not followed: one character that equals several when case is ignored (`ß` and `ss`).

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

/// So many steps back are taken in one search.
const BACKTRACK_LIMIT: usize = 1_000_000;
/// So many instructions may a pattern become that needs backtracking.
const PROGRAM_LIMIT: usize = 200_000;
/// So many bytes may a pattern take that needs none.
const SIZE_LIMIT: usize = 8 << 20;
/// So many patterns are remembered, and of so many bytes together: a thousand nodes may have one each.
const CACHE_SIZE: usize = 4096;
const CACHE_BYTES: usize = 256 << 10;
/// So many bytes may all engines take, whoever holds their patterns.
const MAX_ENGINE_BYTES: usize = 160 << 20;
/// A text of so many bytes is a long one: an engine for those takes three times as long to make, and more memory.
const LONG_TEXT: usize = 8 << 10;
/// So many bytes an engine takes whose crate does not say it; most take less.
const USUAL_ENGINE_BYTES: usize = 64 << 10;

/// Why a pattern cannot be made or used.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RegexpError {
    /// Ruby does not accept the pattern, and why.
    Syntax(String),
    /// Ruby knows this, but we do not.
    Unsupported(String),
    /// The pattern is too large or too deep.
    TooComplex,
    /// The search took too many steps.
    BacktrackLimit,
    /// A replacement names a group that does not exist.
    UndefinedGroup(String),
    /// The name of a group in a replacement does not end.
    UnfinishedGroupName,
    /// The result would be too large.
    ResultTooLarge,
}

impl fmt::Display for RegexpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RegexpError::Syntax(failure) => {
                write!(f, "Ruby does not accept this regular expression: {failure}")
            }
            RegexpError::Unsupported(what) => write!(f, "this regular expression is not supported: {what}"),
            RegexpError::TooComplex => write!(f, "this regular expression is too large"),
            RegexpError::BacktrackLimit => write!(f, "matching this regular expression takes too long"),
            RegexpError::UndefinedGroup(name) => {
                write!(f, "the replacement names a group `{name}` that is not there")
            }
            RegexpError::UnfinishedGroupName => write!(f, "a group name in the replacement does not end"),
            RegexpError::ResultTooLarge => write!(f, "the result is too large"),
        }
    }
}

impl std::error::Error for RegexpError {}

/// A regular expression. Cheap to clone; equal when the sources are.
#[derive(Clone)]
pub struct Regexp(Arc<CompiledRegexp>);

struct CompiledRegexp {
    source: Box<str>,
    /// Names and the numbers of their groups, in the order of their first group.
    names: Box<[GroupName]>,
    group_count: usize,
    for_short_texts: EngineSlot,
    for_long_texts: EngineSlot,
}

/// `None` before the first search. The engines are [`KeptEngines`]'s.
type EngineSlot = Mutex<Option<Result<Weak<Engines>, RegexpError>>>;

/// The engines that were made last: patterns stand in trees and values, which live long.
#[derive(Default)]
struct KeptEngines {
    engines: Vec<Arc<Engines>>,
    bytes: usize,
}

/// The patterns that were made last.
#[derive(Default)]
struct Cache {
    patterns: FxHashMap<Box<str>, Regexp>,
    /// Of all sources.
    bytes: usize,
}

/// A name, and the numbers of the groups that have it.
type GroupName = (Box<str>, Box<[usize]>);

struct Engines {
    usual: Engine,
    /// For text that ends in a line break, where that makes a difference.
    before_last_line_break: Option<Result<Engine, RegexpError>>,
}

enum Engine {
    Linear(meta::Regex),
    Backtracking(Box<fancy_regex::Regex>),
}

/// What a search found. Offsets are bytes in the text that was searched.
#[derive(Clone, Debug)]
pub struct Captures {
    regexp: Regexp,
    groups: Box<[Option<(usize, usize)>]>,
}

impl Regexp {
    /// The regular expression with this source, the text between the slashes.
    ///
    /// # Errors
    /// [`RegexpError::Syntax`] and [`RegexpError::TooComplex`]. What is only found not to be supported when it is
    /// translated is an error of the first search.
    pub fn new(source: &str) -> Result<Regexp, RegexpError> {
        static CACHE: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);
        let cache = || CACHE.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        if let Some(known) = cache().patterns.get(source) {
            return Ok(known.clone());
        }
        let made = Regexp(Arc::new(CompiledRegexp::new(source)?));
        let mut cache = cache();
        let is_full = cache.patterns.len() >= CACHE_SIZE || cache.bytes + source.len() > CACHE_BYTES;
        if is_full {
            *cache = Cache::default();
        }
        cache.bytes += source.len();
        cache.patterns.insert(source.into(), made.clone());
        Ok(made)
    }

    /// As [`Regexp::new`], for a type that only names a pattern: what Ruby does not accept is an error of the first search.
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

    /// The text between the slashes.
    pub fn source(&self) -> &str {
        &self.0.source
    }

    /// The names of the groups, in the order in which they begin. Where there are any, groups without a name capture
    /// nothing.
    pub fn group_names(&self) -> impl Iterator<Item = &str> {
        self.0.names.iter().map(|(name, _)| &**name)
    }

    /// How many groups capture, the whole match not counted.
    pub fn group_count(&self) -> usize {
        self.0.group_count
    }

    /// Does it match anywhere in `text`?
    ///
    /// # Errors
    /// See [`Regexp::captures_at`].
    pub fn is_match(&self, text: &str) -> Result<bool, RegexpError> {
        match self.engines(text.len())?.for_text(text)? {
            Engine::Linear(regex) => Ok(regex.is_match(text)),
            Engine::Backtracking(regex) => regex.is_match(text).map_err(search_error),
        }
    }

    /// The first match in `text` that begins at byte `start` or later; what stands before `start` is seen by anchors
    /// and look-behinds. `None` as well if `start` is behind the end or inside a character.
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
            // The engines forget groups that are repeated zero times.
            groups.resize(self.0.group_count + 1, None);
            Captures { regexp: self.clone(), groups: groups.into() }
        }))
    }

    /// Those for texts of so many bytes.
    fn engines(&self, length: usize) -> Result<Arc<Engines>, RegexpError> {
        let compiled = &*self.0;
        let is_long = length >= LONG_TEXT;
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
    /// Keeps engines, and lets go of all others where they take too much together.
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
        Ok(match usual.needs_backtracking {
            true => Engines { usual: exact?, before_last_line_break: None },
            false => Engines { usual: Engine::new(&usual, is_long)?, before_last_line_break: Some(exact) },
        })
    }

    fn for_text(&self, text: &str) -> Result<&Engine, RegexpError> {
        match &self.before_last_line_break {
            Some(engine) if text.ends_with('\n') => engine.as_ref().map_err(Clone::clone),
            _ => Ok(&self.usual),
        }
    }

    /// What they take, with what searches add.
    fn bytes(&self) -> usize {
        let exact = self.before_last_line_break.as_ref().and_then(|it| it.as_ref().ok());
        let bytes_of = |engine: &Engine| match engine {
            Engine::Linear(regex) => 2 * regex.memory_usage() + (4 << 10),
            Engine::Backtracking(_) => USUAL_ENGINE_BYTES,
        };
        bytes_of(&self.usual) + exact.map_or(0, bytes_of)
    }
}

impl Engine {
    fn new(translation: &translate::Translation, is_long: bool) -> Result<Engine, RegexpError> {
        if !translation.needs_backtracking {
            // A table of all states in advance costs more than the few searches of most patterns, and one that grows more than a
            // search in a short text.
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
    /// Where the whole match is.
    pub fn range(&self) -> Range<usize> {
        self.get(0).unwrap_or(0..0)
    }

    /// Where group `number` matched last; 0 is the whole match.
    pub fn get(&self, number: usize) -> Option<Range<usize>> {
        let (start, end) = (*self.groups.get(number)?)?;
        Some(start..end)
    }

    /// Where the group of that name matched last; of several, the last that matched. `None` also if there is none of
    /// that name.
    pub fn name(&self, name: &str) -> Option<Range<usize>> {
        let (_, numbers) = self.regexp.0.names.iter().find(|(known, _)| **known == *name)?;
        numbers.iter().rev().find_map(|&number| self.get(number))
    }

    /// The names of the groups, in the order in which they begin.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.regexp.group_names()
    }

    /// How many groups there are, the whole match counted.
    #[expect(clippy::len_without_is_empty, reason = "there is always the whole match")]
    pub fn len(&self) -> usize {
        self.groups.len()
    }

    /// All groups, the whole match first.
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

/// By source, which says nothing but gives sets an order.
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
