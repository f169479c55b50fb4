//! Diagnostics: one rule, one file.

mod evaluation_rules;
mod syntax_rules;

pub use evaluation_rules::evaluation_diagnostics;
pub use syntax_rules::syntax_diagnostics;
