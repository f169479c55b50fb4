//! Puppet source text to a lossless syntax tree, and typed views over it.
//!
//! Knows nothing of files, queries or editors. The tree's text is the file's text, always, and parsing never fails:
//! what does not fit becomes an `ERROR` node and a [`TextFinding`].

pub mod ast;
mod edit;
mod finding;
mod grammar;
mod kind;
mod lexer;
mod lost_end;
mod parser;
pub mod pn;
mod recovery;
mod text;
mod tree;

use codes::Code;
use std::cmp::Ordering;
use std::sync::Arc;

use tree::Tree;

pub use ast::{AstNode, SourceFile};
pub use codes::Severity;
pub use finding::TextFinding;
pub use grammar::STATEMENT_CALLS;
pub use kind::SyntaxKind;
pub use lexer::is_blank;
pub use text::{ColumnUnit, LineColumn, LineMap, TextRange, common_ends};
pub use tree::{NodePointer, SyntaxElement, SyntaxNode, SyntaxToken, TopNode};

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
    errors: Arc<[TextFinding]>,
    /// Those that follow from others included.
    all_errors: Arc<[TextFinding]>,
    /// What may have lost its end, by place.
    recovering_and: Arc<[lexer::Suspect]>,
    /// One of them was taken to end with its line, so that the tokens are others than those of the text.
    has_ended_one: bool,
    layout: edit::KnownLayout,
    language: Language,
}

impl Parse {
    /// The text that was parsed.
    pub fn text(&self) -> &Arc<str> {
        self.tree.text()
    }

    /// Where the lines of the text begin.
    pub fn lines(&self) -> &Arc<LineMap> {
        self.tree.lines()
    }

    /// The root of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        self.tree.root()
    }

    /// The typed root of the tree.
    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("the root is always a SOURCE_FILE")
    }

    /// The syntax errors (and warnings of the lexer), by position.
    pub fn errors(&self) -> &[TextFinding] {
        &self.errors
    }

    fn has_errors(&self) -> bool {
        self.all_errors.iter().any(|error| error.severity() == Severity::Error)
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// What an edited text is read as, in which no string was taken to end with its line.
    fn of_edited(
        tree: Tree,
        errors: Vec<TextFinding>,
        recovering_and: Vec<lexer::Suspect>,
        layout: edit::KnownLayout,
        language: Language,
    ) -> Parse {
        let (errors, all_errors) = causes(tree.text(), errors);
        let recovering_and = recovering_and.into();
        Parse { errors, all_errors, recovering_and, has_ended_one: false, layout, language, tree }
    }

    /// The nodes and tokens at the top of the file, from front to back: cheaper than views of them.
    pub fn top_elements(&self) -> impl Iterator<Item = (SyntaxKind, TextRange)> {
        self.tree.top_elements()
    }

    /// The nodes at the top of the file, from front to back.
    pub fn top_nodes(&self) -> impl Iterator<Item = TopNode<'_>> {
        self.tree.top_nodes()
    }

    /// Parses a newer version of the text. The result is that of [`parse`]; only what the edit touched is read again, as far as
    /// that stands alone, and the rest of the tree is shared with this one.
    pub fn edited(&self, text: &Arc<str>) -> Parse {
        if self.tree.text() == text {
            return self.clone();
        }
        match edit::edited(self, text) {
            Some((parse, _)) => parse,
            None => parse(text, self.language),
        }
    }
}

