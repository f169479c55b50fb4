//! What there is to be found in the files of Hiera.

use project::LintLevel;

use super::CodeRow;

pub(crate) const SYNTAX: &str = "data-syntax";
pub(crate) const VALUE: &str = "data-value";
pub(crate) const SYMBOL: &str = "data-symbol";
pub(crate) const DUPLICATE_KEY: &str = "data-duplicate-key";
pub(crate) const INTERPOLATION: &str = "data-interpolation";
pub(crate) const UNKNOWN_PARAMETER: &str = "data-unknown-parameter";
pub(crate) const TYPE_MISMATCH: &str = "data-type-mismatch";
pub(crate) const CONFIGURATION: &str = "hiera-configuration";

pub(crate) const CODES: &[CodeRow] = &[
    (SYNTAX, LintLevel::Error, "A data file of Hiera cannot be read: every lookup that comes to it fails."),
    (VALUE, LintLevel::Error, "A value of a kind that Hiera data cannot have, as a date without quotes."),
    (SYMBOL, LintLevel::Warning, "A value that begins with a colon is a Ruby symbol; looking it up fails."),
    (DUPLICATE_KEY, LintLevel::Warning, "A key stands twice in one hash of data; the last one wins."),
    (INTERPOLATION, LintLevel::Error, "A `%{...}` in data that Hiera refuses when the key is looked up."),
    (UNKNOWN_PARAMETER, LintLevel::Hint, "A key of data names a parameter that its class does not have."),
    (
        TYPE_MISMATCH,
        LintLevel::Warning,
        "A value in data does not fit the type of the parameter that it is for.",
    ),
    (
        CONFIGURATION,
        LintLevel::Error,
        "Something in `hiera.yaml` that Hiera refuses, ignores, or that is out of date.",
    ),
];
