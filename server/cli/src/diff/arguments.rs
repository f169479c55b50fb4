//! Arguments of `diff`.

use crate::arguments::ThreadArguments;
use crate::compile::subject::{NodeArguments, ProjectArguments};
use crate::diff::fleet::arguments::{FleetArguments, MergeArguments};
use crate::diff::format::DiffFormat;
use crate::diff::rules::RuleArguments;
use cli_common::sides::SideArguments;
use std::path::{Path, PathBuf};

/// Options for catalogs from files.
#[derive(clap::Args, Debug)]
pub(super) struct CatalogArguments {
    /// Catalog before the change from a file: JSON as Puppet compiles and caches it, as `compile --format json` prints it, or as
    /// PuppetDB returns it for `/catalogs` (one, or an array of several nodes)
    #[arg(long, value_name = "FILE", conflicts_with_all = ["class", "node_set", "base", "base_modulepath_dir"])]
    from_catalog: Option<PathBuf>,

    /// Catalog after the change from a file [default: with --from-catalog, its nodes are compiled]
    #[arg(long, value_name = "FILE", conflicts_with_all = ["class", "node_set"])]
    to_catalog: Option<PathBuf>,
}

/// Files to compare.
pub(super) enum CatalogFiles<'a> {
    Both {
        from: &'a Path,
        to: &'a Path,
    },
    /// Catalogs before the change; the working tree is compiled.
    From(&'a Path),
    /// Catalogs after the change; the base revision is compiled.
    To(&'a Path),
}

impl CatalogArguments {
    /// Returns the files, if they are given.
    pub(super) fn files(&self) -> Option<CatalogFiles<'_>> {
        match (self.from_catalog.as_deref(), self.to_catalog.as_deref()) {
            (Some(from), Some(to)) => Some(CatalogFiles::Both { from, to }),
            (Some(from), None) => Some(CatalogFiles::From(from)),
            (None, Some(to)) => Some(CatalogFiles::To(to)),
            (None, None) => None,
        }
    }
}

#[derive(clap::Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct DiffArguments {
    #[command(subcommand)]
    pub(super) command: Option<DiffCommand>,

    /// Names of nodes [default: all node definitions, or all classes if there are none; with `--nodes`, all nodes]
    #[arg(value_name = "NODE")]
    pub(super) nodes: Vec<String>,

    #[command(flatten)]
    pub(super) fleet: FleetArguments,

    #[command(flatten)]
    pub(super) catalogs: CatalogArguments,

    #[command(flatten)]
    pub(super) rules: RuleArguments,

    /// Git revision to compare with
    #[arg(long, value_name = "REV", default_value = "HEAD")]
    pub(super) base: String,

    /// Folder with the modules installed at the base revision, one folder per module, for modules that Git
    /// does not track
    #[arg(long, value_name = "DIR")]
    pub(super) base_modulepath_dir: Option<PathBuf>,

    /// Only compare this class; may be repeated
    #[arg(long, value_name = "NAME", conflicts_with_all = ["nodes", "node_set"])]
    pub(super) class: Vec<String>,

    #[command(flatten)]
    pub(super) project: ProjectArguments,

    #[command(flatten)]
    pub(super) facts: NodeArguments,

    #[command(flatten)]
    pub(super) sides: SideArguments,

    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(super) format: DiffFormat,

    #[command(flatten)]
    pub(super) threads: ThreadArguments,
}

#[derive(clap::Subcommand, Debug)]
pub(super) enum DiffCommand {
    /// Merge the results of all shards of a fleet
    Merge(MergeArguments),
}
