//! Diagnostics for clients that do not ask for them, in tiers: those of the syntax at once, then those of names, then what
//! evaluation finds. Each replaces its own part only.

use std::hash::BuildHasher;
use std::sync::{Arc, PoisonError};

use ide::{Breadth, Cancellable, Cancelled, Diagnostic, FilePath, Tier};
use lsp_types::MessageType;
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use syntax::TextRange;

use super::documents::{Document, Published};
use super::outbox::Outbox;
use super::panics;
use super::published_diagnostic::{self, PublishedDiagnostic, ShownDiagnostic};
use super::reads::{Attempt, ClosedDiagnostics, RequestFile, Snapshot};

/// Which tiers are worked out in one go; what the later ones said of unchanged text stays meanwhile.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Round {
    /// Quick enough for every keystroke.
    Syntax,
    /// Names too.
    Names,
    /// All that follows each change.
    Evaluation,
    /// What compiles show; the rest stays as it is.
    Catalogs,
}

impl Round {
    fn tiers(self) -> &'static [Tier] {
        match self {
            Round::Syntax => &[Tier::Syntax],
            Round::Names => &[Tier::Syntax, Tier::Names],
            Round::Evaluation => &Tier::LIVE,
            Round::Catalogs => &[Tier::Catalogs],
        }
    }
}

/// Ends the program on a text that holds what an environment variable says: for the test of what is left behind then.
#[cfg(debug_assertions)]
fn end_on_purpose(document: &Document, snapshot: &Snapshot) {
    if snapshot.last_work.fatal_texts().contains(&document.digest()) {
        return;
    }
    if let Ok(word) = std::env::var("PUPPET_ANALYZER_TEST_END_ON")
        && document.text.contains(&word)
    {
        std::process::abort();
    }
}

/// Sends the diagnostics of an open file, with the version of the text they are about.
pub(super) fn publish(
    path: &FilePath,
    document: &Document,
    snapshot: &Snapshot,
    round: Round,
    outbox: &Outbox,
) -> Attempt {
    let _span = tracing::info_span!("publish diagnostics", ?round).entered();
    if !snapshot.open_documents.is_newest(path, document) {
        // What the client has sent since is published behind it.
        return Attempt::Done;
    }
    let _work = snapshot.last_work.on(document.digest());
    #[cfg(debug_assertions)]
    end_on_purpose(document, snapshot);
    let found = panics::catch(|| find(path, document, snapshot, round));
    let (file, found) = match found {
        Ok(Ok(found)) => found,
        Ok(Err(Cancelled::PendingWrite)) => return Attempt::WriteWaits,
        Ok(Err(Cancelled::Local)) => return Attempt::Done,
        Err(report) => {
            let message = format!("the diagnostics of {} have failed, a bug: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            return Attempt::Done;
        }
    };
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    // An edit that leaves the text as it was makes no revision: who works on the version before does not notice.
    let is_newer = published.state.is_some_and(|(generation, _)| generation > document.generation);
    if published.is_closed || is_newer {
        return Attempt::Done;
    }
    for (tier, found) in found {
        let before = published.tiers.get(&tier).map(|(_, told)| told.clone()).unwrap_or_default();
        published.tiers.insert(tier, (document.text.clone(), PublishedDiagnostic::all(found, &before)));
    }
    if snapshot.features.pulls_diagnostics {
        return Attempt::Done;
    }
    let shown = all_unchanged(&published, &document.text);
    let length = published.length;
    let Some(diagnostics) = written(published_diagnostic::to_json(snapshot, file.as_ref(), shown, length))
    else {
        return Attempt::Done;
    };
    let state = Some((document.generation, fingerprint(&diagnostics)));
    if published.state == state {
        return Attempt::Done;
    }
    published.state = state;
    published.length = diagnostics.len();
    send(document, &diagnostics, Some(document.version), outbox);
    Attempt::Done
}

/// Compiles what [`Round::Catalogs`] needs for an open file, with several threads.
pub(super) fn compile_ahead(
    path: &FilePath,
    snapshot: &Snapshot,
    threads: usize,
    outbox: &Outbox,
) -> Attempt {
    let file = snapshot.analysis.file_id(path);
    match panics::catch(|| file.map_or(Ok(()), |file| snapshot.analysis.compile_ahead(file, threads))) {
        Ok(Ok(()) | Err(Cancelled::Local)) => Attempt::Done,
        Ok(Err(Cancelled::PendingWrite)) => Attempt::WriteWaits,
        Err(report) => {
            let message = format!("the compiles of {} have failed, a bug: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            Attempt::Done
        }
    }
}

/// Notes how the classes of an open file compile, behind [`Round::Catalogs`]. Whether that is something new; `None` when a
/// write waits.
pub(super) fn note_classes(
    path: &FilePath,
    document: &Document,
    snapshot: &Snapshot,
    outbox: &Outbox,
) -> Option<bool> {
    let found = panics::catch(|| match snapshot.analysis.file_id(path) {
        Some(file) => snapshot.analysis.class_statuses(file),
        None => Ok(Vec::new()),
    });
    let found = match found {
        Ok(Ok(found)) => found,
        Ok(Err(Cancelled::PendingWrite)) => return None,
        Ok(Err(Cancelled::Local)) => return Some(false),
        Err(report) => {
            let message = format!("the compiles of {} have failed, a bug: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            return Some(false);
        }
    };
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    let before = published.classes.replace(found.clone());
    Some(before.unwrap_or_default() != found)
}

/// What compiles found in the other files of the modules that some documents belong to; `None` when a write waits.
pub(super) fn closed_diagnostics(
    documents: &[(FilePath, Arc<Document>)],
    snapshot: &Snapshot,
    outbox: &Outbox,
) -> Option<ClosedDiagnostics> {
    let analysis = &snapshot.analysis;
    let find = || -> Cancellable<ClosedDiagnostics> {
        let open = documents.iter().filter_map(|(path, _)| analysis.file_id(path));
        let files: FxHashSet<_> = open.filter_map(|file| analysis.files_of_module(file)).flatten().collect();
        let mut found = FxHashMap::default();
        for file in files {
            let path = analysis.path(file);
            if documents.iter().any(|(open, _)| *open == path) {
                continue;
            }
            let diagnostics = analysis.diagnostics_of_compiles(file, Breadth::Module)?;
            if !diagnostics.is_empty()
                && let Some(text) = analysis.text(file)?
            {
                found.insert(path, (text, diagnostics));
            }
        }
        Ok(found.into())
    };
    match panics::catch(find) {
        Ok(Ok(found)) => Some(found),
        Ok(Err(Cancelled::PendingWrite)) => None,
        Ok(Err(Cancelled::Local)) => Some(ClosedDiagnostics::default()),
        Err(report) => {
            outbox.log(MessageType::Error, format!("compiles have failed, a bug: {report}"));
            Some(ClosedDiagnostics::default())
        }
    }
}

type FoundDiagnostics = (Option<RequestFile>, Vec<(Tier, Vec<Diagnostic>)>);

fn find(
    path: &FilePath,
    document: &Document,
    snapshot: &Snapshot,
    round: Round,
) -> Cancellable<FoundDiagnostics> {
    let Some(file) = snapshot.judged_file(path, &document.uri)? else { return Ok((None, Vec::new())) };
    let mut found = Vec::new();
    let round = if snapshot.is_reading { Round::Syntax } else { round };
    for tier in round.tiers() {
        let of_tier = match tier {
            Tier::Catalogs => snapshot.analysis.diagnostics_of_compiles(file.id, Breadth::Nearby)?,
            _ => snapshot.analysis.diagnostics(file.id, *tier)?,
        };
        found.push((*tier, of_tier));
    }
    Ok((Some(file), found))
}

/// What a tier found, in this text or an older one, as far as that is still there; at its new place.
pub(super) fn unchanged<'p>(published: &'p Published, tier: Tier, text: &str) -> Vec<ShownDiagnostic<'p>> {
    match published.tiers.get(&tier) {
        Some((old, found)) if !found.is_empty() => TextChange::between(old, text).unchanged(found).collect(),
        _ => Vec::new(),
    }
}

/// The same of all tiers, one after the other.
fn all_unchanged<'p>(published: &'p Published, text: &str) -> Vec<ShownDiagnostic<'p>> {
    let mut shown = Vec::new();
    let mut last: Option<(&Arc<str>, TextChange)> = None;
    for (old, found) in published.tiers.values().filter(|(_, found)| !found.is_empty()) {
        let change = match last {
            Some((known, change)) if Arc::ptr_eq(known, old) => change,
            _ => TextChange::between(old, text),
        };
        last = Some((old, change));
        shown.extend(change.unchanged(found));
    }
    shown
}

