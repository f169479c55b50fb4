//! Effects of edits on catalogs: compiles everything before and after them, for two Puppet versions.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;

use comparison::compare::{ChangeKind, ComparedCatalog, Comparison, Difference, compared};
use compile::CompileRequest;
use disk::config::Config;
use ide::{Analysis, Compiled, EnvironmentId, FilePath};
use measure::WorkMeter;

use crate::compile::matrix::{Task, TaskName, Tasks, tasks};
use crate::compile::subject::{Classification, Subject};

use crate::files;
use crate::workspace::{self, Workspace};
use cli_common::entry::{CompiledEntry, facts_for_entry};

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
    earlier: &Config,
    later: &Config,
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

/// Returns the effect of a change of a module that removes a class, on the catalogs that contain code of the
/// module. The class itself is not a difference.
pub(crate) fn effect_of_removal(
    config: &Config,
    sides: [Workspace; 2],
    class: &str,
    root: &FilePath,
) -> anyhow::Result<EditEffect> {
    let sides = sides.map(|it| Subject::of(it, config.clone()));
    let start = || sides.each_ref().map(|it| it.workspace.analysis());
    let removed = format!("Class[{}]", reference_name(class));
    let tasks = removal_tasks(&sides, &start(), root)?;
    let limit = tasks.first().map(|it| start()[0].work_limit(it.environments[0])).transpose()?;
    let meter = WorkMeter::new(limit.unwrap_or_default().saturating_mul(2));
    let work = |analyses: &[Analysis; 2], (index, task): &(usize, &RemovalTask)| {
        meter.run(*index, || effect_on_entry(analyses, task, &removed, root))
    };
    let numbered: Vec<(usize, &RemovalTask)> = tasks.iter().enumerate().collect();
    let results = files::in_parallel(&numbered, files::default_threads(), start, work, |_| {})?;
    let counted = meter.counted(tasks.len());
    let known = results.into_iter().take(counted).collect::<anyhow::Result<Vec<_>>>()?;
    let worst = known.into_iter().flatten().flatten().max();
    Ok(match worst {
        Some(EditEffect::Nothing) | None if counted < tasks.len() => {
            EditEffect::Open("the work limit of a run was reached".to_owned())
        }
        Some(effect) => effect,
        None => EditEffect::Open("no catalog contains the code".to_owned()),
    })
}

/// Comparison of the catalogs that contain the code of a file.
#[derive(Clone, Default, Debug)]
pub(crate) struct FileComparison {
    /// True if a catalog with the code is known to be equal.
    pub(crate) is_equal: bool,
    /// First known difference.
    pub(crate) difference: Option<String>,
    /// Reason why a catalog could not be compared.
    pub(crate) open: Option<String>,
}

/// Compares the catalogs of the module below `root`, and of what uses it, before and after a change, by file.
pub(crate) fn compared_files(
    config: &Config,
    sides: [Workspace; 2],
    root: &FilePath,
) -> anyhow::Result<HashMap<FilePath, FileComparison>> {
    let sides = sides.map(|it| Subject::of(it, config.clone()));
    let start = || sides.each_ref().map(|it| it.workspace.analysis());
    let tasks = removal_tasks(&sides, &start(), root)?;
    let limit = tasks.first().map(|it| start()[0].work_limit(it.environments[0])).transpose()?;
    let meter = WorkMeter::new(limit.unwrap_or_default().saturating_mul(2));
    let work = |analyses: &[Analysis; 2], (index, task): &(usize, &RemovalTask)| {
        meter.run(*index, || compared_entry(analyses, task))
    };
    let numbered: Vec<(usize, &RemovalTask)> = tasks.iter().enumerate().collect();
    let results = files::in_parallel(&numbered, files::default_threads(), start, work, |_| {})?;
    let counted = meter.counted(tasks.len());
    let known = results.into_iter().take(counted).collect::<anyhow::Result<Vec<_>>>()?;
    let mut found: HashMap<FilePath, FileComparison> = HashMap::new();
    for EntryEffect { files, effect } in known.into_iter().flatten() {
        for file in files {
            let of_file = found.entry(file).or_default();
            match &effect {
                EditEffect::Nothing => of_file.is_equal = true,
                EditEffect::Difference(it) => of_file.difference = Some(it.clone()),
                EditEffect::Open(it) => of_file.open = Some(it.clone()),
            }
        }
    }
    Ok(found)
}

