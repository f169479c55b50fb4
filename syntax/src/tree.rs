//! Lossless syntax tree, whose tokens concatenated are the text of the file.
//!
//! The tree is stored as a [`rowan`] green tree: immutable, thread-safe and without offsets, so that versions
//! of a file share unchanged parts. Views of it ([`SyntaxNode`], [`SyntaxToken`]) have offsets and parents,
//! and are local to a thread. rowan is not visible outside of this crate.

use std::cell::Cell;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::rc::Rc;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use rowan::{GreenNode, GreenNodeData, GreenToken, NodeOrToken, TextSize};

use crate::{LineMap, SyntaxKind, TextRange};

type RedNode = rowan::SyntaxNode<Puppet>;
type RedToken = rowan::SyntaxToken<Puppet>;
pub(crate) type GreenElement = NodeOrToken<GreenNode, GreenToken>;

/// Language marker for rowan.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Puppet {}

impl rowan::Language for Puppet {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        kind_of(raw)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        raw(kind)
    }
}

pub(crate) fn kind_of(raw: rowan::SyntaxKind) -> SyntaxKind {
    SyntaxKind::ALL[raw.0 as usize]
}

pub(crate) fn raw(kind: SyntaxKind) -> rowan::SyntaxKind {
    rowan::SyntaxKind(kind as u16)
}

fn to_text_range(range: rowan::TextRange) -> TextRange {
    TextRange { start: range.start().into(), end: range.end().into() }
}

/// Complete tree. `Send`, `Sync` and cheap to clone; two trees are equal if their texts and elements are.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    green: Arc<LazyGreen>,
    text: Arc<str>,
    /// Line index of the text, computed on first use and shared by all clones.
    lines: Arc<OnceLock<Arc<LineMap>>>,
}

impl PartialEq for Tree {
    fn eq(&self, other: &Tree) -> bool {
        self.green() == other.green() && self.text == other.text
    }
}

impl Eq for Tree {}

impl Tree {
    pub(crate) fn new(green: GreenNode, text: Arc<str>) -> Tree {
        let green = LazyGreen { root: green.into(), splice: Mutex::default() };
        let tree = Tree { green: Arc::new(green), text, lines: Arc::default() };
        tree.green();
        tree
    }

    /// Creates the tree that results from a change of another one, which is applied on first use.
    pub(crate) fn spliced(splice: TreeSplice, text: Arc<str>) -> Tree {
        let green = LazyGreen { root: OnceLock::new(), splice: Mutex::new(Some(Box::new(splice))) };
        Tree { green: Arc::new(green), text, lines: Arc::default() }
    }

    /// Replaces the text by an equal one that is shared with others.
    pub(crate) fn share_text(&mut self, text: &Arc<str>) {
        debug_assert_eq!(self.text, *text, "another text");
        self.text = text.clone();
    }

    /// Sets the line index, if it is already known.
    pub(crate) fn with_lines(self, lines: Option<Arc<LineMap>>) -> Tree {
        debug_assert!(
            lines.as_ref().is_none_or(|it| **it == LineMap::new(&self.text)),
            "lines of another text"
        );
        Tree { lines: Arc::new(lines.map(OnceLock::from).unwrap_or_default()), ..self }
    }

    pub(crate) fn lines(&self) -> &Arc<LineMap> {
        self.lines.get_or_init(|| Arc::new(LineMap::new(&self.text)))
    }

    /// Returns the line index if it has been computed.
    pub(crate) fn known_lines(&self) -> Option<&Arc<LineMap>> {
        self.lines.get()
    }

    /// Returns a view of the root.
    pub(crate) fn root(&self) -> SyntaxNode {
        SyntaxNode { red: RedNode::new_root(self.green().clone()), text: Rc::new(self.text.clone()) }
    }

    pub(crate) fn green(&self) -> &GreenNode {
        let green = self.green.get();
        debug_assert_eq!(u32::from(green.text_len()) as usize, self.text.len(), "the tree is not its text");
        green
    }

