//! Errors of constructors.

use std::fmt;

/// Error of a conversion.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConversionError {
    pub kind: ConversionErrorKind,
    pub message: String,
}

/// Kind of a [`ConversionError`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ConversionErrorKind {
    /// The type has no constructor.
    NotSupported,
    /// No signature of the constructor accepts the arguments.
    ArgumentMismatch,
    /// The arguments have the right types, but cannot be converted.
    Impossible,
    /// The result is not an instance of the type.
    ResultMismatch,
    /// The result would be too large.
    TooLarge,
}

impl ConversionError {
    /// Creates an error of the given kind.
    pub fn new(kind: ConversionErrorKind, message: impl Into<String>) -> ConversionError {
        ConversionError { kind, message: message.into() }
    }

    /// Creates an error for arguments of the right types that cannot be converted.
    pub fn impossible(message: impl Into<String>) -> ConversionError {
        ConversionError::new(ConversionErrorKind::Impossible, message)
    }

    /// Creates an error for missing arguments.
    pub fn no_argument() -> ConversionError {
        ConversionError::new(ConversionErrorKind::ArgumentMismatch, "missing argument")
    }
}

impl fmt::Display for ConversionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for ConversionError {}
