//! The project before and after the change.

use crate::compile::subject::Subject;
use crate::diff::arguments::DiffArguments;
use crate::diff::rules::RunRules;
use crate::{ColorChoice, terminal};
use cli_common::sides::{ComparedSide, NodeClassifier};
use comparison::base::{BaseRevision, InstalledModules};
use comparison::compare::{ComparedCatalog, Sides};
use comparison::served::ServedFiles;
use compile::{CompileRequest, FileReader};
use ide::{Analysis, EnvironmentId, FilePath};
use std::path::{Path, PathBuf};

/// Loads both sides of a comparison and passes them on. Prints notes about what was not read if `color` is given.
pub(super) fn with_sides<T>(
    arguments: &DiffArguments,
    color: Option<ColorChoice>,
    compare: impl FnOnce(Sides<&Analysis>, &Sides<DiffSide<'_>>, &BaseRevision) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    let load = |side| Subject::load(&arguments.sides.project(&arguments.project, side));
    let after = load(ComparedSide::Head)?;
    color.iter().for_each(|color| after.workspace.print_notes(*color));
    let mut before = load(ComparedSide::Base)?;
    let folder = after.folder.clone().unwrap_or_else(|| PathBuf::from("."));
    let mut base = BaseRevision::read(Path::new(&folder), &arguments.base, before.workspace.disk())?;
    arguments.sides.base_modules().try_for_each(|folder| base.use_modules(Path::new(folder)))?;
    let new = after.workspace.analysis();
    let environment = after.environment(&new)?;
    let lines = after.workspace.settings_warnings(&new, environment);
    lines.iter().for_each(|line| terminal::print_to_stderr(line));
    if let Some(installed) = &arguments.base_modulepath_dir {
        base.install(installed, &new, environment)?;
    }
    before.workspace.replace(base.states()?);
    let old = before.workspace.analysis();
    let old_environment = before.environment(&old)?;
    let roots = Sides { before: old.modules(old_environment), after: new.modules(environment) };
    let (mut was, mut is) = (old.puppetfile_modules(old_environment)?, new.puppetfile_modules(environment)?);
    if arguments.sides.has_modulepath() {
        // The user named both versions of modules in different folders.
        let is_same = |(name, _): &(String, String)| {
            let root = |modules: &[(String, FilePath)]| modules.iter().find(|it| it.0 == *name).cloned();
            root(&roots.before) == root(&roots.after)
        };
        was.retain(is_same);
        is.retain(is_same);
        let (below, above) = (&before.workspace, &after.workspace);
        let then = InstalledModules { roots: roots.before, paths_below: &|it| below.paths_below(it) };
        let now = InstalledModules { roots: roots.after.clone(), paths_below: &|it| above.paths_below(it) };
        base.compare_modules(&then, &now, &after.workspace.disk());
    }
    comparison::modules::note_changes(&base, was, is, roots.after);
    let enc_dir = arguments.fleet.nodes.enc_dir.as_deref();
    let classifiers = arguments.sides.classifiers(&arguments.facts, enc_dir)?;
    let sides = Sides {
        before: DiffSide { subject: &before, environment: old_environment, classifier: classifiers.0 },
        after: DiffSide { subject: &after, environment, classifier: classifiers.1 },
    };
    compare(Sides { before: &old, after: &new }, &sides, &base)
}

/// The project before or after the change.
pub(super) struct DiffSide<'s> {
    pub(super) subject: &'s Subject,
    pub(super) environment: EnvironmentId,
    pub(super) classifier: NodeClassifier<'s>,
}

/// Fails if no side has code for nodes, so that all their catalogs would be empty.
pub(super) fn ensure_code(Sides { before, after }: &Sides<DiffSide<'_>>) -> anyhow::Result<()> {
    let has_code = |side: &DiffSide<'_>| {
        side.subject.workspace.analysis().has_main_manifest(side.environment) || side.classifier.has_classes()
    };
    anyhow::ensure!(
        has_code(before) || has_code(after),
        "no main manifest found, so that all catalogs are empty\nhelp: name the folder of the environment with `--environment`"
    );
    Ok(())
}

/// Returns new snapshots of both sides.
pub(super) fn analyses(Sides { before, after }: &Sides<DiffSide<'_>>) -> Sides<Analysis> {
    Sides { before: before.subject.workspace.analysis(), after: after.subject.workspace.analysis() }
}

impl DiffSide<'_> {
    /// Returns the files that the modules of this side serve.
    pub(super) fn served_files<'r>(
        &self,
        reader: &'r (dyn FileReader + Sync),
        rules: &'r RunRules,
    ) -> ServedFiles<'r> {
        let modules = self.subject.workspace.analysis().modules(self.environment);
        let files = ServedFiles::new(modules, |folder| self.subject.workspace.paths_below(folder), reader);
        files.ignoring(&rules.file_text_ignore_tags)
    }
}

/// Returns the catalog of one side, and the amount of work for it.
pub(super) fn snapshot<'a>(
    analysis: &'a Analysis,
    environment: EnvironmentId,
    request: Option<&CompileRequest>,
    reader: &dyn FileReader,
    served: Option<&ServedFiles<'_>>,
) -> anyhow::Result<(Option<ComparedCatalog<'a>>, u64)> {
    let Some(request) = request else { return Ok((None, 0)) };
    let compiled = analysis.compile_with_verdict(environment, request, Some(reader))?;
    let work = compiled.work();
    Ok((Some(ComparedCatalog::new(analysis, environment, compiled, served)?), work))
}
