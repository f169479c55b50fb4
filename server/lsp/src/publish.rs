//! Push diagnostics, published in tiers: syntax errors first, then the rules on syntax, names, and values. Each tier replaces only
//! its own diagnostics.

use std::sync::{Arc, PoisonError};

use ide::{Breadth, Cancellable, Cancelled, Diagnostic, FileId, FilePath, MissingFinding, Tier};
use lsp_types::MessageType;
use rustc_hash::{FxHashMap, FxHashSet};
use syntax::{TextEdit, TextRange};

use super::documents::{Document, Published};
use super::outbox::Outbox;
use super::panics;
use super::published_diagnostic::{self, PublishedDiagnostic, ShownDiagnostic};
use super::reads::{Attempt, ClosedDiagnostics, RequestFile, Snapshot};
use super::typing::Unfinished;

/// Tiers that are computed together; the diagnostics of later tiers on unchanged text are kept in the
/// meantime.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Round {
    /// Syntax errors, which are known as soon as the text is parsed. What the rules on syntax have found before
    /// is kept.
    Errors,
    /// Also the rules on syntax.
    Syntax,
    /// Also names.
    Names,
    /// All tiers that are updated on every change.
    Evaluation,
    /// Changes of the version to upgrade to; other tiers are kept.
    Upgrade,
    /// Compiles only; other tiers are kept.
    Catalogs,
}

impl Round {
    fn tiers(self) -> &'static [Tier] {
        match self {
            Round::Errors | Round::Syntax => &[Tier::Syntax],
            Round::Names => &[Tier::Syntax, Tier::Names],
            Round::Evaluation => &Tier::LIVE,
            Round::Upgrade => &[Tier::Upgrade],
            Round::Catalogs => &[Tier::Catalogs],
        }
    }
}

/// Aborts the process on a text that contains the value of an environment variable, to test crash recovery.
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

/// Publishes the diagnostics of an open file with the version they belong to.
pub(super) fn publish(
    path: &FilePath,
    document: &Document,
    snapshot: &Snapshot,
    round: Round,
    outbox: &Outbox,
) -> Attempt {
    let _span = tracing::info_span!("publish diagnostics", ?round).entered();
    if !snapshot.open_documents.is_newest(path, document) {
        // A newer version is published afterwards.
        return Attempt::Done;
    }
    let _work = snapshot.last_work.on(document.digest());
    #[cfg(debug_assertions)]
    end_on_purpose(document, snapshot);
    let found = panics::catch(|| find(path, document, snapshot, round));
    let (file, found) = match found {
        Ok(Ok(Some(found))) => found,
        // The next round publishes them.
        Ok(Ok(None)) => return Attempt::Done,
        Ok(Err(Cancelled::PendingWrite)) => return Attempt::WritePending,
        Ok(Err(Cancelled::Local)) => return Attempt::Done,
        Err(report) => {
            let message = format!("internal error in the diagnostics of {}: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            return Attempt::Done;
        }
    };
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    // An edit that does not change the contents does not create a revision, so a job for the previous version
    // is not cancelled.
    let is_newer = published.state.as_ref().is_some_and(|it| it.0 > document.generation);
    if published.is_closed || is_newer {
        return Attempt::Done;
    }
    if round == Round::Errors && !published.tiers.contains_key(&Tier::Syntax) {
        return Attempt::Done;
    }
    let mut filter = DiagnosticFilter::new(snapshot, path, round);
    let selected = filter.record(&mut published, found, document, &document.text);
    let Ok(mut has_changed) = selected else { return Attempt::WritePending };
    if snapshot.later.is_none() {
        // The setting was removed.
        has_changed |= published.tiers.remove(&Tier::Upgrade).is_some_and(|(_, shown)| !shown.is_empty());
    }
    let is_published = published.state.as_ref().is_some_and(|it| it.0 == document.generation);
    if is_published && !has_changed {
        return Attempt::Done;
    }
    if snapshot.features.pulls_diagnostics {
        return Attempt::Done;
    }
    let shown = all_unchanged(&published, document);
    let Some(diagnostics) = serialized(published_diagnostic::to_json(snapshot, file.as_ref(), shown)) else {
        return Attempt::Done;
    };
    let state = published.state.as_ref();
    if state.is_some_and(|it| it.0 == document.generation && it.1 == diagnostics) {
        return Attempt::Done;
    }
    send(document, &diagnostics, Some(document.version), outbox);
    published.state = Some((document.generation, diagnostics));
    Attempt::Done
}

/// Decides which diagnostics of a file are shown, given those that are found and those that are shown already.
struct DiagnosticFilter<'s> {
    snapshot: &'s Snapshot,
    path: &'s FilePath,
    round: Round,
    /// Statements at the cursor, if the user is typing. Computed when a diagnostic appears or vanishes, as it requires the
    /// tree.
    unfinished: Option<Unfinished>,
    is_unfinished_known: bool,
    /// True if the statement at the cursor has a syntax error that is withheld.
    is_broken: bool,
}

