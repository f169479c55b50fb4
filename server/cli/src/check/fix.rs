//! `--fix`: what findings say how to mend, made until nothing is left to mend.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use format::LayoutEdit;
use ide::{Analysis, Cancelled, Diagnostic, DiskState, FixData};
use syntax::{Language, TextRange, pn};

use super::SourcesToCheck;
use crate::files::lines::changed_runs;
use crate::files::{self, FileFailure, display_path, replacement};
use crate::format::unified;
use crate::workspace::{self, Workspace};

/// Fixes that touch each other are made one after the other, in so many rounds at most.
const MAX_ROUNDS: usize = 10;

/// What has become of the texts.
#[derive(Default)]
pub(super) struct FixRun {
    /// How many findings were mended.
    pub(super) mended: usize,
    /// How many could be, by fixes that may change what the code does.
    pub(super) held_back: usize,
    /// The texts of the files that have changed, as they were.
    before: HashMap<PathBuf, Arc<str>>,
}

/// What a round does to a text.
struct MendedText {
    at: usize,
    text: Arc<str>,
    count: usize,
}

impl FixRun {
    /// Mends the texts in the analysis; nothing is written.
    pub(super) fn new(
        workspace: &mut Workspace,
        sources: &mut SourcesToCheck,
        takes_unsafe: bool,
        threads: usize,
    ) -> anyhow::Result<FixRun> {
        let mut run = FixRun::default();
        let mut waiting: Vec<usize> = (0..sources.texts.len()).collect();
        // Two checks may undo what the other does: a text that was there before is the last one.
        let mut seen: HashMap<usize, HashSet<Arc<str>>> = HashMap::new();
        let mut counts: HashMap<usize, usize> = HashMap::new();
        for round in 0..MAX_ROUNDS {
            let work = |analysis: &Analysis, at: &usize| {
                let (path, text) = &sources.texts[*at];
                mend(analysis, *at, path, text, takes_unsafe)
            };
            let results = files::in_parallel(&waiting, threads, || workspace.analysis(), work, |_| {})?;
            let mut mended: Vec<MendedText> = Vec::new();
            for result in results {
                let (text, held_back) = result.map_err(|error| anyhow::anyhow!("{error}"))?;
                run.held_back += if round == 0 { held_back } else { 0 };
                mended.extend(text);
            }
            if mended.is_empty() {
                break;
            }
            waiting.clear();
            let mut states = Vec::new();
            for MendedText { at, text, count } in mended {
                let (path, old) = &mut sources.texts[at];
                *counts.entry(at).or_default() += count;
                let seen = seen.entry(at).or_default();
                seen.insert(old.clone());
                run.before.entry(path.clone()).or_insert_with(|| old.clone());
                if seen.insert(text.clone()) {
                    waiting.push(at);
                }
                *old = text.clone();
                states.extend(workspace::absolute_path(path).map(|it| (it, DiskState::Text(text))));
            }
            workspace.replace(states);
        }
        for (at, (path, text)) in sources.texts.iter().enumerate() {
            match run.before.get(path) {
                Some(before) if before == text => drop(run.before.remove(path)),
                _ => run.mended += counts.get(&at).copied().unwrap_or_default(),
            }
        }
        Ok(run)
    }

    /// How many files differ from what is on disk.
    pub(super) fn changed(&self) -> usize {
        self.before.len()
    }

    /// What would be written, as a diff.
    pub(super) fn diff(&self, sources: &SourcesToCheck) -> String {
        let changed =
            sources.texts.iter().filter_map(|(path, text)| Some((path, self.before.get(path)?, text)));
        let name = |path: &Path| output::visible(&display_path(path)).into_owned();
        changed.map(|(path, old, new)| unified::diff(&name(path), old, &edits(old, new))).collect()
    }

    /// Writes the files that differ; what could not be written.
    pub(super) fn write(&self, sources: &SourcesToCheck) -> Vec<FileFailure> {
        let changed = sources.texts.iter().filter(|(path, _)| self.before.contains_key(path));
        let write = |(path, text): &(PathBuf, Arc<str>)| {
            let failure = replacement::write(path, text).err()?;
            Some(FileFailure::unwritten(path, &failure))
        };
        changed.filter_map(write).collect()
    }
}

