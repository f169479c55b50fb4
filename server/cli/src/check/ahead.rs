//! The compilations of `check --compile` that run before files are checked, up to the work limit.

use std::collections::HashSet;
use std::path::PathBuf;

use catalog_view::text::plural;
use ide::{Analysis, Cancelled, DiskState, EnvironmentId, FileId, NeededPart};
use measure::WorkMeter;

use super::arguments::CheckArguments;
use crate::files;
use crate::terminal::ProgressLine;
use crate::terminal::verbose::VerbosePhase;
use crate::workspace::{self, Workspace};

/// Compiles everything that the files need and excludes what exceeds the limit of one run.
pub(super) fn compile_ahead(
    arguments: &CheckArguments,
    workspace: &mut Workspace,
    sources: &[(PathBuf, DiskState)],
) -> anyhow::Result<()> {
    if !arguments.compile {
        return Ok(());
    }
    let analysis = workspace.analysis();
    let files: Vec<FileId> =
        sources.iter().filter_map(|(path, _)| workspace::file(&analysis, path)).collect();
    let parts = analysis.parts_of_files(&files)?;
    let environments: HashSet<EnvironmentId> = parts.iter().map(|it| it.environment).collect();
    let mut limit = 0;
    for environment in environments {
        limit += analysis.work_limit(environment)?;
    }
    // Excluding parts writes to the database, which waits for all snapshots.
    drop(analysis);
    let threads = arguments.threads.count();
    let meter = WorkMeter::new(limit);
    let tasks: Vec<_> = parts.iter().enumerate().collect();
    let work = |analysis: &Analysis, (task, part): &(usize, &NeededPart)| {
        meter.run(*task, || analysis.part_work(part).map(|amount| ((), amount)))
    };
    let phase = VerbosePhase::start();
    let mut progress = ProgressLine::new(arguments.is_text(), "classes and nodes compiled");
    let start = || workspace.analysis();
    let done: Vec<Result<Option<()>, Cancelled>> =
        files::in_parallel(&tasks, threads, start, work, |now| progress.show(now))?;
    progress.finish();
    phase.end(|| {
        format!(
            "compiled {}",
            plural(parts.len(), "class, node or definition", "classes, nodes and definitions")
        )
    });
    done.into_iter().collect::<Result<Vec<_>, Cancelled>>()?;
    let left_out = &parts[meter.counted(parts.len())..];
    workspace.exclude_parts(left_out);
    Ok(())
}
