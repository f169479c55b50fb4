//! Parsing again after an edit: the smallest run of statements around it that stands alone is read, and the rest of the green
//! tree is taken over.
//!
//! What comes out is equal to what [`crate::parse`] makes of the new text; where that is not certain, nothing comes out, and the
//! whole text is read. A run of statements stands alone where the tokens in front of it and behind it stay what they were: it is
//! lexed from the start of a statement up to the start of one behind the edit, and parsed plainly with the next tokens in sight.

use std::sync::Arc;

use rowan::{GreenNode, GreenNodeData, NodeOrToken};

use crate::lexer::{self, Lexed};
use crate::parser::{self, Fragment, Input, Parser};
use crate::tree::{GreenElement, Tree, kind_of};
use crate::{Diagnostic, Language, Parse, Severity, SyntaxKind, SyntaxKind::*, TextRange, grammar};

/// Below that many nodes runs are tried; nothing there comes near the limits of depth.
const MAX_DEPTH: usize = 60;
/// So many runs are tried, from the inside out, none larger than this.
const MAX_TRIES: usize = 4;
const MAX_RUN: u32 = 256 * 1024;
/// The parser looks no further ahead.
const LOOKAHEAD: usize = 4;

/// The tree of `text`, made of that of an older text, and how many tokens were read for it; `None` where it has to be made anew.
pub(crate) fn edited(old: &Parse, text: &Arc<str>) -> Option<(Parse, usize)> {
    let has_errors = |error: &Diagnostic| {
        error.severity == Severity::Error || matches!(error.code, "heredoc-in-string" | "byte-order-mark")
    };
    if old.language == Language::Epp || text.len() >= u32::MAX as usize || old.errors.iter().any(has_errors) {
        return None;
    }
    let change = Change::between(old.tree.text(), text)?;
    let containers = containers(old.tree.green(), change.old);
    let runs = containers.iter().rev().take(MAX_TRIES).map(|container| Run::around(container, &change));
    for (run, container) in runs.zip(containers.iter().rev()) {
        let Some(run) = run else { continue };
        if run.old.len() > MAX_RUN {
            return None;
        }
        if let Some(read) = run.read(text, old.language, &change) {
            let mut node = container.node.splice_children(run.first..run.end, read.elements);
            for (parent, index) in container.path.iter().rev() {
                node = parent.replace_child(*index, NodeOrToken::Node(node));
            }
            let errors = moved_errors(&old.errors, &run, &change, read.warnings);
            let tree = Tree::new(node, text.clone());
            return Some((Parse { tree, errors: errors.into(), language: old.language }, read.tokens));
        }
    }
    None
}

/// What an edit replaced, and by what.
struct Change {
    old: TextRange,
    new: TextRange,
}

impl Change {
    /// The smallest change that makes the one text the other; `None` where they are the same.
    fn between(old: &str, new: &str) -> Option<Change> {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        let start = common_prefix(old, new);
        if start == old.len() && start == new.len() {
            return None;
        }
        let most = old.len().min(new.len()) - start;
        let end = common_suffix(&old[old.len() - most..], &new[new.len() - most..]);
        let range = |length: usize| TextRange::new(start as u32, (length - end) as u32);
        Some(Change { old: range(old.len()), new: range(new.len()) })
    }

    /// Where an offset behind the change is in the new text.
    fn moved(&self, offset: u32) -> u32 {
        offset - self.old.end + self.new.end
    }
}

/// So many bytes are compared at once.
const CHUNK: usize = 1024;

