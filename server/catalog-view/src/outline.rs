//! Catalog as an indented outline of containment, with the relationships of each resource.

use std::fmt::Write;

use eval::Catalog;

use super::nodes::ResourceGraph;

/// Maximum depth of indentation; deeper containers are printed at this depth.
const MAX_DEPTH: usize = 40;

/// Prints the resources of a catalog in their containers, each followed by the resources that it precedes and follows.
pub fn render(catalog: &Catalog) -> String {
    let graph = ResourceGraph::new(catalog);
    let mut contents = vec![Vec::new(); graph.nodes.len()];
    let mut waiting: Vec<(usize, usize)> = Vec::new();
    for (at, node) in graph.nodes.iter().enumerate() {
        match node.container {
            Some(container) => contents[container].push(at),
            None => waiting.push((at, 0)),
        }
    }
    waiting.reverse();
    let relationships = relationships(&graph);
    let mut out = String::new();
    while let Some((at, depth)) = waiting.pop() {
        let node = &graph.nodes[at];
        let indent = "  ".repeat(depth.min(MAX_DEPTH));
        let at_signs = if node.is_exported { "@@" } else { "" };
        let possibly = if node.is_possible { " (possibly)" } else { "" };
        let _ = writeln!(out, "{indent}{at_signs}{}{possibly}", node.reference);
        for (label, other) in &relationships[at] {
            let _ = writeln!(out, "{indent}    {label} {}", graph.nodes[*other].reference);
        }
        waiting.extend(contents[at].iter().rev().map(|it| (*it, depth + 1)));
    }
    out
}

/// Returns the relationships of each node, as labels with the position of the other node.
fn relationships(graph: &ResourceGraph) -> Vec<Vec<(&'static str, usize)>> {
    let mut found = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        let (of_first, of_second) =
            if edge.notifies { ("notifies", "subscribes to") } else { ("is before", "requires") };
        found[edge.from].push((of_first, edge.to));
        found[edge.to].push((of_second, edge.from));
    }
    found
}

#[cfg(test)]
#[path = "outline_tests.rs"]
mod tests;
