//! Errors that do not know yet where they stand.

use codes::Code;

/// An error that does not know yet where it stands: what functions and operators give.
#[derive(Clone, PartialEq, Debug)]
pub struct Failure {
    pub code: Code,
    pub message: String,
    pub side: Side,
}

/// Which part of an operation is at fault.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Side {
    Whole,
    Left,
    Right,
    /// The key or argument with this index.
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