    pub(crate) fn text(&self) -> &Arc<str> {
        &self.text
    }

    /// Returns the nodes among the children of the root.
    pub(crate) fn top_nodes(&self) -> impl Iterator<Item = TopNode<'_>> {
        let mut end = 0;
        self.green().children().filter_map(move |child| {
            let start = end;
            end += u32::from(match child {
                NodeOrToken::Node(node) => node.text_len(),
                NodeOrToken::Token(token) => token.text_len(),
            });
            let green = child.into_node()?;
            Some(TopNode { green, range: TextRange::new(start, end), tree: self })
        })
    }

    /// Returns the kinds and ranges of the children of the root.
    pub(crate) fn top_elements(&self) -> impl Iterator<Item = (SyntaxKind, TextRange)> {
        let mut end = 0;
        self.green().children().map(move |child| {
            let (kind, length) = match child {
                NodeOrToken::Node(node) => (node.kind(), node.text_len()),
                NodeOrToken::Token(token) => (token.kind(), token.text_len()),
            };
            let start = end;
            end += u32::from(length);
            (kind_of(kind), TextRange::new(start, end))
        })
    }
}

/// Root of a tree, or the change that it results from. Replacing a child copies the references to all of its siblings,
/// thousands in a long block, which the errors of a text need not wait for.
#[derive(Debug)]
struct LazyGreen {
    root: OnceLock<GreenNode>,
    /// Taken when the root is built.
    splice: Mutex<Option<Box<TreeSplice>>>,
}

impl LazyGreen {
    fn get(&self) -> &GreenNode {
        self.root.get_or_init(|| {
            let splice = self.splice.lock().unwrap_or_else(PoisonError::into_inner).take();
            splice.expect("a tree without a root is the result of a change").apply()
        })
    }
}

/// Replacement of some children of one node of a tree.
#[derive(Debug)]
pub(crate) struct TreeSplice {
    pub(crate) root: GreenNode,
    /// Index of the child that leads to the node, from the root down.
    pub(crate) path: Vec<usize>,
    /// Replaced children.
    pub(crate) replaced: Range<usize>,
    pub(crate) elements: Vec<GreenElement>,
}

impl TreeSplice {
    /// Returns the new root.
    fn apply(self) -> GreenNode {
        let mut ancestors: Vec<(&GreenNodeData, usize)> = Vec::with_capacity(self.path.len());
        let mut node: &GreenNodeData = &self.root;
        for index in self.path {
            ancestors.push((node, index));
            let child = node.children().nth(index).and_then(NodeOrToken::into_node);
            node = child.expect("the path leads through nodes");
        }
        let node = with_children(node, self.replaced, &self.elements);
        ancestors
            .into_iter()
            .rev()
            .fold(node, |node, (parent, index)| parent.replace_child(index, NodeOrToken::Node(node)))
    }
}

/// Returns a node with other children in a range. Like `splice_children`, which copies all children twice.
fn with_children(node: &GreenNodeData, replaced: Range<usize>, elements: &[GreenElement]) -> GreenNode {
    let Range { start, end } = replaced;
    let inserted = start + elements.len();
    let child = |index: usize| {
        let old = match index {
            _ if index < start => index,
            _ if index < inserted => return elements[index - start].clone(),
            _ => index - inserted + end,
        };
        node.children().nth(old).expect("an index of a child").to_owned()
    };
    let count = node.children().len() - (end - start) + elements.len();
    GreenNode::new(node.kind(), (0..count).map(child))
}

/// Top-level node of a file. Cheaper than a [`SyntaxNode`].
#[derive(Clone, Copy)]
pub struct TopNode<'t> {
    green: &'t GreenNodeData,
    range: TextRange,
    tree: &'t Tree,
}

impl TopNode<'_> {
    pub fn kind(self) -> SyntaxKind {
        kind_of(self.green.kind())
    }

    /// Returns true if both trees share this node, in which case its contents are identical.
    pub fn is_shared_with(self, other: TopNode<'_>) -> bool {
        std::ptr::eq(self.green, other.green)
    }

    /// Returns a view of the node.
    pub fn view(self) -> Option<SyntaxNode> {
        self.tree.root().child_containing(self.range)?.into_node()
    }
}