impl<'s> DiagnosticFilter<'s> {
    fn new(snapshot: &'s Snapshot, path: &'s FilePath, round: Round) -> DiagnosticFilter<'s> {
        DiagnosticFilter {
            snapshot,
            path,
            round,
            unfinished: None,
            is_unfinished_known: false,
            is_broken: false,
        }
    }

    fn find_unfinished(&mut self) -> Cancellable<()> {
        if !self.is_unfinished_known {
            self.unfinished = Unfinished::at_cursor(self.snapshot)?;
            self.is_unfinished_known = true;
        }
        Ok(())
    }

    /// Records the diagnostics of some tiers, except those that are withheld while the user types, and including
    /// those that a syntax error mutes. Returns whether they differ from those that are shown.
    fn record(
        &mut self,
        published: &mut Published,
        found: Vec<(Tier, Vec<Diagnostic>)>,
        document: &Document,
        text: &Arc<str>,
    ) -> Cancellable<bool> {
        let edit = document.edit();
        let mut has_changed = false;
        for (tier, mut found) in found {
            let (before, shown) = match published.tiers.get(&tier) {
                Some((old, shown)) if !shown.is_empty() => {
                    (shown.clone(), TextChange::between(edit.as_deref(), old, text).all(shown).collect())
                }
                _ => (PublishedDiagnostic::all(Vec::new(), &[]), Vec::new()),
            };
            if self.round == Round::Errors {
                let is_error = |it: &ShownDiagnostic<'_>| it.published.diagnostic.code.is_fixed();
                if found.is_empty() && !shown.iter().any(is_error) {
                    // There is no error before and after: nothing but locations changes.
                    continue;
                }
                let of_rules = shown.iter().filter(|it| !it.published.diagnostic.code.is_fixed());
                found.extend(of_rules.map(ShownDiagnostic::diagnostic));
                sort(&mut found);
            }
            let is_provisional = self.select(tier, &mut found, &shown)?;
            has_changed |=
                shown.len() != found.len() || !shown.iter().zip(&found).all(|(it, found)| it.shows(found));
            if is_provisional {
                published.provisional.insert(tier)
            } else {
                published.provisional.remove(&tier)
            };
            published.tiers.insert(tier, (text.clone(), PublishedDiagnostic::all(found, &before)));
        }
        Ok(has_changed)
    }

    /// Replaces the found diagnostics of a tier with those to show. Returns whether they may differ.
    fn select(
        &mut self,
        tier: Tier,
        found: &mut Vec<Diagnostic>,
        shown: &[ShownDiagnostic<'_>],
    ) -> Cancellable<bool> {
        let mut pairs = DiagnosticPairs::new(found, shown);
        pairs.add(ShownDiagnostic::is_similar_to);
        if pairs.are_complete() {
            return Ok(false);
        }
        self.find_unfinished()?;
        if self.unfinished.is_none() && (shown.is_empty() || !self.snapshot.keeps_muted) {
            return Ok(false);
        }
        if let Some(unfinished) = &self.unfinished {
            pairs.add(|shown, found| unfinished.is_same(shown, found));
        }
        let (is_shown, missing) = pairs.finish();
        let mut withheld = Vec::new();
        if let Some(unfinished) = &self.unfinished {
            withheld = unfinished.withhold(self.path, tier, found, &is_shown);
            self.is_broken |= !withheld.is_empty() && tier == Tier::Syntax;
        }
        let mut kept = Vec::new();
        let mut undecided = Vec::new();
        for it in missing {
            match self.keeps(it, &withheld) {
                Some(true) => kept.push(it.diagnostic()),
                Some(false) => {}
                None => undecided.push(it),
            }
        }
        kept.extend(self.muted(tier, &undecided)?);
        let is_provisional = !withheld.is_empty() || !kept.is_empty();
        if !kept.is_empty() {
            found.append(&mut kept);
            sort(found);
        }
        Ok(is_provisional)
    }

    /// Returns whether a shown diagnostic that is not found any more stays because of the incomplete statement at the
    /// cursor, which hides it or takes its place; `None` if that does not depend on the statement.
    fn keeps(&self, shown: &ShownDiagnostic<'_>, withheld: &[Diagnostic]) -> Option<bool> {
        let unfinished = self.unfinished.as_ref()?;
        if self.is_broken && !unfinished.is_between() && unfinished.keeps(self.path, shown) {
            return Some(true);
        }
        if unfinished.is_typed(shown.range) && unfinished.is_in(self.path) {
            return Some(false);
        }
        let is_hidden = || unfinished.hides(self.path, shown);
        (withheld.iter().any(|it| shown.published.reports(it)) || is_hidden()).then_some(true)
    }

    /// Returns the shown diagnostics that are not found any more because a syntax error hides their code.
    fn muted(&self, tier: Tier, missing: &[&ShownDiagnostic<'_>]) -> Cancellable<Vec<Diagnostic>> {
        let analysis = &self.snapshot.analysis;
        let Some(file) = analysis.file_id(self.path) else { return Ok(Vec::new()) };
        if missing.is_empty() || !self.snapshot.keeps_muted {
            return Ok(Vec::new());
        }
        let finding = |it: &&ShownDiagnostic<'_>| MissingFinding {
            code: it.published.diagnostic.code,
            range: it.range,
        };
        let found: Vec<_> = missing.iter().map(finding).collect();
        let are_muted = analysis.are_muted(file, tier, &found)?;
        let muted = missing.iter().zip(are_muted).filter(|(_, is_muted)| *is_muted);
        Ok(muted.map(|(it, _)| it.diagnostic()).collect())
    }
}

