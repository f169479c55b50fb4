//! Errors without a location.

use codes::Code;

/// Error of a function or operator before its location is known.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub code: Code,
    pub message: String,
    pub side: Side,
}

/// Part of an operation that is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Whole,
    Left,
    Right,
    /// Key or argument with this index.
    Argument(usize),
}

impl Failure {
    pub fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into(), side: Side::Whole }
    }

    pub fn at(self, side: Side) -> Failure {
        Failure { side, ..self }
    }
}
