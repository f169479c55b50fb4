//! What there is to be found in ERB templates.

use crate::rule::{CodeRow, row};

pub(crate) const SYNTAX: &str = "erb-syntax";

pub(crate) const CODES: &[CodeRow] = &[row!("erb-syntax", Error)];
