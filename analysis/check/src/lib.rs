//! Diagnostics: one file per rule.
//!
//! [`diagnostics`] returns the findings to display, and [`rule_table`] lists all rules.

mod catalog_rules;
mod context;
mod data_rules;
mod diagnostic;
mod evaluation_rules;
mod file_findings;
mod findings;
mod location_fix;
mod metadata_rules;
mod publication;
mod puppetfile_rules;
mod rule;
mod rule_table;
mod rules;
mod sections;
mod semantic_rules;
mod style_rules;
mod suppressions;
mod syntax_rules;
mod template_rules;

pub use catalog_rules::{Breadth, catalog_diagnostics, compiles_ahead};
pub use codes::Code;
pub use diagnostic::{Diagnostic, DiagnosticTag, FixData, Related, UnknownNameKind};
pub use evaluation_rules::evaluation_diagnostics;
pub use lint::PuppetLintConfiguration;
pub use publication::{Tier, diagnostics, diagnostics_of_compiles, fixable_diagnostics, set_lru_capacities};
pub use rule::Rule;
pub use rule_table::{GROUPS, rule, rule_by_any_name, rule_table, rules_named};
pub use semantic_rules::semantic_diagnostics;
pub use style_rules::style_diagnostics;
pub use syntax_rules::syntax_diagnostics;
