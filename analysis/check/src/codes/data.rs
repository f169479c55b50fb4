//! What there is to be found in the files of Hiera.

use crate::rule::{CodeRow, row};

pub(crate) const SYNTAX: &str = "data-syntax";
pub(crate) const VALUE: &str = "data-value";
pub(crate) const SYMBOL: &str = "data-symbol";
pub(crate) const DUPLICATE_KEY: &str = "data-duplicate-key";
pub(crate) const INTERPOLATION: &str = "data-interpolation";
pub(crate) const UNKNOWN_PARAMETER: &str = "data-unknown-parameter";
pub(crate) const TYPE_MISMATCH: &str = "data-type-mismatch";
pub(crate) const CONFIGURATION: &str = "hiera-configuration";

pub(crate) const CODES: &[CodeRow] = &[
    row!("data-syntax", Error),
    row!("data-value", Error),
    row!("data-symbol", Warning),
    row!("data-duplicate-key", Warning),
    row!("data-interpolation", Error),
    row!("data-unknown-parameter", Hint),
    row!("data-type-mismatch", Warning),
    row!("hiera-configuration", Error),
];
