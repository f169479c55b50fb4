//! Why a constructor makes nothing.

use std::fmt;

/// Why no value can be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversionError {
    pub kind: ConversionErrorKind,
    pub message: String,
}

/// What went wrong.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionErrorKind {
    /// The type has no constructor.
    NotSupported,
    /// No signature of the constructor takes the arguments.
    ArgumentMismatch,
    /// The arguments are of the right types, but nothing can be made of them.
    Impossible,
    /// What was made is no instance of the type.
    ResultMismatch,
    /// The result would be too large.
    TooLarge,
}

impl ConversionError {
    /// An error of a kind, in words.
    pub fn new(kind: ConversionErrorKind, message: impl Into<String>) -> ConversionError {
        ConversionError { kind, message: message.into() }
    }

    /// Nothing can be made of the arguments.
    pub fn impossible(message: impl Into<String>) -> ConversionError {
        ConversionError::new(ConversionErrorKind::Impossible, message)
    }

    /// Fewer arguments than a signature takes.
    pub fn no_argument() -> ConversionError {
        ConversionError::new(ConversionErrorKind::ArgumentMismatch, "an argument is missing")
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConversionError {}
