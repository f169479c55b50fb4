//! The lossless tree: nodes and tokens that together are the text of the file, byte for byte.
//!
//! A tree is the list of its elements in the order of the text, parents before what is in them. Each knows its parent and
//! where the elements below it end, so that every step from one to another is a few reads from that list. A view of an
//! element is a number and a counted reference.

use std::fmt;
use std::hash::{Hash, Hasher};
use std::rc::Rc;
use std::sync::Arc;

use crate::{SyntaxKind, TextRange};

/// The parent of the root.
const NONE: u32 = u32::MAX;

/// A node or a token. It ends where the element behind it and all below it begins.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Element {
    kind: SyntaxKind,
    /// The offset of its first byte.
    start: u32,
    parent: u32,
    /// One behind the last element below it.
    next: u32,
}

/// A whole tree. `Send`, `Sync`, cheap to clone, and equal when texts and elements are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tree(Arc<Elements>);

#[derive(PartialEq, Eq, Debug)]
struct Elements {
    text: Box<str>,
    list: Vec<Element>,
}

impl Tree {
    /// A view of the root.
    pub(crate) fn root(&self) -> SyntaxNode {
        SyntaxNode(View { tree: Rc::new(self.clone()), index: 0 })
    }
}

impl Elements {
    fn end_of(&self, index: u32) -> u32 {
        let next = self.list[index as usize].next;
        self.list.get(next as usize).map_or(self.text.len() as u32, |it| it.start)
    }
}

/// Makes a tree from its elements, one after the other.
pub(crate) struct TreeBuilder {
    elements: Vec<Element>,
    /// The nodes that have begun and not ended.
    open: Vec<u32>,
}

impl TreeBuilder {
    /// For about that many elements.
    pub(crate) fn new(capacity: usize) -> TreeBuilder {
        TreeBuilder { elements: Vec::with_capacity(capacity), open: Vec::new() }
    }

    /// How many nodes have begun and not ended.
    pub(crate) fn depth(&self) -> usize {
        self.open.len()
    }

    /// Begins a node at the offset of what comes next.
    pub(crate) fn start(&mut self, kind: SyntaxKind, offset: u32) {
        let index = self.push(kind, offset);
        self.open.push(index);
    }

    /// A token; it ends where the next element begins, or the text ends.
    pub(crate) fn token(&mut self, kind: SyntaxKind, offset: u32) {
        self.push(kind, offset);
    }

    /// Ends the node that began last.
    pub(crate) fn finish_node(&mut self) {
        let next = self.elements.len() as u32;
        if let Some(index) = self.open.pop() {
            self.elements[index as usize].next = next;
        }
    }

    /// The tree of `text`, whose root is the first node.
    pub(crate) fn finish(self, text: &str) -> Tree {
        debug_assert!(self.open.is_empty(), "a node has not ended");
        Tree(Arc::new(Elements { text: text.into(), list: self.elements }))
    }

    fn push(&mut self, kind: SyntaxKind, start: u32) -> u32 {
        let index = self.elements.len() as u32;
        let parent = self.open.last().copied().unwrap_or(NONE);
        self.elements.push(Element { kind, start, parent, next: index + 1 });
        index
    }
}

/// An element of a tree.
#[derive(Clone)]
struct View {
    // Counted twice, as the inner count is one for all threads, and slow.
    tree: Rc<Tree>,
    index: u32,
}

impl View {
    fn element(&self) -> &Element {
        &self.tree.0.list[self.index as usize]
    }

    fn range(&self) -> TextRange {
        TextRange { start: self.element().start, end: self.tree.0.end_of(self.index) }
    }

    fn text(&self) -> &str {
        &self.tree.0.text[self.range().as_range()]
    }

    fn at(&self, index: u32) -> View {
        View { tree: self.tree.clone(), index }
    }

    fn parent(&self) -> Option<View> {
        let parent = self.element().parent;
        (parent != NONE).then(|| self.at(parent))
    }

    /// The elements directly in this one.
    fn children(&self) -> Children {
        Children { tree: self.tree.clone(), at: self.index + 1, end: self.element().next }
    }

