//! Options of all rewrites.

use crate::arguments::VersionArguments;

/// Options for the output of a rewrite.
#[derive(clap::Args, Debug)]
pub(super) struct RewriteOutputArguments {
    /// Print a diff instead of writing files
    #[arg(long)]
    pub(super) diff: bool,

    #[command(flatten)]
    pub(super) version: VersionArguments,
}
