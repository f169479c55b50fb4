//! Builds the tree from events and tokens, and attaches trivia.

use super::{Event, Input};
use crate::lexer::Lexed;
use codes::Code;
use rowan::GreenNode;

use crate::tree::{TreeBuilder, TreeSink};
use crate::{SyntaxKind, SyntaxKind::*, TextFinding, TextRange};

/// Maximum depth of the tree. Deeper nodes are flattened.
const MAX_DEPTH: usize = 512;

/// Events and input of one fragment.
pub(crate) struct Fragment<'l> {
    pub(crate) input: &'l [Input],
    pub(crate) events: Vec<Event>,
}

/// Builds the tree from the fragments that [`super::fragments`] returned, in their order. The tree will be
/// inserted at depth `depth`.
pub(crate) fn build_tree(
    text: &str,
    lexed: &Lexed,
    fragments: &mut [Fragment<'_>],
    depth: usize,
) -> (GreenNode, Option<TextFinding>) {
    let (tree, too_deep) = build_into(TreeBuilder::new(text), text, lexed, fragments, depth);
    (tree.finish(), too_deep)
}

/// Like [`build_tree`], for any kind of tree.
pub(crate) fn build_into<S: TreeSink>(
    tree: S,
    text: &str,
    lexed: &Lexed,
    fragments: &mut [Fragment<'_>],
    depth: usize,
) -> (S, Option<TextFinding>) {
    let max_depth = MAX_DEPTH - depth;
    let mut builder = Builder { lexed, tree, max_depth, token: 0, next_body: 0, skipped: 0, too_deep: None };
    builder.fragment(fragments, 0);
    let too_deep = builder.too_deep.map(|offset| {
        let letter = text[offset as usize..].chars().next().map_or(0, |it| it.len_utf8() as u32);
        let range = TextRange::new(offset, offset + letter);
        TextFinding::new(
            Code::NestingTooDeep,
            range,
            format!("code is nested more than {MAX_DEPTH} levels deep"),
        )
    });
    (builder.tree, too_deep)
}

struct Builder<'l, S> {
    lexed: &'l Lexed,
    tree: S,
    max_depth: usize,
    /// Index of the next token of the file.
    token: usize,
    next_body: usize,
    /// Number of open nodes beyond the maximum depth, which are not in the tree.
    skipped: usize,
    too_deep: Option<u32>,
}

impl<S: TreeSink> Builder<'_, S> {
    fn fragment(&mut self, fragments: &mut [Fragment<'_>], index: usize) {
        let mut events = std::mem::take(&mut fragments[index].events);
        let input = fragments[index].input;
        let is_file = index == 0;
        let mut next = 0;
        let mut wrappers = Vec::new();
        for at in 0..events.len() {
            match events[at] {
                Event::Nothing => {}
                Event::Token => {
                    let token = input[next].token as usize;
                    self.tokens_up_to(token, fragments);
                    self.add_next_token();
                    next += 1;
                }
                Event::Finish => {
                    if is_file && self.tree.depth() == 1 && self.skipped == 0 {
                        self.tokens_up_to(self.lexed.tokens.len() - 1, fragments);
                    }
                    self.finish();
                }
                Event::Start { .. } => {
                    let mut from = at;
                    while let Event::Start { kind, wrapped_by } = events[from] {
                        wrappers.push(kind);
                        events[from] = Event::Nothing;
                        if wrapped_by == 0 {
                            break;
                        }
                        from += wrapped_by as usize;
                    }
                    if self.tree.depth() > 0 {
                        let token = input.get(next).map_or(self.token, |it| it.token as usize);
                        self.tokens_up_to(token, fragments);
                    }
                    while let Some(kind) = wrappers.pop() {
                        self.start(kind);
                    }
                }
            }
        }
    }

    fn start(&mut self, kind: SyntaxKind) {
        if self.skipped > 0 || self.tree.depth() >= self.max_depth {
            if self.skipped == 0 && self.too_deep.is_none() {
                self.too_deep = Some(self.lexed.tokens[self.token].start);
            }
            self.skipped += 1;
        } else {
            self.tree.start(kind);
        }
    }

    fn finish(&mut self) {
        if self.skipped > 0 {
            self.skipped -= 1;
        } else {
            self.tree.finish_node();
        }
    }

    fn add_next_token(&mut self) {
        let token = self.lexed.tokens[self.token];
        let range = self.lexed.range(self.token);
        if !range.is_empty() {
            self.tree.token(token.kind, range);
        }
        self.token += 1;
    }

    /// Adds trivia and heredoc texts before the token `end`.
    fn tokens_up_to(&mut self, end: usize, fragments: &mut [Fragment<'_>]) {
        while self.token < end {
            let body = self.lexed.heredoc_bodies.get(self.next_body);
            if let Some(body) = body.filter(|body| body.first as usize == self.token) {
                self.next_body += 1;
                if body.end > body.first {
                    let body_end = body.end as usize;
                    let fragment = self.next_body;
                    self.start(HEREDOC_BODY);
                    self.fragment(fragments, fragment);
                    self.tokens_up_to(body_end, fragments);
                    self.finish();
                }
                continue;
            }
            self.add_next_token();
        }
    }
}
