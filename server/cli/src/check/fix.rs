//! `--fix`: applies fixes until no more are available.

use std::collections::{HashMap, HashSet};
use std::path::Path;
use std::sync::Arc;

use ide::{Analysis, Cancelled, Diagnostic, DiskState, FixData, LintLevel};
use syntax::{Language, TextRange, pn};

use super::changes::ChangedTexts;
use super::sources::SourcesToCheck;
use crate::check::arguments::CheckArguments;
use crate::printed_diagnostic::{FixSafety, fix_safety};
use crate::workspace::{self, Workspace};
use crate::{ColorChoice, files, terminal};
use catalog_view::text::plural;
use codes::Code;
use disk::config::Config;

/// Maximum number of rounds. Overlapping fixes are applied one after the other.
const MAX_ROUNDS: usize = 10;

/// Result of applying fixes.
#[derive(Default)]
pub(super) struct FixRun {
    /// Number of fixed findings.
    pub(super) fixed: usize,
    /// Number of findings with an unsafe fix that was not applied.
    pub(super) held_back: usize,
    pub(super) changes: ChangedTexts,
    /// Number of applied fixes by index of the text.
    pub(super) counts: HashMap<usize, usize>,
}

/// Fixes to apply.
#[derive(Clone, Copy)]
pub(super) struct FixChoice {
    /// True to apply fixes that may change behavior as well.
    pub(super) takes_unsafe: bool,
    /// Returns true for the findings that are fixed.
    pub(super) takes: fn(&Diagnostic) -> bool,
}

/// Result of one round for a text.
struct FixedText {
    at: usize,
    text: Arc<str>,
    count: usize,
}

impl FixRun {
    /// Applies fixes to the texts in the analysis. Nothing is written to disk.
    pub(super) fn new(
        workspace: &mut Workspace,
        sources: &mut SourcesToCheck,
        choice: FixChoice,
        threads: usize,
    ) -> anyhow::Result<FixRun> {
        let mut run = FixRun::default();
        let mut waiting: Vec<usize> = (0..sources.texts.len()).collect();
        // Two checks may undo each other's fixes: stop at a text that has been seen before.
        let mut seen: HashMap<usize, HashSet<Arc<str>>> = HashMap::new();
        for round in 0..MAX_ROUNDS {
            let work = |analysis: &Analysis, at: &usize| {
                let (path, text) = &sources.texts[*at];
                fix(analysis, *at, path, text, choice)
            };
            let results = files::in_parallel(&waiting, threads, || workspace.analysis(), work, |_| {})?;
            let mut fixed: Vec<FixedText> = Vec::new();
            for result in results {
                let (text, held_back) = result.map_err(|error| anyhow::anyhow!("{error}"))?;
                run.held_back += if round == 0 { held_back } else { 0 };
                fixed.extend(text);
            }
            if fixed.is_empty() {
                break;
            }
            waiting.clear();
            let mut states = Vec::new();
            for FixedText { at, text, count } in fixed {
                let (path, old) = &mut sources.texts[at];
                *run.counts.entry(at).or_default() += count;
                let seen = seen.entry(at).or_default();
                seen.insert(old.clone());
                run.changes.before.entry(path.clone()).or_insert_with(|| old.clone());
                if seen.insert(text.clone()) {
                    waiting.push(at);
                }
                *old = text.clone();
                states.extend(workspace::absolute_path(path).map(|it| (it, DiskState::Text(text))));
            }
            workspace.replace(states);
        }
        for (at, (path, text)) in sources.texts.iter().enumerate() {
            match run.changes.before.get(path) {
                Some(before) if before == text => drop(run.changes.before.remove(path)),
                _ => run.fixed += run.counts.get(&at).copied().unwrap_or_default(),
            }
        }
        Ok(run)
    }
}

/// Runs one round for one file. Returns the new text if it changes, and the number of unsafe fixes that were
/// not applied.
fn fix(
    analysis: &Analysis,
    at: usize,
    path: &Path,
    text: &Arc<str>,
    choice: FixChoice,
) -> Result<(Option<FixedText>, usize), Cancelled> {
    let Some(file) = workspace::file(analysis, path) else { return Ok((None, 0)) };
    let language = analysis.language(file)?;
    let found = analysis.fixable_diagnostics(file)?;
    let (fixable, unsafe_only): (Vec<_>, Vec<_>) = found
        .iter()
        .filter(|it| (choice.takes)(it))
        .partition(|it| choice.takes_unsafe || fix_safety(it) == Some(FixSafety::Safe));
    let held_back = unsafe_only.into_iter().filter(|it| fix_safety(it).is_some()).count();
    let fixes: Vec<FindingFix> = fixable.into_iter().filter_map(fix_of).collect();
    let is_layout = |it: &&FindingFix| lint::is_formatting_fix(it.code);
    // Formatting fixes go first and must not change the meaning of the code.
    let layout: Vec<&FindingFix> = fixes.iter().filter(is_layout).collect();
    let others: Vec<&FindingFix> = fixes.iter().filter(|it| !is_layout(it)).collect();
    for (fixes, keeps_meaning) in [(layout, true), (others, false)] {
        let fixed = files::largest_accepted(&fixes, &mut |fixes: &[&FindingFix]| {
            let (new, count) = applied(text, fixes);
            let accepts = count > 0 && new != **text && is_sound(path, language, text, &new, keeps_meaning);
            accepts.then(|| FixedText { at, text: new.into(), count })
        });
        if fixed.is_some() {
            return Ok((fixed, held_back));
        }
    }
    Ok((None, held_back))
}

/// Edits that fix a finding, in text order.
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

/// Applies fixes and returns the new text with the number of fixes applied. Fixes that touch others wait for
/// the next round.
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

/// Returns true if the new text parses, and has the same meaning if `keeps_meaning`.
fn is_sound(path: &Path, language: Language, old: &str, new: &str, keeps_meaning: bool) -> bool {
    if !files::is_puppet_file(path) {
        return true;
    }
    let parse = syntax::parse(new, language);
    parse.errors().is_empty()
        && (!keeps_meaning || pn::to_pn(&parse) == pn::to_pn(&syntax::parse(old, language)))
}

pub(super) fn print_fix_count(findings: usize, files: usize, arguments: &CheckArguments) {
    let (findings, files) = (plural(findings, "finding", "findings"), plural(files, "file", "files"));
    let verb = if arguments.diff { "would be fixed" } else { "fixed" };
    terminal::print_to_stderr(&format!("{findings} {verb} in {files}\n"));
}

/// Prints the number of applied fixes, and of those that were not applied because they are unsafe.
pub(super) fn print_fixes(run: &FixRun, arguments: &CheckArguments, config: &Config, color: ColorChoice) {
    print_fix_count(run.fixed, run.changes.count(), arguments);
    let levels = &config.settings.lint_levels;
    let is_enabled = |it: &&Code| levels.get(it.as_str()).is_some_and(|it| *it != LintLevel::Off);
    let mut style = Code::ALL.iter().filter(|it| it.is_style());
    if run.fixed == 0 && !style.any(|it| is_enabled(&it)) {
        terminal::print_to_stderr("rules of style are off; `--select style` enables them and their fixes\n");
    }
    if run.held_back > 0 {
        let fixes = plural(run.held_back, "fix", "fixes");
        terminal::print_warning(color, &cli_common::report::unsafe_fixes_message(&fixes));
    }
}
