//! Nodes.

pub(crate) mod unquoted_node_name;
