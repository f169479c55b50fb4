//! Files and blocks around an edit, and the first tokens of their contents.

use rowan::{GreenNode, GreenNodeData, GreenTokenData, NodeOrToken};

use crate::recovery::{Layout, Recovery, RecoveryContext};
use crate::tree::kind_of;
use crate::{SyntaxKind, SyntaxKind::*, TextRange};

use super::MAX_DEPTH;

/// Maximum lookahead of the parser in tokens.
pub(super) const LOOKAHEAD: usize = 5;

/// Node that contains statements: the file or a block.
pub(super) struct Container<'g> {
    pub(super) node: &'g GreenNodeData,
    pub(super) start: u32,
    /// Ancestors from the root down, each with the index of the child that leads to the container.
    pub(super) path: Vec<(&'g GreenNodeData, usize)>,
}

impl Container<'_> {
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

/// Token in the tree.
pub(super) struct TokenLocation<'g> {
    pub(super) token: &'g GreenTokenData,
    pub(super) start: u32,
    /// Ancestors from the root down, each with the index of the child that leads to the token.
    pub(super) path: Vec<(&'g GreenNodeData, usize)>,
}

/// Returns the token that contains `range` after its first byte.
pub(super) fn token_around(root: &GreenNode, range: TextRange) -> Option<TokenLocation<'_>> {
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
            NodeOrToken::Token(token) => return Some(TokenLocation { token, start: at, path }),
        }
    }
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