    /// The element behind this one and all below it that has the same parent.
    fn next_sibling(&self) -> Option<View> {
        let Element { parent, next, .. } = *self.element();
        let end = self.tree.0.list.get(parent as usize)?.next;
        (next < end).then(|| self.at(next))
    }

    fn previous_sibling(&self) -> Option<View> {
        let parent = self.element().parent;
        let mut index = self.index.checked_sub(1).filter(|before| *before != parent && parent != NONE)?;
        loop {
            let above = self.tree.0.list[index as usize].parent;
            if above == parent {
                return Some(self.at(index));
            }
            index = above;
        }
    }

    fn is_token(&self, index: u32) -> bool {
        self.tree.0.list[index as usize].kind.is_token()
    }

    /// The first token from the element `from` on and before `end`.
    fn first_token_in(&self, from: u32, end: u32) -> Option<View> {
        (from..end).find(|index| self.is_token(*index)).map(|index| self.at(index))
    }

    /// The last token from the element `from` on and before `end`.
    fn last_token_in(&self, from: u32, end: u32) -> Option<View> {
        (from..end).rev().find(|index| self.is_token(*index)).map(|index| self.at(index))
    }

    /// The last token of this element that begins before `offset`.
    fn last_token_before(&self, offset: u32) -> Option<View> {
        let next = self.element().next;
        let elements = &self.tree.0.list[self.index as usize..next as usize];
        let count = elements.partition_point(|it| it.start < offset);
        self.last_token_in(self.index, self.index + count as u32)
    }
}

impl PartialEq for View {
    fn eq(&self, other: &View) -> bool {
        self.index == other.index && Arc::ptr_eq(&self.tree.0, &other.tree.0)
    }
}

impl Eq for View {}

impl Hash for View {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.index.hash(state);
        Arc::as_ptr(&self.tree.0).hash(state);
    }
}

/// The elements directly in one.
struct Children {
    tree: Rc<Tree>,
    at: u32,
    end: u32,
}

impl Children {
    /// The next one of a kind that is wanted.
    fn next_where(&mut self, wanted: impl Fn(SyntaxKind) -> bool) -> Option<View> {
        while self.at < self.end {
            let index = self.at;
            let element = self.tree.0.list[index as usize];
            self.at = element.next;
            if wanted(element.kind) {
                return Some(View { tree: self.tree.clone(), index });
            }
        }
        None
    }
}

/// An inner node of the tree. Cheap to clone; keeps the whole tree alive; not `Send`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SyntaxNode(View);

/// A leaf of the tree. Cheap to clone; keeps the whole tree alive; not `Send`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SyntaxToken(View);

/// A node or a token.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum SyntaxElement {
    Node(SyntaxNode),
    Token(SyntaxToken),
}

impl SyntaxNode {
    pub fn kind(&self) -> SyntaxKind {
        self.0.element().kind
    }

    /// The bytes the node spans. It begins at the first token that is not trivia.
    pub fn text_range(&self) -> TextRange {
        self.0.range()
    }

    /// The node's text, trivia inside it included.
    pub fn text(&self) -> &str {
        self.0.text()
    }

    pub fn parent(&self) -> Option<SyntaxNode> {
        self.0.parent().map(SyntaxNode)
    }

    /// This node, its parent, and so on up to the root.
    pub fn ancestors(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        std::iter::successors(Some(self.clone()), SyntaxNode::parent)
    }

    pub fn children(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        self.children_of(|_| true)
    }

    /// The children of a kind that is wanted.
    pub(crate) fn children_of<F: Fn(SyntaxKind) -> bool>(
        &self,
        wanted: F,
    ) -> impl Iterator<Item = SyntaxNode> + use<F> {
        let mut children = self.0.children();
        std::iter::from_fn(move || {
            children.next_where(|kind| !kind.is_token() && wanted(kind)).map(SyntaxNode)
        })
    }

