import { type GraphLayout, HEADER_HEIGHT, linesOf, type PlacedArrow, type PlacedBox, type Point, TOGGLE_WIDTH } from "./layout";

/** Returns the value of a theme color by the name of its CSS variable. */
export type Color = (variable: string) => string;

const MARGIN = 16;
const FONT = "var(--vscode-font-family, sans-serif)";

/** Names of the theme colors with fallbacks for viewers without a theme. */
export const COLORS: Record<string, string> = {
  "--vscode-editor-background": "#ffffff",
  "--vscode-editor-foreground": "#3b3b3b",
  "--vscode-descriptionForeground": "#717171",
  "--vscode-charts-blue": "#1a73c8",
  "--vscode-charts-purple": "#8250bf",
  "--vscode-charts-orange": "#c0651a",
  "--vscode-focusBorder": "#005fb8",
};

/** Returns a theme color as a CSS variable. */
export const themeColor: Color = (variable) => `var(${variable}, ${COLORS[variable]})`;

/** Returns the style of a drawing. */
export function style(color: Color, font: string = FONT): string {
  const text = color("--vscode-editor-foreground");
  const rules = [
    `text { font-family: ${font}; fill: ${text}; }`,
    ".type { font-size: 10px; opacity: 0.8; }",
    ".title { font-size: 12px; }",
    `.node rect { fill: ${color("--vscode-editor-background")}; stroke-width: 1.2; }`,
    ".node .tint { fill-opacity: 0.14; }",
    ...[
      ["class", "--vscode-charts-blue"],
      ["definedType", "--vscode-charts-purple"],
      ["resource", "--vscode-descriptionForeground"],
    ].flatMap(([kind, variable]) => [
      `.${kind} rect { stroke: ${color(variable as string)}; }`,
      `.${kind} .tint { fill: ${color(variable as string)}; }`,
      `.${kind} .toggle path { fill: ${color(variable as string)}; }`,
    ]),
    ".group .tint { fill-opacity: 0.05; }",
    ".possible rect { stroke-dasharray: 5 3; }",
    ".toggle rect { fill-opacity: 0; stroke: none; }",
    `.arrow path { fill: none; stroke: ${text}; stroke-opacity: 0.75; }`,
    `.arrow.notifies path { stroke: ${color("--vscode-charts-orange")}; stroke-opacity: 1; }`,
    `.arrow text { font-size: 10px; text-anchor: middle; stroke: ${color("--vscode-editor-background")}; stroke-width: 3px; paint-order: stroke; }`,
    `.head { fill: ${text}; } .head.notifies { fill: ${color("--vscode-charts-orange")}; }`,
  ];
  return rules.join("\n");
}