fn common_prefix(a: &[u8], b: &[u8]) -> usize {
    let chunks = a.chunks_exact(CHUNK).zip(b.chunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    chunks + a[chunks..].iter().zip(&b[chunks..]).take_while(|(a, b)| a == b).count()
}

fn common_suffix(a: &[u8], b: &[u8]) -> usize {
    let chunks =
        a.rchunks_exact(CHUNK).zip(b.rchunks_exact(CHUNK)).take_while(|(a, b)| a == b).count() * CHUNK;
    let (a, b) = (&a[..a.len() - chunks], &b[..b.len() - chunks]);
    chunks + a.iter().rev().zip(b.iter().rev()).take_while(|(a, b)| a == b).count()
}

/// A node that holds statements: the file, or a block.
struct Container<'g> {
    node: &'g GreenNodeData,
    start: u32,
    /// The nodes above it, from the root on, each with the number of the child that leads to it.
    path: Vec<(&'g GreenNodeData, usize)>,
}

fn length(element: &NodeOrToken<&GreenNodeData, &rowan::GreenTokenData>) -> u32 {
    match element {
        NodeOrToken::Node(node) => node.text_len().into(),
        NodeOrToken::Token(token) => token.text_len().into(),
    }
}

/// The nodes with statements that hold `range` between their braces, from the root on.
fn containers(root: &GreenNode, range: TextRange) -> Vec<Container<'_>> {
    let mut found = Vec::new();
    let mut path: Vec<(&GreenNodeData, usize)> = Vec::new();
    let (mut node, mut start): (&GreenNodeData, u32) = (root, 0);
    loop {
        if matches!(kind_of(node.kind()), SOURCE_FILE | BLOCK) {
            found.push(Container { node, start, path: path.clone() });
        }
        let mut at = start;
        let inner = node.children().enumerate().find_map(|(index, child)| {
            let begin = at;
            at += length(&child);
            let child = child.into_node().filter(|_| begin < range.start && range.end < at)?;
            Some((index, child, begin))
        });
        match inner {
            Some((index, child, begin)) if path.len() < MAX_DEPTH => {
                path.push((node, index));
                (node, start) = (child, begin);
            }
            _ => return found,
        }
    }
}

/// A run of statements in a container, and what stands between and behind them.
struct Run {
    /// The first of its elements among the container's children, and one behind the last.
    first: usize,
    end: usize,
    /// Where it stood in the old text.
    old: TextRange,
    /// The kinds of the tokens that follow.
    behind: Vec<SyntaxKind>,
}

/// What a run was read as.
struct Read {
    elements: Vec<GreenElement>,
    warnings: Vec<Diagnostic>,
    tokens: usize,
}

impl Run {
    /// The smallest run that holds the change, and on both sides of it enough for what is outside to stay what it was.
    fn around(container: &Container<'_>, change: &Change) -> Option<Run> {
        let is_block = kind_of(container.node.kind()) == BLOCK;
        let interior = usize::from(is_block);
        let mut first = (interior, container.start + interior as u32);
        let mut before_first = None;
        let mut behind = None;
        let mut at = container.start;
        let mut last = (0, container.start);
        for (index, child) in container.node.children().enumerate() {
            let start = at;
            at += length(&child);
            last = (index, start);
            let NodeOrToken::Node(node) = child else { continue };
            if kind_of(node.kind()) == HEREDOC_BODY {
                continue;
            }
            if start < change.old.start {
                before_first = Some(first);
                first = (index, start);
                // While its first two tokens stay, nothing in front of the statement can take them.
                if change.old.start > start + length_of_tokens(node, 2) {
                    before_first = None;
                }
            } else if start > change.old.end {
                behind = Some((index, start));
                break;
            }
        }
        let first = before_first.unwrap_or(first);
        let end = match behind {
            Some(end) => end,
            None if is_block => last,
            None => (container.node.children().len(), at),
        };
        if is_block && behind.is_none() {
            let closer = container.node.children().last()?;
            if closer.into_token().map(|it| kind_of(it.kind())) != Some(R_BRACE) || end.1 < change.old.end {
                return None;
            }
        }
        let mut tokens = Vec::new();
        for child in container.node.children().skip(end.0) {
            first_tokens(child, LOOKAHEAD, &mut tokens);
        }
        Some(Run { first: first.0, end: end.0, old: TextRange::new(first.1, end.1), behind: tokens })
    }

