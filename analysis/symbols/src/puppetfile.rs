//! Words of a `Puppetfile`, and hovers for its modules.

use project::{Db, File};
use syntax::TextRange;

use crate::descriptions::Hover;
use crate::metadata_json;
use crate::target::Navigation;

/// Keyword at the beginning of a statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuppetfileKeyword {
    pub name: &'static str,
    pub documentation: &'static str,
    /// Statement as an LSP snippet.
    pub snippet: &'static str,
}

/// Option of a `mod` statement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PuppetfileOption {
    /// Name without the colon.
    pub name: &'static str,
    pub documentation: &'static str,
    pub group: OptionGroup,
    /// Literals that the option accepts, as written.
    pub values: &'static [&'static str],
}

/// Use of an option, which decides where it is offered.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptionGroup {
    /// Declares the source of the module.
    Source,
    /// Selects a revision of a Git repository.
    Git,
    /// Selects a revision of a Subversion repository.
    Svn,
    /// Accepted for all sources.
    Any,
}

pub const KEYWORDS: &[PuppetfileKeyword] = &[
    PuppetfileKeyword {
        name: "mod",
        documentation: "Declares a module: its name, then its version or its source.",
        snippet: "mod '$1'",
    },
    PuppetfileKeyword {
        name: "forge",
        documentation: "Sets the URL of the Forge. r10k ignores it unless its own configuration allows it.",
        snippet: "forge '${1:https://forgeapi.puppet.com}'",
    },
    PuppetfileKeyword {
        name: "moduledir",
        documentation: "Sets the folder that the modules are installed in, relative to the environment.",
        snippet: "moduledir '${1:modules}'",
    },
];

pub const OPTIONS: &[PuppetfileOption] = &[
    option("git", "URL of the Git repository of the module.", OptionGroup::Source, &[]),
    option("svn", "URL of the Subversion repository of the module.", OptionGroup::Source, &[]),
    option(
        "local",
        "Marks a module that is part of the control repository, so that it is kept and not installed.",
        OptionGroup::Source,
        &["true"],
    ),
    option(
        "type",
        "Kind of the source.",
        OptionGroup::Source,
        &["'git'", "'svn'", "'forge'", "'tarball'", "'local'"],
    ),
    option("source", "URL of the source whose kind is the option `type`.", OptionGroup::Source, &[]),
    option("version", "Version, if the option `type` names the source.", OptionGroup::Source, &["'latest'"]),
    option("ref", "Branch, tag or commit to check out.", OptionGroup::Git, &[]),
    option("tag", "Tag to check out.", OptionGroup::Git, &[]),
    option("commit", "Full hash of the commit to check out.", OptionGroup::Git, &[]),
    option(
        "branch",
        "Branch to check out. `:control_branch` is the branch of the control repository.",
        OptionGroup::Git,
        &[":control_branch"],
    ),
    option("default_branch", "Branch to check out if `branch` does not exist.", OptionGroup::Git, &[]),
    option(
        "default_branch_override",
        "Branch to check out instead of `default_branch`, set by tools that test one environment.",
        OptionGroup::Git,
        &[],
    ),
    option("revision", "Revision to check out.", OptionGroup::Svn, &[]),
    option("username", "User name for the repository.", OptionGroup::Svn, &[]),
    option("password", "Password for the repository.", OptionGroup::Svn, &[]),
    option("install_path", "Folder that the module is installed in.", OptionGroup::Any, &[]),
    option(
        "exclude_spec",
        "Whether to leave out the `spec` folder of the module.",
        OptionGroup::Any,
        &["true", "false"],
    ),
];

const fn option(
    name: &'static str,
    documentation: &'static str,
    group: OptionGroup,
    values: &'static [&'static str],
) -> PuppetfileOption {
    PuppetfileOption { name, documentation, group, values }
}

/// Returns the documentation of a keyword or option.
pub fn documentation(word: &str) -> Option<&'static str> {
    let keyword = KEYWORDS.iter().find(|it| it.name == word).map(|it| it.documentation);
    let name = word.trim_matches(':');
    keyword.or_else(|| OPTIONS.iter().find(|it| it.name == name).map(|it| it.documentation))
}

/// Returns the location of the module that is named at an offset of a `Puppetfile`.
pub fn definition(db: &dyn Db, file: File, offset: u32) -> Option<Navigation> {
    let modules = &project::puppetfile_of(db, file).modules;
    let module = modules.iter().find(|it| it.name_range.contains_inclusive(offset))?;
    metadata_json::module_definition(db, file, &module.name, module.name_range)
}

/// Returns the hover text for the module, keyword or option at an offset of a `Puppetfile`.
pub fn hover(db: &dyn Db, file: File, offset: u32) -> Option<Hover> {
    let modules = &project::puppetfile_of(db, file).modules;
    if let Some(module) = modules.iter().find(|it| it.name_range.contains_inclusive(offset)) {
        let version = module.version.as_ref().map(|it| it.text.as_str());
        return metadata_json::about_module(db, file, &module.name, version, module.name_range);
    }
    let text = project::text(db, file)?;
    let (word, range) = word_at(&text, offset)?;
    let documentation = documentation(word)?;
    Some(Hover { range, markdown: format!("`{word}`\n\n{documentation}") })
}

/// Returns the keyword, symbol (`:git`) or key (`git:`) at an offset, outside of strings and comments.
fn word_at(text: &str, offset: u32) -> Option<(&str, TextRange)> {
    let at = offset as usize;
    let line_start = text.get(..at)?.rfind('\n').map_or(0, |it| it + 1);
    let line = text[line_start..].lines().next().unwrap_or_default();
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let start = text[line_start..at].trim_end_matches(is_word).len() + line_start;
    let start = start - usize::from(text[line_start..start].ends_with(':'));
    let from = if at == start && text[at..].starts_with(':') { at + 1 } else { at };
    let end = from + text[from..].find(|c| !is_word(c)).unwrap_or(text.len() - from);
    let before = &text[line_start..start];
    let quotes = before.matches(['\'', '"']).count();
    let word = &text[start..end];
    let is_code = quotes.is_multiple_of(2) && !before.contains('#');
    let is_first = before.trim().is_empty();
    let is_key = word.starts_with(':') || text[end..].starts_with(':');
    let is_meant = (is_first && !line.trim_start().starts_with(':')) || is_key;
    let range = TextRange::new(u32::try_from(start).ok()?, u32::try_from(end).ok()?);
    (is_code && is_meant && !word.is_empty()).then_some((word, range))
}
