//! Reimplementation of the checks of puppet-lint, of its most common plugins, and of
//! `check_unsafe_interpolations`.
//!
//! The checks work on a list of tokens derived from the syntax tree (`tokenize`), so that no second lexer can
//! disagree with Puppet's: a variable includes its accesses, a string consists of its parts. [`lint`] returns
//! the findings with the edits that fix them, and [`apply`] applies those edits, except where they touch.
//!
//! * `manifest` determines the tokens of resources, classes and defined types.
//! * `table` has the checks of the table of codes, each with the code in `check` that it corresponds to; `checks` has
//!   the implementations.
//! * `control` parses comments that disable checks; `configuration` reads the puppet-lint configuration of a
//!   repository without running anything.
//!
//! **Each check examines a token a bounded number of times and reports at most 10,000 findings per file.** A
//! `Safe` fix does not change the catalog, a `Formatting` fix does not change what Puppet reads. Independent
//! of projects and salsa. Options, reports and writing are in `cli::lint`; `checks/CODE/cases.md` has the
//! cases of each check, and `conformance` compares the findings with those of puppet-lint.

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

pub use codes::CheckOrigin;
pub use configuration::{PuppetLintConfiguration, full_option_name};
pub use data::lint_data;
pub use pattern::path_fits;
pub use report::{Edit, StyleFinding, apply};
pub use table::{CHECKS, Fix, StyleCheck, is_formatting_fix};

/// Severity that puppet-lint assigns to a finding.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    /// Questionable style.
    Warning,
    /// Likely to be wrong.
    Error,
}

/// Options of the checks.
#[derive(Clone, Debug)]
pub struct Options {
    /// True if paths begin below the module's folder, like `manifests/init.pp`.
    pub relative: bool,
    /// Number of spaces per level of indentation.
    pub chars_per_indent: u32,
    /// Accepted styles of parameter documentation: `doc`, `kafo`, `strings`.
    pub docs_allowed_styles: Vec<String>,
    /// Top-scope variables that are not facts.
    pub top_scope_variables: Vec<String>,
    /// True if each bracket that is open at the end of a line indents the next one, as in `strict_indent` before
    /// version 4; otherwise brackets that are closed on the same line indent once.
    pub indents_each_bracket: bool,
}

impl Default for Options {
    fn default() -> Options {
        let styles = ["doc", "kafo", "strings"];
        Options {
            relative: false,
            chars_per_indent: 2,
            docs_allowed_styles: styles.map(str::to_owned).to_vec(),
            top_scope_variables: Vec::new(),
            indents_each_bracket: false,
        }
    }
}

/// Returns the findings of the selected checks in a manifest, in the order of the table and by position for
/// each check.
///
/// `path` is the path of the manifest as passed to puppet-lint; empty if there is none.
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

/// Returns messages about control comments without a counterpart (`lint:ignore:NAME`, `lint:endignore`), in
/// puppet-lint's words.
pub fn unmatched_control_comments(parse: &Parse) -> Vec<String> {
    if !parse.text().contains("lint:") {
        return Vec::new();
    }
    let tokens = tokenize::tokenize(&parse.syntax(), parse.text());
    control::Control::new(&tokens).unmatched
}
