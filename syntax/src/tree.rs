//! The lossless tree: nodes and tokens that together are the text of the file, byte for byte.

use std::fmt;

use crate::{SyntaxKind, TextRange};

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum PuppetLanguage {}

impl rowan::Language for PuppetLanguage {
    type Kind = SyntaxKind;

    fn kind_from_raw(raw: rowan::SyntaxKind) -> SyntaxKind {
        SyntaxKind::from_raw(raw.0)
    }

    fn kind_to_raw(kind: SyntaxKind) -> rowan::SyntaxKind {
        rowan::SyntaxKind(kind as u16)
    }
}

type RowanNode = rowan::SyntaxNode<PuppetLanguage>;
type RowanToken = rowan::SyntaxToken<PuppetLanguage>;

/// An inner node of the tree. Cheap to clone; keeps the whole tree alive; not `Send`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SyntaxNode(RowanNode);

/// A leaf of the tree. Cheap to clone; keeps the whole tree alive; not `Send`.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct SyntaxToken(RowanToken);

/// A node or a token.
#[derive(Clone, PartialEq, Eq, Hash)]
pub enum SyntaxElement {
    Node(SyntaxNode),
    Token(SyntaxToken),
}

impl SyntaxNode {
    pub(crate) fn new_root(green: rowan::GreenNode) -> SyntaxNode {
        SyntaxNode(RowanNode::new_root(green))
    }

    pub fn kind(&self) -> SyntaxKind {
        self.0.kind()
    }

    /// The bytes the node spans. It begins at the first token that is not trivia.
    pub fn text_range(&self) -> TextRange {
        TextRange::from_rowan(self.0.text_range())
    }

    /// The node's text, trivia inside it included.
    pub fn text(&self) -> String {
        self.0.text().to_string()
    }

    pub fn parent(&self) -> Option<SyntaxNode> {
        self.0.parent().map(SyntaxNode)
    }

    /// This node, its parent, and so on up to the root.
    pub fn ancestors(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        self.0.ancestors().map(SyntaxNode)
    }

    pub fn children(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        self.0.children().map(SyntaxNode)
    }

    /// Nodes and tokens, trivia included.
    pub fn children_with_tokens(&self) -> impl Iterator<Item = SyntaxElement> + use<> {
        self.0.children_with_tokens().map(SyntaxElement::from_rowan)
    }

    /// The tokens directly in this node, trivia included.
    pub fn tokens(&self) -> impl Iterator<Item = SyntaxToken> + use<> {
        self.0.children_with_tokens().filter_map(|it| it.into_token()).map(SyntaxToken)
    }

    /// The first token of this kind directly in this node.
    pub fn token(&self, kind: SyntaxKind) -> Option<SyntaxToken> {
        self.tokens().find(|token| token.kind() == kind)
    }

    /// This node and all below it, parents first.
    pub fn descendants(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        self.0.descendants().map(SyntaxNode)
    }

    /// This node and all nodes and tokens below it, parents first.
    pub fn descendants_with_tokens(&self) -> impl Iterator<Item = SyntaxElement> + use<> {
        self.0.descendants_with_tokens().map(SyntaxElement::from_rowan)
    }

    pub fn next_sibling(&self) -> Option<SyntaxNode> {
        self.0.next_sibling().map(SyntaxNode)
    }

    pub fn prev_sibling(&self) -> Option<SyntaxNode> {
        self.0.prev_sibling().map(SyntaxNode)
    }

    pub fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.next_sibling_or_token().map(SyntaxElement::from_rowan)
    }

    pub fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.prev_sibling_or_token().map(SyntaxElement::from_rowan)
    }

    pub fn first_token(&self) -> Option<SyntaxToken> {
        self.0.first_token().map(SyntaxToken)
    }

    pub fn last_token(&self) -> Option<SyntaxToken> {
        self.0.last_token().map(SyntaxToken)
    }

    /// The tokens that touch `offset`: none behind the end of the node, two where one ends and the next begins.
    pub fn tokens_at(&self, offset: u32) -> impl Iterator<Item = SyntaxToken> + use<> {
        let range = self.text_range();
        let found = (range.contains_inclusive(offset)).then(|| self.0.token_at_offset(offset.into()));
        found.into_iter().flatten().map(SyntaxToken)
    }

    /// The smallest node or token that holds the whole `range`; `None` where this node does not hold it.
    pub fn covering_element(&self, range: TextRange) -> Option<SyntaxElement> {
        let inside = self.text_range().contains_range(range);
        inside.then(|| SyntaxElement::from_rowan(self.0.covering_element(range.to_rowan())))
    }

    /// The node and all below it, one line each with kind and range, indented; tokens with their text.
    pub fn dump(&self) -> String {
        let mut out = String::new();
        let mut depth = 0usize;
        for event in self.0.preorder_with_tokens() {
            match event {
                rowan::WalkEvent::Enter(element) => {
                    let element = SyntaxElement::from_rowan(element);
                    let range = element.text_range();
                    out.push_str(&"  ".repeat(depth));
                    out.push_str(&format!("{}@{range}", element.kind().name()));
                    if let SyntaxElement::Token(token) = &element {
                        out.push_str(&format!(" {:?}", token.text()));
                    }
                    out.push('\n');
                    depth += 1;
                }
                rowan::WalkEvent::Leave(_) => depth -= 1,
            }
        }
        out
    }
}

impl SyntaxToken {
    pub fn kind(&self) -> SyntaxKind {
        self.0.kind()
    }

    pub fn text(&self) -> &str {
        self.0.text()
    }

    pub fn text_range(&self) -> TextRange {
        TextRange::from_rowan(self.0.text_range())
    }

    /// The node that holds the token.
    pub fn parent(&self) -> Option<SyntaxNode> {
        self.0.parent().map(SyntaxNode)
    }

    /// The nodes around the token, innermost first.
    pub fn ancestors(&self) -> impl Iterator<Item = SyntaxNode> + use<> {
        self.0.parent_ancestors().map(SyntaxNode)
    }

    /// The next token in the file, trivia included.
    pub fn next_token(&self) -> Option<SyntaxToken> {
        self.0.next_token().map(SyntaxToken)
    }

    /// The token before this one in the file, trivia included.
    pub fn prev_token(&self) -> Option<SyntaxToken> {
        self.0.prev_token().map(SyntaxToken)
    }

    pub fn next_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.next_sibling_or_token().map(SyntaxElement::from_rowan)
    }

    pub fn prev_sibling_or_token(&self) -> Option<SyntaxElement> {
        self.0.prev_sibling_or_token().map(SyntaxElement::from_rowan)
    }
}

impl SyntaxElement {
    fn from_rowan(element: rowan::SyntaxElement<PuppetLanguage>) -> SyntaxElement {
        match element {
            rowan::NodeOrToken::Node(node) => SyntaxElement::Node(SyntaxNode(node)),
            rowan::NodeOrToken::Token(token) => SyntaxElement::Token(SyntaxToken(token)),
        }
    }

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
        let mut node = root.covering_element(self.range)?;
        loop {
            if let SyntaxElement::Node(found) = &node
                && found.kind() == self.kind
                && found.text_range() == self.range
            {
                return Some(found.clone());
            }
            let parent = node.parent()?;
            if parent.text_range() != self.range && node.text_range() != self.range {
                return None;
            }
            node = SyntaxElement::Node(parent);
        }
    }
}
