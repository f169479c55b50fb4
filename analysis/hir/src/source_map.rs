//! Where the expressions of a body stand.

use syntax::{AstNode, NodePointer, SyntaxNode};

use crate::ExprId;

/// The way from the expressions of one [`crate::Body`] to their nodes and back. Changes with every edit before them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodySourceMap {
    /// The definition itself.
    pub(crate) definition: Option<NodePointer>,
    /// By [`ExprId`].
    pub(crate) nodes: Box<[NodePointer]>,
    /// Sorted.
    pub(crate) by_node: Box<[(NodePointerKey, ExprId)]>,
}

pub(crate) type NodePointerKey = (u32, u32, syntax::SyntaxKind);

pub(crate) fn pointer_key(pointer: NodePointer) -> NodePointerKey {
    (pointer.range.start, pointer.range.end, pointer.kind)
}

impl BodySourceMap {
    /// The definition's node; the whole file for its main program, `None` where the definition is gone.
    pub fn definition(&self) -> Option<NodePointer> {
        self.definition
    }

    /// The node of an expression. For a missing one, the node that misses it; for a hash without braces its first entry.
    pub fn node(&self, expr: ExprId) -> Option<NodePointer> {
        self.nodes.get(expr.index()).copied()
    }

    /// The expression of a node; parentheses have that of what is in them.
    pub fn expr(&self, node: &SyntaxNode) -> Option<ExprId> {
        let key = pointer_key(NodePointer::new(node));
        let at = self.by_node.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.by_node[at].1)
    }

    /// The expression of a typed node.
    pub fn expr_of(&self, node: &impl AstNode) -> Option<ExprId> {
        self.expr(node.syntax())
    }
}