/// Receiver of the nodes and tokens of a tree in source order.
pub(crate) trait TreeSink {
    /// Returns the number of open nodes.
    fn depth(&self) -> usize;

    fn start(&mut self, kind: SyntaxKind);

    /// Adds a token with the text of `range`.
    fn token(&mut self, kind: SyntaxKind, range: TextRange);

    /// Finishes the innermost open node.
    fn finish_node(&mut self);
}

/// Builder of green nodes from their elements.
pub(crate) struct TreeBuilder<'t> {
    text: &'t str,
    /// Elements of the open nodes.
    elements: Vec<GreenElement>,
    /// Open nodes: their kinds and the number of elements before them.
    open: Vec<(SyntaxKind, usize)>,
    tokens: TokenCache,
}

impl<'t> TreeBuilder<'t> {
    pub(crate) fn new(text: &'t str) -> TreeBuilder<'t> {
        TreeBuilder { text, elements: Vec::new(), open: Vec::new(), tokens: TOKEN_CACHE.take() }
    }

    /// Returns the root.
    pub(crate) fn finish(mut self) -> GreenNode {
        TOKEN_CACHE.set(std::mem::take(&mut self.tokens));
        debug_assert!(self.open.is_empty(), "a node has not ended");
        match self.elements.pop() {
            Some(NodeOrToken::Node(root)) => root,
            _ => GreenNode::new(raw(SyntaxKind::SOURCE_FILE), std::iter::empty()),
        }
    }
}

impl TreeSink for TreeBuilder<'_> {
    fn depth(&self) -> usize {
        self.open.len()
    }

    fn start(&mut self, kind: SyntaxKind) {
        self.open.push((kind, self.elements.len()));
    }

    fn token(&mut self, kind: SyntaxKind, range: TextRange) {
        let token = self.tokens.get(kind, &self.text[range.as_range()]);
        self.elements.push(NodeOrToken::Token(token));
    }

    fn finish_node(&mut self) {
        if let Some((kind, first)) = self.open.pop() {
            let node = GreenNode::new(raw(kind), self.elements.drain(first..));
            self.elements.push(NodeOrToken::Node(node));
        }
    }
}

thread_local! {
    /// Tokens of the trees built on this thread.
    static TOKEN_CACHE: Cell<TokenCache> = Cell::default();
}

/// Cache of tokens. Most tokens are short and recur often: whitespace, brackets, keywords, names.
#[derive(Default)]
struct TokenCache {
    tokens: Vec<Option<GreenToken>>,
}

impl TokenCache {
    const SIZE: usize = 4096;
    /// Maximum length in bytes of a cached token. Longer texts seldom recur.
    const MAX_TEXT_LENGTH: usize = 24;

    fn get(&mut self, kind: SyntaxKind, text: &str) -> GreenToken {
        if text.len() > Self::MAX_TEXT_LENGTH {
            return GreenToken::new(raw(kind), text);
        }
        if self.tokens.is_empty() {
            self.tokens.resize(Self::SIZE, None);
        }
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write_u8(kind as u8);
        hasher.write(text.as_bytes());
        let hash = hasher.finish();
        let slot = &mut self.tokens[(hash >> 20) as usize % Self::SIZE];
        match slot {
            Some(token) if token.kind() == raw(kind) && token.text() == text => token.clone(),
            _ => slot.insert(GreenToken::new(raw(kind), text)).clone(),
        }
    }
}

/// Interior node of the tree. Cheap to clone; keeps the whole tree alive; not `Send`.
#[derive(Clone)]
pub struct SyntaxNode {
    red: RedNode,
    // Double reference counting: the inner count is atomic and therefore slow.
    text: Rc<Arc<str>>,
}

/// Leaf of the tree. Cheap to clone; keeps the whole tree alive; not `Send`.
#[derive(Clone)]
pub struct SyntaxToken {
    red: RedToken,
    text: Rc<Arc<str>>,
}

