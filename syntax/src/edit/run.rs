//! Runs of statements that contain an edit: selection, lexing and parsing.

use rowan::NodeOrToken;

use crate::lexer::{self, Lexed, Suspect, Token};
use crate::parser::{self, Fragment, Input, Parser};
use crate::recovery::{Layout, Recovery};
use crate::tree::{GreenElement, kind_of};
use crate::{Language, SyntaxElement, SyntaxKind, SyntaxKind::*, TextFinding, TextRange, grammar};

use super::change::Change;
use super::container::{Container, length, length_of_tokens};
use super::surroundings::is_first_on_line;
use super::{MAX_DEPTH, affects_rest};

/// Run of statements in a container, including trivia between and after them.
pub(super) struct StatementRun {
    /// First of its elements among the children of the container, and exclusive end.
    pub(super) first: usize,
    pub(super) end: usize,
    /// Range in the old text.
    pub(super) old: TextRange,
    /// Following tokens, in the old text.
    pub(super) following: Vec<(SyntaxKind, TextRange)>,
}

/// Outcome of parsing a run.
pub(super) enum Reading {
    Fits(RunElements),
    /// The plain grammar rejects the whole text, whatever follows.
    Rejected,
    /// The run cannot be parsed independently.
    Open,
}

pub(super) struct RunElements {
    pub(super) elements: Vec<GreenElement>,
    pub(super) errors: Vec<TextFinding>,
}

impl StatementRun {
    /// Returns the smallest run that contains `touched` and enough on both sides of it for the outside to
    /// stay unchanged.
    pub(super) fn around(container: &Container<'_>, touched: TextRange, text: &str) -> Option<StatementRun> {
        let is_block = kind_of(container.node.kind()) == BLOCK;
        let interior = usize::from(is_block);
        // Statements before the edit, the last one first.
        let before = touched.start.checked_sub(1).filter(|before| *before >= container.start);
        let last_before =
            before.and_then(|before| container.view.child_containing(TextRange::new(before, before + 1)));
        let begins = |element: &SyntaxElement| {
            let start = element.text_range().start;
            is_statement(element) && (element.index() == interior || is_first_on_line(text, start))
        };
        let siblings = std::iter::successors(last_before.clone(), SyntaxElement::prev_sibling_or_token);
        let mut statements = siblings.filter(begins).map(|it| (it.index(), it.text_range().start));
        let start_of_all = (interior, container.start + interior as u32);
        let mut first = statements.next().unwrap_or(start_of_all);
        let first_node = container.node.children().nth(first.0).and_then(NodeOrToken::into_node);
        // As long as the first two tokens of the statement stay, the preceding statement cannot absorb them.
        let is_fixed = first_node.is_none_or(|it| touched.start > first.1 + length_of_tokens(it, 2));
        if first != start_of_all && !is_fixed {
            first = statements.next().unwrap_or(start_of_all);
        }
        let after = last_before.or_else(|| container.view.children_with_tokens().next());
        let following = std::iter::successors(after, SyntaxElement::next_sibling_or_token)
            .find(|it| it.text_range().start > touched.end && is_statement(it))
            .map(|it| (it.index(), it.text_range().start));
        let range = container.view.text_range();
        let end = match following {
            Some(end) => end,
            None if is_block => {
                let closer = container.node.children().last()?;
                (container.node.children().len() - 1, range.end - length(&closer))
            }
            None => (container.node.children().len(), range.end),
        };
        if is_block && following.is_none() {
            let closer = container.node.children().last()?;
            if closer.into_token().map(|it| kind_of(it.kind())) != Some(R_BRACE) || end.1 < touched.end {
                return None;
            }
        }
        Some(StatementRun {
            first: first.0,
            end: end.0,
            old: TextRange::new(first.1, end.1),
            following: container.first_tokens_from(end.0, end.1),
        })
    }

