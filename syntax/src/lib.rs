//! Puppet source text to a lossless syntax tree, typed views over it, and the rules that need no other file.
//!
//! Knows nothing of files, queries or editors. The tree's text is the file's text, always, and parsing never fails:
//! what does not fit becomes an `ERROR` node and a [`Diagnostic`].

pub mod ast;
mod diagnostic;
mod grammar;
mod kind;
mod lexer;
mod parser;
pub mod pn;
mod text;
mod tree;
pub mod validation;

use std::sync::Arc;

use tree::{Tree, TreeBuilder};

pub use ast::{AstNode, SourceFile};
pub use diagnostic::{Diagnostic, Severity};
pub use kind::SyntaxKind;
pub use text::{ColumnUnit, LineColumn, LineMap, TextRange};
pub use tree::{NodePointer, SyntaxElement, SyntaxNode, SyntaxToken};

/// The language of a text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Language {
    /// A manifest (`.pp`).
    #[default]
    Manifest,
    /// An EPP template (`.epp`).
    Epp,
    /// A Bolt plan: a manifest in which `plan` and `apply` are keywords, with rules of its own.
    Plan,
}

/// The result of [`parse`]. `Send`, `Sync`, and equal when tree and errors are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parse {
    tree: Tree,
    errors: Arc<[Diagnostic]>,
    language: Language,
}

impl Parse {
    /// The root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        self.tree.root()
    }

    /// The typed root of the tree.
    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("the root is always a SOURCE_FILE")
    }

    /// The syntax errors (and warnings of the lexer), by position.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    pub fn language(&self) -> Language {
        self.language
    }
}

/// Parses a text. Never fails; of a text of 4 GiB or more only an error comes back.
pub fn parse(text: &str, language: Language) -> Parse {
    if text.len() >= u32::MAX as usize {
        return too_large(language);
    }
    let mut best = parse_once(text, language, None);
    if best.errors.is_empty() {
        return best.into_parse(language);
    }
    // A string that lost its end turns the rest of the file inside out: try what comes out if it ends with its line.
    let mut suspects = std::mem::take(&mut best.suspects);
    suspects.sort_unstable();
    suspects.dedup();
    suspects.truncate(MAX_ATTEMPTS);
    for suspect in suspects {
        let attempt = parse_once(text, language, Some(suspect));
        if attempt.errors.len() < best.errors.len()
            || (attempt.errors.len() == best.errors.len() && attempt.tokens > best.tokens)
        {
            best = attempt;
        }
    }
    best.into_parse(language)
}

/// How often a text with errors is parsed again, at most.
const MAX_ATTEMPTS: usize = 6;

struct Attempt {
    tree: Tree,
    errors: Vec<Diagnostic>,
    suspects: Vec<lexer::Suspect>,
    tokens: usize,
}

impl Attempt {
    fn into_parse(self, language: Language) -> Parse {
        Parse { tree: self.tree, errors: self.errors.into(), language }
    }
}

fn parse_once(text: &str, language: Language, broken: Option<lexer::Suspect>) -> Attempt {
    let mut lexed = lexer::lex(text, language, broken);
    let inputs = parser::fragments(&lexed);
    let mut errors = std::mem::take(&mut lexed.errors);
    let mut fragments = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        let mut parser = parser::Parser::new(text, &lexed, input);
        match index {
            0 => grammar::source_file(&mut parser, language == Language::Epp),
            _ => grammar::heredoc_body(&mut parser),
        }
        let (events, found) = parser.finish();
        errors.extend(found);
        fragments.push(parser::Fragment { input, events });
    }
    let (tree, too_deep) = parser::build_tree(text, &lexed, &mut fragments);
    errors.extend(too_deep);
    keep_causes(text, &mut errors);
    Attempt { tree, errors, suspects: lexed.suspects, tokens: lexed.tokens.len() }
}

/// Keeps the causes: behind something that is never closed, and behind code nested too deeply, the parser is guessing;
/// and what follows an error on the same line is mostly a consequence of it.
fn keep_causes(text: &str, errors: &mut Vec<Diagnostic>) {
    errors.sort_by_key(|error| (error.range.start, error.range.end));
    // Up to where it is known that the last error's line goes on.
    let mut same_line_up_to: Option<u32> = None;
    let mut guessing = false;
    errors.retain(|error| {
        if error.severity != Severity::Error {
            return true;
        }
        let start = error.range.start;
        let same_line = same_line_up_to.is_some_and(|at| !text[at as usize..start as usize].contains('\n'));
        same_line_up_to = Some(start);
        let was_guessing = guessing;
        guessing |= error.code.starts_with("unclosed-")
            || matches!(error.code, "nesting-too-deep" | "heredoc-without-text");
        !was_guessing && !same_line
    });
}

fn too_large(language: Language) -> Parse {
    let mut builder = TreeBuilder::new(1);
    builder.start(SyntaxKind::SOURCE_FILE, 0);
    builder.finish_node();
    let error = Diagnostic::error("file-too-large", TextRange::empty(0), "the file is larger than 4 GiB");
    Parse { tree: builder.finish(""), errors: Arc::new([error]), language }
}
