//! Arguments of `stats`.

use std::path::PathBuf;

#[derive(clap::Args, Debug)]
pub(crate) struct StatsArguments {
    /// Files and folders
    #[arg(value_name = "PATH", default_value = ".")]
    pub(super) paths: Vec<PathBuf>,

    /// Print JSON
    #[arg(long)]
    pub(super) json: bool,

    /// Check the files and print memory usage instead
    #[arg(long)]
    pub(super) memory: bool,

    /// Compile each class for the first platform of its module and print which values remain unknown because
    /// of unsupported Ruby code, most frequent first
    #[arg(long, conflicts_with = "repeat")]
    pub(super) unknown: bool,

    /// Number of runs per phase; the fastest one is reported
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    pub(super) repeat: u32,
}
