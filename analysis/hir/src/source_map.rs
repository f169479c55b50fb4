//! Where the expressions of a body stand.

use std::sync::Arc;

use syntax::{AstNode, NodePointer, SyntaxNode, TextRange};

use crate::ExprId;

/// The way from the expressions of one [`crate::Body`] to their nodes and back. Changes with every edit before them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodySourceMap {
    /// How far behind the places below everything stands.
    start: u32,
    places: Arc<DefinitionNodes>,
}

#[derive(PartialEq, Eq, Debug, Default)]
struct DefinitionNodes {
    /// The definition itself.
    definition: Option<NodePointer>,
    /// By [`ExprId`].
    nodes: Box<[NodePointer]>,
    /// Sorted.
    by_node: Box<[(NodePointerKey, ExprId)]>,
}

pub(crate) type NodePointerKey = (u32, u32, syntax::SyntaxKind);

pub(crate) fn pointer_key(pointer: NodePointer) -> NodePointerKey {
    (pointer.range.start, pointer.range.end, pointer.kind)
}

impl BodySourceMap {
    /// `by_node` has to be sorted.
    pub(crate) fn new(
        definition: NodePointer,
        nodes: Vec<NodePointer>,
        by_node: Vec<(NodePointerKey, ExprId)>,
    ) -> BodySourceMap {
        let places =
            DefinitionNodes { definition: Some(definition), nodes: nodes.into(), by_node: by_node.into() };
        BodySourceMap { start: 0, places: Arc::new(places) }
    }

    /// The same for a text in which everything stands `offset` bytes further on.
    pub fn shifted(&self, offset: u32) -> BodySourceMap {
        BodySourceMap { start: self.start + offset, places: self.places.clone() }
    }

    /// The definition's node; the whole file for its main program, `None` where the definition is gone.
    pub fn definition(&self) -> Option<NodePointer> {
        self.places.definition.map(|it| self.place(it))
    }

    /// The node of an expression. For a missing one, the node that misses it; for a hash without braces its first entry.
    pub fn node(&self, expr: ExprId) -> Option<NodePointer> {
        self.places.nodes.get(expr.index()).map(|it| self.place(*it))
    }

    /// The expression of a node; parentheses have that of what is in them.
    pub fn expr(&self, node: &SyntaxNode) -> Option<ExprId> {
        let NodePointer { kind, range } = NodePointer::new(node);
        let start = range.start.checked_sub(self.start)?;
        let range = TextRange::new(start, range.end - self.start);
        let key = pointer_key(NodePointer { kind, range });
        let at = self.places.by_node.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.places.by_node[at].1)
    }

    /// The expression of a typed node.
    pub fn expr_of(&self, node: &impl AstNode) -> Option<ExprId> {
        self.expr(node.syntax())
    }

    fn place(&self, pointer: NodePointer) -> NodePointer {
        NodePointer { range: pointer.range.shifted(self.start), ..pointer }
    }
}
