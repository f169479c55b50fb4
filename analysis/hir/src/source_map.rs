//! Source locations of the expressions of a body.

use std::sync::Arc;

use syntax::{AstNode, NodePointer, SyntaxNode, TextRange};

use crate::ExprId;

/// Map between the expressions of a [`crate::Body`] and their nodes. Changes with every edit before them.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct BodySourceMap {
    /// Offset that is added to all positions below.
    start: u32,
    nodes: Arc<DefinitionNodes>,
}

#[derive(PartialEq, Eq, Debug, Default)]
struct DefinitionNodes {
    /// Node of the definition itself.
    definition: Option<NodePointer>,
    /// Nodes by [`ExprId`].
    by_expr: Box<[NodePointer]>,
    /// Expressions by node, sorted.
    by_node: Box<[(NodePointerKey, ExprId)]>,
}

pub(crate) type NodePointerKey = (u32, u32, syntax::SyntaxKind);

pub(crate) fn pointer_key(pointer: NodePointer) -> NodePointerKey {
    (pointer.range.start, pointer.range.end, pointer.kind)
}

impl BodySourceMap {
    /// Creates a source map. `by_node` must be sorted.
    pub(crate) fn new(
        definition: NodePointer,
        nodes: Vec<NodePointer>,
        by_node: Vec<(NodePointerKey, ExprId)>,
    ) -> BodySourceMap {
        let nodes =
            DefinitionNodes { definition: Some(definition), by_expr: nodes.into(), by_node: by_node.into() };
        BodySourceMap { start: 0, nodes: Arc::new(nodes) }
    }

    /// Returns the source map for a text in which everything is `offset` bytes later.
    pub fn shifted(&self, offset: u32) -> BodySourceMap {
        BodySourceMap { start: self.start + offset, nodes: self.nodes.clone() }
    }

    /// Returns the node of the definition: the whole file for the main program, and `None` if the definition
    /// no longer exists.
    pub fn definition(&self) -> Option<NodePointer> {
        self.nodes.definition.map(|it| self.absolute(it))
    }

    /// Returns the node of an expression: for a missing one, the node that lacks it; for a hash without
    /// braces, its first entry.
    pub fn node(&self, expr: ExprId) -> Option<NodePointer> {
        self.nodes.by_expr.get(expr.index()).map(|it| self.absolute(*it))
    }

    /// Returns the expression of a node. Parentheses map to the expression in them.
    pub fn expr(&self, node: &SyntaxNode) -> Option<ExprId> {
        let NodePointer { kind, range } = NodePointer::new(node);
        let start = range.start.checked_sub(self.start)?;
        let range = TextRange::new(start, range.end - self.start);
        let key = pointer_key(NodePointer { kind, range });
        let at = self.nodes.by_node.binary_search_by_key(&key, |(key, _)| *key).ok()?;
        Some(self.nodes.by_node[at].1)
    }

    /// Returns the expression of a typed node.
    pub fn expr_of(&self, node: &impl AstNode) -> Option<ExprId> {
        self.expr(node.syntax())
    }

    fn absolute(&self, pointer: NodePointer) -> NodePointer {
        NodePointer { range: pointer.range.shifted(self.start), ..pointer }
    }
}
