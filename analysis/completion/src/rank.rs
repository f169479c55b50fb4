//! Which completions fit what is typed, and in which order.

use std::cmp::{Ordering, Reverse};

use nucleo_matcher::pattern::{Atom, AtomKind, CaseMatching, Normalization};
use nucleo_matcher::{Config, Matcher, Utf32Str};
use rustc_hash::FxHashMap;

use crate::item::CompletionItem;

/// More are not worth reading.
pub(crate) const MAX_ITEMS: usize = 200;

/// The ones that fit, the best first, and whether some that fit were left out.
///
/// What begins with the typed word comes before what has a part that does, and that before what merely contains its
/// letters in order; then the lower tier, then what nothing reads yet, then what stands nearest to the offset in the text.
pub(crate) fn ranked(
    items: Vec<CompletionItem>,
    typed: &str,
    text: &str,
    offset: u32,
) -> (Vec<CompletionItem>, bool) {
    let word = without_signs(typed);
    let mut matcher = Matcher::new(Config::DEFAULT);
    let atom = Atom::new(word, CaseMatching::Ignore, Normalization::Smart, AtomKind::Fuzzy, false);
    let mut buffer = Vec::new();
    let mut found: Vec<(RankKey, CompletionItem)> = Vec::new();
    for item in items {
        let filter = without_signs(&item.filter);
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
        key.distance = match item.is_repeated {
            true => distance,
            false => 0,
        };
    }
    found.sort_by(|(a_key, a), (b_key, b)| {
        // As long as nothing is typed, things stand in the order of their sources.
        let is_typed = !word.is_empty();
        let by_name = || (a.label.len(), &a.label, &a.text).cmp(&(b.label.len(), &b.label, &b.text));
        a_key.cmp(b_key).then_with(|| if is_typed { by_name() } else { Ordering::Equal })
    });
    let mut items: Vec<CompletionItem> = found.into_iter().map(|(_, item)| item).collect();
    let mut seen = rustc_hash::FxHashSet::default();
    items.retain(|item| seen.insert((item.label.clone(), item.kind)));
    let is_cut = items.len() > MAX_ITEMS;
    items.truncate(MAX_ITEMS);
    (items, is_cut)
}

/// Could [`ranked`] keep an item that is filtered by `name`? Quick, for sources that have much to say about each item.
pub(crate) fn may_fit(name: &str, typed: &str) -> bool {
    let mut letters = without_signs(name).bytes();
    let word = without_signs(typed);
    !word.is_ascii() || word.bytes().all(|wanted| letters.any(|it| it.eq_ignore_ascii_case(&wanted)))
}

fn without_signs(name: &str) -> &str {
    let name = name.trim_start_matches('$');
    name.strip_prefix("::").unwrap_or(name)
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum WordFit {
    Prefix,
    /// But for the case of letters.
    FoldedPrefix,
    /// A part behind `::`, `_`, `/` and the like begins with it.
    PartPrefix,
    Letters,
}

impl WordFit {
    fn of(filter: &str, word: &str) -> WordFit {
        if filter.starts_with(word) {
            return WordFit::Prefix;
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
    /// From the offset to the nearest place where the same word stands, by its order of magnitude.
    distance: u32,
    weight: Reverse<u32>,
    score: u16,
}

const FAR: u32 = u32::MAX;
/// So many bytes around the offset are looked through.
const NEAR: usize = 32 << 10;

fn bare(filter: &str) -> &str {
    filter.trim_start_matches('$').trim_start_matches("::")
}

/// How far from the offset the nearest use of each word is.
fn distances(found: &[(RankKey, CompletionItem)], text: &str, offset: u32) -> FxHashMap<String, u32> {
    let repeated = found.iter().filter(|(_, item)| item.is_repeated);
    let mut wanted: FxHashMap<&str, u32> = repeated.map(|(_, item)| (bare(&item.filter), FAR)).collect();
    let bytes = text.as_bytes();
    let is_word = |at: usize| bytes[at].is_ascii_alphanumeric() || bytes[at] == b'_';
    let mut at = (offset as usize).saturating_sub(NEAR);
    let end = bytes.len().min(offset as usize + NEAR);
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
            // Behind the cursor counts less than in front of it.
            let distance = if start as u32 > offset { distance * 2 } else { distance };
            *nearest = (*nearest).min(distance.max(256).ilog2());
        }
    }
    wanted.into_iter().map(|(word, distance)| (word.to_owned(), distance)).collect()
}

/// `::` between two words?
fn is_separator(bytes: &[u8], at: usize) -> bool {
    let next = bytes.get(at + 2).is_some_and(|it| it.is_ascii_alphanumeric() || *it == b'_');
    bytes[at..].starts_with(b"::") && next
}
