//! Effects of edits on catalogs: compiles everything before and after them, for two Puppet versions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use comparison::compare::{ChangeKind, ComparedCatalog, Comparison, Difference, compared};
use compile::CompileRequest;
use disk::config::Config;
use ide::{Analysis, Compiled, EnvironmentId, FilePath};
use measure::WorkMeter;

use crate::compile::matrix::{Task, Tasks, tasks};
use crate::compile::subject::{Classification, Subject};
use crate::files;
use crate::workspace::{self, Workspace};

/// A file before and after its edits.
pub(crate) struct EditedText {
    pub(crate) path: PathBuf,
    pub(crate) before: Arc<str>,
    pub(crate) after: Arc<str>,
}

/// Effect of the edits of a file on the catalogs that contain its code.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum EditEffect {
    /// All catalogs are equal.
    Nothing,
    /// No difference is known, but not everything could be compared, for this reason.
    Open(String),
    /// A catalog differs, with a description of the first difference.
    Difference(String),
}

/// The project with the earlier version, before and after the edits, and with the later version.
type FourSides<T> = [T; 4];

/// A catalog to compile, with the environment of each side.
struct ProofTask {
    /// Entry and platform.
    name: String,
    environments: FourSides<EnvironmentId>,
    earlier: CompileRequest,
    later: CompileRequest,
}

/// Effect on one catalog, with the files whose code it contains.
struct EntryEffect {
    files: HashSet<FilePath>,
    effect: EditEffect,
}

/// Returns the effect of the edits of each file. `texts` are the texts of all files that were named; the
/// settings are those for the earlier and the later version of Puppet.
///
/// An edit has no effect if the catalogs of the earlier version are equal, and those of the later version are
/// equal too, fail without the edit, or are with it what they were in the earlier version.
pub(crate) fn effects(
    (earlier, later): (&Config, &Config),
    named: &[PathBuf],
    texts: &[EditedText],
    threads: usize,
) -> anyhow::Result<HashMap<PathBuf, EditEffect>> {
    let sides = [(earlier, false), (earlier, true), (later, false), (later, true)];
    let sides = sides.map(|(config, is_after)| {
        let text = |it: &EditedText| if is_after { it.after.clone() } else { it.before.clone() };
        let texts = texts.iter().map(|it| (it.path.clone(), text(it)));
        Subject::of(Workspace::with_surroundings(config, named, texts), config.clone())
    });
    let edited: Vec<&EditedText> = texts.iter().filter(|it| it.before != it.after).collect();
    // Catalogs do not record the data and ERB templates that they depend on.
    let edits_data = edited.iter().any(|it| !files::is_puppet_file(&it.path));
    let start = || sides.each_ref().map(|it| it.workspace.analysis());
    let tasks = proof_tasks(&sides, &start())?;
    let limit = tasks.first().map(|it| start()[0].work_limit(it.environments[0])).transpose()?;
    let meter = WorkMeter::new(limit.unwrap_or_default().saturating_mul(2));
    let work = |analyses: &FourSides<Analysis>, (index, task): &(usize, &ProofTask)| {
        meter.run(*index, || entry_effect(analyses, task, edits_data))
    };
    let numbered: Vec<(usize, &ProofTask)> = tasks.iter().enumerate().collect();
    let results = files::in_parallel(&numbered, threads, start, work, |_| {})?;
    let counted = meter.counted(tasks.len());
    let known = results.into_iter().take(counted).collect::<anyhow::Result<Vec<_>>>()?;
    let known: Vec<EntryEffect> = known.into_iter().flatten().flatten().collect();
    let effects = edited.iter().map(|it| {
        let path = workspace::absolute_path(&it.path);
        let is_code = files::is_puppet_file(&it.path);
        let covers =
            |effect: &&EntryEffect| !is_code || path.as_ref().is_some_and(|path| effect.files.contains(path));
        let worst = known.iter().filter(covers).map(|it| it.effect.clone()).max();
        let effect = match worst {
            Some(EditEffect::Nothing) if counted < tasks.len() => {
                EditEffect::Open("the work limit of a run was reached".to_owned())
            }
            Some(effect) => effect,
            None => EditEffect::Open("no catalog contains the code".to_owned()),
        };
        (it.path.clone(), effect)
    });
    Ok(effects.collect())
}

