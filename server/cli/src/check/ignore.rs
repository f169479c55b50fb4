//! `--add-ignore`: adds comments that suppress the current findings.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use catalog_view::text::plural;
use codes::Code;
use ide::suppression_comments::{CommentForm, CommentedText, Commenter, LinePlan, Plans};
use ide::{Analysis, Cancelled, DiskState, Settings, Tier};
use syntax::{Language, Severity};

use super::arguments::CheckArguments;
use super::changes::ChangedTexts;
use super::run::FileToLookAt;

use super::sources::SourcesToCheck;
use super::wanted::WantedFindings;
use crate::files::display_path;
use crate::printed_diagnostic::{PrintedDiagnostic, printed};
use crate::workspace::{self, Workspace};
use crate::{ColorChoice, files, terminal};

/// Maximum number of rounds. A comment may have no effect, lead to another finding such as an overlong line, or
/// reveal one in a file with so many that only the first ones are reported.
const MAX_ROUNDS: usize = 500;

/// Maximum number of findings that are listed for one reason.
const MAX_LISTED: usize = 10;

/// Result of adding comments.
#[derive(Default)]
pub(super) struct IgnoreRun {
    pub(super) changes: ChangedTexts,
    /// Number of findings that comments suppress.
    ignored: usize,
    /// Findings that are not suppressed, with their files and lines, counted from 0.
    refused: BTreeMap<IgnoreRefusal, Vec<(PathBuf, FoundOnLine)>>,
    comments: usize,
}

/// Reason why a finding is not suppressed.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum IgnoreRefusal {
    Unreadable,
    Rejected,
    NoComment,
}

/// A finding on a line.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
struct FoundOnLine {
    /// Line in the text, counted from 0.
    line: usize,
    code: Code,
    /// True if Puppet does not compile or apply the code.
    is_failure: bool,
}

/// Comments in one file.
struct FileComments {
    original: Arc<str>,
    language: Language,
    plans: Plans,
    /// Findings that no comment suppresses, by line of the original text.
    refused: BTreeSet<(usize, Code)>,
    /// Line of the original text for each line.
    original_lines: Vec<usize>,
    comments: usize,
}

impl IgnoreRun {
    /// Adds comments to the texts in the analysis. Nothing is written to disk.
    pub(super) fn new(
        arguments: &CheckArguments,
        workspace: &mut Workspace,
        sources: &mut SourcesToCheck,
        settings: &Settings,
    ) -> anyhow::Result<IgnoreRun> {
        let threads = arguments.threads.count();
        let mut run = IgnoreRun::default();
        let mut waiting: Vec<usize> = (0..sources.texts.len()).collect();
        let mut edited: HashMap<usize, FileComments> = HashMap::new();
        let mut first_count = 0;
        for round in 0..MAX_ROUNDS {
            let filter = WantedFindings::new(arguments, sources)?;
            let work = |analysis: &Analysis, at: &usize| {
                let (path, text) = &sources.texts[*at];
                let language = workspace::file(analysis, path).map(|file| analysis.language(file));
                let found = found_in(analysis, path, text, settings, &filter)?;
                Ok::<_, Cancelled>((*at, language.transpose()?, found))
            };
            let found = files::in_parallel(&waiting, threads, || workspace.analysis(), work, |_| {})?;
            waiting.clear();
            let mut states = Vec::new();
            for found in found {
                let (at, language, found) = found.map_err(|error| anyhow::anyhow!("{error}"))?;
                if round == 0 {
                    first_count += found.len();
                }
                if found.is_empty() {
                    continue;
                }
                let (path, text) = &mut sources.texts[at];
                let file = edited.entry(at).or_insert_with(|| FileComments::new(text, language));
                file.add(&found, language.is_some());
                let new: Arc<str> = file.commented(path).into();
                if new != *text {
                    waiting.push(at);
                    *text = new.clone();
                    states.extend(workspace::absolute_path(path).map(|it| (it, DiskState::Text(new))));
                }
            }
            if waiting.is_empty() {
                break;
            }
            workspace.replace(states);
        }
        let mut at: Vec<usize> = edited.keys().copied().collect();
        at.sort_unstable();
        run.note_refused(arguments, workspace, sources, settings, &at)?;
        run.ignored = first_count.saturating_sub(run.refused.values().map(Vec::len).sum());
        for (at, file) in edited {
            let (path, text) = &sources.texts[at];
            if *text != file.original {
                run.comments += file.comments;
                run.changes.before.insert(path.clone(), file.original);
            }
        }
        Ok(run)
    }

    /// Notes the findings that comments do not suppress, in the files at these indices.
    fn note_refused(
        &mut self,
        arguments: &CheckArguments,
        workspace: &Workspace,
        sources: &SourcesToCheck,
        settings: &Settings,
        at: &[usize],
    ) -> anyhow::Result<()> {
        let threads = arguments.threads.count();
        let filter = WantedFindings::new(arguments, sources)?;
        let work = |analysis: &Analysis, at: &usize| {
            let (path, text) = &sources.texts[*at];
            found_in(analysis, path, text, settings, &filter)
        };
        let left = files::in_parallel(at, threads, || workspace.analysis(), work, |_| {})?;
        for (at, left) in at.iter().zip(left) {
            let path = &sources.texts[*at].0;
            for found in left.map_err(|error| anyhow::anyhow!("{error}"))? {
                let of_reason = self.refused.entry(IgnoreRefusal::of(path, &found)).or_default();
                of_reason.push((path.clone(), found));
            }
        }
        Ok(())
    }