/// Node or token.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum SyntaxElement {
    Node(SyntaxNode),
    Token(SyntaxToken),
}

impl PartialEq for SyntaxNode {
    fn eq(&self, other: &SyntaxNode) -> bool {
        self.red == other.red
    }
}

impl Eq for SyntaxNode {}

impl Hash for SyntaxNode {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.red.hash(state);
    }
}

impl PartialEq for SyntaxToken {
    fn eq(&self, other: &SyntaxToken) -> bool {
        self.red == other.red
    }
}

impl Eq for SyntaxToken {}

impl Hash for SyntaxToken {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.red.hash(state);
    }
}

fn element(red: rowan::SyntaxElement<Puppet>, text: &Rc<Arc<str>>) -> SyntaxElement {
    let text = text.clone();
    match red {
        NodeOrToken::Node(red) => SyntaxElement::Node(SyntaxNode { red, text }),
        NodeOrToken::Token(red) => SyntaxElement::Token(SyntaxToken { red, text }),
    }
}

impl SyntaxNode {
    fn at(&self, red: RedNode) -> SyntaxNode {
        SyntaxNode { red, text: self.text.clone() }
    }

    fn token_at(&self, red: RedToken) -> SyntaxToken {
        SyntaxToken { red, text: self.text.clone() }
    }

    fn element_at(&self, red: rowan::SyntaxElement<Puppet>) -> SyntaxElement {
        element(red, &self.text)
    }

    pub fn kind(&self) -> SyntaxKind {
        self.red.kind()
    }

    /// Returns the range of the node, which begins at its first token that is not trivia.
    pub fn text_range(&self) -> TextRange {
        to_text_range(self.red.text_range())
    }

    /// Returns the index among the children of the parent.
    pub(crate) fn index(&self) -> usize {
        self.red.index()
    }

    /// Returns the text of the node, including trivia inside it.
    pub fn text(&self) -> &str {
        &self.text[self.text_range().as_range()]
    }

    pub fn parent(&self) -> Option<SyntaxNode> {
        self.red.parent().map(|red| self.at(red))
    }

    /// Returns this node, its parent, and so on up to the root.
    pub fn ancestors(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        std::iter::successors(Some(self.clone()), SyntaxNode::parent)
    }

    pub fn children(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        let text = self.text.clone();
        self.red.children().map(move |red| SyntaxNode { red, text: text.clone() })
    }

    /// Returns the children whose kinds satisfy `wanted`.
    pub(crate) fn children_of<F: Fn(SyntaxKind) -> bool>(
        &self,
        wanted: F,
    ) -> impl Iterator<Item = SyntaxNode> + use<F> {
        self.children().filter(move |node| wanted(node.kind()))
    }

    /// Returns child nodes and tokens, including trivia.
    pub fn children_with_tokens(&self) -> impl Iterator<Item = SyntaxElement> + use<> {
        let node = self.clone();
        self.red.children_with_tokens().map(move |red| node.element_at(red))
    }

    /// Returns the tokens directly in this node, including trivia.
    pub fn tokens(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        self.children_with_tokens().filter_map(SyntaxElement::into_token)
    }

    /// Returns the first token of this kind directly in this node.
    pub fn token(&self, kind: SyntaxKind) -> Option<SyntaxToken> {
        // Most lookups find nothing: the green tree answers them without creating views.
        let mut offset = self.red.text_range().start();
        for child in self.red.green().children() {
            let (is_it, length) = match child {
                NodeOrToken::Node(node) => (false, node.text_len()),
                NodeOrToken::Token(token) => (token.kind() == raw(kind), token.text_len()),
            };
            if is_it {
                let range = rowan::TextRange::at(offset, length);
                let element = self.red.child_or_token_at_range(range)?;
                return element.into_token().map(|red| self.token_at(red));
            }
            offset += length;
        }
        None
    }

