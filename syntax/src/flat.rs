//! Copy of a tree in one allocation, for passes that visit every element several times.

use std::sync::Arc;

use rowan::{GreenNodeData, NodeOrToken};

use crate::tree::{Tree, TreeSink, kind_of};
use crate::{Language, Severity, SyntaxKind, TextFinding, TextRange, lexer, parser};

/// Nodes and tokens of a tree in preorder, without whitespace.
///
/// Its views are indices, so that creating and copying one allocates nothing, unlike a [`SyntaxNode`].
///
/// [`SyntaxNode`]: crate::SyntaxNode
#[derive(Clone, Debug)]
pub struct FlatTree {
    text: Arc<str>,
    records: Vec<FlatRecord>,
}

#[derive(Clone, Copy, Debug)]
struct FlatRecord {
    kind: SyntaxKind,
    is_node: bool,
    /// Number of ancestors.
    depth: u16,
    range: TextRange,
    /// Index of the parent; for the root, its own.
    parent: u32,
    /// Index after the last descendant.
    end: u32,
}

impl FlatTree {
    pub(crate) fn new(tree: &Tree) -> FlatTree {
        let records = Vec::with_capacity(tree.text().len() / 6 + 1);
        let mut flat = FlatTree { text: tree.text().clone(), records };
        flat.add_node(tree.green(), 0, 0, 0);
        flat
    }

    /// Adds a node and its descendants. Trees are not deep: see [`crate::parse`].
    fn add_node(&mut self, node: &GreenNodeData, start: u32, parent: u32, depth: u16) {
        let index = self.records.len();
        let range = TextRange { start, end: start + u32::from(node.text_len()) };
        self.records.push(FlatRecord {
            kind: kind_of(node.kind()),
            is_node: true,
            depth,
            range,
            parent,
            end: 0,
        });
        let mut offset = start;
        for child in node.children() {
            match child {
                NodeOrToken::Node(child) => {
                    self.add_node(child, offset, index as u32, depth + 1);
                    offset += u32::from(child.text_len());
                }
                NodeOrToken::Token(token) => {
                    let kind = kind_of(token.kind());
                    let range = TextRange { start: offset, end: offset + u32::from(token.text_len()) };
                    if kind != SyntaxKind::WHITESPACE {
                        let end = self.records.len() as u32 + 1;
                        let (parent, depth) = (index as u32, depth + 1);
                        self.records.push(FlatRecord { kind, is_node: false, depth, range, parent, end });
                    }
                    offset = range.end;
                }
            }
        }
        self.records[index].end = self.records.len() as u32;
    }

    /// Parses a text without building a [`Parse`], whose tree would be the same. Returns `None` for a text with errors.
    ///
    /// [`Parse`]: crate::Parse
    pub fn parse(text: &str, language: Language) -> Option<FlatTree> {
        if text.len() >= u32::MAX as usize {
            return None;
        }
        let has_errors = |found: &[TextFinding]| found.iter().any(|it| it.severity() == Severity::Error);
        let lexed = lexer::lex(text, language, None);
        if has_errors(&lexed.errors) {
            return None;
        }
        let inputs = parser::fragments(&lexed);
        let (events, found) = crate::read(text, &lexed, &inputs, language, None).ok()?;
        let fragments = inputs.iter().zip(events);
        let mut fragments: Vec<_> =
            fragments.map(|(input, events)| parser::Fragment { input, events }).collect();
        let builder = FlatTreeBuilder {
            records: Vec::with_capacity(lexed.tokens.len() * 2),
            open: Vec::new(),
            offset: 0,
        };
        let (builder, too_deep) = parser::build_into(builder, text, &lexed, &mut fragments, 0);
        let is_valid = !has_errors(&found) && too_deep.is_none() && !builder.records.is_empty();
        is_valid.then(|| FlatTree { text: text.into(), records: builder.records })
    }

    /// Returns the text of the tree.
    #[inline]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the root node.
    #[inline]
    pub fn root(&self) -> FlatNode<'_> {
        FlatNode { tree: self, index: 0 }
    }

    /// Returns all elements in preorder.
    #[inline]
    pub fn elements(&self) -> impl ExactSizeIterator<Item = FlatElement<'_>> {
        (0..self.records.len()).map(|index| self.element(index as u32))
    }

    #[inline]
    fn record(&self, index: u32) -> &FlatRecord {
        &self.records[index as usize]
    }

    #[inline]
    fn element(&self, index: u32) -> FlatElement<'_> {
        if self.record(index).is_node {
            FlatElement::Node(FlatNode { tree: self, index })
        } else {
            FlatElement::Token(FlatToken { tree: self, index })
        }
    }

    #[inline]
    fn text_of(&self, index: u32) -> &str {
        &self.text[self.record(index).range.as_range()]
    }
}

/// Builder of a flat tree.
struct FlatTreeBuilder {
    records: Vec<FlatRecord>,
    /// Indices of the open nodes.
    open: Vec<u32>,
    /// End of the last token.
    offset: u32,
}

impl FlatTreeBuilder {
    fn add(&mut self, kind: SyntaxKind, is_node: bool, range: TextRange) {
        let (index, depth) = (self.records.len() as u32, self.open.len() as u16);
        let parent = self.open.last().copied().unwrap_or(index);
        self.records.push(FlatRecord { kind, is_node, depth, range, parent, end: index + 1 });
    }
}

impl TreeSink for FlatTreeBuilder {
    fn depth(&self) -> usize {
        self.open.len()
    }

    fn start(&mut self, kind: SyntaxKind) {
        let index = self.records.len() as u32;
        self.add(kind, true, TextRange::empty(self.offset));
        self.open.push(index);
    }