/// Compiles an entry before and after a change.
fn compared_entry(analyses: &[Analysis; 2], task: &RemovalTask) -> anyhow::Result<(EntryEffect, u64)> {
    let mut sides = Vec::new();
    let (mut work, mut files) = (0, HashSet::new());
    for (at, analysis) in analyses.iter().enumerate() {
        let compiled = analysis.compile_with_verdict(task.environments[at], &task.requests[at], None)?;
        work += compiled.work();
        files.extend(analysis.code_files(&compiled)?.into_iter().map(|it| analysis.path(it)));
        sides.push(ComparedCatalog::new(analysis, task.environments[at], compiled, None)?);
    }
    let effect = effect_of(&compared(sides.first(), sides.last()), &task.name);
    Ok((EntryEffect { files, effect }, work))
}

/// A catalog to compile before and after a change.
struct RemovalTask {
    name: String,
    environments: [EnvironmentId; 2],
    requests: [CompileRequest; 2],
}

/// Returns everything that both sides compile, and the classes of the module below `root`.
fn removal_tasks(
    sides: &[Subject; 2],
    analyses: &[Analysis; 2],
    root: &FilePath,
) -> anyhow::Result<Vec<RemovalTask>> {
    let tasks_of = |at: usize, environment| -> anyhow::Result<Vec<Task>> {
        let named = sides[at].configured_facts()?;
        let mut found =
            tasks(&sides[at], &analyses[at], environment, &named, &Classification::default())?.tasks;
        let related = related_modules(&analyses[at], environment, root)?;
        let module_of = |it: &Task| it.name.entry.name.split("::").next().unwrap_or_default().to_owned();
        found.retain(|it| !it.name.entry.is_class || related.contains(&module_of(it)));
        found.extend(class_tasks(&sides[at], &analyses[at], environment, root)?);
        Ok(found)
    };
    let mut found = Vec::new();
    for environment in analyses[0].environments() {
        let root = analyses[0].environment_root(environment);
        let is_same = |it: &EnvironmentId| analyses[1].environment_root(*it) == root;
        let Some(after) = analyses[1].environments().into_iter().find(is_same) else { continue };
        let later = tasks_of(1, after)?.into_iter();
        let mut requests: BTreeMap<_, CompileRequest> = later.map(|it| (task_key(&it), it.request)).collect();
        for task in tasks_of(0, environment)? {
            let Some(later) = requests.remove(&task_key(&task)) else { continue };
            let name = format!("`{}` on {}", task.name.entry.name, task.name.platform);
            found.push(RemovalTask {
                name,
                environments: [environment, after],
                requests: [task.request, later],
            });
        }
    }
    Ok(found)
}

/// Returns the module below `root` and those whose code names it, directly or through other modules.
fn related_modules(
    analysis: &Analysis,
    environment: EnvironmentId,
    root: &FilePath,
) -> anyhow::Result<HashSet<String>> {
    let modules = analysis.modules(environment);
    let mut texts: HashMap<&str, Vec<Arc<str>>> = HashMap::new();
    for file in analysis.all_files() {
        let path = analysis.path(file);
        let module = modules.iter().find(|(_, root)| path.starts_with(root));
        let text = module.map(|_| analysis.text(file)).transpose()?.flatten();
        if let (Some((module, _)), Some(text)) = (module, text) {
            texts.entry(module).or_default().push(text);
        }
    }
    let mut related: HashSet<String> = HashSet::new();
    let mut new: Vec<String> =
        modules.iter().filter(|(_, it)| it == root).map(|(name, _)| name.clone()).collect();
    while let Some(name) = new.pop() {
        let names = ["include ", "include ::", "contain ", "contain ::", "require ", "require ::"];
        let quoted = ["'", "'::", "\"", "\"::"].map(|it| format!("{it}{name}{}", &it[..1]));
        let mentions: Vec<String> =
            names.iter().map(|it| format!("{it}{name}")).chain(quoted).chain([format!("{name}::")]).collect();
        let is_user = |module: &&&str| {
            let names_it = |text: &Arc<str>| mentions.iter().any(|it| text.contains(it.as_str()));
            !related.contains(**module) && **module != name && texts[**module].iter().any(names_it)
        };
        let users: Vec<String> = texts.keys().filter(is_user).map(|it| (*it).to_owned()).collect();
        related.insert(name);
        new.extend(users);
    }
    Ok(related)
}