    /// Returns this node and all nodes below it in preorder.
    pub fn descendants(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        let text = self.text.clone();
        self.red.preorder().filter_map(move |event| match event {
            rowan::WalkEvent::Enter(red) => Some(SyntaxNode { red, text: text.clone() }),
            rowan::WalkEvent::Leave(_) => None,
        })
    }

    /// Returns this node and all nodes and tokens below it in preorder.
    pub fn descendants_with_tokens(&self) -> impl Iterator<Item = SyntaxElement> + use<> {
        let node = self.clone();
        self.red.preorder_with_tokens().filter_map(move |event| match event {
            rowan::WalkEvent::Enter(red) => Some(node.element_at(red)),
            rowan::WalkEvent::Leave(_) => None,
        })
    }

    pub fn next_sibling(&self) -> Option<SyntaxNode> {
        self.red.next_sibling().map(|red| self.at(red))
    }

    pub fn prev_sibling(&self) -> Option<SyntaxNode> {
        self.red.prev_sibling().map(|red| self.at(red))
    }

    pub fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.red.next_sibling_or_token().map(|red| self.element_at(red))
    }

    pub fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.red.prev_sibling_or_token().map(|red| self.element_at(red))
    }

    pub fn first_token(&self) -> Option<SyntaxToken> {
        self.red.first_token().map(|red| self.token_at(red))
    }

    pub fn last_token(&self) -> Option<SyntaxToken> {
        self.red.last_token().map(|red| self.token_at(red))
    }

    /// Returns the tokens within the node that touch `offset`: two if one ends where the next begins.
    pub fn tokens_at(&self, offset: u32) -> impl Iterator<Item = SyntaxToken> + use<> {
        let before = offset.checked_sub(1).and_then(|byte| self.token_of_byte(byte));
        let following = self.token_of_byte(offset).filter(|token| before.as_ref() != Some(token));
        before.into_iter().chain(following)
    }

    /// Returns the token that contains the byte at `offset`.
    pub(crate) fn token_of_byte(&self, offset: u32) -> Option<SyntaxToken> {
        self.covering_element(TextRange::new(offset, offset.saturating_add(1)))?.into_token()
    }

    /// Returns the smallest node or token that contains the whole `range`; for an empty range between two of
    /// them, the first one. Returns `None` if this node does not contain the range.
    pub fn covering_element(&self, range: TextRange) -> Option<SyntaxElement> {
        if !self.text_range().contains_range(range) {
            return None;
        }
        let mut found = SyntaxElement::Node(self.clone());
        while let Some(child) = found.as_node().and_then(|node| node.child_containing(range)) {
            found = child;
        }
        Some(found)
    }

    /// Returns the first child that contains the whole `range`.
    pub(crate) fn child_containing(&self, range: TextRange) -> Option<SyntaxElement> {
        let at = |start: u32, end: u32| {
            let range = rowan::TextRange::new(TextSize::from(start), TextSize::from(end));
            self.red.child_or_token_at_range(range).map(|red| self.element_at(red))
        };
        if !range.is_empty() {
            return at(range.start, range.end);
        }
        let mut start = self.text_range().start;
        for child in self.red.green().children() {
            let length = match child {
                NodeOrToken::Node(node) => node.text_len(),
                NodeOrToken::Token(token) => token.text_len(),
            };
            let end = start + u32::from(length);
            if start <= range.start && range.end <= end {
                return at(start, end);
            }
            if start > range.start {
                return None;
            }
            start = end;
        }
        None
    }

    /// Formats the node and everything below it, one indented line each, with kind and range, and text for
    /// tokens.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let mut depth = 0;
        for event in self.red.preorder_with_tokens() {
            let element = match event {
                rowan::WalkEvent::Enter(element) => element,
                rowan::WalkEvent::Leave(_) => {
                    depth -= 1;
                    continue;
                }
            };
            out.push_str(&"  ".repeat(depth));
            out.push_str(&format!("{}@{}", element.kind().name(), to_text_range(element.text_range())));
            if let NodeOrToken::Token(token) = &element {
                out.push_str(&format!(" {:?}", token.text()));
            }
            depth += 1;
            out.push('\n');
        }
        out
    }
}