/// Found diagnostics and shown ones about the same problem, each at most once.
struct DiagnosticPairs<'f, 't, 'p> {
    found: &'f [Diagnostic],
    shown: &'t [ShownDiagnostic<'p>],
    /// For each found one, whether it is shown.
    is_shown: Vec<bool>,
    /// For each shown one, whether it is not found.
    is_missing: Vec<bool>,
}

impl<'f, 't, 'p> DiagnosticPairs<'f, 't, 'p> {
    fn new(found: &'f [Diagnostic], shown: &'t [ShownDiagnostic<'p>]) -> DiagnosticPairs<'f, 't, 'p> {
        let (is_shown, is_missing) = (vec![false; found.len()], vec![true; shown.len()]);
        DiagnosticPairs { found, shown, is_shown, is_missing }
    }

    /// Pairs the remaining ones for which `is_same` is true.
    fn add(&mut self, is_same: impl Fn(&ShownDiagnostic<'p>, &Diagnostic) -> bool) {
        let DiagnosticPairs { found, shown, is_shown, is_missing } = self;
        // Both are sorted by position, so the next ones mostly match.
        let mut next = 0;
        for (found, is_shown) in found.iter().zip(is_shown).filter(|(_, is_shown)| !**is_shown) {
            let mut candidates = (next..shown.len()).chain(0..next);
            let same = candidates.find(|at| is_missing[*at] && is_same(&shown[*at], found));
            if let Some(at) = same {
                (is_missing[at], *is_shown) = (false, true);
                next = at + 1;
            }
        }
    }

    /// Returns whether exactly the shown ones are found.
    fn are_complete(&self) -> bool {
        self.is_shown.iter().all(|it| *it) && !self.is_missing.contains(&true)
    }

    /// Returns which of the found diagnostics are shown, and the shown ones that are not found.
    fn finish(self) -> (Vec<bool>, Vec<&'t ShownDiagnostic<'p>>) {
        let missing = self.shown.iter().zip(self.is_missing);
        let missing = missing.filter_map(|(it, is_missing)| is_missing.then_some(it)).collect();
        (self.is_shown, missing)
    }
}

/// Returns the diagnostics of all live tiers of a file for a client that pulls them, except those that are
/// withheld while the user types.
pub(super) fn pulled(snapshot: &Snapshot, file: FileId, text: &Arc<str>) -> Cancellable<Vec<Diagnostic>> {
    let path = snapshot.analysis.path(file);
    let Some(document) = snapshot.open_documents.get(&path) else {
        return snapshot.analysis.all_diagnostics(file);
    };
    let mut found = Vec::new();
    for tier in Tier::LIVE {
        found.push((tier, snapshot.analysis.diagnostics(file, tier)?));
    }
    found.push((Tier::Upgrade, snapshot.upgrade_hints(file)?));
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    let mut filter = DiagnosticFilter::new(snapshot, &path, Round::Evaluation);
    filter.record(&mut published, found, &document, text)?;
    document.drop_edit();
    let shown = published.tiers.iter().filter(|(tier, _)| **tier != Tier::Catalogs);
    Ok(shown.flat_map(|(_, (_, found))| found.iter().map(|it| it.diagnostic.clone())).collect())
}

/// Compiles everything that [`Round::Catalogs`] needs for an open file, with several threads.
pub(super) fn compile_ahead(
    path: &FilePath,
    snapshot: &Snapshot,
    threads: usize,
    outbox: &Outbox,
) -> Attempt {
    let file = snapshot.analysis.file_id(path);
    match panics::catch(|| file.map_or(Ok(()), |file| snapshot.analysis.compile_ahead(file, threads))) {
        Ok(Ok(()) | Err(Cancelled::Local)) => Attempt::Done,
        Ok(Err(Cancelled::PendingWrite)) => Attempt::WritePending,
        Err(report) => {
            let message = format!("internal error while compiling {}: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            Attempt::Done
        }
    }
}

/// Records the compile results of the classes in an open file, after [`Round::Catalogs`]. Returns whether
/// they have changed; `None` if a write is pending.
pub(super) fn record_classes(
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
            let message = format!("internal error while compiling {}: {report}", path.as_str());
            outbox.log(MessageType::Error, message);
            return Some(false);
        }
    };
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    let before = published.classes.replace(found.clone());
    Some(before.unwrap_or_default() != found)
}

/// Returns the compile diagnostics in the other files of the modules of some documents; `None` if a write is
/// pending.
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
            outbox.log(MessageType::Error, format!("internal error while compiling: {report}"));
            Some(ClosedDiagnostics::default())
        }
    }
}

