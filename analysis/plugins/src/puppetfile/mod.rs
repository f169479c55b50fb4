//! Contents of a `Puppetfile`: a Ruby program that r10k and librarian-puppet evaluate with their own methods (`mod`,
//! `forge`). It is never executed.
//!
//! The file is read as Ruby (`program`). From the first syntax error on, such as in a file that is being typed,
//! only the common form is read, line by line (`lines`): `mod 'author-name', '1.2.3'`, with options on the
//! following lines.

mod lines;
mod program;

use smol_str::SmolStr;
use syntax::TextRange;

use crate::guard::{LENGTH_LIMIT, is_hostile, on_stack_for};

/// Contents of a `Puppetfile`.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Puppetfile {
    pub modules: Vec<PuppetfileModule>,
    /// Other statements and calls without a receiver.
    pub words: Vec<PuppetfileWord>,
    /// Calls of keywords with the wrong number or kind of arguments.
    pub invalid_calls: Vec<PuppetfileCall>,
    /// Locations given to `forge`.
    pub forges: Vec<PuppetfileValue>,
    /// First syntax error.
    pub syntax_error: Option<(String, TextRange)>,
    /// Start of the statement with the syntax error. From there on, the file is only read line by line.
    pub broken_from: Option<u32>,
    /// True if other code may define methods that the file calls (`require_relative`, `eval`).
    pub runs_other_code: bool,
    /// True if only librarian-puppet can read the file.
    pub is_for_librarian: bool,
}

/// Call without a receiver, or the first word of a line that is not part of a module.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileWord {
    pub text: SmolStr,
    pub range: TextRange,
    /// True if every evaluation of the file reaches the call.
    pub is_unconditional: bool,
}

/// Call of a keyword that r10k rejects because of its arguments.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileCall {
    pub keyword: SmolStr,
    /// Range of the keyword, or of the rejected argument.
    pub range: TextRange,
    pub problem: PuppetfileCallProblem,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuppetfileCallProblem {
    MissingArgument,
    ExcessArgument,
    NotAString,
}

/// One `mod` declaration.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileModule {
    /// Name; the range includes the quotes.
    pub name: SmolStr,
    pub name_range: TextRange,
    /// Second argument, unless it is a hash.
    pub version: Option<PuppetfileValue>,
    pub options: Vec<PuppetfileModuleOption>,
    /// True if the options may contain more than is listed (`**defaults`).
    pub has_unknown_options: bool,
    /// Third argument, which no tool accepts.
    pub excess_argument: Option<TextRange>,
    /// True if every evaluation of the file declares the module.
    pub is_unconditional: bool,
    /// From the name to the end of the last option.
    pub range: TextRange,
}

/// Option of a module, such as `git: 'https://...'`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileModuleOption {
    pub name: SmolStr,
    /// Range without the colon.
    pub name_range: TextRange,
    /// False for a string as the key, which no tool looks up.
    pub is_symbol: bool,
    pub value: PuppetfileValue,
}

/// Argument or value of an option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PuppetfileValue {
    pub kind: PuppetfileValueKind,
    /// Contents of a string or symbol; other values as written.
    pub text: SmolStr,
    /// Source text.
    pub written: SmolStr,
    pub range: TextRange,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PuppetfileValueKind {
    String,
    Symbol,
    Number,
    Boolean,
    Nil,
    /// Array or hash.
    Collection,
    /// Anything that is computed.
    Computed,
}

/// Comment in the files that `librarian-puppet init` creates.
const LIBRARIAN_MARK: &str = "#^syntax detection";

impl PuppetfileModule {
    pub fn option(&self, name: &str) -> Option<&PuppetfileModuleOption> {
        self.options.iter().find(|it| it.name == name)
    }
}

/// Reads a `Puppetfile`. A file that is too large or would take the parser minutes is read line by line.
pub fn read(text: &str) -> Puppetfile {
    let is_parsed = text.len() <= LENGTH_LIMIT && !is_hostile(text);
    let program = is_parsed.then(|| on_stack_for(text.len(), || program::read(text))).flatten();
    let Some(mut found) = program else { return lines::read(text) };
    if let Some((message, error)) = &mut found.syntax_error {
        let others = lines::read(text);
        let (start, comma) = lines::broken_statement(text, error.start);
        if let Some((problem, range)) = comma {
            (*message, *error) = (problem.to_owned(), range);
        }
        found.broken_from = Some(start);
        found.modules.retain(|it| it.range.end <= start);
        found.words.retain(|it| it.range.end <= start);
        found.invalid_calls.retain(|it| it.range.end <= start);
        let end = found.modules.last().map_or(0, |it| it.range.end);
        found.modules.extend(others.modules.into_iter().filter(|it| it.range.start >= end));
        let end = found.words.last().map_or(0, |it| it.range.end);
        found.words.extend(others.words.into_iter().filter(|it| it.range.start >= end.max(start)));
    }
    found.is_for_librarian = text.contains(LIBRARIAN_MARK)
        || found.words.iter().any(|it| matches!(&*it.text, "metadata" | "modulefile"))
        || found.modules.iter().any(|it| it.option("github_tarball").is_some());
    found
}

#[cfg(test)]
mod tests;
