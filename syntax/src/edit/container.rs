//! The files and blocks around an edit, and the first tokens of what they hold.

use rowan::{GreenNode, GreenNodeData, GreenTokenData, NodeOrToken};

use crate::recovery::{Layout, Recovery, RecoveryContext};
use crate::tree::kind_of;
use crate::{SyntaxKind, SyntaxKind::*, TextRange};

use super::MAX_DEPTH;

/// The parser looks no further ahead than so many tokens.
pub(super) const LOOKAHEAD: usize = 5;

/// A node that holds statements: the file, or a block.
pub(super) struct Container<'g> {
    pub(super) node: &'g GreenNodeData,
    pub(super) start: u32,
    /// The nodes above it, from the root on, each with the number of the child that leads to it.
    pub(super) path: Vec<(&'g GreenNodeData, usize)>,
}

impl Container<'_> {
    /// What recovery knows when it reads statements here.
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

/// The nodes with statements that hold `range` between their braces, from the root on.
pub(super) fn containers(root: &GreenNode, range: TextRange) -> Vec<Container<'_>> {
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

/// A token of the tree.
pub(super) struct TokenPlace<'g> {
    pub(super) token: &'g GreenTokenData,
    pub(super) start: u32,
    /// The nodes above it, from the root on, each with the number of the child that leads to it.
    pub(super) path: Vec<(&'g GreenNodeData, usize)>,
}

/// The token that holds `range` behind its first byte.
pub(super) fn token_around(root: &GreenNode, range: TextRange) -> Option<TokenPlace<'_>> {
    let mut path: Vec<(&GreenNodeData, usize)> = Vec::new();
    let (mut node, mut at): (&GreenNodeData, u32) = (root, 0);
    loop {
        let (index, child) = node.children().enumerate().find(|(_, child)| {
            at += length(child);
            range.end <= at
        })?;
        at -= length(&child);
        if at >= range.start {
            return None;
        }
        path.push((node, index));
        match child {
            NodeOrToken::Node(inner) => node = inner,
            NodeOrToken::Token(token) => return Some(TokenPlace { token, start: at, path }),
        }
    }
}

/// How many bytes the first `count` tokens of a node take that the grammar sees, and what stands between them.
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

/// Adds the tokens that the grammar sees first in an element that begins `at`, until there are enough; `at` is then behind it.
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