/** Draws a graph as an SVG element. */
export function draw(graph: GraphLayout, color: Color = themeColor, options: { background?: boolean; font?: string } = {}): string {
  const [width, height] = [Math.ceil(Math.max(graph.width, 160) + 2 * MARGIN), Math.ceil(Math.max(graph.height, 60) + 2 * MARGIN)];
  const groups = graph.boxes.filter(isGroup);
  const leaves = graph.boxes.filter((it) => !isGroup(it));
  const background = options.background === true ? `<rect width="${width}" height="${height}" fill="${color("--vscode-editor-background")}"/>` : "";
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">
<style>${style(color, options.font)}</style>
<defs>${["before", "notifies"].map((id) => `<marker id="${id}" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="8" markerHeight="8" orient="auto" markerUnits="userSpaceOnUse"><path class="head ${id}" d="M0 0L8 4L0 8z"/></marker>`).join("")}</defs>
${background}<g transform="translate(${MARGIN} ${MARGIN})">
${groups.map(drawBox).join("\n")}
<g id="arrows">${graph.arrows.map(drawArrow).join("\n")}</g>
${leaves.map(drawBox).join("\n")}
</g>
</svg>`;
}

function isGroup({ box }: PlacedBox): boolean {
  return box.isContainer && !box.isCollapsed;
}

function drawBox(placed: PlacedBox): string {
  const { box, x, y, width, height } = placed;
  const { id, kind, label, possible } = box.node;
  const radius = { class: 9, definedType: 6, resource: 3 }[kind];
  const [type, title] = linesOf(box);
  const group = isGroup(placed);
  const classes = ["node", kind, ...(group ? ["group"] : []), ...(possible ? ["possible"] : [])].join(" ");
  const rect = (className: string, offset = 0) =>
    `<rect ${className}x="${round(x + offset)}" y="${round(y + offset)}" width="${round(width)}" height="${round(height)}" rx="${radius}"/>`;
  const stack = box.isCollapsed ? rect("", 4) : "";
  const left = round(x + 10 + (box.isContainer ? TOGGLE_WIDTH - 4 : 0));
  return `<g class="${classes}" data-node="${escaped(id)}"><title>${escaped(label)}${possible ? " (possibly)" : ""}</title>${stack}${rect("")}${rect('class="tint" ')}${
    box.isContainer ? toggle(placed) : ""
  }<text class="type" x="${left}" y="${round(y + 16)}">${escaped(type)}</text><text class="title" x="${left}" y="${round(y + 31)}">${escaped(title)}</text></g>`;
}

/** Draws the triangle that expands or collapses a container. */
function toggle({ box, x, y }: PlacedBox): string {
  const [cx, cy] = [round(x + 14), round(y + HEADER_HEIGHT / 2)];
  const shape = box.isCollapsed ? `M${cx - 3} ${cy - 6}l7 6l-7 6z` : `M${cx - 6} ${cy - 3}l6 7l6 -7z`;
  const hint = box.isCollapsed ? "Expand (Space)" : "Collapse (Space)";
  return `<g class="toggle" data-toggle="${escaped(box.node.id)}"><title>${hint}</title><rect x="${round(x)}" y="${round(y)}" width="26" height="${HEADER_HEIGHT}"/><path d="${shape}"/></g>`;
}

function drawArrow(arrow: PlacedArrow): string {
  const kind = arrow.notifies ? "notifies" : "before";
  const width = round(Math.min((arrow.notifies ? 1.8 : 1.2) + Math.log2(arrow.count) * 0.4, 4));
  const count = arrow.count > 1 ? label(arrow) : "";
  const title = arrow.count === 1 ? "1 relationship" : `${arrow.count} relationships`;
  return `<g class="arrow ${kind}" data-from="${escaped(arrow.from)}" data-to="${escaped(arrow.to)}"><title>${title}</title><path d="${curve(arrow.points)}" stroke-width="${width}" marker-end="url(#${kind})"/>${count}</g>`;
}

function label({ points, count }: PlacedArrow): string {
  const [before, after] = [points[Math.floor((points.length - 1) / 2)], points[Math.ceil((points.length - 1) / 2)]];
  const middle = { x: ((before?.x ?? 0) + (after?.x ?? 0)) / 2, y: ((before?.y ?? 0) + (after?.y ?? 0)) / 2 };
  return `<text x="${round(middle.x)}" y="${round(middle.y - 3)}">${count}</text>`;
}

/** Returns a smooth path through points: with horizontal tangents from left to right, otherwise rounded. */
export function curve(points: Point[]): string {
  const [first, ...rest] = points;
  const last = rest.at(-1);
  if (first === undefined || last === undefined) {
    return "";
  }
  let path = `M${round(first.x)} ${round(first.y)}`;
  let from = first;
  for (const [index, to] of rest.entries()) {
    const middle = round((from.x + to.x) / 2);
    if (points.every(({ x }, at) => at === 0 || x > (points[at - 1] as Point).x)) {
      path += `C${middle} ${round(from.y)} ${middle} ${round(to.y)} ${round(to.x)} ${round(to.y)}`;
    } else if (index < rest.length - 1) {
      const next = rest[index + 1] as Point;
      const end = index === rest.length - 2 ? next : { x: (to.x + next.x) / 2, y: (to.y + next.y) / 2 };
      path += `Q${round(to.x)} ${round(to.y)} ${round(end.x)} ${round(end.y)}`;
    } else if (rest.length === 1) {
      path += `L${round(to.x)} ${round(to.y)}`;
    }
    from = to;
  }
  return path;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Escapes text for XML, without characters that XML does not allow. */
export function escaped(text: string): string {
  const valid = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, " ");
  return valid.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
