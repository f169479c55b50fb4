//! The checks of puppet-lint, of the plugins that most people add to it, and of `check_unsafe_interpolations`, by their names.
//!
//! They judge style from a list of tokens that is cut out of Puppet's own tree: no lexer of their own disagrees with
//! Puppet's. [`lint`] gives what they find, with the edits that mend it; [`apply`] makes those edits.

mod checks;
mod configuration;
mod control;
mod data;
mod manifest;
mod parameters;
mod pattern;
mod report;
mod strings;
mod table;
mod token;
mod tokenize;

use syntax::Parse;

pub use configuration::PuppetLintConfiguration;
pub use data::lint_data;
pub use pattern::path_fits;
pub use report::{Edit, StyleFinding, apply};
pub use table::{CHECKS, CheckOrigin, Fix, StyleCheck, is_layout};

/// How bad puppet-lint takes a finding to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// It looks bad.
    Warning,
    /// It is likely to be wrong.
    Error,
}

/// What the user may set.
#[derive(Clone, Debug)]
pub struct Options {
    /// Paths begin below the module's folder, as `manifests/init.pp`.
    pub relative: bool,
    /// How many blanks a level of indentation takes.
    pub chars_per_indent: u32,
    /// The ways to document parameters that are fine: `doc`, `kafo`, `strings`.
    pub docs_allowed_styles: Vec<String>,
    /// Variables of the top scope that are no facts.
    pub top_scope_variables: Vec<String>,
}

impl Default for Options {
    fn default() -> Options {
        let styles = ["doc", "kafo", "strings"];
        Options {
            relative: false,
            chars_per_indent: 2,
            docs_allowed_styles: styles.map(str::to_owned).to_vec(),
            top_scope_variables: Vec::new(),
        }
    }
}

/// What the checks that `wanted` names find in a manifest, in the order of the table, each in that of the text.
///
/// `path` is the manifest's path as puppet-lint would be given it; it is empty where there is none.
pub fn lint(
    parse: &Parse,
    path: &str,
    options: &Options,
    wanted: impl Fn(&StyleCheck) -> bool,
) -> Vec<StyleFinding> {
    let text = parse.text();
    let tokens = tokenize::tokenize(&parse.syntax(), text);
    let control = control::Control::new(&tokens);
    let manifest = manifest::Manifest::new(text, path, tokens, options);
    let mut found = Vec::new();
    for check in CHECKS.iter().filter(|it| wanted(it)) {
        let mut report = report::CheckReport::new(&manifest, check.name, check.level);
        (check.run)(&manifest, &mut report);
        for mut finding in report.findings {
            finding.ignored = control.reason(check.name, finding.line).map(str::to_owned);
            finding.fix.retain(|it| text[it.start as usize..it.end as usize] != it.text);
            found.push(finding);
        }
    }
    found
}
