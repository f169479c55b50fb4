import type { Box, View } from "./model";

/** Returns the shown part of a graph in the language of Graphviz; expanded containers are clusters. */
export function dot(title: string, view: View): string {
  const lines = [`digraph ${quoted(title)} {`, "  rankdir=LR;", "  compound=true;", "  node [shape=box];"];
  view.roots.forEach((box) => addBox(box, "  ", lines));
  for (const { from, to, count, notifies } of view.edges) {
    const attributes = [...(notifies ? ["style=bold"] : []), ...(count > 1 ? [`label=${count}`] : [])];
    lines.push(`  ${quoted(from)} -> ${quoted(to)}${attributes.length > 0 ? ` [${attributes.join(", ")}]` : ""};`);
  }
  lines.push("}", "");
  return lines.join("\n");
}

function addBox(box: Box, indent: string, lines: string[]): void {
  const { id, label, kind, possible } = box.node;
  const style = possible ? ", style=dashed" : kind === "class" ? ", style=rounded" : "";
  const text = box.isCollapsed ? `${label} (${box.hidden} inside)` : label;
  const node = `${quoted(id)} [label=${quoted(text)}${style}];`;
  if (box.children.length === 0) {
    lines.push(indent + node);
    return;
  }
  lines.push(`${indent}subgraph ${quoted(`cluster ${id}`)} {`, `${indent}  ${node}`);
  box.children.forEach((child) => addBox(child, `${indent}  `, lines));
  lines.push(`${indent}}`);
}

function quoted(text: string): string {
  return `"${text.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll(/[\n\r]/g, " ")}"`;
}
