//! Output formats of `diff`.

use clap::ValueEnum;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DiffFormat {
    /// Human-readable text
    Text,
    /// JSON with one object per changed node or class and platform; with `--nodes`, one object with all groups of
    /// nodes
    Json,
    /// Markdown for a comment on a merge request
    Markdown,
    /// HTML page with search, groups, and a matrix, which opens from disk
    Html,
    /// JSON of octocatalog-diff, one line per catalog, with its exit codes: 0 without differences, 2 with
    /// differences, 1 if a catalog could not be compared
    Octocatalog,
}
