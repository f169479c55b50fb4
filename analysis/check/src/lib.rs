//! Diagnostics: one rule, one file.

mod syntax_rules;

pub use syntax_rules::syntax_diagnostics;
