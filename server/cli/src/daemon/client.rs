//! Client of a background server.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use super::protocol::{DaemonAnswer, Question};
use super::socket;
use crate::{ColorChoice, CommandOutcome, terminal};

/// Maximum time until a new server accepts questions.
const MAX_START_TIME: Duration = Duration::from_secs(5);

/// Maximum time that an answer takes, including loading the workspace.
const MAX_ANSWER_TIME: Duration = Duration::from_secs(120);

/// Asks the server of a root folder.
pub(super) fn ask(root: &Path, question: &Question) -> Option<DaemonAnswer> {
    let socket = socket::path(root)?;
    let mut stream = UnixStream::connect(&socket).ok().or_else(|| started(&socket))?;
    stream.set_read_timeout(Some(MAX_ANSWER_TIME)).ok()?;
    let mut line = serde_json::to_string(question).ok()?;
    line.push('\n');
    stream.write_all(line.as_bytes()).ok()?;
    let mut answer = String::new();
    BufReader::new(stream).read_line(&mut answer).ok()?;
    serde_json::from_str(&answer).ok()
}

/// Starts a server that outlives this process, and connects to it.
fn started(socket: &Path) -> Option<UnixStream> {
    let mut command = Command::new(std::env::current_exe().ok()?);
    command.arg("daemon").arg("--socket").arg(socket).current_dir("/").process_group(0);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().ok()?;
    let started = Instant::now();
    while started.elapsed() < MAX_START_TIME {
        if let Ok(stream) = UnixStream::connect(socket) {
            return Some(stream);
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    None
}

/// Prints an answer.
pub(super) fn print(answer: &DaemonAnswer, color: ColorChoice) -> anyhow::Result<CommandOutcome> {
    terminal::print_bytes(answer.output.as_bytes())?;
    if let Some(error) = &answer.error {
        terminal::print_error(color, error);
    }
    Ok(answer.outcome)
}
