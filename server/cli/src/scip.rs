//! `scip`: a code index in the format of <https://github.com/scip-code/scip>.
//!
//! Symbols have the form `puppet-analyzer puppet MODULE . KIND/NAME`, for example `puppet-analyzer puppet
//! profile . class/`profile::web`#port.` The module is `.` for Puppet's own definitions and for those outside
//! of modules.

use std::path::PathBuf;

use anyhow::Context;
use ide::{Analysis, Cancelled, FileId};
use scip_index::Document;

use super::files::{self, display_path};
use super::{CommandOutcome, terminal, workspace};

pub(super) const EXAMPLES: &str = "\
Examples:
  puppet-analyzer scip
  puppet-analyzer scip --root control-repo --output control-repo.scip";

#[derive(clap::Args, Debug)]
pub(super) struct ScipArguments {
    /// Folder to index
    #[arg(long, value_name = "FOLDER", default_value = ".")]
    root: PathBuf,

    /// Output file
    #[arg(long, value_name = "FILE", default_value = "index.scip")]
    output: PathBuf,
}

pub(super) fn run(arguments: &ScipArguments) -> anyhow::Result<CommandOutcome> {
    let root = workspace::absolute_path(&arguments.root)
        .with_context(|| format!("invalid path `{}`", display_path(&arguments.root)))?;
    let workspace = files::on_deep_stack(|| workspace::load(&arguments.root, Vec::new()))??;
    let analysis = workspace.analysis();
    let below = |file: &FileId| analysis.path(*file).strip_prefix(&root).is_some_and(|it| !it.is_empty());
    let files: Vec<FileId> = analysis.all_files().into_iter().filter(below).collect();
    let index_one = |analysis: &Analysis, file: &FileId| scip_index::document(analysis, *file, &root);
    let threads = files::default_threads();
    let found = files::in_parallel(&files, threads, || workspace.analysis(), index_one, |_| {})?;
    let found: Result<Vec<Option<Document>>, Cancelled> = found.into_iter().collect();
    let documents: Vec<Document> = found?.into_iter().flatten().collect();

    let output = display_path(&arguments.output);
    let names: usize = documents.iter().map(|it| it.occurrences.len()).sum();
    let summary = format!("{output}: {names} names in {} files\n", documents.len());
    let index = scip_index::to_bytes(&root, documents)?;
    // The library's own function reports success on a full disk.
    files::write(&arguments.output, &index).with_context(|| format!("cannot write `{output}`"))?;
    terminal::print_text(&summary, false)?;
    Ok(CommandOutcome::Clean)
}