/// Where two texts differ.
#[derive(Clone, Copy)]
struct TextChange {
    /// Nothing is different.
    is_none: bool,
    /// How many bytes they begin with in common.
    before: usize,
    /// Where in the older one what they end with in common begins.
    behind: usize,
    /// How much longer the newer one is.
    moved: i64,
}

impl TextChange {
    fn between(old: &str, text: &str) -> TextChange {
        let (old, text) = (old.as_bytes(), text.as_bytes());
        if std::ptr::eq(old, text) {
            return TextChange { is_none: true, before: old.len(), behind: old.len(), moved: 0 };
        }
        let (before, same_at_end) = syntax::common_ends(old, text);
        let behind = old.len() - same_at_end;
        let moved = text.len() as i64 - old.len() as i64;
        TextChange { is_none: before == old.len() && moved == 0, before, behind, moved }
    }

    /// What was found outside of the change, at its new place.
    fn unchanged(self, found: &[PublishedDiagnostic]) -> impl Iterator<Item = ShownDiagnostic<'_>> {
        found.iter().filter_map(move |told| {
            let range = told.diagnostic.range;
            if self.is_none || (range.end as usize) < self.before {
                return Some(told.in_place());
            }
            // A word that touches the change may be another word now.
            let is_behind = range.start as usize > self.behind;
            let shift = |offset: u32| u32::try_from(i64::from(offset) + self.moved).unwrap_or_default();
            let range = TextRange::new(shift(range.start), shift(range.end));
            is_behind.then_some(ShownDiagnostic { told, range, is_moved: true })
        })
    }
}

/// Takes back the diagnostics of a file that was closed.
pub(super) fn clear(document: &Document, outbox: &Outbox) {
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    published.is_closed = true;
    send(document, b"[]", None, outbox);
}

/// Hands a notification to the outbox, as the text it is: the thread that talks to the client has others to serve.
fn send(document: &Document, diagnostics: &[u8], version: Option<i32>, outbox: &Outbox) {
    if let Some(message) = written(published_diagnostic::notification(&document.uri, version, diagnostics)) {
        outbox.send(message);
    }
}

fn written(json: serde_json::Result<Vec<u8>>) -> Option<Vec<u8>> {
    json.inspect_err(|error| tracing::error!("diagnostics cannot be written as JSON: {error}")).ok()
}

/// A number that is the same for the same diagnostics.
fn fingerprint(diagnostics: &[u8]) -> u64 {
    FxBuildHasher.hash_one(diagnostics)
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
