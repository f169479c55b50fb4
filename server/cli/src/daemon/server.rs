//! Background server.

use std::io::{BufRead, BufReader, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::Parser;

use super::kept;
use super::protocol::{DaemonAnswer, Question};
use crate::position::{definition, hover, references};
use crate::{Command, CommandLine, CommandOutcome, symbols, terminal};

/// Time without questions after which the server ends.
const MAX_IDLE_TIME: Duration = Duration::from_secs(600);

/// Interval at which the server checks whether it is idle, or its socket was removed.
const CHECK_INTERVAL: Duration = Duration::from_secs(1);

/// Time of the last answer; locked while a question is answered.
static LAST_ANSWER: Mutex<Option<Instant>> = Mutex::new(None);

pub(super) fn serve(socket: &Path) -> anyhow::Result<CommandOutcome> {
    if UnixStream::connect(socket).is_ok() {
        // Another client started a server at the same time.
        return Ok(CommandOutcome::Clean);
    }
    let _ = std::fs::remove_file(socket);
    let listener = UnixListener::bind(socket)
        .with_context(|| format!("cannot listen on `{}`", crate::files::display_path(socket)))?;
    kept::enable();
    let watched = socket.to_owned();
    std::thread::spawn(move || {
        let started = Instant::now();
        loop {
            std::thread::sleep(CHECK_INTERVAL);
            // A question that is being answered keeps the lock.
            let Ok(last) = LAST_ANSWER.try_lock() else { continue };
            if last.unwrap_or(started).elapsed() > MAX_IDLE_TIME || !watched.exists() {
                let _ = std::fs::remove_file(&watched);
                std::process::exit(0);
            }
        }
    });
    for stream in listener.incoming().filter_map(Result::ok) {
        let Ok(mut last) = LAST_ANSWER.lock() else { break };
        // The client may have disconnected.
        let _ = answer_on(stream);
        *last = Some(Instant::now());
    }
    Ok(CommandOutcome::Clean)
}

fn answer_on(mut stream: UnixStream) -> anyhow::Result<()> {
    stream.set_read_timeout(Some(CHECK_INTERVAL))?;
    let mut line = String::new();
    BufReader::new(&stream).read_line(&mut line)?;
    let mut answer = serde_json::to_string(&answer(&serde_json::from_str(&line)?))?;
    answer.push('\n');
    stream.write_all(answer.as_bytes())?;
    Ok(())
}

/// Runs the command of a question.
fn answer(question: &Question) -> DaemonAnswer {
    let (result, output) = terminal::capture(|| {
        std::env::set_current_dir(&question.folder)?;
        let program = std::iter::once("puppet-analyzer").chain(question.arguments.iter().map(String::as_str));
        match CommandLine::try_parse_from(program)?.command {
            Command::Hover(arguments) => hover::run(&arguments),
            Command::Definition(arguments) => definition::run(&arguments),
            Command::References(arguments) => references::run(&arguments),
            Command::Symbols(arguments) => symbols::run(&arguments),
            _ => anyhow::bail!("a background server does not run this command"),
        }
    });
    match result {
        Ok(outcome) => DaemonAnswer { output, error: None, outcome },
        Err(error) => {
            DaemonAnswer { output, error: Some(format!("{error:#}")), outcome: CommandOutcome::Failure }
        }
    }
}
