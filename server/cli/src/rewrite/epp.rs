//! `rewrite epp`: converts ERB templates and the calls that name them.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context;
use catalog_view::text::plural;
use disk::config::Config;
use git::unified;
use ide::{Analysis, DiskState, FileId, FilePath};
use rewrites::RewriteRefusal;
use rewrites::epp::{
    ComputedNames, InputType, TemplateCall, TemplateInput, ValueShape, argument_of, erb_to_epp,
    mention_besides, template_calls, template_inputs,
};
use syntax::TextRange;

use super::options::RewriteOutputArguments;
use crate::diff::proof;
use crate::files::{self, display_path};
use crate::workspace::{self, Workspace};
use crate::{ColorChoice, CommandOutcome, terminal};

pub(super) const EXAMPLES: &str = "\
Exit codes:
  0  rewritten, or shown with --diff
  1  nothing written: the rewrite is not possible, or not all catalogs are known to stay equal
  2  usage error, or unreadable or unwritable file

Examples:
  puppet-analyzer rewrite epp modules/ntp/templates/ntp.conf.erb
  puppet-analyzer rewrite epp --diff site-modules";

#[derive(clap::Args, Debug)]
pub(crate) struct EppArguments {
    /// Template, or folder with templates
    #[arg(value_name = "PATH", default_value = ".")]
    path: PathBuf,

    #[command(flatten)]
    output: RewriteOutputArguments,

    /// Also convert templates that no compared catalog contains
    #[arg(long = "unsafe")]
    is_unsafe: bool,
}

/// Text of a file of the workspace.
struct WorkspaceText {
    id: FileId,
    text: Arc<str>,
}

/// A template that may be converted.
#[derive(Clone)]
struct ErbCandidate {
    path: FilePath,
    /// Name in calls: `m/x.erb`.
    name: String,
    inputs: Vec<TemplateInput>,
    calls: Vec<(FilePath, TemplateCall)>,
    /// The result.
    epp: String,
}

/// Edits of a manifest: ranges with new texts, by position.
type ManifestEdits = Vec<(TextRange, String)>;

pub(super) fn run(arguments: &EppArguments, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    let named = [arguments.path.clone()];
    std::fs::metadata(&arguments.path)
        .with_context(|| format!("cannot read `{}`", display_path(&arguments.path)))?;
    let config = arguments.output.version.config_in(&workspace::settings_folder(&named))?;
    let path = workspace::absolute_path(&arguments.path).context("the path is not UTF-8")?;
    let before = Workspace::with_surroundings(&config, &named, std::iter::empty());
    let run = EppRun::new(&before.analysis(), &config, &named)?;
    let mut refusals: Vec<(FilePath, RewriteRefusal)> = Vec::new();
    let mut candidates = Vec::new();
    let templates = run.templates(&before.analysis(), &path);
    for (path, name) in &templates {
        match run.candidate(&before.analysis(), path, name) {
            Ok(it) => candidates.push(it),
            Err(refusal) => refusals.push((path.clone(), refusal)),
        }
    }
    let candidates = run.converted(candidates, &mut refusals)?;
    let candidates = run.proven(candidates, arguments.is_unsafe, &mut refusals)?;
    refusals.sort_by(|a, b| a.0.cmp(&b.0));
    for (path, refusal) in &refusals {
        let place = refusal.place.clone().unwrap_or_else(|| (path.as_str().to_owned(), 1));
        let shown = display_path(&shown_path(Path::new(&place.0)));
        terminal::print_to_stderr(&format!("refused: {shown}:{}: {}\n", place.1, refusal.reason));
    }
    let summary =
        format!("{} of {} converted\n", candidates.len(), plural(templates.len(), "template", "templates"));
    if candidates.is_empty() {
        terminal::print_error(color, &format!("nothing rewritten: {}", summary.trim_end()));
        return Ok(CommandOutcome::Findings);
    }
    run.apply(&candidates, arguments.output.diff)?;
    terminal::print_to_stderr(&summary);
    Ok(CommandOutcome::Clean)
}

/// Returns the path relative to the current folder, if possible.
fn shown_path(path: &Path) -> PathBuf {
    let here = std::env::current_dir().ok();
    here.and_then(|it| path.strip_prefix(it).ok().map(Path::to_owned)).unwrap_or_else(|| path.to_owned())
}

