//! Messages between the client and the server.

use crate::CommandOutcome;
use serde::{Deserialize, Serialize};

/// A question: a command line, to be run in a folder.
#[derive(Serialize, Deserialize)]
pub(super) struct Question {
    pub(super) folder: String,
    pub(super) arguments: Vec<String>,
}

/// Result of a command.
#[derive(Serialize, Deserialize)]
pub(super) struct DaemonAnswer {
    pub(super) output: String,
    /// Message of the error that ended the command.
    pub(super) error: Option<String>,
    pub(super) outcome: CommandOutcome,
}
