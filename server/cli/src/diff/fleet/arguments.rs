//! Arguments for the nodes of a fleet.

use fleet::shard::Shard;
use std::path::PathBuf;

use crate::diff::format::DiffFormat;
use cli_common::nodes::exports::NodeSetArguments;

/// Options for the nodes of a fleet.
#[derive(clap::Args, Debug)]
pub(crate) struct FleetArguments {
    #[command(flatten)]
    pub(crate) nodes: NodeSetArguments,

    /// Only compare part I of N of the nodes, from 1
    #[arg(long, value_name = "I/N", requires_all = ["node_set", "output"])]
    pub(super) shard: Option<Shard>,

    /// Write the results of the nodes to FILE, for `diff merge`, instead of printing a report
    #[arg(long, value_name = "FILE", requires = "node_set")]
    pub(super) output: Option<PathBuf>,

    /// With `--format markdown`: where the whole report is, if this one has to be cut
    #[arg(long, value_name = "URL", requires = "node_set")]
    pub(super) report_url: Option<String>,

    /// Compile each node, even if others have the same catalog
    #[arg(long, hide = true, requires = "node_set")]
    pub(super) separate: bool,
}

/// Options of `diff merge`.
#[derive(clap::Args, Debug)]
pub(crate) struct MergeArguments {
    /// Results of all shards, written by `diff --shard I/N --output FILE`
    #[arg(value_name = "FILE", required = true)]
    pub(super) files: Vec<PathBuf>,

    /// Output format
    #[arg(long, value_enum, default_value_t = DiffFormat::Text)]
    pub(super) format: DiffFormat,

    /// With `--format octocatalog`: add the header `diff BASE/NODE current/NODE`
    #[arg(long)]
    pub(super) default_header: bool,

    /// With `--format markdown`: where the whole report is, if this one has to be cut
    #[arg(long, value_name = "URL")]
    pub(super) report_url: Option<String>,
}