    /// Prints the number of comments, and of findings that they do not suppress.
    pub(super) fn print(&self, color: ColorChoice) {
        let findings = plural(self.ignored, "finding", "findings");
        let comments = plural(self.comments, "comment", "comments");
        let files = plural(self.changes.count(), "file", "files");
        terminal::print_to_stderr(&format!("{findings} ignored by {comments} in {files}\n"));
        for (refusal, refused) in &self.refused {
            let findings = plural(refused.len(), "finding", "findings");
            let problem = format!("{findings} not ignored: {}", refusal.reason());
            terminal::print_warning(color, &problem);
            for (path, FoundOnLine { line, code, .. }) in refused.iter().take(MAX_LISTED) {
                let path = output::visible(&display_path(path)).into_owned();
                terminal::print_to_stderr(&format!("  {path}:{}: {code}\n", line + 1));
            }
            if refused.len() > MAX_LISTED {
                terminal::print_to_stderr(&format!("  and {} more\n", refused.len() - MAX_LISTED));
            }
        }
    }
}

impl IgnoreRefusal {
    fn of(path: &Path, found: &FoundOnLine) -> IgnoreRefusal {
        if path.extension().is_some_and(|it| it == "json") {
            IgnoreRefusal::NoComment
        } else if found.code.is_fixed() {
            IgnoreRefusal::Unreadable
        } else if found.is_failure {
            IgnoreRefusal::Rejected
        } else {
            IgnoreRefusal::NoComment
        }
    }

    fn reason(self) -> &'static str {
        match self {
            IgnoreRefusal::Unreadable => "Puppet cannot read the file, which may have further findings",
            IgnoreRefusal::Rejected => "Puppet rejects the code",
            IgnoreRefusal::NoComment => "no comment can hide them",
        }
    }
}

/// Returns the lines and rules of the findings in a file.
fn found_in(
    analysis: &Analysis,
    path: &Path,
    text: &Arc<str>,
    settings: &Settings,
    wanted: &WantedFindings<'_>,
) -> Result<Vec<FoundOnLine>, Cancelled> {
    let (compiles, reports_unused) = (wanted.arguments.compile, wanted.reports_unused(settings));
    let file = FileToLookAt { path, text, tiers: &Tier::LIVE, compiles, reports_unused };
    let found = file.diagnostics(analysis, settings)?;
    let (found, _) = wanted.of(path, printed(text, found, &|_| None));
    let of_line = |it: &PrintedDiagnostic| FoundOnLine {
        line: it.span.start.line as usize,
        code: it.code,
        is_failure: it.severity == Severity::Error
            && it.code.severity() == Severity::Error
            && !it.code.is_style(),
    };
    Ok(found.iter().map(of_line).collect())
}

impl FileComments {
    fn new(text: &Arc<str>, language: Option<Language>) -> FileComments {
        FileComments {
            original: text.clone(),
            language: language.unwrap_or(Language::Manifest),
            plans: Plans::new(),
            refused: BTreeSet::new(),
            original_lines: (0..=text.lines().count()).collect(),
            comments: 0,
        }
    }

    /// Plans comments for findings of the current text. `is_loaded` is false for a file that Puppet would not
    /// load, in which comments have no effect.
    fn add(&mut self, found: &[FoundOnLine], is_loaded: bool) {
        let original = |line: usize| self.original_lines.get(line).copied().unwrap_or(line);
        let found: BTreeSet<FoundOnLine> =
            found.iter().map(|it| FoundOnLine { line: original(it.line), ..*it }).collect();
        let mut escalated = BTreeSet::new();
        for found in found {
            let FoundOnLine { line, code, is_failure } = found;
            if !is_loaded || code.is_fixed() || is_failure || self.refused.contains(&(line, code)) {
                self.refused.insert((line, code));
                continue;
            }
            let form = CommentForm::Trailing;
            let plan = self.plans.entry(line).or_insert(LinePlan { rules: BTreeSet::new(), form });
            if plan.rules.insert(code.comment_name()) {
                continue;
            }
            // The comment has no effect in this form.
            match plan.form {
                CommentForm::Trailing => plan.form = CommentForm::Surrounding,
                CommentForm::Surrounding if escalated.contains(&line) => {}
                CommentForm::Surrounding => {
                    plan.rules.remove(code.comment_name());
                    self.refused.insert((line, code));
                }
            }
            escalated.insert(line);
            if self.plans.get(&line).is_some_and(|it| it.rules.is_empty()) {
                self.plans.remove(&line);
            }
        }
    }

    /// Returns the original text with the planned comments.
    fn commented(&mut self, path: &Path) -> String {
        let original = self.original.clone();
        let commenter = Commenter::new(path, &original, self.language);
        loop {
            let CommentedText { text, comments, original_lines, refused } = commenter.commented(&self.plans);
            if refused.is_empty() {
                (self.comments, self.original_lines) = (comments, original_lines);
                return text;
            }
            for line in refused {
                match self.plans.get_mut(&line) {
                    Some(plan) if plan.form == CommentForm::Trailing => plan.form = CommentForm::Surrounding,
                    _ => {
                        let plan = self.plans.remove(&line);
                        let rules = plan.map(|it| it.rules).unwrap_or_default();
                        let codes = Code::ALL.iter().filter(|it| rules.contains(it.comment_name()));
                        self.refused.extend(codes.map(|it| (line, *it)));
                    }
                }
            }
        }
    }
}
