//! Filtering and ranking of completion items.

use std::cmp::{Ordering, Reverse};

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use rustc_hash::FxHashMap;

use crate::item::{CompletionItem, CompletionKind};

/// Maximum number of items in a result.
pub(crate) const MAX_ITEMS: usize = 200;

/// Returns the items that match the typed word, best first, and true if matching ones were left out.
///
/// Items that begin with the typed word come first, followed by those with a part that does, and those that
/// contain its letters in order. Within these groups, items are sorted by tier, then unread ones come first,
/// then those whose name occurs closest to the offset.
pub(crate) fn ranked(
    items: Vec<CompletionItem>,
    typed: &str,
    text: &str,
    offset: u32,
) -> (Vec<CompletionItem>, bool) {
    let word = without_sigil(typed);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let atom = Atom::new(word, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy, false);
    let mut buffer = Vec::new();
    let mut found: Vec<(RankKey, CompletionItem)> = Vec::new();
    for item in items {
        let filter = without_sigil(&item.filter);
        let Some(score) = atom.score(Utf32Str::new(filter, &mut buffer), &mut matcher) else { continue };
        let fit = if word.is_empty() { WordFit::Prefix } else { WordFit::of(filter, word) };
        let weight = Reverse(item.weight);
        let unread = Reverse(item.is_unread);
        let key = RankKey { fit, tier: item.tier, unread, distance: FAR, weight, score: u16::MAX - score };
        found.push((key, item));
    }
    let distances = distances(&found, text, offset);
    for (key, item) in &mut found {
        let distance = distances.get(bare(&item.filter)).copied().unwrap_or(FAR);
        key.distance = if item.is_repeated { distance } else { 0 };
    }
    found.sort_by(|(a_key, a), (b_key, b)| {
        // Without a typed word, the order of the sources is kept.
        let is_typed = !word.is_empty();
        let by_name = || (a.label.len(), &a.label, &a.text).cmp(&(b.label.len(), &b.label, &b.text));
        a_key.cmp(b_key).then_with(|| if is_typed { by_name() } else { Ordering::Equal })
    });
    let mut items: Vec<CompletionItem> = found.into_iter().map(|(_, item)| item).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    // A keyword may also be a value, and a function may have the name of a resource type.
    items.retain(|item| seen.insert(item.label.clone()));
    let is_incomplete = items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    (items, is_incomplete)
}

/// Removes the items that a short word matches weakly. Where a word without quotes may be complete code, editors
/// would accept such an item on Enter, which is then meant for a line break.
pub(crate) fn remove_weak_matches(items: &mut Vec<CompletionItem>, typed: &str) {
    let word = without_sigil(typed);
    items.retain(|item| word.len() >= min_letters(without_sigil(&item.filter), word));
}

/// Returns the length of the shortest bareword for which the match of a name is likely to be meant.
fn min_letters(filter: &str, word: &str) -> usize {
    match WordFit::of(filter, word) {
        WordFit::Exact | WordFit::Prefix | WordFit::FoldedPrefix => 0,
        WordFit::PartPrefix if filter.split("::").any(|part| part.starts_with(word)) => 2,
        WordFit::PartPrefix | WordFit::Letters => 4,
    }
}

/// Returns true if the best item is written already and nothing similar begins with it. An editor would
/// otherwise accept the item on Enter or Tab, although these keys are then meant for the text.
pub(crate) fn is_complete(items: &[CompletionItem], typed: &str) -> bool {
    let Some((first, others)) = items.split_first() else { return false };
    let is_value = |it: &CompletionItem| matches!(it.kind, CompletionKind::Value | CompletionKind::Keyword);
    let continues = |it: &CompletionItem| {
        let is_similar = if is_value(first) { is_value(it) } else { it.kind == first.kind };
        is_similar && WordFit::of(without_sigil(&it.filter), without_sigil(typed)) <= WordFit::FoldedPrefix
    };
    let is_written = first.text == typed || (is_value(first) && first.label == typed);
    is_written && first.snippet.is_none() && !others.iter().any(continues)
}

/// Returns true if [`ranked`] may keep an item with the filter `name`. This is a cheap test for sources whose
/// items are expensive.
pub(crate) fn may_fit(name: &str, typed: &str) -> bool {
    let mut letters = without_sigil(name).bytes();
    let word = without_sigil(typed);
    !word.is_ascii() || word.bytes().all(|wanted| letters.any(|it| it.eq_ignore_ascii_case(&wanted)))
}

fn without_sigil(name: &str) -> &str {
    let name = name.trim_start_matches('$');
    name.strip_prefix("::").unwrap_or(name)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WordFit {
    Exact,
    Prefix,
    /// Prefix in different letter case.
    FoldedPrefix,
    /// Prefix of a part after `::`, `_`, `/` or similar.
    PartPrefix,
    Letters,
}

impl WordFit {
    fn of(filter: &str, word: &str) -> WordFit {
        if filter.starts_with(word) {
            return if filter.len() == word.len() { WordFit::Exact } else { WordFit::Prefix };
        }
        let begins =
            |at: usize| filter.get(at..at + word.len()).is_some_and(|part| part.eq_ignore_ascii_case(word));
        if begins(0) {
            return WordFit::FoldedPrefix;
        }
        let is_start = |at: &usize| *at > 0 && !filter.as_bytes()[at - 1].is_ascii_alphanumeric();
        let starts = filter.char_indices().map(|(at, _)| at).filter(is_start);
        if starts.into_iter().any(begins) { WordFit::PartPrefix } else { WordFit::Letters }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct RankKey {
    fit: WordFit,
    tier: u8,
    unread: Reverse<bool>,
    /// Order of magnitude of the distance from the offset to the nearest occurrence of the word.
    distance: u32,
    weight: Reverse<u32>,
    score: u16,
}

const FAR: u32 = u32::MAX;
/// Number of bytes before and after the offset in which occurrences are searched.
const SEARCH_RADIUS: usize = 32 << 10;

fn bare(filter: &str) -> &str {
    filter.trim_start_matches('$').trim_start_matches("::")
}

/// Returns the distance from the offset to the nearest occurrence of each word.
fn distances(found: &[(RankKey, CompletionItem)], text: &str, offset: u32) -> FxHashMap<String, u32> {
    let repeated = found.iter().filter(|(_, item)| item.is_repeated);
    let mut wanted: FxHashMap<&str, u32> = repeated.map(|(_, item)| (bare(&item.filter), FAR)).collect();
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
    let mut at = (offset as usize).saturating_sub(SEARCH_RADIUS);
    let end = bytes.len().min(offset as usize + SEARCH_RADIUS);
    while at < end && !wanted.is_empty() {
        if !is_word(at) {
            at += 1;
            continue;
        }
        let start = at;
        while at < bytes.len() && (is_word(at) || is_separator(bytes, at)) {
            at += if is_word(at) { 1 } else { 2 };
        }
        let end = at;
        let touches = start <= offset as usize && offset as usize <= end;
        let Some(nearest) = text.get(start..end).and_then(|word| wanted.get_mut(word)) else { continue };
        if !touches {
            let distance = (start as u32).abs_diff(offset);
            // Occurrences after the cursor count less.
            let distance = if start as u32 > offset { distance * 2 } else { distance };
            *nearest = (*nearest).min(distance.max(256).ilog2());
        }
    }
    wanted.into_iter().map(|(word, distance)| (word.to_owned(), distance)).collect()
}

/// Returns true for `::` between two words.
fn is_separator(bytes: &[u8], at: usize) -> bool {
    let next = bytes.get(at + 2).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    bytes[at..].starts_with(b"::") && next
}
