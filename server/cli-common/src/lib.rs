//! Parts shared by all commands: files named on the command line, the workspace around them, output on terminals,
//! and reports.
//!
//! * `files`: finding, reading, and replacing files; work on several threads within the work limit.
//! * `workspace`: the analysis of named files with the settings and modules around them.
//! * `terminal`: **all output goes through it**, so that control characters are escaped; progress and colors.
//! * `printed_diagnostic`: diagnostics with lines and columns.
//! * `report`: one file per output format.
//! * `arguments`: options that several commands share; `subject`: those that select a project and a node; `sides`:
//!   what differs before and after a change; `entry`: what is compiled if no node is named.

pub mod arguments;
pub mod entry;
pub mod files;
pub mod forge;
pub mod nodes;
pub mod printed_diagnostic;
pub mod report;
pub mod sides;
pub mod subject;
pub mod terminal;
pub mod workspace;

use std::process::ExitCode;

use clap::ValueEnum;

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    Auto,
    Always,
    Never,
}

/// Outcome of a command.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
pub enum CommandOutcome {
    Clean,
    /// `check` has findings, or a query has no answer.
    Findings,
    /// Input or output failed.
    Failure,
    /// The result is inconclusive: something could not be checked.
    Inconclusive,
}

impl CommandOutcome {
    /// Returns the exit code of the program.
    pub fn exit_code(self) -> u8 {
        match self {
            CommandOutcome::Clean => 0,
            CommandOutcome::Findings => 1,
            CommandOutcome::Failure => 2,
            CommandOutcome::Inconclusive => 3,
        }
    }
}

impl From<CommandOutcome> for ExitCode {
    fn from(outcome: CommandOutcome) -> ExitCode {
        ExitCode::from(outcome.exit_code())
    }
}