/// One round for one file: the text after it where it changes, and how many fixes are only made when they are asked for.
fn mend(
    analysis: &Analysis,
    at: usize,
    path: &Path,
    text: &Arc<str>,
    takes_unsafe: bool,
) -> Result<(Option<MendedText>, usize), Cancelled> {
    let Some(file) = workspace::file(analysis, path) else { return Ok((None, 0)) };
    let language = analysis.language(file)?;
    let found = analysis.fixable_diagnostics(file)?;
    let held_back = found.iter().filter(|it| fix_of(it).is_some() && !takes_unsafe && !is_safe(it)).count();
    let fixes: Vec<FindingFix> =
        found.iter().filter(|it| takes_unsafe || is_safe(it)).filter_map(fix_of).collect();
    let is_layout = |it: &&FindingFix| lint::is_layout(it.code);
    // What changes the layout alone is made first, and held to that.
    let layout: Vec<&FindingFix> = fixes.iter().filter(is_layout).collect();
    let others: Vec<&FindingFix> = fixes.iter().filter(|it| !is_layout(it)).collect();
    for (fixes, keeps_meaning) in [(layout, true), (others, false)] {
        let (new, count) = applied(text, &fixes);
        if count > 0 && new != **text && is_sound(path, language, text, &new, keeps_meaning) {
            return Ok((Some(MendedText { at, text: new.into(), count }), held_back));
        }
    }
    Ok((None, held_back))
}

/// What would mend a finding, in the order of the text.
struct FindingFix {
    code: codes::Code,
    edits: Vec<(TextRange, String)>,
}

fn fix_of(diagnostic: &Diagnostic) -> Option<FindingFix> {
    let edits = match diagnostic.data.as_ref()? {
        FixData::ReplaceWith { range, text } => vec![(*range, text.to_string())],
        FixData::Remove(range) => vec![(*range, String::new())],
        FixData::Edits { edits, .. } => {
            edits.iter().map(|(range, text)| (*range, text.to_string())).collect()
        }
        _ => return None,
    };
    Some(FindingFix { code: diagnostic.code, edits })
}

/// Does the fix leave what the code does?
fn is_safe(diagnostic: &Diagnostic) -> bool {
    matches!(&diagnostic.data, Some(FixData::Edits { is_safe: true, .. }))
}

/// The text after the fixes, and how many were made: one that touches another waits for the next round.
fn applied(text: &str, fixes: &[&FindingFix]) -> (String, usize) {
    let mut taken: Vec<(TextRange, &str)> = Vec::new();
    let mut count = 0;
    for fix in fixes {
        let touches = |range: TextRange| {
            let at = taken.partition_point(|(it, _)| it.end < range.start);
            taken.get(at).is_some_and(|(it, _)| it.intersects_or_touches(range))
        };
        if fix.edits.iter().any(|(range, _)| touches(*range)) {
            continue;
        }
        count += 1;
        for (range, new) in &fix.edits {
            let at = taken.partition_point(|(it, _)| (it.start, it.end) <= (range.start, range.end));
            taken.insert(at, (*range, new));
        }
    }
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for (range, new) in taken {
        out.push_str(&text[at..range.start as usize]);
        out.push_str(new);
        at = range.end as usize;
    }
    (out + &text[at..], count)
}

/// Does a text still parse, and does it mean the same where it has to?
fn is_sound(path: &Path, language: Language, old: &str, new: &str, keeps_meaning: bool) -> bool {
    if !files::is_puppet_file(path) {
        return true;
    }
    let parse = syntax::parse(new, language);
    parse.errors().is_empty()
        && (!keeps_meaning || pn::to_pn(&parse) == pn::to_pn(&syntax::parse(old, language)))
}

/// The lines that differ, as edits.
fn edits(old: &str, new: &str) -> Vec<LayoutEdit> {
    let old_lines: Vec<&str> = old.split_inclusive('\n').collect();
    let new_lines: Vec<&str> = new.split_inclusive('\n').collect();
    let mut starts = vec![0_u32];
    for line in &old_lines {
        starts.push(starts.last().copied().unwrap_or_default() + line.len() as u32);
    }
    let runs = changed_runs(&old_lines, &new_lines).into_iter();
    runs.map(|(went, came)| LayoutEdit {
        start: starts[went.start],
        end: starts[went.end],
        text: new_lines[came].concat(),
    })
    .collect()
}
