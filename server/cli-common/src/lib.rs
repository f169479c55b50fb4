//! Parts shared by all commands: files named on the command line, the workspace around them, output on terminals,
//! and reports.
//!
//! * `files`: finding, reading, and replacing files; work on several threads within the work limit.
//! * `workspace`: the analysis of named files with the settings and modules around them.
//! * `terminal`: **all output goes through it**, so that control characters are escaped; progress and colors.
//! * `printed_diagnostic`: diagnostics with lines and columns.
//! * `report`: one file per output format.

pub mod files;
pub mod printed_diagnostic;
pub mod report;
pub mod terminal;
pub mod workspace;

use clap::ValueEnum;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}
