//! Static validation rules: errors that Puppet reports for a syntactically valid text without reading other
//! files.
//!
//! A single walk over the tree (`walk`) applies the rules of each family; `findings` keeps those that no
//! syntax error may have caused: statements that contain syntax errors are skipped.
//!
//! Also defines the two settings that determine the language, `Strict` and `PuppetVersion`.

mod assignments;
mod base64;
mod catalog;
mod context;
mod definitions;
mod findings;
mod heredocs;
mod literals;
mod names;
mod parameters;
mod types;
mod versions;
mod walk;

#[cfg(test)]
mod tests;

pub use heredocs::check_heredoc;
pub use versions::{PuppetVersion, VersionDifference};

use syntax::{Parse, Severity, TextFinding};

/// Puppet's setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Strict {
    Off,
    /// Default of Puppet 7.
    Warning,
    /// Default of Puppet 8.
    #[default]
    Error,
}

/// Namespace expected of the definitions in a manifest, derived from its path.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum ExpectedNamespace {
    /// Outside of all modules, or a main manifest: anything may be defined.
    #[default]
    Free,
    /// In an autoloaded directory of a module: every name defined there must begin with `namespace`
    /// (lowercase).
    Module { namespace: String },
    /// In a module, but not in an autoloaded directory: nothing may be defined.
    Misplaced,
}

/// Inputs of the static rules besides the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValidationSettings {
    pub strict: Strict,
    pub version: PuppetVersion,
    pub location: ExpectedNamespace,
}

/// Returns all findings of the static rules by position. Skips statements that contain syntax errors.
pub fn validate(parse: &Parse, settings: &ValidationSettings) -> Vec<TextFinding> {
    walk::validate_nested(parse, settings, 0)
}

/// Maximum number of warnings of the static rules that Puppet logs per text with its default settings.
const MAX_WARNINGS: usize = 10;

/// Returns the warnings that Puppet logs when it reads a text for which the static rules `found` findings:
/// all warnings of the lexer up to the point where it stops, then the first ones of the rules.
pub fn logged_warnings(parse: &Parse, found: &[TextFinding]) -> Vec<String> {
    let is_warning = |it: &&TextFinding| it.severity() == Severity::Warning;
    // The grammar sees a text only after the lexer has finished.
    let ends_lexer =
        |it: &&TextFinding| it.severity() == Severity::Error && it.code != codes::Code::SyntaxError;
    let end = parse.errors().iter().find(ends_lexer).map(|it| it.range.start);
    let is_read = |it: &&TextFinding| end.is_none_or(|end| it.range.start < end);
    let of_lexer = parse.errors().iter().filter(is_warning).filter(is_read);
    let of_rules = found.iter().filter(is_warning).take(MAX_WARNINGS);
    let problem = |it: &TextFinding| codes::split_message(&it.message).0.to_owned();
    of_lexer.chain(of_rules).map(problem).collect()
}
