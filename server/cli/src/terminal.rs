//! What is printed where, and in which colours.

use std::io::{self, IsTerminal, Write};

use super::ColorChoice;

/// Are colours wanted on the standard output?
pub(super) fn stdout_has_color(choice: ColorChoice) -> bool {
    has_color(choice, io::stdout().is_terminal())
}

/// Are colours wanted on the standard error?
pub(super) fn stderr_has_color(choice: ColorChoice) -> bool {
    has_color(choice, io::stderr().is_terminal())
}

fn has_color(choice: ColorChoice, is_terminal: bool) -> bool {
    let is_set = |name| std::env::var_os(name).is_some_and(|it| !it.is_empty());
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            is_terminal && !is_set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|it| it != "dumb")
        }
    }
}

/// Writes to the standard output and flushes it. That whoever read it went away (`| head`) is no failure, and changes no exit
/// code.
///
/// # Errors
/// It cannot be written, as to a full disk.
pub(super) fn print_bytes(bytes: &[u8]) -> io::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}

/// `warning: message` on the standard error. That it may fail to print is nobody's concern.
pub(super) fn print_warning(choice: ColorChoice, message: &str) {
    let line = match stderr_has_color(choice) {
        true => format!("\x1b[1m\x1b[93mwarning\x1b[0m\x1b[1m: {message}\x1b[0m\n"),
        false => format!("warning: {message}\n"),
    };
    print_to_stderr(&line);
}

/// `error: message` on the standard error. That it may fail to print is nobody's concern.
pub(super) fn print_error(choice: ColorChoice, message: &str) {
    let line = if stderr_has_color(choice) {
        format!("\x1b[1m\x1b[91merror\x1b[0m\x1b[1m: {message}\x1b[0m\n")
    } else {
        format!("error: {message}\n")
    };
    let _ = io::stderr().lock().write_all(line.as_bytes());
}

/// Writes to the standard error. That it may fail is nobody's concern.
pub(super) fn print_to_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(text.as_bytes());
}
