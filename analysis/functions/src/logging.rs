//! Logging functions. A message consists of the interpolated arguments, separated by spaces.

use codes::Code;
use eval::{BuiltInFunction, Call, LogLevel, Outcome};
use types::Value;
use types::text::{TextError, interpolated, to_notation};

use super::support::{function, open};

const SIGNATURE: &str = "(Any *$values) >> Undef";

pub(super) static TABLE: &[BuiltInFunction] = &[
    function(
        "debug",
        "Logs its arguments as a debug message.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Debug))],
    ),
    function(
        "info",
        "Logs its arguments as an informational message.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Info))],
    ),
    function(
        "notice",
        "Logs its arguments as a notice.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Notice))],
    ),
    function(
        "warning",
        "Logs its arguments as a warning.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Warning))],
    ),
    function(
        "err",
        "Logs its arguments as an error, and continues.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Err))],
    ),
    function(
        "alert",
        "Logs its arguments as an alert.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Alert))],
    ),
    function(
        "emerg",
        "Logs its arguments as an emergency.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Emerg))],
    ),
    function(
        "crit",
        "Logs its arguments as a critical message.",
        &[open(SIGNATURE, |call| log(call, LogLevel::Crit))],
    ),
];

fn log(call: &mut Call, level: LogLevel) -> Outcome {
    let mut text = String::new();
    for (index, value) in call.arguments.iter().enumerate() {
        if index > 0 {
            text.push(' ');
        }
        match interpolated(value, call.env()) {
            Ok(part) => text.push_str(&part),
            // An unknown value is printed as its type.
            Err(TextError::Unknown(_)) => text.push_str(&to_notation(value, call.env())),
            Err(TextError::TooLong) => return Err(call.fail(Code::TooLarge, "message is too long")),
        }
    }
    call.log(level, text);
    Ok(Value::Undef)
}