    fn token(&mut self, kind: SyntaxKind, range: TextRange) {
        if kind != SyntaxKind::WHITESPACE {
            self.add(kind, false, range);
        }
        self.offset = range.end;
    }

    fn finish_node(&mut self) {
        let end = self.records.len() as u32;
        if let Some(node) = self.open.pop().and_then(|it| self.records.get_mut(it as usize)) {
            node.range.end = self.offset;
            node.end = end;
        }
    }
}

/// Interior node of a [`FlatTree`].
#[derive(Clone, Copy)]
pub struct FlatNode<'t> {
    tree: &'t FlatTree,
    index: u32,
}

/// Token of a [`FlatTree`].
#[derive(Clone, Copy)]
pub struct FlatToken<'t> {
    tree: &'t FlatTree,
    index: u32,
}

/// Node or token of a [`FlatTree`].
#[derive(Clone, Copy)]
pub enum FlatElement<'t> {
    Node(FlatNode<'t>),
    Token(FlatToken<'t>),
}

impl<'t> FlatNode<'t> {
    #[inline]
    pub fn kind(&self) -> SyntaxKind {
        self.tree.record(self.index).kind
    }

    /// Returns the range of the node, which begins at its first token that is not trivia.
    #[inline]
    pub fn text_range(&self) -> TextRange {
        self.tree.record(self.index).range
    }

    /// Returns the text of the node, including trivia inside it.
    #[inline]
    pub fn text(&self) -> &'t str {
        self.tree.text_of(self.index)
    }

    #[inline]
    pub fn parent(&self) -> Option<FlatNode<'t>> {
        let parent = self.tree.record(self.index).parent;
        (self.index > 0).then_some(FlatNode { tree: self.tree, index: parent })
    }

    #[inline]
    pub fn children(&self) -> impl Iterator<Item = FlatNode<'t>> + use<'t> {
        self.children_with_tokens().filter_map(FlatElement::into_node)
    }

    /// Returns child nodes and tokens, including comments.
    #[inline]
    pub fn children_with_tokens(&self) -> impl Iterator<Item = FlatElement<'t>> + use<'t> {
        let tree = self.tree;
        let (mut at, end) = (self.index + 1, tree.record(self.index).end);
        std::iter::from_fn(move || {
            let child = (at < end).then(|| tree.element(at))?;
            at = tree.record(at).end;
            Some(child)
        })
    }

    /// Returns the tokens directly in this node, including comments.
    #[inline]
    pub fn tokens(&self) -> impl Iterator<Item = FlatToken<'t>> + use<'t> {
        self.children_with_tokens().filter_map(FlatElement::into_token)
    }

    /// Returns the first token of this kind directly in this node.
    #[inline]
    pub fn token(&self, kind: SyntaxKind) -> Option<FlatToken<'t>> {
        self.tokens().find(|it| it.kind() == kind)
    }

    /// Returns this node and all nodes below it in preorder.
    #[inline]
    pub fn descendants(&self) -> impl Iterator<Item = FlatNode<'t>> + use<'t> {
        self.descendants_with_tokens().filter_map(FlatElement::into_node)
    }

    /// Returns this node and all nodes and tokens below it in preorder.
    #[inline]
    pub fn descendants_with_tokens(&self) -> impl Iterator<Item = FlatElement<'t>> + use<'t> {
        let tree = self.tree;
        (self.index..tree.record(self.index).end).map(|index| tree.element(index))
    }
}

impl<'t> FlatToken<'t> {
    #[inline]
    pub fn kind(&self) -> SyntaxKind {
        self.tree.record(self.index).kind
    }

    #[inline]
    pub fn text_range(&self) -> TextRange {
        self.tree.record(self.index).range
    }

    #[inline]
    pub fn text(&self) -> &'t str {
        self.tree.text_of(self.index)
    }

    /// Returns the node that contains the token.
    #[inline]
    pub fn parent(&self) -> FlatNode<'t> {
        FlatNode { tree: self.tree, index: self.tree.record(self.index).parent }
    }
}

impl<'t> FlatElement<'t> {
    #[inline]
    pub fn kind(&self) -> SyntaxKind {
        self.record().kind
    }

    #[inline]
    pub fn text_range(&self) -> TextRange {
        self.record().range
    }

    #[inline]
    pub fn text(&self) -> &'t str {
        match self {
            FlatElement::Node(node) => node.text(),
            FlatElement::Token(token) => token.text(),
        }
    }

    /// Returns the number of ancestors.
    #[inline]
    pub fn depth(&self) -> usize {
        self.record().depth.into()
    }

    #[inline]
    pub fn as_node(&self) -> Option<&FlatNode<'t>> {
        match self {
            FlatElement::Node(node) => Some(node),
            FlatElement::Token(_) => None,
        }
    }

    #[inline]
    pub fn into_node(self) -> Option<FlatNode<'t>> {
        match self {
            FlatElement::Node(node) => Some(node),
            FlatElement::Token(_) => None,
        }
    }

    #[inline]
    pub fn as_token(&self) -> Option<&FlatToken<'t>> {
        match self {
            FlatElement::Node(_) => None,
            FlatElement::Token(token) => Some(token),
        }
    }

    #[inline]
    pub fn into_token(self) -> Option<FlatToken<'t>> {
        match self {
            FlatElement::Node(_) => None,
            FlatElement::Token(token) => Some(token),
        }
    }

    #[inline]
    fn record(&self) -> &'t FlatRecord {
        match self {
            FlatElement::Node(node) => node.tree.record(node.index),
            FlatElement::Token(token) => token.tree.record(token.index),
        }
    }
}
