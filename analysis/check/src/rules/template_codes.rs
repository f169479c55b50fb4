//! What there is to be found in ERB templates.

use project::LintLevel;

use super::CodeRow;

pub(crate) const SYNTAX: &str = "erb-syntax";

pub(crate) const CODES: &[CodeRow] =
    &[(SYNTAX, LintLevel::Error, "The Ruby code of an ERB template cannot be read: rendering it fails.")];
