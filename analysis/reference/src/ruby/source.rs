//! Source code in Ruby, and the calls in it.

use crate::ruby::comments::Comments;
use crate::{DocumentedPlace, ModuleFile};
use ruby_prism::{CallNode, Location, Node};

/// Text of a file with its comments.
pub(super) struct RubySource<'t> {
    pub(super) file: ModuleFile<'t>,
    pub(super) comments: Comments,
}

impl<'t> RubySource<'t> {
    pub(super) fn text(&self, location: &Location<'_>) -> &'t str {
        self.file.text.get(location.start() as usize..location.end() as usize).unwrap_or_default()
    }

    pub(super) fn node_text(&self, node: &Node<'_>) -> &'t str {
        self.text(&node.location())
    }

    pub(super) fn place(&self, call: &CallNode<'_>) -> DocumentedPlace {
        let line = line_at(self.file.text, call.location().start() as usize);
        DocumentedPlace { file: self.file.path.to_owned(), line }
    }

    /// Returns the comment that belongs to a statement.
    pub(super) fn comment(&self, location: &Location<'_>) -> &str {
        self.comments.of_statement(line_at(self.file.text, location.start() as usize))
    }
}

/// Returns the line of an offset, from 1.
pub(super) fn line_at(text: &str, offset: usize) -> u32 {
    let before = &text.as_bytes()[..offset.min(text.len())];
    before.iter().filter(|it| **it == b'\n').count() as u32 + 1
}

/// Returns the arguments of a call, without a block.
pub(super) fn arguments<'pr>(call: &CallNode<'pr>) -> Vec<Node<'pr>> {
    call.arguments().map(|it| it.arguments().iter().collect()).unwrap_or_default()
}

/// Returns the calls among the statements of a call's block.
pub(super) fn calls_in_block<'pr>(call: &CallNode<'pr>) -> Vec<CallNode<'pr>> {
    statements_of_block(call).iter().filter_map(Node::as_call_node).collect()
}

pub(super) fn statements_of_block<'pr>(call: &CallNode<'pr>) -> Vec<Node<'pr>> {
    let body = call.block().and_then(|it| it.as_block_node()).and_then(|it| it.body());
    let statements = body.and_then(|it| it.as_statements_node());
    statements.map(|it| it.body().iter().collect()).unwrap_or_default()
}

/// Returns the pairs of an argument that is a hash, with or without braces.
pub(super) fn pairs<'pr>(argument: &Node<'pr>) -> Vec<(Node<'pr>, Node<'pr>)> {
    let elements = match (argument.as_keyword_hash_node(), argument.as_hash_node()) {
        (Some(hash), _) => hash.elements(),
        (_, Some(hash)) => hash.elements(),
        _ => return Vec::new(),
    };
    elements.iter().filter_map(|it| it.as_assoc_node()).map(|it| (it.key(), it.value())).collect()
}
