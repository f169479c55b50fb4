//! `--daemon`: questions answered by a background server that keeps the analysis.
//!
//! The server listens on a socket in a folder that only the user can access, runs the same commands with the
//! kept workspace, and ends when it is idle or its socket is removed. A client that cannot use it answers the
//! question itself.

#[cfg(unix)]
mod client;
mod kept;
mod protocol;
#[cfg(unix)]
mod server;
#[cfg(unix)]
mod socket;

use std::ffi::OsString;
use std::path::Path;

use super::{ColorChoice, CommandOutcome};

use self::protocol::Question;
pub(super) use kept::with_workspace;

/// Asks the server of a root folder, which is started if necessary. Returns `None` if it cannot answer.
pub(super) fn ask(root: &Path, color: ColorChoice) -> Option<anyhow::Result<CommandOutcome>> {
    let arguments: Vec<OsString> = std::env::args_os().skip(1).collect();
    let arguments: Option<Vec<String>> = arguments.into_iter().map(|it| it.into_string().ok()).collect();
    let folder = std::env::current_dir().ok()?.to_str()?.to_owned();
    let question = Question { folder, arguments: arguments? };
    #[cfg(unix)]
    return client::ask(root, &question).map(|answer| client::print(&answer, color));
    #[cfg(not(unix))]
    {
        let _ = (root, question, color);
        None
    }
}

/// Answers questions on a socket until the server is idle.
pub(super) fn serve(socket: &Path) -> anyhow::Result<CommandOutcome> {
    #[cfg(unix)]
    return server::serve(socket);
    #[cfg(not(unix))]
    anyhow::bail!("background servers require Unix sockets: `{}`", socket.display());
}
