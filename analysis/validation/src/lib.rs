//! The static rules: what Puppet refuses in a text that parses, without a look at any other file.
//!
//! One walk over the tree ([`walk`]) calls the rules of each family; [`findings`] keeps those that no syntax error
//! may have caused.

mod assignments;
mod base64;
mod catalog;
mod definitions;
mod findings;
mod heredocs;
mod literals;
mod names;
mod parameters;
mod types;
mod walk;

#[cfg(test)]
mod tests;

pub use heredocs::finding_of_heredoc;

use syntax::{Parse, Severity, TextFinding};

/// Puppet's setting `strict`.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Strict {
    Off,
    /// The default of Puppet 7.
    Warning,
    /// The default of Puppet 8.
    #[default]
    Error,
}

/// The version of the language: Puppet 7, or Puppet 8 and OpenVox 8.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum PuppetVersion {
    V7,
    #[default]
    V8,
}

impl PuppetVersion {
    /// The version with this major number, if it is one we know.
    pub fn from_major(major: u32) -> Option<PuppetVersion> {
        match major {
            7 => Some(PuppetVersion::V7),
            8 => Some(PuppetVersion::V8),
            _ => None,
        }
    }

    /// What the setting `strict` is when nobody sets it.
    pub fn default_strict(self) -> Strict {
        match self {
            PuppetVersion::V7 => Strict::Warning,
            PuppetVersion::V8 => Strict::Error,
        }
    }
}

/// Where a manifest lies, for the rules on what may be defined there.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum ExpectedNamespace {
    /// Outside of all modules, or a main manifest: anything may be defined.
    #[default]
    Free,
    /// In a folder of a module that autoloads; `namespace` (lower case) is what every name defined there must begin with.
    Module { namespace: String },
    /// In a module, but in none of the folders that autoload: nothing may be defined.
    Misplaced,
}

/// What the static rules need to know beside the tree.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct ValidationSettings {
    pub strict: Strict,
    pub version: PuppetVersion,
    pub location: ExpectedNamespace,
}

/// All findings of the static rules, by position. Statements with syntax errors inside are left alone.
pub fn validate(parse: &Parse, settings: &ValidationSettings) -> Vec<TextFinding> {
    walk::validate_nested(parse, settings, 0)
}

/// As many warnings of the static rules as Puppet logs about one text, unless its settings say otherwise.
const MAX_WARNINGS: usize = 10;

/// What Puppet logs when it reads a text in which the static rules have `found` something: all warnings of the lexer, as far as
/// it comes, then the first ones of the rules.
pub fn logged_warnings(parse: &Parse, found: &[TextFinding]) -> Vec<String> {
    let is_warning = |it: &&TextFinding| it.severity() == Severity::Warning;
    // The grammar looks at a text when the lexer is through with it.
    let ends_lexer =
        |it: &&TextFinding| it.severity() == Severity::Error && it.code != codes::Code::SyntaxError;
    let end = parse.errors().iter().find(ends_lexer).map(|it| it.range.start);
    let is_read = |it: &&TextFinding| end.is_none_or(|end| it.range.start < end);
    let of_lexer = parse.errors().iter().filter(is_warning).filter(is_read);
    let of_rules = found.iter().filter(is_warning).take(MAX_WARNINGS);
    of_lexer.chain(of_rules).map(|it| it.message.clone()).collect()
}
