//! Catalog as a Graphviz graph of relationships and containment.

use std::fmt::Write;

use eval::{Catalog, CatalogResourceKind};

use super::values::{reference, relationships};

/// Renders a catalog as a graph. Relationships are solid (bold for notifications), containment is dotted, and
/// resources that may be absent are dashed.
pub fn render(catalog: &Catalog) -> String {
    let mut out = String::from("digraph catalog {\n  rankdir=LR;\n  node [shape=box];\n");
    for (index, resource) in catalog.resources.iter().enumerate() {
        let style = match (resource.is_possible, resource.kind()) {
            (true, _) => ", style=dashed",
            (false, CatalogResourceKind::OfType) => "",
            _ => ", style=rounded",
        };
        let _ = writeln!(out, "  n{index} [label={}{style}];", quoted(&reference(resource)));
    }
    for (from, to) in &catalog.edges {
        let _ = writeln!(out, "  n{from} -> n{to} [style=dotted, arrowhead=none];");
    }
    for (from, to, notifies) in relationships(catalog) {
        let style = if notifies { " [style=bold]" } else { "" };
        let _ = writeln!(out, "  n{from} -> n{to}{style};");
    }
    out.push_str("}\n");
    out
}

fn quoted(text: &str) -> String {
    let escaped: String = output::visible(text)
        .chars()
        .map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            c => c.to_string(),
        })
        .collect();
    format!("\"{escaped}\"")
}