/// Returns everything that both versions compile.
fn proof_tasks(sides: &FourSides<Subject>, analyses: &FourSides<Analysis>) -> anyhow::Result<Vec<ProofTask>> {
    let tasks_of = |at: usize, environment| -> anyhow::Result<Tasks> {
        let named = sides[at].configured_facts()?;
        tasks(&sides[at], &analyses[at], environment, &named, &Classification::default())
    };
    let key = |it: &Task| (it.entry.name.clone(), it.entry.is_class, it.platform.clone());
    let mut found = Vec::new();
    for environment in analyses[0].environments() {
        let root = analyses[0].environment_root(environment);
        let same = analyses.each_ref().map(|analysis| {
            analysis.environments().into_iter().find(|it| analysis.environment_root(*it) == root)
        });
        let [Some(a), Some(b), Some(c), Some(d)] = same else { continue };
        let later = tasks_of(3, d)?.tasks.into_iter();
        let mut requests: BTreeMap<_, CompileRequest> = later.map(|it| (key(&it), it.request)).collect();
        for task in tasks_of(0, a)?.tasks {
            let Some(later) = requests.remove(&key(&task)) else { continue };
            let name = format!("`{}` on {}", task.entry.name, task.platform);
            found.push(ProofTask { name, environments: [a, b, c, d], earlier: task.request, later });
        }
    }
    Ok(found)
}

/// Compiles an entry with both versions, before and after the edits. Returns `None` if the edits do not
/// concern it.
fn entry_effect(
    analyses: &FourSides<Analysis>,
    task: &ProofTask,
    edits_data: bool,
) -> anyhow::Result<(Option<EntryEffect>, u64)> {
    let [a, b, c, d] = task.environments;
    let mut work = 0;
    let mut compile = |analysis: &Analysis, environment, request| -> anyhow::Result<Compiled> {
        let compiled = analysis.compile_with_verdict(environment, request, None)?;
        work += compiled.work();
        Ok(compiled)
    };
    let [before, after, new_before, new_after] = analyses;
    let (was, is) = (compile(before, a, &task.earlier)?, compile(after, b, &task.earlier)?);
    let mut files = HashSet::new();
    for (analysis, compiled) in [(before, &was), (after, &is)] {
        files.extend(analysis.code_files(compiled)?.into_iter().map(|it| analysis.path(it)));
    }
    let was = ComparedCatalog::new((before, a), was, None)?;
    let is = ComparedCatalog::new((after, b), is, None)?;
    if was.fingerprint == is.fingerprint && !edits_data {
        return Ok((None, work));
    }
    let comparison = compared(Some(&was), Some(&is));
    let mut effect = effect_of(&comparison, &task.name);
    let later = ComparedCatalog::new((new_after, d), compile(new_after, d, &task.later)?, None)?;
    if compared(Some(&was), Some(&later)).difference.is_some() {
        let unedited = ComparedCatalog::new((new_before, c), compile(new_before, c, &task.later)?, None)?;
        effect = effect.max(match compared(Some(&unedited), Some(&later)).difference {
            None | Some(Difference::CompilesNow(_) | Difference::FailsDifferently { .. }) => {
                EditEffect::Nothing
            }
            Some(difference) => EditEffect::Difference(format!(
                "{} with the later version",
                described(&difference, &task.name)
            )),
        });
    }
    Ok((Some(EntryEffect { files, effect }), work))
}

fn effect_of(comparison: &Comparison, name: &str) -> EditEffect {
    let Comparison { difference, failure_of_both, open, is_skipped, possible, .. } = comparison;
    match (difference, failure_of_both, open.first()) {
        (Some(difference), ..) => EditEffect::Difference(described(difference, name)),
        (None, Some(failure), _) => EditEffect::Open(format!("{name} does not compile: {failure}")),
        (None, None, Some(part)) => EditEffect::Open(format!("{part} in {name}")),
        _ if *is_skipped || !possible.is_empty() => EditEffect::Open(format!("{name} was not compared")),
        _ => EditEffect::Nothing,
    }
}

/// Describes a difference in one line.
fn described(difference: &Difference, name: &str) -> String {
    match difference {
        Difference::New(_) | Difference::Gone => format!("{name} is not compiled on both sides"),
        Difference::FailsNow(message) => format!("{name} fails: {message}"),
        Difference::CompilesNow(message) => format!("{name} compiles, and failed before: {message}"),
        Difference::FailsDifferently { after, .. } => format!("{name} fails differently: {after}"),
        Difference::Resources(changes) => match changes.first() {
            Some(change) if change.kind == ChangeKind::Changed => {
                let names: Vec<&str> = change.parameters.iter().map(|it| it.name.as_str()).collect();
                format!("{} of `{}` changes in {name}", names.join(", "), change.reference)
            }
            Some(change) => format!("`{}` only exists on one side in {name}", change.reference),
            None => format!("{name} changes"),
        },
    }
}
