//! Parses Puppet source text into a lossless syntax tree and provides typed views over it.
//!
//! Independent of files, queries and editors. The text of the tree always equals the text of the file, and
//! parsing never fails: invalid input becomes an `ERROR` node and a [`TextFinding`]. It never overflows the
//! stack: trees have at most 512 levels, and deeper code is an error and a flat node.
//!
//! * `lexer`: written by hand, since heredocs, interpolation, EPP and the choice between a regular expression
//!   and a division require context. Every byte belongs to a token.
//! * `grammar`: recursive descent and precedence climbing, one function per production with the production in
//!   its comment. It emits events, and **describes Puppet's grammar and nothing else**: on an unexpected
//!   token it reports and calls `recovery`.
//! * `parser`: turns events into a tree. The text of a heredoc becomes a node at its position in the file.
//! * **A text is first parsed by the plain grammar, and what that accepts is the tree: layout decides only
//!   what Puppet lets it decide.** Only rejected texts are parsed with `recovery`, and **what the plain
//!   grammar rejects is always an error**.
//! * `recovery`: `layout` derives structure from indentation, if that is consistent. Each statement is
//!   limited to its lines, and parsed plainly first; lists, attributes and parameters skip to their next
//!   element. One mistake causes one error. `repair` tries a statement with a duplicate token removed or two
//!   tokens swapped.
//! * `unterminated`: an unterminated string inverts the rest of a file, so the likeliest culprit is ended at
//!   its line, and the result with the fewest errors wins.
//! * `tree`: a rowan tree, shared between versions of a file, and the text once. **rowan is not visible
//!   outside of this crate.** Trees are immutable.
//! * `flat`: a copy of the tree as a list, for passes that visit all of it several times.
//! * `edit`: [`Parse::edited`] parses the smallest run of statements around an edit and reuses the rest.
//!   **The result equals that of a full parse**; uncertain cases, such as edits of unterminated strings,
//!   heredocs and comments, are parsed in full. `known_layout` passes on what is known about indentation.
//! * [`ast`]: typed views, one table with a line per node. An accessor returns `Option` exactly if the tree
//!   may lack the child.
//! * [`pn`]: Puppet's notation of a tree, for comparison with Puppet.
//! * `text`: [`TextRange`] and [`LineMap`], whose lines end where LSP's do. **Offsets are bytes in `u32`.**

pub mod ast;
mod edit;
mod finding;
mod flat;
mod grammar;
mod kind;
mod lexer;
mod parser;
pub mod pn;
mod recovery;
mod text;
mod tree;
mod unterminated;

use codes::Code;
use std::cmp::Ordering;
use std::sync::Arc;

use tree::Tree;

pub use ast::{AstNode, SourceFile};
pub use codes::Severity;
pub use finding::TextFinding;
pub use flat::{FlatElement, FlatNode, FlatToken, FlatTree};
pub use grammar::STATEMENT_CALLS;
pub use kind::SyntaxKind;
pub use lexer::is_blank;
pub use text::{ColumnUnit, LineColumn, LineMap, TextEdit, TextRange, common_ends};
pub use tree::{NodePointer, SyntaxElement, SyntaxNode, SyntaxToken, TopNode};

/// Dialect of a source text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub enum Language {
    /// A manifest (`.pp`).
    #[default]
    Manifest,
    /// An EPP template (`.epp`).
    Epp,
    /// A Bolt plan: a manifest in which `plan` and `apply` are keywords, with its own validation rules.
    Plan,
}

/// Result of [`parse`]. `Send` and `Sync`; two results are equal if their trees and errors are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parse {
    tree: Tree,
    errors: Arc<[TextFinding]>,
    /// All errors, including consequences of other errors.
    all_errors: Arc<[TextFinding]>,
    /// Possibly unterminated strings and interpolations, by position.
    suspects: Arc<[lexer::Suspect]>,
    /// True if one of them was assumed to end with its line, so that the tokens differ from a plain lexer
    /// run.
    ended_suspect: bool,
    layout: edit::KnownLayout,
    language: Language,
}

impl Parse {
    /// Returns the parsed text.
    pub fn text(&self) -> &Arc<str> {
        self.tree.text()
    }

    /// Returns the line index of the text.
    pub fn lines(&self) -> &Arc<LineMap> {
        self.tree.lines()
    }

    /// Returns the root node of the tree.
    pub fn syntax(&self) -> SyntaxNode {
        self.tree.root()
    }

