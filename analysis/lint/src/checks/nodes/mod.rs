//! Checks for nodes.

pub(crate) mod unquoted_node_name;