    /// Lexes the run in the new text and appends the following tokens. Returns `None` if it cannot be lexed
    /// independently.
    pub(super) fn lex(&self, text: &str, language: Language, change: &Change) -> Option<RunTokens> {
        let (from, to) = (self.old.start as usize, change.moved(self.old.end) as usize);
        let line = memchr::memrchr2(b'\n', b'\r', &text.as_bytes()[..from]).map_or(0, |at| at + 1);
        // The text of a heredoc that begins before the run may be inside it.
        if memchr::memmem::find(&text.as_bytes()[line..from], b"@(").is_some() {
            return None;
        }
        let follows_blank = || text[..to].ends_with([' ', '\t', '\n', '}', ';']);
        match self.following.first().map(|(kind, _)| *kind) {
            None | Some(R_BRACE) => {}
            // The kinds of these tokens depend on the preceding ones.
            Some(REGEX | L_PAREN | LINE_START_PAREN | L_BRACK | L_BRACE) => return None,
            Some(_) if !follows_blank() => return None,
            Some(_) => {}
        }
        let mut lexed = lexer::lex_part(&text[..to], language, from, line)?;
        let ends_in_comment = lexed.tokens.iter().rev().nth(1).is_some_and(|token| token.kind == COMMENT);
        if lexed.errors.iter().any(affects_rest) || (ends_in_comment && !self.following.is_empty()) {
            return None;
        }
        let (errors, suspects) = (std::mem::take(&mut lexed.errors), std::mem::take(&mut lexed.suspects));
        let mut inputs = parser::fragments(&lexed);
        let count = inputs[0].len();
        let own = lexed.tokens.len() - 1;
        for (kind, range) in &self.following {
            inputs[0].push(Input { kind: *kind, token: lexed.tokens.len() as u32 });
            lexed.tokens.push(Token { kind: *kind, start: change.moved(range.start) });
            lexed.tokens.push(Token { kind: WHITESPACE, start: change.moved(range.end) });
        }
        Some(RunTokens { lexed, own, inputs, count, errors, suspects })
    }

    /// Parses the run with the plain grammar, or with recovery if its container is given.
    pub(super) fn read(
        &self,
        text: &str,
        tokens: &mut RunTokens,
        recovers_in: Option<&Container<'_>>,
    ) -> Reading {
        let RunTokens { lexed, own, inputs, count, .. } = tokens;
        let count = *count;
        let mut events = Vec::with_capacity(inputs.len());
        let mut errors = Vec::new();
        for (index, input) in inputs.iter().enumerate() {
            let recovery = recovers_in.map(|container| match index {
                0 => container.recovery(Layout::new(text, lexed, input, true)),
                _ => Recovery::new(Layout::unknown()),
            });
            let mut parser = Parser::new(text, lexed, input, recovery);
            if index == 0 {
                grammar::statements_up_to(&mut parser, count);
            } else {
                grammar::heredoc_body(&mut parser);
            }
            if !self.following.is_empty()
                && parser.recovery_ref().is_some_and(|it| it.layout.has_searched_past_end())
            {
                return Reading::Open;
            }
            let expected = if index == 0 { count } else { input.len() };
            match parser.finish_part(expected) {
                Ok((read, found)) => {
                    events.push(read);
                    errors.extend(found);
                }
                Err(at) if index > 0 || at < count || !is_balanced(&input[..count]) => {
                    return Reading::Rejected;
                }
                Err(_) => return Reading::Open,
            }
        }
        if recovers_in.is_some() && errors.is_empty() {
            return Reading::Open;
        }
        let following = lexed.tokens.split_off(*own);
        lexed.tokens.push(Token { kind: EOF, ..following[0] });
        let first_inputs = inputs[0].split_off(count);
        let mut fragments: Vec<_> =
            inputs.iter().zip(events).map(|(input, events)| Fragment { input, events }).collect();
        let (root, too_deep) = parser::build_tree(text, lexed, &mut fragments, MAX_DEPTH);
        drop(first_inputs);
        if too_deep.is_some() {
            return Reading::Open;
        }
        Reading::Fits(RunElements { elements: root.children().map(NodeOrToken::to_owned).collect(), errors })
    }
}

/// Returns true for a node that a run can begin with or end before.
fn is_statement(element: &SyntaxElement) -> bool {
    element.as_node().is_some_and(|it| !matches!(it.kind(), HEREDOC_BODY | ERROR))
}

/// Tokens of a run.
pub(super) struct RunTokens {
    lexed: Lexed,
    /// Number of tokens in the run; the remaining ones follow it.
    pub(super) own: usize,
    inputs: Vec<Vec<Input>>,
    /// Number of significant tokens in the run.
    count: usize,
    pub(super) errors: Vec<TextFinding>,
    pub(super) suspects: Vec<Suspect>,
}

impl RunTokens {
    /// Returns the offsets of the significant tokens in the run.
    pub(super) fn starts(&self) -> impl Iterator<Item = u32> {
        let own = &self.inputs[0][..self.count.min(self.inputs[0].len())];
        own.iter().map(|input| self.lexed.tokens[input.token as usize].start)
    }
}

fn is_balanced(input: &[Input]) -> bool {
    let mut depth = 0i64;
    for token in input {
        match token.kind {
            L_PAREN | LINE_START_PAREN | L_BRACK | LIST_START | L_BRACE | SELECTOR_BRACE => depth += 1,
            R_PAREN | R_BRACK | R_BRACE => depth -= 1,
            _ => {}
        }
    }
    depth == 0
}