    /// Returns a copy of the tree that is faster to visit than [`SyntaxNode`]s.
    pub fn flat_tree(&self) -> FlatTree {
        FlatTree::new(&self.tree)
    }

    /// Returns the typed root of the tree.
    pub fn tree(&self) -> SourceFile {
        SourceFile::cast(self.syntax()).expect("the root is always a SOURCE_FILE")
    }

    /// Returns the syntax errors and the lexer's warnings, by position.
    pub fn errors(&self) -> &[TextFinding] {
        &self.errors
    }

    fn has_errors(&self) -> bool {
        self.all_errors.iter().any(|error| error.severity() == Severity::Error)
    }

    pub fn language(&self) -> Language {
        self.language
    }

    /// Builds the result for an incrementally reparsed text in which no string was assumed to end with its
    /// line.
    fn of_edited(
        tree: Tree,
        errors: Vec<TextFinding>,
        suspects: Vec<lexer::Suspect>,
        layout: edit::KnownLayout,
        language: Language,
    ) -> Parse {
        let (errors, all_errors) = causes(tree.text(), errors);
        let suspects = suspects.into();
        Parse { errors, all_errors, suspects, ended_suspect: false, layout, language, tree }
    }

    /// Returns the top-level nodes and tokens in source order. Cheaper than creating [`SyntaxNode`]s for
    /// them.
    pub fn top_elements(&self) -> impl Iterator<Item = (SyntaxKind, TextRange)> {
        self.tree.top_elements()
    }

    /// Returns the top-level nodes in source order.
    pub fn top_nodes(&self) -> impl Iterator<Item = TopNode<'_>> {
        self.tree.top_nodes()
    }

    /// Parses a newer version of the text.
    ///
    /// The result equals that of [`parse`]. Only the part that differs is reparsed if it can be parsed
    /// independently, and the rest of the tree is shared with `self`; otherwise, the whole text is parsed.
    pub fn edited(&self, text: &Arc<str>) -> Parse {
        self.edited_by(None, text)
    }

    /// Like [`Parse::edited`]. If `edit` is the one between the texts, they are not compared.
    pub fn edited_by(&self, edit: Option<&TextEdit>, text: &Arc<str>) -> Parse {
        if self.tree.text() == text {
            return self.clone();
        }
        match edit::edited(self, edit, text) {
            Some((parse, _)) => parse,
            None => parse_shared(text, self.language),
        }
    }
}

/// Like [`parse`]. The tree shares the text instead of copying it.
pub fn parse_shared(text: &Arc<str>, language: Language) -> Parse {
    let mut parse = parse(text, language);
    parse.tree.share_text(text);
    parse
}

/// Parses a text. Never fails; a text of 4 GiB or more yields only an error.
///
/// The plain grammar parses the text first. Only a rejected text is parsed again with error recovery.
pub fn parse(text: &str, language: Language) -> Parse {
    if text.len() >= u32::MAX as usize {
        return too_large(language);
    }
    let mut lexed = lexer::lex(text, language, None);
    let inputs = parser::fragments(&lexed);
    let mut indentation_stats = None;
    let mut is_consistent = || {
        indentation_stats
            .get_or_insert_with(|| recovery::indentation_stats::IndentationStats::of(text, language))
            .is_consistent()
    };
    let mut best = match read(text, &lexed, &inputs, language, None) {
        Ok((events, _)) => attempt(text, &mut lexed, &inputs, events, Vec::new()),
        Err(rejected_at) => {
            let mut recovered = recover(text, lexed, &inputs, language, is_consistent());
            // A text that the plain grammar rejects has at least one error, even if recovery found nothing
            // to report.
            if recovered.mistakes == 0 {
                recovered.all_errors.push(TextFinding::new(
                    Code::SyntaxError,
                    rejected_at,
                    parser::UNEXPECTED_TOKEN,
                ));
                recovered.mistakes = 1;
            }
            recovered
        }
    };
    let mut suspects = std::mem::take(&mut best.suspects);
    lexer::Suspect::sort(&mut suspects);
    let mut ended_suspect = false;
    if best.mistakes > 0 {
        // An unterminated string swaps code and strings in the rest of the file: also try the reading in
        // which it ends with its line.
        let is_consistent = is_consistent();
        for suspect in unterminated::suspects_near_errors(best.tree.lines(), &suspects, &best.all_errors) {
            let lexed = lexer::lex(text, language, Some(suspect));
            if unterminated::is_refuted(text, &lexed, best.mistakes, best.broken_lines) {
                continue;
            }
            let inputs = parser::fragments(&lexed);
            let mut attempt = recover(text, lexed, &inputs, language, is_consistent);
            attempt.assumed_unterminated = Some(suspect);
            if attempt.is_better_than(&best) {
                best = attempt;
                ended_suspect = true;
            }
        }
    }
    let (errors, all_errors) = causes(text, best.all_errors);
    let layout = edit::KnownLayout::new(indentation_stats);
    Parse { tree: best.tree, errors, all_errors, suspects: suspects.into(), ended_suspect, layout, language }
}