    /// Nodes and tokens, trivia included.
    pub fn children_with_tokens(&self) -> impl Iterator<Item = SyntaxElement> + use<> {
        let mut children = self.0.children();
        std::iter::from_fn(move || children.next_where(|_| true).map(SyntaxElement::new))
    }

    /// The tokens directly in this node, trivia included.
    pub fn tokens(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        let mut children = self.0.children();
        std::iter::from_fn(move || children.next_where(SyntaxKind::is_token).map(SyntaxToken))
    }

    /// The first token of this kind directly in this node.
    pub fn token(&self, kind: SyntaxKind) -> Option<SyntaxToken> {
        self.0.children().next_where(|it| it == kind).map(SyntaxToken)
    }

    /// This node and all below it, parents first.
    pub fn descendants(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        self.descendants_with_tokens().filter_map(SyntaxElement::into_node)
    }

    /// This node and all nodes and tokens below it, parents first.
    pub fn descendants_with_tokens(&self) -> impl Iterator<Item = SyntaxElement> + use<> {
        let tree = self.0.tree.clone();
        let all = self.0.index..self.0.element().next;
        all.map(move |index| SyntaxElement::new(View { tree: tree.clone(), index }))
    }

    pub fn next_sibling(&self) -> Option<SyntaxNode> {
        let after = std::iter::successors(self.0.next_sibling(), View::next_sibling);
        after.map(SyntaxElement::new).find_map(SyntaxElement::into_node)
    }

    pub fn prev_sibling(&self) -> Option<SyntaxNode> {
        let before = std::iter::successors(self.0.previous_sibling(), View::previous_sibling);
        before.map(SyntaxElement::new).find_map(SyntaxElement::into_node)
    }

    pub fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.next_sibling().map(SyntaxElement::new)
    }

    pub fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.previous_sibling().map(SyntaxElement::new)
    }

    pub fn first_token(&self) -> Option<SyntaxToken> {
        self.0.first_token_in(self.0.index, self.0.element().next).map(SyntaxToken)
    }

    pub fn last_token(&self) -> Option<SyntaxToken> {
        self.0.last_token_in(self.0.index, self.0.element().next).map(SyntaxToken)
    }

    /// The tokens that touch `offset`: none behind the end of the node, two where one ends and the next begins.
    pub fn tokens_at(&self, offset: u32) -> impl Iterator<Item = SyntaxToken> + use<> {
        let is_inside = self.text_range().contains_inclusive(offset);
        let before = self.0.last_token_before(offset).filter(|it| is_inside && it.range().end >= offset);
        let behind =
            self.0.last_token_before(offset + 1).filter(|it| is_inside && it.element().start == offset);
        before.into_iter().chain(behind).map(SyntaxToken)
    }

    /// The smallest node or token that holds the whole `range`, of two that an empty one lies between the first; `None` where
    /// this node does not hold it.
    pub fn covering_element(&self, range: TextRange) -> Option<SyntaxElement> {
        if !self.text_range().contains_range(range) {
            return None;
        }
        let from = if range.is_empty() { range.start } else { range.start + 1 };
        let token = self.0.last_token_before(from).or_else(|| self.0.last_token_before(from + 1));
        let mut found = token.unwrap_or_else(|| self.0.clone());
        while found.index > self.0.index && !found.range().contains_range(range) {
            found = found.parent()?;
        }
        Some(SyntaxElement::new(found))
    }

    /// The node and all below it, one line each with kind and range, indented; tokens with their text.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let mut ends = Vec::new();
        for element in self.descendants_with_tokens() {
            let view = element.view();
            while ends.last().is_some_and(|end| *end <= view.index) {
                ends.pop();
            }
            out.push_str(&"  ".repeat(ends.len()));
            out.push_str(&format!("{}@{}", element.kind().name(), element.text_range()));
            match &element {
                SyntaxElement::Token(token) => out.push_str(&format!(" {:?}", token.text())),
                SyntaxElement::Node(_) => ends.push(view.element().next),
            }
            out.push('\n');
        }
        out
    }
}