/// Returns the compiles of the classes of the module below `root`, which no node may include.
fn class_tasks(
    subject: &Subject,
    analysis: &Analysis,
    environment: EnvironmentId,
    root: &FilePath,
) -> anyhow::Result<Vec<Task>> {
    let mut found = Vec::new();
    for class in analysis.classes(environment)? {
        let module = class.split("::").next().unwrap_or_default();
        if analysis.module_root(environment, module).as_ref() != Some(root) {
            continue;
        }
        let entry = CompiledEntry::class(class);
        for facts in facts_for_entry(subject, analysis, environment, &entry, &[])? {
            let (point, classification) = (entry.entry_point(), Classification::default());
            let request = subject.request(analysis, environment, point, None, &facts, &classification);
            found.push(Task { name: TaskName { entry: entry.clone(), platform: facts.name }, request });
        }
    }
    Ok(found)
}

/// Compiles an entry before and after the change. Returns `None` if it has no code of the module below `root`.
fn effect_on_entry(
    analyses: &[Analysis; 2],
    task: &RemovalTask,
    removed: &str,
    root: &FilePath,
) -> anyhow::Result<(Option<EditEffect>, u64)> {
    let mut work = 0;
    let mut compile = |at: usize| -> anyhow::Result<Compiled> {
        let compiled = analyses[at].compile_with_verdict(task.environments[at], &task.requests[at], None)?;
        work += compiled.work();
        Ok(compiled)
    };
    let (was, is) = (compile(0)?, compile(1)?);
    let mut has_code = false;
    for (analysis, compiled) in [(&analyses[0], &was), (&analyses[1], &is)] {
        has_code |= analysis.code_files(compiled)?.into_iter().any(|it| analysis.path(it).starts_with(root));
    }
    if !has_code {
        return Ok((None, work));
    }
    let was = ComparedCatalog::new(&analyses[0], task.environments[0], was, None)?;
    let is = ComparedCatalog::new(&analyses[1], task.environments[1], is, None)?;
    let mut comparison = compared(Some(&was), Some(&is));
    // The values of the class become data, which nodes may override as they could set the parameters.
    comparison.possible.clear();
    if let Some(Difference::Resources(changes)) = &mut comparison.difference {
        changes.retain(|it| it.kind != ChangeKind::Removed || it.reference != removed);
        if changes.is_empty() {
            comparison.difference = None;
        }
    }
    Ok((Some(effect_of(&comparison, &task.name)), work))
}

fn task_key(task: &Task) -> (String, bool, String) {
    let entry = &task.name.entry;
    (entry.name.to_string(), entry.is_class, task.name.platform.to_string())
}

/// Returns the name of a class as references write it.
fn reference_name(class: &str) -> String {
    let segment = |it: &str| {
        let mut characters = it.chars();
        characters.next().map(|first| first.to_ascii_uppercase().to_string() + characters.as_str())
    };
    class.split("::").filter_map(segment).collect::<Vec<_>>().join("::")
}

/// Returns everything that both versions compile.
fn proof_tasks(sides: &FourSides<Subject>, analyses: &FourSides<Analysis>) -> anyhow::Result<Vec<ProofTask>> {
    let tasks_of = |at: usize, environment| -> anyhow::Result<Tasks> {
        let named = sides[at].configured_facts()?;
        tasks(&sides[at], &analyses[at], environment, &named, &Classification::default())
    };
    let mut found = Vec::new();
    for environment in analyses[0].environments() {
        let root = analyses[0].environment_root(environment);
        let same = analyses.each_ref().map(|analysis| {
            analysis.environments().into_iter().find(|it| analysis.environment_root(*it) == root)
        });
        let [Some(a), Some(b), Some(c), Some(d)] = same else { continue };
        let later = tasks_of(3, d)?.tasks.into_iter();
        let mut requests: BTreeMap<_, CompileRequest> = later.map(|it| (task_key(&it), it.request)).collect();
        for task in tasks_of(0, a)?.tasks {
            let Some(later) = requests.remove(&task_key(&task)) else { continue };
            let name = format!("`{}` on {}", task.name.entry.name, task.name.platform);
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
    let was = ComparedCatalog::new(before, a, was, None)?;
    let is = ComparedCatalog::new(after, b, is, None)?;
    if was.fingerprint == is.fingerprint && !edits_data {
        return Ok((None, work));
    }
    let comparison = compared(Some(&was), Some(&is));
    let mut effect = effect_of(&comparison, &task.name);
    let later = ComparedCatalog::new(new_after, d, compile(new_after, d, &task.later)?, None)?;
    if compared(Some(&was), Some(&later)).difference.is_some() {
        let unedited = ComparedCatalog::new(new_before, c, compile(new_before, c, &task.later)?, None)?;
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
pub(super) fn described(difference: &Difference, name: &str) -> String {
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
