//! Files and blocks around an edit, and the first tokens of their contents.

use rowan::{GreenNodeData, GreenTokenData, NodeOrToken};

use crate::recovery::{Layout, Recovery, RecoveryContext};
use crate::tree::{GreenElement, Tree, TreeSplice, kind_of};
use crate::{SyntaxKind, SyntaxKind::*, SyntaxNode, SyntaxToken, TextRange};

use super::MAX_DEPTH;

/// Maximum lookahead of the parser in tokens.
pub(super) const LOOKAHEAD: usize = 5;

/// Node that contains statements: the file or a block.
pub(super) struct Container<'g> {
    pub(super) node: &'g GreenNodeData,
    pub(super) view: SyntaxNode,
    pub(super) start: u32,
    /// Ancestors from the root down, each with the index of the child that leads to the container.
    pub(super) path: Vec<(&'g GreenNodeData, usize)>,
}

impl Container<'_> {
    /// Returns the replacement of some children.
    pub(super) fn splice(
        &self,
        tree: &Tree,
        replaced: std::ops::Range<usize>,
        elements: Vec<GreenElement>,
    ) -> TreeSplice {
        let path = self.path.iter().map(|(_, index)| *index).collect();
        TreeSplice { root: tree.green().clone(), path, replaced, elements }
    }

    /// Returns the first tokens that follow the child with this index, including it and those after the container.
    /// `start` is the offset of the child.
    pub(super) fn first_tokens_from(&self, child: usize, start: u32) -> Vec<(SyntaxKind, TextRange)> {
        let mut tokens = Vec::new();
        let mut at = start;
        let outer = self.path.iter().rev().map(|(node, index)| (*node, index + 1));
        for (node, first) in std::iter::once((self.node, child)).chain(outer) {
            for child in node.children().skip(first) {
                if tokens.len() >= LOOKAHEAD {
                    return tokens;
                }
                first_tokens(child, &mut at, &mut tokens);
            }
        }
        tokens
    }

    /// Returns the recovery state for parsing statements in this container.
    pub(super) fn recovery(&self, layout: Layout) -> Recovery {
        let owner = self.path.last().map(|(node, _)| kind_of(node.kind()));
        let inside = match owner {
            Some(IF_EXPR | ELSIF_CLAUSE | UNLESS_EXPR) => RecoveryContext::ConditionalBlock,
            Some(CASE_OPTION) => RecoveryContext::OptionBlock,
            _ => RecoveryContext::Block,
        };
        let is_in_case = self.path.iter().any(|(node, _)| kind_of(node.kind()) == CASE_OPTION);
        let around = if is_in_case { RecoveryContext::OptionBlock } else { RecoveryContext::Block };
        Recovery::within(layout, vec![around, inside])
    }
}

pub(super) fn length(element: &NodeOrToken<&GreenNodeData, &GreenTokenData>) -> u32 {
    match element {
        NodeOrToken::Node(node) => node.text_len().into(),
        NodeOrToken::Token(token) => token.text_len().into(),
    }
}

/// Returns the nodes with statements that contain `range` between their braces, outermost first.
pub(super) fn containers(tree: &Tree, range: TextRange) -> Vec<Container<'_>> {
    let mut found = Vec::new();
    let mut path: Vec<(&GreenNodeData, usize)> = Vec::new();
    let mut node: &GreenNodeData = tree.green();
    let mut view = tree.root();
    loop {
        let start = view.text_range().start;
        if matches!(kind_of(node.kind()), SOURCE_FILE | BLOCK) {
            found.push(Container { node, view: view.clone(), start, path: path.clone() });
        }
        let inner = range
            .start
            .checked_sub(1)
            .and_then(|before| view.child_containing(TextRange::new(before, range.end + 1))?.into_node());
        let Some(inner) = inner.filter(|_| path.len() < MAX_DEPTH) else { return found };
        let index = inner.index();
        path.push((node, index));
        let Some(child) = node.children().nth(index).and_then(NodeOrToken::into_node) else { return found };
        (node, view) = (child, inner);
    }
}

/// Returns the token that contains `range` after its first byte.
pub(super) fn token_around(tree: &Tree, range: TextRange) -> Option<SyntaxToken> {
    let before = range.start.checked_sub(1)?;
    tree.root().covering_element(TextRange::new(before, range.end))?.into_token()
}

/// Returns the index of the child that leads to a token in each of its ancestors, from the root down.
pub(super) fn path_to(token: &SyntaxToken) -> Vec<usize> {
    let mut path = token.parent().map(|parent| path_to_node(&parent)).unwrap_or_default();
    path.push(token.index());
    path
}

/// Like [`path_to`], for a node.
pub(super) fn path_to_node(node: &SyntaxNode) -> Vec<usize> {
    let nodes = node.ancestors().filter(|it| it.parent().is_some());
    let mut path: Vec<usize> = nodes.map(|it| it.index()).collect();
    path.reverse();
    path
}

/// Returns the length in bytes of the first `count` significant tokens of a node, including trivia between
/// them.
pub(super) fn length_of_tokens(node: &GreenNodeData, count: usize) -> u32 {
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

/// Collects the first significant tokens of an element that begins at `at`, up to [`LOOKAHEAD`] in total, and
/// advances `at` past the element.
pub(super) fn first_tokens(
    element: NodeOrToken<&GreenNodeData, &GreenTokenData>,
    at: &mut u32,
    tokens: &mut Vec<(SyntaxKind, TextRange)>,
) {
    let end = *at + length(&element);
    match element {
        NodeOrToken::Node(node) if kind_of(node.kind()) != HEREDOC_BODY => {
            for child in node.children() {
                if tokens.len() >= LOOKAHEAD {
                    break;
                }
                first_tokens(child, at, tokens);
            }
        }
        NodeOrToken::Token(token) if tokens.len() < LOOKAHEAD && !kind_of(token.kind()).is_trivia() => {
            tokens.push((kind_of(token.kind()), TextRange::new(*at, end)));
        }
        _ => {}
    }
    *at = end;
}