fn sort(found: &mut [Diagnostic]) {
    found.sort_by_key(|it| (it.range.start, it.range.end, it.severity()));
}

type FoundDiagnostics = (Option<RequestFile>, Vec<(Tier, Vec<Diagnostic>)>);

/// Returns the diagnostics of a round; `None` if there are none that precede those of the next round.
fn find(
    path: &FilePath,
    document: &Document,
    snapshot: &Snapshot,
    round: Round,
) -> Cancellable<Option<FoundDiagnostics>> {
    let Some(file) = snapshot.diagnosed_file(path, &document.uri)? else {
        return Ok(Some((None, Vec::new())));
    };
    if round == Round::Errors {
        let errors = snapshot.analysis.syntax_errors(file.id)?;
        return Ok(errors.map(|errors| (Some(file), vec![(Tier::Syntax, errors)])));
    }
    let mut found = Vec::new();
    let round = if snapshot.is_reading { Round::Syntax } else { round };
    for tier in round.tiers() {
        let of_tier = match tier {
            Tier::Upgrade => snapshot.upgrade_hints(file.id)?,
            Tier::Catalogs => snapshot.analysis.diagnostics_of_compiles(file.id, Breadth::Nearby)?,
            _ => snapshot.analysis.diagnostics(file.id, *tier)?,
        };
        found.push((*tier, of_tier));
    }
    Ok(Some((Some(file), found)))
}

/// Returns the diagnostics of a tier that are still valid in `text`, with updated ranges; they may have been
/// computed for an older version.
pub(super) fn unchanged<'p>(
    published: &'p Published,
    tier: Tier,
    text: &Arc<str>,
) -> Vec<ShownDiagnostic<'p>> {
    match published.tiers.get(&tier) {
        Some((old, found)) if !found.is_empty() => {
            TextChange::between(None, old, text).unchanged(found).collect()
        }
        _ => Vec::new(),
    }
}