impl SyntaxToken {
    pub fn kind(&self) -> SyntaxKind {
        self.0.element().kind
    }

    pub fn text(&self) -> &str {
        self.0.text()
    }

    pub fn text_range(&self) -> TextRange {
        self.0.range()
    }

    /// The node that holds the token.
    pub fn parent(&self) -> Option<SyntaxNode> {
        self.0.parent().map(SyntaxNode)
    }

    /// The nodes around the token, innermost first.
    pub fn ancestors(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        std::iter::successors(self.parent(), SyntaxNode::parent)
    }

    /// The next token in the file, trivia included.
    pub fn next_token(&self) -> Option<SyntaxToken> {
        let end = self.0.tree.0.list.len() as u32;
        self.0.first_token_in(self.0.index + 1, end).map(SyntaxToken)
    }

    /// The token before this one in the file, trivia included.
    pub fn prev_token(&self) -> Option<SyntaxToken> {
        self.0.last_token_in(0, self.0.index).map(SyntaxToken)
    }

    pub fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.next_sibling().map(SyntaxElement::new)
    }

    pub fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.previous_sibling().map(SyntaxElement::new)
    }
}

impl SyntaxElement {
    fn new(view: View) -> SyntaxElement {
        match view.element().kind.is_token() {
            true => SyntaxElement::Token(SyntaxToken(view)),
            false => SyntaxElement::Node(SyntaxNode(view)),
        }
    }

    fn view(&self) -> &View {
        match self {
            SyntaxElement::Node(node) => &node.0,
            SyntaxElement::Token(token) => &token.0,
        }
    }

    pub fn kind(&self) -> SyntaxKind {
        self.view().element().kind
    }

    pub fn text_range(&self) -> TextRange {
        self.view().range()
    }

    pub fn parent(&self) -> Option<SyntaxNode> {
        self.view().parent().map(SyntaxNode)
    }

    pub fn as_node(&self) -> Option<&SyntaxNode> {
        match self {
            SyntaxElement::Node(node) => Some(node),
            SyntaxElement::Token(_) => None,
        }
    }

    pub fn into_node(self) -> Option<SyntaxNode> {
        match self {
            SyntaxElement::Node(node) => Some(node),
            SyntaxElement::Token(_) => None,
        }
    }

    pub fn as_token(&self) -> Option<&SyntaxToken> {
        match self {
            SyntaxElement::Node(_) => None,
            SyntaxElement::Token(token) => Some(token),
        }
    }

    pub fn into_token(self) -> Option<SyntaxToken> {
        match self {
            SyntaxElement::Node(_) => None,
            SyntaxElement::Token(token) => Some(token),
        }
    }
}

impl fmt::Debug for SyntaxNode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{}", self.kind().name(), self.text_range())
    }
}

impl fmt::Debug for SyntaxToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}@{} {:?}", self.kind().name(), self.text_range(), self.text())
    }
}

impl fmt::Debug for SyntaxElement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SyntaxElement::Node(node) => fmt::Debug::fmt(node, f),
            SyntaxElement::Token(token) => fmt::Debug::fmt(token, f),
        }
    }
}

/// A way back to a node in a later-made tree of the *same* text: its kind and range. `Send`, small, comparable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodePointer {
    pub kind: SyntaxKind,
    pub range: TextRange,
}

impl NodePointer {
    pub fn new(node: &SyntaxNode) -> NodePointer {
        NodePointer { kind: node.kind(), range: node.text_range() }
    }

    /// The node in the tree under `root`; `None` where that tree has no such node.
    pub fn to_node(self, root: &SyntaxNode) -> Option<SyntaxNode> {
        let view = &root.0;
        let elements = &view.tree.0.list[..view.element().next as usize];
        let end = elements.partition_point(|it| it.start <= self.range.start) as u32;
        let begin_there = (view.index..end).rev().map(|index| view.at(index));
        let mut begin_there = begin_there.take_while(|it| it.element().start == self.range.start);
        begin_there.find(|it| it.element().kind == self.kind && it.range() == self.range).map(SyntaxNode)
    }
}