/// Parses a text. Never fails; of a text of 4 GiB or more only an error comes back.
///
/// The plain grammar reads the text first. Only one that it refuses is read again by the grammar with [`recovery`].
pub fn parse(text: &str, language: Language) -> Parse {
    if text.len() >= u32::MAX as usize {
        return too_large(language);
    }
    let mut lexed = lexer::lex(text, language, None);
    let inputs = parser::fragments(&lexed);
    let mut neatness = None;
    let mut is_neat =
        || neatness.get_or_insert_with(|| recovery::neatness::Neatness::of(text, language)).is_neat();
    let mut best = match read(text, &lexed, &inputs, language, None) {
        Ok((events, _)) => attempt(text, &mut lexed, &inputs, events, Vec::new()),
        Err(refused_at) => {
            let mut recovered = recover(text, lexed, &inputs, language, is_neat());
            // What the plain grammar refuses is refused, even where recovery found nothing to tell.
            if recovered.mistakes == 0 {
                recovered.all_errors.push(TextFinding::new(
                    Code::SyntaxError,
                    refused_at,
                    parser::DOES_NOT_GO_ON,
                ));
                recovered.mistakes = 1;
            }
            recovered
        }
    };
    let mut recovering_and = std::mem::take(&mut best.recovering_and);
    lexer::Suspect::sort(&mut recovering_and);
    let mut has_ended_one = false;
    if best.mistakes > 0 {
        // A string that lost its end turns the rest of the file inside out: try what comes out if it ends with its line.
        let is_neat = is_neat();
        for suspect in lost_end::blamed(best.tree.lines(), &recovering_and, &best.all_errors) {
            let lexed = lexer::lex(text, language, Some(suspect));
            if lost_end::is_refuted(text, &lexed, best.mistakes, best.broken_lines) {
                continue;
            }
            let inputs = parser::fragments(&lexed);
            let mut attempt = recover(text, lexed, &inputs, language, is_neat);
            attempt.blamed = Some(suspect);
            if attempt.is_better_than(&best) {
                best = attempt;
                has_ended_one = true;
            }
        }
    }
    let (errors, all_errors) = causes(text, best.all_errors);
    let layout = edit::KnownLayout::new(neatness);
    Parse {
        tree: best.tree,
        errors,
        all_errors,
        recovering_and: recovering_and.into(),
        has_ended_one,
        layout,
        language,
    }
}

struct ParseAttempt {
    tree: Tree,
    /// How many errors are causes, warnings aside.
    mistakes: usize,
    all_errors: Vec<TextFinding>,
    /// On how many lines there were errors before those that follow from others were left out.
    broken_lines: usize,
    recovering_and: Vec<lexer::Suspect>,
    tokens: usize,
    /// What was taken to end with its line.
    blamed: Option<lexer::Suspect>,
}

impl ParseAttempt {
    /// Fewer mistakes are better; with as many, on no more lines with what follows from them, more tokens; of two strings that may
    /// have lost their end the one that less follows from.
    fn is_better_than(&self, other: &ParseAttempt) -> bool {
        let is_string = |it: &ParseAttempt| matches!(it.blamed, Some(lexer::Suspect::String(_)));
        let by_errors = match is_string(self) && is_string(other) {
            true => self.all_errors.len().cmp(&other.all_errors.len()),
            false => Ordering::Equal,
        };
        match self.mistakes.cmp(&other.mistakes) {
            Ordering::Equal if self.broken_lines > other.broken_lines => false,
            Ordering::Equal => by_errors.then(other.tokens.cmp(&self.tokens)) == Ordering::Less,
            order => order == Ordering::Less,
        }
    }
}

/// The recovering reading of a text.
fn recover(
    text: &str,
    mut lexed: lexer::Lexed,
    inputs: &[Vec<parser::Input>],
    language: Language,
    is_neat: bool,
) -> ParseAttempt {
    let (events, errors) =
        read(text, &lexed, inputs, language, Some(is_neat)).expect("the recovering reading refuses nothing");
    attempt(text, &mut lexed, inputs, events, errors)
}

/// Reads all fragments: plainly, or (with a word on whether the layout can be trusted) with recovery. Where the plain reading
/// meets an error: the token at which it ended.
fn read(
    text: &str,
    lexed: &lexer::Lexed,
    inputs: &[Vec<parser::Input>],
    language: Language,
    recovers: Option<bool>,
) -> Result<(Vec<Vec<parser::Event>>, Vec<TextFinding>), TextRange> {
    let mut errors = Vec::new();
    let mut fragments = Vec::with_capacity(inputs.len());
    for (index, input) in inputs.iter().enumerate() {
        let layout = |is_neat| match index {
            0 => recovery::Layout::new(text, lexed, input, is_neat),
            _ => recovery::Layout::unknown(),
        };
        let recovery = recovers.map(|is_neat| recovery::Recovery::new(layout(is_neat)));
        let mut parser = parser::Parser::new(text, lexed, input, recovery);
        match index {
            0 => grammar::source_file(&mut parser, language == Language::Epp),
            _ => grammar::heredoc_body(&mut parser),
        }
        let (events, found) = parser.finish()?;
        errors.extend(found);
        fragments.push(events);
    }
    Ok((fragments, errors))
}

