//! What is printed where, and in which colours.

use std::borrow::Cow;
use std::io::{self, IsTerminal, Write};

use eval::LogLevel;
use output::{escaped_json, visible_message, visible_text, without_commands};
use serde::Serialize;

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

/// Writes a text for people to the standard output and flushes it. Of what steers a terminal only colours get through, and those
/// only where colours are wanted: whoever puts words of a repository into colours has made them visible before.
pub(super) fn print_text(text: &str, is_colored: bool) -> io::Result<()> {
    print_bytes(without_commands(&steered_by_colors_only(text, is_colored)).as_bytes())
}

/// The same for lines that are commands to GitHub, each of them one of ours.
pub(super) fn print_commands(text: &str) -> io::Result<()> {
    print_bytes(visible_text(text).as_bytes())
}

/// Writes a value as JSON, and a line break, to the standard output and flushes it.
pub(super) fn print_json(value: &impl Serialize) -> anyhow::Result<()> {
    let json = serde_json::to_string_pretty(value)? + "\n";
    Ok(print_bytes(escaped_json(&json).as_bytes())?)
}

fn steered_by_colors_only(text: &str, is_colored: bool) -> Cow<'_, str> {
    if !is_colored || !text.contains('\x1b') {
        return visible_text(text);
    }
    let mut out = String::with_capacity(text.len());
    for (index, part) in text.split("\x1b[").enumerate() {
        let is_style = |c: char| c.is_ascii_digit() || c == ';';
        let style = part.find(|c| !is_style(c)).filter(|end| part[*end..].starts_with('m'));
        let rest = match style {
            Some(end) if index > 0 => {
                out.push_str("\x1b[");
                out.push_str(&part[..=end]);
                &part[end + 1..]
            }
            None if index > 0 => {
                out.push_str("\\u{1b}[");
                part
            }
            _ => part,
        };
        out.push_str(&visible_text(rest));
    }
    Cow::Owned(out)
}

/// Writes bytes of our own to the standard output and flushes it. That whoever read it went away (`| head`) is no failure, and
/// changes no exit code.
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
    let message = visible_message(message);
    let line = match stderr_has_color(choice) {
        true => format!("\x1b[1m\x1b[93mwarning\x1b[0m\x1b[1m: {message}\x1b[0m\n"),
        false => format!("warning: {message}\n"),
    };
    write_to_stderr(&line);
}

/// `error: message` on the standard error. That it may fail to print is nobody's concern.
pub(super) fn print_error(choice: ColorChoice, message: &str) {
    let message = visible_message(message);
    let line = if stderr_has_color(choice) {
        format!("\x1b[1m\x1b[91merror\x1b[0m\x1b[1m: {message}\x1b[0m\n")
    } else {
        format!("error: {message}\n")
    };
    write_to_stderr(&line);
}

/// Writes a text, which may have colours, to the standard error. That it may fail is nobody's concern.
pub(super) fn print_to_stderr(text: &str) {
    write_to_stderr(&steered_by_colors_only(text, true));
}

fn write_to_stderr(text: &str) {
    let _ = io::stderr().lock().write_all(without_commands(text).as_bytes());
}

/// What code has logged, on the standard error.
pub(super) fn print_log(choice: ColorChoice, level: LogLevel, message: &str) {
    let style = match level {
        _ if !stderr_has_color(choice) => "",
        LogLevel::Debug | LogLevel::Info => "\x1b[2m",
        LogLevel::Notice => "\x1b[36m",
        LogLevel::Warning => "\x1b[33m",
        _ => "\x1b[31m",
    };
    let end = if style.is_empty() { "" } else { "\x1b[0m" };
    print_to_stderr(&format!("{style}{}:{end} {}\n", level.text(), output::visible(message)));
}