/// Returns the diagnostics of all tiers that are still valid or about to be updated, one tier after the other.
fn all_unchanged<'p>(published: &'p Published, document: &Document) -> Vec<ShownDiagnostic<'p>> {
    let edit = document.edit();
    let mut shown = Vec::new();
    let mut last: Option<(&Arc<str>, TextChange)> = None;
    for (tier, (old, found)) in published.tiers.iter().filter(|(_, (_, found))| !found.is_empty()) {
        let change = match last {
            Some((known, change)) if Arc::ptr_eq(known, old) => change,
            _ => TextChange::between(edit.as_deref(), old, &document.text),
        };
        last = Some((old, change));
        // Diagnostics that are about to be updated stay until then, so that they do not flicker.
        match tier {
            Tier::Catalogs => shown.extend(change.unchanged(found)),
            _ => shown.extend(change.all(found)),
        }
    }
    shown
}

/// Difference between two texts.
#[derive(Clone, Copy)]
struct TextChange {
    /// True if the texts are equal.
    is_unchanged: bool,
    /// Length of the common prefix, in bytes.
    before: usize,
    /// Start of the common suffix in the old text.
    after: usize,
    /// Difference in length: new minus old.
    shift: i64,
}

impl TextChange {
    /// Returns the difference between two texts, which are not compared if `edit` is the one between them.
    fn between(edit: Option<&TextEdit>, old: &Arc<str>, text: &Arc<str>) -> TextChange {
        if Arc::ptr_eq(old, text) {
            return TextChange { is_unchanged: true, before: old.len(), after: old.len(), shift: 0 };
        }
        let (before, same_at_end) = TextEdit::common_ends(edit, old, text);
        let after = old.len() - same_at_end;
        let shift = text.len() as i64 - old.len() as i64;
        TextChange { is_unchanged: before == old.len() && shift == 0, before, after, shift }
    }

    /// Returns the diagnostics outside of the change, with updated ranges.
    fn unchanged(self, found: &[PublishedDiagnostic]) -> impl Iterator<Item = ShownDiagnostic<'_>> {
        found.iter().filter_map(move |published| {
            let range = published.diagnostic.range;
            if self.is_unchanged || (range.end as usize) < self.before {
                return Some(published.in_place());
            }
            // A word that touches the change may have become a different word.
            let is_after = range.start as usize > self.after;
            let range = TextRange::new(self.shifted(range.start), self.shifted(range.end));
            is_after.then_some(ShownDiagnostic { published, range, is_moved: true })
        })
    }

    /// Returns the diagnostics with updated ranges, except those whose text was replaced as a whole.
    fn all(self, found: &[PublishedDiagnostic]) -> impl Iterator<Item = ShownDiagnostic<'_>> {
        found.iter().filter_map(move |published| {
            let range = published.diagnostic.range;
            let (start, end) = (range.start as usize, range.end as usize);
            if self.is_unchanged || end < self.before {
                return Some(published.in_place());
            }
            let is_replaced = self.before < self.after && self.before <= start && end <= self.after;
            let moved =
                |offset: u32| if offset as usize > self.before { self.shifted(offset) } else { offset };
            let moved_end =
                if end >= self.after { self.shifted(range.end) } else { range.end.min(self.before as u32) };
            let range = TextRange::new(moved(range.start), moved_end);
            (!is_replaced).then_some(ShownDiagnostic { published, range, is_moved: true })
        })
    }

    fn shifted(self, offset: u32) -> u32 {
        u32::try_from(i64::from(offset) + self.shift).unwrap_or_default()
    }
}

/// Clears the diagnostics of a closed file.
pub(super) fn clear(document: &Document, outbox: &Outbox) {
    let mut published = document.published.lock().unwrap_or_else(PoisonError::into_inner);
    published.is_closed = true;
    send(document, &published_diagnostic::none(), None, outbox);
}

/// Hands a serialized notification to the outbox, bypassing the thread that serves the client.
fn send(document: &Document, diagnostics: &[u8], version: Option<i32>, outbox: &Outbox) {
    if let Some(message) = serialized(published_diagnostic::notification(&document.uri, version, diagnostics))
    {
        outbox.send(message);
    }
}

fn serialized<J>(json: serde_json::Result<J>) -> Option<J> {
    json.inspect_err(|error| tracing::error!("cannot serialize diagnostics: {error}")).ok()
}

#[cfg(test)]
#[path = "publish_tests.rs"]
mod tests;