    /// Reads the run in the new text; `None` where it does not stand alone.
    fn read(&self, text: &str, language: Language, change: &Change) -> Option<Read> {
        let range = TextRange::new(self.old.start, change.moved(self.old.end));
        let (from, to) = (range.start as usize, range.end as usize);
        let line = memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[..from]).map_or(0, |at| at + 1);
        // The text of a heredoc that begins in front may stand in the run.
        if memchr::memmem::find(&text.as_bytes()[line..from], b"@(").is_some() {
            return None;
        }
        let follows_blank = || text[..to].ends_with([' ', '\t', '\n', '}', ';']);
        match self.behind.first() {
            None | Some(R_BRACE) => {}
            // What these are depends on what stands before them.
            Some(REGEX | L_PAREN | LINE_START_PAREN | L_BRACK | L_BRACE) => return None,
            Some(_) if !follows_blank() => return None,
            Some(_) => {}
        }
        let mut lexed = lexer::lex_part(&text[..to], language, from, line)?;
        let ends_in_comment = lexed.tokens.iter().rev().nth(1).is_some_and(|token| token.kind == COMMENT);
        if lexed.errors.iter().any(|error| error.severity == Severity::Error)
            || (ends_in_comment && !self.behind.is_empty())
        {
            return None;
        }
        let warnings = std::mem::take(&mut lexed.errors);
        let elements = self.parse(&text[..to], &lexed)?;
        Some(Read { elements, warnings, tokens: lexed.tokens.len() })
    }

    fn parse(&self, text: &str, lexed: &Lexed) -> Option<Vec<GreenElement>> {
        let mut inputs = parser::fragments(lexed);
        let count = inputs[0].len();
        let end = lexed.tokens.len() as u32 - 1;
        inputs[0].extend(self.behind.iter().map(|kind| Input { kind: *kind, token: end }));
        let mut events = Vec::with_capacity(inputs.len());
        for (index, input) in inputs.iter().enumerate() {
            let mut parser = Parser::new(text, lexed, input, None);
            events.push(match index {
                0 => {
                    grammar::statements_up_to(&mut parser, count);
                    parser.finish_part(count)?
                }
                _ => {
                    grammar::heredoc_body(&mut parser);
                    parser.finish().ok()?.0
                }
            });
        }
        inputs[0].truncate(count);
        let mut fragments: Vec<_> =
            inputs.iter().zip(events).map(|(input, events)| Fragment { input, events }).collect();
        let (root, too_deep) = parser::build_tree(text, lexed, &mut fragments, MAX_DEPTH);
        too_deep.is_none().then(|| root.children().map(NodeOrToken::to_owned).collect())
    }
}

/// How many bytes the first `count` tokens of a node take that the grammar sees, and what stands between them.
fn length_of_tokens(node: &GreenNodeData, count: usize) -> u32 {
    fn walk(node: &GreenNodeData, left: &mut usize) -> u32 {
        let mut sum = 0;
        for child in node.children() {
            if *left == 0 {
                break;
            }
            sum += match child {
                NodeOrToken::Node(node) => walk(node, left),
                NodeOrToken::Token(token) => {
                    *left -= usize::from(!kind_of(token.kind()).is_trivia());
                    token.text_len().into()
                }
            };
        }
        sum
    }
    let mut left = count;
    walk(node, &mut left)
}

/// Adds the kinds of the tokens that the grammar sees first in an element, up to `most`.
fn first_tokens(
    element: NodeOrToken<&GreenNodeData, &rowan::GreenTokenData>,
    most: usize,
    kinds: &mut Vec<SyntaxKind>,
) {
    match element {
        NodeOrToken::Node(node) if kind_of(node.kind()) != HEREDOC_BODY => {
            for child in node.children() {
                if kinds.len() >= most {
                    break;
                }
                first_tokens(child, most, kinds);
            }
        }
        NodeOrToken::Token(token) if kinds.len() < most && !kind_of(token.kind()).is_trivia() => {
            kinds.push(kind_of(token.kind()));
        }
        _ => {}
    }
}

/// The errors outside of the run, moved, and those found in it.
fn moved_errors(old: &[Diagnostic], run: &Run, change: &Change, found: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let mut errors = Vec::with_capacity(old.len() + found.len());
    errors.extend(old.iter().filter(|error| error.range.start < run.old.start).cloned());
    errors.extend(found);
    let moved = |range: TextRange| match range.start >= run.old.end {
        true => TextRange::new(change.moved(range.start), change.moved(range.end)),
        false => range,
    };
    errors.extend(old.iter().filter(|error| error.range.start >= run.old.end).map(|error| Diagnostic {
        range: moved(error.range),
        related: error.related.iter().map(|(range, text)| (moved(*range), text.clone())).collect(),
        ..error.clone()
    }));
    errors
}
