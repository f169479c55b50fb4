//! What is said of `metadata.json` and `Puppetfile`.

use crate::rule::{CodeRow, row};

pub(super) const CODES: &[CodeRow] = &[
    row!("metadata-duplicate", Warning),
    row!("metadata-missing-key", Error),
    row!("metadata-name", Warning),
    row!("metadata-other-version", Hint),
    row!("metadata-syntax", Error),
    row!("metadata-unknown-key", Hint),
    row!("metadata-value", Error),
    row!("metadata-version", Warning),
    row!("puppetfile-name", Warning),
    row!("puppetfile-unknown-word", Hint),
];