/// The tree, and the errors of lexer and grammar that are causes.
fn attempt(
    text: &str,
    lexed: &mut lexer::Lexed,
    inputs: &[Vec<parser::Input>],
    events: Vec<Vec<parser::Event>>,
    found: Vec<TextFinding>,
) -> ParseAttempt {
    let mut errors = std::mem::take(&mut lexed.errors);
    errors.extend(found);
    let mut fragments: Vec<_> =
        inputs.iter().zip(events).map(|(input, events)| parser::Fragment { input, events }).collect();
    let (green, too_deep) = parser::build_tree(text, lexed, &mut fragments, 0);
    errors.extend(too_deep);
    let all_errors = errors.clone();
    let broken_lines = keep_causes(text, &mut errors);
    ParseAttempt {
        tree: Tree::new(green, text.into()),
        mistakes: mistakes(&errors),
        all_errors,
        broken_lines,
        recovering_and: std::mem::take(&mut lexed.recovering_and),
        tokens: lexed.tokens.len(),
        blamed: None,
    }
}

fn mistakes(errors: &[TextFinding]) -> usize {
    errors.iter().filter(|error| error.severity() == Severity::Error).count()
}

/// The errors that are causes, and all of them, both by position.
fn causes(text: &str, mut all: Vec<TextFinding>) -> (Arc<[TextFinding]>, Arc<[TextFinding]>) {
    sort(&mut all);
    let mut causes = all.clone();
    keep_causes(text, &mut causes);
    let all: Arc<[TextFinding]> = all.into();
    if causes.len() == all.len() { (all.clone(), all) } else { (causes.into(), all) }
}

fn sort(errors: &mut [TextFinding]) {
    errors.sort_by_key(|error| (error.range.start, !error.code.is_unclosed(), error.range.end));
}

/// Keeps the causes: behind something that is never closed, and behind code nested too deeply, the parser is guessing;
/// and what follows an error on the same line is mostly a consequence of it. Gives on how many lines there are errors.
fn keep_causes(text: &str, errors: &mut Vec<TextFinding>) -> usize {
    sort(errors);
    // Up to where it is known that the last error's line goes on.
    let mut same_line_up_to: Option<u32> = None;
    let mut guessing = false;
    let mut broken_lines = 0;
    errors.retain(|error| {
        if error.severity() != Severity::Error {
            return true;
        }
        let start = error.range.start;
        let same_line = same_line_up_to.is_some_and(|at| !text[at as usize..start as usize].contains('\n'));
        same_line_up_to = Some(start);
        broken_lines += usize::from(!same_line);
        let was_guessing = guessing;
        guessing |=
            error.code.is_unclosed() || matches!(error.code, Code::NestingTooDeep | Code::HeredocWithoutText);
        !was_guessing && !same_line
    });
    broken_lines
}

fn too_large(language: Language) -> Parse {
    let error = TextFinding::new(Code::FileTooLarge, TextRange::empty(0), "the file is larger than 4 GiB");
    let tree = Tree::new(tree::TreeBuilder::new("").finish(), "".into());
    let errors: Arc<[TextFinding]> = Arc::new([error]);
    let (recovering_and, has_ended_one) = (Arc::new([]), false);
    Parse {
        tree,
        errors: errors.clone(),
        all_errors: errors,
        recovering_and,
        has_ended_one,
        layout: edit::KnownLayout::default(),
        language,
    }
}

#[cfg(test)]
#[path = "too_large_tests.rs"]
mod too_large_tests;