impl SyntaxToken {
    fn node_at(&self, red: RedNode) -> SyntaxNode {
        SyntaxNode { red, text: self.text.clone() }
    }

    fn at(&self, red: RedToken) -> SyntaxToken {
        SyntaxToken { red, text: self.text.clone() }
    }

    fn element_at(&self, red: rowan::SyntaxElement<Puppet>) -> SyntaxElement {
        element(red, &self.text)
    }

    pub fn kind(&self) -> SyntaxKind {
        self.red.kind()
    }

    pub fn text(&self) -> &str {
        self.red.text()
    }

    pub fn text_range(&self) -> TextRange {
        to_text_range(self.red.text_range())
    }

    /// Returns the index among the children of the parent.
    pub(crate) fn index(&self) -> usize {
        self.red.index()
    }

    /// Returns the node that contains the token.
    pub fn parent(&self) -> Option<SyntaxNode> {
        self.red.parent().map(|red| self.node_at(red))
    }

    /// Returns the ancestors of the token, innermost first.
    pub fn ancestors(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        std::iter::successors(self.parent(), SyntaxNode::parent)
    }

    /// Returns the next token in the file, including trivia.
    pub fn next_token(&self) -> Option<SyntaxToken> {
        self.red.next_token().map(|red| self.at(red))
    }

    /// Returns the previous token in the file, including trivia.
    pub fn prev_token(&self) -> Option<SyntaxToken> {
        self.red.prev_token().map(|red| self.at(red))
    }

    pub fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.red.next_sibling_or_token().map(|red| self.element_at(red))
    }

    pub fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.red.prev_sibling_or_token().map(|red| self.element_at(red))
    }
}

impl SyntaxElement {
    pub fn kind(&self) -> SyntaxKind {
        match self {
            SyntaxElement::Node(node) => node.kind(),
            SyntaxElement::Token(token) => token.kind(),
        }
    }

    pub fn text_range(&self) -> TextRange {
        match self {
            SyntaxElement::Node(node) => node.text_range(),
            SyntaxElement::Token(token) => token.text_range(),
        }
    }

    pub fn parent(&self) -> Option<SyntaxNode> {
        match self {
            SyntaxElement::Node(node) => node.parent(),
            SyntaxElement::Token(token) => token.parent(),
        }
    }

    /// Returns the index among the children of the parent.
    pub(crate) fn index(&self) -> usize {
        match self {
            SyntaxElement::Node(node) => node.index(),
            SyntaxElement::Token(token) => token.index(),
        }
    }

    pub(crate) fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        match self {
            SyntaxElement::Node(node) => node.next_sibling_or_token(),
            SyntaxElement::Token(token) => token.next_sibling_or_token(),
        }
    }

    pub(crate) fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        match self {
            SyntaxElement::Node(node) => node.prev_sibling_or_token(),
            SyntaxElement::Token(token) => token.prev_sibling_or_token(),
        }
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

/// Pointer to a node in any tree of the *same* text: its kind and range. `Send`, small and comparable.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct NodePointer {
    pub kind: SyntaxKind,
    pub range: TextRange,
}

impl NodePointer {
    pub fn new(node: &SyntaxNode) -> NodePointer {
        NodePointer { kind: node.kind(), range: node.text_range() }
    }

    /// Returns the node in the tree under `root`, the innermost of several; `None` if that tree has no such
    /// node.
    pub fn to_node(self, root: &SyntaxNode) -> Option<SyntaxNode> {
        if !root.text_range().contains_range(self.range) {
            return None;
        }
        let below = if self.range.is_empty() {
            // Nodes on both sides may touch the position.
            root.children().find_map(|child| self.to_node(&child))
        } else {
            let child = root.child_containing(self.range).and_then(SyntaxElement::into_node);
            child.and_then(|child| self.to_node(&child))
        };
        let is_it = root.kind() == self.kind && root.text_range() == self.range;
        below.or_else(|| is_it.then(|| root.clone()))
    }
}