struct ParseAttempt {
    tree: Tree,
    /// Number of errors (not warnings) that are causes.
    mistakes: usize,
    all_errors: Vec<TextFinding>,
    /// Number of lines with errors before consequences of other errors were dropped.
    broken_lines: usize,
    suspects: Vec<lexer::Suspect>,
    tokens: usize,
    /// Suspect that was assumed to end with its line.
    assumed_unterminated: Option<lexer::Suspect>,
}

impl ParseAttempt {
    /// Returns true if this attempt explains the text better than `other`.
    ///
    /// Fewer mistakes win. For an equal number, the attempt must not have more broken lines, and then more
    /// tokens win. Between two possibly unterminated strings, the one with fewer total errors wins first.
    fn is_better_than(&self, other: &ParseAttempt) -> bool {
        let is_string =
            |it: &ParseAttempt| matches!(it.assumed_unterminated, Some(lexer::Suspect::String(_)));
        let by_errors = if is_string(self) && is_string(other) {
            self.all_errors.len().cmp(&other.all_errors.len())
        } else {
            Ordering::Equal
        };
        match self.mistakes.cmp(&other.mistakes) {
            Ordering::Equal if self.broken_lines > other.broken_lines => false,
            Ordering::Equal => by_errors.then(other.tokens.cmp(&self.tokens)) == Ordering::Less,
            order => order == Ordering::Less,
        }
    }
}

/// Parses a text with error recovery.
fn recover(
    text: &str,
    mut lexed: lexer::Lexed,
    inputs: &[Vec<parser::Input>],
    language: Language,
    is_consistent: bool,
) -> ParseAttempt {
    let (events, errors) = read(text, &lexed, inputs, language, Some(is_consistent))
        .expect("the recovering reading refuses nothing");
    attempt(text, &mut lexed, inputs, events, errors)
}

/// Parses all fragments: with the plain grammar, or with recovery if `recovers` says whether the layout can
/// be trusted.
///
/// # Errors
///
/// The plain grammar returns the range of the token at which it stopped.
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
        let layout = |is_consistent| match index {
            0 => recovery::Layout::new(text, lexed, input, is_consistent),
            _ => recovery::Layout::unknown(),
        };
        let recovery = recovers.map(|is_consistent| recovery::Recovery::new(layout(is_consistent)));
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

/// Builds the tree and keeps the errors of lexer and grammar that are causes.
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
        suspects: std::mem::take(&mut lexed.suspects),
        tokens: lexed.tokens.len(),
        assumed_unterminated: None,
    }
}

fn mistakes(errors: &[TextFinding]) -> usize {
    errors.iter().filter(|error| error.severity() == Severity::Error).count()
}

/// Returns the errors that are causes, and all errors, both by position.
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

/// Drops errors that are consequences of other errors, and returns the number of lines with errors.
///
/// After an unclosed delimiter or too deeply nested code the parser is guessing, and further errors on the
/// same line mostly follow from the first one.
fn keep_causes(text: &str, errors: &mut Vec<TextFinding>) -> usize {
    sort(errors);
    // Start of the last error: later errors before the next line break are consequences of it.
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
    let error = TextFinding::new(Code::FileTooLarge, TextRange::empty(0), "file is larger than 4 GiB");
    let tree = Tree::new(tree::TreeBuilder::new("").finish(), "".into());
    let errors: Arc<[TextFinding]> = Arc::new([error]);
    let (suspects, ended_suspect) = (Arc::new([]), false);
    Parse {
        tree,
        errors: errors.clone(),
        all_errors: errors,
        suspects,
        ended_suspect,
        layout: edit::KnownLayout::default(),
        language,
    }
}

#[cfg(test)]
#[path = "too_large_tests.rs"]
mod too_large_tests;