fn refused(reason: impl Into<String>, path: &FilePath) -> RewriteRefusal {
    RewriteRefusal { reason: reason.into(), place: Some((path.as_str().to_owned(), 1)) }
}

struct EppRun<'r> {
    config: &'r Config,
    named: &'r [PathBuf],
    texts: BTreeMap<FilePath, WorkspaceText>,
    /// Names of modules by folder.
    modules: BTreeMap<FilePath, String>,
    /// Names of templates that manifests may compute.
    computed: BTreeMap<FilePath, ComputedNames>,
}

impl<'r> EppRun<'r> {
    fn new(analysis: &Analysis, config: &'r Config, named: &'r [PathBuf]) -> anyhow::Result<EppRun<'r>> {
        let mut texts = BTreeMap::new();
        for id in analysis.all_files() {
            if let Some(text) = analysis.text(id)? {
                texts.insert(analysis.path(id), WorkspaceText { id, text });
            }
        }
        let modules = analysis.environments().into_iter().flat_map(|it| analysis.modules(it));
        let modules: BTreeMap<FilePath, String> = modules.map(|(name, root)| (root, name)).collect();
        let manifests = texts.iter().filter(|(path, _)| path.extension() == Some("pp"));
        let computed = manifests.map(|(path, source): (&FilePath, &WorkspaceText)| {
            let root = analysis.module_folder(source.id);
            let module = root.and_then(|it| modules.get(it)).map(String::as_str);
            (path.clone(), ComputedNames::of(&source.text, module))
        });
        let computed = computed.collect();
        Ok(EppRun { config, named, texts, modules, computed })
    }

    /// Returns the ERB templates of modules at a path, with their names.
    fn templates(&self, analysis: &Analysis, path: &FilePath) -> Vec<(FilePath, String)> {
        let named = self.texts.iter().filter(|(it, _)| it.starts_with(path) && it.extension() == Some("erb"));
        let named = named.filter_map(|(path, source)| {
            let root = analysis.module_folder(source.id)?;
            let relative = path.strip_prefix(root)?.strip_prefix("templates/")?;
            Some((path.clone(), format!("{}/{relative}", self.modules.get(root)?)))
        });
        named.collect()
    }

    fn candidate(
        &self,
        analysis: &Analysis,
        path: &FilePath,
        name: &str,
    ) -> Result<ErbCandidate, RewriteRefusal> {
        let text = &self.texts[path].text;
        let inputs = template_inputs(path.as_str(), text)?;
        let mut all_calls = Vec::new();
        for (other, source) in self.texts.iter().filter(|(other, _)| *other != path) {
            let root = analysis.module_folder(source.id);
            let module = root.and_then(|it| self.modules.get(it)).map(String::as_str);
            let is_manifest = other.extension() == Some("pp");
            let calls = if is_manifest { template_calls(&source.text, name, module) } else { Vec::new() };
            if let Some(at) =
                mention_besides(other.as_str(), &source.text, name, &calls, self.computed.get(other))
            {
                let line = source.text[..at as usize].matches('\n').count() + 1;
                return Err(refused(format!("`{other}` also names the template in line {line}"), path));
            }
            if !calls.is_empty() && !analysis.is_in_workspace(other) {
                return Err(refused(format!("`{other}` uses the template"), path));
            }
            all_calls.extend(calls.into_iter().map(|it| (other.clone(), it)));
        }
        if all_calls.is_empty() {
            return Err(refused(format!("no manifest calls `template('{name}')`"), path));
        }
        if self.texts.contains_key(&epp_path(path)) {
            return Err(refused("an EPP template with this name exists", path));
        }
        Ok(ErbCandidate {
            path: path.clone(),
            name: name.to_owned(),
            inputs,
            calls: all_calls,
            epp: String::new(),
        })
    }

    /// Converts the candidates with the types that the variables have at the calls.
    fn converted(
        &self,
        candidates: Vec<ErbCandidate>,
        refusals: &mut Vec<(FilePath, RewriteRefusal)>,
    ) -> anyhow::Result<Vec<ErbCandidate>> {
        let (manifests, arguments) = self.manifests(&candidates);
        let mut workspace = Workspace::with_surroundings(self.config, self.named, std::iter::empty());
        let states =
            manifests.iter().map(|(path, text)| (path.clone(), DiskState::Text(text.as_str().into())));
        workspace.replace(states.collect());
        let analysis = workspace.analysis();
        let mut converted = Vec::new();
        for (at, mut candidate) in candidates.into_iter().enumerate() {
            let mut inputs = Vec::new();
            for (number, input) in candidate.inputs.iter().enumerate() {
                let ranges = arguments.iter().filter(|it| (it.candidate, it.input) == (at, number));
                let mut types: BTreeSet<String> = BTreeSet::new();
                let mut shape: Option<ValueShape> = Some(ValueShape::default());
                for range in ranges {
                    let file = analysis.file_id(&range.path);
                    let found =
                        file.map(|it| analysis.expression_type(it, range.range)).transpose()?.flatten();
                    let found = found.filter(|(text, _)| text != "Undef");
                    shape = shape.zip(found.as_ref()).map(|(all, (_, it))| all.joined(it));
                    types.extend(found.map(|it| it.0));
                }
                let types: Vec<String> = types.into_iter().collect();
                let (text, shape) = match (shape, &types[..]) {
                    (Some(shape), [text]) => (text.clone(), shape),
                    (Some(shape), [_, ..]) => (format!("Variant[{}]", types.join(", ")), shape),
                    _ => ("Any".to_owned(), ValueShape::unknown()),
                };
                inputs.push((input.clone(), InputType::new(input, text, shape)));
            }
            match erb_to_epp(candidate.path.as_str(), &self.texts[&candidate.path].text, &inputs) {
                Ok(epp) => {
                    candidate.epp = epp;
                    converted.push(candidate);
                }
                Err(refusal) => refusals.push((candidate.path.clone(), refusal)),
            }
        }
        Ok(converted)
    }

    /// Returns the manifests that call the candidates, with the calls of the EPP templates, and the locations of the
    /// arguments.
    fn manifests(&self, candidates: &[ErbCandidate]) -> (BTreeMap<FilePath, String>, Vec<CallArgument>) {
        let mut edits: BTreeMap<&FilePath, Vec<(usize, &TemplateCall)>> = BTreeMap::new();
        for (at, candidate) in candidates.iter().enumerate() {
            for (path, call) in &candidate.calls {
                edits.entry(path).or_default().push((at, call));
            }
        }
        let (mut manifests, mut arguments) = (BTreeMap::new(), Vec::new());
        for (path, mut calls) in edits {
            calls.sort_by_key(|(_, call)| call.range.start);
            let text = &self.texts[path].text;
            let mut changes: ManifestEdits = Vec::new();
            let mut shift: i64 = 0;
            for (at, call) in calls {
                let candidate = &candidates[at];
                let values = candidate.inputs.iter().map(|it| (it.name.clone(), argument_of(it, text, call)));
                let values: Vec<(String, String)> = values.collect();
                let (new, ranges) = call.rewritten(text, &candidate.name, &values);
                let moved = |offset: u32| (i64::from(offset) + shift) as u32;
                for (input, range) in ranges.into_iter().enumerate() {
                    let range = TextRange::new(moved(range.start), moved(range.end));
                    arguments.push(CallArgument { candidate: at, input, path: path.clone(), range });
                }
                shift += new.len() as i64 - i64::from(call.range.end - call.range.start);
                changes.push((call.range, new));
            }
            let mut edited = String::new();
            let mut from = 0;
            for (range, new) in changes {
                edited += &text[from..range.start as usize];
                edited += &new;
                from = range.end as usize;
            }
            manifests.insert(path.clone(), edited + &text[from..]);
        }
        (manifests, arguments)
    }

    /// Returns the states of the files with some templates converted.
    fn states(&self, candidates: &[ErbCandidate]) -> Vec<(FilePath, DiskState)> {
        let (manifests, _) = self.manifests(candidates);
        let text = |it: &str| DiskState::Text(it.into());
        let mut states: Vec<_> = manifests.iter().map(|(path, it)| (path.clone(), text(it))).collect();
        for it in candidates {
            states.push((it.path.clone(), DiskState::Missing));
            states.push((epp_path(&it.path), text(&it.epp)));
        }
        states
    }

    /// Returns the candidates whose conversion changes no catalog, first all of them at once, then those in
    /// catalogs that change one by one.
    fn proven(
        &self,
        candidates: Vec<ErbCandidate>,
        is_unsafe: bool,
        refusals: &mut Vec<(FilePath, RewriteRefusal)>,
    ) -> anyhow::Result<Vec<ErbCandidate>> {
        if candidates.is_empty() {
            return Ok(candidates);
        }
        let problems = self.problems(&candidates, is_unsafe)?;
        let mut proven = Vec::new();
        let is_alone = candidates.len() == 1;
        for (candidate, problem) in candidates.into_iter().zip(problems) {
            let problem = match problem {
                Some(_) if !is_alone => {
                    self.problems(std::slice::from_ref(&candidate), is_unsafe)?.pop().flatten()
                }
                problem => problem,
            };
            match problem {
                None => proven.push(candidate),
                Some(problem) => refusals.push((candidate.path.clone(), refused(problem, &candidate.path))),
            }
        }
        Ok(proven)
    }

    /// Returns for each candidate the reason why the conversion of all of them is not known to keep the catalogs.
    fn problems(&self, candidates: &[ErbCandidate], is_unsafe: bool) -> anyhow::Result<Vec<Option<String>>> {
        let paths: BTreeSet<&FilePath> =
            candidates.iter().flat_map(|it| it.calls.iter().map(|it| &it.0)).collect();
        let states = self.states(candidates);
        let sides = || {
            let new = || Workspace::with_surroundings(self.config, self.named, std::iter::empty());
            let mut after = new();
            after.replace(states.clone());
            [new(), after]
        };
        let mut found: BTreeMap<FilePath, proof::FileComparison> = BTreeMap::new();
        let mut roots = BTreeSet::new();
        for path in &paths {
            let module = self.modules.keys().find(|it| path.starts_with(it)).cloned();
            let root = module.or_else(|| path.parent()).context("a manifest has no folder")?;
            if roots.insert(root.clone()) {
                for (file, it) in proof::compared_files(self.config, sides(), &root)? {
                    let of_file = found.entry(file).or_default();
                    of_file.is_equal |= it.is_equal;
                    of_file.difference = of_file.difference.take().or(it.difference);
                    of_file.open = of_file.open.take().or(it.open);
                }
            }
        }
        let problem = |path: &FilePath| match found.get(path) {
            Some(proof::FileComparison { difference: Some(it), .. }) => {
                Some(format!("a catalog changes: {it}"))
            }
            _ if is_unsafe => None,
            Some(proof::FileComparison { is_equal: true, .. }) => None,
            Some(proof::FileComparison { open: Some(it), .. }) => {
                Some(format!("no catalog is known to stay equal: {it}"))
            }
            _ => Some("no catalog contains the code".to_owned()),
        };
        Ok(candidates.iter().map(|it| it.calls.iter().find_map(|(path, _)| problem(path))).collect())
    }

    /// Writes the files, or prints the diff. Templates are deleted after everything that replaces them is written.
    fn apply(&self, candidates: &[ErbCandidate], is_diff: bool) -> anyhow::Result<()> {
        let mut states = self.states(candidates);
        states.sort_by_key(|(path, state)| (!is_diff && *state == DiskState::Missing, path.clone()));
        let mut diff = String::new();
        for (path, state) in &states {
            let native = PathBuf::from(path.to_native());
            let shown = display_path(&shown_path(&native));
            let new = state.text();
            if is_diff {
                let old = self.texts.get(path).map(|it| &*it.text).unwrap_or_default();
                let new = new.as_deref().unwrap_or_default();
                diff += &unified::diff_of_texts(&output::visible(&shown), old, new);
            } else if let Some(new) = new {
                files::replace_or_create(&native, &new).with_context(|| format!("cannot write `{shown}`"))?;
            } else {
                std::fs::remove_file(&native).with_context(|| format!("cannot delete `{shown}`"))?;
            }
        }
        if is_diff {
            terminal::print_text(&diff, false)?;
        }
        Ok(())
    }
}

/// CallArgument of a call in the new text of a manifest.
struct CallArgument {
    candidate: usize,
    input: usize,
    path: FilePath,
    range: TextRange,
}

fn epp_path(path: &FilePath) -> FilePath {
    let text = path.as_str();
    FilePath::from_normalised(&format!("{}.epp", text.trim_end_matches(".erb")))
        .unwrap_or_else(|| path.clone())
}
