//! Diagnostics: one folder per rule.
//!
//! [`diagnostics`] returns the findings to display, and [`rule_table`] lists all rules.
//!
//! Every code has a folder (`rules/CODE`, that of style checks in `lint`) with a page, whose examples a test runs, and
//! cases with Puppet's verdict on them. Rules check sections (`context`, `sections`): a whole file, or a part of an open
//! one. `findings` and `file_findings` combine what sections find with what exists once per file; **nothing
//! that a section reports depends on its position**.
//!
//! Findings come in tiers ([`Tier`]): text, names, values, style, compiles. Each is a query; the last one is
//! computed after a save. `publication` applies the user's levels and the comments that suppress findings.
//!
//! **Nothing uncertain is an error**: a name is missing only if everything that could define it is known
//! (`project::absence`), and findings under conditions (`rules/reach`) are warnings.

mod bolt_rules;
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
mod ruby_rules;
mod rule;
mod rule_table;
mod rules;
mod sections;
mod semantic_rules;
mod style_rules;
mod suppressions;
mod syntax_rules;
mod task_rules;
mod template_rules;
mod unused_rules;
mod upgrade;

pub use catalog_rules::{catalog_diagnostics, compiles_ahead};
pub use codes::Code;
pub use diagnostic::{Diagnostic, DiagnosticTag, FixData, Related, UnknownNameKind};
pub use evaluation_rules::evaluation_diagnostics;
pub use file_findings::{INSTALL_MODULE, installation_help, modules_missed_by_code};
pub use lint::PuppetLintConfiguration;
pub use publication::{
    MissingFinding, Tier, apply_settings, are_muted, diagnostics, diagnostics_of_compiles,
    fixable_diagnostics, set_lru_capacities, unused_diagnostics,
};
pub use rule::Rule;
pub use rule_table::{GROUPS, rule, rule_by_any_name, rule_table, rules_named};
pub use rules::failures::Breadth;
pub use semantic_rules::semantic_diagnostics;
pub use style_rules::style_diagnostics;
pub use syntax_rules::{syntax_diagnostics, syntax_errors};
pub use unused_rules::UNUSED_ITEMS;
pub use upgrade::UpgradePath;
